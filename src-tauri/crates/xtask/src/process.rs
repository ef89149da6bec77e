//! Starts other programs, and shows their output as it comes.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::TaskError;

/// Time limit for output after a program ended. Only a process it left behind can
/// still hold its pipes open then.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(2);

/// Announces what happens next.
pub fn announce(what: &str) {
    println!("\n==> {what}");
}

/// Cargo, as found by the Cargo that runs this program, in `folder`.
pub fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    forget_own_package(&mut command);
    command
}

/// npm in `folder`.
pub fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    forget_own_package(&mut command);
    command
}

/// Takes away the variables Cargo sets for this package. Build scripts of others watch
/// some of them, and would run again each time a build is started from here.
fn forget_own_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
}

/// The first of `names` that lies on PATH.
pub fn find_on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|candidate| candidate.is_file())
    })
}

/// Runs `command` on this terminal until it ends well.
pub fn run(command: &mut Command, what: &str, fix: &str) -> Result<(), TaskError> {
    let status = command.status().map_err(|source| start(command, source))?;
    if status.success() {
        return Ok(());
    }
    Err(TaskError::Failed {
        what: what.into(),
        status,
        fix: fix.into(),
    })
}

/// Runs `command` silently and returns what it wrote to its standard output, whatever
/// its exit status, or nothing when it is not installed.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// End of a watched program.
pub struct Ending {
    /// Its exit status, or nothing when it was stopped at its limit.
    pub status: Option<ExitStatus>,
    /// All it wrote to its standard output.
    pub output: String,
    /// All it wrote to its standard error.
    pub errors: String,
}

/// Runs `command`, shows its output as it comes and keeps a copy. It is stopped at
/// `limit`, when there is one.
pub fn watch(command: &mut Command, limit: Option<Duration>) -> Result<Ending, TaskError> {
    watch_on(command, limit, io::stdout(), io::stderr())
}

/// [`watch`], with the screens on which the two streams are shown.
pub fn watch_on(
    command: &mut Command,
    limit: Option<Duration>,
    output_screen: impl Write + Send + 'static,
    error_screen: impl Write + Send + 'static,
) -> Result<Ending, TaskError> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| start(command, source))?;
    let (sender, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        forward(stdout, output_screen, sender.clone(), OutputLine::Output);
    }
    if let Some(stderr) = child.stderr.take() {
        forward(stderr, error_screen, sender, OutputLine::Error);
    }

    let mut ending = Ending {
        status: None,
        output: String::new(),
        errors: String::new(),
    };
    let mut ended: Option<Instant> = None;
    let is_long_ago = |at: Instant| at.elapsed() > OUTPUT_TIMEOUT;
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(OutputLine::Output(line)) => ending.output.push_str(&line),
            Ok(OutputLine::Error(line)) => ending.errors.push_str(&line),
            Err(RecvTimeoutError::Timeout) if ended.is_some_and(is_long_ago) => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if ended.is_some() => break,
            Err(RecvTimeoutError::Disconnected) => thread::sleep(Duration::from_millis(20)),
        }
        if ended.is_some() {
            continue;
        }
        ending.status = child.try_wait().map_err(|source| start(command, source))?;
        if ending.status.is_some() {
            ended = Some(Instant::now());
        } else if limit.is_some_and(|limit| started.elapsed() > limit) {
            // It may have ended by itself just now: then there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            ended = Some(Instant::now());
        }
    }
    Ok(ending)
}

/// A line on its way from a watched program.
enum OutputLine {
    Output(String),
    Error(String),
}

/// Copies `source` to `screen` and to `lines`, line by line, on a thread of its own.
fn forward(
    source: impl Read + Send + 'static,
    mut screen: impl Write + Send + 'static,
    lines: Sender<OutputLine>,
    kind: fn(String) -> OutputLine,
) {
    thread::spawn(move || {
        let mut source = BufReader::new(source);
        let mut line = Vec::new();
        while matches!(source.read_until(b'\n', &mut line), Ok(length) if length > 0) {
            // A closed terminal must not end the run: the copy still counts.
            let _ = screen.write_all(&line).and_then(|()| screen.flush());
            let text = String::from_utf8_lossy(&line).into_owned();
            if lines.send(kind(text)).is_err() {
                break;
            }
            line.clear();
        }
    });
}

fn start(command: &Command, source: io::Error) -> TaskError {
    TaskError::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Option<Duration>) -> Ending {
        let mut command = Command::new("sh");
        watch_on(command.args(["-c", script]), limit, io::sink(), io::sink()).expect("sh starts")
    }

    #[test]
    fn output_of_both_streams_is_kept_with_the_exit_status() {
        let ending = shell("echo out; echo err >&2; exit 3", None);
        assert_eq!(ending.status.and_then(|status| status.code()), Some(3));
        assert_eq!(
            (ending.output.as_str(), ending.errors.as_str()),
            ("out\n", "err\n")
        );
    }

    #[test]
    fn a_program_is_stopped_at_its_limit() {
        let ending = shell("exec sleep 600", Some(Duration::from_millis(50)));
        assert!(ending.status.is_none());
    }

    #[test]
    fn a_process_left_behind_does_not_hold_the_run_up() {
        let ending = shell("(sleep 20; echo late) & echo started", None);
        assert!(ending.status.is_some_and(|status| status.success()));
        assert_eq!(ending.output, "started\n");
    }
}
