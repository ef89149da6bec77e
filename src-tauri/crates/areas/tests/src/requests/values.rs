//! Values for the references of a request.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Mutex,
    time::SystemTime,
};

use serde_json::Value;
use sightglass_area_core::error::InspectorError;
use sightglass_model::{ServerId, lock};
use sightglass_requests::{
    Environment, Expectation, MissingVariable, Reference, RequestFile, Template, TemplateError,
};
use sightglass_secrets::Secret;

use super::server_label;
use crate::requests::run::RequestRuns;

/// Stands before the name of a request's secret in the vault.
const SECRET_PREFIX: &str = "request-secret:";

/// Values that earlier requests captured, by their names.
pub(super) type Captures = HashMap<String, Captured>;

/// Values from outside, by the references that they were sent for: `env.TOKEN`.
pub(super) type PrivateValues = BTreeMap<String, Secret<String>>;

/// A value that a request was to capture.
#[derive(Debug, Clone)]
pub enum Captured {
    Value {
        value: Value,
        /// The server as its request names it.
        label: String,
        /// The values from outside that the server had been sent. It can give them back in any
        /// form, so that what it answers goes where they may go.
        known: PrivateValues,
    },
    /// The request of this name did not get there.
    Missing { request: String },
}

/// The values from outside that requests sent since the program started.
#[derive(Default)]
pub struct SentValues {
    /// By the server that they were sent to, whatever it was at the time.
    values: Mutex<HashMap<ServerId, PrivateValues>>,
    /// References that were sent to a server as it was: by its id and `RequestRuns::effect_of`.
    approved: Mutex<HashMap<(ServerId, String), BTreeSet<String>>>,
}

impl SentValues {
    pub fn add(&self, server: &ServerId, effect: String, sent: &PrivateValues) {
        if sent.is_empty() {
            return;
        }
        let mut approved = lock(&self.approved);
        let approved = approved.entry((server.clone(), effect)).or_default();
        approved.extend(sent.keys().cloned());
        let mut servers = lock(&self.values);
        let known = servers.entry(server.clone()).or_default();
        known.extend(
            sent.iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
    }

    /// The references whose values a server was sent while it was what it is now.
    fn approved(&self, server: &ServerId, effect: &str) -> BTreeSet<String> {
        let approved = lock(&self.approved);
        let found = approved.get(&(server.clone(), effect.to_owned()));
        found.cloned().unwrap_or_default()
    }

    /// Keeps a value of a server's answer for later requests.
    pub fn captured(&self, value: Value, from: &ServerId, label: String) -> Captured {
        Captured::Value {
            value,
            label,
            known: self.of(from),
        }
    }

    fn of(&self, server: &ServerId) -> PrivateValues {
        lock(&self.values).get(server).cloned().unwrap_or_default()
    }
}

/// A request whose references are filled in.
pub(super) struct FilledRequest {
    pub params: String,
    pub answers: BTreeMap<String, String>,
    pub expectations: Vec<Expectation>,
    /// The values from outside in it, which are masked wherever they turn up.
    pub private: PrivateValues,
    /// Effect of connecting to its server as it was filled in, by `RequestRuns::effect_of`: its
    /// values may go to that alone.
    pub effect: String,
}

/// Reason why a request was not filled in.
pub(super) enum NotFilled {
    /// An earlier request did not capture a value.
    NotCaptured(String),
    Problem(String),
}

impl RequestRuns {
    /// Keeps a secret for requests, by the name in `{{secret.NAME}}`; `None` forgets it.
    pub async fn store_request_secret(
        &self,
        name: &str,
        value: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let name = format!("{SECRET_PREFIX}{name}");
        let kept = match value {
            Some(value) => self.core.vault.set(&name, value).await,
            None => self.core.vault.remove(&name).await,
        };
        kept.map_err(|error| {
            InspectorError::InvalidInput(format!("The secret was not kept: {error}."))
        })
    }

    /// Fills in the references of a request to a server.
    pub(super) async fn filled(
        &self,
        server: &ServerId,
        file: &RequestFile,
        environment: &Environment,
        captures: &Captures,
    ) -> Result<FilledRequest, NotFilled> {
        let references = file.references();
        let mut secrets = HashMap::new();
        for reference in &references {
            if let Reference::Secret(name) = reference {
                let kept = self.core.vault.get(&format!("{SECRET_PREFIX}{name}")).await;
                let kept =
                    kept.map_err(|error| NotFilled::Problem(format!("secret.{name}: {error}.")))?;
                secrets.insert(name.clone(), kept);
            }
        }
        let effect = self.effect_of(server);
        let sent = self.sent.approved(server, &effect);
        let own = references.iter().filter(|reference| reference.is_private());
        let mut values = Values {
            runs: self,
            environment,
            captures,
            approved: sent
                .into_iter()
                .chain(own.map(ToString::to_string))
                .collect(),
            label: server_label(&file.server),
            secrets,
            private: PrivateValues::new(),
            not_captured: None,
        };
        let filled = values.fill(file, effect);
        match (filled, values.not_captured) {
            (Ok(filled), _) => Ok(filled),
            (Err(_), Some(reason)) => Err(NotFilled::NotCaptured(reason)),
            (Err(error), None) => Err(NotFilled::Problem(error.to_string())),
        }
    }
}

struct Values<'a> {
    runs: &'a RequestRuns,
    environment: &'a Environment,
    captures: &'a Captures,
    /// The server that it is sent to, as the request names it.
    label: String,
    /// References to the values from outside that may be sent to it.
    approved: BTreeSet<String>,
    secrets: HashMap<String, Option<Secret<String>>>,
    private: PrivateValues,
    not_captured: Option<String>,
}

