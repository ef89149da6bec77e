//! An MCP server with a few real tools, which work in one folder: to try an inspector on something
//! that matters, and to lend to agents.
//!
//! ```text
//! server      messages of both eras over stdio → a tool → its result
//! tool        WorkbenchTool: what is listed of it, and what it does
//! notebook    cells of a Jupyter notebook
//! todo        a list of things to do, in two files
//! root        the folder, and paths that stay in it
//! error       reasons why a tool did not do what it was asked
//! ```
//!
//! Modules use those below them.
//!
//! # What it may touch
//!
//! The folder that it was started for. Paths are resolved, symbolic links included, before anything is
//! read or written; what leads out is refused. Somebody who exchanges folders between the two has the
//! rights of the user already: no tool here makes links. Nothing is started, and nothing is sent.

mod error;
mod notebook;
mod root;
mod server;
mod todo;
mod tool;

use std::{path::Path, process::ExitCode};

use root::WorkFolder;

/// The first argument on which the command line is this server.
pub const ARGUMENT: &str = "workbench";

const HELP: &str = "\
An MCP server with tools that work in one folder, over stdio

Usage: sightglass-cli workbench DIR

Tools: notebook_edit, todo_list, todo_add, todo_update, todo_remove.
Nothing outside of DIR is read or written.
";

/// Exit code of a wrong usage.
const USAGE: u8 = 1;

/// Reads a command line, serves until standard input ends, and returns the exit code.
pub fn main(arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let arguments: Vec<String> = arguments.into_iter().collect();
    let directory = match arguments.as_slice() {
        [option] if option == "--help" || option == "-h" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [directory] if !directory.starts_with('-') => directory,
        _ => {
            eprint!("{HELP}");
            return USAGE.into();
        }
    };
    match WorkFolder::open(Path::new(directory)) {
        Ok(root) => {
            server::serve(&root);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{directory} cannot be used: {error}");
            USAGE.into()
        }
    }
}
