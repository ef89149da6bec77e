//! Suites of mcp-rig (<https://pypi.org/project/mcp-rig/>, version 0.4.1, `spec.py`) as requests.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{
    file::{InlineEndpoint, InlineServer, RequestServer},
    folder::RequestPath,
    write::{NewExpectation, NewRequest, new_request},
};

/// Requests of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSuite {
    /// The files and their texts, in the order in which they run.
    pub files: Vec<(RequestPath, String)>,
    /// Parts of the suite that have no equal here, in sentences.
    pub left_out: Vec<String>,
}

/// Reason why a suite cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("This is no suite of mcp-rig: {0}.")]
pub struct SuiteImportError(String);

#[derive(Deserialize)]
struct Suite {
    server: Value,
    tests: Vec<SuiteCase>,
    #[serde(default)]
    setup: Vec<SuiteStep>,
    #[serde(default)]
    teardown: Vec<SuiteStep>,
    #[serde(default)]
    tags: Vec<String>,
    after_timeout: Option<String>,
}

#[derive(Deserialize)]
struct SuiteCase {
    name: String,
    #[serde(flatten)]
    step: SuiteStep,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    verify: Vec<SuiteStep>,
    retry: Option<Value>,
    fault: Option<String>,
}

#[derive(Deserialize)]
struct SuiteStep {
    call: String,
    #[serde(default)]
    args: Map<String, Value>,
    #[serde(default)]
    expect: Map<String, Value>,
    timeout_s: Option<f64>,
}

/// Makes requests of a suite's YAML text, in a folder of that name. The suite's server becomes the
/// inline server of each.
pub fn import_mcp_rig(text: &str, folder: &str) -> Result<ImportedSuite, SuiteImportError> {
    let suite: Suite = serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        SuiteImportError(message.lines().next().unwrap_or_default().to_owned())
    })?;
    let mut writer = SuiteWriter {
        folder: plain(folder),
        server: RequestServer::Inline(server(&suite.server)?),
        tags: suite.tags,
        files: Vec::new(),
        left_out: Vec::new(),
    };
    if suite.after_timeout.is_some() {
        writer.leave_out("`after_timeout`: a request that times out never stops the others.");
    }
    for step in &suite.setup {
        writer.step("setup", step, &[]);
    }
    for case in &suite.tests {
        let name = &case.name;
        writer.step(name, &case.step, &case.tags);
        for step in &case.verify {
            writer.step(&format!("{name} verify"), step, &case.tags);
        }
        if case.retry.is_some() || case.fault.is_some() {
            writer.leave_out(&format!("`retry` and `fault` of {name}."));
        }
    }
    for step in &suite.teardown {
        writer.step("teardown", step, &[]);
    }
    Ok(ImportedSuite {
        files: writer.files,
        left_out: writer.left_out,
    })
}

struct SuiteWriter {
    folder: String,
    server: RequestServer,
    tags: Vec<String>,
    files: Vec<(RequestPath, String)>,
    left_out: Vec<String>,
}

impl SuiteWriter {
    fn leave_out(&mut self, what: &str) {
        self.left_out.push(what.to_owned());
    }

    fn step(&mut self, name: &str, step: &SuiteStep, tags: &[String]) {
        // The number keeps the order of the suite.
        let number = self.files.len() + 1;
        let path = format!("{}/{number:03}-{}.toml", self.folder, plain(name));
        let Ok(path) = RequestPath::parse(&path) else {
            self.leave_out(&format!("{name}, which has no name for a file."));
            return;
        };
        let params = serde_json::json!({ "name": step.call, "arguments": step.args });
        let request = NewRequest {
            name: Some(name.to_owned()),
            tags: self.tags.iter().chain(tags).cloned().collect(),
            server: self.server.clone(),
            method: "tools/call".to_owned(),
            params: format!("{params:#}"),
            // The default of mcp-rig, in seconds.
            timeout: Some(format!("{}s", step.timeout_s.unwrap_or(30.0))),
            expectations: self.expectations(name, &step.expect),
        };
        self.files.push((path, new_request(&request)));
    }

    fn expectations(&mut self, name: &str, expect: &Map<String, Value>) -> Vec<NewExpectation> {
        let mut expectations = Vec::new();
        let mut add = |value: &str, is: &str, is_negated: bool, to: Option<&Value>| {
            expectations.push(NewExpectation {
                value: value.to_owned(),
                is: is.to_owned(),
                is_negated,
                to: to.map(Value::to_string),
            });
        };
        if !expect.contains_key("is_error") {
            // An error is a failure unless it is expected.
            add("is_error", "equals", false, Some(&Value::Bool(false)));
        }
        for (key, value) in expect {
            let each = || match value {
                Value::Array(texts) => texts.clone(),
                text => vec![text.clone()],
            };
            match key.as_str() {
                "is_error" => add("is_error", "equals", false, Some(value)),
                "contains" => each()
                    .iter()
                    .for_each(|text| add("text", "contains", false, Some(text))),
                "not_contains" => each()
                    .iter()
                    .for_each(|text| add("text", "contains", true, Some(text))),
                "matches" => add("text", "matches", false, Some(value)),
                "max_latency_ms" => {
                    let limit = Value::String(format!("{value}ms"));
                    add("duration", "at_most", false, Some(&limit));
                }
                "schema" => add("json", "schema", false, Some(value)),
                "snapshot" => add("json", "snapshot", false, None),
                "json_path" => {
                    for (path, wanted) in value.as_object().into_iter().flatten() {
                        add(
                            &format!("json{}", json_path(path)),
                            "equals",
                            false,
                            Some(wanted),
                        );
                    }
                }
                other => self
                    .left_out
                    .push(format!("`{other}` of {name}, which is not known.")),
            }
        }
        expectations
    }
}

