//! Reports of a run.

use serde::Serialize;
use sightglass_model::{FailureReport, FrameId, Millis, ServerId, Verdict, VerdictCounts};

use crate::folder::RequestPath;

/// Reason why a request could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CaseError {
    /// The file, its variables or its snapshot cannot be used.
    Request,
    /// The user has not approved what it would do.
    Approval,
    /// The server could not be connected.
    Connection,
    /// No answer came, or none that can be read.
    NoAnswer,
    /// The server asked something that the file has no answer to.
    Question,
}

/// Report of one request.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CaseReport {
    pub path: RequestPath,
    /// The name that the file gives it, else the name of the file.
    pub name: String,
    pub server: Option<ServerId>,
    pub server_name: String,
    pub verdict: Verdict,
    /// Reason of an error, or of not being run.
    pub reason: Option<String>,
    /// What speaks for that reason, a line each: the server's last output, for instance.
    pub evidence: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Kind of the error, where the verdict is one.
    pub error: Option<CaseError>,
    pub checks: Vec<CheckReport>,
    pub duration: Millis,
    /// The frames on record.
    pub request_frame: Option<FrameId>,
    pub response_frame: Option<FrameId>,
    /// The snapshots that were written, by the names of their values.
    pub updated: Vec<String>,
}

/// Report of one expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct CheckReport {
    /// `$.items count 3`
    pub label: String,
    /// Line of the file, from 1.
    pub line: u32,
    pub passed: bool,
    /// JSON text.
    pub expected: Option<String>,
    /// JSON text, cut off where it is long.
    pub actual: Option<String>,
    pub message: Option<String>,
    /// A unified diff from the expected to the actual value.
    pub difference: Option<String>,
}

/// Report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RunReport {
    pub cases: Vec<CaseReport>,
    pub totals: VerdictCounts,
    pub duration: Millis,
}

impl CaseReport {
    /// Makes the report of a request that was not sent.
    pub fn unsent(path: RequestPath, name: String, verdict: Verdict, reason: String) -> Self {
        Self {
            path,
            name,
            server: None,
            server_name: String::new(),
            verdict,
            reason: Some(reason),
            evidence: Vec::new(),
            hint: None,
            error: (verdict == Verdict::Error).then_some(CaseError::Request),
            checks: Vec::new(),
            duration: Millis::default(),
            request_frame: None,
            response_frame: None,
            updated: Vec::new(),
        }
    }

    /// Takes over what explains the failure of a connection or of a request.
    pub fn explain(&mut self, report: &FailureReport) {
        self.evidence = report.evidence();
        self.hint = Some(report.hint.text.clone());
    }

    /// The expectations that do not hold.
    pub fn failures(&self) -> impl Iterator<Item = &CheckReport> {
        self.checks.iter().filter(|check| !check.passed)
    }

    /// Changes every text that can hold a value of the run.
    pub fn mask(&mut self, mask: &dyn Fn(&str) -> String) {
        let texts = self.checks.iter_mut().flat_map(|check| {
            [
                Some(&mut check.label),
                check.expected.as_mut(),
                check.actual.as_mut(),
                check.message.as_mut(),
                check.difference.as_mut(),
            ]
        });
        let explanation = self.reason.iter_mut().chain(&mut self.evidence);
        for text in texts.flatten().chain(explanation).chain(&mut self.hint) {
            *text = mask(text);
        }
    }
}
