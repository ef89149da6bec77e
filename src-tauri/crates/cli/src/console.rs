//! Console: where a command writes, reads and asks.
//!
//! It is that of this process, unless the command runs in the background process for another one:
//! then it is that one's, of which [`CommandConsole`] holds the near end. A command does not see the
//! difference. It belongs to the task that runs the command; what that spawns takes it along by
//! [`inherited`].

use std::{
    ffi::OsString,
    io::{self, IsTerminal, Read, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use sightglass_inspector::Environment;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    messages::{FromBackground, FromCommand, OutputStream, SentCommand, TerminalFacts},
    terminal,
};

/// Bytes of output that wait for a command that does not read it. With more it is ended.
const MAX_WAITING_BYTES: usize = 512 * 1024 * 1024;
/// Bytes of text in one message.
pub(crate) const MAX_PART_BYTES: usize = 256 * 1024;
/// Bytes of standard input that are read, which are the arguments of one call.
const MAX_INPUT_BYTES: usize = 256 * 1024 * 1024;

tokio::task_local! {
    static CONSOLE: Arc<CommandConsole>;
}

/// Console of a command that was given to another process.
pub(crate) struct CommandConsole {
    terminal: TerminalFacts,
    environment: Vec<(String, String)>,
    directory: PathBuf,
    replies: mpsc::UnboundedSender<FromBackground>,
    /// Bytes of the output that wait to be sent.
    pub waiting_bytes: Arc<AtomicUsize>,
    /// Answers to what the command asked for.
    answers: Mutex<mpsc::Receiver<FromCommand>>,
    /// Cancelled when the command is to end.
    pub cancel: CancellationToken,
}

impl CommandConsole {
    pub(crate) fn new(
        command: &SentCommand,
        replies: mpsc::UnboundedSender<FromBackground>,
        answers: mpsc::Receiver<FromCommand>,
    ) -> Arc<Self> {
        Arc::new(Self {
            terminal: command.terminal,
            environment: command.environment.clone(),
            directory: command.directory.clone(),
            replies,
            waiting_bytes: Arc::default(),
            answers: Mutex::new(answers),
            cancel: CancellationToken::new(),
        })
    }

    /// Runs the work of a command on this console.
    pub(crate) async fn run<F: Future>(self: &Arc<Self>, work: F) -> F::Output {
        CONSOLE.scope(Arc::clone(self), work).await
    }

    fn write(&self, stream: OutputStream, text: &str) {
        for part in parts(text) {
            let before = self.waiting_bytes.fetch_add(part.len(), Ordering::Relaxed);
            if before > MAX_WAITING_BYTES {
                self.cancel.cancel();
                return;
            }
            // Nobody is left to tell when the command has gone.
            let _ = self.replies.send(FromBackground::Output {
                stream,
                text: part.to_owned(),
            });
        }
    }

    /// Returns the variables of the command's process.
    pub(crate) fn variables(&self) -> Environment {
        let environment = self.environment.clone();
        Arc::new(move |name| found(&environment, name))
    }

    async fn read_input(&self) -> io::Result<String> {
        let mut answers = self.answers.lock().await;
        let _ = self.replies.send(FromBackground::ReadInput);
        let mut input = String::new();
        loop {
            match answers.recv().await {
                Some(FromCommand::Input { text, is_last }) => {
                    if input.len() + text.len() > MAX_INPUT_BYTES {
                        return Err(io::Error::other("it is too long"));
                    }
                    input.push_str(&text);
                    if is_last {
                        return Ok(input);
                    }
                }
                Some(FromCommand::NoInput { reason }) => return Err(io::Error::other(reason)),
                Some(_) => {}
                None => return Err(io::Error::other("the command has gone")),
            }
        }
    }

    async fn confirm(&self, shown: &str, question: &str) -> bool {
        let mut answers = self.answers.lock().await;
        let _ = self.replies.send(FromBackground::Confirm {
            shown: shown.to_owned(),
            question: question.to_owned(),
        });
        loop {
            match answers.recv().await {
                Some(FromCommand::Confirmed { is_agreed }) => return is_agreed,
                Some(_) => {}
                None => return false,
            }
        }
    }
}

/// Cuts a text into parts that fit into a message.
pub(crate) fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let (part, rest) = text.split_at(text.floor_char_boundary(MAX_PART_BYTES));
        text = rest;
        Some(part)
    })
}

