//! Examines one surface: what other clients do not understand, and what misleads a model.

use std::{borrow::Cow, sync::LazyLock};

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sightglass_model::{Finding, Verdict, brief, hidden_characters, is_invisible};
use specta::Type;

use crate::{
    change::{Part, Subject, join},
    item::argument_name,
    surface::Surface,
};

/// Number of values from which an `enum` is a burden on every prompt.
const MAX_ENUM: usize = 100;

/// Length from which a run of base64 in a text is no word.
const MIN_BASE64: usize = 120;

/// Number of findings that are kept; a hostile list could give millions.
const MAX_FINDINGS: usize = 5_000;

/// Depth of schemas within schemas.
const MAX_DEPTH: usize = 100;

/// A rule: its fault, and the reason why it is one.
#[derive(Debug, Clone, Copy)]
pub struct RuleText {
    pub name: &'static str,
    /// Heads the findings: the fault first, then the reason.
    pub why: &'static str,
}

/// All rules.
pub const RULES: [RuleText; 12] = [
    RuleText {
        name: "schema-not-object",
        why: "Schemas of no object: the specification asks for `\"type\": \"object\"`.",
    },
    RuleText {
        name: "schema-reference",
        why: "Schemas with references: some clients pass `$ref` to a model without resolving it.",
    },
    RuleText {
        name: "schema-union",
        why: "Schemas with unions: some model interfaces refuse them or leave them out.",
    },
    RuleText {
        name: "huge-enum",
        why: "Enums with very many values: each is part of every prompt that names the tool.",
    },
    RuleText {
        name: "no-description",
        why: "Tools and prompts without a description: without one a model cannot choose them.",
    },
    RuleText {
        name: "no-parameter-description",
        why: "Parameters without a description: without one a model has to guess.",
    },
    RuleText {
        name: "duplicate-name",
        why: "Names that are there twice: a call reaches only one of the items.",
    },
    RuleText {
        name: "unstable-order",
        why: "Lists in another order each time: that defeats the prompt cache of a model.",
    },
    RuleText {
        name: "invisible-characters",
        why: "Characters that a user does not see, or sees in another order: a model reads them.",
    },
    RuleText {
        name: "hidden-instructions",
        why: "Instructions in a text: it tells a model what to do, not what the tool does.",
    },
    RuleText {
        name: "html-comment",
        why: "Comments and tags in a text: they are not shown to a user, and a model reads them.",
    },
    RuleText {
        name: "encoded-text",
        why: "Encoded text: a user cannot read what it says, and a model can.",
    },
];

impl RuleText {
    /// Makes the finding of the rule in an item, with the part of the text that shows the fault.
    pub fn finding(&self, subject: SurfacePlace, message: String) -> Finding<SurfacePlace> {
        Finding {
            message: Some(message),
            ..Finding::new(self.name, self.why, Verdict::Warning, subject)
        }
    }
}

/// Place of a finding in a surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SurfacePlace {
    pub part: Part,
    /// Name of the item; empty for what a server has one of.
    pub name: String,
    /// JSON Pointer in the item.
    pub path: String,
}

impl SurfacePlace {
    pub fn new(part: Part, name: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            part,
            name: name.into(),
            path: path.into(),
        }
    }
}

/// Findings that a user does not want to see: of one rule, for one item or for all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Silence {
    pub rule: String,
    /// Name of the item; `None` for all.
    pub item: Option<String>,
}

impl Silence {
    /// Reads `rule` or `rule:item`.
    pub fn parse(text: &str) -> Self {
        match text.split_once(':') {
            Some((rule, item)) => Self {
                rule: rule.to_owned(),
                item: Some(item.to_owned()),
            },
            None => Self {
                rule: text.to_owned(),
                item: None,
            },
        }
    }

    /// Returns true when this finding is not wanted.
    pub fn holds(&self, finding: &Finding<SurfacePlace>) -> bool {
        self.rule == finding.rule
            && self
                .item
                .as_ref()
                .is_none_or(|item| *item == finding.subject.name)
    }
}

/// Examines a surface by all rules, but for what is silenced.
pub fn lint(surface: &Surface, silenced: &[Silence]) -> Vec<Finding<SurfacePlace>> {
    let mut findings = Findings {
        found: Vec::new(),
        silenced,
    };
    if let Some(Value::String(text)) = &surface.instructions {
        findings.text(&Subject::new(Part::Instructions, ""), "", text);
    }
    for part in [Part::Tool, Part::Prompt, Part::Resource, Part::Template] {
        let items = surface.items(part).unwrap_or_default();
        let mut names = std::collections::HashSet::new();
        for item in items {
            if findings.found.len() >= MAX_FINDINGS {
                break;
            }
            let name = item.name(part);
            let subject = Subject::new(part, &*name);
            if !names.insert(name) {
                let path = "/name";
                findings.add(
                    "duplicate-name",
                    &subject,
                    path,
                    "Two items have this name.".into(),
                );
            }
            findings.item(part, &subject, &item.value());
        }
    }
    findings.found
}

