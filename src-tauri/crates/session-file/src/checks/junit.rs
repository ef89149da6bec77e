//! Writes what the checks found as JUnit XML (<https://github.com/testmoapp/junitxml>).

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{SessionCheck, SessionReport};

impl SessionReport {
    /// Makes a JUnit report: a suite for the recording, a case for each check that may fail.
    ///
    /// # Errors
    /// When the XML cannot be written, which its writer alone knows how.
    pub fn junit(&self, recording: &str, fail_on: &[SessionCheck]) -> Result<String, String> {
        let mut suite = TestSuite::new(recording);
        for check in fail_on {
            let findings: Vec<String> = self
                .findings
                .iter()
                .filter(|finding| finding.check == *check)
                .map(super::SessionFinding::line)
                .collect();
            let status = match findings.first() {
                None => TestCaseStatus::success(),
                Some(first) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(first.as_str());
                    status.set_description(findings.join("\n"));
                    status
                }
            };
            let mut case = TestCase::new(check.name(), status);
            case.set_classname(recording);
            // Required by the schema. A check of what was recorded has no time of its own.
            case.set_time(Duration::ZERO);
            suite.add_test_case(case);
        }
        let mut report = Report::new("sightglass");
        report.add_test_suite(suite);
        report.to_string().map_err(|error| error.to_string())
    }
}
