//! A command that the background process runs: its end at the terminal.

use std::{
    ffi::OsString,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::Child,
    time::{Duration, Instant},
};

use sightglass_control::{ControlDirectory, ControlError, MessageReader, MessageWriter, connect};
use sightglass_inspector::start_in_background;
use tokio::sync::mpsc;

use super::{ARGUMENT, VERSION, running::RunningProcess};
use crate::{
    arguments::{self, CliArguments},
    commands::{CliCommand, sessions},
    console,
    error::{CliError, Exit},
    kept_sessions,
    messages::{FromBackground, FromCommand, OutputStream, SentCommand, TerminalFacts},
    narration, outcome, places,
    signals::interruption,
    style::{WARNING, styled},
    terminal,
};

/// Time that the background process may take to start, or to end.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Time between two attempts to reach it.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

type Replies = mpsc::Receiver<Result<FromBackground, ControlError>>;

/// Connection to the background process, which has said who it is.
struct Background {
    replies: Replies,
    writer: MessageWriter,
    version: String,
    sessions: usize,
}

/// Has the background process run a command, which is parsed here already.
pub(crate) async fn run(words: Vec<OsString>, given: &CliArguments) -> Result<Exit, CliError> {
    let as_json = arguments::asks_for_json(&words);
    let data_directory = places::data_directory()?;
    let closes_all = matches!(&given.command, CliCommand::Close(close) if close.all);
    let only_lists = matches!(given.command, CliCommand::Sessions(_));
    let background = match reached(&data_directory).await? {
        None if only_lists || closes_all => {
            let ended = without_background(&data_directory, closes_all);
            return Ok(outcome::print(ended, as_json, given.options.max_chars));
        }
        Some(other) if other.version != VERSION && closes_all => {
            end(other, &data_directory).await?;
            let ended = without_background(&data_directory, true);
            return Ok(outcome::print(ended, as_json, given.options.max_chars));
        }
        found => of_this_version(found, &data_directory, as_json).await?,
    };
    // Kept over all parts: a style may begin in one and end in the next.
    let (mut stdout, mut stderr) = (anstream::stdout(), anstream::stderr());
    let command = sent(words, console::own_terminal())?;
    follow(background, command, &mut |stream, text| {
        let output: &mut dyn Write = match stream {
            OutputStream::Stdout => &mut stdout,
            OutputStream::Stderr => &mut stderr,
        };
        // Nobody is left to tell when the reader of the output has gone.
        let _ = output.write_all(text.as_bytes());
        let _ = output.flush();
    })
    .await
}

/// Has the background process that runs answer a command, and returns what it prints. What it says
/// besides, and what it asks for, has no answer.
///
/// # Errors
/// When none runs, or the command fails.
pub(crate) async fn captured(words: Vec<OsString>) -> Result<String, CliError> {
    let data_directory = places::data_directory()?;
    let Some(background) = reached(&data_directory).await? else {
        return Err(CliError::system("There is no background process."));
    };
    let mut text = String::new();
    let mut terminal = console::own_terminal();
    (terminal.has_input, terminal.is_interactive) = (false, false);
    let exit = follow(background, sent(words, terminal)?, &mut |stream, part| {
        if stream == OutputStream::Stdout {
            text.push_str(part);
        }
    })
    .await?;
    match exit {
        Exit::Done => Ok(text),
        _ => Err(CliError::system("The command failed.")),
    }
}

/// Makes the message of a command line, given on this process's console.
fn sent(words: Vec<OsString>, terminal: TerminalFacts) -> Result<SentCommand, CliError> {
    let words = words.into_iter().skip(1).map(OsString::into_string);
    let words: Result<Vec<String>, _> = words.collect();
    Ok(SentCommand {
        words: words.map_err(|word| {
            CliError::usage(
                &format!("{} is not valid UTF-8.", word.display()),
                "Write it in UTF-8.",
            )
        })?,
        directory: console::directory(),
        environment: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
        terminal,
    })
}

