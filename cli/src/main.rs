//! The nbmedic command line.

fn main() {}
