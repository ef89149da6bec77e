//! Results of checks: a rule held against a subject, with a verdict and words.

use serde::Serialize;

use crate::{ExchangeId, Millis};

/// Verdict of a check, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    Failed,
    /// It could not be decided: no connection, no answer, a file that cannot be used.
    Error,
    /// Not as it should be, and tolerated.
    Warning,
    /// Failed, and the user chose to go on all the same.
    Overridden,
    /// Something to know.
    Note,
    /// It was not looked at, or something before it failed.
    Skipped,
    /// The subject does not have what the rule is about.
    NotApplicable,
    Passed,
}

impl Verdict {
    /// Returns the word for it in a sentence.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Overridden => "overridden",
            Self::Note => "note",
            Self::Skipped => "skipped",
            Self::NotApplicable => "not applicable",
            Self::Passed => "passed",
        }
    }
}

/// Number of each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VerdictCounts {
    pub passed: u32,
    pub failed: u32,
    pub error: u32,
    pub warning: u32,
    pub overridden: u32,
    pub note: u32,
    pub skipped: u32,
    pub not_applicable: u32,
}

impl VerdictCounts {
    /// Counts verdicts.
    pub fn of(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Passed => &mut counts.passed,
                Verdict::Failed => &mut counts.failed,
                Verdict::Error => &mut counts.error,
                Verdict::Warning => &mut counts.warning,
                Verdict::Overridden => &mut counts.overridden,
                Verdict::Note => &mut counts.note,
                Verdict::Skipped => &mut counts.skipped,
                Verdict::NotApplicable => &mut counts.not_applicable,
            } += 1;
        }
        counts
    }

    /// Returns the numbers as words: `12 passed, 3 failed`. All but what passed is left out where
    /// there is none of it.
    pub fn summary(&self) -> String {
        [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.error, "could not be judged"),
            (self.warning, "with a warning"),
            (self.overridden, "overridden"),
            (self.note, "with a note"),
            (self.skipped, "skipped"),
            (self.not_applicable, "not applicable"),
        ]
        .into_iter()
        .enumerate()
        .filter(|(place, (count, _))| *place == 0 || *count > 0)
        .map(|(_, (count, word))| format!("{count} {word}"))
        .collect::<Vec<_>>()
        .join(", ")
    }
}

/// Strength of a requirement (RFC 2119).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RequirementLevel {
    Must,
    Should,
}

/// Part of a specification that has a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Clause {
    /// For instance `RFC 9207, section 2.4`.
    pub title: String,
    /// The address of the text, where it is known.
    pub url: Option<String>,
    /// The strength of the rule, where it is known.
    pub level: Option<RequirementLevel>,
}

/// Result of a check: a rule held against a subject.
///
/// The subject says what is not clear from where the finding stands: an item of a surface, an
/// exchange on record, the values that were compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Finding<S> {
    /// Identifier of the rule, the same in later versions; its title where it has no other.
    pub rule: String,
    /// The rule in words, or the reason for it.
    pub title: String,
    pub verdict: Verdict,
    pub subject: S,
    /// The case at hand, or the reason for no verdict.
    pub message: Option<String>,
    pub clause: Option<Clause>,
    /// Exchanges on record that it rests on, oldest first.
    pub exchanges: Vec<ExchangeId>,
    /// Other evidence, a line each.
    pub evidence: Vec<String>,
    /// Time of the check, where it took time of its own.
    pub duration: Option<Millis>,
}

impl<S> Finding<S> {
    /// Makes a finding without words and evidence.
    pub fn new(
        rule: impl Into<String>,
        title: impl Into<String>,
        verdict: Verdict,
        subject: S,
    ) -> Self {
        Self {
            rule: rule.into(),
            title: title.into(),
            verdict,
            subject,
            message: None,
            clause: None,
            exchanges: Vec::new(),
            evidence: Vec::new(),
            duration: None,
        }
    }

    /// Returns the case at hand, else the rule.
    pub fn words(&self) -> &str {
        self.message.as_deref().unwrap_or(&self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_where_there_are_any() {
        use Verdict::{Error, Failed, NotApplicable, Note, Passed};
        assert_eq!(VerdictCounts::of([]).summary(), "0 passed");
        let counts = VerdictCounts::of([Passed, Failed, Error, Error, Note, NotApplicable]);
        assert_eq!(
            counts.summary(),
            "1 passed, 1 failed, 2 could not be judged, 1 with a note, 1 not applicable"
        );
    }
}