/// Lists or forgets the sessions that are kept on the disk, where no process has them.
fn without_background(
    data_directory: &Path,
    closes_all: bool,
) -> Result<outcome::Outcome, CliError> {
    let stored = kept_sessions::read_stored(data_directory);
    if closes_all {
        kept_sessions::write_stored(data_directory, &Default::default())?;
        let names: Vec<_> = stored.into_keys().collect();
        return sessions::closing(&names);
    }
    let views: Vec<_> = stored.iter().map(|(name, kept)| kept.view(name)).collect();
    sessions::listing(&views)
}

/// Returns the background process of this version: the one that there is, or one that is started.
async fn of_this_version(
    mut found: Option<Background>,
    data_directory: &Path,
    as_json: bool,
) -> Result<Background, CliError> {
    loop {
        match found {
            Some(background) if background.version == VERSION => return Ok(background),
            Some(other) if other.sessions > 0 => {
                return Err(CliError::usage(
                    &format!(
                        "The sessions are kept by a background process of version {}, and this is \
                         version {VERSION}.",
                        other.version
                    ),
                    "`sightglass-cli close --all` closes them. The next command starts the new one.",
                ));
            }
            Some(other) => {
                if !as_json {
                    narration::tell(&styled(
                        WARNING,
                        &format!(
                            "The background process was of version {}. It had no sessions, and is \
                             started again.",
                            other.version
                        ),
                    ));
                }
                end(other, data_directory).await?;
            }
            None => {
                tell_of_killed(data_directory, as_json);
                return started(data_directory).await;
            }
        }
        found = reached(data_directory).await?;
    }
}

