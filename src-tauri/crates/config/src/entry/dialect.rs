//! Dialects: the form in which each client writes one server.
//!
//! The common form is the entry of an `.mcp.json` file. A [`Dialect`] translates an entry of
//! its client into that form and back, so that everything else (checking, comparing,
//! explaining, the form) is written once. Places in the file survive the translation, and
//! what a client cannot say is named.

pub(crate) mod behaviour;
pub(crate) mod clients;
mod names;
mod sign_in;
mod variables;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    client::Client,
    entry::expand::{Expansion, LITERAL_PREFIX, OWN_LITERAL, as_written, escaped},
    text::json::{Member, Node, NodeValue, Object},
};

use behaviour::{Behaviour, EntryRefusal};

pub(crate) use sign_in::FIELDS as SIGN_IN_FIELDS;
use variables::all_literal;
pub(crate) use variables::{VariableSyntax, map_references};

/// Something of a server that a client cannot express.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub struct LostField {
    pub server: String,
    /// The field as the common form names it: `cwd`, `env.TOKEN`, …
    pub field: String,
    /// Reason in one sentence.
    pub reason: String,
}

/// A transport as the common form names it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum TransportName {
    Stdio,
    Http,
    Sse,
    Ws,
}

impl TransportName {
    pub fn word(self) -> &'static str {
        match self {
            TransportName::Stdio => "stdio",
            TransportName::Http => "http",
            TransportName::Sse => "sse",
            TransportName::Ws => "ws",
        }
    }
}

/// Form in which a client writes one server.
pub(crate) struct Dialect {
    pub client: Client,
    /// Transports that it knows.
    pub transports: &'static [TransportName],
    /// Fields that mean the same under the same name.
    pub same: &'static [&'static str],
    /// Fields that mean the same under another name, or in another unit.
    pub rules: &'static [FieldRule],
    /// Fields that take more than a rule.
    pub special: &'static [&'static str],
    /// Turns the special fields into common ones.
    pub read: fn(special: Object, common: &mut Object),
    /// Writes the common fields that take more than a rule, and takes them out.
    pub write: fn(common: &mut Map<String, Value>, entry: &mut Map<String, Value>),
    /// Fields of the client that have no counterpart; they are its own and stay.
    pub own: &'static [&'static str],
    /// Rules for the fields about signing in.
    pub sign_in: &'static [sign_in::SignInRule],
    pub variables: VariableSyntax,
}

/// One field under two names.
#[derive(Clone, Copy)]
pub(crate) struct FieldRule {
    pub theirs: &'static str,
    pub ours: &'static str,
    pub unit: Unit,
}

/// Unit in which the value of a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Same,
    /// The common form counts seconds.
    Milliseconds,
    /// `true` where the common form says `false`.
    Negated,
}

/// An entry in the common form.
pub(crate) struct CommonEntry {
    pub object: Object,
    /// The fields that the client does not have.
    pub unknown: Vec<String>,
}

/// The fields whose texts may refer to variables.
pub(crate) const TEXT_FIELDS: [&str; 8] = [
    "command",
    "args",
    "env",
    "envFile",
    "cwd",
    "url",
    "headers",
    "headersHelper",
];

