//! JSON text laid out with indentation, from any marked line on.

use super::{
    super::json::{NotJson, scalar_end, skip_space, string_end},
    Mark,
    sink::Sink,
};

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

/// Lays out the text from `start` on, until the sink has what it wants.
pub(super) fn pretty(text: &[u8], start: Mark, sink: &mut Sink<'_>) -> Result<(), NotJson> {
    let mut depth = start.depth;
    let mut at = skip_space(text, start.at);
    // The closing brackets of what was opened since the start.
    let mut containers: Vec<u8> = Vec::new();
    let mut expect = Expect::Value;
    sink.mark(at, depth);
    if depth > 0 {
        // Marks stand before members and elements only.
        sink.indent(depth);
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
                    sink.indent(depth);
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
                sink.indent(depth);
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
                sink.indent(depth);
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
                sink.indent(depth);
                sink.put(&text[at..=at]);
                at += 1;
            }
            _ => return Err(NotJson),
        }
    }
}

/// Returns true when a string followed by a colon stands at `at`.
fn is_member(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'"')
        && string_end(text, at).is_ok_and(|end| text.get(skip_space(text, end)) == Some(&b':'))
}
