//! Both ends of a control connection, and the messages on it.

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use sightglass_files::{FileLock, LockError};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf},
    sync::mpsc,
    time::timeout,
};

use crate::{
    ControlDirectory, ControlError,
    socket::{self, ControlSocket, Stream},
    token::AccessToken,
};

/// The largest message, in bytes of its JSON.
pub const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;

/// Time that a program has for its token.
const TOKEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Messages that are read before they are asked for.
const RECEIVED_AHEAD: usize = 4;

/// The end that takes connections. Exactly one holds a directory; dropped, it leaves it.
pub struct ControlListener {
    directory: ControlDirectory,
    socket: ControlSocket,
    token: AccessToken,
    /// Dropped last: whoever has it next finds no socket.
    _lock: FileLock,
}

/// Listens in a directory, which is made where it is absent. Must be called within a Tokio runtime.
///
/// # Errors
/// [`ControlError::Taken`] when another program listens there.
pub fn listen(directory: &ControlDirectory) -> Result<ControlListener, ControlError> {
    directory.make()?;
    let lock =
        FileLock::acquire(&directory.lock(), Duration::ZERO).map_err(|error| match error {
            LockError::Held { .. } => ControlError::Taken,
            LockError::Io { path, source } => {
                ControlError::io(format!("{} cannot be locked", path.display()))(source)
            }
        })?;
    let token = AccessToken::make(&directory.token())?;
    let socket = ControlSocket::bind(directory, &token)?;
    Ok(ControlListener {
        directory: directory.clone(),
        socket,
        token,
        _lock: lock,
    })
}

impl ControlListener {
    /// Waits for the next process of this user. One of another user is refused, as an error.
    pub async fn accept(&mut self) -> Result<IncomingPeer, ControlError> {
        Ok(IncomingPeer {
            stream: self.socket.accept().await?,
            token: self.token.clone(),
        })
    }
}

impl Drop for ControlListener {
    fn drop(&mut self) {
        ControlSocket::remove(&self.directory);
    }
}

/// A process that has not shown its token yet.
pub struct IncomingPeer {
    stream: Stream,
    token: AccessToken,
}

impl IncomingPeer {
    /// Waits for the token, which is the first message.
    ///
    /// # Errors
    /// [`ControlError::WrongToken`], also when none comes.
    pub async fn admit(self) -> Result<(MessageReader, MessageWriter), ControlError> {
        let (mut reader, writer) = ends(self.stream);
        let shown = timeout(TOKEN_TIMEOUT, reader.next::<AccessToken>()).await;
        match shown {
            Ok(Ok(Some(shown))) if self.token.is(&shown) => Ok((reader, writer)),
            _ => Err(ControlError::WrongToken),
        }
    }
}

/// Connects to the program that listens in a directory, and shows it the token.
///
/// # Errors
/// [`ControlError::Absent`] when no program listens there.
pub async fn connect(
    directory: &ControlDirectory,
) -> Result<(MessageReader, MessageWriter), ControlError> {
    directory.check()?;
    let token = AccessToken::read(&directory.token())?;
    let (reader, mut writer) = ends(socket::open(directory, &token).await?);
    writer.send(&token).await?;
    Ok((reader, writer))
}

fn ends(stream: Stream) -> (MessageReader, MessageWriter) {
    let (reader, writer) = tokio::io::split(stream);
    (MessageReader { reader }, MessageWriter { writer })
}

/// Reads messages.
pub struct MessageReader {
    reader: ReadHalf<Stream>,
}

impl MessageReader {
    /// Receives messages in a task of its own, until the other end is closed or sends what is none.
    pub fn receive<M: DeserializeOwned + Send + 'static>(
        mut self,
    ) -> mpsc::Receiver<Result<M, ControlError>> {
        let (sender, receiver) = mpsc::channel(RECEIVED_AHEAD);
        tokio::spawn(async move {
            while let Some(message) = self.next().await.transpose() {
                let is_last = message.is_err();
                if sender.send(message).await.is_err() || is_last {
                    break;
                }
            }
        });
        receiver
    }

    /// Waits for the next message; `None` when the other end is closed. Not to be dropped half-way.
    async fn next<M: DeserializeOwned>(&mut self) -> Result<Option<M>, ControlError> {
        let mut length = [0; 4];
        if self.reader.read_exact(&mut length).await.is_err() {
            return Ok(None);
        }
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_MESSAGE_BYTES {
            return Err(ControlError::BadMessage(format!("{length} bytes")));
        }
        // What is announced is not reserved: it grows with what comes.
        let mut text = Vec::new();
        let limited = &mut (&mut self.reader).take(length as u64);
        let read = limited.read_to_end(&mut text).await;
        read.map_err(ControlError::io("A message was not read"))?;
        if text.len() < length {
            return Err(ControlError::BadMessage("it was cut off".to_owned()));
        }
        let message = serde_json::from_slice(&text)
            .map_err(|error| ControlError::BadMessage(error.to_string()))?;
        Ok(Some(message))
    }
}

