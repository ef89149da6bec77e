//! Reads a YAML text into the tree.

use std::{collections::HashSet, ops::Range};

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use sightglass_model::sentence;

use crate::text::{
    json::{Document, Member, Node, NodeValue, Object, SyntaxError, SyntaxErrorKind},
    limits::{MAX_DEPTH, MAX_REFERENCES, MAX_VALUES, NO_MORE, shortened},
    source::BYTE_ORDER_MARK,
};

/// Reads a text. The reader stops at the first mistake; what it goes on after is an anchor, an alias
/// or a tag ([`SyntaxErrorKind::YamlReference`]).
pub(crate) fn parse(text: &str) -> Document {
    let offset = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let mut document = Document {
        root: None,
        errors: Vec::new(),
        comments: Vec::new(),
    };
    if let Some(at) = beyond_limit(text) {
        let kind = SyntaxErrorKind::TooManyValues;
        document.errors.push(SyntaxError { kind, at });
        return document;
    }
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

/// Separators in braces or brackets that a value has at most: the one before it, and the bracket that
/// opens it.
const MAX_SEPARATORS_OF_VALUE: usize = 2;

/// Returns where a text has so many separators that it has too many values, unless they stand in
/// its scalars. What is in braces or brackets can be the name of a member, so that the library
/// keeps all of it before any value can be counted.
fn beyond_limit(text: &str) -> Option<usize> {
    let separators = text.bytes().enumerate();
    let mut separators = separators.filter(|(_, byte)| matches!(byte, b',' | b'[' | b'{'));
    let (at, _) = separators.nth(MAX_VALUES * MAX_SEPARATORS_OF_VALUE)?;
    Some(at)
}

/// A collection that is being read.
enum OpenCollection {
    Sequence(usize, Vec<Node>),
    Mapping(OpenMapping),
}

#[derive(Default)]
struct OpenMapping {
    start: usize,
    members: Vec<Member>,
    /// Names of the members and of the one that is being read.
    names: HashSet<String>,
    /// Name whose value is still to come.
    key: Option<(String, Range<usize>)>,
}

struct TreeReader<'a> {
    text: &'a str,
    /// The byte of each character, since the library counts characters.
    bytes: Vec<usize>,
    open: Vec<OpenCollection>,
    root: Option<Node>,
    /// Anchors, aliases and tags.
    references: Vec<SyntaxError>,
    /// Number of values.
    values: usize,
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
            values: 0,
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
                    self.record_reference(anchor != 0 || tag.is_some(), range.start)?;
                    self.scalar(&value, style, range)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    self.record_reference(anchor != 0 || tag.is_some(), range.start)?;
                    self.enter(
                        OpenCollection::Sequence(range.start, Vec::new()),
                        range.start,
                    )?;
                }
                Event::MappingStart(anchor, tag) => {
                    self.record_reference(anchor != 0 || tag.is_some(), range.start)?;
                    let mapping = OpenMapping {
                        start: range.start,
                        ..OpenMapping::default()
                    };
                    self.enter(OpenCollection::Mapping(mapping), range.start)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.leave(range.end)?,
                _ => {}
            }
        }
        Ok(self.root.take())
    }

    fn record_reference(&mut self, is_one: bool, at: usize) -> Result<(), SyntaxError> {
        if is_one && self.references.len() == MAX_REFERENCES {
            let message = format!(
                "The file has more than {MAX_REFERENCES} anchors, aliases and tags; {NO_MORE}"
            );
            return Err(refused(&message, at));
        }
        if is_one {
            let kind = SyntaxErrorKind::YamlReference;
            self.references.push(SyntaxError { kind, at });
        }
        Ok(())
    }

    /// Puts nothing in the place of an alias.
    fn alias(&mut self, range: Range<usize>) -> Result<(), SyntaxError> {
        self.record_reference(true, range.start)?;
        if self.expects_name() {
            return Err(refused(
                "A name has to be a text, not an alias.",
                range.start,
            ));
        }
        self.count_value(range.start)?;
        self.place(Node {
            range,
            value: NodeValue::Null,
        })
    }

    /// Returns true when what comes next is the name of a member.
    fn expects_name(&self) -> bool {
        matches!(self.open.last(), Some(OpenCollection::Mapping(mapping)) if mapping.key.is_none())
    }

    fn count_value(&mut self, at: usize) -> Result<(), SyntaxError> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let kind = SyntaxErrorKind::TooManyValues;
            return Err(SyntaxError { kind, at });
        }
        Ok(())
    }

    fn byte(&self, character: usize) -> usize {
        let last = self.bytes.last().copied().unwrap_or_default();
        self.bytes.get(character).copied().unwrap_or(last)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.byte(span.start.index());
        start..self.byte(span.end.index()).max(start)
    }

    fn enter(&mut self, collection: OpenCollection, at: usize) -> Result<(), SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            let kind = SyntaxErrorKind::TooDeep;
            return Err(SyntaxError { kind, at });
        }
        self.count_value(at)?;
        if self.expects_name() {
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
            Some(OpenCollection::Sequence(start, elements)) => Node {
                range: match elements.last() {
                    Some(last) if !is_flow(start) => start..last.range.end.max(start),
                    _ => start..end,
                },
                value: NodeValue::Array(elements),
            },
            Some(OpenCollection::Mapping(OpenMapping { start, members, .. })) => Node {
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
        if let Some(OpenCollection::Mapping(mapping)) = self.open.last_mut()
            && mapping.key.is_none()
        {
            if !mapping.names.insert(value.to_owned()) {
                let message = format!("The name {} is there twice.", shortened(value));
                return Err(refused(&message, range.start));
            }
            mapping.key = Some((value.to_owned(), range));
            return Ok(());
        }
        self.count_value(range.start)?;
        let is_plain = matches!(style, ScalarStyle::Plain);
        let range = match &self.open.last() {
            // A value that is not there has no place; it would stand right after the colon. One
            // after a question mark need not have a colon before what comes next.
            Some(OpenCollection::Mapping(OpenMapping {
                key: Some((_, key)),
                ..
            })) if is_plain && value.is_empty() => {
                let next = self.text.len().min(range.end.max(key.end) + 1);
                let colon = self.text.as_bytes()[key.end..next]
                    .iter()
                    .position(|byte| *byte == b':')
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
            Some(OpenCollection::Sequence(_, elements)) => elements.push(node),
            Some(OpenCollection::Mapping(mapping)) => {
                let at = node.range.start;
                let (key, key_range) = mapping.key.take().ok_or_else(|| {
                    refused("A name has to be a text, not a list or a mapping.", at)
                })?;
                mapping.members.push(Member {
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
