//! Writes what the checks found as JUnit XML.

use std::time::Duration;

use sightglass_checks::junit::{JunitCase, write_junit};
use sightglass_model::Verdict;

use super::{SessionCheck, SessionReport, finding_line};

impl SessionReport {
    /// Makes a JUnit report: a suite for the recording, a case for each check that may fail.
    ///
    /// # Errors
    /// When the XML cannot be written, which its writer alone knows how.
    pub fn junit(&self, recording: &str, fail_on: &[SessionCheck]) -> Result<String, String> {
        write_junit(
            None,
            fail_on.iter().map(|check| self.case(recording, *check)),
        )
    }

    fn case(&self, recording: &str, check: SessionCheck) -> JunitCase {
        let findings: Vec<String> = self
            .findings
            .iter()
            .filter(|finding| finding.rule == check.name())
            .map(finding_line)
            .collect();
        JunitCase {
            suite: recording.to_owned(),
            name: check.name().to_owned(),
            class: recording.to_owned(),
            verdict: match findings.is_empty() {
                true => Verdict::Passed,
                false => Verdict::Failed,
            },
            message: findings.first().cloned(),
            description: Some(findings.join("\n")),
            time: Duration::ZERO,
            assertions: None,
        }
    }
}
