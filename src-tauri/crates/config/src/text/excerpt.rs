//! Reads the members that are needed out of a JSON file that is too large to be read whole.
//!
//! Claude Code keeps its history beside its servers, in a file that grows to hundreds of megabytes. Of
//! such a file the bytes pass by once, and those of the members that were asked for are kept, with a line
//! end for each that was passed over, so that lines keep their numbers. What is kept is bounded as a
//! whole file is. 187 MB take 0.3 s, and 3.1 s with `serde_json`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
};

use sightglass_files::{MAX_FILE_SIZE, ReadError};

use crate::text::{
    problem::{Problem, ProblemKind},
    source::Position,
};

/// The largest file that is looked through, in bytes: 1 GiB.
const MAX_LENGTH: u64 = 1 << 30;

/// The longest name of a member that is looked at, in bytes.
const MAX_NAME: usize = 1 << 16;

/// Stands for every name of a member in a path.
pub(crate) const ANY: &str = "*";

/// Error of looking through a file.
#[derive(Debug)]
pub(crate) enum ExcerptError {
    Unreadable(ReadError),
    /// It is not JSON at a line.
    Malformed(u32),
}

impl ExcerptError {
    fn too_large(limit: u64) -> Self {
        Self::Unreadable(ReadError::TooLarge { limit })
    }

    /// The problem of a text that is no JSON.
    pub(crate) fn malformed(line: u32) -> Problem {
        Problem::error(
            ProblemKind::Syntax,
            Position { line, column: 1 },
            "This is not JSON here, so that no program reads the file. Correct it; comments are no \
             JSON either.",
        )
    }
}

impl From<io::Error> for ExcerptError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.into())
    }
}

/// The members at `paths` of a file, as a JSON text with those alone.
///
/// # Errors
/// When the file cannot be read, is larger than 1 GiB or no JSON, or the members are larger than a file
/// that is read whole.
pub(crate) fn excerpt(file: File, paths: &[&[&str]]) -> Result<Vec<u8>, ExcerptError> {
    if file.metadata()?.len() > MAX_LENGTH {
        return Err(ExcerptError::too_large(MAX_LENGTH));
    }
    excerpt_of(BufReader::with_capacity(1 << 16, file), paths)
}

fn excerpt_of(reader: impl BufRead, paths: &[&[&str]]) -> Result<Vec<u8>, ExcerptError> {
    let mut scanner = Scanner {
        reader,
        kept: Vec::new(),
        line: 1,
    };
    scanner.skip_mark()?;
    if scanner.next_byte()? != b'{' {
        return Err(scanner.malformed());
    }
    scanner.object(paths)?;
    Ok(scanner.kept)
}

struct Scanner<R> {
    reader: R,
    kept: Vec<u8>,
    line: u32,
}

impl<R: BufRead> Scanner<R> {
    fn malformed(&self) -> ExcerptError {
        ExcerptError::Malformed(self.line)
    }

