//! YAML, read into the tree that JSON is read into, and changed where a change is.
//!
//! `saphyr-parser` reads; a change replaces the bytes of one member of a block mapping, or inserts or
//! removes its lines, so that comments, quotes and line ends elsewhere stay. A mapping in braces is
//! written anew as a block, since its members have no lines of their own.
//!
//! Anchors, aliases and tags are refused: one place of the text would stand for several of the tree,
//! and a short text for a huge one. Clients write none.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Value};

use crate::text::{
    json::{Document, Member, Node, NodeValue, Object, SyntaxError, SyntaxErrorKind},
    json_edit::{line_end_of, object_at},
    source::BYTE_ORDER_MARK,
};

/// Levels of a tree, as many as JSON may have.
const MAX_DEPTH: usize = 127;

/// Spaces of one level in what is written.
const INDENT: usize = 2;

/// Reads a text. The reader stops at the first mistake.
pub(crate) fn parse(text: &str) -> Document {
    let offset = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let mut document = Document {
        root: None,
        errors: Vec::new(),
        comments: Vec::new(),
    };
    let reader = TreeReader::new(text, offset);
    match reader.read() {
        Ok(Some(root)) => document.root = Some(root),
        // Nothing but comments is a mapping without members.
        Ok(None) => {
            document.root = Some(Node {
                range: text.len()..text.len(),
                value: NodeValue::Object(Object::default()),
            });
        }
        Err(error) => document.errors.push(error),
    }
    document
}

/// A collection that is being read.
enum Open {
    Sequence(usize, Vec<Node>),
    Mapping(usize, Vec<Member>, Option<(String, Range<usize>)>),
}

struct TreeReader<'a> {
    text: &'a str,
    /// The byte of each character, since the library counts characters.
    bytes: Vec<usize>,
    open: Vec<Open>,
    root: Option<Node>,
}

impl<'a> TreeReader<'a> {
    fn new(text: &'a str, offset: usize) -> Self {
        let plain = &text[offset..];
        let bytes = plain.char_indices().map(|(index, _)| index + offset);
        Self {
            text,
            bytes: bytes.chain([text.len()]).collect(),
            open: Vec::new(),
            root: None,
        }
    }