impl Dialect {
    pub(crate) fn of(client: Client) -> &'static Dialect {
        clients::dialect(client)
    }

    /// Dialect of OpenCode's servers under `mcp.servers`.
    pub(crate) fn opencode_servers() -> &'static Dialect {
        clients::opencode_servers()
    }

    /// The rules by which the client expands the references of an entry in the common form.
    pub(crate) fn expansion(&self) -> Expansion {
        if self.is_common() {
            return Expansion::VariablesAndSecrets;
        }
        match self.variables {
            VariableSyntax::Braces
            | VariableSyntax::ShellNames
            | VariableSyntax::Dollar
            | VariableSyntax::Secrets => Expansion::Variables,
            VariableSyntax::OpenCode => Expansion::VariablesAndFiles,
            VariableSyntax::EnvPrefix => Expansion::VariablesAndInputs,
            VariableSyntax::Codex => Expansion::WholeText,
            VariableSyntax::None => Expansion::Never,
        }
    }

    /// Returns the row of its client in the table of what clients do.
    pub(crate) fn behaviour(&self) -> &'static Behaviour {
        Behaviour::of(self.client)
    }

    /// Returns true when this is the form in which the client's servers usually stand, rather than
    /// a second one.
    pub(crate) fn is_usual(&'static self) -> bool {
        std::ptr::eq(self, Dialect::of(self.client))
    }

    /// Returns true when this is the common form itself.
    fn is_common(&self) -> bool {
        self.client == Client::McpJson
    }

    /// Returns the rules of the fields that need nothing else.
    pub(crate) fn rules(&self) -> impl Iterator<Item = FieldRule> {
        let same = self.same.iter().map(|&name| FieldRule {
            theirs: name,
            ours: name,
            unit: Unit::Same,
        });
        same.chain(self.rules.iter().copied())
    }

    /// Returns the names of the fields that an entry of the client can have. Those of the common
    /// form are not listed.
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &'static str> {
        let rules = self.rules().map(|rule| rule.theirs);
        rules
            .chain(self.special.iter().copied())
            .chain(self.own.iter().copied())
    }

    /// Returns the client's field for texts that another client keeps under this name.
    pub(crate) fn field_of_another(&self, name: &str) -> Option<&'static str> {
        let meant = |rule: &FieldRule| rule.theirs == name && TEXT_FIELDS.contains(&rule.ours);
        let mut others = Client::ALL.into_iter().map(Dialect::of);
        let rule = others.find_map(|other| other.rules().find(meant))?;
        let own = self.rules().find(|own| own.ours == rule.ours)?;
        Some(own.theirs)
    }

    /// Returns the name in the common form of a field of the client.
    pub(crate) fn common_name<'a>(&self, field: &'a str) -> &'a str {
        let rule = self.rules.iter().find(|rule| rule.theirs == field);
        rule.map_or(field, |rule| rule.ours)
    }

    /// Translates an entry. What it does not know is named and left out.
    pub(crate) fn to_common(&self, entry: &Object) -> CommonEntry {
        if self.is_common() {
            let mut object = entry.clone();
            for member in &mut object.members {
                if TEXT_FIELDS.contains(&member.key.as_str()) {
                    for_each_text(&mut member.value, &|text: &str| escaped(text).into_owned());
                }
            }
            return CommonEntry {
                object,
                unknown: Vec::new(),
            };
        }
        let mut common = Object::default();
        let mut special = Object::default();
        let mut unknown = Vec::new();
        // Codex has the references of these in fields of their own.
        let is_all_literal = |field: &str| {
            self.variables == VariableSyntax::Codex && ["env", "headers"].contains(&field)
        };
        for member in &entry.members {
            let key = member.key.as_str();
            if let Some(rule) = self.rules().find(|rule| rule.theirs == key) {
                let mut member = member.clone();
                member.key = rule.ours.to_owned();
                in_common_unit(rule.unit, &mut member.value);
                if is_all_literal(rule.ours) {
                    for_each_text(&mut member.value, &all_literal);
                }
                common.members.push(member);
            } else if self.special.contains(&key) {
                special.members.push(member.clone());
            } else if !self.own.contains(&key) {
                unknown.push(member.key.clone());
            }
        }
        (self.read)(special, &mut common);
        let sign_in = sign_in::read(self.sign_in, self.can_refuse_sign_in(), entry);
        common.members.extend(sign_in);
        let behaviour = self.behaviour();
        for member in &mut common.members {
            let field = member.key.as_str();
            if TEXT_FIELDS.contains(&field) && !is_all_literal(field) {
                let to_common = |text: &str| self.variables.to_common(text, behaviour);
                for_each_text(&mut member.value, &to_common);
            }
        }
        CommonEntry {
            object: common,
            unknown,
        }
    }

    /// Writes an entry of the common form as the client has it, and names what is lost.
    ///
    /// # Errors
    /// A sentence, when the client cannot have this server at all.
    pub(crate) fn write_entry(
        &self,
        name: &str,
        common: &Map<String, Value>,
    ) -> Result<(Map<String, Value>, Vec<LostField>), String> {
        let mut lost = Vec::new();
        let mut lose = |field: String, reason: String| {
            lost.push(LostField {
                server: name.to_owned(),
                field,
                reason,
            });
        };
        let title = self.client.title();
        let mut lose_reference = |field: String, reference: &str| {
            let written = as_written(reference);
            let reason = if reference.starts_with(OWN_LITERAL) {
                format!("{title} takes {written} for a reference, and it names no variable.")
            } else if reference.contains(LITERAL_PREFIX) {
                format!(
                    "{title} expands {written}; in the other client it is a text that stands for \
                     itself."
                )
            } else {
                format!("{title} does not expand {reference}; it is written as it stands.")
            };
            lose(field, reason);
        };
        if self.is_common() {
            let mut entry = common.clone();
            for field in TEXT_FIELDS {
                if let Some(value) = entry.get_mut(field) {
                    unmark_literals(field, value, &mut lose_reference);
                }
            }
            return Ok((entry, lost));
        }
        let transport = transport_of(common);
        if let Some(transport) = transport
            && !self.transports.contains(&transport)
        {
            return Err(self.refusal_of(transport));
        }
        let mut rest = common.clone();
        token_into_header(&mut rest);
        for field in TEXT_FIELDS {
            if let Some(value) = rest.get_mut(field) {
                self.variables.write(field, value, &mut lose_reference);
            }
        }
        if rest.get("enabled") == Some(&Value::Bool(false)) {
            rest.insert("disabled".into(), true.into());
        }
        rest.remove("enabled");
        if rest.get("disabled") == Some(&Value::Bool(false)) {
            rest.remove("disabled");
        }
        if rest.get("era").and_then(Value::as_str) == Some("auto") {
            rest.remove("era");
        }
        let mut entry = Map::new();
        sign_in::write(
            self.sign_in,
            self.can_refuse_sign_in(),
            &mut rest,
            &mut entry,
            &mut |field| {
                let reason = match field.as_str() {
                    "oauth" => format!(
                        "{title} signs in wherever a server asks for it; this cannot be switched \
                         off there."
                    ),
                    _ => format!("{title} has no field for this; it is left out."),
                };
                lose(field, reason);
            },
        );
        (self.write)(&mut rest, &mut entry);
        for (field, value) in rest {
            let rule = self.rules().find(|rule| rule.ours == field);
            match rule.and_then(|rule| Some((rule, in_their_unit(rule.unit, &value)?))) {
                Some((rule, value)) => {
                    entry.insert(rule.theirs.to_owned(), value);
                }
                None if is_empty(&value) => {}
                None => {
                    let reason = match field.as_str() {
                        "disabled" => format!(
                            "{title} has no way to list a server without using it, so it will be \
                             in use there."
                        ),
                        _ => format!("{title} has no field for this; it is left out."),
                    };
                    lose(field, reason);
                }
            }
        }
        Ok((entry, lost))
    }

    /// Adds to a new entry what its client needs beside what was said: caliban uses a client only
    /// where the mode of signing in is named.
    pub(crate) fn complete(&self, entry: &mut Map<String, Value>) {
        if self.client == Client::Caliban && entry.contains_key("oauth_config") {
            entry.entry("oauth").or_insert_with(|| "auto".into());
        }
    }

    /// The members of an entry that only this client has, as they stand there.
    pub(crate) fn own_members(&self, entry: &Object) -> Map<String, Value> {
        let own = entry.members.iter();
        own.filter(|member| self.own.contains(&member.key.as_str()))
            .map(|member| (member.key.clone(), plain(&member.value)))
            .collect()
    }

    /// The fields of an entry that only this client has.
    pub(crate) fn own_fields(&self, entry: &Object) -> Vec<String> {
        entry
            .members
            .iter()
            .filter(|member| self.own.contains(&member.key.as_str()))
            .flat_map(|member| {
                sign_in::own_within(self.sign_in, self.can_refuse_sign_in(), member)
                    .unwrap_or_else(|| vec![member.key.clone()])
            })
            .collect()
    }

    /// Returns true when an entry can say that there is nothing to sign in to.
    pub(crate) fn can_refuse_sign_in(&self) -> bool {
        self.is_common() || self.client == Client::Opencode
    }

    /// Returns true when an entry can have this field of the common `oauth` object.
    pub(crate) fn expresses_sign_in(&self, field: &str) -> bool {
        self.is_common() || self.sign_in.iter().any(|rule| rule.ours == field)
    }

    /// The fields of the client's own entry that the dialect writes.
    pub(crate) fn governed(&self, entry: &Map<String, Value>) -> Map<String, Value> {
        let mut governed = sign_in::governed(self.sign_in, self.can_refuse_sign_in(), entry);
        let plain = entry.iter().filter(|(key, _)| {
            self.rules().any(|rule| rule.theirs == *key) || self.special.contains(&key.as_str())
        });
        governed.extend(plain.map(|(key, value)| (key.clone(), value.clone())));
        governed
    }

    fn refusal_of(&self, transport: TransportName) -> String {
        let title = self.client.title();
        match transport {
            TransportName::Stdio => format!("{title} has no servers over stdio."),
            remote => match self.behaviour().refusals {
                [EntryRefusal::Remote { instead }] => format!(
                    "{title} takes programs alone from its file, and this is a server over {}. \
                     {instead}",
                    remote.word()
                ),
                _ => format!("{title} cannot connect over {}.", remote.word()),
            },
        }
    }

    /// Returns the problem of a server's name for this client.
    pub(crate) fn complaint_about_name(&self, name: &str) -> Option<String> {
        names::complaint(self.client, name)
    }

    /// Returns true when an entry can have this field of the common form.
    pub(crate) fn expresses(&self, field: &str) -> bool {
        self.is_common()
            || self.rules().any(|rule| rule.ours == field)
            || clients::written_specially(self.client).contains(&field)
    }
}

