//! Programs that the stories run: our own binaries, and servers by others.

use std::{
    env,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::wiretap::Wiretap;

/// The repository's root.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests lie in the repository")
        .to_owned()
}

/// One of the workspace's own binaries, as built beside the running test.
///
/// # Panics
/// When it was not built.
pub fn own(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a running test has an executable");
    let profile = test
        .ancestors()
        .find(|directory| directory.file_name().is_some_and(|name| name == "deps"))
        .and_then(Path::parent)
        .or(test.parent())
        .expect("cargo puts tests below target");
    let program = profile.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is missing: run `cargo build --bins --workspace`",
        program.display()
    );
    program
}

/// The script of an npm server that `npm ci --prefix tests` installed.
///
/// # Panics
/// When it is not installed.
pub fn npm_server(package: &str) -> PathBuf {
    let script = repository()
        .join("tests/node_modules")
        .join(package)
        .join("dist/index.js");
    assert!(
        script.exists(),
        "{} is missing: run `npm ci --prefix tests`",
        script.display()
    );
    script
}

/// A program of the Python packages that `cargo xtask test` installed, on a version of the SDK
/// that speaks the `initialize` era alone.
///
/// # Panics
/// When it is not installed.
pub fn python(name: &str) -> String {
    installed(name, "python/bin")
}

/// The same on a version of the SDK that speaks both eras.
///
/// # Panics
/// When it is not installed.
pub fn python_of_both_eras(name: &str) -> String {
    installed(name, "python-modern/bin")
}

fn installed(name: &str, directory: &str) -> String {
    let test = env::current_exe().expect("a running test has an executable");
    let programs = test
        .ancestors()
        .map(|ancestor| ancestor.join(directory))
        .find(|directory| directory.is_dir())
        .unwrap_or_default();
    let program = programs.join(name);
    assert!(
        program.exists(),
        "{name} is missing: `cargo xtask test rust` installs it"
    );
    program.display().to_string()
}

/// Starts an example server of the TypeScript SDK on a free port.
pub fn sdk_example(name: &str) -> Listening {
    let example = repository()
        .join("tests/node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server")
        .join(format!("{name}.js"));
    let mut command = Command::new("node");
    command
        .arg("--require")
        .arg(repository().join("tests/support/listen.cjs"))
        .arg(example);
    listening(command, "port ", |line| {
        let port = line.trim_start_matches("port ");
        format!("http://127.0.0.1:{port}/mcp")
    })
}

/// The Node that npm installed for programs that need a newer one than the machine may have.
///
/// # Panics
/// When it is not installed.
pub fn npm_node() -> PathBuf {
    let node = repository()
        .join("tests/node_modules/node/bin")
        .join(format!("node{}", env::consts::EXE_SUFFIX));
    assert!(
        node.exists(),
        "{} is missing: run `npm ci --prefix tests`",
        node.display()
    );
    node
}

/// A server that listens, for as long as it lives.
pub struct Listening {
    child: Child,
    pub url: String,
}

