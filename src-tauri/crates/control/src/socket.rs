//! Sockets of the platform.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{SocketFile as ControlSocket, Stream, open};
#[cfg(windows)]
pub(crate) use windows::{Pipe as ControlSocket, Stream, open};
