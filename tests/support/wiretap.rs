//! Records what really crossed the wire by means that share no code with ours, to
//! compare the record with: `tee` around a program, a proxy in front of a port.

use std::{
    fs,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};
use sightglass_inspector::ExchangeKind;
use sightglass_traffic::Direction;
use tempfile::TempDir;

use crate::TestHost;

/// The kinds of rows that are messages.
const MESSAGES: [ExchangeKind; 3] = [
    ExchangeKind::Request,
    ExchangeKind::Notification,
    ExchangeKind::Log,
];

/// Starts the program with copies of its standard input and output in two files.
const TEE: &str = r#"tee -a "$0/sent" | "$@" | tee -a "$0/received""#;

/// The lines of a program's standard streams.
pub struct Wiretap {
    directory: TempDir,
}

impl Wiretap {
    pub fn new() -> Self {
        Self {
            directory: TempDir::new().expect("a temporary directory"),
        }
    }

    /// The entry of a server that is this program, tapped.
    pub fn around(&self, program: &str, arguments: &[&str]) -> Value {
        let directory = self.directory();
        let mut words = vec!["-c", TEE, &directory, program];
        words.extend(arguments);
        json!({ "command": "sh", "args": words })
    }

    /// A file beside those of the streams, for the program itself.
    pub fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The lines of one of the streams, `sent` or `received`.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.file(name)).expect("a tapped stream");
        text.lines().map(str::to_owned).collect()
    }

    /// Returns those files, for a server that records by itself what it reads and writes.
    pub fn directory(&self) -> String {
        self.directory.path().display().to_string()
    }

    /// Holds the record against what the files say. The connection has to be over.
    pub async fn compare(&self, host: &TestHost) {
        let messages = messages(host).await;
        assert!(messages.len() > 4, "{messages:?}");
        assert_eq!(of(&messages, Direction::Sent), self.lines("sent"));
        assert_eq!(of(&messages, Direction::Received), self.lines("received"));
    }
}

impl Default for Wiretap {
    fn default() -> Self {
        Self::new()
    }
}

/// A proxy that keeps all bytes that pass.
pub struct Proxy {
    port: u16,
    sent: Arc<Mutex<Vec<u8>>>,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Proxy {
    /// In front of a server on this machine. It ends with the test's process.
    pub fn before(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has free ports");
        let proxy = Self {
            port: listener.local_addr().expect("bound").port(),
            sent: Arc::default(),
            received: Arc::default(),
        };
        let (sent, received) = (proxy.sent.clone(), proxy.received.clone());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                let back = (server.try_clone(), client.try_clone());
                copy(client, server, sent.clone());
                if let (Ok(server), Ok(client)) = back {
                    copy(server, client, received.clone());
                }
            }
        });
        proxy
    }

    /// The address of this path behind the proxy.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Everything that was sent so far.
    pub fn sent(&self) -> String {
        let bytes = self.sent.lock().expect("no panic under it");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Holds the record against the bytes that passed: every message is among them as it was
    /// recorded, and no message was sent that is not on record. Bytes that came can hold more:
    /// a server that has no stream of its own refuses it with a body in the form of a message.
    /// The connection has to be over.
    pub async fn compare(&self, host: &TestHost) {
        let messages = messages(host).await;
        assert!(messages.len() > 4, "{messages:?}");
        for (direction, bytes) in [
            (Direction::Sent, &self.sent),
            (Direction::Received, &self.received),
        ] {
            let bytes = bytes.lock().expect("no panic under it").clone();
            let text = String::from_utf8_lossy(&bytes);
            let recorded = of(&messages, direction);
            for message in &recorded {
                assert!(text.contains(message), "{direction:?}: {message}\n{text}");
            }
            let passed = text.matches(r#""jsonrpc":"2.0""#).count();
            match direction {
                Direction::Sent => assert_eq!(passed, recorded.len(), "{text}"),
                Direction::Received => assert!(passed >= recorded.len(), "{text}"),
            }
        }
    }
}

pub(crate) fn copy(mut from: TcpStream, mut to: TcpStream, kept: Arc<Mutex<Vec<u8>>>) {
    thread::spawn(move || {
        let mut buffer = [0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            if let Ok(mut kept) = kept.lock() {
                kept.extend_from_slice(&buffer[..count]);
            }
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        // The other side may have closed it already.
        let _ = to.shutdown(Shutdown::Write);
    });
}

fn of(messages: &[(Direction, String)], direction: Direction) -> Vec<String> {
    messages
        .iter()
        .filter(|(recorded, _)| *recorded == direction)
        .map(|(_, text)| text.clone())
        .collect()
}

/// All messages on record, in the order of the wire.
async fn messages(host: &TestHost) -> Vec<(Direction, String)> {
    let mut frames = Vec::new();
    for row in host.traffic("", &MESSAGES).await {
        let detail = host
            .inspector
            .core
            .record()
            .detail(row.id)
            .await
            .expect("there");
        frames.extend(detail.frames);
    }
    frames.sort_by_key(|frame| frame.id);
    let mut messages = Vec::new();
    for frame in frames {
        let payload = host
            .inspector
            .core
            .record()
            .payload(frame.id)
            .await
            .expect("readable");
        let text = String::from_utf8_lossy(&payload).into_owned();
        messages.push((frame.direction, text));
    }
    messages
}
