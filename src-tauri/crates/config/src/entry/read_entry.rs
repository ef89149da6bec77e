//! Parses one entry of the common form, and reports what is wrong with it.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use sightglass_model::{
    EraChoice, Fingerprint, MAX_TIME_LIMIT, Phase, RemoteTransport, TimeLimits,
};

use crate::{
    entry::{
        UnexpandedEndpoint, UnexpandedRemote, UnexpandedSpec, UnexpandedText, expand::Expansion,
    },
    text::{
        json::{Member, Node, NodeValue, Object},
        problem::{Problem, ProblemKind},
        source::{Position, Source},
    },
};

/// Result of reading an entry.
pub(crate) struct ReadEntry {
    pub disabled: bool,
    pub spec: Result<UnexpandedSpec, Vec<Problem>>,
    pub warnings: Vec<Problem>,
}

/// The transports that an entry can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeclaredTransport {
    Stdio,
    Remote(RemoteTransport),
}

impl DeclaredTransport {
    /// Every spelling that clients write.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "stdio" => Some(Self::Stdio),
            "http" | "streamable-http" | "streamable_http" | "streamableHttp" => {
                Some(Self::Remote(RemoteTransport::Http))
            }
            "sse" => Some(Self::Remote(RemoteTransport::Sse)),
            "ws" | "websocket" => Some(Self::Remote(RemoteTransport::WebSocket)),
            "auto" => Some(Self::Remote(RemoteTransport::Auto)),
            _ => None,
        }
    }
}

