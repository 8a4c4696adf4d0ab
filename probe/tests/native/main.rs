//! The program itself, run against real processes and a simulation of NVIDIA's library.

mod deaths;
mod gpus;
mod life;
mod support;
