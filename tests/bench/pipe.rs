//! Bytes of a server through a pipe and nothing else: no JSON is read, nothing is kept.

use std::{path::Path, process::Stdio};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::setting::Outcome;

/// Beginning of an answer as the load servers write it; notifications have no `id`.
const ANSWER: &[u8] = br#"{"jsonrpc":"2.0","id""#;

pub struct Pipe {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
    /// It ends with this value.
    _child: Child,
}

impl Pipe {
    /// Starts the server and says hello.
    pub async fn open(server: &Path, arguments: &[&str]) -> Outcome<Self> {
        let mut child = Command::new(server)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("stdout was not piped")?;
        let input = child.stdin.take().ok_or("stdin was not piped")?;
        let mut pipe = Self {
            input,
            output: BufReader::with_capacity(64 * 1024, output),
            line: Vec::new(),
            _child: child,
        };
        let client = json!({ "name": "pipe", "version": "1" });
        pipe.request(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }),
        )
        .await?;
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        pipe.send(&initialized).await?;
        Ok(pipe)
    }

    /// Asks for the pages of the tools, one after the other.
    pub async fn list_tools(&mut self) -> Outcome {
        let mut params = json!({});
        loop {
            self.request("tools/list", params).await?;
            let Some(cursor) = self.next_cursor()? else {
                return Ok(());
            };
            params = json!({ "cursor": cursor });
        }
    }

    /// Calls a tool, and reads all that comes up to its answer.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Outcome {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }

    /// The cursor in the line that was read last. It stands before or after the tools.
    fn next_cursor(&self) -> Outcome<Option<String>> {
        const KEY: &[u8] = b"\"nextCursor\":";
        let Some(at) = memchr::memmem::rfind(&self.line, KEY) else {
            return Ok(None);
        };
        let value = &self.line[at + KEY.len()..];
        let mut values = serde_json::Deserializer::from_slice(value).into_iter::<String>();
        Ok(values.next().transpose()?)
    }

    async fn request(&mut self, method: &str, params: Value) -> Outcome {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.send(&request).await?;
        loop {
            self.line.clear();
            if self.output.read_until(b'\n', &mut self.line).await? == 0 {
                return Err("the server ended".into());
            }
            if self.line.starts_with(ANSWER) {
                return Ok(());
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Outcome {
        let mut text = message.to_string();
        text.push('\n');
        self.input.write_all(text.as_bytes()).await?;
        Ok(())
    }
}
