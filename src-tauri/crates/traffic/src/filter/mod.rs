//! The filter language: `tool:echo level:>=warning dur:>200ms -ping "two words" /7[0-9]/`.
//!
//! Terms are separated by spaces and all have to hold. `-` before a term negates it, quotes
//! keep spaces together, slashes enclose a regular expression. A URL is looked for as text, so
//! that one can be pasted. A term that cannot be understood is reported and left out, a name that
//! is no term among them: taken for text, it would seem to work and find nothing.

mod compiled;
mod suggestion;
mod values;

use std::time::Duration;

use sightglass_model::{Millis, Timestamp};

use crate::{Direction, ExchangeKind, FilterProblem, Outcome};
pub(crate) use compiled::{CompiledFilter, FilterCandidate, TextMatches, TextPlace};

/// A filter that was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Filter {
    pub terms: Vec<Term>,
}

impl Filter {
    /// Returns true when a term can only be meant for rows that a quiet view folds away.
    pub fn asks_for_quiet(&self) -> bool {
        let is_for_quiet = |test: &Test| match test {
            Test::Kind(ExchangeKind::Phase) | Test::Id(_) | Test::Check => true,
            Test::Method(part) => matches!(part.as_str(), "ping" | "server/discover"),
            _ => false,
        };
        self.terms
            .iter()
            .any(|term| !term.negated && is_for_quiet(&term.test))
    }

