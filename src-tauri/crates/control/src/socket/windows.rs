//! Named pipes, whose access list names their owner alone.

use std::{ffi::c_void, io, ptr};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions},
};
use windows_sys::{
    Win32::{
        Foundation::{ERROR_PIPE_BUSY, LocalFree},
        Security::{
            Authorization::{
                ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
            },
            PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES,
        },
    },
    core::w,
};

use crate::{ControlDirectory, ControlError, token::AccessToken};

use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// Either end of a pipe.
pub(crate) enum Stream {
    Server(NamedPipeServer),
    Client(NamedPipeClient),
}

/// Pipe that takes connections.
pub(crate) struct Pipe {
    name: String,
    next: NamedPipeServer,
}

impl Pipe {
    /// Makes the pipe, whose name nobody else has made before.
    pub(crate) fn bind(
        _directory: &ControlDirectory,
        token: &AccessToken,
    ) -> Result<Self, ControlError> {
        let name = pipe_name(token);
        let next = make(&name, true)?;
        Ok(Self { name, next })
    }

    /// Waits for the next process. The access list lets in those of the owner alone.
    pub(crate) async fn accept(&mut self) -> Result<Stream, ControlError> {
        let connected = self.next.connect().await;
        connected.map_err(ControlError::io("No connection was accepted"))?;
        let next = make(&self.name, false)?;
        Ok(Stream::Server(std::mem::replace(&mut self.next, next)))
    }

    /// Nothing is left of a pipe that is closed.
    pub(crate) fn remove(_directory: &ControlDirectory) {}
}

/// Connects to the program that listens.
pub(crate) async fn open(
    _directory: &ControlDirectory,
    token: &AccessToken,
) -> Result<Stream, ControlError> {
    let busy = Some(ERROR_PIPE_BUSY as i32);
    loop {
        match ClientOptions::new().open(pipe_name(token)) {
            Ok(client) => return Ok(Stream::Client(client)),
            // The next instance is about to be made.
            Err(error) if error.raw_os_error() == busy => tokio::task::yield_now().await,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ControlError::Absent);
            }
            Err(error) => {
                return Err(ControlError::io("The background process cannot be reached")(error));
            }
        }
    }
}

fn pipe_name(token: &AccessToken) -> String {
    format!(r"\\.\pipe\sightglass-{}", token.name())
}

/// Makes an instance of the pipe that its owner alone may open.
fn make(name: &str, is_first: bool) -> Result<NamedPipeServer, ControlError> {
    let mut descriptor: PSECURITY_DESCRIPTOR = ptr::null_mut();
    // Protected, with all rights for the owner and none for anybody else.
    // SAFETY: the text ends with a zero, and `descriptor` is a place for the pointer.
    let made = unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            w!("D:P(A;;GA;;;OW)"),
            SDDL_REVISION_1,
            &mut descriptor,
            ptr::null_mut(),
        )
    };
    if made == 0 {
        let error = io::Error::last_os_error();
        return Err(ControlError::io("The pipe has no access list")(error));
    }
    let mut attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor,
        bInheritHandle: 0,
    };
    let mut options = ServerOptions::new();
    options
        .first_pipe_instance(is_first)
        .reject_remote_clients(true);
    // SAFETY: `attributes` and the descriptor in it live until the call returns.
    let pipe = unsafe {
        options.create_with_security_attributes_raw(name, (&raw mut attributes).cast::<c_void>())
    };
    // SAFETY: it was allocated by the conversion above, and is used no more.
    unsafe { LocalFree(descriptor) };
    pipe.map_err(ControlError::io("The pipe cannot be made"))
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Server(pipe) => Pin::new(pipe).poll_read(context, buffer),
            Self::Client(pipe) => Pin::new(pipe).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Server(pipe) => Pin::new(pipe).poll_write(context, bytes),
            Self::Client(pipe) => Pin::new(pipe).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Server(pipe) => Pin::new(pipe).poll_flush(context),
            Self::Client(pipe) => Pin::new(pipe).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Server(pipe) => Pin::new(pipe).poll_shutdown(context),
            Self::Client(pipe) => Pin::new(pipe).poll_shutdown(context),
        }
    }
}
