//! A request's file, read and checked.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::Spanned;

use crate::{
    exact,
    expectation::{Expectation, Predicate, Source, duration},
    path::Path,
    template::{Reference, Template},
    text::{RequestProblem, content_start, offset_in, toml_message, toml_problem},
};

/// The version of the format that this reads and writes.
pub(crate) const FORMAT: u32 = 1;

/// A request, as its file says.
#[derive(Debug, Clone)]
pub struct RequestFile {
    pub name: Option<String>,
    pub description: Option<String>,
    pub tags: Vec<String>,
    pub server: RequestServer,
    pub era: RequestEra,
    pub method: String,
    /// JSON text of an object, as it is written, with references in it.
    pub params: String,
    pub timeout: Option<Duration>,
    /// Reason why it is not run.
    pub skip: Option<String>,
    /// JSON texts, by the method of the server's question or the name of its input request.
    pub answers: BTreeMap<String, String>,
    pub captures: Vec<(String, Source)>,
    pub expectations: Vec<Expectation>,
    pub masks: Vec<Path>,
}

/// The server that a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestServer {
    /// A name of the effective configuration.
    Named(String),
    Inline(InlineServer),
}

/// A server that the file defines itself. It is approved like any other that comes with a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineServer {
    pub name: Option<String>,
    pub endpoint: InlineEndpoint,
}

/// How an inline server is reached; `${VAR}` is put in as in `.mcp.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InlineEndpoint {
    Program {
        command: String,
        arguments: Vec<String>,
        environment: BTreeMap<String, String>,
        /// Relative to the project.
        directory: Option<String>,
    },
    Remote {
        url: String,
        headers: BTreeMap<String, String>,
        /// `http`, `sse` or `ws`; found out where it is absent.
        transport: Option<String>,
    },
}

/// Era of the protocol that a request is sent in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, Serialize, specta::Type,
)]
#[serde(rename_all = "snake_case")]
pub enum RequestEra {
    /// As the server is configured.
    #[default]
    Auto,
    Modern,
    Legacy,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    format: Spanned<u32>,
    name: Option<String>,
    description: Option<String>,
    #[serde(default)]
    tags: Vec<Spanned<String>>,
    server: Spanned<toml::Value>,
    #[serde(default)]
    era: RequestEra,
    method: Spanned<String>,
    params: Option<Spanned<String>>,
    timeout: Option<Spanned<String>>,
    skip: Option<String>,
    #[serde(default)]
    answers: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    capture: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    mask: Vec<Spanned<String>>,
    #[serde(default)]
    expect: Vec<Spanned<RawExpectation>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpectation {
    value: Spanned<String>,
    is: Spanned<String>,
    to: Option<Spanned<toml::Value>>,
    /// `to` as JSON text, for numbers of any size.
    to_json: Option<Spanned<String>>,
    #[serde(default)]
    not: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawServer {
    name: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    transport: Option<String>,
}

impl RequestFile {
    /// Reads the text of a file. A field that is not known is a problem: it would be a check that
    /// is never made.
    ///
    /// # Errors
    /// Everything that is wrong with it, at its place.
    pub fn parse(text: &str) -> Result<Self, Vec<RequestProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: Raw = toml::from_str(text).map_err(|error| vec![toml_problem(text, &error)])?;
        if *raw.format.get_ref() != FORMAT {
            let message = format!(
                "This is format {}, and this version of Sightglass reads format {FORMAT}.",
                raw.format.get_ref()
            );
            return Err(vec![RequestProblem::at(
                text,
                raw.format.span().start,
                message,
            )]);
        }
        let mut reader = Reader {
            text,
            problems: Vec::new(),
        };
        let file = reader.file(raw);
        match (file, reader.problems.is_empty()) {
            (Some(file), true) => Ok(file),
            _ => Err(reader.problems),
        }
    }

    /// Every reference in the texts of the file.
    pub fn references(&self) -> BTreeSet<Reference> {
        let mut found = BTreeSet::new();
        let mut add = |template: Template| found.extend(template.references().cloned());
        add(Template::json(&self.params));
        self.answers
            .values()
            .for_each(|text| add(Template::json(text)));
        for expectation in &self.expectations {
            each_text(&expectation.argument, &mut |text| {
                add(Template::plain(text))
            });
        }
        found
    }

    /// The tool, prompt or resource that it is for, where the parameters name one.
    pub fn subject(&self) -> Option<String> {
        let sample = Template::sample(&self.params);
        let params: Value = serde_json::from_str(&sample).ok()?;
        let name = params.get("name").or_else(|| params.get("uri"))?;
        name.as_str().map(str::to_owned)
    }
}

/// Calls `with` for each text of a value.
pub(crate) fn each_text(value: &Value, with: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => with(text),
        Value::Array(elements) => elements.iter().for_each(|element| each_text(element, with)),
        Value::Object(members) => members.values().for_each(|member| each_text(member, with)),
        _ => {}
    }
}