/// Reads the value of one server.
pub(crate) fn read_entry(
    source: &Source<'_>,
    name: &Member,
    refuses_two_endpoints: bool,
    expansion: Expansion,
) -> ReadEntry {
    let at = source.position(name.key_range.start);
    let NodeValue::Object(object) = &name.value.value else {
        let found = name.value.value.type_name();
        let problem = Problem::error(
            ProblemKind::WrongType,
            source.position(name.value.range.start),
            format!("A server has to be an object, but this is {found}."),
        );
        return ReadEntry {
            disabled: false,
            spec: Err(vec![problem]),
            warnings: Vec::new(),
        };
    };
    let mut reader = EntryReader {
        source,
        object,
        at,
        refuses_two_endpoints,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    if name.key.is_empty() {
        reader.error(ProblemKind::InvalidValue, at, "A server needs a name.");
    }
    reader.warn_of_duplicates("", object);
    let disabled = reader.is_disabled();
    let limits = reader.limits();
    let era = reader.era();
    let endpoint = reader.endpoint();
    let EntryReader {
        errors, warnings, ..
    } = reader;
    let spec = match endpoint {
        Some(endpoint) if errors.is_empty() => Ok(UnexpandedSpec {
            endpoint,
            era,
            limits,
            expansion,
        }),
        _ => Err(errors),
    };
    ReadEntry {
        disabled,
        spec,
        warnings,
    }
}

struct EntryReader<'a> {
    source: &'a Source<'a>,
    object: &'a Object,
    /// Position of the entry.
    at: Position,
    refuses_two_endpoints: bool,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl<'a> EntryReader<'a> {
    fn error(&mut self, kind: ProblemKind, at: Position, message: impl Into<String>) {
        self.errors.push(Problem::error(kind, at, message));
    }

    fn warning(&mut self, kind: ProblemKind, at: Position, message: impl Into<String>) {
        self.warnings.push(Problem::warning(kind, at, message));
    }

    fn position(&self, node: &Node) -> Position {
        self.source.position(node.range.start)
    }

    fn wrong_type(&mut self, field: &str, wanted: &str, node: &Node) {
        let advice = match node.value {
            NodeValue::Number(_) | NodeValue::Bool(_) if wanted == "a string" => {
                " Put it in double quotes."
            }
            NodeValue::Array(_) if field == "command" => {
                " Name the program alone there, and write its arguments in args."
            }
            _ => "",
        };
        let found = node.value.type_name();
        self.error(
            ProblemKind::WrongType,
            self.position(node),
            format!("{field} has to be {wanted}, but is {found}.{advice}"),
        );
    }

    fn warn_of_duplicates(&mut self, prefix: &str, object: &Object) {
        let mut earlier = HashSet::with_capacity(object.members.len());
        for member in &object.members {
            if !earlier.insert(member.key.as_str()) {
                let key = &member.key;
                self.warning(
                    ProblemKind::DuplicateKey,
                    self.source.position(member.key_range.start),
                    format!("{prefix}{key} stands here again; this last one counts."),
                );
            }
        }
    }

    fn value(&self, field: &str) -> Option<&'a Node> {
        self.object.get(field).map(|member| &member.value)
    }

    fn text_of(&mut self, field: &str, node: &Node) -> Option<UnexpandedText> {
        if let NodeValue::String(text) = &node.value {
            return Some(UnexpandedText {
                text: text.clone().into(),
                at: self.position(node),
            });
        }
        self.wrong_type(field, "a string", node);
        None
    }

    fn text(&mut self, field: &str) -> Option<UnexpandedText> {
        let node = self.value(field)?;
        self.text_of(field, node)
    }

    /// A list of texts; empty when absent or wrong.
    fn texts(&mut self, field: &str) -> Vec<UnexpandedText> {
        let Some(node) = self.value(field) else {
            return Vec::new();
        };
        let NodeValue::Array(elements) = &node.value else {
            self.wrong_type(field, "an array of strings", node);
            return Vec::new();
        };
        elements
            .iter()
            .enumerate()
            .filter_map(|(index, element)| self.text_of(&format!("{field}[{index}]"), element))
            .collect()
    }

    /// Texts by name, in the order of the file; empty when absent or wrong. Of a name that
    /// stands there twice the last one counts.
    fn named_texts(&mut self, field: &str) -> Vec<(String, UnexpandedText)> {
        let Some(node) = self.value(field) else {
            return Vec::new();
        };
        let NodeValue::Object(object) = &node.value else {
            self.wrong_type(field, "an object of strings", node);
            return Vec::new();
        };
        let prefix = format!("{field}.");
        self.warn_of_duplicates(&prefix, object);
        let mut texts: Vec<(String, UnexpandedText)> = Vec::new();
        for member in &object.members {
            let name = &member.key;
            if let Some(text) = self.text_of(&format!("{prefix}{name}"), &member.value) {
                texts.push((name.clone(), text));
            }
        }
        let mut later = HashSet::with_capacity(texts.len());
        texts.reverse();
        texts.retain(|(name, _)| later.insert(name.clone()));
        texts.reverse();
        texts
    }

    fn flag(&mut self, field: &str) -> Option<bool> {
        let node = self.value(field)?;
        if let NodeValue::Bool(flag) = node.value {
            return Some(flag);
        }
        self.wrong_type(field, "true or false", node);
        None
    }

    fn is_disabled(&mut self) -> bool {
        let disabled = self.flag("disabled");
        let enabled = self.flag("enabled");
        if let (Some(disabled), Some(enabled)) = (disabled, enabled)
            && disabled == enabled
        {
            self.warning(
                ProblemKind::Conflict,
                self.at,
                "disabled and enabled contradict each other; the server counts as disabled.",
            );
        }
        disabled == Some(true) || enabled == Some(false)
    }

    /// A time in seconds, fractions allowed.
    fn seconds_of(&mut self, field: &str, node: &Node) -> Option<Duration> {
        let NodeValue::Number(digits) = &node.value else {
            self.wrong_type(field, "a number of seconds", node);
            return None;
        };
        let duration = digits
            .parse::<f64>()
            .ok()
            .filter(|seconds| *seconds > 0.0)
            // What no duration can hold is longer than the longest too.
            .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
            .filter(|duration| !duration.is_zero());
        if duration.is_none() {
            self.error(
                ProblemKind::InvalidValue,
                self.position(node),
                format!("{field} has to be a number of seconds greater than 0."),
            );
        }
        let clamped = duration.map(|duration| duration.min(MAX_TIME_LIMIT));
        if clamped != duration {
            self.warning(
                ProblemKind::InvalidValue,
                self.position(node),
                format!(
                    "{field} is longer than {} seconds (30 days), which counts instead.",
                    MAX_TIME_LIMIT.as_secs()
                ),
            );
        }
        clamped
    }

    fn seconds(&mut self, field: &str) -> Option<Duration> {
        let node = self.value(field)?;
        self.seconds_of(field, node)
    }

    fn limits(&mut self) -> TimeLimits {
        TimeLimits {
            phases: self.phase_limits(),
            startup: self.seconds("startup_timeout"),
            tool: self.tool_limit(),
            ..TimeLimits::default()
        }
    }

    /// The limit for one call. Claude Code, which may read the same file, has it in milliseconds under
    /// another name.
    fn tool_limit(&mut self) -> Option<Duration> {
        if self.value("tool_timeout").is_some() {
            return self.seconds("tool_timeout");
        }
        let NodeValue::Number(digits) = &self.value("timeout")?.value else {
            return None;
        };
        let seconds = digits.parse::<f64>().ok()? / 1000.0;
        let limit = Duration::try_from_secs_f64(seconds).ok()?;
        (!limit.is_zero()).then(|| limit.min(MAX_TIME_LIMIT))
    }

    fn phase_limits(&mut self) -> BTreeMap<&'static str, Duration> {
        let mut limits = BTreeMap::new();
        let Some(node) = self.value("phase_timeouts") else {
            return limits;
        };
        let NodeValue::Object(object) = &node.value else {
            self.wrong_type("phase_timeouts", "an object of phases and seconds", node);
            return limits;
        };
        self.warn_of_duplicates("phase_timeouts.", object);
        for member in &object.members {
            let field = format!("phase_timeouts.{}", member.key);
            let limit = self.seconds_of(&field, &member.value);
            let phase = Phase::ALL
                .into_iter()
                .map(Phase::name)
                .find(|name| *name == member.key);
            match (phase, limit) {
                (Some(phase), Some(limit)) => {
                    limits.insert(phase, limit);
                }
                (None, _) => self.warning(
                    ProblemKind::InvalidValue,
                    self.source.position(member.key_range.start),
                    format!(
                        "{} is not a phase, so this limit does nothing. The phases are {}.",
                        member.key,
                        Phase::ALL.map(Phase::name).join(", ")
                    ),
                ),
                (Some(_), None) => {}
            }
        }
        limits
    }

    fn era(&mut self) -> EraChoice {
        let Some(text) = self.text("era") else {
            return EraChoice::default();
        };
        match text.text.expose().as_str() {
            "auto" => EraChoice::Auto,
            "modern" => EraChoice::Modern,
            "legacy" => EraChoice::Legacy,
            _ => {
                self.error(
                    ProblemKind::InvalidValue,
                    text.at,
                    "era has to be auto, modern or legacy.",
                );
                EraChoice::default()
            }
        }
    }

    /// The transport that the field names. `Err` when it names none that exists.
    fn declared(&mut self, field: &str) -> Result<Option<(DeclaredTransport, Position)>, ()> {
        if self.value(field).is_none() {
            return Ok(None);
        }
        let Some(text) = self.text(field) else {
            return Err(());
        };
        match DeclaredTransport::from_word(text.text.expose()) {
            Some(transport) => Ok(Some((transport, text.at))),
            None => {
                self.error(
                    ProblemKind::InvalidValue,
                    text.at,
                    format!("{field} has to be stdio, http, streamable-http, sse, ws or auto."),
                );
                Err(())
            }
        }
    }

    /// Determines the transport, by its name or else by the fields that are there.
    fn transport(&mut self) -> Option<DeclaredTransport> {
        if self.refuses_two_endpoints
            && self.value("command").is_some()
            && let Some(url) = self.value("url")
        {
            self.error(
                ProblemKind::Conflict,
                self.position(url),
                "There is both a command and a url. Keep one of them.",
            );
            return None;
        }
        let by_type = self.declared("type");
        let by_transport = self.declared("transport");
        let (Ok(by_type), Ok(by_transport)) = (by_type, by_transport) else {
            return None;
        };
        if let (Some((first, _)), Some((second, at))) = (by_type, by_transport)
            && first != second
        {
            self.error(
                ProblemKind::Conflict,
                at,
                "transport contradicts type. Keep one of them.",
            );
            return None;
        }
        if let Some((declared, _)) = by_type.or(by_transport) {
            return Some(declared);
        }
        match (self.value("command"), self.value("url")) {
            (Some(_), None) => Some(DeclaredTransport::Stdio),
            (None, Some(_)) => Some(DeclaredTransport::Remote(RemoteTransport::Auto)),
            (Some(_), Some(url)) => {
                self.error(
                    ProblemKind::Conflict,
                    self.position(url),
                    "There is both a command and a url. Keep one of them, or say which counts \
                     with type.",
                );
                None
            }
            (None, None) => {
                self.error(
                    ProblemKind::MissingField,
                    self.at,
                    "A server needs a command or a url.",
                );
                None
            }
        }
    }

    fn endpoint(&mut self) -> Option<UnexpandedEndpoint> {
        match self.transport()? {
            DeclaredTransport::Stdio => self.stdio(),
            DeclaredTransport::Remote(transport) => self.remote(transport),
        }
    }

    /// A text that has to be there and hold something.
    fn required(&mut self, field: &str, transport: &str) -> Option<UnexpandedText> {
        if self.value(field).is_none() {
            self.error(
                ProblemKind::MissingField,
                self.at,
                format!("A server over {transport} needs a {field}."),
            );
            return None;
        }
        let text = self.text(field)?;
        if text.text.expose().trim().is_empty() {
            self.error(
                ProblemKind::InvalidValue,
                text.at,
                format!("{field} is empty."),
            );
            return None;
        }
        Some(text)
    }

    /// Says which fields belong to the other transport.
    fn ignored(&mut self, fields: &[&str], transport: &str) {
        for field in fields {
            if let Some(member) = self.object.get(field) {
                self.warning(
                    ProblemKind::Conflict,
                    self.source.position(member.key_range.start),
                    format!("{field} means nothing to a server over {transport}."),
                );
            }
        }
    }

    fn stdio(&mut self) -> Option<UnexpandedEndpoint> {
        self.ignored(
            &[
                "url",
                "headers",
                "headersHelper",
                "ca_file",
                "tls_fingerprint",
            ],
            "stdio",
        );
        let command = self.required("command", "stdio");
        let arguments = self.texts("args");
        let environment = self.named_texts("env");
        for (name, text) in &environment {
            if !crate::entry::value::is_environment_name(name) {
                self.error(
                    ProblemKind::InvalidValue,
                    text.at,
                    "The name of an environment variable cannot be empty or contain = .",
                );
            }
        }
        let working_directory = self.text("cwd");
        let environment_file = self.text("envFile");
        Some(UnexpandedEndpoint::Stdio {
            command: command?,
            arguments,
            environment,
            working_directory,
            environment_file,
        })
    }

    fn remote(&mut self, transport: RemoteTransport) -> Option<UnexpandedEndpoint> {
        let name = match transport {
            RemoteTransport::Auto | RemoteTransport::Http | RemoteTransport::Sse => "HTTP",
            RemoteTransport::WebSocket => "WebSocket",
        };
        self.ignored(&["command", "args", "env", "envFile", "cwd"], name);
        let url = self.required("url", name);
        let headers = self.named_texts("headers");
        for (name, text) in &headers {
            if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
                self.error(
                    ProblemKind::InvalidValue,
                    text.at,
                    format!("{name:?} is not the name of an HTTP header."),
                );
            }
        }
        let headers_helper = self.text("headersHelper");
        let ca_file = self.text("ca_file");
        let fingerprint = self.text("tls_fingerprint");
        if let Some(text) = &fingerprint
            && !text.text.expose().contains("${")
            && let Err(error) = text.text.expose().parse::<Fingerprint>()
        {
            self.error(
                ProblemKind::InvalidValue,
                text.at,
                format!("tls_fingerprint cannot be used: {error}."),
            );
        }
        Some(UnexpandedEndpoint::Remote(UnexpandedRemote {
            transport,
            url: url?,
            headers,
            headers_helper,
            ca_file,
            fingerprint,
        }))
    }
}
