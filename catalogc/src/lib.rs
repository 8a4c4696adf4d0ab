//! Compiles the catalogue.
