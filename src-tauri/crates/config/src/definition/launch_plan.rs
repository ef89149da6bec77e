//! Makes one value of an entry that is shown for approval, hashed, and started.
//!
//! A project's file may be anybody's. If what is shown, what is remembered as approved and what
//! starts were each read from the entry in their own way, an entry could show one thing and start
//! another. They are all functions of a [`LaunchPlan`], which holds every member of the entry as
//! it is before `${VARIABLE}`s are expanded.

mod consequences;
mod rows;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use sightglass_model::{RemoteTransport, ServerSpec, TimeLimits, entirely_visible_lines};
use sightglass_secrets::Secret;

pub use consequences::EnvironmentUse;

use crate::{
    client::Client,
    definition::{
        Definition, Surroundings, draft::Draft, draft_entry::draft_entry, draft_variables::needs,
        layout::Layout, read_definitions,
    },
    entry::{UnexpandedEndpoint, UnexpandedSpec},
    entry::{
        dialect::Dialect,
        expand::{Environment, Expansion, SECRET_PREFIX},
        resolve::{ResolveOptions, expand_all, resolve, resolve_known, unset_variables},
        sign_in::{SignInFields, sign_in_fields},
    },
    text::{
        problem::{Problem, ProblemKind},
        source::Position,
    },
};

/// Stands before what is hashed. Another version of the rows or of the hash gets another one, so
/// that an approval is always of what this version shows.
const FINGERPRINT_VERSION: &str = "launch plan 2\n";

/// Members that take effect since they were first approved as members without effect, and what is
/// hashed with them, so that they are asked about again.
const LATER_MEMBERS: [(&[&str], &str); 2] = [
    (
        &["envFile", "headersHelper"],
        "envFile and headersHelper 1\n",
    ),
    (&["timeout"], "timeout 1\n"),
];

/// The beginning of what an earlier version took for a mark of ours, and did not show.
const ONCE_A_MARK: &str = "${literal:";
/// Hashed with it, so that it is asked about again.
const MARKS_VERSION: &str = "marks 2\n";

/// Stands before what secrets are bound to.
const SECRETS_VERSION: &str = "entry secrets 1\n";

/// The beginning of a reference to a secret.
const SECRET_REFERENCE: &str = "${secret:";

/// The beginning of a reference to a file.
const FILE_REFERENCE: &str = "${file:";

/// Members that set the protocol and the time limits.
const LIMITS: [&str; 5] = [
    "era",
    "phase_timeouts",
    "startup_timeout",
    "timeout",
    "tool_timeout",
];

/// Everything that connecting to a server does, before `${VARIABLE}`s are expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchPlan {
    pub(crate) name: String,
    /// The endpoint, the era and the limits, or the problems that keep it from starting.
    pub(crate) spec: Result<UnexpandedSpec, Vec<Problem>>,
    /// Every member of the entry, in the common form.
    pub(crate) entry: Secret<Map<String, Value>>,
    raw: Secret<String>,
    pub(crate) surroundings: Arc<Surroundings>,
}

/// A kind of endpoint, as the approval names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LaunchKind {
    /// A program is started.
    Program,
    /// Requests are sent to an address.
    Remote,
    /// The entry cannot be used, so that nothing happens.
    Unusable,
}

/// One row of what is shown for approval. The texts hold no invisible characters.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlanRow {
    pub label: String,
    /// One for each text of a list; never empty.
    pub values: Vec<String>,
}

impl fmt::Debug for PlanRow {
    /// Without the values, which may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} values", self.label, self.values.len())
    }
}

impl LaunchPlan {
    /// The plan of a definition.
    pub fn of(definition: &Definition) -> Self {
        let refers_to_files = definition
            .spec
            .as_ref()
            .is_ok_and(|spec| spec.expansion == Expansion::VariablesAndFiles);
        let entry = definition.with_absolute_files();
        let (spec, entry) = if refers_to_files && entry != *definition.common.expose() {
            let dialect = Dialect::of(Client::Opencode);
            let absolute = definition.merged(entry, dialect);
            (absolute.spec, absolute.common)
        } else {
            (definition.spec.clone(), definition.common.clone())
        };
        let spec = match definition.refused.is_empty() {
            true => spec,
            false => Err(definition.refused.clone()),
        };
        Self {
            name: definition.name.clone(),
            spec,
            entry,
            raw: definition.raw.clone(),
            surroundings: definition.surroundings.clone(),
        }
    }

