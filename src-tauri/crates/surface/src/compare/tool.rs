//! Compares what tools alone have: schemas, annotations, execution, and the app that is shown.

use serde_json::{Map, Value};

use super::{SurfaceChanges, members, names};
use crate::{
    change::{ChangeClass, Subject, SurfaceChange, join},
    schema::{SchemaDirection, compare_schemas},
};

impl SurfaceChanges {
    pub(super) fn schema(
        &mut self,
        subject: &Subject,
        path: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        direction: SchemaDirection,
    ) {
        let any = Value::Object(Map::new());
        let (before, after) = (before.unwrap_or(&any), after.unwrap_or(&any));
        for change in compare_schemas(before, after, direction) {
            self.0.push(SurfaceChange {
                class: change.class,
                rule: change.rule.to_owned(),
                subject: subject.clone(),
                path: format!("{path}{}", change.path),
                before: change.before,
                after: change.after,
                explanation: change.explanation,
            });
        }
    }

    /// Compares the annotations of a tool. A hint that is not given has its default, so that
    /// writing the default down is no change.
    pub(super) fn hints(
        &mut self,
        subject: &Subject,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let absent = Value::Null;
        let (before, after) = (
            members(before.unwrap_or(&absent)),
            members(after.unwrap_or(&absent)),
        );
        for name in names(before, after) {
            let path = join("/annotations", name);
            let (old, new) = (before.get(name), after.get(name));
            let default = match name {
                "readOnlyHint" | "idempotentHint" => Some(false),
                "destructiveHint" | "openWorldHint" => Some(true),
                _ => None,
            };
            let Some(default) = default else {
                let is_title = name == "title";
                self.add(
                    ChangeClass::Attention,
                    if is_title { "title" } else { "annotation" },
                    subject,
                    &path,
                    old,
                    new,
                    match is_title {
                        true => "A text that a model reads changed.",
                        false => "No rule says what this annotation means for a caller.",
                    },
                );
                continue;
            };
            let effective = |value: Option<&Value>| value.map_or(Some(default), Value::as_bool);
            let (class, explanation) = match (name, effective(old), effective(new)) {
                (_, old, new) if old == new && old.is_some() => continue,
                ("readOnlyHint", Some(true), Some(false)) => (
                    ChangeClass::Breaking,
                    "The tool only read, and now says that it changes things.",
                ),
                ("destructiveHint", Some(false), Some(true)) => (
                    ChangeClass::Breaking,
                    "The tool only added, and now says that it can destroy.",
                ),
                _ => (
                    ChangeClass::Attention,
                    "Clients decide by this hint if they ask before a call.",
                ),
            };
            let shown =
                |value: Option<&Value>| value.cloned().unwrap_or_else(|| Value::Bool(default));
            self.add(
                class,
                "hint",
                subject,
                &path,
                Some(&shown(old)),
                Some(&shown(new)),
                explanation,
            );
        }
    }

    pub(super) fn execution(
        &mut self,
        subject: &Subject,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let absent = Value::Null;
        let (before, after) = (
            members(before.unwrap_or(&absent)),
            members(after.unwrap_or(&absent)),
        );
        for name in names(before, after) {
            let path = join("/execution", name);
            let (old, new) = (before.get(name), after.get(name));
            if name != "taskSupport" {
                self.add(
                    ChangeClass::Attention,
                    "field-changed",
                    subject,
                    &path,
                    old,
                    new,
                    "No rule says what this change means for a caller.",
                );
                continue;
            }
            let support = |value: Option<&Value>| {
                value.map_or(Some("forbidden".to_owned()), |value| {
                    value.as_str().map(str::to_owned)
                })
            };
            let (was, is) = (support(old), support(new));
            let (class, explanation) = match (was.as_deref(), is.as_deref()) {
                (was, is) if was == is && was.is_some() => continue,
                (_, Some("required")) => (
                    ChangeClass::Breaking,
                    "The tool can only be called as a task now.",
                ),
                (_, Some("forbidden")) => (
                    ChangeClass::Breaking,
                    "The tool cannot be called as a task any more.",
                ),
                (Some("forbidden" | "required"), Some("optional")) => (
                    ChangeClass::Compatible,
                    "The tool can be called with a task and without.",
                ),
                _ => (
                    ChangeClass::Attention,
                    "No rule says what this value means for a caller.",
                ),
            };
            self.add(class, "task-support", subject, &path, old, new, explanation);
        }
    }

    pub(super) fn meta(
        &mut self,
        subject: &Subject,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let absent = Value::Null;
        let (before, after) = (
            members(before.unwrap_or(&absent)),
            members(after.unwrap_or(&absent)),
        );
        for name in names(before, after) {
            let path = join("/_meta", name);
            let (old, new) = (before.get(name), after.get(name));
            if !name.starts_with("ui") {
                self.add(
                    ChangeClass::Note,
                    "meta",
                    subject,
                    &path,
                    old,
                    new,
                    "What the server adds for programs changed.",
                );
                continue;
            }
            let without_visibility = |value: Option<&Value>| {
                let mut members = value
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
                members.shift_remove("visibility");
                members
            };
            let (was, is) = (visibility(old), visibility(new));
            if name == "ui" && was != is {
                let lost: Vec<_> = was.iter().filter(|who| !is.contains(*who)).collect();
                let (class, explanation) = match lost.first().map(|who| who.as_str()) {
                    Some("model") => (
                        ChangeClass::Breaking,
                        "Models do not see the tool any more.",
                    ),
                    Some(_) => (
                        ChangeClass::Attention,
                        "Apps cannot call the tool any more.",
                    ),
                    None => (ChangeClass::Compatible, "More can use the tool."),
                };
                let path = join(&path, "visibility");
                let values = |names: &[String]| Value::from(names.to_vec());
                self.add(
                    class,
                    "visibility",
                    subject,
                    &path,
                    Some(&values(&was)),
                    Some(&values(&is)),
                    explanation,
                );
            }
            if name != "ui" || without_visibility(old) != without_visibility(new) {
                self.add(
                    ChangeClass::Attention,
                    "app",
                    subject,
                    &path,
                    old,
                    new,
                    "Another app is shown, or in another way.",
                );
            }
        }
    }
}

fn visibility(ui: Option<&Value>) -> Vec<String> {
    let named = ui
        .and_then(|ui| ui.get("visibility"))
        .and_then(Value::as_array);
    let mut names: Vec<String> = match named {
        None => vec!["model".into(), "app".into()],
        Some(names) => names
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    };
    names.sort_unstable_by(|a, b| b.cmp(a));
    names
}