impl Listening {
    /// The port in its address.
    ///
    /// # Panics
    /// When the address has none.
    pub fn port(&self) -> u16 {
        let authority = self.url.split('/').nth(2).unwrap_or_default();
        let (_, port) = authority.rsplit_once(':').expect("a port");
        port.parse().expect("a number")
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the demo server on a free port.
pub fn demo_over_http(options: &[&str]) -> Listening {
    let mut command = Command::new(own("sightglass-demo-server"));
    command.args(["--http", "0"]).args(options);
    telling_its_address(command)
}

/// Serves a session file on a free port.
pub fn mock_over_http(file: &Path) -> Listening {
    let mut command = Command::new(own("sightglass-cli"));
    command.args(["mock", "--http", "0"]).arg(file);
    telling_its_address(command)
}

fn telling_its_address(mut command: Command) -> Listening {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the demo server starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped"))
        .read_line(&mut line)
        .expect("a line");
    let url = line
        .trim()
        .strip_prefix("listening on ")
        .expect("the address")
        .to_owned();
    Listening { child, url }
}

/// Starts `server-everything` over `streamableHttp` or `sse`, on this port.
pub fn everything_over(transport: &str, port: u16) -> Listening {
    let mut command = Command::new("node");
    command
        .arg(npm_server("@modelcontextprotocol/server-everything"))
        .arg(transport)
        .env("PORT", port.to_string());
    let (path, sign) = match transport {
        "sse" => ("sse", "running on port"),
        _ => ("mcp", "listening"),
    };
    let url = format!("http://127.0.0.1:{port}/{path}");
    listening(command, sign, |_| url)
}

/// Starts one of our Python servers, with these arguments.
pub fn python_server(script: &str, port: u16, arguments: &[&str]) -> Listening {
    let mut command = Command::new(python("python"));
    command
        .arg(python_script(script))
        .arg(port.to_string())
        .args(arguments);
    let url = format!("http://127.0.0.1:{port}/mcp");
    listening(command, "Uvicorn running", |_| url)
}

/// The entry of a server over stdio that answers each method with this text.
pub fn scripted(tap: &Wiretap, results: &[(&str, &str)]) -> Value {
    let bytes: Vec<(&str, &[u8])> = results
        .iter()
        .map(|(method, result)| (*method, result.as_bytes()))
        .collect();
    scripted_in_bytes(tap, &bytes)
}

/// The same with results that need not be text. What else can be scripted stands in the script.
///
/// # Panics
/// When the script's file cannot be written.
pub fn scripted_in_bytes(tap: &Wiretap, results: &[(&str, &[u8])]) -> Value {
    let initialize = br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"scripted","version":"1"}}"#;
    let mut lines = Vec::new();
    for (method, result) in [("initialize", &initialize[..])].iter().chain(results) {
        lines.extend_from_slice(method.as_bytes());
        lines.push(b' ');
        lines.extend_from_slice(result);
        lines.push(b'\n');
    }
    let file = tap.file("results.txt");
    std::fs::write(&file, lines).expect("written");
    let script = repository().join("tests/support/scripted.mjs");
    let [script, file] = [script, file].map(|path| path.display().to_string());
    tap.around("node", &[&script, &file])
}

/// The entry of a server with extensions, which does what a script says.
///
/// # Panics
/// When the script's file cannot be written.
pub fn extended(tap: &Wiretap, script: &Value) -> Value {
    let file = tap.file("extensions.json");
    std::fs::write(&file, script.to_string()).expect("written");
    let server = repository().join("tests/support/extensions.mjs");
    serde_json::json!({ "command": "node", "args": [server, file] })
}

/// Returns the path of a Python server of ours.
pub fn python_script(name: &str) -> String {
    let script = repository().join("tests/support/python").join(name);
    script.display().to_string()
}

/// Starts the server that misbehaves; over TLS with the files of a certificate and its key.
pub fn faulty(certificate: &[&Path]) -> Listening {
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/support/faulty.mjs"))
        .args(certificate);
    let scheme = if certificate.is_empty() {
        "http"
    } else {
        "https"
    };
    listening(command, "port ", |line| {
        let port = line.trim_start_matches("port ");
        format!("{scheme}://127.0.0.1:{port}")
    })
}

/// The entry of a server over stdio that is right but for one detail.
pub fn nearly_right(detail: &str) -> Value {
    let script = repository().join("tests/support/nearly_right.mjs");
    serde_json::json!({ "command": "node", "args": [script, detail, "stdio"] })
}

/// Starts such a server over HTTP.
pub fn nearly_right_over_http(detail: &str) -> Listening {
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/support/nearly_right.mjs"))
        .args([detail, "http"]);
    listening(command, "port ", |line| {
        let port = line.trim_start_matches("port ");
        format!("http://127.0.0.1:{port}/mcp")
    })
}

