//! The filter language: `tools/call status:error server:demo dur:>200ms -ping "two words"`.
//!
//! Terms are separated by spaces and all have to hold. `-` before a term negates it, quotes
//! keep spaces together. A word that is no known term is looked for as text, so that a URL
//! can be pasted. A term that cannot be understood is reported and left out.

mod compiled;

use std::time::Duration;

use sightglass_model::Millis;

use crate::{ExchangeKind, FilterProblem, Outcome};
pub(crate) use compiled::{Candidate, CompiledFilter, TextMatches};

/// A filter that was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Filter {
    pub terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub negated: bool,
    pub test: Test,
}

/// Test of one filter term. Texts are in lower case.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    /// In the method, the target, the server's name or a payload.
    Text(String),
    /// A part of the method.
    Method(String),
    /// A part of the server's name.
    Server(String),
    Kind(ExchangeKind),
    Outcome(Outcome),
    /// A JSON-RPC error code or an HTTP status.
    Code(i32),
    Duration(Comparison, Duration),
    /// Bytes.
    Size(Comparison, f64),
    /// The row of this number.
    Id(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
    Exactly,
}

impl Comparison {
    pub fn holds<T: PartialOrd>(self, value: T, limit: T) -> bool {
        match self {
            Comparison::Above => value > limit,
            Comparison::AtLeast => value >= limit,
            Comparison::Below => value < limit,
            Comparison::AtMost => value <= limit,
            Comparison::Exactly => value == limit,
        }
    }
}

/// Reads a filter. Of several mistakes the first is reported.
pub(crate) fn parse(text: &str) -> (Filter, Option<FilterProblem>) {
    let mut filter = Filter::default();
    let mut problem = None;
    for token in tokens(text) {
        match token.term() {
            Ok(Some(term)) => filter.terms.push(term),
            Ok(None) => {}
            Err(message) => {
                problem.get_or_insert(FilterProblem {
                    message,
                    start: token.start,
                    end: token.end,
                });
            }
        }
    }
    (filter, problem)
}

/// One term as it was written.
#[derive(Debug, Default)]
struct Token {
    negated: bool,
    /// The part before the first colon that is not quoted.
    key: Option<String>,
    value: String,
    quoted: bool,
    unclosed: bool,
    /// In characters.
    start: u32,
    end: u32,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut characters = text.chars().enumerate().peekable();
    while let Some((start, character)) = characters.peek().copied() {
        if character.is_whitespace() {
            characters.next();
            continue;
        }
        let mut token = Token {
            start: position(start),
            ..Token::default()
        };
        let mut in_quotes = false;
        let mut end = start;
        while let Some((index, character)) = characters.peek().copied() {
            if character.is_whitespace() && !in_quotes {
                break;
            }
            characters.next();
            end = index + 1;
            match character {
                '"' => {
                    in_quotes = !in_quotes;
                    token.quoted = true;
                }
                '-' if index == start => token.negated = true,
                ':' if token.key.is_none() && !token.quoted => {
                    token.key = Some(std::mem::take(&mut token.value));
                }
                character => token.value.push(character),
            }
        }
        token.unclosed = in_quotes;
        token.end = position(end);
        tokens.push(token);
    }
    tokens
}

fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Token {
    fn term(&self) -> Result<Option<Term>, String> {
        if self.unclosed {
            return Err("The quotation mark is never closed.".to_owned());
        }
        let value = self.value.to_lowercase();
        let key = self.key.as_deref().map(str::to_lowercase);
        let test = match key.as_deref() {
            Some(
                key
                @ ("method" | "status" | "server" | "kind" | "dur" | "duration" | "size" | "id"),
            ) => {
                if value.is_empty() {
                    return Err(format!("Something has to follow {key}:"));
                }
                match key {
                    "method" => Test::Method(value),
                    "server" => Test::Server(value),
                    "status" => status(&value)?,
                    "kind" => kind(&value)?,
                    "size" => {
                        let (comparison, amount, unit) = comparison(key, &value)?;
                        Test::Size(comparison, amount * size_unit(unit)?)
                    }
                    "id" => {
                        Test::Id(value.parse().map_err(|_| {
                            format!("{value} is not the number of a row. Try id:12")
                        })?)
                    }
                    _ => {
                        let (comparison, amount, unit) = comparison(key, &value)?;
                        let limit = Millis::from_f64(amount * duration_unit(unit)?);
                        Test::Duration(comparison, limit.into())
                    }
                }
            }
            Some(key) => Test::Text(format!("{key}:{value}")),
            None if value.is_empty() && self.negated && !self.quoted => Test::Text("-".to_owned()),
            None if value.is_empty() => return Ok(None),
            None => Test::Text(value),
        };
        Ok(Some(Term {
            negated: self.negated && test != Test::Text("-".to_owned()),
            test,
        }))
    }
}

fn status(value: &str) -> Result<Test, String> {
    let outcome = match value {
        "ok" => Outcome::Ok,
        "error" | "failed" => Outcome::Error,
        "pending" => Outcome::Pending,
        "cancelled" | "canceled" => Outcome::Cancelled,
        "unanswered" => Outcome::Unanswered,
        "none" => Outcome::None,
        _ => {
            return value.parse().map(Test::Code).map_err(|_| {
                format!(
                    "{value} is not a status. Try ok, error, pending, cancelled, unanswered or a \
                     code such as -32602 or 404."
                )
            });
        }
    };
    Ok(Test::Outcome(outcome))
}

