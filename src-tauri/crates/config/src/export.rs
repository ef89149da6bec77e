//! Servers written in the form of any client, for the clipboard or a file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};
use sightglass_secrets::{
    Redactor, Secret, is_secret_value, secret_argument_part, secret_url_parts,
};

use crate::{
    client::{Client, Machine},
    entry::{
        dialect::{Dialect, LostField, map_references},
        expand::variable_name,
        value::{is_literal, is_secret},
        variable::collect,
    },
    scopes::scopes,
    text::format::{FileFormat, object},
};

/// Treatment of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// A `${VARIABLE}` stands in their place.
    Replaced,
    Included,
}

/// Servers in the form of a client.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    pub text: String,
    pub format: FileFormat,
    /// Members that the client cannot express.
    pub lost: Vec<LostField>,
    /// Servers that the client cannot have at all, with the reason.
    pub refused: Vec<String>,
    /// The variables that stand in the place of secrets.
    pub replaced: Vec<String>,
    /// Suggested name of a file with it.
    pub suggested_name: String,
}

/// Writes servers, given in the common form, as a client has them.
pub fn export(
    servers: &[(String, Map<String, Value>)],
    client: Client,
    secrets: Secrets,
    machine: &Machine,
) -> Exported {
    let places = scopes(client, machine);
    let place = places
        .iter()
        .find(|place| place.target.scope == "user")
        .or(places.first());
    let (format, section) = place
        .map_or((FileFormat::Json, vec!["mcpServers".to_owned()]), |place| {
            (place.format(), place.layout.sections[0].path.clone())
        });
    let dialect = Dialect::of(client);
    let mut written = Map::new();
    let mut lost = Vec::new();
    let mut refused = Vec::new();
    let mut names = VariableNames::beside(servers);
    for (name, entry) in servers {
        let entry = match secrets {
            Secrets::Included => entry.clone(),
            Secrets::Replaced => without_secrets(name, entry, &mut names),
        };
        match dialect.write_entry(name, &entry) {
            Ok((entry, left_out)) => {
                written.insert(name.clone(), Value::Object(entry));
                lost.extend(left_out);
            }
            Err(reason) => refused.push(format!("{name}: {reason}")),
        }
    }
    let mut root = Value::Object(written);
    for key in section.iter().rev() {
        root = object(key, root);
    }
    let text = format.new_text(&root, "\n");
    // What was replaced in one place may stand in another one too.
    let text = names.redactor().text(text.into()).into_owned();
    Exported {
        text,
        format,
        lost,
        refused,
        replaced: names.given(),
        suggested_name: place.and_then(|place| place.path.file_name()).map_or_else(
            || "servers.json".to_owned(),
            |name| name.to_string_lossy().trim_start_matches('.').to_owned(),
        ),
    }
}

/// The names of the variables that an entry refers to.
fn references(entry: &Map<String, Value>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (field, value) in entry {
        collect(field, value, &mut |_, text| {
            map_references(text, |_, name, _| {
                names.insert(name.to_owned());
                String::new()
            });
        });
    }
    names
}

/// The variables of an export: one name never stands for two values, and a value that comes
/// again under the same name keeps it.
struct VariableNames {
    /// Value of each name; `None` for what the servers refer to themselves.
    taken: BTreeMap<String, Option<String>>,
}

impl VariableNames {
    fn beside(servers: &[(String, Map<String, Value>)]) -> Self {
        let own = servers.iter().flat_map(|(_, entry)| references(entry));
        Self {
            taken: own.map(|name| (name, None)).collect(),
        }
    }

    /// The first of the names that is free or stands for this value; where none is, the last
    /// with a number.
    fn give(&mut self, wanted: &[String], value: &str) -> String {
        let last = wanted.last().map_or("SECRET", String::as_str);
        let numbered = (2..).map(|number: u32| format!("{last}_{number}"));
        let name = wanted.iter().cloned().chain(numbered).find(|name| {
            let standing_for = self.taken.get(name);
            standing_for.is_none_or(|given| given.as_deref() == Some(value))
        });
        // Numbers do not run out.
        let name = name.unwrap_or_default();
        self.taken.insert(name.clone(), Some(value.to_owned()));
        name
    }

