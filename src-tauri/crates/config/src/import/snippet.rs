//! A snippet in the form of any client, with or without what stands around the servers.

use super::{Candidate, ImportError, bundle, left_out, naming, server_json};
use crate::{
    client::Client,
    definition::{ParsedServers, read_definitions},
    definition::{
        draft::{DraftEndpoint, definition_draft},
        layout::Layout,
    },
    entry::dialect::plain_object,
    text::{
        file::FileState,
        format::FileFormat,
        json::{NodeValue, Object},
        problem::Problem,
        source::Source,
    },
};

pub(super) fn read(text: &str) -> Result<Vec<Candidate>, ImportError> {
    let json = FileFormat::Jsonc.parse(text);
    let problems = FileFormat::Jsonc.problems(&Source::new(text), &json);
    if let (true, Some(NodeValue::Object(root))) = (
        problems.is_empty(),
        json.root.as_ref().map(|root| &root.value),
    ) {
        return read_json(text, root);
    }
    // `"name": { … }`, copied without the braces around it.
    let wrapped = format!("{{{}}}", text.trim_end_matches(','));
    let document = FileFormat::Jsonc.parse(&wrapped);
    if text.starts_with('"')
        && FileFormat::Jsonc
            .problems(&Source::new(&wrapped), &document)
            .is_empty()
        && let Some(NodeValue::Object(root)) = document.root.as_ref().map(|root| &root.value)
    {
        return read_json(&wrapped, root);
    }
    let toml = FileFormat::Toml.parse(text);
    if toml.errors.is_empty()
        && let Some(NodeValue::Object(root)) = toml.root.as_ref().map(|root| &root.value)
    {
        for (client, section) in [(Client::Codex, "mcp_servers"), (Client::Caliban, "server")] {
            if root.get(section).is_some() {
                let layout = Layout::new(FileFormat::Toml, client, &[section]);
                return candidates(&layout, text);
            }
        }
        return Err(ImportError::Unknown);
    }
    let looks_like_toml = text.lines().any(|line| line.trim_start().starts_with('['))
        && !text.starts_with(['{', '[']);
    let problem = if looks_like_toml {
        let problems = FileFormat::Toml.problems(&Source::new(text), &toml);
        problems.into_iter().next()
    } else if text.starts_with('{') {
        problems.into_iter().next()
    } else {
        None
    };
    Err(problem.map_or(ImportError::Unknown, broken))
}

fn broken(problem: Problem) -> ImportError {
    ImportError::Broken {
        line: problem.line,
        column: problem.column,
        message: problem.message,
    }
}

fn read_json(text: &str, root: &Object) -> Result<Vec<Candidate>, ImportError> {
    let object = |key: &str| match root.get(key).map(|member| &member.value.value) {
        Some(NodeValue::Object(inner)) => Some(inner),
        _ => None,
    };
    if root.get("manifest_version").is_some() || root.get("dxt_version").is_some() {
        return bundle::of_manifest(&plain_object(root)).map(|found| vec![found]);
    }
    if root.get("packages").is_some() || root.get("remotes").is_some() {
        return Ok(server_json::candidates(&plain_object(root)));
    }
    if let Some(server) = object("server")
        && (server.get("packages").is_some() || server.get("remotes").is_some())
    {
        return Ok(server_json::candidates(&plain_object(server)));
    }
    let layout = |client, section: &[&str]| Layout::new(FileFormat::Jsonc, client, section);
    if let Some(servers) = object("mcpServers") {
        let client = client_of_entries(servers).unwrap_or(Client::McpJson);
        return candidates(&layout(client, &["mcpServers"]), text);
    }
    if object("servers").is_some() {
        return candidates(&layout(Client::Vscode, &["servers"]), text);
    }
    if object("context_servers").is_some() {
        return candidates(&layout(Client::Zed, &["context_servers"]), text);
    }
    if let Some(mcp) = object("mcp") {
        let servers = mcp.get("servers").map(|member| &member.value.value);
        if let Some(NodeValue::Object(servers)) = servers
            && client_of_entries(servers) != Some(Client::Opencode)
            && !Layout::opencode().is_server_instead(servers)
        {
            return candidates(&layout(Client::Vscode, &["mcp", "servers"]), text);
        }
        return candidates(&Layout::opencode(), text);
    }
    if is_entry(root) {
        return lone_entry(text, root);
    }
    let all_entries = !root.members.is_empty()
        && root.members.iter().all(
            |member| matches!(&member.value.value, NodeValue::Object(entry) if is_entry(entry)),
        );
    if all_entries {
        let client = client_of_entries(root).unwrap_or(Client::McpJson);
        return candidates(&layout(client, &[]), text);
    }
    Err(ImportError::Unknown)
}

