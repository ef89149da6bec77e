//! Servers written in the form of any client, for the clipboard or a file.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as NewValue};

use crate::{
    client::{Client, Machine},
    dialect::{Dialect, LostField, map_references},
    document::{FileFormat, object},
    draft::is_secret,
    scopes::scopes,
    variable::collect,
};

/// What becomes of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// A `${VARIABLE}` stands in their place.
    Replaced,
    Included,
}

/// Servers in the form of a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    pub text: String,
    pub format: FileFormat,
    /// What the client cannot express.
    pub lost: Vec<LostField>,
    /// Servers that the client cannot have at all, and why.
    pub refused: Vec<(String, String)>,
    /// The variables that stand in the place of secrets.
    pub replaced: Vec<String>,
    /// What a file with it might be called.
    pub suggested_name: String,
}

/// Writes servers, given in the common form, as a client has them.
pub fn export(
    servers: &[(String, Map<String, NewValue>)],
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
    let mut names = Names::beside(servers);
    for (name, entry) in servers {
        let entry = match secrets {
            Secrets::Included => entry.clone(),
            Secrets::Replaced => without_secrets(name, entry, &mut names),
        };
        match dialect.write_entry(name, &entry) {
            Ok((entry, left_out)) => {
                written.insert(name.clone(), NewValue::Object(entry));
                lost.extend(left_out);
            }
            Err(reason) => refused.push((name.clone(), reason)),
        }
    }
    let mut root = NewValue::Object(written);
    for key in section.iter().rev() {
        root = object(key, root);
    }
    Exported {
        text: format.new_text(&root, "\n"),
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
fn references(entry: &Map<String, NewValue>) -> BTreeSet<String> {
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
struct Names {
    /// What each name stands for; nothing for what the servers refer to themselves.
    taken: BTreeMap<String, Option<String>>,
}

impl Names {
    fn beside(servers: &[(String, Map<String, NewValue>)]) -> Self {
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

    /// The names that stand in the place of secrets.
    fn given(self) -> Vec<String> {
        let given = self.taken.into_iter().filter(|(_, value)| value.is_some());
        given.map(|(name, _)| name).collect()
    }
}

/// An entry with references in place of the values that look like secrets.
fn without_secrets(
    server: &str,
    entry: &Map<String, NewValue>,
    names: &mut Names,
) -> Map<String, NewValue> {
    let mut entry = entry.clone();
    let server = variable(server);
    let of_server = |name: &str| format!("{server}_{}", variable(name));
    for (field, own_name) in [("env", true), ("headers", false), ("oauth", false)] {
        if let Some(NewValue::Object(members)) = entry.get_mut(field) {
            for (name, value) in members {
                let Some(text) = value.as_str() else { continue };
                if !is_secret(name, text) {
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
    if let Some(NewValue::Array(arguments)) = entry.get_mut("args") {
        let mut flag: Option<String> = None;
        for argument in arguments {
            let Some(text) = argument.as_str().map(str::to_owned) else {
                continue;
            };
            if let Some((name, value)) = text.split_once('=')
                && is_secret(name, value)
            {
                let reference = names.give(&[of_server(name)], value);
                *argument = format!("{name}=${{{reference}}}").into();
            } else if let Some(name) = flag.take()
                && is_secret(&name, &text)
                && !text.starts_with('-')
            {
                *argument = format!("${{{}}}", names.give(&[of_server(&name)], &text)).into();
            } else if is_secret("", &text) {
                *argument = format!("${{{}}}", names.give(&[of_server("SECRET")], &text)).into();
            } else if text.starts_with('-') {
                flag = Some(text);
            }
        }
    }
    if let Some(NewValue::String(url)) = entry.get_mut("url") {
        *url = address_without_secrets(&of_server, url, names);
    }
    entry
}

/// A password before the host, and the values of a query, replaced in place.
fn address_without_secrets(
    of_server: &dyn Fn(&str) -> String,
    address: &str,
    names: &mut Names,
) -> String {
    let Ok(parsed) = url::Url::parse(address) else {
        return address.to_owned();
    };
    let mut address = address.to_owned();
    if let Some(password) = parsed
        .password()
        .filter(|password| !password.contains("$%7B"))
    {
        let reference = names.give(&[of_server("PASSWORD")], password);
        address = address.replacen(&format!(":{password}@"), &format!(":${{{reference}}}@"), 1);
    }
    for pair in parsed.query().unwrap_or_default().split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && is_secret(name, value)
            && !value.contains("$%7B")
        {
            let reference = names.give(&[of_server(name)], value);
            address = address.replacen(pair, &format!("{name}=${{{reference}}}"), 1);
        }
    }
    address
}

fn variable(text: &str) -> String {
    text.trim_matches('-')
        .chars()
        .map(|character| match character.to_ascii_uppercase() {
            plain if plain.is_ascii_alphanumeric() => plain,
            _ => '_',
        })
        .collect()
}
