//! Starts a program so that it cannot outlive the application.

use std::{collections::BTreeMap, io, path::PathBuf, process::Stdio};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use sightglass_model::{Failure, StartFault};
use sightglass_secrets::Secret;
use tokio::{process::Command, runtime::Handle, sync::oneshot};

use super::{child_command, locate::ProgramSearch, on_spawner};

/// Program to start.
pub(crate) struct ServerProgram {
    pub command: String,
    pub arguments: Vec<String>,
    pub environment: BTreeMap<String, Secret<String>>,
    /// Variables of the login shell that replace those of our own environment.
    pub login: BTreeMap<&'static str, String>,
    pub working_directory: Option<PathBuf>,
    /// Command as the user would type it.
    pub command_line: String,
}

/// Means by which the program ends when we are killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guardian {
    /// The reaper, which is running.
    Reaper,
    /// The parent-death signal, on Linux.
    Kernel,
}

/// Starts `program` as the leader of a process group (a job object on Windows).
pub(super) async fn spawn(
    program: ServerProgram,
    guardian: Guardian,
) -> Result<Box<dyn ChildWrapper>, Failure> {
    let mut command = Command::from(child_command(executable(&program)));
    command
        .args(&program.arguments)
        .envs(&program.login)
        .envs(
            program
                .environment
                .iter()
                .map(|(name, value)| (name, value.expose())),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = &program.working_directory {
        command.current_dir(directory);
        // What a shell keeps there is where Sightglass itself was started.
        for (name, value) in [
            ("PWD", Some(directory)),
            ("OLDPWD", None),
            ("INIT_CWD", None),
        ] {
            match value {
                _ if program.environment.contains_key(name) => {}
                Some(directory) => drop(command.env(name, directory)),
                None => drop(command.env_remove(name)),
            }
        }
    }
    if guardian == Guardian::Kernel {
        die_with_parent(&mut command);
    }
    let mut command = CommandWrap::from(command);
    command.wrap(KillOnDrop);
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::tokio::JobObject);

    let runtime = Handle::current();
    let (started, answer) = oneshot::channel();
    on_spawner(move || {
        let _runtime = runtime.enter();
        // Dropped when the connect was cancelled meanwhile, which kills the child.
        let _ = started.send(command.spawn());
    });
    let result = answer
        .await
        .unwrap_or_else(|_| Err(io::Error::other("there is no thread to start processes")));
    #[cfg_attr(
        not(target_os = "linux"),
        expect(unused_mut, reason = "only Linux lets a pipe be widened")
    )]
    let mut child = result.map_err(|error| failure(&program, &error))?;
    #[cfg(target_os = "linux")]
    widen_output_pipe(child.as_mut());
    Ok(child)
}

/// Returns the command as it stands, which the system looks for on the path.
#[cfg(not(windows))]
fn executable(program: &ServerProgram) -> std::path::PathBuf {
    (&program.command).into()
}

/// Returns the file that the command means, scripts included.
#[cfg(windows)]
fn executable(program: &ServerProgram) -> std::path::PathBuf {
    let own = program
        .environment
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("path"))
        .map(|(_, path)| path.expose().into());
    let path = own.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let extensions = std::env::var("PATHEXT").ok();
    super::resolve::resolve(
        &program.command,
        program.working_directory.as_deref(),
        std::env::split_paths(&path),
        extensions.as_deref(),
        std::path::Path::is_file,
    )
    .unwrap_or_else(|| (&program.command).into())
}

#[cfg(target_os = "linux")]
fn die_with_parent(command: &mut Command) {
    let parent = std::process::id();
    // SAFETY: between fork and exec only async-signal-safe calls are made: prctl, getppid
    // and _exit are, and nothing allocates.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have died before the signal was armed.
            if u32::try_from(libc::getppid()).ok() != Some(parent) {
                libc::_exit(1);
            }
            Ok(())
        });
    }
}

/// Only Linux has such a signal.
#[cfg(not(target_os = "linux"))]
fn die_with_parent(_command: &mut Command) {}

/// A larger pipe saves context switches when a server writes megabytes. A refusal (the
/// user's limit for pipes is reached) changes nothing but speed.
#[cfg(target_os = "linux")]
fn widen_output_pipe(child: &mut dyn ChildWrapper) {
    use std::os::fd::AsRawFd;
    const PIPE_BYTES: libc::c_int = 1 << 19;
    if let Some(stdout) = child.stdout() {
        // SAFETY: the descriptor is open for as long as `stdout` is borrowed.
        unsafe { libc::fcntl(stdout.as_raw_fd(), libc::F_SETPIPE_SZ, PIPE_BYTES) };
    }
}

/// Says why a program did not start. The system names an error and not its cause: a script whose
/// interpreter is missing is "not found", though it is there.
fn failure(program: &ServerProgram, error: &io::Error) -> Failure {
    let own = program.environment.get("PATH").map(|path| path.expose());
    let path = own.or(program.login.get("PATH"));
    let search = ProgramSearch {
        command: &program.command,
        arguments: &program.arguments,
        path: path.map(Into::into),
        directory: program.working_directory.as_deref(),
    };
    let fault = search.locate().err().unwrap_or_else(|| StartFault::Other {
        message: error.to_string(),
    });
    Failure::SpawnFailed {
        command_line: program.command_line.clone(),
        message: fault.message(),
        fault,
    }
}
