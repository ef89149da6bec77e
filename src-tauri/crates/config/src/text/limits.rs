//! Limits of what is read from one text, whatever its format.
//!
//! A file may come with a stranger's project, and is read when the project is opened. So each limit
//! counts work rather than time, and a text beyond one is a mistake with its line: nothing of it
//! counts, and nothing of it is written.

use std::borrow::Cow;

use sightglass_model::brief;

/// Levels of a tree, as many as `serde_json` reads, so that what is accepted here is accepted there.
pub(crate) const MAX_DEPTH: usize = 127;

/// Largest number of values of a text, those within others and the comments of JSON included.
pub(crate) const MAX_VALUES: usize = 250_000;

/// Largest number of names that stand in one object again. TOML and YAML allow none.
pub(crate) const MAX_REPEATED_NAMES: usize = 100;

/// Largest number of mistakes of a text that are listed.
pub(crate) const MAX_MISTAKES: usize = 100;

/// Largest number of anchors, aliases and tags of a YAML text.
pub(crate) const MAX_REFERENCES: usize = 10_000;

/// End of the sentence about each limit.
pub(crate) const NO_MORE: &str = "Sightglass reads no more of it.";

/// Characters of a name that a message quotes.
const MAX_QUOTED_LENGTH: usize = 80;

