//! TOML, read into the tree that JSON is read into, and changed line by line.
//!
//! `toml_edit` computes what a change makes of a text; the lines that it left alone are then
//! taken from the file itself. So line ends, a byte order mark, and everything else that the
//! library would write in its own way survive byte for byte.

use std::ops::Range;

use serde_json::Value;
use sightglass_model::sentence;
use similar::{ChangeTag, TextDiff};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, Table, TableLike, Value as TomlValue};
use toml_parser::lexer::TokenKind;

use crate::text::{
    json::{Document, Member, Node, NodeValue, Object, SyntaxError, SyntaxErrorKind},
    json_edit::line_end_of,
    limits::{MAX_DEPTH, MAX_VALUES},
    source::BYTE_ORDER_MARK,
};

/// Reads a text. TOML readers stop at the first mistake, and so does this.
pub(crate) fn parse(text: &str) -> Document {
    let offset = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let mut document = Document {
        root: None,
        errors: Vec::new(),
        comments: Vec::new(),
    };
    if let Some(at) = beyond_limit(&text[offset..]) {
        document.errors.push(SyntaxError {
            kind: SyntaxErrorKind::TooManyValues,
            at: at + offset,
        });
        return document;
    }
    match toml_edit::Document::parse(&text[offset..]) {
        Ok(parsed) => {
            let mut reader = TomlReader {
                text,
                offset,
                depth: 0,
                values: 0,
            };
            match reader.members(parsed.as_table()) {
                Ok(members) => {
                    document.root = Some(Node {
                        range: offset..text.len(),
                        value: NodeValue::Object(members),
                    });
                }
                Err(error) => document.errors.push(error),
            }
        }
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start) + offset;
            let message = sentence(error.message().lines().next().unwrap_or_default());
            let advice = advice(&message);
            document.errors.push(SyntaxError {
                kind: SyntaxErrorKind::Toml(message + advice),
                at: at.min(text.len()),
            });
        }
    }
    document
}

/// The library's message about a name with characters that need quotation marks.
const UNQUOTED_NAME: &str = "Invalid unquoted key";

/// Returns the advice about a mistake that the library's message lacks; empty where it says enough.
fn advice(message: &str) -> &'static str {
    match message.starts_with(UNQUOTED_NAME) {
        true => " A name with any other character stands in quotation marks.",
        false => "",
    }
}

/// Tokens that a value has at most: `=` or `,`, the bracket that opens it, and the comma after its
/// last element.
const MAX_TOKENS_OF_VALUE: usize = 3;

/// Returns where a text has so many separators that it has too many values. The library makes
/// values of a whole text before any can be counted.
fn beyond_limit(text: &str) -> Option<usize> {
    let separators = toml_parser::Source::new(text).lex().filter(|token| {
        matches!(
            token.kind(),
            TokenKind::Equals
                | TokenKind::Comma
                | TokenKind::LeftSquareBracket
                | TokenKind::LeftCurlyBracket
        )
    });
    let first = { separators }.nth(MAX_VALUES * MAX_TOKENS_OF_VALUE)?;
    Some(first.span().start())
}

struct TomlReader<'a> {
    text: &'a str,
    /// The bytes before the document, which its places do not count.
    offset: usize,
    /// Number of collections that are being read.
    depth: usize,
    /// Number of values.
    values: usize,
}

