//! JUnit XML, as continuous integration reads it
//! (<https://github.com/testmoapp/junitxml>).

use crate::report::{CaseReport, RequestVerdict, RunReport};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// Makes a JUnit report: a suite for each folder, a case for each request.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn junit(run: &RunReport) -> Result<String, String> {
    let mut report = Report::new("sightglass");
    report.set_time(run.duration.into());
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for case in &run.cases {
        let folder = case.path.folder();
        let folder = if folder.is_empty() {
            "requests"
        } else {
            folder
        };
        let position = suites.iter().position(|(name, _)| name == folder);
        let position = position.unwrap_or_else(|| {
            suites.push((folder.to_owned(), TestSuite::new(folder)));
            suites.len() - 1
        });
        let mut test = TestCase::new(case.name.as_str(), status(case));
        test.set_classname(case.path.as_str());
        test.set_time(case.duration.into());
        test.set_assertions(case.checks.len());
        suites[position].1.add_test_case(test);
    }
    for (_, suite) in suites {
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}

fn status(case: &CaseReport) -> TestCaseStatus {
    let mut status = match case.verdict {
        RequestVerdict::Passed => return TestCaseStatus::success(),
        RequestVerdict::Skipped => TestCaseStatus::skipped(),
        RequestVerdict::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        RequestVerdict::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let failures: Vec<String> = case
        .failures()
        .map(|check| described(case, check))
        .collect();
    match (&case.reason, failures.first()) {
        (Some(reason), _) => {
            status.set_message(reason.as_str());
        }
        (None, Some(first)) => {
            status.set_message(first.lines().next().unwrap_or_default());
        }
        (None, None) => {}
    }
    if !failures.is_empty() {
        status.set_description(failures.join("\n\n"));
    }
    status
}

/// A failed expectation over several lines.
pub(crate) fn described(case: &CaseReport, check: &crate::CheckReport) -> String {
    let mut lines = vec![format!("{}:{}: {}", case.path, check.line, check.label)];
    lines.extend(check.message.clone());
    match &check.difference {
        Some(difference) => lines.push(difference.clone()),
        None => lines.extend(
            check
                .actual
                .as_ref()
                .map(|actual| format!("actual: {actual}")),
        ),
    }
    lines.join("\n")
}
