//! Servers written in the form of any client, for the clipboard or a file.

use std::collections::BTreeSet;

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
            (place.format(), place.layout.sections[0].clone())
        });
    let dialect = Dialect::of(client);
    let mut written = Map::new();
    let mut lost = Vec::new();
    let mut refused = Vec::new();
    let mut replaced = BTreeSet::new();
    for (name, entry) in servers {
        let entry = match secrets {
            Secrets::Included => entry.clone(),
            Secrets::Replaced => {
                let without = without_secrets(name, entry);
                let before = references(entry);
                replaced.extend(
                    references(&without)
                        .into_iter()
                        .filter(|name| !before.contains(name)),
                );
                without
            }
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
        replaced: replaced.into_iter().collect(),
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

/// An entry with references in place of the values that look like secrets.
fn without_secrets(server: &str, entry: &Map<String, NewValue>) -> Map<String, NewValue> {
    let mut entry = entry.clone();
    let server = variable(server);
    for (field, own_name) in [("env", true), ("headers", false), ("oauth", false)] {
        if let Some(NewValue::Object(members)) = entry.get_mut(field) {
            for (name, value) in members {
                let Some(text) = value.as_str() else { continue };
                if !is_secret(name, text) {
                    continue;
                }
                let reference = if own_name {
                    name.clone()
                } else {
                    format!("{server}_{}", variable(name))
                };
                let scheme = text.split_once(' ').filter(|(scheme, _)| {
                    ["bearer", "basic", "token"].contains(&scheme.to_ascii_lowercase().as_str())
                });
                *value = match scheme {
                    Some((scheme, _)) if !own_name => format!("{scheme} ${{{reference}}}").into(),
                    _ => format!("${{{reference}}}").into(),
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
                *argument = format!("{name}=${{{server}_{}}}", variable(name)).into();
            } else if let Some(name) = flag.take()
                && is_secret(&name, &text)
                && !text.starts_with('-')
            {
                *argument = format!("${{{server}_{}}}", variable(&name)).into();
            } else if is_secret("", &text) {
                *argument = format!("${{{server}_SECRET}}").into();
            } else if text.starts_with('-') {
                flag = Some(text);
            }
        }
    }
    if let Some(NewValue::String(url)) = entry.get_mut("url") {
        *url = address_without_secrets(&server, url);
    }
    entry
}

/// A password before the host, and the values of a query, replaced in place.
fn address_without_secrets(server: &str, address: &str) -> String {
    let Ok(parsed) = url::Url::parse(address) else {
        return address.to_owned();
    };
    let mut address = address.to_owned();
    if let Some(password) = parsed
        .password()
        .filter(|password| !password.contains("$%7B"))
    {
        address = address.replacen(
            &format!(":{password}@"),
            &format!(":${{{server}_PASSWORD}}@"),
            1,
        );
    }
    for pair in parsed.query().unwrap_or_default().split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && is_secret(name, value)
            && !value.contains("$%7B")
        {
            let reference = format!("{name}=${{{server}_{}}}", variable(name));
            address = address.replacen(pair, &reference, 1);
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