    /// The plan of a draft that is in no file. It reads nothing of the environment that the user
    /// did not allow a draft of somebody else's.
    pub fn of_draft(draft: &Draft) -> Self {
        let entry = Value::Object(draft_entry(draft));
        let text = serde_json::json!({ "mcpServers": { draft.name.trim(): entry } }).to_string();
        let read = read_definitions(&Layout::mcp_json(), &text).definitions;
        let mut plan = match read.first() {
            Some(definition) => Self::of(definition),
            None => Self {
                name: draft.name.clone(),
                spec: Err(Vec::new()),
                entry: Map::new().into(),
                raw: text.into(),
                surroundings: Arc::default(),
            },
        };
        let refused = plan.refused_to(draft);
        if !refused.is_empty() {
            let start = Position { line: 1, column: 1 };
            let problem = |name| Problem::error(ProblemKind::UnsetVariable, start, needs(name));
            plan.spec = Err(refused.iter().map(|name| problem(name)).collect());
        }
        plan
    }

    /// The variables that a draft of somebody else's would read if the user allowed them.
    pub fn environment_of(draft: &Draft) -> Vec<EnvironmentUse> {
        let of_others = draft.clone().of_others();
        let all = Draft {
            variables: None,
            ..draft.clone()
        };
        let mut uses = Self::of_draft(&all).environment_uses();
        uses.retain(|found| !of_others.allows(&found.name));
        uses
    }

    /// The variables that connecting reads although the user did not allow it to a draft that the
    /// plan was made of.
    pub(crate) fn refused_to(&self, draft: &Draft) -> Vec<String> {
        let names = self.environment_uses().into_iter().map(|found| found.name);
        names.filter(|name| !draft.allows(name)).collect()
    }

    fn environment_uses(&self) -> Vec<EnvironmentUse> {
        let mut uses: Vec<EnvironmentUse> = Vec::new();
        for effect in consequences::consequences(self) {
            let Some(name) = effect.reference else {
                continue;
            };
            match uses.iter_mut().find(|known| known.name == name) {
                Some(known) => {
                    known.sentence.push(' ');
                    known.sentence.push_str(&effect.sentence);
                }
                None => uses.push(EnvironmentUse {
                    name,
                    sentence: effect.sentence,
                }),
            }
        }
        uses
    }

    /// The endpoint before `${VARIABLE}`s are expanded; nothing for an entry that cannot be used.
    pub fn endpoint(&self) -> Option<&UnexpandedEndpoint> {
        self.spec.as_ref().ok().map(|spec| &spec.endpoint)
    }

    /// The time limits that the entry sets; nothing for one that cannot be used.
    pub fn limits(&self) -> Option<TimeLimits> {
        self.spec.as_ref().ok().map(|spec| spec.limits.clone())
    }

    /// The kind of endpoint that takes effect. The presence of a `url` or a `command` alone does
    /// not decide it.
    pub fn kind(&self) -> LaunchKind {
        match self.spec.as_ref().map(|spec| &spec.endpoint) {
            Ok(UnexpandedEndpoint::Stdio { .. }) => LaunchKind::Program,
            Ok(UnexpandedEndpoint::Remote(_)) => LaunchKind::Remote,
            Err(_) => LaunchKind::Unusable,
        }
    }

    /// Every member of the entry as labelled rows, those first that decide what starts.
    pub fn rows(&self) -> Vec<PlanRow> {
        rows::rows(self)
    }

    /// Sentences about the effects of connecting: the variables that are sent, and where to.
    pub fn consequences(&self) -> Vec<String> {
        let effects = consequences::consequences(self).into_iter();
        effects.map(|effect| effect.sentence).collect()
    }

    /// The entry as it stands in the file, with invisible characters as escapes.
    pub fn raw_text(&self) -> String {
        entirely_visible_lines(self.raw.expose()).into_owned()
    }

    /// Names this version of the entry. It is the same for every order and layout of the members,
    /// and another one for every other content, and for other rules by which its references are
    /// expanded.
    pub fn fingerprint(&self) -> String {
        let canonical = canonical(&Value::Object(self.entry.expose().clone())).to_string();
        let mut hash = Sha256::new();
        hash.update(FINGERPRINT_VERSION);
        for (members, version) in LATER_MEMBERS {
            if members
                .iter()
                .any(|member| self.entry.expose().contains_key(*member))
            {
                hash.update(version);
            }
        }
        if canonical.contains(ONCE_A_MARK) {
            hash.update(MARKS_VERSION);
        }
        // Another file of the same client may expand the same words by other rules.
        if canonical.contains('$')
            && let Ok(spec) = &self.spec
            && spec.expansion != Expansion::VariablesAndSecrets
        {
            hash.update(spec.expansion.name());
            hash.update("\n");
        }
        hash.update(canonical);
        format!("{:x}", hash.finalize())
    }