    fn read(mut self) -> Result<Option<Node>, SyntaxError> {
        let offset = self.bytes.first().copied().unwrap_or_default();
        let mut documents = 0;
        for event in Parser::new_from_str(&self.text[offset..]) {
            let (event, span) = event.map_err(|error| SyntaxError {
                kind: SyntaxErrorKind::Yaml(sentence(error.info())),
                at: self.byte(error.marker().index()),
            })?;
            let range = self.range(span);
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(refused("A second document begins here.", range.start));
                    }
                }
                Event::Alias(_) => return Err(unsupported(range.start)),
                Event::Scalar(_, _, anchor, tag) if anchor != 0 || tag.is_some() => {
                    return Err(unsupported(range.start));
                }
                Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag)
                    if anchor != 0 || tag.is_some() =>
                {
                    return Err(unsupported(range.start));
                }
                Event::Scalar(value, style, ..) => self.scalar(&value, style, range)?,
                Event::SequenceStart(..) => {
                    self.enter(Open::Sequence(range.start, Vec::new()), range.start)?;
                }
                Event::MappingStart(..) => {
                    self.enter(Open::Mapping(range.start, Vec::new(), None), range.start)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.leave(range.end)?,
                _ => {}
            }
        }
        Ok(self.root)
    }

    fn byte(&self, character: usize) -> usize {
        let last = self.bytes.last().copied().unwrap_or_default();
        self.bytes.get(character).copied().unwrap_or(last)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.byte(span.start.index());
        start..self.byte(span.end.index()).max(start)
    }

    fn enter(&mut self, collection: Open, at: usize) -> Result<(), SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            let kind = SyntaxErrorKind::TooDeep;
            return Err(SyntaxError { kind, at });
        }
        if let Some(Open::Mapping(_, _, None)) = self.open.last() {
            return Err(refused(
                "A name has to be a text, not a list or a mapping.",
                at,
            ));
        }
        self.open.push(collection);
        Ok(())
    }

    fn leave(&mut self, end: usize) -> Result<(), SyntaxError> {
        let is_flow = |start: usize| self.text[start..].starts_with(['{', '[']);
        let node = match self.open.pop() {
            Some(Open::Sequence(start, elements)) => Node {
                range: match elements.last() {
                    Some(last) if !is_flow(start) => start..last.range.end.max(start),
                    _ => start..end,
                },
                value: NodeValue::Array(elements),
            },
            Some(Open::Mapping(start, members, _)) => Node {
                range: match (members.first(), members.last()) {
                    (Some(first), Some(last)) if !is_flow(start) => {
                        first.key_range.start..last.value.range.end
                    }
                    _ => start..end,
                },
                value: NodeValue::Object(Object { members }),
            },
            None => return Ok(()),
        };
        self.place(node)
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        range: Range<usize>,
    ) -> Result<(), SyntaxError> {
        if let Some(Open::Mapping(_, members, key @ None)) = self.open.last_mut() {
            if members.iter().any(|member| member.key == value) {
                let message = format!("The name {value} is there twice.");
                return Err(refused(&message, range.start));
            }
            *key = Some((value.to_owned(), range));
            return Ok(());
        }
        let is_plain = matches!(style, ScalarStyle::Plain);
        let range = match &self.open.last() {
            // A value that is not there has no place; it would stand right after the colon.
            Some(Open::Mapping(_, _, Some((_, key)))) if is_plain && value.is_empty() => {
                let colon = self.text[key.end..]
                    .find(':')
                    .map_or(key.end, |at| key.end + at + 1);
                colon..colon
            }
            // The line ends that follow a block of text are not its own.
            _ => {
                let length = self.text[range.clone()].trim_end().len();
                range.start..range.start + length
            }
        };
        self.place(Node {
            range,
            value: if is_plain {
                plain(value)
            } else {
                NodeValue::String(value.to_owned())
            },
        })
    }

    fn place(&mut self, node: Node) -> Result<(), SyntaxError> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::Sequence(_, elements)) => elements.push(node),
            Some(Open::Mapping(_, members, key)) => {
                let at = node.range.start;
                let (key, key_range) = key.take().ok_or_else(|| {
                    refused("A name has to be a text, not a list or a mapping.", at)
                })?;
                members.push(Member {
                    key,
                    key_range,
                    value: node,
                    comma: None,
                });
            }
        }
        Ok(())
    }
}

fn refused(message: &str, at: usize) -> SyntaxError {
    SyntaxError {
        kind: SyntaxErrorKind::Yaml(message.to_owned()),
        at,
    }
}

fn unsupported(at: usize) -> SyntaxError {
    let message = "An anchor (&), an alias (*) or a tag (!) stands here; this file is read without \
                   them. Write the value out.";
    refused(message, at)
}

/// The library's message, as a sentence.
fn sentence(message: &str) -> String {
    let mut characters = message.trim_end_matches('.').chars();
    match characters.next() {
        Some(first) => first
            .to_uppercase()
            .chain(characters)
            .chain(['.'])
            .collect(),
        None => "This is not YAML.".to_owned(),
    }
}

/// A scalar without quotes, by the core schema (YAML 1.2.2, section 10.3.2).
fn plain(text: &str) -> NodeValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => NodeValue::Null,
        "true" | "True" | "TRUE" => NodeValue::Bool(true),
        "false" | "False" | "FALSE" => NodeValue::Bool(false),
        _ if serde_json::from_str::<serde_json::Number>(text).is_ok() => {
            NodeValue::Number(text.to_owned())
        }
        _ => NodeValue::String(text.to_owned()),
    }
}

/// A YAML text under change.
pub(crate) struct YamlEditor {
    text: String,
}

