//! Prepares what a page finds: configuration files, servers, and which of them are connected.

mod clients;
mod configuration;
mod connections;
mod line;
mod names;
mod project;
mod registry;
mod sign_in;

use std::{any::Any, collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};
use sightglass_inspector::ServerId;
use sightglass_tests::{Environment, TestHost, announcing::Announcer, programs};
use tokio::task::JoinHandle;

use line::Line;

/// Directories and servers of one page, for as long as it is open.
pub struct Scene {
    pub host: TestHost,
    /// Lines that a test can cut, by the name of what they lead to.
    lines: BTreeMap<&'static str, Line>,
    /// The local network.
    network: Announcer,
    /// Programs and servers that end with the page.
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl Scene {
    /// Opens an inspector on these files, each with its path below the directory that holds
    /// `home`, `project` and `system`. The project's folder is trusted.
    async fn open(files: &[(&str, String)], environment: Environment) -> Self {
        // As in the window, there is a user to ask.
        let environment = Environment {
            confirms: true,
            ..environment
        };
        let (registry, port) = registry::start().await;
        let line = Line::to(port).await;
        let network = Announcer::start();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        let environment = environment
            .and("SIGHTGLASS_REGISTRY", line.url())
            .and("SIGHTGLASS_MDNS_PORT", network.port())
            .and("PATH", std::env::var("PATH").unwrap_or_default());
        let host = TestHost::on_files(&files, environment);
        std::fs::write(host.path(configuration::BUNDLE), configuration::bundle()).expect("written");
        Self {
            host,
            lines: BTreeMap::from([("registry", line)]),
            network,
            kept: vec![Box::new(AbortOnDrop(registry))],
        }
    }

    /// Lets a test cut this line.
    fn with_line(mut self, name: &'static str, line: Line) -> Self {
        self.lines.insert(name, line);
        self
    }

    /// Keeps this server until the page is left.
    fn with(mut self, server: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(server));
        self
    }

    /// Carries out what a test asks of the machine around the window, by the names that
    /// `tests/ui/support` gives it.
    ///
    /// # Errors
    /// When the request cannot be carried out, as a message for the report of the test.
    pub async fn command(&self, name: &str, args: &Value) -> Result<Value, String> {
        let text = |key: &str| {
            let value = args.get(key).and_then(Value::as_str);
            value.ok_or_else(|| format!("{name} needs {key}"))
        };
        match name {
            "host_write_file" => {
                self.host
                    .write(&self.host.path(text("path")?), text("text")?);
            }
            "host_read_file" => {
                let text = std::fs::read_to_string(self.host.path(text("path")?));
                return Ok(text.map_err(|error| error.to_string())?.into());
            }
            "host_remove_file" => {
                std::fs::remove_file(self.host.path(text("path")?))
                    .map_err(|error| error.to_string())?;
            }
            // The user chooses the one that there is.
            "choose_bundle" => {
                let path = self.host.path(configuration::BUNDLE);
                let bundle = self.host.inspector.setup.bundles.read_bundle(&path);
                return Ok(json!(bundle.map_err(|error| error.to_string())?));
            }
            // The user chooses the session file, where there is one.
            "choose_file" => {
                let path = self.host.path("project/recorded.ndjson");
                return Ok(json!(path.exists().then_some(path)));
            }
            "host_path" => {
                let path = self.host.path(text("path")?);
                return Ok(json!(path));
            }
            "host_announce" => {
                let port = args.get("port").and_then(Value::as_u64);
                let port = port.and_then(|port| u16::try_from(port).ok());
                let port = port.ok_or("host_announce needs port")?;
                self.network
                    .announce(text("name")?, text("host")?, port, text("path")?);
            }
            "host_cut_line" => {
                let line = text("line")?;
                let line = self
                    .lines
                    .get(line)
                    .ok_or(format!("there is no line to {line}"))?;
                line.set_cut(args["cut"] == true).await;
            }
            _ => return Err(format!("there is no {name}")),
        }
        Ok(Value::Null)
    }
}

/// A task that ends with this value.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens an inspector on the directories of a scenario.
///
/// # Errors
/// When there is no scenario of this name.
pub async fn prepare(name: &str) -> Result<Scene, String> {
    Ok(match name {
        "welcome" => Scene::open(&[], Environment::default()).await,
        "found" => configuration::found().await,
        "clients" => clients::eight().await,
        "hundreds" => clients::hundreds().await,
        "project" => project::open().await,
        "many" => configuration::many().await,
        "broken" => configuration::broken().await,
        "scopes" => configuration::scopes().await,
        "huge" => configuration::huge().await,
        "signin" => sign_in::open().await,
        "obstacles" => connections::obstacles().await,
        "connections" => connections::open().await,
        "names" => names::open().await,
        _ => return Err(format!("there is no scenario {name}")),
    })
}

/// The text of a `.mcp.json` file with these servers.
fn servers(entries: &Value) -> String {
    let file = json!({ "mcpServers": entries });
    format!("{file:#}\n")
}

/// The entry of a demo server with these options.
fn demo(options: &[&str]) -> Value {
    json!({ "command": programs::own("sightglass-demo-server"), "args": options })
}

/// The entry of a reference server from npm.
fn npm(package: &str, arguments: &[&str]) -> Value {
    let script = programs::npm_server(package).display().to_string();
    let arguments: Vec<&str> = std::iter::once(script.as_str())
        .chain(arguments.iter().copied())
        .collect();
    json!({ "command": "node", "args": arguments })
}

fn id(name: &str) -> ServerId {
    TestHost::id(name)
}

/// Calls a tool without waiting for its answer.
fn call_in_background(host: &TestHost, server: &ServerId, tool: &'static str, arguments: Value) {
    let (inspector, server) = (Arc::clone(&host.inspector), server.clone());
    tokio::spawn(async move {
        let key = format!("background {}", fastrand::u32(..));
        inspector
            .calls
            .requests
            .call_tool(&server, &key, tool, &arguments.to_string(), None, None)
            .await
    });
}
