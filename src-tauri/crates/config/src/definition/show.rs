//! Shows entries: their fields one by one, with secrets masked.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use serde_json::{Map, Value};
use sightglass_model::command_line;
use sightglass_secrets::{
    MASK, Redactor, Secret, is_secret_value, mask_arguments, mask_command, mask_url,
};

use crate::{
    client::Client,
    definition::Definition,
    entry::{
        dialect::{Dialect, TransportName, transport_of},
        expand::as_written,
        value::is_secret,
        variable::collect,
    },
    text::{
        format::FileFormat,
        json::{Node, NodeValue},
    },
};

/// Fields that an entry of a client can have.
pub struct Expressible {
    pub transports: &'static [TransportName],
    /// Spelling of a variable; `None` where none are expanded.
    pub variable: Option<&'static str>,
    dialect: &'static Dialect,
}

impl Expressible {
    pub fn of(client: Client) -> Self {
        let dialect = Dialect::of(client);
        Self {
            transports: dialect.transports,
            variable: dialect.variables.sample(),
            dialect,
        }
    }

    /// Returns true when it can have this field of the common form.
    pub fn field(&self, field: &str) -> bool {
        self.dialect.expresses(field)
    }

    /// Returns true when it can have this field of the common `oauth` object.
    pub fn sign_in(&self, field: &str) -> bool {
        self.dialect.expresses_sign_in(field)
    }

    /// Returns true when it can say that there is nothing to sign in to.
    pub fn sign_in_off(&self) -> bool {
        self.dialect.can_refuse_sign_in()
    }

    /// Returns the problem of a name for this client.
    pub fn complaint_about_name(&self, name: &str) -> Option<String> {
        self.dialect.complaint_about_name(name)
    }

    /// Returns the members of an entry in the common form that the client cannot express.
    ///
    /// # Errors
    /// A sentence, when it cannot have the server at all.
    pub fn losses(
        &self,
        name: &str,
        entry: &Map<String, Value>,
    ) -> Result<Vec<crate::LostField>, String> {
        Ok(self.dialect.write_entry(name, entry)?.1)
    }
}

/// The transport of an entry in the common form.
pub fn transport(entry: &Map<String, Value>) -> Option<TransportName> {
    transport_of(entry)
}

/// The command line or the URL of an entry in the common form, by the type that it declares.
pub fn summary(entry: &Map<String, Value>) -> String {
    let is_remote = transport_of(entry).is_some_and(|word| word != TransportName::Stdio);
    if is_remote && let Some(url) = entry.get("url").and_then(Value::as_str) {
        return mask_url(&as_written(url));
    }
    let command = entry.get("command").and_then(Value::as_str);
    let arguments = entry.get("args").and_then(Value::as_array);
    let arguments: Vec<String> = arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| argument.as_str().map(str::to_owned))
        .collect();
    let words = command.map(mask_command).into_iter();
    let words: Vec<String> = words
        .chain(mask_arguments(&arguments))
        .map(|word| as_written(&word).into_owned())
        .collect();
    command_line(words.iter().map(String::as_str))
}

/// One field of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// `command`, `args[1]`, `env.TOKEN`, …
    pub name: String,
    /// Its value, masked if it looks like a secret.
    pub shown: String,
    /// Differs when the value does, also behind the mask.
    pub content: u64,
}

/// The fields of an entry in the common form, each text of a list or an object on its own.
pub fn fields(entry: &Map<String, Value>) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut add = |name: &str, shown: String, value: &str| {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        fields.push(Field {
            name: name.to_owned(),
            shown,
            content: hasher.finish(),
        });
    };
    for (field, value) in entry {
        let mut holds_text = false;
        visit_shown(field, value, &mut |place, text, shown| {
            holds_text = true;
            add(place, shown, text);
        });
        if !holds_text {
            let text = value.to_string();
            add(field, text.clone(), &text);
        }
    }
    fields
}

