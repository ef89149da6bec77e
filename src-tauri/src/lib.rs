//! The desktop shell: the only code that names Tauri.
//!
//! ```text
//! main → arguments → desktop        starts the runtime, the backend and the window
//!                      ├ ipc        commands of the areas, by name; channels for what changes
//!                      │  └ ipc/    the few commands that need the desktop
//!                      ├ error      blocking work of those commands, panics contained
//!                      ├ logging    stderr and the log file
//!                      ├ page       what the page is handed along
//!                      ├ notification  of the system
//!                      ├ places     paths, the sidecar
//!                      ├ projects   an inspector for each
//!                      ├ background thread priority, memory
//!                      └ snapshot   a picture of the window
//! ```
//!
//! One executable is four programs, told apart by its first argument: the window, the demo
//! server (`demo-server`), the reaper that ends servers when the application is killed
//! ([`sightglass_inspector::run_reaper`]), and its own help. The command line that ships beside it
//! is the demo server and the reaper too, without WebKit; this one stands in where it is missing.

mod arguments;
mod background;
mod desktop;
mod error;
pub mod ipc;
mod logging;
mod notification;
mod page;
mod places;
pub mod projects;
mod snapshot;

use std::{ffi::OsString, process::ExitCode};

use arguments::Arguments;

/// Runs the program that the arguments (without the executable's own name) ask for.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match arguments::parse(arguments) {
        Ok(Arguments::Window { project, shown }) => desktop::run(project, shown),
        Ok(Arguments::DemoServer { arguments }) => sightglass_demo_server::main(arguments),
        Ok(Arguments::Reaper) => match sightglass_inspector::run_reaper() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("the servers could not be cleaned up: {error}")),
        },
        Ok(Arguments::Help) => {
            println!("{}", arguments::HELP);
            ExitCode::SUCCESS
        }
        Ok(Arguments::Version) => {
            println!("sightglass {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Err(message) => fail(&message),
    }
}

/// Says on stderr why the program ends.
fn fail(message: &str) -> ExitCode {
    eprintln!("sightglass: {message}");
    ExitCode::FAILURE
}
