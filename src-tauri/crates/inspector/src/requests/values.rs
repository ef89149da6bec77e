//! Values for the references of a request.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    time::SystemTime,
};

use serde_json::Value;
use sightglass_requests::{
    Environment, Expectation, MissingVariable, Reference, RequestFile, RequestServer, Template,
    TemplateError,
};
use sightglass_secrets::{Redactor, Secret};

use crate::{Inspector, InspectorError};

/// Stands before the name of a request's secret in the vault.
const SECRET_PREFIX: &str = "request-secret:";

/// Values that earlier requests captured, by their names.
pub(super) type Captures = HashMap<String, Captured>;

/// A value that a request was to capture.
#[derive(Debug, Clone)]
pub(super) enum Captured {
    Value {
        value: Value,
        /// The values from outside that it holds, and the server that they were approved for.
        private: Vec<Secret<String>>,
        from: RequestServer,
    },
    /// The request of this name did not get there.
    Missing { request: String },
}

/// The values from outside that the requests of a run sent: a server can hand one on to a later
/// request, which does not name it.
#[derive(Clone, Default)]
pub(super) struct PrivateValues {
    values: Vec<Secret<String>>,
    redactor: Redactor,
}

impl PrivateValues {
    pub fn add(&mut self, sent: &[Secret<String>]) {
        if let Some(redactor) = self.redactor.with(sent) {
            self.redactor = redactor;
            self.values.extend_from_slice(sent);
        }
    }

    /// Masks the values in a text.
    pub fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.text(Cow::Borrowed(text))
    }

    /// Keeps a value of an answer of `from` for later requests.
    pub fn captured(&self, value: Value, from: &RequestServer) -> Captured {
        let text = sightglass_requests::shown(&value);
        let holds = |secret: &&Secret<String>| {
            let redactor = Redactor::new([Secret::clone(secret)]);
            redactor.text(Cow::Borrowed(&text)) != text.as_str()
        };
        let private = match self.masked(&text) == text.as_str() {
            true => Vec::new(),
            false => self.values.iter().filter(holds).cloned().collect(),
        };
        Captured::Value {
            value,
            private,
            from: from.clone(),
        }
    }
}

/// A request whose references are filled in.
pub(super) struct FilledRequest {
    pub params: String,
    pub answers: BTreeMap<String, String>,
    pub expectations: Vec<Expectation>,
    /// The values from outside in it, which are masked wherever they turn up.
    pub private: Vec<Secret<String>>,
}

/// Reason why a request was not filled in.
pub(super) enum NotFilled {
    /// An earlier request did not capture a value.
    NotCaptured(String),
    Problem(String),
}

impl Inspector {
    /// Keeps a secret for requests, by the name in `{{secret.NAME}}`; `None` forgets it.
    ///
    /// # Errors
    /// When the keychain refuses.
    pub async fn keep_request_secret(
        &self,
        name: &str,
        value: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let name = format!("{SECRET_PREFIX}{name}");
        let kept = match value {
            Some(value) => self.vault.set(&name, value).await,
            None => self.vault.remove(&name).await,
        };
        kept.map_err(|error| {
            InspectorError::InvalidInput(format!("The secret was not kept: {error}."))
        })
    }

    /// Fills in the references of a request.
    pub(super) async fn filled(
        &self,
        file: &RequestFile,
        environment: &Environment,
        captures: &Captures,
    ) -> Result<FilledRequest, NotFilled> {
        let mut secrets = HashMap::new();
        for reference in file.references() {
            if let Reference::Secret(name) = &reference {
                let kept = self.vault.get(&format!("{SECRET_PREFIX}{name}")).await;
                let kept =
                    kept.map_err(|error| NotFilled::Problem(format!("secret.{name}: {error}.")))?;
                secrets.insert(name.clone(), kept);
            }
        }
        let mut values = Values {
            inspector: self,
            environment,
            captures,
            server: &file.server,
            secrets,
            private: Vec::new(),
            not_captured: None,
        };
        let filled = values.fill(file);
        match (filled, values.not_captured) {
            (Ok(filled), _) => Ok(filled),
            (Err(_), Some(reason)) => Err(NotFilled::NotCaptured(reason)),
            (Err(error), None) => Err(NotFilled::Problem(error.to_string())),
        }
    }
}

struct Values<'a> {
    inspector: &'a Inspector,
    environment: &'a Environment,
    captures: &'a Captures,
    /// The server that it is sent to.
    server: &'a RequestServer,
    secrets: HashMap<String, Option<Secret<String>>>,
    private: Vec<Secret<String>>,
    not_captured: Option<String>,
}

impl Values<'_> {
    fn fill(&mut self, file: &RequestFile) -> Result<FilledRequest, TemplateError> {
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

    fn value_of(&mut self, reference: &Reference) -> Result<Value, MissingVariable> {
        let missing = |reason: String| MissingVariable { reason };
        match reference {
            Reference::Uuid => Ok(random_uuid().into()),
            Reference::Now => Ok(now().into()),
            Reference::Variable(name) => {
                match (self.captures.get(name), self.environment.get(name)) {
                    (Some(Captured::Value { private, from, .. }), _)
                        if !private.is_empty() && from != self.server =>
                    {
                        Err(missing(format!(
                            "{name} holds a value of the environment or the keychain that was \
                             approved for another server, and is not sent to this one."
                        )))
                    }
                    (Some(Captured::Value { value, private, .. }), _) => {
                        self.private.extend(private.iter().cloned());
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
                let value = (self.inspector.options.environment)(name).ok_or_else(|| {
                    missing(format!("The environment variable {name} is not set."))
                })?;
                self.private.push(Secret::new(value.clone()));
                Ok(value.into())
            }
            Reference::Secret(name) => match self.secrets.get(name) {
                Some(Some(secret)) => {
                    self.private.push(secret.clone());
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