fn found(environment: &[(String, String)], name: &str) -> Option<String> {
    let mut variables = environment.iter();
    let (_, value) = variables.find(|(known, _)| known == name)?;
    Some(value.clone())
}

fn of_command() -> Option<Arc<CommandConsole>> {
    CONSOLE.try_with(Arc::clone).ok()
}

/// Takes the console along into a task.
pub(crate) fn inherited<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let console = of_command();
    async move {
        match console {
            Some(console) => console.run(work).await,
            None => work.await,
        }
    }
}

/// Writes text to stdout.
pub(crate) fn print(text: &str) {
    match of_command() {
        Some(console) => console.write(OutputStream::Stdout, text),
        // Nobody is left to tell when the reader of the output has gone.
        None => drop(write_whole(&mut anstream::stdout().lock(), text)),
    }
}

/// Writes text to stderr.
pub(crate) fn tell(text: &str) {
    match of_command() {
        Some(console) => console.write(OutputStream::Stderr, text),
        None => drop(write_whole(&mut anstream::stderr().lock(), text)),
    }
}

fn write_whole(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// The width of the terminal on stdout; `None` when it is none.
pub(crate) fn width() -> Option<usize> {
    facts().width
}

/// Returns true when standard input is a pipe or a file.
pub(crate) fn has_input() -> bool {
    facts().has_input
}

/// Returns true when there is a user who can be asked.
pub(crate) fn is_interactive() -> bool {
    facts().is_interactive
}

fn facts() -> TerminalFacts {
    of_command().map_or_else(own_terminal, |console| console.terminal)
}

/// The facts of the terminal of this process.
pub(crate) fn own_terminal() -> TerminalFacts {
    TerminalFacts {
        width: terminal_size::terminal_size_of(io::stdout())
            .map(|(terminal_size::Width(width), _)| usize::from(width)),
        has_input: !io::stdin().is_terminal(),
        is_interactive: terminal::is_there(),
    }
}

/// Returns a variable of the environment in which the command was given.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    match of_command() {
        Some(console) => found(&console.environment, name).map(OsString::from),
        None => std::env::var_os(name),
    }
}

/// Answers the variables of the environment in which the command was given, also later.
pub(crate) fn variables() -> Environment {
    match of_command() {
        Some(console) => console.variables(),
        None => Arc::new(|name| std::env::var(name).ok()),
    }
}

/// The directory in which the command was given.
pub(crate) fn directory() -> PathBuf {
    match of_command() {
        Some(console) => console.directory.clone(),
        None => std::env::current_dir().unwrap_or_default(),
    }
}

/// Reads standard input to its end.
pub(crate) async fn read_input() -> io::Result<String> {
    match of_command() {
        Some(console) => console.read_input().await,
        None => own_input().await,
    }
}

/// Reads the standard input of this process to its end. On a thread of its own: reading cannot be
/// interrupted, and must not hold up Ctrl-C.
pub(crate) async fn own_input() -> io::Result<String> {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text).map(|_| text);
        // Nobody waits for it any more after Ctrl-C.
        let _ = sender.send(read);
    });
    receiver
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into()))
}

/// Asks the user a question below `shown`. Without an answer it is no.
pub(crate) async fn confirm(shown: &str, question: &str) -> bool {
    match of_command() {
        Some(console) => console.confirm(shown, question).await,
        None => terminal::ask(shown, question),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        let text = "é".repeat(MAX_PART_BYTES);
        let cut: Vec<&str> = parts(&text).collect();
        assert!(cut.len() > 1 && cut.iter().all(|part| part.len() <= MAX_PART_BYTES));
        assert_eq!(cut.concat(), text);
        assert_eq!(parts("").count(), 0);
    }
}
