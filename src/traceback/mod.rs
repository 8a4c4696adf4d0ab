//! Clean lines to exceptions.