/// Writes every text as it stands in the file that it came from. Those in which something stood for
/// itself that the common form expands are told.
fn unmark_literals(field: &str, value: &mut Value, lose: &mut dyn FnMut(String, &str)) {
    match value {
        Value::String(text) => {
            map_references(text, |reference, name, _| {
                if name.starts_with(LITERAL_PREFIX) {
                    lose(field.to_owned(), reference);
                }
                String::new()
            });
            // Once: what the other file itself has in the form of a mark is no mark.
            *text = as_written(text).into_owned();
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                unmark_literals(&format!("{field}[{index}]"), element, lose);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                unmark_literals(&format!("{field}.{name}"), member, lose);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A fixed token that a variable holds, as the header that it ends up in; a client with a field
/// for it finds it there.
fn token_into_header(common: &mut Map<String, Value>) {
    let Some(Value::String(name)) = common.remove("bearer_token_env_var") else {
        return;
    };
    let headers = common
        .entry("headers")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(headers) = headers
        && !headers
            .keys()
            .any(|header| header.eq_ignore_ascii_case("authorization"))
    {
        headers.insert("Authorization".into(), format!("Bearer ${{{name}}}").into());
    }
}

/// Returns the transport of an entry of the common form; `None` when it does not say.
pub(crate) fn transport_of(common: &Map<String, Value>) -> Option<TransportName> {
    let named = ["type", "transport"]
        .iter()
        .find_map(|field| common.get(*field)?.as_str());
    match named {
        Some("stdio") => Some(TransportName::Stdio),
        Some("sse") => Some(TransportName::Sse),
        Some("ws" | "websocket") => Some(TransportName::Ws),
        Some(_) => Some(TransportName::Http),
        None if common.contains_key("command") => Some(TransportName::Stdio),
        None if common.contains_key("url") => Some(TransportName::Http),
        None => None,
    }
}

/// The tree of a value as a value. `null` stands for what cannot be said.
pub(crate) fn plain(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(flag) => (*flag).into(),
        NodeValue::Number(digits) => serde_json::from_str(digits).unwrap_or(Value::Null),
        NodeValue::String(text) => text.as_str().into(),
        NodeValue::Array(elements) => elements.iter().map(plain).collect(),
        NodeValue::Object(object) => Value::Object(plain_object(object)),
    }
}

/// Of a name that stands there twice the last one counts.
pub(crate) fn plain_object(object: &Object) -> Map<String, Value> {
    object
        .members
        .iter()
        .map(|member| (member.key.clone(), plain(&member.value)))
        .collect()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn in_common_unit(unit: Unit, node: &mut Node) {
    match (unit, &mut node.value) {
        (Unit::Milliseconds, NodeValue::Number(digits)) => {
            if let Ok(milliseconds) = digits.parse::<f64>() {
                *digits = (milliseconds / 1000.0).to_string();
            }
        }
        (Unit::Negated, NodeValue::Bool(flag)) => *flag = !*flag,
        _ => {}
    }
}

fn in_their_unit(unit: Unit, value: &Value) -> Option<Value> {
    match unit {
        Unit::Same => Some(value.clone()),
        Unit::Negated => value.as_bool().map(|flag| (!flag).into()),
        Unit::Milliseconds => {
            let milliseconds = value.as_f64()? * 1000.0;
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a time limit in milliseconds is far below 2^63, and the cast saturates"
            )]
            Some((milliseconds.round() as u64).into())
        }
    }
}

fn for_each_text(node: &mut Node, change: &dyn Fn(&str) -> String) {
    match &mut node.value {
        NodeValue::String(text) => *text = change(text),
        NodeValue::Array(elements) => {
            for element in elements {
                for_each_text(element, change);
            }
        }
        NodeValue::Object(object) => {
            for member in &mut object.members {
                for_each_text(&mut member.value, change);
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => {}
    }
}

/// A member that a dialect makes up, at the place of another.
fn member_at(place: &Member, key: &str, value: NodeValue) -> Member {
    Member {
        key: key.to_owned(),
        key_range: place.key_range.clone(),
        value: Node {
            range: place.value.range.clone(),
            value,
        },
        comma: None,
    }
}
