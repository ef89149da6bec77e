//! Lexer: splits a text into tokens, and goes on after one that is malformed.

use std::ops::Range;

use super::{SyntaxError, SyntaxErrorKind};
use crate::text::{
    limits::{MAX_MISTAKES, MAX_VALUES},
    source::BYTE_ORDER_MARK,
};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonTokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    String(String),
    Number,
    /// `true`, `false`, `null`, and all else that looks like a word.
    Word(String),
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub kind: JsonTokenKind,
    pub range: Range<usize>,
    /// True when its text was cut off, so that what follows it says little.
    pub is_cut_off: bool,
}

pub(super) struct Lexer<'a> {
    pub text: &'a str,
    offset: usize,
    pub errors: Vec<SyntaxError>,
    pub comments: Vec<Range<usize>>,
    /// Number of values and comments.
    values: usize,
    /// Number of errors after which the structure of the text is not clear.
    mistakes: usize,
    /// True when a limit was reached: the text ends there.
    is_stopped: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        let offset = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        Self {
            text,
            offset,
            errors: Vec::new(),
            comments: Vec::new(),
            values: 0,
            mistakes: 0,
            is_stopped: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.offset += character.len_utf8();
        Some(character)
    }

    /// Notes a mistake. One after too many says so instead, and ends the text.
    pub fn report(&mut self, kind: SyntaxErrorKind, at: usize) {
        if self.is_stopped {
            return;
        }
        if !kind.is_harmless() {
            self.mistakes += 1;
            if self.mistakes > MAX_MISTAKES {
                return self.stop(SyntaxErrorKind::TooManyMistakes, at);
            }
        }
        self.errors.push(SyntaxError { kind, at });
    }

    /// Notes what is beyond a limit, and ends the text.
    pub fn stop(&mut self, kind: SyntaxErrorKind, at: usize) {
        if !self.is_stopped {
            self.errors.push(SyntaxError { kind, at });
        }
        self.is_stopped = true;
        self.offset = self.text.len();
    }

    /// Counts a value or a comment. Returns false when there are too many.
    pub fn count_value(&mut self, at: usize) -> bool {
        self.values += 1;
        if self.values > MAX_VALUES {
            self.stop(SyntaxErrorKind::TooManyValues, at);
        }
        !self.is_stopped
    }

    /// Moves on while `wanted` holds.
    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.advance();
        }
    }

    pub fn next(&mut self) -> Token {
        loop {
            self.skip(|character| matches!(character, ' ' | '\t' | '\n' | '\r'));
            let start = self.offset;
            let Some(character) = self.peek() else {
                return self.token(JsonTokenKind::End, start);
            };
            let single = match character {
                '{' => Some(JsonTokenKind::OpenBrace),
                '}' => Some(JsonTokenKind::CloseBrace),
                '[' => Some(JsonTokenKind::OpenBracket),
                ']' => Some(JsonTokenKind::CloseBracket),
                ',' => Some(JsonTokenKind::Comma),
                ':' => Some(JsonTokenKind::Colon),
                _ => None,
            };
            if let Some(kind) = single {
                self.advance();
                return self.token(kind, start);
            }
            match character {
                '"' | '\'' => return self.string(character),
                '/' if self.comment() => {}
                '-' | '+' | '.' | '0'..='9' => return self.number(),
                _ if is_word_character(character) => {
                    self.skip(is_word_character);
                    let word = self.text[start..self.offset].to_owned();
                    return self.token(JsonTokenKind::Word(word), start);
                }
                other => {
                    self.report(SyntaxErrorKind::UnexpectedCharacter(other), start);
                    self.advance();
                }
            }
        }
    }

    fn token(&self, kind: JsonTokenKind, start: usize) -> Token {
        Token {
            kind,
            range: start..self.offset,
            is_cut_off: false,
        }
    }

    /// Skips a comment; returns true when there was one.
    fn comment(&mut self) -> bool {
        let start = self.offset;
        let rest = &self.text[start..];
        if rest.starts_with("//") {
            self.skip(|character| !matches!(character, '\n' | '\r'));
        } else if let Some(inside) = rest.strip_prefix("/*") {
            match inside.find("*/") {
                Some(length) => self.offset += length + 4,
                None => {
                    self.offset = self.text.len();
                    self.report(SyntaxErrorKind::UnclosedComment, start);
                    return true;
                }
            }
        } else {
            return false;
        }
        self.comments.push(start..self.offset);
        self.count_value(start);
        self.report(SyntaxErrorKind::Comment, start);
        true
    }

    fn number(&mut self) -> Token {
        let start = self.offset;
        self.skip(|character| is_word_character(character) || matches!(character, '+' | '.'));
        if !is_json_number(&self.text[start..self.offset]) {
            self.report(SyntaxErrorKind::InvalidNumber, start);
        }
        self.token(JsonTokenKind::Number, start)
    }

    fn string(&mut self, quote: char) -> Token {
        let start = self.offset;
        self.advance();
        if quote == '\'' {
            self.report(SyntaxErrorKind::SingleQuotes, start);
        }
        let mut content = String::new();
        loop {
            let at = self.offset;
            match self.peek() {
                None | Some('\n' | '\r') => {
                    self.report(SyntaxErrorKind::UnclosedString, start);
                    let mut token = self.token(JsonTokenKind::String(content), start);
                    token.is_cut_off = true;
                    return token;
                }
                Some(character) => {
                    self.advance();
                    if character == quote {
                        return self.token(JsonTokenKind::String(content), start);
                    }
                    match character {
                        '\\' => match self.escape() {
                            Some(character) => content.push(character),
                            None => self.report(SyntaxErrorKind::InvalidEscape, at),
                        },
                        '\0'..='\u{1f}' => {
                            self.report(SyntaxErrorKind::ControlCharacterInString(character), at);
                            content.push(character);
                        }
                        _ => content.push(character),
                    }
                }
            }
        }
    }

    /// Reads the character of the escape after a backslash.
    fn escape(&mut self) -> Option<char> {
        let character = self.peek()?;
        let plain = match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.advance();
                return self.unicode_escape();
            }
            // A line end is left for the string to notice that it is not closed.
            '\n' | '\r' => return None,
            _ => {
                self.advance();
                return None;
            }
        };
        self.advance();
        Some(plain)
    }

    /// The character of `XXXX`, or of `XXXX\uXXXX` where that is a surrogate pair.
    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.four_hex_digits()?;
        if !(0xd800..0xe000).contains(&first) {
            return char::from_u32(first);
        }
        if first >= 0xdc00 || !self.text[self.offset..].starts_with("\\u") {
            return None;
        }
        let before = self.offset;
        self.offset += 2;
        match self.four_hex_digits() {
            Some(second @ 0xdc00..0xe000) => {
                char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
            }
            _ => {
                self.offset = before;
                None
            }
        }
    }

    fn four_hex_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.offset..self.offset + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.offset += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '$')
}

/// The grammar of RFC 8259, section 6.
fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(index) => (&text[..index], Some(&text[index + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(all_digits)
        && exponent
            .is_none_or(|digits| all_digits(digits.strip_prefix(['+', '-']).unwrap_or(digits)))
}