impl YamlEditor {
    pub fn new(text: String) -> Self {
        Self { text }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn document(&self) -> Document {
        parse(&self.text)
    }

    pub fn set(&mut self, path: &[&str], key: &str, value: &Value) {
        if let Some(depth) = self.braces(path) {
            return self.rewrite(path, depth, |members| {
                members.insert(key.to_owned(), value.clone());
            });
        }
        let document = self.document();
        let Some((range, object)) = object_at(&document, path) else {
            return;
        };
        let line_end = line_end_of(&self.text);
        let Some(last) = object.members.last() else {
            return self.append(&member_text(0, key, value, line_end));
        };
        let indent = self.column(object.members[0].key_range.start);
        if let Some(member) = object.get(key) {
            let colon = self.colon(&member.key_range);
            let end = member.value.range.end.max(colon);
            return self.replace_value(colon..end, &value_text(indent, value, line_end));
        }
        let text = member_text(indent, key, value, line_end);
        let end = range.end.max(last.value.range.end);
        self.insert_after(end, &text);
    }

    pub fn remove(&mut self, path: &[&str], key: &str) {
        if let Some(depth) = self.braces(path) {
            return self.rewrite(path, depth, |members| {
                members.remove(key);
            });
        }
        let document = self.document();
        let Some((_, object)) = object_at(&document, path) else {
            return;
        };
        let Some(member) = object.get(key) else {
            return;
        };
        let lines = self.lines_of(member);
        let above = path.split_last().filter(|_| object.members.len() == 1);
        let colon = above.and_then(|(name, above)| {
            let (_, object) = object_at(&document, above)?;
            Some(self.colon(&object.get(name)?.key_range))
        });
        self.text.replace_range(lines, "");
        // Without members it would be null, which is no mapping.
        if let Some(colon) = colon {
            self.text.insert_str(colon, " {}");
        }
    }

    pub fn rename(&mut self, path: &[&str], key: &str, new_key: &str) {
        if let Some(depth) = self.braces(path) {
            return self.rewrite(path, depth, |members| {
                let renamed = std::mem::take(members).into_iter().map(|(name, value)| {
                    let name = if name == key {
                        new_key.to_owned()
                    } else {
                        name
                    };
                    (name, value)
                });
                *members = renamed.collect();
            });
        }
        let document = self.document();
        let member = object_at(&document, path).and_then(|(_, object)| object.get(key));
        if let Some(member) = member {
            let range = member.key_range.clone();
            self.text.replace_range(range, &scalar_text(new_key));
        }
    }

    /// The number of names of `path` after which the first mapping in braces stands.
    fn braces(&self, path: &[&str]) -> Option<usize> {
        let document = self.document();
        (0..=path.len()).find(|depth| {
            object_at(&document, &path[..*depth])
                .is_some_and(|(range, _)| self.text[range.start..].starts_with('{'))
        })
    }

    /// Writes the mapping in braces after `depth` names of `path` as a block, with a change to
    /// the one at `path`.
    fn rewrite(
        &mut self,
        path: &[&str],
        depth: usize,
        change: impl FnOnce(&mut Map<String, Value>),
    ) {
        let document = self.document();
        let Some((range, object)) = object_at(&document, &path[..depth]) else {
            return;
        };
        let mut whole = json_of_object(object);
        let mut inner = &mut whole;
        for name in &path[depth..] {
            match inner.get_mut(*name) {
                Some(member) => inner = member,
                None => return,
            }
        }
        if let Value::Object(members) = inner {
            change(members);
        }
        match path[..depth].split_last() {
            Some((name, above)) => self.set(above, name, &whole),
            None => {
                let line_end = line_end_of(&self.text);
                let members = whole.as_object().into_iter().flatten();
                let text: String = members
                    .map(|(key, value)| member_text(0, key, value, line_end))
                    .collect();
                let text = if text.is_empty() {
                    "{}"
                } else {
                    text.trim_end()
                };
                self.text.replace_range(range.clone(), text);
            }
        }
    }

    /// Puts a value in the place of another. Lines of its own come after the line of its name, with
    /// the comment that may stand there.
    fn replace_value(&mut self, old: Range<usize>, text: &str) {
        let is_on_its_line = !self.text[old.clone()].contains('\n');
        let lines = text.trim_start_matches(['\r', '\n']);
        if !is_on_its_line || lines.len() == text.len() {
            return self.text.replace_range(old, text);
        }
        let line_end = line_end_of(&self.text);
        self.text.replace_range(old.clone(), "");
        self.insert_after(old.start, &format!("{lines}{line_end}"));
    }

    /// Inserts lines after the line of `at`.
    fn insert_after(&mut self, at: usize, lines: &str) {
        match self.text[at..].find('\n') {
            Some(end) => self.text.insert_str(at + end + 1, lines),
            None => self.append(lines),
        }
    }

    /// Adds lines at the end. A last line without an end leaves the end off the new last one.
    fn append(&mut self, lines: &str) {
        let is_empty = self.text.trim_start_matches(BYTE_ORDER_MARK).is_empty();
        if is_empty || self.text.ends_with('\n') {
            return self.text.push_str(lines);
        }
        let line_end = line_end_of(&self.text);
        self.text.push_str(line_end);
        self.text
            .push_str(lines.strip_suffix(line_end).unwrap_or(lines));
    }

    /// The place after the colon of a name.
    fn colon(&self, key: &Range<usize>) -> usize {
        let colon = self.text[key.end..].find(':');
        colon.map_or(key.end, |at| key.end + at + 1)
    }

    /// The lines of a member, with the end of the line before where the last has none.
    fn lines_of(&self, member: &Member) -> Range<usize> {
        let start = self.line_start(member.key_range.start);
        let end = member.value.range.end.max(member.key_range.end);
        match self.text[end..].find('\n') {
            Some(at) => start..end + at + 1,
            None => {
                let before = self.text[..start].strip_suffix('\n').unwrap_or_default();
                before.strip_suffix('\r').unwrap_or(before).len()..self.text.len()
            }
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let mark = self.text.len() - self.text.trim_start_matches(BYTE_ORDER_MARK).len();
        self.text[..at].rfind('\n').map_or(mark, |line| line + 1)
    }

    /// The characters before `at` on its line.
    fn column(&self, at: usize) -> usize {
        self.text[self.line_start(at)..at].chars().count()
    }
}

/// The value of a node.
fn json_of(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(flag) => (*flag).into(),
        NodeValue::Number(digits) => serde_json::from_str(digits).unwrap_or(Value::Null),
        NodeValue::String(text) => text.as_str().into(),
        NodeValue::Array(elements) => elements.iter().map(json_of).collect(),
        NodeValue::Object(object) => json_of_object(object),
    }
}

fn json_of_object(object: &Object) -> Value {
    let members = object.members.iter();
    members
        .map(|member| (member.key.clone(), json_of(&member.value)))
        .collect()
}

/// A member of a block mapping, with its line end.
fn member_text(indent: usize, key: &str, value: &Value, line_end: &str) -> String {
    let value = value_text(indent, value, line_end);
    format!("{:indent$}{}:{value}{line_end}", "", scalar_text(key))
}

/// A value after the colon of its member.
fn value_text(indent: usize, value: &Value, line_end: &str) -> String {
    let deeper = indent + INDENT;
    match value {
        Value::Object(members) if !members.is_empty() => {
            let lines: String = members
                .iter()
                .map(|(key, value)| member_text(deeper, key, value, line_end))
                .collect();
            format!("{line_end}{}", lines.trim_end())
        }
        Value::Array(elements) if !elements.is_empty() => elements
            .iter()
            .map(|element| format!("{line_end}{:deeper$}- {}", "", inline_text(element)))
            .collect(),
        value => format!(" {}", inline_text(value)),
    }
}

/// A value on one line. JSON is YAML (YAML 1.2.2, section 1.2).
fn inline_text(value: &Value) -> String {
    match value {
        Value::String(text) => scalar_text(text),
        value => value.to_string(),
    }
}

/// A text, without quotes where nothing could be taken for something else.
fn scalar_text(text: &str) -> String {
    let is_safe =
        |character: char| character.is_ascii_alphanumeric() || "_-./@+=~ ".contains(character);
    let begins_well =
        text.starts_with(|first: char| first.is_ascii_alphabetic() || "/._".contains(first));
    // Words that YAML 1.1 takes for booleans stay texts in every reader with quotes.
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "." | ".inf" | ".nan"
    );
    if begins_well && !is_word && text.chars().all(is_safe) && !text.ends_with(' ') {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value_of(text: &str) -> Value {
        let document = parse(text);
        assert_eq!(document.errors, [], "{text}");
        json_of(document.root.as_ref().expect("a root"))
    }

    fn error_of(text: &str) -> SyntaxError {
        let mut errors = parse(text).errors;
        errors.pop().unwrap_or_else(|| panic!("{text} is taken"))
    }

    const GOOSE: &str = "\
# Written by hand.
GOOSE_MODEL: gpt-5 # the model

extensions:
  # Files of the project.
  files:
    type: stdio
    cmd: npx
    args: [-y, \"server-files\", '.']
    enabled: true
    envs: {}
    timeout: 300

  remote:
    type: streamable_http
    uri: https://mcp.example/mcp
    headers:
      X-Team: 'tools'   # ours
    description: |
      Several
      lines.
other: 1
";

    #[test]
    fn a_text_is_read_with_the_place_of_each_value() {
        let value = value_of(GOOSE);
        assert_eq!(
            value["extensions"]["files"]["args"],
            json!(["-y", "server-files", "."])
        );
        assert_eq!(
            value["extensions"]["remote"]["description"],
            json!("Several\nlines.\n")
        );
        assert_eq!(value["extensions"]["files"]["timeout"], json!(300));
        let document = parse(GOOSE);
        let (_, files) = object_at(&document, &["extensions", "files"]).expect("there");
        let command = files.get("cmd").expect("there");
        assert_eq!(&GOOSE[command.key_range.clone()], "cmd");
        assert_eq!(&GOOSE[command.value.range.clone()], "npx");
        assert_eq!(value_of("# nothing\n"), json!({}));
        assert_eq!(value_of("a:\nb: ~\n"), json!({ "a": null, "b": null }));
    }

    #[test]
    fn what_could_mean_something_else_elsewhere_is_refused_with_its_place() {
        for (text, at) in [
            ("a: &x 1\n", 3),
            ("a: !!str 1\n", 3),
            ("a: 1\na: 2\n", 5),
            ("a: 1\n---\nb: 2\n", 5),
            ("? [a]\n: 1\n", 2),
        ] {
            let error = error_of(text);
            assert!(
                matches!(error.kind, SyntaxErrorKind::Yaml(_)),
                "{text}: {error:?}"
            );
            assert!(error.at.abs_diff(at) <= 3, "{text}: {error:?}");
        }
        let bomb = "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        assert!(matches!(error_of(bomb).kind, SyntaxErrorKind::Yaml(_)));
        let deep = format!("a: {}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(!parse(&deep).errors.is_empty());
    }

    /// The lines of `text` that `changed` does not have, and those that it has instead.
    fn difference(text: &str, changed: &str) -> (Vec<String>, Vec<String>) {
        let lines = |text: &str| {
            text.split_inclusive('\n')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let (before, after) = (lines(text), lines(changed));
        let gone = before.iter().filter(|line| !after.contains(line)).cloned();
        let new = after.iter().filter(|line| !before.contains(line)).cloned();
        (gone.collect(), new.collect())
    }

    #[test]
    fn a_change_leaves_every_other_line_as_it_is() {
        for ends in ["\n", "\r\n"] {
            let text = GOOSE.replace('\n', ends);
            let mut editor = YamlEditor::new(text.clone());
            editor.set(&["extensions", "files"], "enabled", &json!(false));
            let changed = editor.into_text();
            let line = |text: &str| format!("{text}{ends}");
            assert_eq!(
                difference(&text, &changed),
                (
                    vec![line("    enabled: true")],
                    vec![line("    enabled: false")]
                )
            );

            let mut editor = YamlEditor::new(text.clone());
            editor.set(&["extensions", "files"], "args", &json!(["-y", "other: x"]));
            let value = value_of(&editor.into_text());
            assert_eq!(
                value["extensions"]["files"]["args"],
                json!(["-y", "other: x"])
            );
            assert_eq!(value["extensions"]["files"]["enabled"], json!(true));

            let mut editor = YamlEditor::new(text.clone());
            editor.set(
                &["extensions"],
                "new",
                &json!({ "cmd": "uvx", "envs": { "A": "yes" } }),
            );
            let changed = editor.into_text();
            let (gone, new) = difference(&text, &changed);
            assert_eq!(gone, [""; 0]);
            assert_eq!(
                new,
                ["  new:", "    cmd: uvx", "    envs:", "      A: \"yes\""].map(line)
            );
            assert_eq!(value_of(&changed)["other"], json!(1));

            let mut editor = YamlEditor::new(text.clone());
            editor.remove(&["extensions"], "remote");
            let changed = editor.into_text();
            assert!(text.starts_with(&changed[..changed.find("other").expect("kept")]));
            assert_eq!(
                value_of(&changed)["extensions"].as_object().map(Map::len),
                Some(1)
            );

            let mut editor = YamlEditor::new(text.clone());
            editor.rename(&["extensions"], "files", "my files");
            assert_eq!(
                difference(&text, &editor.into_text()),
                (vec![line("  files:")], vec![line("  my files:")])
            );
        }
    }

    #[test]
    fn mappings_in_braces_and_empty_ones_take_changes_too() {
        let mut editor = YamlEditor::new("extensions: {a: {cmd: x}} # all\nb: 1\n".to_owned());
        editor.set(&["extensions", "a"], "cmd", &json!("y"));
        editor.set(&["extensions"], "c", &json!({}));
        let text = editor.into_text();
        assert_eq!(
            value_of(&text),
            json!({ "extensions": { "a": { "cmd": "y" }, "c": {} }, "b": 1 })
        );
        let mut editor = YamlEditor::new("{a: 1}".to_owned());
        editor.rename(&[], "a", "b");
        assert_eq!(value_of(&editor.into_text()), json!({ "b": 1 }));
        let mut editor = YamlEditor::new("extensions:\n  a:\n    cmd: x\n".to_owned());
        editor.remove(&["extensions"], "a");
        assert_eq!(editor.into_text(), "extensions: {}\n");
        let mut editor = YamlEditor::new("# comment".to_owned());
        editor.set(&[], "a", &json!([{ "b": 1 }]));
        assert_eq!(editor.into_text(), "# comment\na:\n  - {\"b\":1}");
    }

    /// Makes the same changes to the tree and to the text.
    #[test]
    fn changes_mean_the_same_in_the_text_as_in_the_tree() {
        let mut random = fastrand::Rng::with_seed(7);
        let texts = [
            "x",
            "yes",
            "a: b",
            "#",
            "- x",
            "",
            " lead",
            "ü 🙂",
            "12",
            "{",
            "two\nlines",
            "it's",
            "@at",
            "C:\\dir",
        ];
        for round in 0..3000 {
            let mut editor = YamlEditor::new(GOOSE.to_owned());
            let mut tree = value_of(GOOSE);
            for _ in 0..random.usize(1..6) {
                let name = texts[random.usize(..texts.len())].replace('\n', " ");
                let text = texts[random.usize(..texts.len())];
                let value = match random.usize(..6) {
                    0 => json!(text),
                    1 => json!({ "k": text, "e": {} }),
                    2 => json!([text, { "n": text }, []]),
                    3 => json!(random.i32(..)),
                    4 => json!({}),
                    _ => json!({ "deep": { text: [text] } }),
                };
                let servers = tree["extensions"]
                    .as_object()
                    .map(|all| all.keys().cloned().collect::<Vec<_>>())
                    .unwrap_or_default();
                let path: Vec<&str> = match servers.as_slice() {
                    [_, ..] if random.bool() => {
                        let server = &servers[random.usize(..servers.len())];
                        match tree["extensions"][server].is_object() {
                            true => vec!["extensions", server.as_str()],
                            false => vec!["extensions"],
                        }
                    }
                    _ => vec!["extensions"],
                };
                let mut at = &mut tree;
                for name in &path {
                    at = &mut at[*name];
                }
                let Some(members) = at.as_object_mut() else {
                    continue;
                };
                match random.usize(..4) {
                    0 if members.len() > 1 => {
                        let key = members
                            .keys()
                            .nth(random.usize(..members.len()))
                            .cloned()
                            .expect("there");
                        members.remove(&key);
                        editor.remove(&path, &key);
                    }
                    1 if !members.contains_key(&name) && !members.is_empty() => {
                        let key = members.keys().next().cloned().expect("there");
                        *members = std::mem::take(members)
                            .into_iter()
                            .map(|(known, value)| {
                                (if known == key { name.clone() } else { known }, value)
                            })
                            .collect();
                        editor.rename(&path, &key, &name);
                    }
                    _ => {
                        members.insert(name.clone(), value.clone());
                        editor.set(&path, &name, &value);
                    }
                }
                let now = editor.document();
                assert_eq!(now.errors, [], "round {round}: {}", editor.text);
                assert_eq!(
                    json_of(now.root.as_ref().expect("a root")),
                    tree,
                    "round {round}:\n{}",
                    editor.text
                );
            }
            assert!(
                editor.text.starts_with(
                    "# Written by hand.\nGOOSE_MODEL: gpt-5 # the model\n\nextensions:"
                ),
                "{}",
                editor.text
            );
        }
    }
}
