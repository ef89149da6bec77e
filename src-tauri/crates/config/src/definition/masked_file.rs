//! Masks the secrets of a whole file, to show how a change leaves its lines.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use serde_json::Value;
use sightglass_secrets::{MASK, Redactor, Secret, mask_arguments};

use crate::{
    definition::{
        Definition,
        show::{masked, shown_texts, visit_texts},
    },
    text::{
        diff::{DiffLine, DiffLineKind, lines_of},
        format::FileFormat,
        json::{Node, NodeValue},
    },
};

/// The lines of a file before and after a change, with every value masked that looks like a secret:
/// where it stands, however it is written there, and wherever else the file repeats it.
pub struct MaskedFile {
    before: Vec<String>,
    after: Vec<String>,
}

impl MaskedFile {
    /// Masks the texts before and after a change. `definitions` are the entries that the file has
    /// before it; the file may hold more than them.
    pub fn of(definitions: &[Definition], format: FileFormat, texts: [&str; 2]) -> Self {
        let roots = texts.map(|text| format.parse(text).root);
        let mut shown_as = HashMap::new();
        for root in roots.iter().flatten() {
            add_secrets("", "", root, &mut shown_as);
        }
        for (text, shown) in definitions.iter().flat_map(shown_texts) {
            add(&text, shown, &mut shown_as);
        }
        // A comment may repeat one.
        let redactor = Redactor::new(shown_as.keys().cloned().map(Secret::new));
        let [before, after] = [0, 1].map(|side: usize| {
            let root = roots[side].as_ref();
            let places = root.map(|root| places(texts[side], root, &shown_as));
            let lines = masked_lines(texts[side], &places.unwrap_or_default());
            let lines = lines.into_iter().map(|line| redactor.text(line.into()));
            lines.map(Cow::into_owned).collect::<Vec<String>>()
        });
        Self { before, after }
    }

    /// Puts the masked lines in the place of those of a comparison of the two texts.
    pub fn apply(&self, lines: &mut [DiffLine]) {
        for line in lines {
            let (masked, number) = match line.kind {
                DiffLineKind::Kept | DiffLineKind::Removed => (&self.before, line.before),
                DiffLineKind::Added => (&self.after, line.after),
            };
            let index = number.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let masked = index.and_then(|index| masked.get(index));
            line.text = masked.cloned().unwrap_or_else(|| MASK.to_owned());
        }
    }
}

/// Notes how a text is shown. Of two ways, the one counts that shows nothing of it.
fn add(text: &str, shown: String, shown_as: &mut HashMap<String, String>) {
    if shown == text {
        return;
    }
    match shown_as.get_mut(text) {
        Some(known) if shown == MASK => *known = shown,
        Some(_) => {}
        None => {
            shown_as.insert(text.to_owned(), shown);
        }
    }
}

