//! The clients send their models the tools that we tell, under the names that we tell.
//!
//! Each client is asked for one answer, with an endpoint on this machine in place of its model's
//! that refuses everything. Its request is what its model would see.

use std::{collections::BTreeSet, path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ConfigAction, DraftTools, NamingScheme, QualifiedName, ServerId, Target,
};
use sightglass_tests::{TestHost, configuring::change, model, programs, wiretap::Wiretap};

use tokio::{process, sync::mpsc::UnboundedReceiver, time::timeout};

use super::{command, draft, installed, program};

/// Time that a client has until it asks its model.
const LIMIT: Duration = Duration::from_secs(120);

/// A revision that all of the clients speak.
const INITIALIZED: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}"#;

/// Names that the clients write in different ways.
const TOOLS: [&str; 8] = [
    "plain",
    "get.x",
    "get-x",
    "with space",
    "Größe",
    "mcp__own__x",
    "a_tool_of_which_the_name_has_more_than_the_sixty_four_characters_that_models_took_at_first",
    "a_tool_of_which_the_name_has_more_than_the_hundred_and_twenty_eight_characters_that_models_take_\
     by_now_and_is_shortened_by_some_clients",
];

/// Servers with names that become alike in some clients.
const SERVERS: [&str; 2] = ["my_server", "my-server"];

/// The tool that is switched off.
const OFF: &str = "plain";

/// A home in which a client has our servers, which are connected.
struct Setup {
    host: TestHost,
    client: Client,
    servers: Vec<ServerId>,
    _taps: Vec<Wiretap>,
}