    /// Masks what was replaced, wherever it stands.
    fn redactor(&self) -> Redactor {
        let replaced = self.taken.values().flatten();
        Redactor::new(replaced.map(|value| Secret::new(value.clone())))
    }

    /// The names that stand in the place of secrets.
    fn given(self) -> Vec<String> {
        let given = self.taken.into_iter().filter(|(_, value)| value.is_some());
        given.map(|(name, _)| name).collect()
    }
}

/// An entry with references in place of the values that look like secrets.
fn without_secrets(
    server: &str,
    entry: &Map<String, Value>,
    names: &mut VariableNames,
) -> Map<String, Value> {
    let mut entry = entry.clone();
    let server = variable_name(server);
    let of_server = |name: &str| format!("{server}_{}", variable_name(name));
    for (field, own_name) in [("env", true), ("headers", false), ("oauth", false)] {
        if let Some(Value::Object(members)) = entry.get_mut(field) {
            for (name, value) in members {
                let Some(text) = value.as_str() else { continue };
                let configured =
                    field != "oauth" && is_literal(text) && is_secret_value(name, text);
                if !configured && !is_secret(name, text) {
                    continue;
                }
                let scheme = text.split_once(' ').filter(|(scheme, _)| {
                    ["bearer", "basic", "token"].contains(&scheme.to_ascii_lowercase().as_str())
                });
                *value = match scheme {
                    _ if own_name => {
                        let wanted = [name.clone(), of_server(name)];
                        format!("${{{}}}", names.give(&wanted, text)).into()
                    }
                    Some((scheme, secret)) => {
                        let reference = names.give(&[of_server(name)], secret);
                        format!("{scheme} ${{{reference}}}").into()
                    }
                    None => format!("${{{}}}", names.give(&[of_server(name)], text)).into(),
                };
            }
        }
    }
    if let Some(Value::Array(arguments)) = entry.get_mut("args") {
        let texts: Vec<String> = arguments
            .iter()
            .map(|argument| argument.as_str().unwrap_or_default().to_owned())
            .collect();
        for (index, argument) in arguments.iter_mut().enumerate() {
            let text = &texts[index];
            if let Some((name, place)) = secret_argument_part(&texts, index) {
                let reference = names.give(&[of_server(name)], &text[place.clone()]);
                let (before, after) = (&text[..place.start], &text[place.end..]);
                *argument = format!("{before}${{{reference}}}{after}").into();
            } else if argument.is_string() {
                *argument = address_without_secrets(&of_server, text, names).into();
            }
        }
    }
    if let Some(Value::String(url)) = entry.get_mut("url") {
        *url = address_without_secrets(&of_server, url, names);
    }
    entry
}

/// The credentials of a URL, replaced in place. Of a user and a password the user stays.
fn address_without_secrets(
    of_server: &dyn Fn(&str) -> String,
    address: &str,
    names: &mut VariableNames,
) -> String {
    let mut written = String::with_capacity(address.len());
    let mut copied = 0;
    for part in secret_url_parts(address) {
        let text = &address[part.place.clone()];
        if !is_literal(text) {
            continue;
        }
        let (kept, name, secret) = match text.split_once(':') {
            Some((user, password)) if part.name == "user" => (user.len() + 1, "PASSWORD", password),
            _ => (0, part.name, text),
        };
        if secret.is_empty() || secret.contains("${") {
            continue;
        }
        written.push_str(&address[copied..part.place.start + kept]);
        let reference = names.give(&[of_server(name)], secret);
        written.push_str(&format!("${{{reference}}}"));
        copied = part.place.end;
    }
    written.push_str(&address[copied..]);
    written
}
