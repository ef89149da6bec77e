//! JSON text laid out with indentation: numbers and strings stay as they were written.

use crate::scan::{NotJson, scalar_end, skip_space, string_end};

/// The longest text that is indented whole for showing, in bytes.
pub const MAX_INDENTED_BYTES: usize = 32 << 20;

/// Levels below this are indented no further: a text of brackets alone would need room that grows
/// with the square of its length.
const MAX_INDENTATION: usize = 100;

/// Receiver of a text that is laid out in lines.
pub trait LineSink {
    /// Takes a piece of the current line.
    fn put(&mut self, piece: &[u8]);

    /// Ends the current line and begins the next.
    fn break_line(&mut self);

    /// Returns true when no more is wanted.
    fn is_done(&self) -> bool;

    /// Learns that the current line begins at `at` of the text, `depth` levels deep, from where
    /// [`lay_out`] can make it again.
    fn mark(&mut self, _at: usize, _depth: u32) {}
}

/// Reason why a text cannot be indented whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndentError {
    NotJson,
    /// It would be longer than it may be.
    TooLarge,
}

/// A text in the making, all of it wanted up to a limit.
struct WholeText {
    text: Vec<u8>,
    most: usize,
}

impl LineSink for WholeText {
    fn put(&mut self, piece: &[u8]) {
        self.text.extend_from_slice(piece);
    }

    fn break_line(&mut self) {
        self.text.push(b'\n');
    }

    fn is_done(&self) -> bool {
        self.text.len() > self.most
    }
}

/// Returns JSON with two spaces of indentation, in which numbers and strings are as they were
/// written. What is no UTF-8 becomes U+FFFD.
///
/// # Errors
/// When the text is no JSON, or would be longer than `most` bytes.
pub fn indented(text: &[u8], most: usize) -> Result<String, IndentError> {
    let mut whole = WholeText {
        text: Vec::with_capacity(text.len().min(most)),
        most,
    };
    lay_out(text, 0, 0, &mut whole).map_err(|NotJson| IndentError::NotJson)?;
    if whole.is_done() {
        return Err(IndentError::TooLarge);
    }
    let text = String::from_utf8(whole.text);
    Ok(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Token that is expected next in a JSON text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A member or, right after `{`, its end.
    FirstMember,
    Member,
    /// An element or, right after `[`, its end.
    FirstElement,
    /// A comma, or the end of what is open.
    Next,
}

/// Lays out a text with two spaces of indentation until the sink has what it wants: from its start,
/// which is `(0, 0)`, or from a line that was marked.
///
/// # Errors
/// When the text is no JSON. What comes before is laid out.
pub fn lay_out(
    text: &[u8],
    start: usize,
    mut depth: u32,
    sink: &mut impl LineSink,
) -> Result<(), NotJson> {
    let mut at = skip_space(text, start);
    // The closing brackets of what was opened since the start.
    let mut containers: Vec<u8> = Vec::new();
    let mut expect = Expect::Value;
    sink.mark(at, depth);
    if depth > 0 {
        // Marks stand before members and elements only.
        indent(depth, sink);
        if is_member(text, at) {
            expect = Expect::Member;
        }
    }
    loop {
        if sink.is_done() {
            return Ok(());
        }
        at = skip_space(text, at);
        let Some(byte) = text.get(at) else {
            return if depth == 0 && expect == Expect::Next {
                Ok(())
            } else {
                Err(NotJson)
            };
        };
        match (expect, byte) {
            (Expect::FirstMember, b'}') | (Expect::FirstElement, b']') => {
                sink.put(&text[at..=at]);
                depth -= 1;
                containers.pop();
                at += 1;
                expect = Expect::Next;
            }
            (Expect::FirstMember | Expect::Member, b'"') => {
                if expect == Expect::FirstMember {
                    sink.break_line();
                    sink.mark(at, depth);
                    indent(depth, sink);
                }
                let end = string_end(text, at)?;
                sink.put(&text[at..end]);
                at = skip_space(text, end);
                if text.get(at) != Some(&b':') {
                    return Err(NotJson);
                }
                sink.put(b": ");
                at += 1;
                expect = Expect::Value;
            }
            (Expect::FirstElement, _) => {
                sink.break_line();
                sink.mark(at, depth);
                indent(depth, sink);
                expect = Expect::Value;
            }
            (Expect::Value, b'{') => {
                sink.put(b"{");
                containers.push(b'}');
                depth += 1;
                at += 1;
                expect = Expect::FirstMember;
            }
            (Expect::Value, b'[') => {
                sink.put(b"[");
                containers.push(b']');
                depth += 1;
                at += 1;
                expect = Expect::FirstElement;
            }
            (Expect::Value, _) => {
                let end = if *byte == b'"' {
                    string_end(text, at)?
                } else {
                    scalar_end(text, at)?
                };
                sink.put(&text[at..end]);
                at = end;
                expect = Expect::Next;
            }
            (Expect::Next, b',') if depth > 0 => {
                sink.put(b",");
                sink.break_line();
                at = skip_space(text, at + 1);
                sink.mark(at, depth);
                indent(depth, sink);
                expect = match containers.last() {
                    Some(b'}') => Expect::Member,
                    Some(_) => Expect::Value,
                    // Begun in the middle: the text itself says what it is.
                    None => {
                        if is_member(text, at) {
                            Expect::Member
                        } else {
                            Expect::Value
                        }
                    }
                };
            }
            (Expect::Next, b'}' | b']') if depth > 0 => {
                if let Some(closing) = containers.pop()
                    && closing != *byte
                {
                    return Err(NotJson);
                }
                depth -= 1;
                sink.break_line();
                indent(depth, sink);
                sink.put(&text[at..=at]);
                at += 1;
            }
            _ => return Err(NotJson),
        }
    }
}

fn indent(depth: u32, sink: &mut impl LineSink) {
    const SPACES: [u8; 2 * MAX_INDENTATION] = [b' '; 2 * MAX_INDENTATION];
    sink.put(&SPACES[..2 * (depth as usize).min(MAX_INDENTATION)]);
}

/// Returns true when a string followed by a colon stands at `at`.
fn is_member(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'"')
        && string_end(text, at).is_ok_and(|end| text.get(skip_space(text, end)) == Some(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_changes_no_value() {
        let text = br#"{"b":12345678901234567890123, "a" : ["x, {y}\"",1.50,{}, [ ]]}"#;
        assert_eq!(
            indented(text, usize::MAX).as_deref(),
            Ok(
                "{\n  \"b\": 12345678901234567890123,\n  \"a\": [\n    \"x, {y}\\\"\",\n    1.50,\n    {},\n    []\n  ]\n}"
            )
        );
        assert_eq!(indented(b"\"a\xff\"", 9).as_deref(), Ok("\"a\u{fffd}\""));
    }

    #[test]
    fn a_text_is_whole_or_absent() {
        assert_eq!(indented(b"[1]", 7).as_deref(), Ok("[\n  1\n]"));
        assert_eq!(indented(b"[1]", 6), Err(IndentError::TooLarge));
        for text in ["", "[1", "[1}", "{\"a\" 1}", "[1] 2"] {
            let indented = indented(text.as_bytes(), MAX_INDENTED_BYTES);
            assert_eq!(indented, Err(IndentError::NotJson), "{text}");
        }
    }

    #[test]
    fn brackets_without_end_take_room_in_proportion_to_their_number() {
        let depth = 200_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(
            indented(text.as_bytes(), MAX_INDENTED_BYTES),
            Err(IndentError::TooLarge)
        );
    }
}