impl Values<'_> {
    fn fill(&mut self, file: &RequestFile, effect: String) -> Result<FilledRequest, TemplateError> {
        let params = self.json(&file.params)?;
        let mut answers = BTreeMap::new();
        for (name, answer) in &file.answers {
            answers.insert(name.clone(), self.json(answer)?);
        }
        let mut expectations = file.expectations.clone();
        for expectation in &mut expectations {
            let argument = std::mem::take(&mut expectation.argument);
            expectation.argument = self.argument(argument)?;
        }
        Ok(FilledRequest {
            params,
            answers,
            expectations,
            private: std::mem::take(&mut self.private),
            effect,
        })
    }

    fn json(&mut self, text: &str) -> Result<String, TemplateError> {
        Template::json(text).fill_json(&mut |reference| self.value_of(reference))
    }

    /// Fills in the texts of an argument. A text that is one reference becomes its value.
    fn argument(&mut self, argument: Value) -> Result<Value, TemplateError> {
        Ok(match argument {
            Value::String(text) => {
                let template = Template::plain(&text);
                if let Some(reference) = template.sole_reference() {
                    self.value_of(reference)
                        .map_err(|missing| TemplateError::Missing {
                            reference: reference.clone(),
                            reason: missing.reason,
                        })?
                } else {
                    template
                        .fill_plain(&mut |reference| self.value_of(reference))?
                        .into()
                }
            }
            Value::Array(elements) => {
                let elements = elements.into_iter().map(|element| self.argument(element));
                Value::Array(elements.collect::<Result<_, _>>()?)
            }
            Value::Object(members) => {
                let members = members
                    .into_iter()
                    .map(|(name, member)| Ok((name, self.argument(member)?)));
                Value::Object(members.collect::<Result<_, TemplateError>>()?)
            }
            value => value,
        })
    }

    /// Says why a captured value is not sent to a server; `None` when that may have all that the one
    /// was sent which it was captured from.
    fn refused(&self, name: &str, from: &str, known: &PrivateValues) -> Option<String> {
        let withheld: Vec<String> = known
            .keys()
            .filter(|reference| !self.approved.contains(*reference))
            .map(|reference| format!("{{{{{reference}}}}}"))
            .collect();
        if withheld.is_empty() {
            return None;
        }
        let withheld = withheld.join(" and ");
        let to = &self.label;
        Some(format!(
            "{name} was captured from {from}, which was sent {withheld} and can answer with that in \
             any form. It was approved for another server, and {name} is not sent to {to}. To allow \
             it, use {withheld} in a request to {to} as well, and approve that."
        ))
    }

    fn value_of(&mut self, reference: &Reference) -> Result<Value, MissingVariable> {
        let missing = |reason: String| MissingVariable { reason };
        match reference {
            Reference::Uuid => Ok(random_uuid().into()),
            Reference::Now => Ok(now().into()),
            Reference::Variable(name) => {
                match (self.captures.get(name), self.environment.get(name)) {
                    (
                        Some(Captured::Value {
                            value,
                            label,
                            known,
                        }),
                        _,
                    ) => {
                        if let Some(refused) = self.refused(name, label, known) {
                            return Err(missing(refused));
                        }
                        let known = known.iter();
                        self.private
                            .extend(known.map(|(name, value)| (name.clone(), value.clone())));
                        Ok(value.clone())
                    }
                    (Some(Captured::Missing { request }), _) => {
                        let reason = format!("It needs {name}, which {request} did not capture.");
                        self.not_captured = Some(reason.clone());
                        Err(missing(reason))
                    }
                    (None, Some(value)) => Ok(value.clone()),
                    (None, None) => Err(missing(format!(
                        "{{{{{name}}}}} has no value: no earlier request of the folder captures it, and \
                     the environment does not have it."
                    ))),
                }
            }
            Reference::Process(name) => {
                let value = (self.runs.core.options.environment)(name).ok_or_else(|| {
                    missing(format!("The environment variable {name} is not set."))
                })?;
                self.private
                    .insert(reference.to_string(), Secret::new(value.clone()));
                Ok(value.into())
            }
            Reference::Secret(name) => match self.secrets.get(name) {
                Some(Some(secret)) => {
                    self.private.insert(reference.to_string(), secret.clone());
                    Ok(secret.expose().as_str().into())
                }
                _ => Err(missing(format!(
                    "There is no secret {name}. Keep one with `sightglass-cli test --set-secret {name}`."
                ))),
            },
        }
    }
}

/// A random UUID (RFC 9562, section 5.4).
fn random_uuid() -> String {
    let mut bytes = [0_u8; 16];
    for (byte, random) in bytes.iter_mut().zip(random_bytes()) {
        *byte = random;
    }
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// Random bytes of the hasher's seed, which is another one for each.
fn random_bytes() -> impl Iterator<Item = u8> {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let number = || RandomState::new().build_hasher().finish();
    number()
        .to_le_bytes()
        .into_iter()
        .chain(number().to_le_bytes())
}

/// The time, as RFC 3339 has it.
fn now() -> String {
    let now: chrono::DateTime<chrono::Utc> = SystemTime::now().into();
    now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