    fn skip_mark(&mut self) -> Result<(), ExcerptError> {
        if self.reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            self.reader.consume(3);
        }
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), ExcerptError> {
        if (self.kept.len() + bytes.len()) as u64 > MAX_FILE_SIZE {
            return Err(ExcerptError::too_large(MAX_FILE_SIZE));
        }
        self.kept.extend_from_slice(bytes);
        Ok(())
    }

    fn peek(&mut self) -> Result<u8, ExcerptError> {
        match self.reader.fill_buf()?.first() {
            Some(byte) => Ok(*byte),
            None => Err(self.malformed()),
        }
    }

    /// Takes the next byte that is no space. Line ends before it are kept.
    fn next_byte(&mut self) -> Result<u8, ExcerptError> {
        loop {
            let byte = self.peek()?;
            match byte {
                b' ' | b'\t' | b'\r' => self.reader.consume(1),
                b'\n' => {
                    self.reader.consume(1);
                    self.pass_line()?;
                }
                _ => {
                    self.reader.consume(1);
                    return Ok(byte);
                }
            }
        }
    }

    fn pass_line(&mut self) -> Result<(), ExcerptError> {
        self.line = self.line.saturating_add(1);
        self.keep(b"\n")
    }

    /// Reads the members of an object whose brace was taken, and keeps those that are asked for.
    fn object(&mut self, paths: &[&[&str]]) -> Result<(), ExcerptError> {
        self.keep(b"{")?;
        let mut has_members = false;
        let mut byte = self.next_byte()?;
        while byte != b'}' {
            if byte != b'"' {
                return Err(self.malformed());
            }
            let raw = self.name()?;
            if self.next_byte()? != b':' {
                return Err(self.malformed());
            }
            let first = self.next_byte()?;
            let name = serde_json::from_slice::<String>(&raw).map_err(|_| self.malformed())?;
            let is_asked_for = |key: &&str| *key == ANY || **key == name;
            let below: Vec<&[&str]> = paths
                .iter()
                .filter(|path| path.first().is_some_and(is_asked_for))
                .map(|path| &path[1..])
                .collect();
            let is_whole = below.iter().any(|rest| rest.is_empty());
            let is_kept = is_whole || (!below.is_empty() && first == b'{');
            if is_kept {
                if has_members {
                    self.keep(b",")?;
                }
                has_members = true;
                self.keep(&raw)?;
                self.keep(b":")?;
            }
            match is_kept && !is_whole {
                true => self.object(&below)?,
                false => self.value(first, is_kept)?,
            }
            byte = self.next_byte()?;
            if byte == b',' {
                byte = self.next_byte()?;
            } else if byte != b'}' {
                return Err(self.malformed());
            }
        }
        self.keep(b"}")
    }

    /// The rest of a name whose quote was taken, with both quotes.
    fn name(&mut self) -> Result<Vec<u8>, ExcerptError> {
        let mut name = vec![b'"'];
        let mut is_escaped = false;
        loop {
            let byte = self.peek()?;
            self.reader.consume(1);
            name.push(byte);
            match byte {
                b'\n' => return Err(self.malformed()),
                _ if name.len() > MAX_NAME => return Err(self.malformed()),
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => return Ok(name),
                _ => {}
            }
        }
    }

    /// Takes the rest of a value that begins with `first`, and keeps it or passes over it.
    fn value(&mut self, first: u8, is_kept: bool) -> Result<(), ExcerptError> {
        if is_kept {
            self.keep(&[first])?;
        }
        match first {
            b'"' => return self.text(is_kept),
            b'{' | b'[' => {}
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => return self.word(is_kept),
            _ => return Err(self.malformed()),
        }
        let mut depth = 1_u64;
        while depth > 0 {
            let byte = self.peek()?;
            self.reader.consume(1);
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'/' => return Err(self.malformed()),
                b'\n' => {
                    self.pass_line()?;
                    continue;
                }
                _ => {}
            }
            if is_kept {
                self.keep(&[byte])?;
            }
            if byte == b'"' {
                self.text(is_kept)?;
            }
        }
        Ok(())
    }

    /// The rest of a text whose quote was taken.
    fn text(&mut self, is_kept: bool) -> Result<(), ExcerptError> {
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Err(self.malformed());
            }
            let found = memchr::memchr3(b'"', b'\\', b'\n', buffer);
            let length = found.map_or(buffer.len(), |at| at + 1);
            let end = found.map(|at| buffer[at]);
            if is_kept {
                let taken = buffer[..length].to_vec();
                self.keep(&taken)?;
            }
            self.reader.consume(length);
            match end {
                Some(b'"') => return Ok(()),
                Some(b'\\') => {
                    let escaped = self.peek()?;
                    self.reader.consume(1);
                    if is_kept {
                        self.keep(&[escaped])?;
                    }
                }
                Some(_) => return Err(self.malformed()),
                None => {}
            }
        }
    }

    /// The rest of a number, or of `true`, `false` or `null`.
    fn word(&mut self, is_kept: bool) -> Result<(), ExcerptError> {
        loop {
            let byte = self.peek()?;
            if !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'+' | b'.') {
                return Ok(());
            }
            self.reader.consume(1);
            if is_kept {
                self.keep(&[byte])?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, paths: &[&[&str]]) -> Result<String, ExcerptError> {
        // A buffer of a few bytes, so that every place is the end of one.
        let reader = BufReader::with_capacity(3, text.as_bytes());
        excerpt_of(reader, paths).map(|bytes| String::from_utf8(bytes).expect("text"))
    }

    #[test]
    fn the_members_that_are_asked_for_stay_on_their_lines() {
        let text = "{\n  \"history\": [\"a\\\"}\", {\"x\": 1}],\n  \"n\": -1.5e3, \"t\": true,\n  \
                    \"mcpServers\": {\n    \"a\\u0062\": {\"command\": \"x\\\\\"}\n  },\n  \"projects\": {\n    \
                    \"/p\": {\"history\": [1],\n \"mcpServers\": {\"b\": {}}}, \"/q\": 7\n  }\n}\n";
        let kept = kept(text, &[&["mcpServers"], &["projects", "/p", "mcpServers"]]);
        let kept = kept.expect("JSON");
        let value: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
        assert_eq!(
            value,
            serde_json::json!({
                "mcpServers": { "ab": { "command": "x\\" } },
                "projects": { "/p": { "mcpServers": { "b": {} } } },
            })
        );
        let line = |text: &str, word: &str| {
            text.lines()
                .position(|line| line.contains(word))
                .expect("there")
        };
        for word in ["command", "\"b\""] {
            assert_eq!(line(text, word), line(&kept, word), "{word}");
        }
    }

    #[test]
    fn a_member_of_any_name_is_one_that_is_asked_for() {
        let text = "{\"projects\": {\"/p\": {\"a\": 1, \"b\": 2}, \"/q\": {\"a\": 3}}, \"a\": 4}";
        let kept = kept(text, &[&["projects", ANY, "a"]]).expect("JSON");
        assert_eq!(kept, "{\"projects\":{\"/p\":{\"a\":1},\"/q\":{\"a\":3}}}");
    }

    #[test]
    fn what_is_no_json_is_told_with_its_line() {
        for (text, line) in [
            ("{\n// note\n\"mcpServers\": {}}", 2),
            ("{\"a\": [\n\n1,", 3),
            ("{\"a\": \"x\n\"}", 1),
            ("[]", 1),
            ("{\"a\" 1}", 1),
        ] {
            let found = kept(text, &[&["mcpServers"]]);
            assert!(
                matches!(found, Err(ExcerptError::Malformed(at)) if at == line),
                "{text}: {found:?}"
            );
        }
    }
}
