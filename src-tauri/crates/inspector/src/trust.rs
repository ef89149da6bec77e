//! Who may be started: the managed policy, and a person's approval of what project files say.
//!
//! A project's files come with the project, so that what they say may be anybody's. A server
//! from one of them does not start before a person on this machine has seen what it would
//! start and approved it for that project. An approval is kept by the project, the server, and
//! a hash of the entry: a changed entry asks again. What this person writes through Sightglass
//! is approved by that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use sightglass_config::{Client, NamedText, Scope, Target, expanded, summary};
use sightglass_model::{Endpoint, ServerId, ServerSpec};

use crate::{
    Inspector, InspectorError,
    desk::{ConfiguredServer, Files},
    lock,
    view::{Blocked, TrustView},
};

/// How many versions of one server's entry stay approved.
const MOST_VERSIONS: usize = 20;

/// What was approved on this machine.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Approvals(Vec<Approval>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Approval {
    project: String,
    server: ServerId,
    fingerprints: Vec<String>,
}

impl Approvals {
    fn find(&self, project: &str, server: &ServerId) -> Option<&Approval> {
        self.0
            .iter()
            .find(|approval| approval.project == project && approval.server == *server)
    }

    fn holds(&self, project: &str, server: &ServerId, fingerprint: &str) -> bool {
        self.find(project, server)
            .is_some_and(|approval| approval.fingerprints.iter().any(|held| held == fingerprint))
    }

    fn knows(&self, project: &str, server: &ServerId) -> bool {
        self.find(project, server).is_some()
    }

    fn add(&mut self, project: &str, server: &ServerId, fingerprint: String) {
        if self.holds(project, server, &fingerprint) {
            return;
        }
        let known = self
            .0
            .iter_mut()
            .find(|approval| approval.project == project && approval.server == *server);
        match known {
            Some(approval) => {
                approval.fingerprints.push(fingerprint);
                let surplus = approval.fingerprints.len().saturating_sub(MOST_VERSIONS);
                approval.fingerprints.drain(..surplus);
            }
            None => self.0.push(Approval {
                project: project.to_owned(),
                server: server.clone(),
                fingerprints: vec![fingerprint],
            }),
        }
    }

    fn revoke(&mut self, project: &str, server: &ServerId) {
        self.0
            .retain(|approval| approval.project != project || approval.server != *server);
    }
}

/// Names one version of an entry: the same for every order and layout of its fields.
pub(crate) fn fingerprint(entry: &Map<String, Value>) -> String {
    let sorted = sorted(&Value::Object(entry.clone()));
    Sha256::digest(sorted.to_string().as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key, sorted(value)))
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .map(|(key, value)| (key.clone(), value))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(elements) => elements.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

impl Inspector {
    fn project_key(&self) -> String {
        self.options.places.project.display().to_string()
    }

    /// What keeps a server of the `.mcp.json` scopes from being connected.
    pub(crate) fn blocked(&self, server: &ConfiguredServer) -> Option<Blocked> {
        let name = &server.definition.name;
        let entry = server.definition.common.expose();
        if let Some(rule) = self.refusal(&server.files, Client::McpJson, name, entry, false) {
            return Some(Blocked::Refused { rule });
        }
        self.waits(&server.id, server.scope, entry)
            .then_some(Blocked::Waiting)
    }

    /// Whether an entry of a scope waits for approval.
    pub(crate) fn waits(
        &self,
        server: &ServerId,
        scope: Scope,
        entry: &Map<String, Value>,
    ) -> bool {
        scope.is_of_project()
            && !lock(&self.desk.approvals).holds(&self.project_key(), server, &fingerprint(entry))
    }

    /// The rule that refuses an entry of a client, as it stands or with its variables put in.
    pub(crate) fn refusal(
        &self,
        files: &Files,
        client: Client,
        name: &str,
        entry: &Map<String, Value>,
        is_managed: bool,
    ) -> Option<String> {
        let policy = match client {
            Client::ClaudeCode => &files.claude_policy,
            _ => &files.policy,
        };
        if policy.is_empty() {
            return None;
        }
        policy
            .refusal(name, &expanded(entry, &self.desk.machine), is_managed)
            .or_else(|| policy.denial(name, entry))
    }

    /// Refuses what must not be started.
    pub(crate) fn permit(&self, server: &ConfiguredServer) -> Result<(), InspectorError> {
        match self.blocked(server) {
            None => Ok(()),
            Some(Blocked::Refused { rule }) => Err(InspectorError::RefusedByPolicy {
                server: server.id.clone(),
                rule,
            }),
            Some(Blocked::Waiting) => Err(InspectorError::NotApproved {
                server: server.id.clone(),
                path: server.place.path.display().to_string(),
            }),
        }
    }

    /// Refuses what the managed policy forbids, whatever file it comes from or none.
    pub(crate) fn permit_spec(
        &self,
        server: &ServerId,
        spec: &ServerSpec,
    ) -> Result<(), InspectorError> {
        let mut entry = Map::new();
        match &spec.endpoint {
            Endpoint::Stdio {
                command,
                arguments,
                environment,
                ..
            } => {
                entry.insert("command".into(), command.as_str().into());
                if !arguments.is_empty() {
                    entry.insert("args".into(), arguments.as_slice().into());
                }
                let variables = environment
                    .iter()
                    .map(|(name, value)| (name.clone(), value.expose().as_str().into()));
                if !environment.is_empty() {
                    entry.insert("env".into(), Value::Object(variables.collect()));
                }
            }
            Endpoint::Remote(remote) => {
                entry.insert("url".into(), remote.url.as_str().into());
            }
        }
        let files = self.desk.files();
        match files.policy.refusal(&spec.name, &entry, false) {
            Some(rule) => Err(InspectorError::RefusedByPolicy {
                server: server.clone(),
                rule,
            }),
            None => Ok(()),
        }
    }