/// `items.0.id` of mcp-rig as a JSONPath.
fn json_path(path: &str) -> String {
    let parts = path.split('.').map(|part| match part.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!("[{}]", Value::String(part.to_owned())),
    });
    std::iter::once("$".to_owned()).chain(parts).collect()
}

/// Letters, digits and dashes of a name.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for character in name.chars().take(60) {
        match character {
            letter if letter.is_ascii_alphanumeric() => plain.push(letter.to_ascii_lowercase()),
            _ if plain.ends_with('-') || plain.is_empty() => {}
            _ => plain.push('-'),
        }
    }
    let plain = plain.trim_end_matches('-');
    if plain.is_empty() {
        "suite".to_owned()
    } else {
        plain.to_owned()
    }
}

fn server(raw: &Value) -> Result<InlineServer, SuiteImportError> {
    let wrong =
        || SuiteImportError("`server` is neither a command, an address nor a mapping".to_owned());
    let texts = |value: Option<&Value>| -> BTreeMap<String, String> {
        let members = value.and_then(Value::as_object).into_iter().flatten();
        let texts =
            members.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())));
        texts.collect()
    };
    let is_url = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    let program = |line: &str, more: Option<&Value>| -> Option<(String, Vec<String>)> {
        let mut words = words(line).into_iter();
        let command = words.next()?;
        let more = more.and_then(Value::as_array).into_iter().flatten();
        let more = more.filter_map(|word| word.as_str().map(str::to_owned));
        Some((command, words.chain(more).collect()))
    };
    let endpoint = match raw {
        Value::String(url) if is_url(url) => InlineEndpoint::Remote {
            url: url.clone(),
            headers: BTreeMap::new(),
            transport: None,
        },
        Value::String(line) => {
            let (command, arguments) = program(line, None).ok_or_else(wrong)?;
            InlineEndpoint::Program {
                command,
                arguments,
                environment: BTreeMap::new(),
                directory: None,
            }
        }
        Value::Object(members) => match members.get("url").and_then(Value::as_str) {
            Some(url) => InlineEndpoint::Remote {
                url: url.to_owned(),
                headers: texts(members.get("headers")),
                transport: None,
            },
            None => {
                let line = members
                    .get("command")
                    .and_then(Value::as_str)
                    .ok_or_else(wrong)?;
                let (command, arguments) = program(line, members.get("args")).ok_or_else(wrong)?;
                let directory = members.get("cwd").and_then(Value::as_str);
                InlineEndpoint::Program {
                    command,
                    arguments,
                    environment: texts(members.get("env")),
                    directory: directory.map(str::to_owned),
                }
            }
        },
        _ => return Err(wrong()),
    };
    Ok(InlineServer {
        name: None,
        endpoint,
    })
}

/// The words of a command line, as a POSIX shell parts them.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| vec![line.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::RequestFile;

    const SUITE: &str = r#"
server: python server.py --port "1 2"
tags: [smoke]
setup:
  - call: reset
tests:
  - name: Adds, twice!
    call: add
    args: { a: 1, b: 2.5 }
    timeout_s: 5
    tags: [math]
    expect:
      contains: ["3.5"]
      not_contains: error
      max_latency_ms: 500
      json_path: { "items.0.sum": 3.5 }
      schema: { type: object }
      snapshot: true
    verify:
      - call: read
        expect: { is_error: true }
    retry: { attempts: 2 }
"#;

    #[test]
    fn a_suite_becomes_requests_in_its_order() {
        let imported = import_mcp_rig(SUITE, "My Suite").expect("a suite");
        let paths: Vec<&str> = imported
            .files
            .iter()
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(
            paths,
            [
                "my-suite/001-setup.toml",
                "my-suite/002-adds-twice.toml",
                "my-suite/003-adds-twice-verify.toml"
            ]
        );
        assert_eq!(imported.left_out, ["`retry` and `fault` of Adds, twice!."]);
        let file = |index: usize| {
            let text = &imported.files[index].1;
            RequestFile::parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
        };
        let labels: Vec<String> = file(1)
            .expectations
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            labels,
            [
                "is_error equals false",
                "text contains \"3.5\"",
                "text not contains \"error\"",
                "duration at_most \"500ms\"",
                "json$[\"items\"][0][\"sum\"] equals 3.5",
                "json schema",
                "json snapshot",
            ]
        );
        assert_eq!(file(1).tags, ["smoke", "math"]);
        assert_eq!(file(2).expectations[0].to_string(), "is_error equals true");
        let RequestServer::Inline(server) = file(0).server else {
            panic!("not inline");
        };
        assert_eq!(
            server.endpoint,
            InlineEndpoint::Program {
                command: "python".into(),
                arguments: vec!["server.py".into(), "--port".into(), "1 2".into()],
                environment: BTreeMap::new(),
                directory: None,
            }
        );
        assert!(import_mcp_rig("tests: []", "x").is_err());
        assert!(import_mcp_rig("- 1", "x").is_err());
    }
}
