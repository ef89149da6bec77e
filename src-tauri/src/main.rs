//! The application's executable.

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    sightglass_app::main(std::env::args_os().skip(1))
}
