//! The background process itself.

use std::{
    ffi::OsString,
    io::Write,
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use sightglass_control::{ControlDirectory, ControlError, IncomingPeer, MessageWriter, listen};
use sightglass_inspector::{Inspector, Persistence};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::{VERSION, running::RunningProcess};
use crate::{
    arguments::{self, CliArguments, Stop},
    commands::{CliCommand, sessions},
    console::CommandConsole,
    error::{CliError, Exit},
    host::{BackgroundCommand, Host, inspector_options},
    kept_sessions::{IdleLimits, KeptSessions},
    messages::{FromBackground, FromCommand, SentCommand},
    outcome::{self, Outcome},
    session::{NamedSession, StoredSession},
    signals::interruption,
};

/// Commands that are served at once. Others wait to be accepted.
const MAX_COMMANDS: usize = 128;

/// Milliseconds after which idle sessions and the idle process end, for tests.
const IDLE_VARIABLE: &str = "SIGHTGLASS_IDLE_MS";

/// Wait after a connection that was not accepted, so that refusing costs little.
const REFUSAL_DELAY: Duration = Duration::from_millis(20);

/// Answers of a user that wait for the command that asked.
const ANSWERS_AHEAD: usize = 4;

/// Serves commands until nobody uses sessions any more.
pub(crate) fn main(data_directory: &Path) -> Exit {
    // Who started it may have gone, and with it the reader of stderr.
    sightglass_inspector::install_panic_hook(|error| {
        let _ = writeln!(std::io::stderr(), "internal error: {error}");
    });
    let served = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(serve(data_directory)),
        Err(error) => Err(CliError::system(&format!(
            "The system refused threads: {error}."
        ))),
    };
    match served {
        Ok(()) => Exit::Done,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", error.message);
            error.exit
        }
    }
}

async fn serve(data_directory: &Path) -> Result<(), CliError> {
    let home = data_directory.join("background");
    sightglass_files::create_private_directory(&home)
        .map_err(|error| CliError::unwritten(&home, &error.to_string()))?;
    let mut listener = match listen(&ControlDirectory::of(data_directory)) {
        // The one that was faster serves whoever started this one.
        Err(ControlError::Taken) => return Ok(()),
        listening => listening?,
    };
    RunningProcess::note(data_directory);
    let sessions = Arc::new(open(data_directory, &home)?);
    let places = Arc::new(Semaphore::new(MAX_COMMANDS));
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            match listener.accept().await {
                Ok(incoming) => {
                    let sessions = Arc::clone(&sessions);
                    tokio::spawn(async move {
                        let _place = place;
                        serve_command(incoming, sessions).await;
                    });
                }
                Err(_) => tokio::time::sleep(REFUSAL_DELAY).await,
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = sessions.idle() => {}
        () = sessions.end.cancelled() => {}
        () = interruption() => {}
        () = hang_up() => {}
    }
    sessions.shutdown().await;
    RunningProcess::forget(data_directory);
    // Last: whoever comes next finds the record closed.
    drop(listener);
    Ok(())
}

/// The terminal that this was started from is closed, which is no reason to end.
async fn hang_up() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut hang_ups) = signal(SignalKind::hangup()) {
            while hang_ups.recv().await.is_some() {}
        }
    }
    std::future::pending().await
}

/// Opens the record of the sessions.
fn open(data_directory: &Path, home: &Path) -> Result<KeptSessions, CliError> {
    let words = vec!["sightglass-cli".into(), "sessions".into()];
    let mut options = parsed(words)?.options;
    options.project = Some(home.to_owned());
    let options = inspector_options(&options, data_directory, &[], Persistence::Record)?;
    let base = Inspector::open(options);
    let idle = std::env::var(IDLE_VARIABLE).ok();
    let limits = match idle.and_then(|text| text.parse().ok()) {
        Some(milliseconds) => IdleLimits {
            process: Duration::from_millis(milliseconds),
            session: Duration::from_millis(milliseconds),
        },
        None => IdleLimits::default(),
    };
    Ok(KeptSessions::new(base, data_directory.to_owned(), limits))
}

fn parsed(words: Vec<OsString>) -> Result<CliArguments, CliError> {
    CliArguments::parse(words).map_err(|stop| match stop {
        Stop::Error(error) => error,
        Stop::Help(text) => CliError::system(&text),
    })
}

/// Serves one command, from its token to its exit code.
async fn serve_command(incoming: IncomingPeer, sessions: Arc<KeptSessions>) {
    // Whoever does not know the token gets no word.
    let Ok((reader, mut writer)) = incoming.admit().await else {
        return;
    };
    let mut messages = reader.receive::<FromCommand>();
    let Some(Ok(FromCommand::Hello { .. })) = messages.recv().await else {
        return;
    };
    let Some(_running) = sessions.begin_command() else {
        return;
    };
    let hello = FromBackground::Hello {
        version: VERSION.to_owned(),
        process: std::process::id(),
        sessions: sessions.count(),
    };
    if writer.send(&hello).await.is_err() {
        return;
    }
    match messages.recv().await {
        Some(Ok(FromCommand::End)) => sessions.end.cancel(),
        Some(Ok(FromCommand::Command(command))) => {
            run_for(*command, messages, writer, &sessions).await;
        }
        _ => {}
    }
}