struct Reader<'a> {
    text: &'a str,
    problems: Vec<RequestProblem>,
}

impl Reader<'_> {
    fn problem(&mut self, offset: usize, message: impl Into<String>) {
        self.problems
            .push(RequestProblem::at(self.text, offset, message));
    }

    fn file(&mut self, raw: Raw) -> Option<RequestFile> {
        let server = self.server(raw.server);
        if raw.method.get_ref().trim().is_empty() {
            self.problem(raw.method.span().start, "The method is empty.");
        }
        if raw.method.get_ref().trim().starts_with("notifications/") {
            self.problem(
                raw.method.span().start,
                "A notification has no answer to check. Give the method of a request, such as \
                 tools/call.",
            );
        }
        let params = match &raw.params {
            Some(params) => {
                self.object(params, "The parameters");
                params.get_ref().trim().to_owned()
            }
            None => "{}".to_owned(),
        };
        if let (Some(written), "tools/call" | "prompts/get") =
            (&raw.params, raw.method.get_ref().as_str())
            && self.problems.is_empty()
            && !names_a_subject(&params)
        {
            self.problem(written.span().start, "The parameters have no `name`.");
        }
        let timeout = raw.timeout.and_then(|timeout| {
            let limit = duration(timeout.get_ref()).filter(|limit| !limit.is_zero());
            if limit.is_none() {
                self.problem(
                    timeout.span().start,
                    "This is no time limit. Write it as \"10s\" or \"500ms\".",
                );
            }
            limit
        });
        let mut answers = BTreeMap::new();
        for (name, answer) in raw.answers {
            self.object(&answer, "An answer");
            answers.insert(name, answer.into_inner());
        }
        let captures = raw
            .capture
            .into_iter()
            .filter_map(|(name, source)| Some((name, self.source(&source)?)))
            .collect();
        let masks = raw
            .mask
            .iter()
            .filter_map(|mask| match Path::parse(mask.get_ref()) {
                Ok(path) => Some(path),
                Err(message) => {
                    self.problem(mask.span().start, message);
                    None
                }
            })
            .collect();
        let tags = raw.tags.into_iter().map(Spanned::into_inner).collect();
        let expectations = raw
            .expect
            .into_iter()
            .filter_map(|expectation| self.expectation(expectation))
            .collect();
        Some(RequestFile {
            name: raw.name,
            description: raw.description,
            tags,
            server: server?,
            era: raw.era,
            method: raw.method.into_inner().trim().to_owned(),
            params,
            timeout,
            skip: raw.skip,
            answers,
            captures,
            expectations,
            masks,
        })
    }

    /// Checks that a text is a JSON object once its references are filled in.
    fn object(&mut self, written: &Spanned<String>, what: &str) {
        let content = written.get_ref();
        let sample = Template::sample(content);
        let message = match serde_json::from_str::<Map<String, Value>>(&sample) {
            Ok(_) => return,
            Err(error) if error.is_data() => {
                self.problem(
                    written.span().start,
                    format!("{what} must be a JSON object."),
                );
                return;
            }
            Err(error) => error,
        };
        let start = content_start(self.text, &written.span());
        // Only a literal string has its content in the file byte for byte.
        let is_verbatim = self
            .text
            .get(start..)
            .is_some_and(|rest| rest.starts_with(content.as_str()));
        let offset = match is_verbatim {
            true => start + offset_in(content, message.line(), message.column()),
            false => written.span().start,
        };
        let reason = message.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        self.problem(offset, format!("{what} must be JSON: {reason}."));
    }

    fn source(&mut self, written: &Spanned<String>) -> Option<Source> {
        match Source::parse(written.get_ref()) {
            Ok(source) => Some(source),
            Err(message) => {
                self.problem(written.span().start, message);
                None
            }
        }
    }

    fn expectation(&mut self, written: Spanned<RawExpectation>) -> Option<Expectation> {
        let start = written.span().start;
        let line = RequestProblem::at(self.text, start, "").line;
        let raw = written.into_inner();
        let source = self.source(&raw.value);
        let predicate = match Predicate::parse(raw.is.get_ref()) {
            Ok(predicate) => Some(predicate),
            Err(message) => {
                self.problem(raw.is.span().start, message);
                None
            }
        };
        let (argument, place) = match (raw.to, raw.to_json) {
            (Some(_), Some(json)) => {
                self.problem(
                    json.span().start,
                    "There is `to` and `to_json`; one is enough.",
                );
                return None;
            }
            (Some(to), None) => {
                let place = to.span().start;
                (Some(json_of(to.into_inner())), place)
            }
            (None, Some(json)) => match exact::read(json.get_ref()) {
                Ok(value) => (Some(value), json.span().start),
                Err(error) => {
                    self.problem(json.span().start, format!("This is not JSON: {error}."));
                    return None;
                }
            },
            (None, None) => (None, start),
        };
        let (source, predicate) = (source?, predicate?);
        if let Some(message) = predicate.problem_with(&source, argument.as_ref()) {
            self.problem(place, message);
            return None;
        }
        Some(Expectation {
            source,
            predicate,
            is_negated: raw.not,
            argument: argument.unwrap_or_default(),
            line,
        })
    }

    fn server(&mut self, written: Spanned<toml::Value>) -> Option<RequestServer> {
        let place = written.span().start;
        let raw = match written.into_inner() {
            toml::Value::String(name) if !name.trim().is_empty() => {
                return Some(RequestServer::Named(name.trim().to_owned()));
            }
            table @ toml::Value::Table(_) => match table.try_into::<RawServer>() {
                Ok(raw) => raw,
                Err(error) => {
                    self.problem(place, toml_message(&error));
                    return None;
                }
            },
            _ => {
                let message = "The server is its name in the configuration, or a table [server].";
                self.problem(place, message);
                return None;
            }
        };
        let endpoint = match (raw.command, raw.url) {
            (Some(command), None) if raw.headers.is_empty() && raw.transport.is_none() => {
                InlineEndpoint::Program {
                    command,
                    arguments: raw.args,
                    environment: raw.env,
                    directory: raw.cwd,
                }
            }
            (None, Some(url)) if raw.args.is_empty() && raw.env.is_empty() && raw.cwd.is_none() => {
                let known = ["http", "sse", "ws"];
                if raw
                    .transport
                    .as_deref()
                    .is_some_and(|name| !known.contains(&name))
                {
                    let message = format!("The transport is one of {}.", known.join(", "));
                    self.problem(place, message);
                    return None;
                }
                InlineEndpoint::Remote {
                    url,
                    headers: raw.headers,
                    transport: raw.transport,
                }
            }
            _ => {
                self.problem(
                    place,
                    "The server has either `command` with `args`, `env` and `cwd`, or `url` with \
                     `headers` and `transport`.",
                );
                return None;
            }
        };
        Some(RequestServer::Inline(InlineServer {
            name: raw.name,
            endpoint,
        }))
    }
}