impl TomlReader<'_> {
    fn range(&self, span: Option<Range<usize>>) -> Range<usize> {
        // A dotted table has no place of its own.
        span.map_or(self.offset..self.offset, |span| {
            span.start + self.offset..span.end + self.offset
        })
    }

    fn members(&mut self, table: &dyn TableLike) -> Result<Object, SyntaxError> {
        let mut members = Vec::new();
        for (name, _) in table.iter() {
            let Some((key, item)) = table.get_key_value(name) else {
                continue;
            };
            let key_range = self.range(key.span());
            if let Some(value) = self.node(item, &key_range)? {
                members.push(Member {
                    key: name.to_owned(),
                    key_range,
                    value,
                    comma: None,
                });
            }
        }
        Ok(Object { members })
    }

    fn node(&mut self, item: &Item, key_range: &Range<usize>) -> Result<Option<Node>, SyntaxError> {
        Ok(Some(match item {
            Item::None => return Ok(None),
            Item::Value(value) => self.value(value, key_range)?,
            Item::Table(table) => self.table(table, key_range)?,
            Item::ArrayOfTables(tables) => {
                let range = match tables.span() {
                    Some(span) => self.range(Some(span)),
                    None => key_range.clone(),
                };
                self.enter(&range)?;
                let elements = tables
                    .iter()
                    .map(|table| self.table(table, &range))
                    .collect::<Result<_, _>>()?;
                self.depth -= 1;
                Node {
                    range,
                    value: NodeValue::Array(elements),
                }
            }
        }))
    }

    fn table(&mut self, table: &Table, key_range: &Range<usize>) -> Result<Node, SyntaxError> {
        let range = match table.span() {
            Some(span) => self.range(Some(span)),
            None => key_range.clone(),
        };
        self.enter(&range)?;
        let members = self.members(table)?;
        self.depth -= 1;
        Ok(Node {
            range,
            value: NodeValue::Object(members),
        })
    }

    fn value(&mut self, value: &TomlValue, fallback: &Range<usize>) -> Result<Node, SyntaxError> {
        let range = match value.span() {
            Some(span) => self.range(Some(span)),
            None => fallback.clone(),
        };
        self.enter(&range)?;
        let value = match value {
            TomlValue::String(text) => NodeValue::String(text.value().clone()),
            TomlValue::Integer(number) => NodeValue::Number(number.value().to_string()),
            TomlValue::Float(number) => NodeValue::Number(number.value().to_string()),
            TomlValue::Boolean(flag) => NodeValue::Bool(*flag.value()),
            TomlValue::Datetime(_) => NodeValue::String(self.text[range.clone()].to_owned()),
            TomlValue::Array(elements) => NodeValue::Array(
                elements
                    .iter()
                    .map(|element| self.value(element, &range))
                    .collect::<Result<_, _>>()?,
            ),
            TomlValue::InlineTable(table) => NodeValue::Object(self.members(table)?),
        };
        self.depth -= 1;
        Ok(Node { range, value })
    }

    /// Counts a value, and the level on which those within it stand.
    fn enter(&mut self, range: &Range<usize>) -> Result<(), SyntaxError> {
        self.values += 1;
        self.depth += 1;
        let kind = if self.values > MAX_VALUES {
            SyntaxErrorKind::TooManyValues
        } else if self.depth > MAX_DEPTH {
            SyntaxErrorKind::TooDeep
        } else {
            return Ok(());
        };
        Err(SyntaxError {
            kind,
            at: range.start,
        })
    }
}

/// A TOML text under change.
pub(crate) struct TomlEditor {
    text: String,
}

impl TomlEditor {
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
        self.change(path, Comments::AsChanged, |table| {
            match table.get_mut(key) {
                // What is there keeps its place and what is written around it.
                Some(Item::Value(old)) if !value.is_object() || old.is_inline_table() => {
                    if let Some(mut new) = inline(value) {
                        *new.decor_mut() = old.decor().clone();
                        *old = new;
                    }
                }
                Some(old @ Item::Table(_)) if value.is_object() => {
                    let mut new = headed(value);
                    if let (Item::Table(new), Item::Table(old)) = (&mut new, &*old) {
                        *new.decor_mut() = old.decor().clone();
                        if let Some(position) = old.position() {
                            new.set_position(Some(position));
                        }
                    }
                    *old = new;
                }
                Some(old) => *old = item(value, true),
                None => {
                    let has_headers = !table.is_inline;
                    table.insert(key, item(value, has_headers && path.len() < 2));
                }
            }
        });
    }

    pub fn remove(&mut self, path: &[&str], key: &str) {
        self.change(path, Comments::Kept, |table| table.remove(key));
    }

    pub fn rename(&mut self, path: &[&str], key: &str, new_key: &str) {
        self.change(path, Comments::AsChanged, |table| {
            table.rename(key, new_key)
        });
    }

    /// Applies a change to the table at `path` and takes over the lines that it changed.
    fn change(
        &mut self,
        path: &[&str],
        comments: Comments,
        change: impl FnOnce(&mut TableHandle<'_>),
    ) {
        let marked = self.text.starts_with(BYTE_ORDER_MARK);
        let plain = self.text.trim_start_matches(BYTE_ORDER_MARK);
        // The library ends every line, also a last one without an end.
        let line_end = line_end_of(plain);
        let is_ended = plain.is_empty() || plain.ends_with('\n');
        let own = if is_ended {
            plain.to_owned()
        } else {
            plain.to_owned() + line_end
        };
        let normalised = own.replace("\r\n", "\n");
        let Ok(mut document) = normalised.parse::<DocumentMut>() else {
            return;
        };
        let Some(table) = table_at(document.as_item_mut(), path) else {
            return;
        };
        let is_inline = table.0;
        let mut handle = TableHandle {
            table: table.1,
            is_inline,
        };
        change(&mut handle);
        let mut merged = with_own_lines(&own, &normalised, &document.to_string(), comments);
        if !is_ended && merged.ends_with(line_end) {
            merged.truncate(merged.len() - line_end.len());
        }
        self.text = if marked {
            format!("{BYTE_ORDER_MARK}{merged}")
        } else {
            merged
        };
    }
}

