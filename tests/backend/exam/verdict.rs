//! What is held against the case, and the table of it.

use std::fmt::Write;

use crate::command_line::Ran;

use super::case::Case;

/// A case and what was said of it.
pub(super) struct Verdict<'a> {
    case: &'a Case,
    ran: Ran,
    /// Texts of the cause that are not said, or that mislead and are.
    cause: Vec<String>,
    /// Texts of the next step that are not said.
    next: Vec<String>,
}

impl<'a> Verdict<'a> {
    pub fn of(case: &'a Case, ran: Ran) -> Self {
        let said = said(&ran);
        let shown = plain(&[ran.stdout.as_str(), &ran.stderr].join("\n"));
        let mut cause = missing(&case.cause, &said);
        cause.extend(missing(&case.quoted, &shown));
        let misleading = case.wrong.iter().filter(|text| says(&said, text));
        cause.extend(misleading.map(|text| format!("not: {text}")));
        if case.code.is_some() && case.code != ran.code {
            cause.push(format!("exit code {:?}", case.code));
        }
        let next = missing(&case.next, &said);
        Self {
            case,
            ran,
            cause,
            next,
        }
    }

    /// Returns true when the data says otherwise.
    pub fn is_unexpected(&self) -> bool {
        let miss = self.case.miss.as_ref();
        let [cause, next] = [miss.is_some_and(|m| m.cause), miss.is_some_and(|m| m.next)];
        self.cause.is_empty() == cause || self.next.is_empty() == next
    }

    /// Returns the report of the case with all that was said.
    pub fn in_full(&self) -> String {
        let Self { case, ran, .. } = self;
        let mut text = format!("=== {}: {}\n", case.id, case.report);
        let miss = case.miss.as_ref();
        for (part, missed, is_known) in [
            ("cause", &self.cause, miss.is_some_and(|miss| miss.cause)),
            ("next step", &self.next, miss.is_some_and(|miss| miss.next)),
        ] {
            let line = match (missed.is_empty(), is_known) {
                (true, false) => format!("{part}: said"),
                (true, true) => format!("{part}: said now; its `miss` goes"),
                (false, true) => format!("{part}: known to be missed: {}", missed.join("; ")),
                (false, false) => format!("{part}: MISSED: {}", missed.join("; ")),
            };
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{line}");
        }
        let _ = write!(
            text,
            "$ sightglass-cli {}\n{}{}(exit code {:?})",
            case.look.join(" "),
            ran.stdout,
            ran.stderr,
            ran.code
        );
        text
    }
}

/// Returns the texts of which no wording is in there.
fn missing(texts: &[String], said: &str) -> Vec<String> {
    let missing = texts.iter().filter(|text| !says(said, text));
    missing.cloned().collect()
}

fn says(said: &str, text: &str) -> bool {
    let mut wordings = text.split('|');
    wordings.any(|wording| said.contains(&plain(wording)))
}

/// Returns what the product says itself of what is wrong, in plain letters: without the checks of
/// the doctor that found nothing and its evidence, and without what it quotes.
fn said(ran: &Ran) -> String {
    let lines = ran.stdout.lines().chain(ran.stderr.lines());
    let is_left_out = |line: &str| {
        let found_nothing = line.starts_with('●') || line.starts_with('○');
        let is_evidence = line.starts_with("    ");
        found_nothing || is_evidence || line.contains(" │ ")
    };
    let own = lines.filter(|line| !is_left_out(line));
    plain(&own.collect::<Vec<_>>().join("\n"))
}

/// Makes texts comparable: small letters, straight quotes, single spaces.
fn plain(text: &str) -> String {
    let text = text
        .to_lowercase()
        .replace(['‘', '’'], "'")
        .replace(['“', '”'], "\"");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a line for each case, and the share that is told well.
pub(super) fn table(verdicts: &[Verdict<'_>]) -> String {
    let mark = |missed: &[String]| if missed.is_empty() { "yes" } else { "NO" };
    let mut text = format!("{:42} {:6} {:6}\n", "case", "cause", "next");
    for verdict in verdicts {
        let said = verdict.case.miss.as_ref().map_or("", |miss| &miss.said);
        let _ = writeln!(
            text,
            "{:42} {:6} {:6} {}",
            verdict.case.id,
            mark(&verdict.cause),
            mark(&verdict.next),
            said
        );
    }
    let count = |well: &dyn Fn(&Verdict<'_>) -> bool| verdicts.iter().filter(|v| well(v)).count();
    let _ = write!(
        text,
        "{} cases: cause named in {}, next step right in {}, both in {}",
        verdicts.len(),
        count(&|verdict| verdict.cause.is_empty()),
        count(&|verdict| verdict.next.is_empty()),
        count(&|verdict| verdict.cause.is_empty() && verdict.next.is_empty()),
    );
    text
}
