//! Shell: reads commands line by line, and runs each as if it were given on the command line.
//!
//! ```text
//! line ── words ──▶ a command of its own, or one on the session ──▶ commands/
//!   └ Tab: completion, which asks the same commands
//! ```
//!
//! The server that is named is a session, which ends with the shell. Ctrl-C ends the command that
//! runs, and Ctrl-D the shell.

mod completion;
mod words;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use completion::{Ask, ShellHelper};
use rustyline::{Config, Editor, error::ReadlineError, history::FileHistory};
use tokio::{runtime::Handle, task::block_in_place};
use words::words;

use crate::{
    answer,
    arguments::SESSION_COMMANDS,
    commands::shell::ShellCommand,
    console,
    error::{CliError, Exit},
    execute, places,
    session_name::SessionName,
    style::{FAINT, styled},
};

/// The word that ends a shell.
const EXIT: &str = "exit";

/// Lines that are kept of earlier shells.
const MAX_HISTORY: usize = 1000;

/// Options whose values may be secrets: a line with one of them is not kept.
const SECRET_OPTIONS: [&str; 3] = ["--header", "--env", "--client-secret"];

const WELCOME: &str =
    "Tab completes, Ctrl-C ends a command, Ctrl-D the shell. `--help` lists the commands.";

type LineEditor = Editor<ShellHelper, FileHistory>;

/// What the commands of a shell are for.
enum ShellServer {
    /// Whatever each of them names.
    Any,
    /// A session that there is already.
    Session(SessionName),
    /// A server that the shell connects, with the words of `connect` but for the session's name.
    Own(Vec<OsString>),
}

/// Runs a shell until its user ends it. `words` are those of its command line, with the program first.
///
/// # Errors
/// When there is no terminal, or it cannot be read.
pub(crate) async fn run(command: &ShellCommand, words: Vec<OsString>) -> Result<Exit, CliError> {
    let server = match command.server() {
        None => ShellServer::Any,
        Some(word) => match SessionName::read(word) {
            Some(name) => ShellServer::Session(name),
            None => ShellServer::Own(as_connect(words)),
        },
    };
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(CliError::usage(
            "A shell needs a terminal.",
            "In a script give each command to sightglass-cli itself: `sightglass-cli connect TARGET \
             @NAME` keeps a connection for them.",
        ));
    }
    match server {
        ShellServer::Any => read_lines(None).await,
        ShellServer::Session(name) => read_lines(Some(name)).await,
        ShellServer::Own(words) => {
            let name = SessionName::of_shell();
            let connected = execute(connecting(words, &name)).await;
            if connected != Exit::Done {
                return Ok(connected);
            }
            let ended = read_lines(Some(name.clone())).await;
            execute(command_line(
                vec!["close".to_owned(), name.to_string()],
                None,
            ))
            .await;
            ended
        }
    }
}

/// The same command line with `connect` for `shell`.
fn as_connect(words: Vec<OsString>) -> Vec<OsString> {
    let mut is_replaced = false;
    let replaced = words.into_iter().map(|word| match word.to_str() {
        Some("shell") if !is_replaced => {
            is_replaced = true;
            OsString::from("connect")
        }
        _ => word,
    });
    replaced.collect()
}

/// The words that connect a session: its name stands after the target, and before a program.
fn connecting(mut words: Vec<OsString>, name: &SessionName) -> Vec<OsString> {
    let place = words.iter().position(|word| word == "--");
    words.insert(place.unwrap_or(words.len()), name.to_string().into());
    words
}

async fn read_lines(session: Option<SessionName>) -> Result<Exit, CliError> {
    let history = places::data_directory()?.join("shell-history");
    let prompt = match &session {
        Some(name) => format!("{name}> "),
        None => "sightglass> ".to_owned(),
    };
    let mut editor = editor(session.clone(), &history)?;
    console::tell(&(styled(FAINT, WELCOME) + "\n"));
    loop {
        let line = match block_in_place(|| editor.readline(&prompt)) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(Exit::Done),
            Err(error) => return Err(unreadable(&error)),
        };
        let given = words(&line).unwrap_or_default();
        let Some(first) = given.first() else {
            continue;
        };
        if is_kept(&line, &given) {
            keep(&mut editor, &line, &history);
        }
        if first == EXIT {
            return Ok(Exit::Done);
        }
        execute(command_line(given, session.as_ref())).await;
        if let Some(helper) = editor.helper() {
            helper.forget();
        }
    }
}