impl Setup {
    /// `lists` is true for a client whose entries list the tools that are off.
    async fn new(client: Client, lists: bool) -> Self {
        let host = TestHost::new();
        let tools = TOOLS.map(|name| {
            json!({ "name": name, "description": "A tool.", "inputSchema": {
                "type": "object", "properties": { "text": { "type": "string" } },
            } })
        });
        let tools = json!({ "tools": tools }).to_string();
        let mut taps = Vec::new();
        let mut servers = Vec::new();
        for name in SERVERS {
            let tap = Wiretap::new();
            let entry =
                programs::scripted(&tap, &[("initialize", INITIALIZED), ("tools/list", &tools)]);
            let words: Vec<&str> = entry["args"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let mut draft = draft(name, program("sh", &words, &[]));
            draft.tools = lists.then(|| DraftTools {
                enabled: None,
                disabled: vec![OFF.to_owned()],
            });
            let target = Target::new(client, "user");
            change(&host.inspector, &ConfigAction::Add { target, draft });
            let server = ServerId::new(client.id(), name);
            host.connect(&server).await;
            servers.push(server);
            taps.push(tap);
        }
        Self {
            host,
            client,
            servers,
            _taps: taps,
        }
    }

    /// The names of all tools, as we tell them, or of the one that is switched off.
    fn told(&self, scheme: NamingScheme, is_wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let view = self
            .host
            .inspector
            .clients
            .llm_tools
            .model_names(scheme, &self.servers)
            .expect("connected");
        let is_left_out = |one: &QualifiedName| {
            let mut texts = one.warnings.iter().map(|warning| &warning.text);
            texts.any(|text| text.contains("leaves out"))
        };
        let names = view.names.into_iter();
        names
            .filter(|one| is_wanted(&one.item) && !is_left_out(one))
            .map(|one| one.name)
            .collect()
    }

    /// Switches the tool off by rules, as the window does.
    fn switch_off(&self, scheme: NamingScheme) {
        let off = self.told(scheme, |tool| tool == OFF).into_iter().collect();
        change(
            &self.host.inspector,
            &ConfigAction::SwitchTools {
                target: Target::new(self.client, "user"),
                off,
                on: Vec::new(),
            },
        );
    }

    /// Names of our tools in the first request of a client that has some.
    async fn sent(
        &self,
        program: &Path,
        words: &[&str],
        variables: &[(&str, &str)],
        mut requests: UnboundedReceiver<String>,
    ) -> BTreeSet<String> {
        let mut command = command(&self.host, program);
        command
            .args(words)
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let _running = process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let first = async {
            loop {
                let request = requests.recv().await.expect("the endpoint listens");
                let names = our_names(&request);
                if !names.is_empty() {
                    return names;
                }
            }
        };
        timeout(LIMIT, first).await.expect("it asks its model")
    }

    /// Asserts that a client sends what we tell, without the tool that is off and those that we say
    /// are left out.
    fn agrees(&self, scheme: NamingScheme, sent: &BTreeSet<String>) {
        assert_eq!(*sent, self.told(scheme, |tool| tool != OFF));
    }
}

/// Names of the tools of our servers in a request to a model, of whatever interface.
fn our_names(request: &str) -> BTreeSet<String> {
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let tools = body["tools"].as_array().into_iter().flatten();
    let names = tools.flat_map(|tool| {
        let own = [tool, &tool["function"]];
        let name = own.iter().find_map(|tool| tool["name"].as_str());
        let inner = ["tools", "functionDeclarations"]
            .iter()
            .filter_map(|key| tool[*key].as_array())
            .flatten();
        // Codex puts the tools of a server into a namespace.
        let inner: Vec<String> = inner
            .filter_map(|tool| {
                let inner = tool["name"].as_str()?;
                Some(match name {
                    Some(namespace) => format!("{namespace}__{inner}"),
                    None => inner.to_owned(),
                })
            })
            .collect();
        if inner.is_empty() {
            name.map(str::to_owned).into_iter().collect()
        } else {
            inner
        }
    });
    names
        .filter(|name| {
            ["my_server", "my-server"]
                .iter()
                .any(|own| name.contains(own))
        })
        .collect()
}

/// An endpoint that refuses whatever a model is asked.
async fn refusing() -> (String, UnboundedReceiver<String>) {
    let error = json!({ "error": { "type": "invalid_request_error", "message": "No." } });
    model::serve(model::answer("400 Bad Request", &error.to_string())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_sends_the_names_that_we_tell() {
    let Some(claude) = installed("claude") else {
        return;
    };
    let scheme = NamingScheme::ClaudeCode;
    let setup = Setup::new(Client::ClaudeCode, false).await;
    setup.switch_off(scheme);
    let (address, requests) = refusing().await;
    let variables = [
        ("ANTHROPIC_BASE_URL", address.as_str()),
        ("ANTHROPIC_API_KEY", "none"),
        // All tools at once.
        ("ENABLE_TOOL_SEARCH", "false"),
    ];
    let sent = setup
        .sent(&claude, &["-p", "Hi"], &variables, requests)
        .await;
    setup.agrees(scheme, &sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_sends_the_names_that_we_tell() {
    let Some(codex) = installed("codex") else {
        return;
    };
    let setup = Setup::new(Client::Codex, true).await;
    let (address, requests) = refusing().await;
    let config = setup.host.home().join(".codex/config.toml");
    let servers = std::fs::read_to_string(&config).expect("readable");
    let provider = format!(
        "model = \"m\"\nmodel_provider = \"local\"\n{servers}\n[model_providers.local]\nname = \
         \"local\"\nbase_url = \"{address}/v1\"\nenv_key = \"KEY\"\nwire_api = \"responses\"\n"
    );
    setup.host.write(&config, &provider);
    let words = ["exec", "--skip-git-repo-check", "Hi"];
    let sent = setup
        .sent(&codex, &words, &[("KEY", "none")], requests)
        .await;
    setup.agrees(NamingScheme::Codex, &sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_sends_the_names_that_we_tell() {
    let Some(opencode) = installed("opencode") else {
        return;
    };
    let scheme = NamingScheme::Opencode;
    let setup = Setup::new(Client::Opencode, false).await;
    setup.switch_off(scheme);
    let (address, requests) = refusing().await;
    let provider = json!({
        "model": "local/m",
        "small_model": "local/m",
        "provider": { "local": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Local",
            "options": { "baseURL": format!("{address}/v1"), "apiKey": "none" },
            "models": { "m": { "name": "m" } },
        } },
    });
    let config = setup.host.project().join("opencode.json");
    setup.host.write(&config, &provider.to_string());
    let sent = setup.sent(&opencode, &["run", "Hi"], &[], requests).await;
    setup.agrees(scheme, &sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_cli_sends_the_names_that_we_tell() {
    let Some(gemini) = installed("gemini") else {
        return;
    };
    let setup = Setup::new(Client::Gemini, true).await;
    // In a folder that the user does not trust it uses no server at all.
    let project = setup.host.project().display().to_string();
    let trusted = setup.host.home().join(".gemini/trustedFolders.json");
    let folders = json!({ project: "TRUST_FOLDER" });
    setup.host.write(&trusted, &folders.to_string());
    let settings = setup.host.home().join(".gemini/settings.json");
    let text = std::fs::read_to_string(&settings).expect("readable");
    let mut own: Value = serde_json::from_str(&text).expect("JSON");
    own["security"] = json!({ "auth": { "selectedType": "gemini-api-key" } });
    setup.host.write(&settings, &own.to_string());
    let (address, requests) = refusing().await;
    let variables = [
        ("GOOGLE_GEMINI_BASE_URL", address.as_str()),
        ("GEMINI_API_KEY", "none"),
    ];
    // Without a user to ask it leaves out the tools that would have to be confirmed.
    let words = [
        "-p",
        "Hi",
        "-m",
        "gemini-2.5-pro",
        "--approval-mode",
        "yolo",
    ];
    let sent = setup.sent(&gemini, &words, &variables, requests).await;
    setup.agrees(NamingScheme::GeminiCli, &sent);
}
