//! The desktop shell: the only code that names Tauri.
//!
//! One executable is four programs, told apart by its first argument: the window, the demo
//! server (`demo-server`), the reaper that takes servers along when the application is killed
//! ([`sightglass_inspector::run_reaper`]; started by the application itself where the command
//! line, which is one too, does not lie beside it), and its own help.

mod arguments;
mod background;
mod desktop;
mod error;
pub mod ipc;
mod places;
mod snapshot;

use std::{ffi::OsString, process::ExitCode};

use arguments::Arguments;

/// Runs the program that the arguments (without the executable's own name) ask for.
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match arguments::parse(arguments) {
        Ok(Arguments::Window { project }) => desktop::run(project),
        Ok(Arguments::DemoServer { arguments }) => demo_server(arguments),
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

fn demo_server(arguments: Vec<String>) -> ExitCode {
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(sightglass_demo_server::main(arguments)),
        Err(error) => fail(&format!("the system refused threads: {error}")),
    }
}

/// Says on stderr why the program ends.
fn fail(message: &str) -> ExitCode {
    eprintln!("sightglass: {message}");
    ExitCode::FAILURE
}