fn unreadable(error: &ReadlineError) -> CliError {
    CliError::system(&format!("The terminal cannot be read: {error}."))
}

fn editor(session: Option<SessionName>, history: &Path) -> Result<LineEditor, CliError> {
    let config = Config::builder().max_history_size(MAX_HISTORY);
    let config = config.map_err(|error| unreadable(&error))?.build();
    let mut editor = LineEditor::with_config(config).map_err(|error| unreadable(&error))?;
    editor.set_helper(Some(ShellHelper::new(session, ask())));
    // There is none before the first shell.
    let _ = editor.load_history(history);
    Ok(editor)
}

/// Asks commands for what completes a line. The editor waits for it.
fn ask() -> Ask {
    Box::new(|words| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let text = Handle::current().block_on(answer(command_line(words, None)))?;
        serde_json::from_str(&text).ok()
    })
}

/// The command line that a line of the shell stands for.
fn command_line(given: Vec<String>, session: Option<&SessionName>) -> Vec<OsString> {
    let uses_session = given
        .first()
        .is_some_and(|first| SESSION_COMMANDS.contains(&first.as_str()));
    let session = session.filter(|_| uses_session).map(SessionName::to_string);
    let program = Some("sightglass-cli".to_owned());
    let words = program.into_iter().chain(session).chain(given);
    words.map(OsString::from).collect()
}

/// Tells whether a line is kept for later shells: not one that begins with a space, as in other
/// shells, nor one that may hold a secret.
fn is_kept(line: &str, words: &[String]) -> bool {
    let is_secret = |word: &String| {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        SECRET_OPTIONS.contains(&name)
    };
    !line.starts_with(' ') && !words.iter().any(is_secret)
}

/// Keeps a line. A history that cannot be written is no reason to stop.
fn keep(editor: &mut LineEditor, line: &str, history: &Path) {
    let _ = editor.add_history_entry(line);
    let directory: PathBuf = history.parent().map(Path::to_owned).unwrap_or_default();
    let _ = sightglass_files::create_private_directory(&directory);
    let _ = editor.save_history(history);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, session: Option<&str>) -> Vec<OsString> {
        let session = session.and_then(SessionName::read);
        command_line(words(text).expect("a whole line"), session.as_ref())
    }

    #[test]
    fn a_command_on_a_server_is_for_the_session() {
        assert_eq!(
            line("tools list", Some("@a")),
            ["sightglass-cli", "@a", "tools", "list"]
        );
        assert_eq!(
            line("@b tools list", Some("@a")),
            ["sightglass-cli", "@b", "tools", "list"]
        );
        assert_eq!(line("servers", Some("@a")), ["sightglass-cli", "servers"]);
        assert_eq!(
            line("tools list x", None),
            ["sightglass-cli", "tools", "list", "x"]
        );
    }

    #[test]
    fn the_name_of_the_session_stands_before_a_program() {
        let name = SessionName::read("@a").expect("a name");
        let words = ["sightglass-cli", "connect", "--", "node", "s.js"].map(OsString::from);
        assert_eq!(
            connecting(words.into(), &name),
            ["sightglass-cli", "connect", "@a", "--", "node", "s.js"]
        );
    }

    #[test]
    fn a_line_that_may_hold_a_secret_is_not_kept() {
        let kept = |text: &str| is_kept(text, &words(text).expect("a whole line"));
        assert!(kept("tools list"));
        assert!(!kept(" tools list"));
        assert!(!kept("ping https://a.example --header 'Authorization: x'"));
        assert!(!kept("ping a --env=KEY=x"));
    }
}