/// Compares the order of two lists that were read one after the other.
pub fn lint_order(
    first: &Surface,
    second: &Surface,
    silenced: &[Silence],
) -> Vec<Finding<SurfacePlace>> {
    let mut findings = Findings {
        found: Vec::new(),
        silenced,
    };
    for part in [Part::Tool, Part::Prompt, Part::Resource, Part::Template] {
        let names = |surface: &Surface| -> Vec<String> {
            let items = surface.items(part).unwrap_or_default();
            items.iter().map(|item| item.name(part)).collect()
        };
        let (mut first, mut second) = (names(first), names(second));
        let is_same_order = first == second;
        first.sort_unstable();
        second.sort_unstable();
        if !is_same_order && first == second {
            findings.add(
                "unstable-order",
                &Subject::new(part, ""),
                "",
                format!("The list of {}s came in another order.", part.word()),
            );
        }
    }
    findings.found
}

struct Findings<'a> {
    found: Vec<Finding<SurfacePlace>>,
    silenced: &'a [Silence],
}

impl Findings<'_> {
    fn add(&mut self, rule: &str, subject: &Subject, path: &str, message: String) {
        if self.found.len() >= MAX_FINDINGS {
            return;
        }
        let Some(rule) = RULES.iter().find(|text| text.name == rule) else {
            return;
        };
        let finding = rule.finding(
            SurfacePlace::new(subject.part, &*subject.name, path),
            message,
        );
        if !self.silenced.iter().any(|silence| silence.holds(&finding)) {
            self.found.push(finding);
        }
    }

    fn item(&mut self, part: Part, subject: &Subject, item: &Value) {
        for key in ["name", "title", "description"] {
            if let Some(text) = item.get(key).and_then(Value::as_str) {
                self.member(subject, "", key, text);
            }
        }
        let is_described = item
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty());
        if !is_described && matches!(part, Part::Tool | Part::Prompt) {
            let message = format!("The {} has no description.", part.word());
            self.add("no-description", subject, "/description", message);
        }
        if let Some(title) = item.pointer("/annotations/title").and_then(Value::as_str) {
            self.text(subject, "/annotations/title", title);
        }
        for argument in item
            .get("arguments")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let path = join("/arguments", argument_name(argument));
            match argument.get("description").and_then(Value::as_str) {
                Some(text) => self.member(subject, &path, "description", text),
                None => self.add(
                    "no-parameter-description",
                    subject,
                    &path,
                    "The argument has no description.".into(),
                ),
            }
        }
        if part != Part::Tool {
            return;
        }
        for key in ["inputSchema", "outputSchema"] {
            let Some(schema) = item.get(key) else {
                if key == "inputSchema" {
                    let message = "The tool has no `inputSchema`.".into();
                    self.add("schema-not-object", subject, "/inputSchema", message);
                }
                continue;
            };
            let path = join("", key);
            if schema.get("type").and_then(Value::as_str) != Some("object") {
                self.add(
                    "schema-not-object",
                    subject,
                    &path,
                    "The schema does not say `\"type\": \"object\"`.".into(),
                );
            }
            self.schema(subject, &path, schema, key == "inputSchema", 0);
        }
    }

    fn schema(
        &mut self,
        subject: &Subject,
        path: &str,
        schema: &Value,
        is_input: bool,
        depth: usize,
    ) {
        let Some(members) = schema.as_object() else {
            return;
        };
        if depth > MAX_DEPTH {
            return;
        }
        for (key, value) in members {
            let here = || join(path, key);
            match (key.as_str(), value) {
                ("$ref", Value::String(target)) => self.add(
                    "schema-reference",
                    subject,
                    &here(),
                    format!("The schema refers to {}.", excerpt(target)),
                ),
                ("type", Value::Array(types)) if types.len() > 1 => self.add(
                    "schema-union",
                    subject,
                    &here(),
                    "The value can have more than one type.".into(),
                ),
                (
                    "title" | "description" | "$comment" | "default" | "const",
                    Value::String(text),
                ) => {
                    self.member(subject, path, key, text);
                }
                ("enum", Value::Array(values)) => {
                    let here = here();
                    if values.len() > MAX_ENUM {
                        let message = format!("The enum has {} values.", values.len());
                        self.add("huge-enum", subject, &here, message);
                    }
                    for (index, value) in values.iter().enumerate() {
                        if let Value::String(text) = value {
                            self.member(subject, &here, &index.to_string(), text);
                        }
                    }
                }
                ("properties", Value::Object(properties)) => {
                    let properties_path = here();
                    for (name, property) in properties {
                        let here = join(&properties_path, name);
                        self.text(subject, &here, name);
                        if is_input && property.get("description").is_none() {
                            self.add(
                                "no-parameter-description",
                                subject,
                                &here,
                                "The parameter has no description.".into(),
                            );
                        }
                        self.schema(subject, &here, property, is_input, depth + 1);
                    }
                }
                ("$defs" | "definitions" | "patternProperties", Value::Object(schemas)) => {
                    let here = here();
                    for (name, schema) in schemas {
                        self.schema(subject, &join(&here, name), schema, is_input, depth + 1);
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(branches)) => {
                    let here = here();
                    if key != "prefixItems" {
                        let message = format!("The schema has `{key}`.");
                        self.add("schema-union", subject, &here, message);
                    }
                    for (index, branch) in branches.iter().enumerate() {
                        let here = join(&here, &index.to_string());
                        self.schema(subject, &here, branch, is_input, depth + 1);
                    }
                }
                ("items" | "additionalProperties" | "not" | "contains", schema) => {
                    self.schema(subject, &here(), schema, is_input, depth + 1);
                }
                _ => {}
            }
        }
    }

    /// Examines a text that is a member of what stands at a path.
    fn member(&mut self, subject: &Subject, path: &str, member: &str, text: &str) {
        if !is_plainly_sound(text) {
            self.text(subject, &join(path, member), text);
        }
    }

    /// Examines one text that a model reads.
    fn text(&mut self, subject: &Subject, path: &str, text: &str) {
        if is_plainly_sound(text) {
            return;
        }
        let hidden: Vec<char> = hidden_characters(text)
            .map(|(_, hidden)| hidden)
            .filter(|hidden| !matches!(hidden, '\n' | '\r' | '\t'))
            .collect();
        if let Some(first) = hidden.first() {
            self.add(
                "invisible-characters",
                subject,
                path,
                format!(
                    "{} characters are not seen; the first is U+{:04X}.",
                    hidden.len(),
                    u32::from(*first)
                ),
            );
        }
        // Compared without what hides words from a search.
        let plain: String = text
            .chars()
            .filter(|c| !is_invisible(*c) || c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(phrase) = PHRASES.iter().find(|phrase| plain.contains(**phrase)) {
            let message = format!("The text says \u{201c}{phrase}\u{201d}.");
            self.add("hidden-instructions", subject, path, message);
        }
        if let Some(tag) = TAGS.iter().find(|tag| plain.contains(**tag)) {
            self.add(
                "html-comment",
                subject,
                path,
                format!("The text holds `{tag}`."),
            );
        }
        if let Some(run) = text
            .split(|c: char| !is_of_base64(c))
            .find(|run| run.len() >= MIN_BASE64 && is_mixed(run))
        {
            let message = format!("{} characters look encoded: {}.", run.len(), excerpt(run));
            self.add("encoded-text", subject, path, message);
        }
    }
}

/// Returns true for a text that no rule about texts can find fault with, as a glance tells of most:
/// ten thousand tools have a hundred thousand texts.
fn is_plainly_sound(text: &str) -> bool {
    static SUSPECT: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let patterns = PHRASES.iter().chain(&TAGS);
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(patterns)
            .ok()
    });
    let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let mut runs = text.split(|c: char| !is_of_base64(c));
    is_printable
        && !text.contains("  ")
        && (text.len() < MIN_BASE64 || runs.all(|run| run.len() < MIN_BASE64))
        && SUSPECT
            .as_ref()
            .is_some_and(|suspect| !suspect.is_match(text))
}

fn is_of_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-')
}

/// Phrases, in lower case, that speak to a model.
const PHRASES: [&str; 18] = [
    "ignore previous",
    "ignore all previous",
    "ignore the previous",
    "ignore prior",
    "disregard previous",
    "disregard all previous",
    "forget previous instructions",
    "do not tell the user",
    "don't tell the user",
    "do not mention this",
    "don't mention this",
    "do not inform the user",
    "without telling the user",
    "without informing the user",
    "hide this from the user",
    "you must always call",
    "before using any other tool",
    "system prompt",
];

/// Marks that are not shown, or that pose as a level above the text.
const TAGS: [&str; 6] = [
    "<!--",
    "<important>",
    "<system>",
    "<instructions>",
    "<secret>",
    "<hidden>",
];

/// Tells encoded data from a line of dashes or a long word.
fn is_mixed(run: &str) -> bool {
    let has = |test: fn(&char) -> bool| run.chars().any(|c| test(&c));
    has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit)
}

fn excerpt(text: &str) -> Cow<'_, str> {
    const MAX: usize = 60;
    brief(text, MAX)
}