/// Tells whether the parameters of a call name what is called.
fn names_a_subject(params: &str) -> bool {
    let sample = Template::sample(params);
    let params: Option<Map<String, Value>> = serde_json::from_str(&sample).ok();
    params.is_none_or(|params| params.get("name").is_some_and(Value::is_string))
}

/// A value of TOML as JSON. A date is its text.
fn json_of(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => {
            serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
        }
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(elements) => elements.into_iter().map(json_of).collect(),
        toml::Value::Table(members) => {
            let members = members
                .into_iter()
                .map(|(name, value)| (name, json_of(value)));
            Value::Object(members.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
# A comment.
format = 1
name = "echo answers what it was given"
tags = ["smoke", "fast"]
server = "demo"
method = "tools/call"
params = '''
{ "name": "echo", "arguments": { "message": "{{greeting}}", "n": {{count}}, "price": 1.50 } }
'''
timeout = "10s"

[answers]
"elicitation/create" = '{"action":"accept","content":{"name":"{{secret.NAME}}"}}'

[capture]
id = "$.structuredContent.id"

[[expect]]
value = "is_error"
is = "equals"
to = false

[[expect]]
value = "$.structuredContent.n"
is = "equals"
to_json = "123456789012345678901"
not = true
"#;

    #[test]
    fn a_whole_file_is_read() {
        let file = RequestFile::parse(WHOLE).expect("a request");
        assert_eq!(file.server, RequestServer::Named("demo".into()));
        assert_eq!(file.subject().as_deref(), Some("echo"));
        assert!(file.params.contains("1.50"));
        assert_eq!(file.timeout, Some(Duration::from_secs(10)));
        let references: Vec<String> = file.references().iter().map(ToString::to_string).collect();
        assert_eq!(references, ["count", "greeting", "secret.NAME"]);
        let labels: Vec<String> = file.expectations.iter().map(ToString::to_string).collect();
        assert_eq!(
            labels,
            [
                "is_error equals false",
                "$.structuredContent.n not equals 123456789012345678901"
            ]
        );
        assert_eq!(file.expectations[0].line, 19);
    }

    fn problem(text: &str) -> RequestProblem {
        let problems = RequestFile::parse(text).expect_err(text);
        problems.into_iter().next().expect("a problem")
    }

    #[test]
    fn what_is_wrong_is_said_at_its_place() {
        let begin = "format = 1\nserver = \"a\"\n";
        for (rest, line, column, says) in [
            ("methd = \"ping\"", 3, 1, "unknown field `methd`"),
            (
                "method = \"ping\"\nparams = '''\n{\n  \"a\": 1,,\n}\n'''",
                6,
                10,
                "must be JSON",
            ),
            (
                "method = \"ping\"\nparams = '[1]'",
                4,
                10,
                "must be a JSON object",
            ),
            (
                "method = \"ping\"\ntimeout = \"fast\"",
                4,
                11,
                "no time limit",
            ),
            ("method = \"tools/call\"\nparams = '{}'", 4, 10, "no `name`"),
            (
                "method = \"ping\"\n[[expect]]\nvalue = \"$.[\"\nis = \"exists\"",
                5,
                9,
                "not a JSONPath",
            ),
            (
                "method = \"ping\"\n[[expect]]\nvalue = \"text\"\nis = \"eq\"",
                6,
                6,
                "eq is no predicate",
            ),
            (
                "method = \"ping\"\n[[expect]]\nvalue = \"text\"\nis = \"matches\"\nto = \"(\"",
                7,
                6,
                "not a regular expression",
            ),
            (
                "method = \"ping\"\n[[expect]]\nvalue = \"text\"\nis = \"count\"\nto = true",
                7,
                6,
                "wants a number",
            ),
            (
                "method = \"ping\"\n[[expect]]\nvalue = \"text\"\nis = \"exists\"\nto = 1",
                7,
                6,
                "takes no `to`",
            ),
            (
                "method = \"ping\"\n[capture]\nx = \"nothing\"",
                5,
                5,
                "no value of an answer",
            ),
        ] {
            let problem = problem(&format!("{begin}{rest}\n"));
            let (at, wanted) = ((problem.line, problem.column), (line, column));
            assert!(
                at == wanted
                    && problem
                        .message
                        .to_lowercase()
                        .contains(&says.to_lowercase()),
                "{rest}: {problem}"
            );
        }
        assert!(
            problem("format = 2\nserver = \"a\"\nmethod = \"ping\"")
                .message
                .contains("reads format 1")
        );
        assert!(
            problem("server = \"a\"\nmethod = \"ping\"")
                .message
                .contains("format")
        );
    }

    #[test]
    fn a_server_of_its_own_is_a_program_or_an_address() {
        let of = |server: &str| {
            RequestFile::parse(&format!("format = 1\nmethod = \"ping\"\n{server}\n"))
        };
        let file = of("[server]\ncommand = \"node\"\nargs = [\"s.js\"]\nenv = { A = \"${B}\" }")
            .expect("a program");
        assert!(matches!(
            file.server,
            RequestServer::Inline(InlineServer {
                endpoint: InlineEndpoint::Program { .. },
                ..
            })
        ));
        assert!(of("[server]\nurl = \"http://localhost:1/mcp\"\nheaders = { X = \"1\" }").is_ok());
        for wrong in [
            "[server]\ncommand = \"a\"\nurl = \"http://b\"",
            "[server]\nname = \"a\"",
            "[server]\ncommand = \"a\"\nheaders = { X = \"1\" }",
            "[server]\nurl = \"http://b\"\ntransport = \"pigeon\"",
            "[server]\ncommand = \"a\"\nshell = true",
            "server = 5",
            "server = \"\"",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
