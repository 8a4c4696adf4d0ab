//! The rules: what to look for, what it means, what to do.
