//! Compares what prompts alone have: arguments.

use serde_json::Value;

use super::SurfaceChanges;
use crate::{
    change::{ChangeClass, Subject, join},
    item::argument_name,
};

impl SurfaceChanges {
    /// Compares the arguments of a prompt, which have no schema.
    pub(super) fn arguments(
        &mut self,
        subject: &Subject,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let list = |value: Option<&Value>| -> Vec<(String, Value)> {
            value
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|item| (argument_name(item).to_owned(), item.clone()))
                .collect()
        };
        let is_required = |item: &Value| item["required"].as_bool() == Some(true);
        let (before, after) = (list(before), list(after));
        let find = |items: &[(String, Value)], name: &str| -> Option<Value> {
            items
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, item)| item.clone())
        };
        for (name, old) in &before {
            let path = join("/arguments", name);
            let Some(new) = find(&after, name) else {
                self.add(
                    ChangeClass::Breaking,
                    "argument-removed",
                    subject,
                    &path,
                    Some(old),
                    None,
                    "The argument is gone.",
                );
                continue;
            };
            if is_required(old) != is_required(&new) {
                let (class, rule, explanation) = match is_required(&new) {
                    true => (
                        ChangeClass::Breaking,
                        "required-added",
                        "The argument is required now.",
                    ),
                    false => (
                        ChangeClass::Compatible,
                        "required-removed",
                        "The argument is not required any more.",
                    ),
                };
                let path = join(&path, "required");
                self.add(
                    class,
                    rule,
                    subject,
                    &path,
                    old.get("required"),
                    new.get("required"),
                    explanation,
                );
            }
            for text in ["title", "description"] {
                if old.get(text) != new.get(text) {
                    self.add(
                        ChangeClass::Attention,
                        text,
                        subject,
                        &join(&path, text),
                        old.get(text),
                        new.get(text),
                        "A text that a model reads changed.",
                    );
                }
            }
        }
        for (name, new) in &after {
            if find(&before, name).is_some() {
                continue;
            }
            let (class, rule, explanation) = match is_required(new) {
                true => (
                    ChangeClass::Breaking,
                    "required-added",
                    "There is one more argument, which is required.",
                ),
                false => (
                    ChangeClass::Compatible,
                    "argument-added",
                    "There is one more argument, which is not required.",
                ),
            };
            let path = join("/arguments", name);
            self.add(class, rule, subject, &path, None, Some(new), explanation);
        }
        let order = |items: &[(String, Value)]| {
            items
                .iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        let (mut old, mut new) = (order(&before), order(&after));
        let is_same_order = old == new;
        old.sort_unstable();
        new.sort_unstable();
        if !is_same_order && old == new {
            self.add(
                ChangeClass::Note,
                "order",
                subject,
                "/arguments",
                None,
                None,
                "The arguments have another order.",
            );
        }
    }
}
