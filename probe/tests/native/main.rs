//! The program itself, run against real processes and a stand-in for NVIDIA's library.

mod deaths;
mod gpus;
mod life;
mod support;
