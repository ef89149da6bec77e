//! Messages between the programs of one user on this machine. Nothing listens on a port.
//!
//! One program [listens](listen) in a [`ControlDirectory`], others [connect](connect) there. Exactly
//! one listens at a time: it holds the lock of the directory. Both send messages as JSON, each with
//! its length before it and bounded by [`MAX_MESSAGE_BYTES`].
//!
//! ```text
//! channel    both ends: listen, accept, connect; messages
//! token      what a program that connects has to know
//! directory  where the socket, the token and the lock are, and who may reach it
//! socket     Unix sockets with the peer's user; named pipes on Windows
//! user       of this process
//! ```
//!
//! Another user is kept out four times: the directory is the user's alone (mode 0700, looked at
//! without following links; one of somebody else, or that others may write to, is refused), its files
//! have mode 0600, the user of the process at the other end is asked of the kernel, and a random token
//! is the first thing that is sent. On Windows the pipe has a name that only readers of the token know,
//! is the first of that name, and its access list names the owner alone.

mod channel;
mod directory;
mod error;
mod socket;
mod token;
#[cfg(unix)]
mod user;

pub use channel::{
    ControlListener, IncomingPeer, MAX_MESSAGE_BYTES, MessageReader, MessageWriter, connect, listen,
};
pub use directory::ControlDirectory;
pub use error::ControlError;
