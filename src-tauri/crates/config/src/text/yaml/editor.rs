//! Changes a YAML text where a change is.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    reader::parse,
    render::{
        element_text, json_of, json_of_object, member_text, members_text, scalar_text, value_text,
    },
};
use crate::text::{
    json::{Document, Member, NodeValue, Object},
    json_edit::{line_end_of, object_at},
    named_list,
    source::BYTE_ORDER_MARK,
};

/// A YAML text under change.
pub(crate) struct YamlEditor {
    pub(super) text: String,
    /// The path of a list whose elements are found by their names.
    list: Option<Vec<String>>,
}

impl YamlEditor {
    pub fn new(text: String) -> Self {
        Self { text, list: None }
    }

    /// Finds the elements of the list at `path` by their names, as the members of an object.
    pub fn with_named_list(self, path: Vec<String>) -> Self {
        Self {
            list: Some(path),
            ..self
        }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn document(&self) -> Document {
        let mut document = parse(&self.text);
        if let Some(list) = &self.list {
            named_list::show_by_name(&mut document, list);
        }
        document
    }

    pub fn set(&mut self, path: &[&str], key: &str, value: &Value) {
        self.unfold_list(path);
        if self.is_list(path) {
            return self.set_element(path, key, value);
        }
        let list;
        let value = if self.is_list(&[path, &[key]].concat()) {
            list = named_list::list(value);
            &list
        } else {
            value
        };
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
        self.unfold_list(path);
        if self.is_list(path) {
            return self.remove_elements(path, key);
        }
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
        let lines = match self.after_dash(object, member) {
            Some(range) => range,
            None => self.lines_of(
                member.key_range.start,
                member.value.range.end.max(member.key_range.end),
            ),
        };
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
        self.unfold_list(path);
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

    fn is_list(&self, path: &[&str]) -> bool {
        let list = self.list.iter().flatten().map(String::as_str);
        self.list.is_some() && list.eq(path.iter().copied())
    }

    /// Writes the list, and what it stands in, as blocks, where `path` leads into it and braces or
    /// brackets are around it.
    fn unfold_list(&mut self, path: &[&str]) {
        let Some(list) = self.list.take() else {
            return;
        };
        let names: Vec<&str> = list.iter().map(String::as_str).collect();
        if path.starts_with(&names) {
            if let Some(depth) = self.braces(&names) {
                self.rewrite(&names[..depth], depth, |_| {});
            }
            let document = self.document();
            let member = names.split_last().and_then(|(name, above)| {
                let (_, object) = object_at(&document, above)?;
                Some((above, name, &object.get(name)?.value))
            });
            if let Some((above, name, node)) = member
                && let NodeValue::Array(elements) = &node.value
                && !elements.is_empty()
                && self.text[node.range.start..].starts_with('[')
            {
                self.set(above, name, &json_of(node));
            }
        }
        self.list = Some(list);
    }

    /// Gives the list an element of a name, in the place of one that it has.
    fn set_element(&mut self, path: &[&str], name: &str, value: &Value) {
        let document = self.document();
        let Some((_, elements)) = object_at(&document, path) else {
            return;
        };
        let line_end = line_end_of(&self.text);
        let element = named_list::element(name, value);
        let dash = elements
            .members
            .first()
            .and_then(|first| self.dash(first.value.range.start));
        match (elements.get(name), elements.members.last(), dash) {
            (Some(old), ..) => {
                let range = old.value.range.clone();
                let members = element.as_object().cloned().unwrap_or_default();
                let text = members_text(self.column(range.start), &members, line_end);
                self.text.replace_range(range, text.trim_start());
            }
            (None, Some(last), Some(dash)) => {
                let text = element_text(self.column(dash), &element, line_end);
                let end = last.value.range.end;
                self.insert_after(end, &format!("{text}{line_end}"));
            }
            _ => {
                if let Some((key, above)) = path.split_last() {
                    let list = self.list.take();
                    self.set(above, key, &Value::Array(vec![element]));
                    self.list = list;
                }
            }
        }
    }

    /// Removes every element of a name from the list.
    fn remove_elements(&mut self, path: &[&str], name: &str) {
        let document = self.document();
        let Some((_, elements)) = object_at(&document, path) else {
            return;
        };
        let named = elements.members.iter().filter(|member| member.key == name);
        let mut lines: Vec<Range<usize>> = named
            .filter_map(|element| {
                let range = &element.value.range;
                Some(self.lines_of(self.dash(range.start)?, range.end))
            })
            .collect();
        let is_empty = lines.len() == elements.members.len();
        let colon = path.split_last().and_then(|(key, above)| {
            let (_, object) = object_at(&document, above)?;
            Some(self.colon(&object.get(key)?.key_range))
        });
        // Where the last line has no end, it takes that of the one before, which may go as well.
        for index in (1..lines.len()).rev() {
            if lines[index].start < lines[index - 1].end {
                lines[index - 1].end = lines[index].end;
                lines.remove(index);
            }
        }
        self.text = without(&self.text, &lines);
        // Without elements it would be null, which is no list.
        if let Some(colon) = colon.filter(|_| is_empty && !lines.is_empty()) {
            self.text.insert_str(colon, " []");
        }
    }

    /// The dash before an element of a block sequence, on its line or one above it.
    fn dash(&self, element: usize) -> Option<usize> {
        let mut end = element;
        loop {
            let start = self.line_start(end);
            let line = &self.text[start..end];
            let inside = line.trim_start();
            if inside.starts_with('-') {
                return Some(end - inside.len());
            }
            if !inside.is_empty() && !inside.starts_with('#') {
                return None;
            }
            end = start.checked_sub(1)?;
        }
    }

    /// The bytes of a member that stands on the line of its element's dash, which stays.
    fn after_dash(&self, object: &Object, member: &Member) -> Option<Range<usize>> {
        let start = member.key_range.start;
        if self.text[self.line_start(start)..start].trim().is_empty() {
            return None;
        }
        let end = member.value.range.end.max(member.key_range.end);
        let next = object.members.get(1).map(|next| next.key_range.start);
        Some(match next {
            Some(next) if self.text[end..next].trim().is_empty() => start..next,
            _ => start..end,
        })
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

    /// The lines from `start` to `end`, with the end of the line before where the last has none.
    fn lines_of(&self, start: usize, end: usize) -> Range<usize> {
        let start = self.line_start(start);
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

/// A text without some parts of it, which are in its order.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for part in parts {
        rest.push_str(&text[from..part.start]);
        from = part.end;
    }
    rest + &text[from..]
}