    /// Everything that a server of the sidebar would be started with, for a person to approve.
    ///
    /// # Errors
    /// When there is no such server, or its entry cannot be read.
    pub fn trust_request(&self, server: &ServerId) -> Result<TrustView, InspectorError> {
        let configured = self.configured(server)?;
        let definition = &configured.definition;
        let entry = definition.common.expose();
        let text = |field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
        let named = |field: &str| {
            let members = entry.get(field).and_then(Value::as_object);
            members
                .into_iter()
                .flatten()
                .map(|(name, value)| NamedText {
                    name: name.clone(),
                    text: value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned),
                })
                .collect()
        };
        let waiting = self.waits(server, configured.scope, entry);
        Ok(TrustView {
            server: server.clone(),
            name: definition.name.clone(),
            project: self.project_key(),
            path: configured.place.path.display().to_string(),
            line: definition.line,
            waiting,
            changed: waiting && lock(&self.desk.approvals).knows(&self.project_key(), server),
            fingerprint: fingerprint(entry),
            command_line: entry.contains_key("command").then(|| summary(entry)),
            working_directory: text("cwd"),
            url: text("url"),
            environment: named("env"),
            headers: named("headers"),
            text: definition.raw.expose().clone(),
        })
    }

    /// Approves the version of a server's entry that a person was shown.
    ///
    /// # Errors
    /// When there is no such server, its entry is another one by now, or the approval cannot
    /// be kept.
    pub fn approve_server(&self, server: &ServerId, shown: &str) -> Result<(), InspectorError> {
        let request = self.trust_request(server)?;
        if request.fingerprint != shown {
            return Err(InspectorError::EntryChanged {
                server: server.clone(),
            });
        }
        self.change_approvals(|approvals| {
            approvals.add(&request.project, server, request.fingerprint.clone());
        })?;
        self.tell_configuration();
        Ok(())
    }

    /// Takes every approval of a server back, and closes its connection.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn revoke_approval(&self, server: &ServerId) -> Result<(), InspectorError> {
        let project = self.project_key();
        self.change_approvals(|approvals| approvals.revoke(&project, server))?;
        self.close_all(std::iter::once(server));
        self.tell_configuration();
        Ok(())
    }

    /// Approves what this person wrote.
    pub(crate) fn approve_written(&self, written: &[(Target, String)]) {
        let files = self.desk.files();
        let Some(client) = files.client(Client::McpJson) else {
            return;
        };
        let of_own = written
            .iter()
            .filter(|(target, _)| target.client == Client::McpJson);
        let entries: Vec<(ServerId, String)> = of_own
            .filter_map(|(target, name)| {
                let definition = client.file(&target.scope)?.definition(name)?;
                let id = ServerId::new(Client::McpJson.id(), name);
                Some((id, fingerprint(definition.common.expose())))
            })
            .collect();
        if entries.is_empty() {
            return;
        }
        let project = self.project_key();
        let kept = self.change_approvals(|approvals| {
            for (server, fingerprint) in &entries {
                approvals.add(&project, server, fingerprint.clone());
            }
        });
        if let Err(error) = kept {
            tracing::warn!("{error}");
        }
    }

    /// Changes the approvals as they are on the disk: another program may have added some.
    fn change_approvals(&self, change: impl FnOnce(&mut Approvals)) -> Result<(), InspectorError> {
        let mut approvals = lock(&self.desk.approvals);
        *approvals = self.data.read_approvals();
        change(&mut approvals);
        self.data.write_approvals(&approvals)
    }

    /// Takes over what other programs approved meanwhile.
    pub(crate) fn read_approvals(&self) {
        *lock(&self.desk.approvals) = self.data.read_approvals();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(entry: Value) -> String {
        fingerprint(entry.as_object().expect("an object"))
    }

    #[test]
    fn the_order_of_fields_does_not_ask_again_and_their_content_does() {
        let one = of(json!({"command": "x", "env": {"A": "1", "B": "2"}}));
        assert_eq!(
            one,
            of(json!({"env": {"B": "2", "A": "1"}, "command": "x"}))
        );
        assert_ne!(
            one,
            of(json!({"command": "x", "env": {"A": "1", "B": "3"}}))
        );
        assert_ne!(
            of(json!({"args": ["a", "b"]})),
            of(json!({"args": ["b", "a"]}))
        );
    }

    #[test]
    fn an_approval_is_of_one_project() {
        let server = ServerId::new("mcp-json", "a");
        let mut approvals = Approvals::default();
        approvals.add("/one", &server, "f".into());
        assert!(approvals.holds("/one", &server, "f"));
        assert!(!approvals.holds("/two", &server, "f"));
        assert!(!approvals.holds("/one", &server, "g"));
        approvals.revoke("/one", &server);
        assert!(!approvals.knows("/one", &server));
    }
}