/// Returns true when an object reads as one server.
fn is_entry(object: &Object) -> bool {
    ["command", "url", "serverUrl", "httpUrl"]
        .iter()
        .any(|field| object.get(field).is_some())
}

/// The client that alone writes such entries.
fn client_of_entries(servers: &Object) -> Option<Client> {
    servers.members.iter().find_map(|member| {
        let NodeValue::Object(entry) = &member.value.value else {
            return None;
        };
        let has = |field: &str| entry.get(field).is_some();
        let is_list = matches!(
            entry.get("command").map(|command| &command.value.value),
            Some(NodeValue::Array(_))
        );
        let is_remote = matches!(
            entry.get("type").map(|kind| &kind.value.value),
            Some(NodeValue::String(word)) if word == "remote"
        );
        if is_list || is_remote || has("environment") {
            Some(Client::Opencode)
        } else if has("serverUrl") {
            Some(Client::Windsurf)
        } else if has("httpUrl") {
            Some(Client::Gemini)
        } else {
            None
        }
    })
}

/// Name that stands in the text of an entry that has none, until what it starts is known.
const UNNAMED: &str = "server";

fn name_of(endpoint: &DraftEndpoint) -> String {
    match endpoint {
        DraftEndpoint::Stdio {
            command, arguments, ..
        } => {
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            naming::of_command(command, &words)
        }
        DraftEndpoint::Remote(remote) => match url::Url::parse(&remote.url) {
            Ok(url) => naming::of_url(&url),
            Err(_) => UNNAMED.to_owned(),
        },
    }
}

/// An entry without its name, or with it in a field, as `code --add-mcp` takes it.
fn lone_entry(text: &str, root: &Object) -> Result<Vec<Candidate>, ImportError> {
    let name = match root.get("name").map(|member| &member.value.value) {
        Some(NodeValue::String(name)) => name.clone(),
        _ => UNNAMED.to_owned(),
    };
    let key = serde_json::Value::from(name.as_str());
    let wrapped = format!("{{{key}:{text}}}");
    let client = match FileFormat::Jsonc
        .parse(&wrapped)
        .root
        .map(|root| root.value)
    {
        Some(NodeValue::Object(servers)) => client_of_entries(&servers),
        _ => None,
    };
    let layout = Layout::new(FileFormat::Jsonc, client.unwrap_or(Client::McpJson), &[]);
    let mut found = candidates(&layout, &wrapped)?;
    for candidate in &mut found {
        if name == UNNAMED {
            candidate.draft.name = name_of(&candidate.draft.endpoint);
        }
        // It is what the server is called now.
        candidate.left_out.retain(|lost| lost.field != "name");
    }
    Ok(found)
}

fn candidates(layout: &Layout, text: &str) -> Result<Vec<Candidate>, ImportError> {
    let ParsedServers {
        state, definitions, ..
    } = read_definitions(layout, text);
    if let FileState::Broken { problems } = state
        && let Some(problem) = problems.into_iter().next()
    {
        return Err(broken(problem));
    }
    let client = layout.client;
    let mut found = Vec::new();
    let mut first_problem = None;
    for definition in definitions {
        match definition_draft(&definition) {
            Some(draft) => {
                let left_out = left_out(&definition, &draft, client);
                let notes = left_out
                    .iter()
                    .map(|lost| format!("{}: {}", lost.field, lost.reason))
                    .collect();
                found.push(Candidate {
                    notes,
                    left_out,
                    ..Candidate::new(draft, format!("{} configuration", client.title()))
                });
            }
            None => {
                first_problem = first_problem.or_else(|| definition.first_error().cloned());
            }
        }
    }
    match first_problem {
        Some(problem) if found.is_empty() => Err(broken(problem)),
        _ if found.is_empty() => Err(ImportError::Unknown),
        _ => Ok(found),
    }
}
