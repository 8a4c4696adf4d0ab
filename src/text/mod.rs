//! Terminal output to clean lines.
