//! `cargo xtask …`: sets up, runs, tests, measures and packages a clone of this repository.
//!
//! It has no dependencies, so that it builds in seconds on a fresh machine and can then
//! install what the rest of the build needs.
//!
//! ```text
//! run  test/  bench  fuzz  bindings  package    the commands, a module each
//! setup/                                        what a machine lacks, by system
//! ui  nextest  python  lints                    how each part is installed, built and linted
//! display                                       a virtual one, where there is none
//! process  workspace  error                     programs, paths of this clone, what to do next
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "a build tool's work is starting other programs and writing into `target/`"
)]

mod bench;
mod bindings;
mod display;
mod error;
mod fuzz;
mod lints;
mod nextest;
mod package;
mod process;
mod python;
mod run;
mod setup;
mod test;
mod ui;
mod workspace;

use std::process::ExitCode;

use error::TaskError;
use setup::Purpose;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask <command>

  setup [run|test]                    install what building (and testing) needs
  run [--release] [-- PROJECT_DIR]    build the app and open it on a project
  test [quick|rust|ui|browser|window]…
                                      run every check, or only the named groups
  test … --repeat N NAME              run tests again and again, by a part of their names
  bench [--quick] [-- ARGUMENTS]      measure the release build, or only what may not slide
  fuzz [SECONDS]                      give the readers made-up input, each for so long
  bindings                            write ui/src/backend/bindings.ts anew
  package [--bundles LIST]            build this platform's installable bundles
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nxtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<ExitCode, TaskError> {
    let Some((command, rest)) = arguments.split_first() else {
        print!("{USAGE}");
        return Ok(ExitCode::FAILURE);
    };
    let is_help = |word: &str| matches!(word, "--help" | "-h");
    let mut own = rest.iter().take_while(|word| *word != "--");
    if command == "help" || is_help(command) || own.any(|word| is_help(word)) {
        print!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    }
    let workspace = Workspace::locate()?;
    match command.as_str() {
        "setup" => {
            setup::prepare(Purpose::from_arguments(rest)?)?;
            println!("Everything that is needed is installed.");
        }
        "run" => run::run(&workspace, rest)?,
        "test" => return test::run(&workspace, rest),
        "bench" => bench::run(&workspace, rest)?,
        "fuzz" => fuzz::run(&workspace, rest)?,
        "bindings" => bindings::run(&workspace)?,
        "package" => package::run(&workspace, rest)?,
        other => {
            return Err(TaskError::Usage {
                problem: format!("there is no command \"{other}\""),
                usage: USAGE.trim_end(),
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}
