//! The command `nbmedic`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(nbmedic_cli::run(std::env::args_os()))
}
