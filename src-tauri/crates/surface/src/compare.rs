//! Compares two surfaces.

mod prompt;
mod tool;

use std::collections::{HashMap, HashSet, hash_map::Entry};

use serde_json::{Map, Value};

use crate::{
    change::{ChangeClass, Part, Subject, SurfaceChange, join, shown},
    item::ItemDefinition,
    schema::SchemaDirection,
    surface::Surface,
};

/// Compares two surfaces of a server, or of two servers. Breaking changes come first.
pub fn diff(old: &Surface, new: &Surface) -> Vec<SurfaceChange> {
    let mut changes = SurfaceChanges(Vec::new());
    changes.server(old, new);
    changes.instructions(old, new);
    changes.capabilities(old, new);
    for part in [Part::Tool, Part::Prompt, Part::Resource, Part::Template] {
        if let (Some(old), Some(new)) = (old.items(part), new.items(part)) {
            changes.list(part, old, new);
        }
    }
    let mut changes = changes.0;
    changes.sort_by_key(|change| change.class);
    changes
}

struct SurfaceChanges(Vec<SurfaceChange>);

impl SurfaceChanges {
    #[expect(clippy::too_many_arguments, reason = "they are the fields of a change")]
    fn add(
        &mut self,
        class: ChangeClass,
        rule: &str,
        subject: &Subject,
        path: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        explanation: &str,
    ) {
        self.0.push(SurfaceChange {
            class,
            rule: rule.to_owned(),
            subject: subject.clone(),
            path: path.to_owned(),
            before: before.map(shown),
            after: after.map(shown),
            explanation: explanation.to_owned(),
        });
    }

    fn server(&mut self, old: &Surface, new: &Surface) {
        let subject = Subject::new(Part::Server, "");
        if let (Some(before), Some(after)) = (&old.protocol_version, &new.protocol_version)
            && before != after
        {
            self.add(
                ChangeClass::Note,
                "protocol-version",
                &subject,
                "/protocolVersion",
                Some(before),
                Some(after),
                "Another version of the protocol was agreed on.",
            );
        }
        if let (Some(before), Some(after)) = (&old.server_info, &new.server_info) {
            let (before, after) = (members(before), members(after));
            for name in names(before, after) {
                let (before, after) = (before.get(name), after.get(name));
                let (class, explanation) = match name {
                    "version" => (ChangeClass::Note, "The server has another version."),
                    "icons" => (ChangeClass::Compatible, "The icons changed."),
                    _ => (ChangeClass::Attention, "The server calls itself otherwise."),
                };
                let path = join("/serverInfo", name);
                self.add(
                    class,
                    "server-info",
                    &subject,
                    &path,
                    before,
                    after,
                    explanation,
                );
            }
        }
    }

    fn instructions(&mut self, old: &Surface, new: &Surface) {
        if let (Some(before), Some(after)) = (&old.instructions, &new.instructions)
            && before != after
        {
            self.add(
                ChangeClass::Attention,
                "instructions",
                &Subject::new(Part::Instructions, ""),
                "",
                Some(before).filter(|value| !value.is_null()),
                Some(after).filter(|value| !value.is_null()),
                "The server's instructions to a model changed.",
            );
        }
    }

    fn capabilities(&mut self, old: &Surface, new: &Surface) {
        let (Some(before), Some(after)) = (&old.capabilities, &new.capabilities) else {
            return;
        };
        let subject = Subject::new(Part::Capabilities, "");
        let (before, after) = (members(before), members(after));
        for name in names(before, after) {
            let (before, after) = (before.get(name), after.get(name));
            let (class, rule, explanation) = match (before, after) {
                (Some(_), None) => (
                    ChangeClass::Breaking,
                    "capability-removed",
                    "The server does not offer the capability any more.",
                ),
                (None, _) => (
                    ChangeClass::Compatible,
                    "capability-added",
                    "The server offers one capability more.",
                ),
                _ => (
                    ChangeClass::Attention,
                    "capability-changed",
                    "The server offers the capability in another way.",
                ),
            };
            let path = join("", name);
            self.add(class, rule, &subject, &path, before, after, explanation);
        }
    }

    fn list(&mut self, part: Part, old: &[ItemDefinition], new: &[ItemDefinition]) {
        let is_same = |(old, new): (&ItemDefinition, &ItemDefinition)| old.text() == new.text();
        if old.len() == new.len() && old.iter().zip(new).all(is_same) {
            return;
        }
        let names = |items: &[ItemDefinition]| -> Vec<String> {
            items.iter().map(|item| item.name(part)).collect()
        };
        let (old_names, new_names) = (names(old), names(new));
        let (old_order, old_items) = by_name(&old_names, old);
        let (new_order, new_items) = by_name(&new_names, new);
        let mut added: Vec<&str> = new_order
            .iter()
            .copied()
            .filter(|name| !old_items.contains_key(name))
            .collect();
        added.sort_unstable();
        let mut sorted = old_order.clone();
        sorted.sort_unstable();
        let renamed = renamed(part, &sorted, &added, &old_items, &new_items);
        let word = part.word();
        for name in sorted {
            let subject = Subject::new(part, name);
            match (new_items.get(name), renamed.get(name)) {
                (Some(after), _) => self.item(&subject, old_items[name], after),
                (None, Some(other)) => self.add(
                    ChangeClass::Breaking,
                    "renamed",
                    &subject,
                    "/name",
                    Some(&Value::from(name)),
                    Some(&Value::from(*other)),
                    &format!("The {word} has another name, and is not found under this one."),
                ),
                (None, None) => self.add(
                    // Resources come and go with the data that a server serves.
                    match part {
                        Part::Resource => ChangeClass::Attention,
                        _ => ChangeClass::Breaking,
                    },
                    "removed",
                    &subject,
                    "",
                    Some(&old_items[name].value()),
                    None,
                    &format!("The {word} is gone."),
                ),
            }
        }
        let new_names: HashSet<_> = renamed.values().copied().collect();
        for name in added.into_iter().filter(|name| !new_names.contains(name)) {
            self.add(
                ChangeClass::Compatible,
                "added",
                &Subject::new(part, name),
                "",
                None,
                Some(&new_items[name].value()),
                &format!("There is one {word} more."),
            );
        }
        let common = |order: &[&str], others: &HashMap<&str, &ItemDefinition>| -> Vec<String> {
            order
                .iter()
                .filter(|name| others.contains_key(*name))
                .map(|name| (*name).to_owned())
                .collect()
        };
        let (before, after) = (
            common(&old_order, &new_items),
            common(&new_order, &old_items),
        );
        if before != after {
            self.add(
                ChangeClass::Note,
                "order",
                &Subject::new(part, ""),
                "",
                Some(&Value::from(before.join("\n"))),
                Some(&Value::from(after.join("\n"))),
                &format!("The list of {word}s has another order."),
            );
        }
    }

