//! An agent: a plain client of JSON-RPC over the standard streams of a program, which shares no code
//! with ours.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// Time after which a message that does not come is missing.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a program that serves over its standard streams. The program ends with it.
pub struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that came while another was waited for.
    others: VecDeque<Value>,
    number: u32,
    /// `_meta` of each request, where the era is the stateless one.
    meta: Option<Value>,
}

impl Agent {
    /// Starts a program, and says nothing yet.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            others: VecDeque::new(),
            number: 0,
            meta: None,
        }
    }

    /// Starts a program, and begins a session as a client of these capabilities.
    pub fn initialized(command: Command, capabilities: Value) -> (Self, Value) {
        let mut agent = Self::start(command);
        let begun = agent.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "plain-agent", "version": "7" },
            }),
        );
        agent.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        (agent, begun["result"].clone())
    }

    /// Starts a program, and speaks the stateless era with these capabilities.
    pub fn stateless(command: Command, capabilities: Value) -> Self {
        let mut agent = Self::start(command);
        agent.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": { "name": "plain-agent", "version": "7" },
        }));
        agent
    }

    /// Sends a message.
    ///
    /// # Panics
    /// When the program reads no more.
    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    /// Sends a line.
    ///
    /// # Panics
    /// When the program reads no more.
    pub fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{text}").expect("it reads");
        input.flush().expect("it reads");
    }

    /// Begins a request, and returns its id.
    pub fn begin(&mut self, method: &str, mut params: Value) -> u32 {
        self.number += 1;
        let id = self.number;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a request, and returns its response.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.response(id)
    }

    /// Returns the response to a request.
    pub fn response(&mut self, id: u32) -> Value {
        self.wait_for(&format!("the response to {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    /// Returns the next message of a method that is no response.
    pub fn message(&mut self, method: &str) -> Value {
        self.wait_for(method, |message| message["method"] == method)
    }

    /// Waits for a message. Others are kept.
    ///
    /// # Panics
    /// When it does not come.
    pub fn wait_for(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(found) = self.others.iter().position(&is_it) {
            return self.others.remove(found).expect("it is there");
        }
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| {
                panic!("{what} did not come ({error}): {:?}", self.others);
            });
            let message: Value = serde_json::from_str(&line)
                .unwrap_or_else(|error| panic!("no message ({error}): {line}"));
            if is_it(&message) {
                return message;
            }
            self.others.push_back(message);
        }
    }

    /// Calls a tool, and returns its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let response = self.request("tools/call", params);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    /// Calls one of Sightglass's own tools, and returns what it answers.
    pub fn ask(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        let text = text_of(&result);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Calls one of Sightglass's own tools, and returns the words with which it refuses.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text_of(&result)
    }

    /// Closes the input, and returns the exit code once the program has ended.
    pub fn end(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.input = None;
        // Most have ended by then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the text of a result of a tool.
pub fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().expect("content");
    let texts = blocks.iter().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}
