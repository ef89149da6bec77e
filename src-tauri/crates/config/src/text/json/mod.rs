//! Reads JSON into a tree with the place of each value, and goes on after a mistake.
//!
//! It accepts exactly the texts of RFC 8259 (with an optional byte order mark). For all
//! others it reports what is wrong in a message that a user can act on (a comment, a trailing
//! comma, an unclosed brace) and reads on, so that all mistakes are seen at once. Comments and
//! trailing commas leave the structure of a text intact: such a text has a complete tree
//! and can be edited; the format of the file decides whether they are allowed.
//!
//! # Why not a CST crate
//!
//! `jsonc-parser` 0.34 with its `cst` feature was measured against this and
//! [`json_edit`](super::json_edit) on 10,000 generated edits (set, remove, rename; comments,
//! trailing commas, CR LF, byte order marks, repeated names). Both gave the expected value each
//! time; the crate brought trailing commas into objects of its own where a text had some
//! elsewhere (332 edits), dropped 340 comments in removals where 210 went here, left bare LFs in
//! 56 more texts with CR LF, and took 1.63 s instead of 0.29 s. Its parser stops at the first
//! mistake, knows no byte order mark, and reads 512 levels where `serde_json` reads 127. So the
//! lexer and the parser would have to stay for their messages, beside a second parser.

mod lexer;
mod parser;
mod repair;
mod syntax_error;

use std::ops::Range;

pub(crate) use parser::parse;
pub(crate) use repair::with_commas;
pub(crate) use syntax_error::{SyntaxError, SyntaxErrorKind};

/// A text that was read.
#[derive(Debug)]
pub(crate) struct Document {
    /// Value of the text; absent when there is none.
    pub root: Option<Node>,
    /// In the order of the text.
    pub errors: Vec<SyntaxError>,
    /// Ranges of the comments, in the order of the text.
    pub comments: Vec<Range<usize>>,
}

/// A value and the bytes it stands in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub range: Range<usize>,
    pub value: NodeValue,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeValue {
    Null,
    Bool(bool),
    /// Its digits, as they are written.
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(Object),
}

impl NodeValue {
    /// Returns the name of the JSON type, with its article.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::Number(_) => "a number",
            NodeValue::String(_) => "a string",
            NodeValue::Array(_) => "an array",
            NodeValue::Object(_) => "an object",
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Object {
    pub members: Vec<Member>,
}

impl Object {
    /// The member of that name. Of several, the last one counts, as it does for the common
    /// JSON readers.
    pub(crate) fn get(&self, key: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.key == key)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub key: String,
    pub key_range: Range<usize>,
    pub value: Node,
    /// Offset of the comma after the value, if there is one.
    pub comma: Option<usize>,
}
