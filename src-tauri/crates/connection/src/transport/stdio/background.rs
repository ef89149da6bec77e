//! Starts a program of ours that goes on when this one has ended.

use std::{
    ffi::OsStr,
    io,
    path::Path,
    process::{Child, Stdio},
};

use super::child_command;

/// Starts a program of ours that goes on when this one has ended: no signal of the terminal reaches
/// it, and it inherits no pipe but its standard error, which is the caller's.
///
/// # Errors
/// When the system refuses it.
pub fn start_in_background(
    program: &Path,
    arguments: [&OsStr; 2],
    directory: &Path,
) -> io::Result<Child> {
    let mut command = child_command(program);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x0000_0008;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(
            &mut command,
            DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP,
        );
    }
    command.spawn()
}
