//! Messages of both eras of the protocol over stdio, a line each, answered one after another.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Map, Value, json};

use crate::{notebook, root::WorkFolder, todo, tool::WorkbenchTool};

/// The revisions that open with `initialize`, newest first.
const INITIALIZE_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The stateless revision, in which each request says its version (SEP-2575).
const MODERN_VERSION: &str = "2026-07-28";

const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The longest line that is read, in bytes: 32 MiB.
const MAX_LINE_BYTES: u64 = 32 << 20;

/// Time for which a client may treat the list of tools as fresh, which never changes.
const FRESH_MILLISECONDS: u32 = 3_600_000;

const INSTRUCTIONS: &str = "Tools that work in one folder: edit cells of Jupyter notebooks, and keep a \
                            list of things to do. Paths are relative to the folder.";

/// A JSON-RPC error.
struct MessageError {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl MessageError {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}

type Answer = Result<Value, MessageError>;

/// Serves one client on standard input and output until the input ends.
pub fn serve(root: &WorkFolder) {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut server = Workbench {
        root,
        tools: tools(),
        is_initialized: false,
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        // One that is longer is no message, and what follows it none either.
        match (&mut input)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(answer) = server.answer(line.trim_ascii()) {
            let written = writeln!(output, "{answer}").and_then(|()| output.flush());
            if written.is_err() {
                return;
            }
        }
    }
}

fn tools() -> Vec<WorkbenchTool> {
    let mut tools = vec![notebook::tool()];
    tools.extend(todo::tools());
    tools
}

struct Workbench<'a> {
    root: &'a WorkFolder,
    tools: Vec<WorkbenchTool>,
    /// A client of the `initialize` era opened the session.
    is_initialized: bool,
}

impl Workbench<'_> {
    /// Answers a message; a notification gets no answer.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => {
                let error = MessageError::new(-32700, format!("Not JSON: {error}"));
                return Some(envelope(&Value::Null, Err(error)));
            }
        };
        let id = message.get("id");
        let method = message["method"].as_str();
        match (method, id) {
            (Some(method), Some(id @ (Value::String(_) | Value::Number(_)))) => {
                let params = message.get("params").cloned().unwrap_or(json!({}));
                Some(envelope(id, self.request(method, params)))
            }
            (Some(_), None) => None,
            _ => {
                let error = MessageError::new(-32600, "Not a request of JSON-RPC");
                Some(envelope(&Value::Null, Err(error)))
            }
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Answer {
        let Value::Object(mut params) = params else {
            return Err(MessageError::new(
                -32602,
                "The parameters have to be an object",
            ));
        };
        if method == "initialize" {
            return Ok(self.initialize(&params));
        }
        let meta = params.get("_meta").cloned().unwrap_or_default();
        let is_modern = method == "server/discover" || meta.get(META_PROTOCOL_VERSION).is_some();
        if is_modern {
            check_meta(&meta)?;
        } else if !self.is_initialized && method != "ping" {
            return Err(MessageError::new(-32600, "The first request is initialize"));
        }
        let mut result = match method {
            "server/discover" => discovered(),
            "ping" if !is_modern => json!({}),
            "tools/list" => {
                let tools: Vec<Value> = self.tools.iter().map(WorkbenchTool::definition).collect();
                json!({ "tools": tools })
            }
            "tools/call" => self.call(&mut params)?,
            _ => {
                return Err(MessageError::new(
                    -32601,
                    format!("There is no method {method}"),
                ));
            }
        };
        if is_modern {
            result["resultType"] = json!("complete");
            result["_meta"] = json!({ META_SERVER_INFO: server_info() });
            if method != "tools/call" {
                result["ttlMs"] = json!(FRESH_MILLISECONDS);
                result["cacheScope"] = json!("public");
            }
        }
        Ok(result)
    }

    fn initialize(&mut self, params: &Map<String, Value>) -> Value {
        self.is_initialized = true;
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let version = INITIALIZE_VERSIONS
            .into_iter()
            .find(|known| Some(*known) == asked)
            .unwrap_or(INITIALIZE_VERSIONS[0]);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        })
    }

    /// Calls a tool. What it refuses is its result, so that a model can correct itself.
    fn call(&self, params: &mut Map<String, Value>) -> Answer {
        let name = params
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let Some(tool) = self.tools.iter().find(|tool| tool.name == name) else {
            return Err(MessageError::new(
                -32602,
                format!("There is no tool {name}"),
            ));
        };
        let arguments = params.remove("arguments").unwrap_or(json!({}));
        Ok(match (tool.run)(self.root, arguments) {
            Ok(result) => json!({
                "content": [{ "type": "text", "text": result.to_string() }],
                "structuredContent": result,
            }),
            Err(error) => json!({
                "content": [{ "type": "text", "text": error.to_string() }],
                "isError": true,
            }),
        })
    }
}

/// Checks what a modern request says about itself (SEP-2575).
fn check_meta(meta: &Value) -> Result<(), MessageError> {
    let version = meta[META_PROTOCOL_VERSION].as_str();
    if version.is_none() || !meta[META_CLIENT_CAPABILITIES].is_object() {
        return Err(MessageError::new(
            -32602,
            "Request _meta lacks the version or the capabilities of the client",
        ));
    }
    if version != Some(MODERN_VERSION) {
        return Err(MessageError {
            data: Some(json!({ "requested": version, "supported": versions() })),
            ..MessageError::new(-32022, "Unsupported protocol version")
        });
    }
    Ok(())
}

fn versions() -> Vec<&'static str> {
    let mut versions = vec![MODERN_VERSION];
    versions.extend(INITIALIZE_VERSIONS);
    versions
}

fn discovered() -> Value {
    json!({
        "supportedVersions": versions(),
        "capabilities": { "tools": {} },
        "instructions": INSTRUCTIONS,
    })
}

fn server_info() -> Value {
    json!({
        "name": "sightglass-workbench",
        "title": "Sightglass workbench",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn envelope(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => {
            let mut body = json!({ "code": error.code, "message": error.message });
            if let Some(data) = error.data {
                body["data"] = data;
            }
            json!({ "jsonrpc": "2.0", "id": id, "error": body })
        }
    }
}