    /// Names what connecting does, the same for every client whose entry does the same. Nothing
    /// for an entry that cannot be used, and for one whose references only its client knows.
    pub fn equivalence(&self) -> Option<String> {
        let spec = self.spec.as_ref().ok()?;
        let effect = self.effect(&[])?;
        let knows_references = match spec.expansion {
            Expansion::Variables => !effect.contains(SECRET_REFERENCE),
            Expansion::VariablesAndSecrets => true,
            Expansion::VariablesAndFiles => {
                !effect.contains(FILE_REFERENCE) && !effect.contains(SECRET_REFERENCE)
            }
            _ => false,
        };
        let is_plain =
            !effect.contains("${") || (knows_references && self.surroundings.variables.is_empty());
        is_plain.then_some(effect)
    }

    /// Names what connecting does, for the secrets that the user entered for it: another program,
    /// another argument or another address asks for them again. It is the same for an entry that is
    /// renamed, switched off, given other time limits, or put into another file. `project` is that
    /// which brings the entry along: the same words may start another program in another project.
    pub fn secret_binding(&self, project: Option<&Path>) -> String {
        let effect = self.effect(&LIMITS).unwrap_or_default();
        let mut hash = Sha256::new();
        hash.update(SECRETS_VERSION);
        if let Some(project) = project {
            // Its bytes: what is shown of two names that are no UTF-8 can be the same.
            hash.update(project.as_os_str().as_encoded_bytes());
            hash.update("\n");
        }
        hash.update(effect);
        format!("{:x}", hash.finalize())
    }

    /// The names in the entry's `${secret:NAME}`s, each once.
    pub fn secret_names(&self) -> BTreeSet<String> {
        let Ok(spec) = &self.spec else {
            return BTreeSet::new();
        };
        let names = RefCell::new(BTreeSet::new());
        let environment = |name: &str| -> Option<String> {
            if let Some(name) = name.strip_prefix(SECRET_PREFIX) {
                names.borrow_mut().insert(name.to_owned());
            }
            None
        };
        expand_all(spec, &environment);
        names.into_inner()
    }

    /// The members that decide what connecting does, after the transport that takes effect.
    fn effect(&self, without: &[&str]) -> Option<String> {
        let spec = self.spec.as_ref().ok()?;
        let mut entry = self.entry.expose().clone();
        let of_file = ["type", "transport", "disabled", "enabled"];
        for member in of_file.iter().chain(without) {
            entry.remove(*member);
        }
        entry.retain(|_, value| match value {
            Value::Array(elements) => !elements.is_empty(),
            Value::Object(members) => !members.is_empty(),
            Value::Null => false,
            _ => true,
        });
        let entry = canonical(&Value::Object(entry)).to_string();
        let transport = match &spec.endpoint {
            UnexpandedEndpoint::Stdio { .. } => "stdio",
            UnexpandedEndpoint::Remote(remote) => match remote.transport {
                RemoteTransport::Auto | RemoteTransport::Http => "http",
                RemoteTransport::Sse => "sse",
                RemoteTransport::WebSocket => "ws",
            },
        };
        Some(format!("{transport} {entry}"))
    }

    /// Expands the variables, for a connection.
    ///
    /// # Errors
    /// All problems of the entry, at their places in its file.
    pub fn resolve(&self, options: ResolveOptions<'_>) -> Result<ServerSpec, Vec<Problem>> {
        let unexpanded = self.spec.as_ref().map_err(Clone::clone)?;
        resolve(
            &self.name,
            unexpanded,
            &self.surroundings.variables,
            options,
        )
    }

    /// Expands the variables that have a value, to judge the plan: a text with one that has none is
    /// empty. Nothing for an entry that cannot be used.
    pub fn resolve_known(&self, options: ResolveOptions<'_>) -> Option<ServerSpec> {
        let unexpanded = self.spec.as_ref().ok()?;
        let variables = &self.surroundings.variables;
        Some(resolve_known(&self.name, unexpanded, variables, options).0)
    }

