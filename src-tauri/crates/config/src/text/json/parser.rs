//! Parser with error recovery: builds the tree, and goes on after a mistake at the next place that
//! makes sense.

use std::collections::HashSet;

use super::{
    Document, Member, Node, NodeValue, Object, SyntaxErrorKind,
    lexer::{JsonTokenKind, Lexer, Token},
};
use crate::text::limits::{MAX_DEPTH, MAX_REPEATED_NAMES};

/// Reads a text. Never fails: what is wrong is in [`Document::errors`].
pub(crate) fn parse(text: &str) -> Document {
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut parser = Parser {
        lexer,
        token,
        open: Vec::new(),
        repeated_names: 0,
        ended_early: false,
    };
    let root = parser.document();
    let Lexer {
        mut errors,
        comments,
        ..
    } = parser.lexer;
    // The lexer is one token ahead of the parser, so their errors can come out of order.
    errors.sort_by_key(|error| error.at);
    Document {
        root,
        errors,
        comments,
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that is looked at.
    token: Token,
    /// Closing bracket of each open one, and where that was opened.
    open: Vec<(char, usize)>,
    /// Number of names that stood in their object before.
    repeated_names: usize,
    /// True when the end of the file inside brackets was reported: once is enough.
    ended_early: bool,
}

impl Parser<'_> {
    fn advance(&mut self) -> Token {
        let next = self.lexer.next();
        std::mem::replace(&mut self.token, next)
    }

    fn report(&mut self, kind: SyntaxErrorKind, at: usize) {
        self.lexer.report(kind, at);
    }

    /// Reports what is beyond a limit, and reads nothing after it.
    fn stop(&mut self, kind: SyntaxErrorKind, at: usize) {
        self.lexer.stop(kind, at);
        self.advance();
    }

    fn document(&mut self) -> Option<Node> {
        if self.token.kind == JsonTokenKind::End {
            if self
                .lexer
                .errors
                .iter()
                .all(|error| error.kind.is_harmless())
            {
                self.report(SyntaxErrorKind::Empty, 0);
            }
            return None;
        }
        let root = self.value();
        if self.token.kind != JsonTokenKind::End && !self.ended_early {
            let at = self.token.range.start;
            let kind = match self.token.kind {
                JsonTokenKind::CloseBrace => SyntaxErrorKind::StrayBracket('}'),
                JsonTokenKind::CloseBracket => SyntaxErrorKind::StrayBracket(']'),
                _ => SyntaxErrorKind::TextAfterEnd,
            };
            self.report(kind, at);
            // What follows was judged by one error; comments in it are no news.
            while self.token.kind != JsonTokenKind::End {
                self.advance();
            }
        }
        root
    }

    /// Reads a value. `None` when there is none here; that was then reported.
    fn value(&mut self) -> Option<Node> {
        let start = self.token.range.start;
        if self.token.kind != JsonTokenKind::End && !self.lexer.count_value(start) {
            self.advance();
        }
        let value = match &self.token.kind {
            JsonTokenKind::OpenBrace => return self.nested('}', Self::members),
            JsonTokenKind::OpenBracket => return self.nested(']', Self::elements),
            JsonTokenKind::String(text) => NodeValue::String(text.clone()),
            JsonTokenKind::Number => {
                NodeValue::Number(self.lexer.text[self.token.range.clone()].to_owned())
            }
            JsonTokenKind::Word(word) => match word.as_str() {
                "true" => NodeValue::Bool(true),
                "false" => NodeValue::Bool(false),
                "null" => NodeValue::Null,
                _ => {
                    let word = word.clone();
                    self.report(SyntaxErrorKind::UnknownWord(word), start);
                    NodeValue::Null
                }
            },
            JsonTokenKind::CloseBrace
            | JsonTokenKind::CloseBracket
            | JsonTokenKind::Comma
            | JsonTokenKind::Colon
            | JsonTokenKind::End => {
                self.report(SyntaxErrorKind::MissingValue, start);
                return None;
            }
        };
        let token = self.advance();
        Some(Node {
            range: token.range,
            value,
        })
    }

    /// Reads what stands between brackets, the opening one being looked at.
    fn nested(&mut self, close: char, inside: fn(&mut Self) -> NodeValue) -> Option<Node> {
        let start = self.token.range.start;
        if self.open.len() >= MAX_DEPTH {
            self.stop(SyntaxErrorKind::TooDeep, start);
            return None;
        }
        self.advance();
        self.open.push((close, start));
        let value = inside(self);
        self.open.pop();
        // The closing bracket is looked at, unless it is missing.
        let closes = match self.token.kind {
            JsonTokenKind::CloseBrace => close == '}',
            JsonTokenKind::CloseBracket => close == ']',
            _ => false,
        };
        let end = if closes {
            self.advance().range.end
        } else {
            self.token.range.start
        };
        Some(Node {
            range: start..end,
            value,
        })
    }

    /// Returns true when what is between the innermost brackets ends here. Reports it when it ends
    /// in another way than it should.
    fn at_end(&mut self) -> bool {
        let Some(&(expected, opened)) = self.open.last() else {
            return true;
        };
        let at = self.token.range.start;
        let found = match self.token.kind {
            JsonTokenKind::CloseBrace => '}',
            JsonTokenKind::CloseBracket => ']',
            JsonTokenKind::End => {
                if !self.ended_early {
                    self.ended_early = true;
                    let bracket = if expected == '}' { '{' } else { '[' };
                    self.report(SyntaxErrorKind::Unclosed(bracket, opened), at);
                }
                return true;
            }
            _ => return false,
        };
        if found == expected {
            return true;
        }
        self.report(SyntaxErrorKind::WrongBracket { found, expected }, at);
        if self.open.iter().any(|(close, _)| *close == found) {
            // It closes an outer one, so the inner one was forgotten.
            return true;
        }
        self.advance();
        self.at_end()
    }

    /// Handles what follows an entry. Answers where the comma is, if there is one.
    fn separator(&mut self, end_of_entry: usize, is_cut_off: bool) -> Option<usize> {
        match self.token.kind {
            JsonTokenKind::Comma => {
                let comma = self.advance().range.start;
                if matches!(
                    self.token.kind,
                    JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket
                ) {
                    self.report(SyntaxErrorKind::TrailingComma, comma);
                }
                Some(comma)
            }
            JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket | JsonTokenKind::End => None,
            JsonTokenKind::Colon => {
                let at = self.token.range.start;
                self.report(SyntaxErrorKind::UnexpectedCharacter(':'), at);
                self.skip_entry();
                self.separator(end_of_entry, true)
            }
            _ => {
                // An entry that was cut off took its comma with it.
                if !is_cut_off {
                    self.report(SyntaxErrorKind::MissingComma, end_of_entry);
                }
                None
            }
        }
    }

    /// Skips to the comma or bracket that ends the current entry.
    fn skip_entry(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.token.kind {
                JsonTokenKind::End => return,
                JsonTokenKind::OpenBrace | JsonTokenKind::OpenBracket => depth += 1,
                JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket if depth == 0 => return,
                JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket => depth -= 1,
                JsonTokenKind::Comma if depth == 0 => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Passes over commas with nothing before them.
    fn stray_commas(&mut self) {
        while self.token.kind == JsonTokenKind::Comma {
            let at = self.token.range.start;
            self.report(SyntaxErrorKind::StrayComma, at);
            self.advance();
        }
    }

    fn members(&mut self) -> NodeValue {
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.stray_commas();
            if self.at_end() {
                self.count_repeated_names(&members);
                return NodeValue::Object(Object { members });
            }
            let start = self.token.range.start;
            let key = match &self.token.kind {
                JsonTokenKind::String(text) => text.clone(),
                JsonTokenKind::Word(word) => {
                    let word = word.clone();
                    self.report(SyntaxErrorKind::NameWithoutQuotes(word.clone()), start);
                    word
                }
                _ => {
                    self.report(SyntaxErrorKind::MissingName, start);
                    self.skip_entry();
                    self.separator(start, true);
                    continue;
                }
            };
            let key_token = self.advance();
            match self.token.kind {
                JsonTokenKind::Colon => {
                    self.advance();
                }
                // The missing quote swallowed the rest of the line: enough was said.
                _ if key_token.is_cut_off => continue,
                JsonTokenKind::Comma | JsonTokenKind::CloseBrace | JsonTokenKind::CloseBracket => {
                    self.report(SyntaxErrorKind::MissingColon, key_token.range.end);
                    self.separator(key_token.range.end, true);
                    continue;
                }
                JsonTokenKind::End => continue,
                _ => self.report(SyntaxErrorKind::MissingColon, key_token.range.end),
            }
            let is_cut_off =
                matches!(self.token.kind, JsonTokenKind::String(_)) && self.token.is_cut_off;
            if self.token.kind == JsonTokenKind::End {
                continue;
            }
            let Some(value) = self.value() else {
                if self.token.kind == JsonTokenKind::Colon {
                    self.skip_entry();
                }
                self.separator(key_token.range.end, true);
                continue;
            };
            let comma = self.separator(value.range.end, is_cut_off);
            members.push(Member {
                key,
                key_range: key_token.range,
                value,
                comma,
            });
        }
    }

    fn count_repeated_names(&mut self, members: &[Member]) {
        let mut names = HashSet::with_capacity(members.len());
        for member in members {
            if names.insert(member.key.as_str()) {
                continue;
            }
            self.repeated_names += 1;
            if self.repeated_names > MAX_REPEATED_NAMES {
                let at = member.key_range.start;
                return self.stop(SyntaxErrorKind::TooManyRepeatedNames, at);
            }
        }
    }

    fn elements(&mut self) -> NodeValue {
        let mut elements: Vec<Node> = Vec::new();
        loop {
            self.stray_commas();
            if self.at_end() {
                return NodeValue::Array(elements);
            }
            let is_cut_off = self.token.is_cut_off;
            let Some(value) = self.value() else {
                self.skip_entry();
                let at = self.token.range.start;
                self.separator(at, true);
                continue;
            };
            self.separator(value.range.end, is_cut_off);
            elements.push(value);
        }
    }
}
