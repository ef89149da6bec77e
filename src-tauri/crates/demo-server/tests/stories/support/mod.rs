//! Drives the built server with raw text: no MCP library on this side either.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// Only to fail instead of hanging for good; nothing is measured.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

#[allow(
    clippy::disallowed_methods,
    reason = "the tests own the processes they start"
)]
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sightglass-demo-server"));
    command.args(arguments);
    command
}

/// The server as a child process that speaks lines.
pub struct Lines {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// Everything received that was not waited for.
    pub seen: Vec<Value>,
}

impl Lines {
    pub fn start(arguments: &[&str]) -> Lines {
        let mut child = command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Lines {
            stdin: child.stdin.take(),
            child,
            lines,
            next: 1,
            seen: Vec::new(),
        }
    }

    /// Starts and performs the `initialize` handshake with these capabilities.
    pub fn initialized(arguments: &[&str], capabilities: Value) -> Lines {
        let mut server = Lines::start(arguments);
        server.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "1" }
            }),
        );
        server
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        server
    }

    pub fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    pub fn line(&mut self) -> String {
        self.lines
            .recv_timeout(ANSWER_TIMEOUT)
            .expect("the server said nothing")
    }

    pub fn message(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request and returns its id.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        id
    }

    /// Waits for the answer to `id`; whatever comes before is put into `seen`.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.message();
            if message.get("id") == Some(&json!(id)) && message.get("method").is_none() {
                return message;
            }
            self.seen.push(message);
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// A request of the modern era.
    pub fn modern(&mut self, method: &str, params: Value, capabilities: Value) -> Value {
        self.request(method, modern_params(params, capabilities))
    }

    pub fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = self.message();
            if message.get("method") == Some(&json!(method)) {
                return message;
            }
            self.seen.push(message);
        }
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits until stdout is closed and the process has ended.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        self.close_stdin();
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(ANSWER_TIMEOUT) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("stdout stays open"),
            }
        }
        let status = self.child.wait().unwrap();
        let mut stderr = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        (status, lines, stderr)
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}

pub fn modern_params(mut params: Value, capabilities: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    params
}

pub fn text_of(answer: &Value) -> &str {
    answer
        .pointer("/result/content/0/text")
        .and_then(Value::as_str)
        .unwrap_or_else(|| panic!("no text in {answer}"))
}

/// The server listening on a port of its own.
pub struct Http {
    child: Child,
    pub port: u16,
}

/// A raw HTTP answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The JSON body, or the data of the events.
    pub fn messages(&self) -> Vec<Value> {
        if self
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("application/json"))
        {
            return vec![serde_json::from_str(&self.body).unwrap()];
        }
        self.body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .filter(|data| !data.is_empty())
            .map(|data| serde_json::from_str(data).unwrap())
            .collect()
    }

    pub fn last(&self) -> Value {
        self.messages()
            .pop()
            .unwrap_or_else(|| panic!("no message in {self:?}"))
    }
}

impl Http {
    pub fn start(arguments: &[&str]) -> Http {
        let mut all = vec!["--http", "0"];
        all.extend(arguments);
        let mut child = command(&all).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let port = line
            .trim()
            .strip_prefix("listening on http://127.0.0.1:")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .unwrap_or_else(|| panic!("unexpected first line: {line}"))
            .parse()
            .unwrap();
        Http { child, port }
    }

    /// Sends a request and leaves the answer to be read.
    pub fn open(&self, method: &str, headers: &[(&str, &str)], body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(ANSWER_TIMEOUT)).unwrap();
        let mut head = format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            head.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    }

    pub fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.open(method, headers, body);
        let (status, head) = read_head(&mut stream);
        let mut raw = Vec::new();
        stream.read_to_end(&mut raw).unwrap();
        let body = if head
            .to_ascii_lowercase()
            .contains("transfer-encoding: chunked")
        {
            dechunk(&raw)
        } else {
            raw
        };
        Reply {
            status,
            head,
            body: String::from_utf8(body).unwrap(),
        }
    }

    pub fn post(&self, headers: &[(&str, &str)], body: &Value) -> Reply {
        let mut all = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        self.send("POST", &all, &body.to_string())
    }

    /// Initializes and returns the session id.
    pub fn session(&self) -> String {
        let reply = self.post(
            &[],
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": { "elicitation": {} },
                "clientInfo": { "name": "test", "version": "1" }
            } }),
        );
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.header("mcp-session-id").unwrap().to_owned()
    }

    /// A modern request with the headers that belong to it.
    pub fn modern(&self, method: &str, params: Value, capabilities: Value) -> Reply {
        let name = params
            .get("name")
            .or(params.get("uri"))
            .and_then(Value::as_str)
            .map(str::to_owned);
        let mut headers = vec![
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        if let Some(name) = &name {
            headers.push(("Mcp-Name", name));
        }
        let params = modern_params(params, capabilities);
        self.post(
            &headers,
            &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }),
        )
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}

pub fn read_head(stream: &mut impl BufRead) -> (u16, String) {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let status = head
        .split(' ')
        .nth(1)
        .unwrap_or_else(|| panic!("no status in {head:?}"));
    (status.parse().unwrap(), head)
}

/// Reads lines of an event stream until one holds `wanted`.
pub fn read_until(stream: &mut impl BufRead, wanted: &str) -> String {
    let mut all = String::new();
    loop {
        let mut line = String::new();
        assert_ne!(
            stream.read_line(&mut line).unwrap(),
            0,
            "ended without {wanted}: {all}"
        );
        all.push_str(&line);
        if line.contains(wanted) {
            return all;
        }
    }
}

fn dechunk(mut raw: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = raw.windows(2).position(|pair| pair == b"\r\n") {
        let size = std::str::from_utf8(&raw[..end]).unwrap().trim();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            break;
        }
        body.extend_from_slice(&raw[end + 2..end + 2 + size]);
        raw = &raw[end + 4 + size..];
    }
    body
}
