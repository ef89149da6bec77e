//! Reads a YAML text into the tree.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::text::{
    json::{Document, Member, Node, NodeValue, Object, SyntaxError, SyntaxErrorKind},
    source::BYTE_ORDER_MARK,
};

/// Levels of a tree, as many as JSON may have.
const MAX_DEPTH: usize = 127;

/// The most anchors, aliases and tags of a text.
const MAX_REFERENCES: usize = 10_000;

/// Reads a text. The reader stops at the first mistake; what it goes on after is an anchor, an alias
/// or a tag ([`SyntaxErrorKind::YamlReference`]).
pub(crate) fn parse(text: &str) -> Document {
    let offset = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let mut document = Document {
        root: None,
        errors: Vec::new(),
        comments: Vec::new(),
    };
    let mut reader = TreeReader::new(text, offset);
    let read = reader.read();
    document.errors = reader.references;
    match read {
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
    /// Anchors, aliases and tags.
    references: Vec<SyntaxError>,
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
            references: Vec::new(),
        }
    }

    fn read(&mut self) -> Result<Option<Node>, SyntaxError> {
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
                Event::Alias(_) => self.alias(range)?,
                Event::Scalar(value, style, anchor, tag) => {
                    self.note_reference(anchor != 0 || tag.is_some(), range.start)?;
                    self.scalar(&value, style, range)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    self.note_reference(anchor != 0 || tag.is_some(), range.start)?;
                    self.enter(Open::Sequence(range.start, Vec::new()), range.start)?;
                }
                Event::MappingStart(anchor, tag) => {
                    self.note_reference(anchor != 0 || tag.is_some(), range.start)?;
                    self.enter(Open::Mapping(range.start, Vec::new(), None), range.start)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.leave(range.end)?,
                _ => {}
            }
        }
        Ok(self.root.take())
    }

    fn note_reference(&mut self, is_one: bool, at: usize) -> Result<(), SyntaxError> {
        if is_one && self.references.len() == MAX_REFERENCES {
            return Err(refused("There are too many anchors, aliases and tags.", at));
        }
        if is_one {
            let kind = SyntaxErrorKind::YamlReference;
            self.references.push(SyntaxError { kind, at });
        }
        Ok(())
    }

    /// Puts nothing in the place of an alias.
    fn alias(&mut self, range: Range<usize>) -> Result<(), SyntaxError> {
        self.note_reference(true, range.start)?;
        if let Some(Open::Mapping(_, _, None)) = self.open.last() {
            return Err(refused(
                "A name has to be a text, not an alias.",
                range.start,
            ));
        }
        self.place(Node {
            range,
            value: NodeValue::Null,
        })
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
