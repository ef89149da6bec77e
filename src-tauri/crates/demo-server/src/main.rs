//! The demo server as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    sightglass_demo_server::main(arguments.map(|argument| argument.to_string_lossy().into_owned()))
}