/// The entry of the server that floods, over stdio. It takes down in a file what happens, and
/// each page of its tools has so many bytes.
pub fn hostile(log: &Path, page: usize) -> Value {
    let script = repository().join("tests/support/hostile.mjs");
    let [script, log] = [&script, log].map(|path| path.display().to_string());
    serde_json::json!({ "command": "node", "args": [script, "stdio", log, page.to_string()] })
}

/// Starts the same server over `http`, `http-initialized`, `sse` or `ws`.
pub fn hostile_over(transport: &str, log: &Path) -> Listening {
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/support/hostile.mjs"))
        .arg(transport)
        .arg(log);
    let scheme = if transport == "ws" { "ws" } else { "http" };
    listening(command, "port ", |line| {
        let port = line.trim_start_matches("port ");
        format!("{scheme}://127.0.0.1:{port}/mcp")
    })
}

/// Starts a server and waits until it says on stderr that it listens.
fn listening(mut command: Command, sign: &str, url: impl FnOnce(&str) -> String) -> Listening {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let errors = BufReader::new(child.stderr.take().expect("piped"));
    let mut lines = errors.lines().map_while(Result::ok);
    let line = lines
        .find(|line| line.contains(sign))
        .expect("it says that it listens");
    std::thread::spawn(move || lines.for_each(drop));
    let url = url(&line);
    Listening { child, url }
}

/// Starts the example server of the TypeScript SDK that has an authorization server of its own.
pub fn sdk_example_with_oauth() -> Listening {
    let example = repository()
        .join("tests/node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server")
        .join("simpleStreamableHttp.js");
    let port = free_port();
    let mut child = Command::new("node")
        .arg(example)
        .arg("--oauth")
        .env("MCP_PORT", port.to_string())
        .env("MCP_AUTH_PORT", free_port().to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("node starts");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let mut lines = output.lines().map_while(Result::ok);
    let both = lines
        .by_ref()
        .filter(|line| line.contains("listening on port"));
    assert_eq!(both.take(2).count(), 2, "both servers say that they listen");
    std::thread::spawn(move || lines.for_each(drop));
    Listening {
        child,
        url: format!("http://localhost:{port}/mcp"),
    }
}

/// Starts a FastMCP server behind FastMCP's own authorization server, over `http` or `sse`.
///
/// # Panics
/// When it does not listen in time.
pub fn fastmcp_with_oauth(transport: &str) -> Listening {
    let port = free_port();
    let child = Command::new(python("python"))
        .arg(repository().join("tests/support/fastmcp_server.py"))
        .args([&port.to_string(), transport])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("Python starts");
    let path = if transport == "sse" { "sse" } else { "mcp" };
    let listening = Listening {
        child,
        url: format!("http://127.0.0.1:{port}/{path}"),
    };
    await_port(port);
    listening
}

/// Starts an OpenTelemetry collector by others, which prints each span that it takes.
///
/// # Panics
/// When it does not listen in time.
#[cfg(unix)]
pub fn collector(output: std::fs::File) -> Listening {
    let place = "import rotel; print(rotel.__path__[0])";
    let found = Command::new(python("python"))
        .args(["-c", place])
        .output()
        .expect("Python starts");
    let packages = String::from_utf8(found.stdout).expect("UTF-8");
    let (port, grpc) = (free_port(), free_port());
    let child = Command::new(Path::new(packages.trim()).join("rotel-agent"))
        .args(["start", "--exporter", "blackhole"])
        .args(["--debug-log", "traces", "--debug-log-verbosity", "detailed"])
        .args(["--otlp-http-endpoint", &format!("127.0.0.1:{port}")])
        .args(["--otlp-grpc-endpoint", &format!("127.0.0.1:{grpc}")])
        .stdout(output)
        .spawn()
        .expect("it starts");
    let listening = Listening {
        child,
        url: format!("http://127.0.0.1:{port}"),
    };
    await_port(port);
    listening
}

/// Waits until something listens on a port of loopback.
fn await_port(port: u16) {
    for _ in 0..600 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("nothing listens on port {port}");
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("loopback has free ports")
        .port()
}
