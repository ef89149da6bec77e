//! `grep`: searches what all servers offer, connecting to them side by side.

use anstyle::Style;
use clap::Args;
use futures::{StreamExt, stream};
use regex::{Regex, RegexBuilder};
use serde::Serialize;
use serde_json::Value;
use sightglass_inspector::ListKind;

use crate::{
    addressed::unusable_files,
    error::CliError,
    host::{ConnectedServer, Host},
    narration,
    outcome::Outcome,
    style::{FAINT, NAME, WARNING, counted, harmless, styled},
    table::Table,
    target::Target,
    workflow,
};

/// Servers that are connected at once: each may be a program that is started.
const MAX_AT_ONCE: usize = 16;

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli grep <PATTERN> [SERVER]… [OPTIONS]",
    after_help = "What is searched: names, titles, addresses and descriptions of tools, resources, \
                  resource templates and prompts, and their arguments. A server that cannot be \
                  searched is told on stderr, and holds up no other; the command fails when none \
                  could be."
)]
pub(crate) struct Grep {
    /// The text to find, in any case
    #[arg(value_name = "PATTERN")]
    pattern: String,
    /// The servers to search, by name or URL; all that are configured by default
    #[arg(value_name = "SERVER")]
    servers: Vec<String>,
    /// Take the pattern for a regular expression
    #[arg(long)]
    regex: bool,
    /// Tell upper case from lower case
    #[arg(long)]
    case_sensitive: bool,
}

/// Something that was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundItem {
    server: String,
    kind: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The parts of it that have the pattern.
    found_in: Vec<&'static str>,
}

/// A server that was not searched, or a list of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Unsearched {
    server: String,
    message: String,
    hint: Option<String>,
    #[serde(skip)]
    error: CliError,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GrepReport {
    matches: Vec<FoundItem>,
    /// Number of servers that were searched.
    servers: usize,
    failures: Vec<Unsearched>,
    unread_files: Vec<String>,
}

/// Outcome of the search in one server.
#[derive(Default)]
struct Searched {
    items: Vec<FoundItem>,
    failures: Vec<Unsearched>,
    is_connected: bool,
}

impl Grep {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let pattern = self.pattern()?;
        let targets = self.targets(host)?;
        host.narrate_all();
        let count = targets.len();
        let searches = targets.into_iter().enumerate().map(|(at, target)| {
            let pattern = &pattern;
            async move { (at, search(host, &target, pattern).await) }
        });
        let mut searches = stream::iter(searches).buffer_unordered(MAX_AT_ONCE);
        let mut searched: Vec<Searched> = Vec::new();
        searched.resize_with(count, Searched::default);
        while let Some((at, one)) = searches.next().await {
            // Those that answer late hold up nothing that is known.
            if streams(host) && !one.items.is_empty() {
                workflow::print_line(table(&one.items).trim_end());
            }
            searched[at] = one;
        }
        let mut found = GrepReport {
            matches: Vec::new(),
            servers: searched.iter().filter(|one| one.is_connected).count(),
            failures: Vec::new(),
            unread_files: unusable_files(&host.inspector),
        };
        for one in searched {
            found.matches.extend(one.items);
            found.failures.extend(one.failures);
        }
        self.outcome(host, found)
    }

    fn pattern(&self) -> Result<Regex, CliError> {
        let text = match self.regex {
            true => self.pattern.clone(),
            false => regex::escape(&self.pattern),
        };
        let built = RegexBuilder::new(&text)
            .case_insensitive(!self.case_sensitive)
            .build();
        built.map_err(|error| {
            CliError::usage(
                &format!("The pattern is no regular expression: {error}."),
                "Without `--regex` it is found as it is written.",
            )
        })
    }

    /// The servers that are meant.
    fn targets(&self, host: &Host) -> Result<Vec<Target>, CliError> {
        if self.servers.len() != 1 {
            host.options.refuse_those_of_one_server(
                "several are searched",
                "Name the server that is meant after the pattern.",
            )?;
        }
        if !self.servers.is_empty() {
            return Ok(self.servers.iter().cloned().map(Target::of).collect());
        }
        let servers = host.inspector.snapshot().servers;
        let in_use = servers.iter().filter(|server| !server.disabled);
        let targets: Vec<Target> = in_use
            .map(|server| Target::Named(server.id.as_str().to_owned()))
            .collect();
        if targets.is_empty() {
            return Err(CliError::usage(
                "No server is configured here.",
                "`sightglass-cli grep PATTERN URL` searches one that is not; `sightglass-cli config \
                 add` adds one.",
            ));
        }
        Ok(targets)
    }

    fn outcome(&self, host: &Host, found: GrepReport) -> Result<Outcome, CliError> {
        let mut failures = found.failures.iter();
        let has_failed = found.servers == 0;
        if has_failed {
            // It is the error of the command.
            failures.next();
        }
        if !host.options.json {
            for failure in failures {
                let hint = failure.hint.as_deref().unwrap_or_default();
                let line = format!("{} {hint}", failure.message);
                narration::tell(&styled(WARNING, &harmless(&line)));
            }
            for path in &found.unread_files {
                let line = format!("{path} cannot be read, so that its servers are not searched.");
                narration::tell(&styled(WARNING, &harmless(&line)));
            }
            if found.matches.is_empty() && !has_failed {
                let servers = counted(found.servers, "server");
                narration::tell(&format!("Nothing of {servers} has that."));
            }
        }
        let outcome = match streams(host) {
            true => Outcome::nothing(),
            false => Outcome::of(&found, table(&found.matches))?,
        };
        let error = found.failures.into_iter().next();
        Ok(match error.filter(|_| has_failed) {
            Some(failure) => outcome.with_error(failure.error),
            None => outcome,
        })
    }
}