    /// Returns the names of the variables that have to be set and are not.
    pub fn unset_variables(&self, options: ResolveOptions<'_>) -> Vec<String> {
        let spec = self.spec.as_ref();
        spec.map(|spec| unset_variables(spec, &self.surroundings.variables, options))
            .unwrap_or_default()
    }

    /// Expands what the entry says about signing in.
    pub fn sign_in(&self, environment: &Environment<'_>) -> SignInFields {
        let spec = self.spec.as_ref();
        let rules = spec.map(|spec| spec.expansion).unwrap_or_default();
        sign_in_fields(self.entry.expose(), rules, environment)
    }
}

/// A value with the members of its objects in one order.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let sorted: BTreeMap<&String, Value> = members
                .iter()
                .map(|(key, value)| (key, canonical(value)))
                .collect();
            let members = sorted.into_iter().map(|(key, value)| (key.clone(), value));
            Value::Object(members.collect())
        }
        Value::Array(elements) => elements.iter().map(canonical).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(entry: &Value) -> LaunchPlan {
        let text = json!({ "mcpServers": { "a": entry } }).to_string();
        let definitions = read_definitions(&Layout::mcp_json(), &text).definitions;
        LaunchPlan::of(&definitions[0])
    }

    fn fingerprint(entry: Value) -> String {
        plan(&entry).fingerprint()
    }

    #[test]
    fn the_order_of_members_does_not_ask_again_and_their_content_does() {
        let one = fingerprint(json!({"command": "x", "env": {"A": "1", "B": "2"}}));
        assert_eq!(
            one,
            fingerprint(json!({"env": {"B": "2", "A": "1"}, "command": "x"}))
        );
        assert_ne!(
            one,
            fingerprint(json!({"command": "x", "env": {"A": "1", "B": "3"}}))
        );
        assert_ne!(
            fingerprint(json!({"args": ["a", "b"]})),
            fingerprint(json!({"args": ["b", "a"]}))
        );
    }

    /// An approval from before it took effect was of a member without one.
    #[test]
    fn a_limit_is_hashed_as_one_and_shown_as_one_where_it_counts() {
        let canonical = r#"{"command":"x","timeout":9000}"#;
        let before = Sha256::digest(format!("{FINGERPRINT_VERSION}{canonical}"));
        let entry: Value = serde_json::from_str(canonical).expect("JSON");
        assert_ne!(fingerprint(entry.clone()), format!("{before:x}"));
        let label = |entry: &Value| {
            let mut rows = plan(entry).rows();
            rows.retain(|row| row.values.iter().any(|value| value.starts_with("9000")));
            rows.pop().map(|row| row.label)
        };
        let limit = "Tool call limit in milliseconds";
        assert_eq!(label(&entry).as_deref(), Some(limit));
        for without in [
            json!({"command": "x", "timeout": 9000, "tool_timeout": 5}),
            json!({"command": "x", "timeout": "9000"}),
        ] {
            let found = label(&without);
            assert_eq!(found.as_deref(), Some("Without effect: timeout"));
        }
    }

    #[test]
    fn secrets_are_bound_to_what_connecting_does() {
        let entry = json!({"command": "x", "args": ["a"], "env": {"KEY": "${secret:KEY}"}});
        let with = |member: &str, value: Value| {
            let mut entry = entry.clone();
            entry[member] = value;
            plan(&entry).secret_binding(None)
        };
        let bound = plan(&entry).secret_binding(None);
        assert_eq!(bound, with("disabled", json!(true)));
        for limit in LIMITS {
            let value = match limit {
                "era" => json!("legacy"),
                "phase_timeouts" => json!({"connect": 9}),
                _ => json!(9),
            };
            assert_eq!(bound, with(limit, value), "{limit}");
        }
        assert_eq!(bound, with("type", json!("stdio")));
        assert_ne!(bound, with("command", json!("y")));
        assert_ne!(bound, with("args", json!(["a", "b"])));
        assert_ne!(bound, with("env", json!({"OTHER": "${secret:KEY}"})));
        assert_ne!(bound, with("cwd", json!("/elsewhere")));
        let project = Path::new("/project");
        assert_ne!(bound, plan(&entry).secret_binding(Some(project)));
        let names = plan(&json!({"url": "https://a.test", "headers": {"X": "${A:-${secret:B}}"}}));
        assert_eq!(names.secret_names(), ["B".to_owned()].into());
    }

    #[test]
    fn the_declared_type_decides_the_kind() {
        let both =
            |kind: &str| json!({"type": kind, "command": "sh", "url": "https://docs.example.com"});
        assert_eq!(plan(&both("stdio")).kind(), LaunchKind::Program);
        assert_eq!(plan(&both("http")).kind(), LaunchKind::Remote);
        assert_eq!(plan(&json!({})).kind(), LaunchKind::Unusable);
    }

    #[test]
    fn variables_that_are_sent_are_named_with_where_they_go() {
        let sentences = plan(&json!({
            "type": "http", "url": "http://127.0.0.1:9/mcp",
            "headers": {"X-Key": "${KEY:-${OTHER}}"},
            "bearer_token_env_var": "AWS_SECRET_ACCESS_KEY",
            "oauth": {"clientSecret": "${GITHUB_TOKEN}",
                      "authServerMetadataUrl": "https://evil.example/.well-known/x"},
        }))
        .consequences();
        for wanted in [
            "Connecting sends requests to 127.0.0.1:9.",
            "Sends the variable KEY of your environment to 127.0.0.1:9.",
            "Sends the variable OTHER of your environment to 127.0.0.1:9.",
            "Sends the variable AWS_SECRET_ACCESS_KEY of your environment to 127.0.0.1:9.",
            "Signing in sends the variable GITHUB_TOKEN of your environment to the \
             authorization server that evil.example names.",
        ] {
            assert!(
                sentences.iter().any(|found| found == wanted),
                "{wanted}: {sentences:#?}"
            );
        }
    }

    #[test]
    fn plain_http_to_another_machine_is_said() {
        let is_said = |url: &str| {
            let sentences = plan(&json!({ "url": url })).consequences();
            let mut of_all = sentences.iter();
            of_all.any(|sentence| sentence.contains("unencrypted: anyone on the way"))
        };
        for address in [
            "http://api.example/mcp",
            "HTTP://192.168.0.2:8080/mcp",
            "ht\ttp:api.example/mcp",
            "http://localhost.api.example/mcp",
            "http://localhost@api.example/mcp",
            "http://${HOST}/mcp",
            "ws://api.example/mcp",
            "http://${HOST}.localhost/mcp",
            "http://localhost:${PORT:-@api.example}/mcp",
            "${BASE:-http://api.example}/mcp",
        ] {
            assert!(is_said(address), "{address}");
        }
        for address in [
            "https://api.example/mcp",
            "https://${HOST}/mcp",
            "https://api.example/http://x",
            "http://127.0.0.1:9/mcp",
            "http://localhost:3000/${PATH_OF_IT}",
            "http://[::1]/mcp",
            "${BASE:-http://localhost:3000}/mcp",
        ] {
            assert!(!is_said(address), "{address}");
        }
    }

    /// The approval names all that the sign-in asks the environment for.
    #[test]
    fn a_sign_in_expands_by_the_rules_that_are_shown() {
        let entry = json!({"url": "https://a.test", "oauth": {"client_id": "${TOKEN}"}});
        let asked = |rules: Expansion| {
            let mut plan = plan(&entry);
            if let Ok(spec) = &mut plan.spec {
                spec.expansion = rules;
            }
            let asked = RefCell::new(Vec::new());
            let fields = plan.sign_in(&|name| {
                asked.borrow_mut().push(name.to_owned());
                None
            });
            let named: Vec<String> = (plan.environment_uses().into_iter())
                .map(|used| used.name)
                .collect();
            assert_eq!(*asked.borrow(), named, "{rules:?}");
            fields.client_id
        };
        assert_eq!(asked(Expansion::Variables), None);
        assert_eq!(asked(Expansion::Never).as_deref(), Some("${TOKEN}"));
        assert_eq!(asked(Expansion::WholeText).as_deref(), Some("${TOKEN}"));
    }

    /// Before an approval nothing of what an entry names is opened.
    #[test]
    fn an_environment_file_is_read_where_files_are_read_alone() {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::io::Write::write_all(&mut file, b"A=of the file").expect("written");
        let path = file.path().display().to_string();
        let plan = plan(&json!({"command": "x", "envFile": path}));
        for reads_files in [false, true] {
            let spec = plan.resolve(ResolveOptions {
                environment: &|_| None,
                project: Path::new(""),
                reads_files,
            });
            let spec = spec.expect("usable");
            assert_eq!(spec.references.len(), 1, "the file is named");
            let sightglass_model::Endpoint::Stdio { environment, .. } = spec.endpoint else {
                panic!("a program");
            };
            assert_eq!(environment.contains_key("A"), reads_files);
        }
    }
}
