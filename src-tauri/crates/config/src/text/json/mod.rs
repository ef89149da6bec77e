//! A JSON reader that keeps every place and does not stop at the first mistake.
//!
//! It accepts exactly the texts of RFC 8259 (with an optional byte order mark). For all
//! others it says what is wrong in words a person can act on (a comment, a trailing comma,
//! an unclosed brace) and reads on, so that all mistakes are seen at once. Comments and
//! trailing commas leave the structure of a text intact: such a text has a complete tree
//! and can be edited; whether they are allowed is for the dialect of the file to say.

mod lexer;
mod parser;
mod syntax_error;

use std::ops::Range;

pub(crate) use parser::parse;
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
    /// The JSON type in words, with its article.
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