/// Reaches the background process; `None` where there is none.
async fn reached(data_directory: &Path) -> Result<Option<Background>, CliError> {
    let directory = ControlDirectory::of(data_directory);
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        let (reader, writer) = match connect(&directory).await {
            Err(ControlError::Absent) => return Ok(None),
            connected => connected?,
        };
        if let Some(background) = greeted(reader, writer).await {
            return Ok(Some(background));
        }
        // It is about to end, or has just begun.
        if Instant::now() > deadline {
            return Err(CliError::system("The background process does not answer."));
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

/// Exchanges greetings; `None` when the other end closes.
async fn greeted(reader: MessageReader, mut writer: MessageWriter) -> Option<Background> {
    let mut replies = reader.receive();
    let hello = FromCommand::Hello {
        version: VERSION.to_owned(),
    };
    writer.send(&hello).await.ok()?;
    match replies.recv().await {
        Some(Ok(FromBackground::Hello {
            version, sessions, ..
        })) => Some(Background {
            replies,
            writer,
            version,
            sessions,
        }),
        _ => None,
    }
}

/// Ends a background process, and waits until it has ended.
async fn end(mut background: Background, data_directory: &Path) -> Result<(), CliError> {
    background.writer.send(&FromCommand::End).await?;
    while background.replies.recv().await.is_some() {}
    let directory = ControlDirectory::of(data_directory);
    let deadline = Instant::now() + START_TIMEOUT;
    while !matches!(connect(&directory).await, Err(ControlError::Absent)) {
        if Instant::now() > deadline {
            return Err(CliError::system("The background process does not end."));
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
    Ok(())
}

/// Says that the process before was killed, where it was.
fn tell_of_killed(data_directory: &Path, as_json: bool) {
    let Some(killed) = RunningProcess::noted(data_directory).filter(|_| !as_json) else {
        return;
    };
    narration::tell(&styled(
        WARNING,
        &format!(
            "The background process {} ended without closing its sessions: it was killed, or the \
             machine was. A new one is started, and connects each session again when it is used.",
            killed.process
        ),
    ));
}

/// Starts a background process, unless another command is faster, and reaches it.
async fn started(data_directory: &Path) -> Result<Background, CliError> {
    let home: PathBuf = data_directory.join("background");
    sightglass_files::create_private_directory(&home)
        .map_err(|error| CliError::unwritten(&home, &error.to_string()))?;
    let program = std::env::current_exe()
        .map_err(|error| CliError::system(&format!("This program is not found: {error}.")))?;
    let deadline = Instant::now() + START_TIMEOUT;
    let arguments = [ARGUMENT.as_ref(), data_directory.as_os_str()];
    loop {
        let child = start_in_background(&program, arguments, &home);
        let mut child = child.map_err(|error| {
            CliError::system(&format!("The background process did not start: {error}."))
        })?;
        // One that ends at once has found another, which may be about to end.
        while is_running(&mut child)? {
            if let Some(background) = reached(data_directory).await? {
                return Ok(background);
            }
            if Instant::now() > deadline {
                return Err(CliError::system(
                    "The background process did not start in time.",
                ));
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
        if let Some(background) = reached(data_directory).await? {
            return Ok(background);
        }
        if Instant::now() > deadline {
            return Err(CliError::system(
                "The background process did not start in time.",
            ));
        }
    }
}

/// Looks whether a process that was started goes on; an error when it failed.
fn is_running(child: &mut Child) -> Result<bool, CliError> {
    match child.try_wait() {
        Ok(Some(status)) if !status.success() => {
            let mut reason = String::new();
            if let Some(stderr) = &mut child.stderr {
                // Without its words its end is told.
                let _ = stderr.read_to_string(&mut reason);
            }
            Err(CliError::system(&format!(
                "The background process did not start ({status}). {}",
                reason.trim()
            )))
        }
        Ok(ended) => Ok(ended.is_none()),
        Err(_) => Ok(true),
    }
}

/// Hands on what the command says, and gives it what it asks for, until it is over.
async fn follow(
    background: Background,
    command: SentCommand,
    said: &mut dyn FnMut(OutputStream, &str),
) -> Result<Exit, CliError> {
    let Background {
        mut replies,
        mut writer,
        ..
    } = background;
    writer
        .send(&FromCommand::Command(Box::new(command)))
        .await?;
    let mut is_cancelled = false;
    let mut signals = signals();
    loop {
        let reply = tokio::select! {
            reply = replies.recv() => reply,
            Some(()) = signals.recv() => {
                if is_cancelled {
                    return Err(CliError::interrupted());
                }
                is_cancelled = true;
                writer.send(&FromCommand::Cancel).await?;
                continue;
            }
        };
        match reply {
            Some(Ok(FromBackground::Output { stream, text })) => said(stream, &text),
            Some(Ok(FromBackground::ReadInput)) => {
                tokio::select! {
                    sent = send_input(&mut writer) => sent?,
                    Some(()) = signals.recv() => writer.send(&FromCommand::Cancel).await?,
                }
            }
            Some(Ok(FromBackground::Confirm { shown, question })) => {
                let is_agreed = terminal::is_there() && terminal::ask(&shown, &question);
                writer.send(&FromCommand::Confirmed { is_agreed }).await?;
            }
            Some(Ok(FromBackground::Ended { exit })) => return Ok(Exit::of(exit)),
            Some(Ok(FromBackground::Hello { .. })) => {}
            Some(Err(error)) => return Err(error.into()),
            None => {
                return Err(CliError::system(
                    "The background process ended before the command did.",
                )
                .with_hint(
                    "What was sent is on record, and may have had its effect. The next command \
                     starts it again.",
                ));
            }
        }
    }
}

/// Receives each interruption, also one that comes while something is written.
fn signals() -> mpsc::Receiver<()> {
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        loop {
            interruption().await;
            if sender.send(()).await.is_err() {
                return;
            }
        }
    });
    receiver
}

/// Sends standard input to its end.
async fn send_input(writer: &mut MessageWriter) -> Result<(), CliError> {
    let text = match console::own_input().await {
        Ok(text) => text,
        Err(error) => {
            let reason = error.to_string();
            return Ok(writer.send(&FromCommand::NoInput { reason }).await?);
        }
    };
    for part in console::parts(&text) {
        let input = FromCommand::Input {
            text: part.to_owned(),
            is_last: false,
        };
        writer.send(&input).await?;
    }
    let last = FromCommand::Input {
        text: String::new(),
        is_last: true,
    };
    Ok(writer.send(&last).await?)
}
