//! Runs a program to its end: a helper, not a server.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use thiserror::Error;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, Command},
    time::timeout,
};

use super::stdio::child_command;

/// A program that is run to its end.
#[derive(Debug, Clone)]
pub struct Program {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub directory: PathBuf,
    /// The search path; that of this process when absent.
    pub path: Option<OsString>,
    /// Time after which it is ended, with all that it started.
    pub limit: Duration,
    /// Bytes of each output that are kept.
    pub max_output: u64,
}

/// Output of a program that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    /// Absent when it could not be waited for.
    pub status: Option<ExitStatus>,
    pub output: String,
    pub errors: String,
}

/// Reason why a program did not come to its end.
#[derive(Debug, Error)]
pub enum ProgramError {
    #[error("{program} did not start: {source}")]
    Start { program: String, source: io::Error },
    #[error("{program} did not end within {} seconds", limit.as_secs())]
    TimedOut { program: String, limit: Duration },
}

/// Runs a program. It and all that it started are ended when this is dropped.
pub async fn run_program(wanted: &Program) -> Result<ProgramOutput, ProgramError> {
    let name = || wanted.program.display().to_string();
    let mut command = Command::from(child_command(&wanted.program));
    command
        .args(&wanted.arguments)
        .current_dir(&wanted.directory)
        .env("PWD", &wanted.directory)
        .env_remove("OLDPWD")
        .env_remove("INIT_CWD");
    if let Some(path) = &wanted.path {
        command.env("PATH", path);
    }
    let started = spawn(&mut command).map_err(|source| ProgramError::Start {
        program: name(),
        source,
    })?;
    let ended = timeout(wanted.limit, started.end(wanted.max_output)).await;
    ended.map_err(|_| ProgramError::TimedOut {
        program: name(),
        limit: wanted.limit,
    })
}

/// Starts a command as the leader of a group of its own, with nothing to read.
pub(super) fn spawn(command: &mut Command) -> io::Result<Started> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn()?;
    let group = ProgramGroup::of(&child);
    Ok(Started {
        child,
        _group: group,
    })
}

/// A command that runs, and is ended with all that it started when this is dropped.
pub(super) struct Started {
    child: Child,
    _group: ProgramGroup,
}

impl Started {
    /// Waits for its end.
    pub(super) async fn end(mut self, max_output: u64) -> ProgramOutput {
        let output = read(self.child.stdout.take(), max_output);
        let errors = read(self.child.stderr.take(), max_output);
        let (output, errors, status) = tokio::join!(output, errors, self.child.wait());
        ProgramOutput {
            status: status.ok(),
            output,
            errors,
        }
    }
}

/// Reads the beginning of an output, and the rest of it away.
async fn read(stream: Option<impl AsyncRead + Unpin>, limit: u64) -> String {
    let mut text = Vec::new();
    if let Some(mut stream) = stream {
        // What cannot be read is as if it were not there: the exit code says more.
        let _ = (&mut stream).take(limit).read_to_end(&mut text).await;
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Ends the command and all that it started, when dropped.
struct ProgramGroup {
    #[cfg(unix)]
    leader: Option<libc::pid_t>,
}

impl ProgramGroup {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        Self {
            leader: child.id().and_then(|id| libc::pid_t::try_from(id).ok()),
        }
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Self {
        Self {}
    }
}

#[cfg(unix)]
impl Drop for ProgramGroup {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            // SAFETY: a signal to a group touches no memory. The group is the command's own.
            unsafe { libc::killpg(leader, libc::SIGKILL) };
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn shell(line: &str, limit: Duration) -> Result<ProgramOutput, ProgramError> {
        run_program(&Program {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), line.into()],
            directory: "/".into(),
            path: None,
            limit,
            max_output: 1000,
        })
        .await
    }

    #[tokio::test]
    async fn a_program_is_run_to_its_end_and_its_output_is_bounded() {
        let limit = Duration::from_secs(60);
        let ended = shell("yes | head -c 1000000; echo no >&2; exit 3", limit).await;
        let ended = ended.expect("it ends");
        let code = ended.status.and_then(|status| status.code());
        assert_eq!((code, ended.output.len()), (Some(3), 1000));
        assert_eq!(ended.errors, "no\n");
        let missing = run_program(&Program {
            program: "/no/such/program".into(),
            arguments: Vec::new(),
            directory: "/".into(),
            path: None,
            limit,
            max_output: 1,
        })
        .await;
        assert!(matches!(missing, Err(ProgramError::Start { .. })));
    }

    #[tokio::test]
    async fn a_program_without_end_is_ended() {
        let ended = shell("sleep 1000 & wait", Duration::from_millis(50)).await;
        assert!(matches!(ended, Err(ProgramError::TimedOut { .. })));
    }
}
