//! Reports of checks.

use serde::Serialize;
use sightglass_model::{Era, ExchangeId, Millis};

use crate::{
    check::{CheckDefinition, RequirementLevel},
    judge::Judgement,
    suite::{SuiteReport, SuiteVerdict},
};

/// Verdict on a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ConformanceVerdict {
    Passed,
    Failed,
    /// It could not be decided.
    Skipped,
    /// The server does not offer what the check is about.
    NotApplicable,
}

/// Result of a check in one era.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct CheckResult {
    pub id: String,
    pub title: String,
    /// `MCP 2025-11-25, Pagination, Error handling`.
    pub clause: String,
    pub level: RequirementLevel,
    pub era: Era,
    pub verdict: ConformanceVerdict,
    /// The finding, or the reason for no verdict, in a sentence.
    pub message: Option<String>,
    /// The exchanges on record that it rests on, oldest first.
    pub evidence: Vec<ExchangeId>,
}

impl CheckResult {
    /// Makes the result of a check from its judgement.
    pub fn new(
        check: &CheckDefinition,
        era: Era,
        judgement: Judgement,
        evidence: Vec<ExchangeId>,
    ) -> Self {
        let (verdict, message) = match judgement {
            Judgement::Passed => (ConformanceVerdict::Passed, None),
            Judgement::Failed(message) => (ConformanceVerdict::Failed, Some(message)),
            Judgement::Skipped(message) => (ConformanceVerdict::Skipped, Some(message)),
            Judgement::NotApplicable(message) => (ConformanceVerdict::NotApplicable, Some(message)),
        };
        Self {
            id: check.id.to_owned(),
            title: check.title.to_owned(),
            clause: check.clause(era).unwrap_or_default().to_owned(),
            level: check.level,
            era,
            verdict,
            message,
            evidence,
        }
    }
}

/// Report of a run of checks.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConformanceReport {
    /// The server, as the user knows it.
    pub server: String,
    /// In the order of the table, an era after the other.
    pub checks: Vec<CheckResult>,
    /// Report of the official suite, where it ran.
    pub suite: Option<SuiteReport>,
    /// Reason why the official suite did not run although it was asked for.
    pub suite_problem: Option<String>,
    pub totals: ConformanceTotals,
    pub duration: Millis,
    /// True when it was stopped before its end.
    pub is_stopped: bool,
}

/// Numbers of the verdicts of a run, those of the official suite's scenarios included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, specta::Type)]
pub struct ConformanceTotals {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
    pub not_applicable: u32,
}

impl ConformanceTotals {
    /// Counts the verdicts of checks and of the suite's scenarios that it scores.
    pub fn of(checks: &[CheckResult], suite: Option<&SuiteReport>) -> Self {
        let mut totals = Self::default();
        for check in checks {
            totals.count(check.verdict);
        }
        let scored = suite.into_iter().flat_map(SuiteReport::scored);
        for scenario in scored {
            totals.count(match scenario.verdict {
                SuiteVerdict::Passed => ConformanceVerdict::Passed,
                SuiteVerdict::Failed => ConformanceVerdict::Failed,
                SuiteVerdict::Skipped => ConformanceVerdict::Skipped,
            });
        }
        totals
    }

    fn count(&mut self, verdict: ConformanceVerdict) {
        let count = match verdict {
            ConformanceVerdict::Passed => &mut self.passed,
            ConformanceVerdict::Failed => &mut self.failed,
            ConformanceVerdict::Skipped => &mut self.skipped,
            ConformanceVerdict::NotApplicable => &mut self.not_applicable,
        };
        *count += 1;
    }
}