/// Adds the texts under a node that look like secrets, by the names that they stand under.
fn add_secrets(parent: &str, name: &str, node: &Node, shown_as: &mut HashMap<String, String>) {
    match &node.value {
        NodeValue::String(text) => {
            let place = match parent {
                "env" | "environment" => format!("env.{name}"),
                "headers" | "http_headers" => format!("headers.{name}"),
                _ => name.to_owned(),
            };
            add(text, masked(&place, text), shown_as);
        }
        NodeValue::Array(elements) => {
            let texts = elements.iter().map(|element| match &element.value {
                NodeValue::String(text) => text.clone(),
                _ => String::new(),
            });
            let texts: Vec<String> = texts.collect();
            for (text, shown) in texts.iter().zip(mask_arguments(&texts)) {
                add(text, shown, shown_as);
            }
            for element in elements {
                add_secrets(parent, name, element, shown_as);
            }
        }
        NodeValue::Object(object) => {
            for member in &object.members {
                add_secrets(name, &member.key, &member.value, shown_as);
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => {}
    }
}

/// The places of the texts that are shown in another way, in the order of the file.
fn places<'a>(
    text: &str,
    root: &Node,
    shown_as: &'a HashMap<String, String>,
) -> Vec<(Range<usize>, &'a str)> {
    let mut places = Vec::new();
    visit_texts(root, &mut |node, value| {
        if let Some(shown) = shown_as.get(value) {
            // The place of a block goes on to what stands after it.
            let written = text.get(node.range.clone()).unwrap_or_default().trim_end();
            let start = node.range.start;
            places.push((start..start + written.len(), shown.as_str()));
        }
    });
    places.sort_by_key(|(range, _)| range.start);
    places
}

/// The lines of a text without their ends, with these places shown in another way. A place of
/// several lines is masked on each of them.
fn masked_lines(text: &str, places: &[(Range<usize>, &str)]) -> Vec<String> {
    let (mut line_end, mut next) = (0, 0);
    let lines = lines_of(text).into_iter().map(|line| {
        let start = line_end;
        line_end += line.len();
        let mut shown_line = String::new();
        let mut copied = start;
        while let Some((range, shown)) = places.get(next)
            && range.start < line_end
        {
            if range.start >= start {
                shown_line.push_str(text.get(copied..range.start).unwrap_or_default());
                shown_line.push_str(&Value::from(*shown).to_string());
            } else {
                shown_line.push_str(MASK);
            }
            copied = copied.max(range.end);
            if range.end > line_end {
                break;
            }
            next += 1;
        }
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        shown_line.push_str(text.get(copied..end).unwrap_or_default());
        shown_line
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::diff::diff;

    /// The lines that are shown of a file that is emptied, each with its end.
    fn shown(format: FileFormat, text: &str) -> String {
        let mut lines = diff(text, "");
        MaskedFile::of(&[], format, [text, ""]).apply(&mut lines);
        lines.into_iter().map(|line| line.text + "\n").collect()
    }

    #[test]
    fn a_short_secret_is_masked_however_it_is_written() {
        let json =
            r#"{ "a": { "token": "a\u0062c12" }, "b": ["--token", "d\/e12"], "c": "plain" }"#;
        for (format, text) in [
            (FileFormat::Json, json),
            (
                FileFormat::Toml,
                "[a]\ntoken = 'abc12'\nc = 'plain'\n[p]\ntoken = \"\"\"\nde\nf12\"\"\"\n",
            ),
            (
                FileFormat::Yaml,
                "a:\n  token: abc12\n  c: plain\np:\n  password: |\n    de\n    f12\nlast: end\n",
            ),
        ] {
            let shown = shown(format, text);
            for secret in ["c12", "u0062", "e12", "de", "f12"] {
                assert!(!shown.contains(secret), "{secret} in {shown}");
            }
            assert!(shown.contains("plain"), "{shown}");
            assert_eq!(shown.lines().count(), text.lines().count(), "{shown}");
        }
    }

    #[test]
    fn secrets_outside_of_the_entries_are_masked_as_well() {
        let text = r#"{ "primaryApiKey": "k1", // not sk-own-key-12345678
            "provider": { "a": { "options": { "apiKey": "sk-own-key-12345678" } } },
            "projects": { "/x": { "mcpServers": { "my-token": {
                "command": "npx", "env": { "SERVICE_TOKEN": "x81-own-9f3k" } } } } } }"#;
        let shown = shown(FileFormat::Jsonc, text);
        for secret in ["\"k1\"", "sk-own", "9f3k"] {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
        assert!(shown.contains("\"npx\""), "{shown}");
    }

    #[test]
    fn a_secret_that_is_part_of_another_is_shown_alike_each_time() {
        let text = r#"{ "token": "abcdef", "secret": "abcdefghi", "x": "abcdefghi abcdef" }"#;
        let first = shown(FileFormat::Json, text);
        for _ in 0..20 {
            assert_eq!(shown(FileFormat::Json, text), first);
        }
        assert!(!first.contains("abc") && !first.contains("ghi"), "{first}");
    }

    #[test]
    fn each_of_many_secrets_is_masked() {
        let entries = (0..10_000).map(|index| {
            format!("\"s{index}\": {{\n\"env\": {{\n\"TOKEN\": \"secret-{index:05}\"\n}}\n}}")
        });
        let entries: Vec<String> = entries.collect();
        let text = format!("{{\n{}\n}}", entries.join(",\n"));
        let lines = text.lines().zip(1..).map(|(line, number)| DiffLine {
            kind: DiffLineKind::Removed,
            before: Some(number),
            after: None,
            text: line.to_owned(),
        });
        let mut lines: Vec<DiffLine> = lines.collect();
        MaskedFile::of(&[], FileFormat::Json, [&text, ""]).apply(&mut lines);
        assert!(lines.iter().all(|line| !line.text.contains("secret-")));
    }
}