fn kind(value: &str) -> Result<Test, String> {
    let kind = match value {
        "request" => ExchangeKind::Request,
        "notification" => ExchangeKind::Notification,
        "log" => ExchangeKind::Log,
        "http" => ExchangeKind::Http,
        "oauth" => ExchangeKind::Oauth,
        "stderr" => ExchangeKind::Stderr,
        "phase" => ExchangeKind::Phase,
        _ => {
            return Err(format!(
                "{value} is not a kind. Try request, notification, log, http, oauth, stderr or \
                 phase."
            ));
        }
    };
    Ok(Test::Kind(kind))
}

/// The comparison, the number and the unit of for instance `>=1.5mb`.
fn comparison<'a>(key: &str, value: &'a str) -> Result<(Comparison, f64, &'a str), String> {
    let signs = [
        (">=", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        (">", Comparison::Above),
        ("<", Comparison::Below),
        ("=", Comparison::Exactly),
    ];
    let example = if key == "size" {
        "size:>1mb"
    } else {
        "dur:>200ms"
    };
    let (comparison, rest) = signs
        .into_iter()
        .find_map(|(sign, comparison)| Some((comparison, value.strip_prefix(sign)?)))
        .ok_or_else(|| format!("Say more or less than, for instance {example}"))?;
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let number = number
        .parse()
        .map_err(|_| format!("{value} has no number. Try {example}"))?;
    Ok((comparison, number, unit.trim()))
}

fn duration_unit(unit: &str) -> Result<f64, String> {
    match unit {
        "" | "ms" => Ok(1.0),
        "us" | "µs" => Ok(0.001),
        "s" => Ok(1000.0),
        "m" | "min" => Ok(60_000.0),
        _ => Err(format!(
            "{unit} is not a unit of time. Try us, ms, s or min."
        )),
    }
}

fn size_unit(unit: &str) -> Result<f64, String> {
    match unit {
        "" | "b" => Ok(1.0),
        "k" | "kb" | "kib" => Ok(1024.0),
        "m" | "mb" | "mib" => Ok(1024.0 * 1024.0),
        "g" | "gb" | "gib" => Ok(1024.0 * 1024.0 * 1024.0),
        _ => Err(format!(
            "{unit} is not a unit of size. Try b, kb, mb or gb."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(text: &str) -> Vec<(bool, Test)> {
        let (filter, problem) = parse(text);
        assert_eq!(problem, None, "{text}");
        let terms = filter.terms.into_iter();
        terms.map(|term| (term.negated, term.test)).collect()
    }

    fn problem(text: &str) -> (u32, u32, String) {
        let (_, problem) = parse(text);
        let problem = problem.expect("a problem");
        (problem.start, problem.end, problem.message)
    }

    #[test]
    fn words_phrases_and_negations_are_told_apart() {
        let text = |text: &str| Test::Text(text.to_owned());
        assert_eq!(
            tests(r#"Echo  -ping "two Words" -"no way" https://a.b:8/c - """#),
            [
                (false, text("echo")),
                (true, text("ping")),
                (false, text("two words")),
                (true, text("no way")),
                (false, text("https://a.b:8/c")),
                (false, text("-")),
            ]
        );
    }

    #[test]
    fn each_kind_of_term_is_understood() {
        assert_eq!(
            tests(
                r#"method:tools/call status:error status:-32602 -status:404 server:"My server"
                   KIND:log dur:>200ms dur:<=1.5s size:>1mb size:<2kb id:12"#
            ),
            [
                (false, Test::Method("tools/call".into())),
                (false, Test::Outcome(Outcome::Error)),
                (false, Test::Code(-32602)),
                (true, Test::Code(404)),
                (false, Test::Server("my server".into())),
                (false, Test::Kind(ExchangeKind::Log)),
                (
                    false,
                    Test::Duration(Comparison::Above, Duration::from_millis(200))
                ),
                (
                    false,
                    Test::Duration(Comparison::AtMost, Duration::from_millis(1500))
                ),
                (false, Test::Size(Comparison::Above, 1048576.0)),
                (false, Test::Size(Comparison::Below, 2048.0)),
                (false, Test::Id(12)),
            ]
        );
    }

    #[test]
    fn a_mistake_is_placed_and_left_out() {
        let (filter, found) = parse("écho status:nope ping");
        assert_eq!(filter.terms.len(), 2);
        let found = found.expect("a problem");
        assert_eq!((found.start, found.end), (5, 16));
        assert!(found.message.contains("nope is not a status"));
        assert_eq!(problem("a \"b c").0, 2);
        for text in [
            "kind:x",
            "dur:200ms",
            "dur:>",
            "dur:>1h",
            "size:>1parsec",
            "id:x",
            "method:",
            "dur:>1.2.3",
        ] {
            let (start, end, message) = problem(text);
            assert_eq!((start, end as usize), (0, text.len()), "{text}");
            assert!(!message.is_empty());
        }
    }

    #[test]
    fn no_input_makes_it_panic_and_positions_stay_inside() {
        // A small generator: pieces that the language cares about, in every order.
        let pieces = [
            "\"",
            ":",
            "-",
            " ",
            "\u{a0}",
            "é",
            "💥",
            "method:",
            "status:",
            "dur:>",
            "size:<",
            "id:",
            "kind:",
            "1",
            "ms",
            "999999999999999999999",
            ".",
            "ok",
            "\0",
            "İ",
            "=",
            "<=",
            "mb",
        ];
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..(state % 9) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                text.push_str(pieces[(state % pieces.len() as u64) as usize]);
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (filter, problem) = parse(&text);
            let length = text.chars().count() as u32;
            if let Some(problem) = problem {
                assert!(
                    problem.start < problem.end && problem.end <= length,
                    "{text:?}"
                );
            }
            assert!(filter.terms.len() as u32 <= length, "{text:?}");
        }
    }
}