/// Treatment of the comments above a part that is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comments {
    /// They stay: they may be about what follows, or about the whole file.
    Kept,
    AsChanged,
}

/// A table under change, and whether it is written within braces.
struct TableHandle<'a> {
    table: &'a mut dyn TableLike,
    is_inline: bool,
}

impl TableHandle<'_> {
    fn get_mut(&mut self, key: &str) -> Option<&mut Item> {
        self.table.get_mut(key)
    }

    fn insert(&mut self, key: &str, item: Item) {
        self.table.insert(key, item);
    }

    fn remove(&mut self, key: &str) {
        self.table.remove(key);
    }

    /// Gives a member another name. The library keeps the places of headed tables, so it
    /// stays where it is in the text.
    fn rename(&mut self, key: &str, new_key: &str) {
        let members: Vec<(Key, Item)> = { self.table.iter() }
            .filter_map(|(name, _)| {
                let (key, item) = self.table.get_key_value(name)?;
                Some((key.clone(), item.clone()))
            })
            .collect();
        // Put back as a whole: each removal of one would move all that follow it.
        self.table.clear();
        for (old_key, item) in members {
            let name = old_key.get();
            let now = if name == key { new_key } else { name };
            self.table.insert(now, item);
            if let Some(mut key) = self.table.key_mut(now) {
                *key.leaf_decor_mut() = old_key.leaf_decor().clone();
                *key.dotted_decor_mut() = old_key.dotted_decor().clone();
            }
        }
    }
}

fn table_at<'d>(item: &'d mut Item, path: &[&str]) -> Option<(bool, &'d mut dyn TableLike)> {
    let mut item = item;
    for key in path {
        item = item.as_table_like_mut()?.get_mut(key)?;
    }
    let is_inline = item.is_inline_table();
    Some((is_inline, item.as_table_like_mut()?))
}

/// A value for a key that is new.
fn item(value: &Value, with_header: bool) -> Item {
    match value {
        Value::Object(_) if with_header => headed(value),
        other => inline(other).map_or(Item::None, Item::Value),
    }
}

/// A table with a header of its own. Tables in it have headers as well where they hold tables
/// themselves, as the servers do; the fields of a server stand within braces.
fn headed(value: &Value) -> Item {
    let mut table = Table::new();
    let members = value.as_object();
    let holds_tables_only = members
        .is_some_and(|members| !members.is_empty() && members.values().all(Value::is_object));
    table.set_implicit(holds_tables_only);
    for (key, value) in members.into_iter().flatten() {
        table.insert(key, item(value, holds_tables_only));
    }
    Item::Table(table)
}

/// A value on one line. TOML has no null.
fn inline(value: &Value) -> Option<TomlValue> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(elements) => elements.iter().filter_map(inline).collect::<Array>().into(),
        Value::Object(members) => members
            .iter()
            .filter_map(|(key, value)| Some((key.as_str(), inline(value)?)))
            .collect::<InlineTable>()
            .into(),
    })
}

/// `changed` with the lines that are in `normalised` as well taken from `original`, and the
/// line ends of the file on the others.
fn with_own_lines(original: &str, normalised: &str, changed: &str, comments: Comments) -> String {
    let own: Vec<&str> = original.split_inclusive('\n').collect();
    let line_end = line_end_of(original);
    let mut merged = String::with_capacity(changed.len());
    // The lines that go before anything but a comment does: blank ones, until a comment comes.
    let mut above: Option<String> = Some(String::new());
    for line in TextDiff::from_lines(normalised, changed).iter_all_changes() {
        let own_line = || line.old_index().and_then(|index| own.get(index)).copied();
        match line.tag() {
            ChangeTag::Equal => {
                merged.push_str(own_line().unwrap_or_default());
                above = Some(String::new());
            }
            ChangeTag::Delete => {
                let text = line.value().trim();
                above = match (above.take(), comments) {
                    (Some(blank), Comments::Kept) if text.starts_with('#') => {
                        merged.push_str(&blank);
                        merged.push_str(own_line().unwrap_or_default());
                        Some(String::new())
                    }
                    (Some(blank), Comments::Kept) if text.is_empty() => {
                        Some(blank + own_line().unwrap_or_default())
                    }
                    _ => None,
                };
            }
            ChangeTag::Insert => {
                let text = line.value();
                match text.strip_suffix('\n') {
                    Some(text) => {
                        merged.push_str(text);
                        merged.push_str(line_end);
                    }
                    None => merged.push_str(text),
                }
            }
        }
    }
    merged
}