/// Writes messages.
pub struct MessageWriter {
    writer: WriteHalf<Stream>,
}

impl MessageWriter {
    /// Sends a message.
    ///
    /// # Errors
    /// When it is longer than [`MAX_MESSAGE_BYTES`], or the other end is closed.
    pub async fn send(&mut self, message: &impl Serialize) -> Result<(), ControlError> {
        let text = serde_json::to_vec(message)
            .map_err(|error| ControlError::BadMessage(error.to_string()))?;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(ControlError::BadMessage(format!("{length} bytes")));
        }
        let failed = || ControlError::io("A message was not sent");
        let framed = [&length.to_be_bytes()[..], &text].concat();
        self.writer.write_all(&framed).await.map_err(failed())?;
        self.writer.flush().await.map_err(failed())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use tokio::{io::AsyncWriteExt, net::UnixStream};

    use super::*;

    fn directory(of: &tempfile::TempDir) -> ControlDirectory {
        // The runtime directory of whoever runs the tests is left alone.
        ControlDirectory::within(of.path())
    }

    #[tokio::test]
    async fn a_message_goes_each_way_and_one_program_listens() {
        let home = tempfile::tempdir().expect("a directory");
        let directory = directory(&home);
        assert!(matches!(
            connect(&directory).await,
            Err(ControlError::Absent)
        ));
        let mut listener = listen(&directory).expect("it listens");
        assert!(matches!(listen(&directory), Err(ControlError::Taken)));
        for path in [directory.socket(), directory.token(), directory.lock()] {
            let mode = fs::metadata(&path).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", path.display());
        }
        let (incoming, connected) = tokio::join!(listener.accept(), connect(&directory));
        let (mut reader, mut writer) = connected.expect("connected");
        let (mut from, mut to) = incoming
            .expect("of this user")
            .admit()
            .await
            .expect("known");
        writer.send(&"there").await.expect("sent");
        assert_eq!(
            from.next::<String>().await.expect("read").as_deref(),
            Some("there")
        );
        to.send(&7).await.expect("sent");
        assert_eq!(reader.next::<u32>().await.expect("read"), Some(7));
        drop((from, to, listener));
        assert_eq!(reader.next::<u32>().await.expect("its end"), None);
        assert!(matches!(
            connect(&directory).await,
            Err(ControlError::Absent)
        ));
        listen(&directory).expect("the next one listens");
    }

    #[tokio::test]
    async fn whoever_does_not_know_the_token_or_announces_too_much_is_refused() {
        let home = tempfile::tempdir().expect("a directory");
        let directory = directory(&home);
        let mut listener = listen(&directory).expect("it listens");
        let wrong = br#"{"token":"0000"}"#;
        let length = u32::try_from(wrong.len()).expect("short").to_be_bytes();
        for bytes in [
            [&length[..], wrong].concat(),
            [&u32::MAX.to_be_bytes()[..], b"{}"].concat(),
            b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        ] {
            let opened = UnixStream::connect(directory.socket());
            let (incoming, stream) = tokio::join!(listener.accept(), opened);
            let mut stream = stream.expect("connected");
            stream.write_all(&bytes).await.expect("sent");
            stream.shutdown().await.expect("ended");
            let admitted = incoming.expect("of this user").admit().await;
            assert!(matches!(admitted, Err(ControlError::WrongToken)));
        }
    }

    #[tokio::test]
    async fn a_directory_that_is_not_the_users_alone_is_refused() {
        let home = tempfile::tempdir().expect("a directory");
        let elsewhere = tempfile::tempdir().expect("a directory");
        let directory = directory(&home);
        let path = home.path().join("run");
        std::os::unix::fs::symlink(elsewhere.path(), &path).expect("linked");
        let refused = |reason: &str| {
            let error = listen(&directory).err().expect("refused").to_string();
            assert!(error.contains(reason), "{error}");
        };
        refused("it is a link");
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o770)).expect("set");
        refused("other users can enter it");
        assert!(matches!(
            connect(&directory).await,
            Err(ControlError::Foreign { .. })
        ));
        fs::remove_dir(&path).expect("removed");
        fs::File::create(&path).expect("made");
        refused("it is no directory");
        assert_eq!(fs::read_dir(elsewhere.path()).expect("there").count(), 0);
    }
}
