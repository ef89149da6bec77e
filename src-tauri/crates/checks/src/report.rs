//! Reports of checks.

use serde::Serialize;
use sightglass_model::{Clause, Era, ExchangeId, Finding, Millis, Verdict, VerdictCounts};

use crate::{check::CheckDefinition, judge::Judgement, suite::SuiteReport};

/// Makes the finding of a check in one era from its judgement.
pub fn finding(
    check: &CheckDefinition,
    era: Era,
    judgement: Judgement,
    exchanges: Vec<ExchangeId>,
) -> Finding<Era> {
    let (verdict, message) = match judgement {
        Judgement::Passed => (Verdict::Passed, None),
        Judgement::Failed(message) => (Verdict::Failed, Some(message)),
        Judgement::Skipped(message) => (Verdict::Skipped, Some(message)),
        Judgement::NotApplicable(message) => (Verdict::NotApplicable, Some(message)),
    };
    let clause = check.clause(era).map(|title| Clause {
        title: title.to_owned(),
        url: None,
        level: Some(check.level),
    });
    Finding {
        message,
        clause,
        exchanges,
        ..Finding::new(check.id, check.title, verdict, era)
    }
}

/// Report of a run of checks.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConformanceReport {
    /// The server, as the user knows it.
    pub server: String,
    /// In the order of the table, an era after the other.
    pub checks: Vec<Finding<Era>>,
    /// Report of the official suite, where it ran.
    pub suite: Option<SuiteReport>,
    /// Reason why the official suite did not run although it was asked for.
    pub suite_problem: Option<String>,
    /// Numbers of the verdicts, those on the official suite's scenarios included.
    pub totals: VerdictCounts,
    pub duration: Millis,
    /// True when it was stopped before its end.
    pub is_stopped: bool,
}

/// Counts the verdicts on checks and on the suite's scenarios that it scores.
pub fn totals(checks: &[Finding<Era>], suite: Option<&SuiteReport>) -> VerdictCounts {
    let checks = checks.iter().map(|check| check.verdict);
    let scored = suite.into_iter().flat_map(SuiteReport::scored);
    VerdictCounts::of(checks.chain(scored.map(|scenario| scenario.verdict)))
}