/// Runs a command for the one at the other end, whose terminal is its console.
async fn run_for(
    command: SentCommand,
    mut messages: mpsc::Receiver<Result<FromCommand, ControlError>>,
    writer: MessageWriter,
    sessions: &Arc<KeptSessions>,
) {
    let (replies, outgoing) = mpsc::unbounded_channel();
    let (answers, received) = mpsc::channel(ANSWERS_AHEAD);
    let console = CommandConsole::new(&command, replies.clone(), received);
    let cancel = console.cancel.clone();
    let waiting = Arc::clone(&console.waiting_bytes);
    let mut writing = tokio::spawn(async move { write(writer, outgoing, &waiting).await });
    let mut work = tokio::spawn({
        let (sessions, cancel) = (Arc::clone(sessions), cancel.clone());
        async move { console.run(execute(command, &sessions, &cancel)).await }
    });
    let mut is_there = true;
    let ended = loop {
        tokio::select! {
            ended = &mut work => break ended,
            message = messages.recv(), if is_there => match message {
                Some(Ok(FromCommand::Cancel)) => cancel.cancel(),
                Some(Ok(answer)) => tokio::select! {
                    // Whoever does not ask for it any more does not take it.
                    _ = answers.send(answer) => {}
                    ended = &mut work => break ended,
                },
                Some(Err(_)) | None => {
                    is_there = false;
                    cancel.cancel();
                }
            },
        }
    };
    // A panic is reported by its hook.
    let exit = ended.unwrap_or(Exit::Network);
    let _ = replies.send(FromBackground::Ended { exit: exit as u8 });
    drop(replies);
    // Until all of it is sent, or nobody is there.
    while is_there {
        tokio::select! {
            _ = &mut writing => return,
            message = messages.recv() => is_there = matches!(message, Some(Ok(_))),
        }
    }
    writing.abort();
}

/// Sends what a command says, until it is over or nobody is there.
async fn write(
    mut writer: MessageWriter,
    mut outgoing: mpsc::UnboundedReceiver<FromBackground>,
    waiting: &std::sync::atomic::AtomicUsize,
) {
    while let Some(message) = outgoing.recv().await {
        if let FromBackground::Output { text, .. } = &message {
            waiting.fetch_sub(text.len(), Ordering::Relaxed);
        }
        if writer.send(&message).await.is_err() {
            return;
        }
    }
}

async fn execute(
    command: SentCommand,
    sessions: &Arc<KeptSessions>,
    cancel: &CancellationToken,
) -> Exit {
    let program = OsString::from("sightglass-cli");
    let words = command.words.iter().map(OsString::from);
    let words: Vec<OsString> = std::iter::once(program).chain(words).collect();
    let as_json = arguments::asks_for_json(&words);
    let mut max_chars = None;
    let ended = match CliArguments::parse(words) {
        Err(Stop::Help(text)) => Ok(Outcome::text(text)),
        Err(Stop::Error(error)) => Err(error),
        Ok(arguments) => {
            max_chars = arguments.options.max_chars;
            let project = arguments.options.project.clone();
            let directory = command.directory.clone();
            let ended = run(command, arguments, sessions, cancel).await;
            match project {
                Some(project) => outcome::in_project(ended, &directory.join(project)),
                None => ended,
            }
        }
    };
    outcome::print(ended, as_json, max_chars)
}

async fn run(
    sent: SentCommand,
    mut arguments: CliArguments,
    sessions: &Arc<KeptSessions>,
    cancel: &CancellationToken,
) -> Result<Outcome, CliError> {
    arguments.options.in_directory(&sent.directory);
    let CliArguments {
        command,
        options,
        session,
    } = arguments;
    let work = async {
        let (host, _use) = match session {
            Some(name) => {
                let session = sessions::session(sessions, &name, connected_as).await?;
                let used = NamedSession::begin_use(&session);
                (Host::on_session(session, options), Some(used))
            }
            None => {
                let command = BackgroundCommand {
                    sessions: Arc::clone(sessions),
                    words: sent.words,
                };
                (Host::on_sessions(command, options), None)
            }
        };
        let ended = tokio::select! {
            ended = command.run(&host) => ended,
            () = cancel.cancelled() => Err(CliError::interrupted()),
        };
        host.finish().await;
        ended
    };
    work.await
}

/// Reads the command that connected a session.
fn connected_as(
    stored: &StoredSession,
    words: &[String],
) -> Option<(sessions::Connect, crate::options::CommonOptions)> {
    let program = OsString::from("sightglass-cli");
    let words = words.iter().map(OsString::from);
    let mut arguments = parsed(std::iter::once(program).chain(words).collect()).ok()?;
    arguments.options.in_directory(&stored.directory);
    match arguments.command {
        CliCommand::Connect(connect) => Some((connect, arguments.options)),
        _ => None,
    }
}