/// Hands every text of a field to `visit`: where it stands, what it is, and how it is shown.
fn visit_shown(field: &str, value: &Value, visit: &mut dyn FnMut(&str, &str, String)) {
    match (field, value) {
        ("args", Value::Array(elements)) => {
            let texts: Vec<String> = elements
                .iter()
                .map(|element| element.as_str().unwrap_or_default().to_owned())
                .collect();
            let shown = mask_arguments(&texts);
            for (index, (text, shown)) in texts.iter().zip(shown).enumerate() {
                if elements[index].is_string() {
                    let (text, shown) = (as_written(text), as_written(&shown).into_owned());
                    visit(&format!("args[{index}]"), &text, shown);
                }
            }
        }
        _ => collect(field, value, &mut |place, text| {
            let text = as_written(text);
            visit(place, &text, masked(place, &text));
        }),
    }
}

pub(super) fn masked(place: &str, text: &str) -> String {
    let command = (place == "command").then(|| mask_command(text));
    let command = command.filter(|shown| shown != text);
    if is_secret(place, text) || is_secret_of_environment(place, text) {
        MASK.to_owned()
    } else if let Some(shown) = command {
        shown
    } else if text.contains("://") {
        mask_url(text)
    } else {
        text.to_owned()
    }
}

/// Tells whether a text is the value of a variable or a header and may be a secret, whatever its
/// name.
fn is_secret_of_environment(place: &str, text: &str) -> bool {
    let name = ["env.", "headers."]
        .iter()
        .find_map(|field| place.strip_prefix(field));
    name.is_some_and(|name| !text.contains("${") && is_secret_value(name, text))
}

/// The text of an entry in its file, with the values masked that look like secrets: each where
/// it stands, and wherever else the entry repeats it.
pub fn masked_text(definition: &Definition) -> String {
    let shown_as = shown_texts(definition);
    let raw = definition.raw.expose();
    let document = if raw.trim_start().starts_with('{') {
        FileFormat::Jsonc.parse(raw)
    } else {
        FileFormat::Toml.parse(raw)
    };
    let mut replaced: Vec<(Range<usize>, &String)> = Vec::new();
    if let Some(root) = &document.root {
        visit_texts(root, &mut |node, text| {
            if let Some(shown) = shown_as.get(text) {
                replaced.push((node.range.clone(), shown));
            }
        });
    }
    // From the end, so that the places before stay where they are.
    replaced.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = raw.clone();
    for (range, shown) in replaced {
        text.replace_range(range, &Value::from(shown.as_str()).to_string());
    }
    // A comment may repeat it, and a text that is broken has no places.
    let redactor = Redactor::new(shown_as.into_keys().map(Secret::new));
    redactor.text(text.into()).into_owned()
}

/// The texts of an entry that look like secrets, with how each is shown.
pub(super) fn shown_texts(definition: &Definition) -> HashMap<String, String> {
    let mut shown_as = HashMap::new();
    for (field, value) in definition.common.expose() {
        visit_shown(field, value, &mut |_, text, shown| {
            if shown != text {
                shown_as.insert(text.to_owned(), shown);
            }
        });
    }
    for (field, value) in definition.own.expose() {
        collect(field, value, &mut |place, text| {
            let name = place.rsplit('.').next().unwrap_or(place);
            if is_secret(name, text) {
                shown_as.insert(text.to_owned(), MASK.to_owned());
            }
        });
    }
    shown_as
}

/// Hands every text under a node to `visit`.
pub(super) fn visit_texts(node: &Node, visit: &mut dyn FnMut(&Node, &str)) {
    match &node.value {
        NodeValue::String(text) => visit(node, text),
        NodeValue::Array(elements) => {
            for element in elements {
                visit_texts(element, visit);
            }
        }
        NodeValue::Object(object) => {
            for member in &object.members {
                visit_texts(&member.value, visit);
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => {}
    }
}
