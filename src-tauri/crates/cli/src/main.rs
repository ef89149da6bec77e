//! `sightglass-cli`: MCP servers from the command line, with no window.
//!
//! It drives the same façade as the window does, keeps nothing on disk but sessions, and can run
//! beside it.
//!
//! ```text
//! arguments → commands/ → Host → Inspector        a file per command
//!                 │         └ narration → stderr  phases, progress, messages
//!                 └ Outcome │ CliError → stdout │ stderr, exit code
//! ```
//!
//! A [`shell`] gives commands one after the other. A command about sessions runs in another process of this program, which keeps them
//! ([`background`]): the same code, with the terminal of this one as its [`console`].
//!
//! A command uses a [`Host`](host::Host) and returns an [`Outcome`](outcome::Outcome): the
//! server's response as JSON, and the same for a user to read. An error is a
//! [`CliError`](error::CliError), with an exit code and a hint.

mod addressed;
mod arguments;
mod background;
mod commands;
mod config_entry;
mod console;
mod error;
mod host;
mod json;
mod kept_sessions;
mod launch;
mod markdown;
mod messages;
mod narration;
mod next_step;
mod options;
mod outcome;
mod places;
mod record_rows;
mod session;
mod session_name;
mod shell;
mod signals;
mod style;
mod table;
mod target;
mod terminal;
mod workflow;

use std::{env, ffi::OsString, io, path::Path, process::ExitCode};

use arguments::CliArguments;
use commands::CliCommand;
use error::{CliError, Exit};
use host::Host;
use outcome::Outcome;
use sightglass_demo_server::ARGUMENT as DEMO_SERVER;
use sightglass_inspector::{REAPER_ARGUMENT, log_fields, may_be_logged};
use sightglass_serve::SERVING_VARIABLE;
use sightglass_workbench::ARGUMENT as WORKBENCH;
use signals::interruption;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

fn main() -> ExitCode {
    let words: Vec<_> = env::args_os().collect();
    // Programs that the application or a client starts: this one needs no window's libraries.
    if words.get(1).is_some_and(|word| word == REAPER_ARGUMENT) {
        return match sightglass_inspector::run_reaper() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    if words.get(1).is_some_and(|word| word == DEMO_SERVER) {
        let arguments = words.iter().skip(2);
        return sightglass_demo_server::main(
            arguments.map(|argument| argument.to_string_lossy().into_owned()),
        );
    }
    if words
        .get(1)
        .is_some_and(|word| word == background::ARGUMENT)
    {
        let data_directory = words.get(2).map(Path::new).unwrap_or(Path::new("."));
        return background::main(data_directory).into();
    }
    if words.get(1).is_some_and(|word| word == WORKBENCH) {
        let arguments = words.iter().skip(2);
        return sightglass_workbench::main(
            arguments.map(|argument| argument.to_string_lossy().into_owned()),
        );
    }
    let as_json = arguments::asks_for_json(&words);
    let given = words.clone();
    let arguments = match CliArguments::parse(words) {
        Ok(arguments) => arguments,
        Err(arguments::Stop::Help(text)) => {
            return outcome::print(Ok(Outcome::text(text)), false, None).into();
        }
        Err(arguments::Stop::Error(error)) => {
            return outcome::print(Err(error), as_json, None).into();
        }
    };
    if arguments.command.serves() && env::var_os(SERVING_VARIABLE).is_none() {
        // SAFETY: no other thread was started yet.
        unsafe { env::set_var(SERVING_VARIABLE, std::process::id().to_string()) };
    }
    start_logging();
    // The words of a panic may hold values; the place of it is what its mending takes.
    sightglass_inspector::install_panic_hook(|error| {
        eprintln!("sightglass-cli: internal error: {error}");
    });
    let ended = match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let ended = runtime.block_on(dispatch(given, arguments));
            // A thread that still reads standard input must not hold up the end.
            runtime.shutdown_background();
            ended
        }
        Err(error) => Err(CliError::system(&format!(
            "The system refused threads: {error}."
        ))),
    };
    ended
        .unwrap_or_else(|error| outcome::print(Err(error), as_json, None))
        .into()
}

/// Runs a command where it belongs.
async fn dispatch(words: Vec<OsString>, arguments: CliArguments) -> Result<Exit, CliError> {
    match arguments.command {
        CliCommand::Shell(command) => shell::run(&command, words).await,
        _ => one_command(words, arguments).await,
    }
}

/// Runs any command but a shell.
async fn one_command(words: Vec<OsString>, arguments: CliArguments) -> Result<Exit, CliError> {
    if arguments.is_about_sessions() {
        return background::run(words, &arguments).await;
    }
    let as_json = arguments.options.json;
    let max_chars = arguments.options.max_chars;
    Ok(outcome::print(run(arguments).await, as_json, max_chars))
}

/// Runs a command line of a shell, and prints what comes of it.
async fn execute(words: Vec<OsString>) -> Exit {
    let as_json = arguments::asks_for_json(&words);
    let ended = match CliArguments::parse(words.clone()) {
        Ok(arguments) => one_command(words, arguments).await,
        Err(arguments::Stop::Help(text)) => {
            Ok(outcome::print(Ok(Outcome::text(text)), false, None))
        }
        Err(arguments::Stop::Error(error)) => Err(error),
    };
    ended.unwrap_or_else(|error| outcome::print(Err(error), as_json, None))
}

/// Runs a command that a shell asks something with, and returns its result as JSON; nothing where it
/// fails.
async fn answer(mut words: Vec<OsString>) -> Option<String> {
    words.push("--json".into());
    let arguments = CliArguments::parse(words.clone()).ok()?;
    match arguments.is_about_sessions() {
        true => background::captured(words).await.ok(),
        false => run(arguments).await.ok()?.into_result(),
    }
}

/// Runs the command, and leaves no connection and no process behind however it ends.
async fn run(arguments: CliArguments) -> Result<Outcome, CliError> {
    let project = arguments.options.project.clone();
    let host = Host::open(arguments.options, arguments.command.needs())?;
    let ended = tokio::select! {
        ended = arguments.command.run(&host) => ended,
        () = interruption() => Err(CliError::interrupted()),
    };
    tokio::select! {
        () = host.close() => {}
        // A second signal does not wait; the reaper ends what is left.
        () = interruption() => {}
    }
    match project {
        Some(project) => {
            let absolute = std::path::absolute(&project).unwrap_or(project);
            outcome::in_project(ended, &absolute)
        }
        None => ended,
    }
}

/// Logs what `SIGHTGLASS_LOG` asks for to stderr; by default nothing, since whatever concerns
/// the user is in the command's outcome.
fn start_logging() {
    let wanted = env::var("SIGHTGLASS_LOG").unwrap_or_else(|_| "off".to_owned());
    let filter = EnvFilter::new(wanted).and(filter_fn(may_be_logged));
    let layer = tracing_subscriber::fmt::layer()
        .fmt_fields(log_fields())
        .with_writer(io::stderr);
    tracing_subscriber::registry()
        .with(layer.with_filter(filter))
        .init();
}

/// An exit code for the system.
impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