/// A name as a message quotes it.
pub(crate) fn shortened(name: &str) -> Cow<'_, str> {
    brief(name, MAX_QUOTED_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{
        format::FileFormat::{self, Json, Jsonc, Toml, Yaml},
        json::SyntaxErrorKind,
        problem::Problem,
        source::Source,
    };

    fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
        (0..count).map(line).collect()
    }

    fn problems(format: FileFormat, text: &str) -> Vec<Problem> {
        format.problems(&Source::new(text), &format.parse(text))
    }

    /// A text whose number of values is that asked for, or a few more.
    type Shape = (FileFormat, &'static str, fn(usize) -> String);

    const SHAPES: [Shape; 18] = [
        (Json, "names", |n| {
            format!("{{{}\"z\":1}}", lines(n, |i| format!("\"n{i}\":1,")))
        }),
        (Json, "elements", |n| format!("[{}0]", "0,".repeat(n))),
        (Json, "objects", |n| {
            format!("[{}0]", "{\"a\":1},".repeat(n / 2))
        }),
        (Jsonc, "comments", |n| {
            format!("{{\"a\":1{}}}", "/**/".repeat(n))
        }),
        (Yaml, "names", |n| lines(n, |i| format!("n{i}: 1\n"))),
        (Yaml, "names in braces", |n| {
            format!("{{{}}}", lines(n, |i| format!("n{i}: 1, ")))
        }),
        (Yaml, "names alone", |n| lines(n, |i| format!("? n{i}\n"))),
        (Yaml, "elements", |n| format!("a:\n{}", "- 0\n".repeat(n))),
        (Yaml, "elements in brackets", |n| {
            format!("a: [{}]", "0,".repeat(n))
        }),
        (Yaml, "mappings in brackets", |n| {
            format!("a: [{}]", "{a: 1},".repeat(n / 2))
        }),
        (Toml, "names", |n| lines(n, |i| format!("n{i} = 1\n"))),
        (Toml, "tables", |n| lines(n, |i| format!("[t{i}]\n"))),
        (Toml, "tables within", |n| {
            lines(n, |i| format!("[a.b.c.t{i}]\n"))
        }),
        (Toml, "tables in lists", |n| "[[t]]\na = 1\n".repeat(n / 2)),
        (Toml, "dotted names", |n| {
            lines(n, |i| format!("a.b.c.n{i} = 1\n"))
        }),
        (Toml, "elements", |n| format!("a = [{}]", "0,".repeat(n))),
        (Toml, "names in braces", |n| {
            format!("a = {{{}z = 1}}", lines(n, |i| format!("n{i} = 1, ")))
        }),
        (Toml, "tables in brackets", |n| {
            format!("a = [{}]", "{a = 1},".repeat(n / 2))
        }),
    ];

    #[test]
    fn every_format_reads_as_many_values_as_the_others_and_says_where_it_stops() {
        for (format, shape, text) in SHAPES {
            if shape == "names" {
                let below = problems(format, &text(MAX_VALUES - 10));
                assert_eq!(below, [], "{format:?}");
            }
            let above = problems(format, &text(MAX_VALUES + 10));
            let [problem] = above.as_slice() else {
                panic!("{format:?}: {shape}: {} problems", above.len());
            };
            assert!(
                problem.message.contains("more than 250000 values"),
                "{format:?}: {shape}: {problem}"
            );
            // On a line of its own, or far to the right of the only one.
            let at = problem.line.max(problem.column);
            assert!(at > 200_000, "{format:?}: {shape}: {problem}");
        }
    }

    #[test]
    fn brackets_of_any_length_are_refused_before_they_are_kept() {
        let text = format!("a: [{}]", "0,".repeat(3 * MAX_VALUES));
        let listed = problems(Yaml, &text);
        assert!(listed[0].message.contains("more than 250000 values"));
        assert_eq!(
            problems(Yaml, &format!("a: {}", "x, ".repeat(MAX_VALUES))),
            []
        );
    }

    #[test]
    fn names_that_stand_again_are_listed_up_to_a_limit_and_refused_beyond_it() {
        let text = |count: usize| format!("{{{}\"a\":1}}", "\"a\":1,\n".repeat(count));
        assert_eq!(problems(Json, &text(MAX_REPEATED_NAMES)), []);
        let above = problems(Json, &text(MAX_REPEATED_NAMES + 1));
        assert_eq!(above.len(), 1);
        assert!(above[0].message.starts_with("More than 100 names"));
        assert_eq!(above[0].line, 102);
        // The others allow none.
        assert_eq!(problems(Yaml, &"a: 1\n".repeat(1_000)).len(), 1);
        assert_eq!(problems(Toml, &"a = 1\n".repeat(1_000)).len(), 1);
    }

    #[test]
    fn of_many_mistakes_the_first_are_listed() {
        const COUNT: usize = 100_000;
        for text in [
            format!("[{}", "}".repeat(COUNT)),
            format!("[{}", ",".repeat(COUNT)),
            format!("{{\"a\":1{}", ":".repeat(COUNT)),
            "\u{1}".repeat(COUNT),
            "'\n".repeat(COUNT),
            format!("{{\"a\":1{}}}", "/**/".repeat(COUNT)),
        ] {
            let listed = problems(Json, &text);
            let start = text.chars().take(12).collect::<String>();
            assert!(
                listed.len() <= MAX_MISTAKES + 1,
                "{start}: {}",
                listed.len()
            );
            let last = listed.last().expect("it is broken");
            assert!(
                listed.len() <= MAX_MISTAKES || last.message.contains("more than 100 mistakes"),
                "{start}: {last}"
            );
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused_in_every_format() {
        const COUNT: usize = 100_000;
        let dotted = |name: &str| format!("{name}.").repeat(70);
        let tables = format!("{{{}a = ", dotted("c")).repeat(70);
        for (format, text) in [
            (Json, "[".repeat(COUNT)),
            (Json, "{\"a\":".repeat(COUNT)),
            (Yaml, "[".repeat(COUNT)),
            (Yaml, format!("{}0", "- ".repeat(COUNT))),
            (Yaml, lines(1_000, |i| format!("{}a:\n", " ".repeat(i)))),
            (Toml, format!("a = {}", "[".repeat(COUNT))),
            (Toml, format!("a = {}", "{a = ".repeat(COUNT))),
            (Toml, format!("{}a = 1", "a.".repeat(COUNT))),
            (Toml, format!("[{}a]", "a.".repeat(COUNT))),
            (
                Toml,
                format!("[{0}a]\n{0}b = {tables}1{1}", dotted("b"), "}".repeat(70)),
            ),
        ] {
            let start = text.chars().take(12).collect::<String>();
            assert!(!problems(format, &text).is_empty(), "{format:?}: {start}");
        }
    }

    #[test]
    fn a_long_name_is_quoted_in_part() {
        let name = "ä".repeat(1_000_000);
        for (format, text) in [
            (Json, format!("{{{name}: 1}}")),
            (Json, name.clone()),
            (Yaml, format!("\"{name}\": 1\n\"{name}\": 2\n")),
        ] {
            for problem in problems(format, &text) {
                assert!(problem.message.len() < 1_000, "{format:?}");
            }
        }
    }

    #[test]
    fn what_is_one_value_may_be_as_long_as_the_file() {
        const COUNT: usize = 1_000_000;
        for (format, text) in [
            (Json, format!("{{\"a\":\"{}\"}}", "\\u0041".repeat(COUNT))),
            (Json, format!("{{\"{}\":1}}", "k".repeat(COUNT))),
            (Yaml, format!("a: {}", "xy z".repeat(COUNT))),
            (Yaml, format!("a: >\n{}", "  x\n".repeat(COUNT))),
            (Yaml, format!("a: 1\n{}", "# x\n".repeat(COUNT))),
            (Toml, format!("a = \"{}\"", "\\n".repeat(COUNT))),
            (Toml, format!("{}a = 1\n", "# x, [y] = {z}\n".repeat(COUNT))),
        ] {
            assert_eq!(problems(format, &text), [], "{format:?}");
        }
        let error = Yaml.parse(&"---\n".repeat(COUNT)).errors;
        assert_eq!(error.len(), 1);
        assert!(matches!(error[0].kind, SyntaxErrorKind::Yaml(_)));
    }
}