    fn item(&mut self, subject: &Subject, before: &ItemDefinition, after: &ItemDefinition) {
        if before.text() == after.text() {
            return;
        }
        let (before, after) = (before.value(), after.value());
        let (before, after) = (members(&before), members(&after));
        for name in names(before, after) {
            let path = join("", name);
            let (before, after) = (before.get(name), after.get(name));
            match (subject.part, name) {
                (_, "title" | "description") => self.add(
                    ChangeClass::Attention,
                    name,
                    subject,
                    &path,
                    before,
                    after,
                    "A text that a model reads changed.",
                ),
                (_, "icons") => self.add(
                    ChangeClass::Compatible,
                    "icons",
                    subject,
                    &path,
                    before,
                    after,
                    "The icons changed.",
                ),
                (Part::Tool, "inputSchema") => {
                    self.schema(subject, &path, before, after, SchemaDirection::Arguments);
                }
                (Part::Tool, "outputSchema") => match (before, after) {
                    (Some(_), None) => self.add(
                        ChangeClass::Breaking,
                        "output-schema-removed",
                        subject,
                        &path,
                        before,
                        after,
                        "Nothing is promised about results any more.",
                    ),
                    (None, Some(_)) => self.add(
                        ChangeClass::Compatible,
                        "output-schema-added",
                        subject,
                        &path,
                        before,
                        after,
                        "Something is promised about results.",
                    ),
                    _ => self.schema(subject, &path, before, after, SchemaDirection::Results),
                },
                (Part::Tool, "annotations") => self.hints(subject, before, after),
                (Part::Tool, "execution") => self.execution(subject, before, after),
                (_, "_meta") => self.meta(subject, before, after),
                (Part::Prompt, "arguments") => self.arguments(subject, before, after),
                (Part::Resource | Part::Template, "size" | "annotations") => self.add(
                    ChangeClass::Note,
                    "data",
                    subject,
                    &path,
                    before,
                    after,
                    "The data behind it changed.",
                ),
                _ => self.add(
                    ChangeClass::Attention,
                    "field-changed",
                    subject,
                    &path,
                    before,
                    after,
                    "No rule says what this change means for a caller.",
                ),
            }
        }
    }
}

/// Returns the different names of items in their order, and the items by those. Of two with one name
/// the first counts, as it does for a call.
fn by_name<'a>(
    names: &'a [String],
    items: &'a [ItemDefinition],
) -> (Vec<&'a str>, HashMap<&'a str, &'a ItemDefinition>) {
    let mut order = Vec::new();
    let mut map = HashMap::new();
    for (name, item) in names.iter().zip(items) {
        if let Entry::Vacant(place) = map.entry(name.as_str()) {
            place.insert(item);
            order.push(name.as_str());
        }
    }
    (order, map)
}

/// Finds items that are gone under one name and there under another, and else the same.
fn renamed<'a>(
    part: Part,
    old_names: &[&'a str],
    added: &[&'a str],
    old_items: &HashMap<&'a str, &'a ItemDefinition>,
    new_items: &HashMap<&'a str, &'a ItemDefinition>,
) -> HashMap<&'a str, &'a str> {
    let mut renamed = HashMap::new();
    if part != Part::Tool || added.is_empty() {
        return renamed;
    }
    let rest = |item: &ItemDefinition| {
        let mut item = item.value();
        if let Some(members) = item.as_object_mut() {
            for key in ["name", "title"] {
                members.shift_remove(key);
            }
        }
        item.sort_all_objects();
        item.to_string()
    };
    let mut by_rest: HashMap<String, Vec<&str>> = HashMap::new();
    for name in added {
        by_rest.entry(rest(new_items[name])).or_default().push(name);
    }
    for name in old_names {
        if !new_items.contains_key(name)
            && let Some(others) = by_rest.get_mut(&rest(old_items[name]))
            && let Some(other) = others.pop()
        {
            renamed.insert(*name, other);
        }
    }
    renamed
}

fn members(value: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::OnceLock<Map<String, Value>> = std::sync::OnceLock::new();
    value
        .as_object()
        .unwrap_or_else(|| EMPTY.get_or_init(Map::new))
}

/// Returns the names of members that are not the same on both sides, sorted.
fn names<'a>(before: &'a Map<String, Value>, after: &'a Map<String, Value>) -> Vec<&'a str> {
    let mut names: Vec<&str> = before
        .keys()
        .chain(after.keys())
        .filter(|name| before.get(*name) != after.get(*name))
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
