//! Edits a JSON text member by member and leaves every other byte alone.
//!
//! New text takes the style that is there: indentation, line ends, one line or several.
//! Comments stay, also those beside a member that goes.

use std::ops::Range;

use serde_json::Value;
use sightglass_json_text::quoted;

use crate::text::json::{self, Document, Member, Node, NodeValue, Object};

/// The widest that a new array of plain values becomes on one line, in characters.
const MAX_LINE_WIDTH: usize = 80;

/// A text under change. Each step leaves it as intact as it was.
pub(crate) struct JsonEditor {
    text: String,
}

/// Style of the text.
struct Style {
    line_end: &'static str,
    indentation: String,
}

/// Shape in which one new value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// On one line.
    Line { spaced: bool },
    /// An object on several lines, an array on one if it fits.
    Block,
    /// Objects and arrays on several lines.
    TallBlock,
}

impl JsonEditor {
    /// `text` has to be an intact document with an object at its root.
    pub fn new(text: String) -> Self {
        Self { text }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn document(&self) -> Document {
        json::parse(&self.text)
    }

    /// Gives the member `key` of the object at `path` a value, adding it at the end when
    /// there is none. Does nothing when there is no such object.
    pub fn set(&mut self, path: &[&str], key: &str, value: &Value) {
        let document = self.document();
        let Some((range, object)) = object_at(&document, path) else {
            return;
        };
        let splices = match object.get(key) {
            Some(member) => vec![self.replacement(member, value)],
            None => self.insertion(&document, range, object, key, value),
        };
        self.apply(splices);
    }

    /// Removes every member `key` of the object at `path`.
    pub fn remove(&mut self, path: &[&str], key: &str) {
        loop {
            let document = self.document();
            let Some((range, object)) = object_at(&document, path) else {
                return;
            };
            let index = object.members.iter().rposition(|member| member.key == key);
            let Some(index) = index else { return };
            let splices = self.removal(&document, range, object, index);
            self.apply(splices);
        }
    }

    /// Renames the member `key` of the object at `path`, if there is one.
    pub fn rename(&mut self, path: &[&str], key: &str, new_key: &str) {
        let document = self.document();
        let member = object_at(&document, path).and_then(|(_, object)| object.get(key));
        if let Some(member) = member {
            self.apply(vec![(member.key_range.clone(), quoted(new_key))]);
        }
    }

    fn apply(&mut self, mut splices: Vec<(Range<usize>, String)>) {
        splices.sort_by_key(|(range, _)| range.start);
        for (range, replacement) in splices.into_iter().rev() {
            self.text.replace_range(range, &replacement);
        }
    }

    fn replacement(&self, member: &Member, value: &Value) -> (Range<usize>, String) {
        let old = member.value.range.clone();
        let is_tall = self.text[old.clone()].contains(['\n', '\r']);
        let shape = if is_tall {
            Shape::TallBlock
        } else if self.is_first_on_line(member.key_range.start) {
            Shape::Block
        } else {
            self.line_shape(member)
        };
        let indentation = self.indentation_at(member.key_range.start);
        (old, self.rendered(value, shape, indentation))
    }

    fn insertion(
        &self,
        document: &Document,
        range: &Range<usize>,
        object: &Object,
        key: &str,
        value: &Value,
    ) -> Vec<(Range<usize>, String)> {
        let Some(last) = object.members.last() else {
            return vec![self.first_insertion(range, key, value)];
        };
        let end = last.comma.map_or(last.value.range.end, |comma| comma + 1);
        let comma = match last.comma {
            Some(_) => None,
            None => Some((end..end, ",".to_owned())),
        };
        if !self.is_first_on_line(last.key_range.start) {
            let shape = self.line_shape(last);
            let (space, colon) = match shape {
                Shape::Line { spaced: false } => ("", ":"),
                _ => (" ", ": "),
            };
            let value = self.rendered(value, shape, "");
            let comma = if comma.is_some() { "," } else { "" };
            return vec![(
                end..end,
                format!("{comma}{space}{}{colon}{value}", quoted(key)),
            )];
        }
        let style = self.style(document);
        let indentation = self.indentation_at(last.key_range.start);
        let value = self.rendered(value, Shape::Block, indentation);
        let member = format!("{}{indentation}{}: {value}", style.line_end, quoted(key));
        let place = self.past_comments(document, end);
        if place == end {
            let comma = comma.map_or_else(String::new, |(_, text)| text);
            return vec![(end..end, comma + &member)];
        }
        comma.into_iter().chain([(place..place, member)]).collect()
    }

    /// The first member of an object that has none.
    fn first_insertion(
        &self,
        range: &Range<usize>,
        key: &str,
        value: &Value,
    ) -> (Range<usize>, String) {
        let style = self.style(&self.document());
        let outer = self.indentation_at(range.start);
        let inner = format!("{outer}{}", style.indentation);
        let value = self.rendered(value, Shape::Block, &inner);
        let member = format!("{inner}{}: {value}", quoted(key));
        let line_end = style.line_end;
        let close = range.end - 1;
        if self.text[range.start + 1..close].trim().is_empty() {
            return (
                range.start + 1..close,
                format!("{line_end}{member}{line_end}{outer}"),
            );
        }
        if self.is_first_on_line(close) {
            let line_start = self.line_start(close);
            return (line_start..line_start, format!("{member}{line_end}"));
        }
        (close..close, format!("{line_end}{member}{line_end}{outer}"))
    }

    fn removal(
        &self,
        document: &Document,
        range: &Range<usize>,
        object: &Object,
        index: usize,
    ) -> Vec<(Range<usize>, String)> {
        let member = &object.members[index];
        let start = member.key_range.start;
        let end = member
            .comma
            .map_or(member.value.range.end, |comma| comma + 1);
        let inner = range.start + 1..range.end - 1;
        if object.members.len() == 1
            && self.text[inner.start..start].trim().is_empty()
            && self.text[end..inner.end].trim().is_empty()
        {
            return vec![(inner, String::new())];
        }
        let mut splices = Vec::new();
        if index > 0
            && member.comma.is_none()
            && let Some(comma) = object.members[index - 1].comma
        {
            splices.push((comma..comma + 1, String::new()));
        }
        let gone = match (self.whole_lines(start, end), object.members.get(index + 1)) {
            (Some(lines), _) => lines,
            (None, Some(next)) if !has_comment(document, &(end..next.key_range.start)) => {
                start..next.key_range.start
            }
            (None, Some(_)) => start..end,
            (None, None) => self.with_space_before(document, start)..end,
        };
        splices.push((gone, String::new()));
        splices
    }

    /// The lines from `start` to `end` with their ends, if nothing else stands on them.
    fn whole_lines(&self, start: usize, end: usize) -> Option<Range<usize>> {
        if !self.is_first_on_line(start) {
            return None;
        }
        let rest = &self.text[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = &rest[blank..];
        let line_end = if rest.starts_with("\r\n") {
            2
        } else if rest.starts_with(['\n', '\r']) {
            1
        } else {
            return None;
        };
        Some(self.line_start(start)..end + blank + line_end)
    }

    /// Returns the offset at which the space before `start` begins. The line end of a comment is
    /// not space: what follows would become part of the comment.
    fn with_space_before(&self, document: &Document, start: usize) -> usize {
        let before = self.text[..start]
            .trim_end_matches([' ', '\t', '\n', '\r'])
            .len();
        if document
            .comments
            .iter()
            .any(|comment| comment.end == before)
        {
            start
        } else {
            before
        }
    }

    /// The end of the line of `offset` if only comments and blanks follow on it; else the
    /// end of the comments, or `offset` without any.
    fn past_comments(&self, document: &Document, offset: usize) -> usize {
        let mut place = offset;
        loop {
            let rest = &self.text[place..];
            let next = place + rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let comments = &document.comments;
            let comment = comments.binary_search_by_key(&next, |comment| comment.start);
            match comment {
                Ok(index) => place = comments[index].end,
                Err(_) if self.text[next..].starts_with(['\n', '\r']) => return next,
                Err(_) => return place,
            }
        }
    }

    /// Returns the offset at which the line of `offset` begins.
    fn line_start(&self, offset: usize) -> usize {
        self.text[..offset]
            .rfind(['\n', '\r', crate::text::source::BYTE_ORDER_MARK])
            .map_or(0, |index| {
                index + self.text[index..].chars().next().map_or(0, char::len_utf8)
            })
    }

    fn is_first_on_line(&self, offset: usize) -> bool {
        self.line_start(offset) > 0 && self.text[self.line_start(offset)..offset].trim().is_empty()
    }

    /// The space with which the line of `offset` begins.
    fn indentation_at(&self, offset: usize) -> &str {
        let line = &self.text[self.line_start(offset)..offset];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The shape of a value beside `member` on its line.
    fn line_shape(&self, member: &Member) -> Shape {
        let between = &self.text[member.key_range.end..member.value.range.start];
        Shape::Line {
            spaced: between.ends_with(' '),
        }
    }

    fn style(&self, document: &Document) -> Style {
        let line_end = line_end_of(&self.text);
        let members = match document.root.as_ref().map(|root| &root.value) {
            Some(NodeValue::Object(object)) => object.members.as_slice(),
            _ => &[],
        };
        let indentation = members
            .first()
            .map(|member| member.key_range.start)
            .filter(|start| self.is_first_on_line(*start))
            .map_or("  ", |start| self.indentation_at(start));
        Style {
            line_end,
            indentation: indentation.to_owned(),
        }
    }

    fn rendered(&self, value: &Value, shape: Shape, indentation: &str) -> String {
        let style = self.style(&self.document());
        let mut text = String::new();
        render(value, shape, &style, indentation, &mut text);
        text
    }
}

/// A new file with one object in it.
pub(crate) fn new_text(value: &Value, line_end: &'static str) -> String {
    let style = Style {
        line_end,
        indentation: "  ".into(),
    };
    let mut text = String::new();
    render(value, Shape::Block, &style, "", &mut text);
    text + line_end
}

/// The line end that a text uses first; LF for a text of one line.
pub(crate) fn line_end_of(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(index) if text[index..].starts_with("\r\n") => "\r\n",
        Some(index) if text[index..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// The object at a path of member names, and the bytes it stands in.
pub(crate) fn object_at<'d>(
    document: &'d Document,
    path: &[&str],
) -> Option<(&'d Range<usize>, &'d Object)> {
    let mut node: &Node = document.root.as_ref()?;
    for key in path {
        let NodeValue::Object(object) = &node.value else {
            return None;
        };
        node = &object.get(key)?.value;
    }
    match &node.value {
        NodeValue::Object(object) => Some((&node.range, object)),
        _ => None,
    }
}

fn has_comment(document: &Document, range: &Range<usize>) -> bool {
    document
        .comments
        .iter()
        .any(|comment| comment.start < range.end && comment.end > range.start)
}

fn render(value: &Value, shape: Shape, style: &Style, indentation: &str, text: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let entries = members
                .iter()
                .map(|(key, value)| (Some(key.as_str()), value));
            render_entries(entries, ('{', '}'), shape, style, indentation, text);
        }
        Value::Array(elements) if !elements.is_empty() => {
            let shape = match shape {
                Shape::Block if fits_on_line(value, elements, indentation) => {
                    Shape::Line { spaced: true }
                }
                other => other,
            };
            let entries = elements.iter().map(|value| (None, value));
            render_entries(entries, ('[', ']'), shape, style, indentation, text);
        }
        other => text.push_str(&other.to_string()),
    }
}

fn render_entries<'v>(
    entries: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
    (open, close): (char, char),
    shape: Shape,
    style: &Style,
    indentation: &str,
    text: &mut String,
) {
    let inner = format!("{indentation}{}", style.indentation);
    let (before, between, after, colon) = match shape {
        Shape::Line { spaced: true } => (String::new(), ", ".to_owned(), String::new(), ": "),
        Shape::Line { spaced: false } => (String::new(), ",".to_owned(), String::new(), ":"),
        Shape::Block | Shape::TallBlock => (
            format!("{}{inner}", style.line_end),
            format!(",{}{inner}", style.line_end),
            format!("{}{indentation}", style.line_end),
            ": ",
        ),
    };
    text.push(open);
    for (index, (key, value)) in entries.enumerate() {
        text.push_str(if index == 0 { &before } else { &between });
        if let Some(key) = key {
            text.push_str(&quoted(key));
            text.push_str(colon);
        }
        render(value, shape, style, &inner, text);
    }
    text.push_str(&after);
    text.push(close);
}

fn fits_on_line(array: &Value, elements: &[Value], indentation: &str) -> bool {
    elements
        .iter()
        .all(|element| !element.is_array() && !element.is_object())
        && indentation.len() + array.to_string().chars().count() <= MAX_LINE_WIDTH
}