    /// Returns true when a term can only be meant for connections that check a server, which a quiet
    /// view leaves out.
    pub fn asks_for_checks(&self) -> bool {
        self.terms
            .iter()
            .any(|term| !term.negated && matches!(term.test, Test::Check | Test::Id(_)))
    }
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
    /// Matches the regular expression, in the same places. As it was written.
    Expression(String),
    /// A part of the method.
    Method(String),
    /// A part of the name of the tool that is called.
    Tool(String),
    /// Log messages of one of these levels.
    Level(Vec<&'static str>),
    /// What this side sent.
    From(Direction),
    /// The moment when the row began.
    Time(Comparison, Timestamp),
    /// A part of the server's name.
    Server(String),
    /// A part of the path of the project that the server was connected in.
    Project(String),
    Kind(ExchangeKind),
    Outcome(Outcome),
    /// A JSON-RPC error code or an HTTP status.
    Code(i32),
    Duration(Comparison, Duration),
    /// Bytes.
    Size(Comparison, f64),
    /// Came over a connection that checked a server.
    Check,
    /// Has a bookmark.
    Bookmarked,
    /// A part of the note of its bookmark.
    Note(String),
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
struct FilterToken {
    negated: bool,
    /// The part before the first colon that is not quoted.
    key: Option<String>,
    value: String,
    quoted: bool,
    unclosed: bool,
    /// Enclosed by slashes.
    is_expression: bool,
    /// In characters.
    start: u32,
    end: u32,
}

fn tokens(text: &str) -> Vec<FilterToken> {
    let mut tokens = Vec::new();
    let all: Vec<char> = text.chars().collect();
    let mut characters = text.chars().enumerate().peekable();
    while let Some((start, character)) = characters.peek().copied() {
        if character.is_whitespace() {
            characters.next();
            continue;
        }
        let mut token = FilterToken {
            start: position(start),
            ..FilterToken::default()
        };
        if let Some((token, end)) = expression(&all, start) {
            tokens.push(token);
            while characters.next_if(|(index, _)| *index < end).is_some() {}
            continue;
        }
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

/// The regular expression that begins at `start`, and its end: from a slash to one after which
/// the term ends, whatever is between them. `/mcp` alone is a word.
fn expression(all: &[char], start: usize) -> Option<(FilterToken, usize)> {
    let negated = all.get(start) == Some(&'-');
    let first = start + usize::from(negated);
    if all.get(first) != Some(&'/') {
        return None;
    }
    let last = (first + 2..all.len()).find(|index| {
        all[*index] == '/' && all.get(index + 1).is_none_or(|next| next.is_whitespace())
    })?;
    let token = FilterToken {
        negated,
        value: all[first + 1..last].iter().collect(),
        is_expression: true,
        start: position(start),
        end: position(last + 1),
        ..FilterToken::default()
    };
    Some((token, last + 1))
}

fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl FilterToken {
    fn term(&self) -> Result<Option<Term>, String> {
        if self.unclosed {
            return Err("The quotation mark is never closed.".to_owned());
        }
        if self.is_expression {
            compiled::expression(&self.value)?;
            return Ok(Some(Term {
                negated: self.negated,
                test: Test::Expression(self.value.clone()),
            }));
        }
        let value = self.value.to_lowercase();
        let key = self.key.as_deref().map(str::to_lowercase);
        let test = match key.as_deref() {
            Some(key) if TERMS.contains(&key) => {
                if value.is_empty() {
                    return Err(format!("Something has to follow {key}:"));
                }
                test(key, value)?
            }
            Some(key) if suggestion::looks_like_term(key, &value) => {
                return Err(suggestion::unknown(key));
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

/// The names of the terms, the most used first.
const TERMS: [&str; 15] = [
    "method", "tool", "status", "server", "project", "kind", "level", "from", "time", "dur",
    "duration", "size", "is", "note", "id",
];

/// Reads the value of the term `key`, one of [`TERMS`].
fn test(key: &str, value: String) -> Result<Test, String> {
    Ok(match key {
        "method" => Test::Method(value),
        "tool" => Test::Tool(value),
        "server" => Test::Server(value),
        "project" => Test::Project(value),
        "status" => values::status(&value)?,
        "kind" => values::kind(&value)?,
        "level" => Test::Level(values::levels(&value)?),
        "from" => Test::From(values::sender(&value)?),
        "time" => {
            let (comparison, moment) = values::moment(&value, Timestamp::now())?;
            Test::Time(comparison, moment)
        }
        "size" => {
            let (comparison, amount, unit) = values::comparison(key, &value)?;
            Test::Size(comparison, amount * values::size_unit(unit)?)
        }
        "is" if value == "bookmarked" => Test::Bookmarked,
        "is" if value == "check" => Test::Check,
        "is" => {
            return Err(format!(
                "There is no is:{value}. There is is:bookmarked and is:check."
            ));
        }
        "note" => Test::Note(value),
        "id" => Test::Id(
            value
                .parse()
                .map_err(|_| format!("{value} is not the number of a row. Try id:12"))?,
        ),
        _ => {
            let (comparison, amount, unit) = values::comparison(key, &value)?;
            let limit = Millis::from_f64(amount * values::duration_unit(unit)?);
            Test::Duration(comparison, limit.into())
        }
    })
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
                r#"method:tools/call status:error status:-32602 -status:404 server:"My server" project:Acme
                   KIND:log dur:>200ms dur:<=1.5s size:>1mb size:<2kb id:12"#
            ),
            [
                (false, Test::Method("tools/call".into())),
                (false, Test::Outcome(Outcome::Error)),
                (false, Test::Code(-32602)),
                (true, Test::Code(404)),
                (false, Test::Server("my server".into())),
                (false, Test::Project("acme".into())),
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
    fn tools_levels_senders_and_expressions_are_understood() {
        let warnings = vec!["warning", "error", "critical", "alert", "emergency"];
        assert_eq!(
            tests(r"tool:Echo level:error level:>=warn -from:server /77[0-9]7/ -/a b\W/ /mcp"),
            [
                (false, Test::Tool("echo".into())),
                (false, Test::Level(vec!["error"])),
                (false, Test::Level(warnings)),
                (true, Test::From(Direction::Received)),
                (false, Test::Expression("77[0-9]7".into())),
                (true, Test::Expression(r"a b\W".into())),
                (false, Test::Text("/mcp".into())),
            ]
        );
    }

    #[test]
    fn a_name_that_is_no_term_is_refused_with_the_nearest_one() {
        for (text, meant) in [
            ("stauts:error", "Did you mean status:?"),
            ("severity:error", "Did you mean level:?"),
            ("direction:sent", "Did you mean from:?"),
            ("name:echo", "Did you mean tool:?"),
            ("foo:bar", "There is method:, tool:, status:"),
        ] {
            let (start, end, message) = problem(text);
            assert_eq!((start, end as usize), (0, text.len()), "{text}");
            let name = text.split(':').next().unwrap_or_default();
            assert!(
                message.starts_with(&format!("There is no {name}:.")),
                "{message}"
            );
            assert!(message.contains(meant), "{message}");
        }
        for text in [
            "demo://a/b",
            "localhost:8080",
            "\"foo:bar\"",
            "14:02",
            "a.b:c",
        ] {
            assert_eq!(tests(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn an_expression_that_is_none_or_is_too_large_is_refused() {
        for text in [
            "/a(b/",
            "/[z-a]/",
            "/a{1000}{1000}/",
            r"/\w{500}/",
            "/(((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9})/",
        ] {
            let (start, end, message) = problem(text);
            assert_eq!((start, end as usize), (0, text.len()), "{text}");
            assert!(message.contains("regular expression"), "{message}");
        }
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
            "dur:>1day",
            "size:>1parsec",
            "id:x",
            "method:",
            "dur:>1.2.3",
            "level:loud",
            "from:mars",
            "time:>yesterday",
            "time:>25:00",
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
            "time:>",
            "level:",
            "foo:",
            "/",
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
