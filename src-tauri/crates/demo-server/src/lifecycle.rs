//! Runs the server from its command line to its exit code.

use std::{
    io::{self, Write},
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use crate::{
    Error, catalog, http,
    options::{Fault, HELP, LINGER, ListenTransport, Options, Parsed},
    resources,
    server::Server,
    stdio,
};

/// Lifetime of the child of `--fork-child` when nothing ends it, so that a
/// failed test does not leave it behind for good.
const MAX_CHILD_LIFETIME: Duration = Duration::from_secs(600);

/// See [`crate::main`].
pub fn main<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<String>,
{
    let parsed = match Options::parse(arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            complain(&error);
            return ExitCode::from(2);
        }
    };
    let options = match parsed {
        Parsed::Serve(options) => options,
        Parsed::Help => return print(HELP),
        Parsed::Version => {
            return print(concat!(
                "sightglass-demo-server ",
                env!("CARGO_PKG_VERSION"),
                "\n"
            ));
        }
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain(&Error::Thread(error));
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(*options)) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn complain(error: &dyn std::error::Error) {
    // With stderr closed there is nowhere left to complain.
    let _unheard = writeln!(io::stderr(), "sightglass-demo-server: {error}");
}

/// See [`crate::run`].
pub async fn run(options: Options) -> Result<ExitCode, Error> {
    if options.linger {
        tokio::time::sleep(MAX_CHILD_LIFETIME).await;
        return Ok(ExitCode::SUCCESS);
    }
    if options.ignore_sigterm {
        ignore_sigterm().map_err(Error::Signal)?;
    }
    if let Some(text) = &options.stderr {
        let _unheard = writeln!(io::stderr(), "{text}");
    }
    if options.fork_child {
        start_child().map_err(Error::Child)?;
    }
    tokio::time::sleep(options.startup_delay).await;
    if options.fault == Some(Fault::Exit) {
        return Ok(ExitCode::from(options.exit_code));
    }
    let transport = options.transport;
    let lists = catalog::build(&options);
    let server = Server::new(options, lists);
    resources::start_clock(&server);
    match transport {
        ListenTransport::Stdio => stdio::serve(server).await,
        ListenTransport::Http { port, answers } => http::serve(server, port, answers).await,
    }
}

/// Starts this program again with the same command line and the hint to do nothing.
/// The child shares stdout and stderr, as the children of real servers do.
#[allow(
    clippy::disallowed_methods,
    clippy::zombie_processes,
    reason = "a child that nobody waits for is what this option is for"
)]
fn start_child() -> io::Result<()> {
    let child = Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .arg(LINGER)
        .stdin(Stdio::null())
        .spawn()?;
    let _unheard = writeln!(io::stderr(), "child process: {}", child.id());
    Ok(())
}

/// Installs a handler that does nothing; tokio keeps it for the process's life.
#[cfg(unix)]
fn ignore_sigterm() -> io::Result<()> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).map(drop)
}

/// There is no SIGTERM here.
#[cfg(not(unix))]
fn ignore_sigterm() -> io::Result<()> {
    Ok(())
}