/// Returns true when what was found is printed as it is found: not as JSON, nor where it may be cut.
fn streams(host: &Host) -> bool {
    !host.options.json && host.options.max_chars.is_none()
}

/// Searches one server, and ends the connection to it.
async fn search(host: &Host, target: &Target, pattern: &Regex) -> Searched {
    let server = match host.connect_beside_others(target).await {
        Ok(server) => server,
        Err(error) => {
            let name = match target {
                Target::Named(name) => name,
                Target::Url(_) | Target::Program { .. } => "The server",
            };
            return Searched {
                failures: vec![Unsearched::new(name, error)],
                ..Searched::default()
            };
        }
    };
    let mut searched = Searched {
        is_connected: true,
        ..Searched::default()
    };
    for kind in ListKind::ALL {
        match listed(&server, kind) {
            Ok(items) => {
                let found = items.iter().filter_map(|item| find(kind, item, pattern));
                let id = server.id.as_str();
                searched.items.extend(found.map(|found| FoundItem {
                    server: id.to_owned(),
                    ..found
                }));
            }
            Err(error) => {
                let failure = Unsearched::new(server.id.as_str(), error);
                searched.failures.push(failure);
            }
        }
    }
    let connections = &host.inspector.servers.open_connections;
    connections.disconnect(&server.id).await;
    searched
}

/// The items of a list; none where the server does not offer it.
fn listed(server: &ConnectedServer<'_>, kind: ListKind) -> Result<Vec<Value>, CliError> {
    let lists = &server.inspector().calls.lists;
    let Some(text) = lists.list_result(&server.id, kind)? else {
        return Ok(Vec::new());
    };
    let list: Value =
        serde_json::from_str(&text).map_err(|error| CliError::system(&error.to_string()))?;
    Ok(match list {
        Value::Object(mut members) => match members.remove(kind.member()) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    })
}

/// Returns what is shown of an item that has the pattern; the server is filled in later.
fn find(kind: ListKind, item: &Value, pattern: &Regex) -> Option<FoundItem> {
    let text = |name: &str| item[name].as_str().map(str::to_owned);
    let address = text("uri").or_else(|| text("uriTemplate"));
    let parts = [
        ("name", text("name")),
        ("title", text("title")),
        ("uri", address.clone()),
        ("description", text("description")),
    ];
    let mut found_in: Vec<&'static str> = parts
        .iter()
        .filter(|(_, text)| text.as_deref().is_some_and(|text| pattern.is_match(text)))
        .map(|(name, _)| *name)
        .collect();
    if arguments(item).any(|text| pattern.is_match(text)) {
        found_in.push("arguments");
    }
    (!found_in.is_empty()).then(|| FoundItem {
        server: String::new(),
        kind: match kind {
            ListKind::Tools => "tool",
            ListKind::Resources => "resource",
            ListKind::ResourceTemplates => "resourceTemplate",
            ListKind::Prompts => "prompt",
        },
        name: text("name").unwrap_or_default(),
        title: text("title"),
        uri: address,
        description: text("description"),
        found_in,
    })
}

/// The names and descriptions of what a tool or a prompt is given.
fn arguments(item: &Value) -> impl Iterator<Item = &str> {
    let properties = item["inputSchema"]["properties"].as_object();
    let of_tool = properties.into_iter().flatten().flat_map(|(name, schema)| {
        let described = schema["description"].as_str();
        [Some(name.as_str()), described]
    });
    let of_prompt = item["arguments"].as_array().into_iter().flatten();
    let of_prompt = of_prompt.flat_map(|one| [one["name"].as_str(), one["description"].as_str()]);
    of_tool.chain(of_prompt).flatten()
}

/// A line for each, as it is found.
fn table(items: &[FoundItem]) -> String {
    let mut table = Table::default();
    for item in items {
        let word = match item.kind {
            "resourceTemplate" => "template",
            kind => kind,
        };
        let name = match &item.uri {
            Some(uri) => uri,
            None => &item.name,
        };
        let described = item.description.as_ref().or(item.title.as_ref());
        table.row([
            (item.server.clone(), FAINT),
            (word.to_owned(), FAINT),
            (name.clone(), NAME),
            (described.cloned().unwrap_or_default(), Style::new()),
        ]);
    }
    table.render()
}

impl Unsearched {
    fn new(server: &str, error: CliError) -> Self {
        Self {
            server: server.to_owned(),
            message: error.message.clone(),
            hint: error.hint.clone(),
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found_in(item: &Value, pattern: &str) -> Vec<&'static str> {
        let pattern = Regex::new(pattern).expect("a pattern");
        find(ListKind::Tools, item, &pattern)
            .map(|found| found.found_in)
            .unwrap_or_default()
    }

    #[test]
    fn each_part_of_an_item_is_searched() {
        let tool = json!({
            "name": "fetch",
            "title": "Fetch a page",
            "description": "Gets what an address has.",
            "inputSchema": { "properties": { "url": { "description": "Where it is" }, "odd": true } },
        });
        assert_eq!(found_in(&tool, "(?i)fetch"), ["name", "title"]);
        assert_eq!(found_in(&tool, "^Gets"), ["description"]);
        assert_eq!(found_in(&tool, "url|Where"), ["arguments"]);
        let prompt = json!({ "name": "a", "arguments": [{ "name": "topic" }, 7] });
        assert_eq!(found_in(&prompt, "topic"), ["arguments"]);
        assert!(found_in(&json!({ "name": 7, "inputSchema": [] }), "7").is_empty());
        assert!(found_in(&json!("fetch"), "fetch").is_empty());
    }
}
