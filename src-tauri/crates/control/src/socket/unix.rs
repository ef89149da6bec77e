//! Unix sockets, with the user of the process at the other end.

use std::{fs, io, os::unix::fs::PermissionsExt};

use tokio::net::{UnixListener, UnixStream};

use crate::{ControlDirectory, ControlError, token::AccessToken, user::own_user};

pub(crate) type Stream = UnixStream;

/// Socket that takes connections.
pub(crate) struct SocketFile {
    listener: UnixListener,
}

impl SocketFile {
    /// Binds the socket. One that a killed program left is removed: the lock says that it is gone.
    pub(crate) fn bind(
        directory: &ControlDirectory,
        _token: &AccessToken,
    ) -> Result<Self, ControlError> {
        let path = directory.socket();
        let failed = || ControlError::io(format!("{} cannot be made", path.display()));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed()(error)),
            _ => {}
        }
        let listener = UnixListener::bind(&path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => ControlError::PathTooLong { path: path.clone() },
            _ => failed()(error),
        })?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).map_err(failed())?;
        Ok(Self { listener })
    }

    /// Waits for the next process of this user.
    pub(crate) async fn accept(&mut self) -> Result<Stream, ControlError> {
        let accepted = self.listener.accept().await;
        let (stream, _) = accepted.map_err(ControlError::io("No connection was accepted"))?;
        check_peer(&stream)?;
        Ok(stream)
    }

    /// Removes what other programs would connect to.
    pub(crate) fn remove(directory: &ControlDirectory) {
        // One that stays is refused by the system, and the next program removes it.
        let _ = fs::remove_file(directory.socket());
    }
}

/// Connects to the program that listens.
pub(crate) async fn open(
    directory: &ControlDirectory,
    _token: &AccessToken,
) -> Result<Stream, ControlError> {
    let path = directory.socket();
    let stream = UnixStream::connect(&path).await;
    let stream = stream.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => ControlError::Absent,
        io::ErrorKind::InvalidInput => ControlError::PathTooLong { path },
        _ => ControlError::io("The background process cannot be reached")(error),
    })?;
    check_peer(&stream)?;
    Ok(stream)
}

/// Asks the kernel for the user of the process at the other end (`SO_PEERCRED`, `getpeereid`).
fn check_peer(stream: &UnixStream) -> Result<(), ControlError> {
    let peer = stream.peer_cred().map_err(ControlError::io(
        "The user of the other process is not known",
    ))?;
    match peer.uid() == own_user() {
        true => Ok(()),
        false => Err(ControlError::OtherUser),
    }
}
