//! Writes a run of requests as JUnit XML.

use sightglass_checks::junit::{JunitCase, write_junit};

use crate::report::{CaseReport, RunReport};

/// Makes a JUnit report: a suite for each folder, a case for each request.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn junit(run: &RunReport) -> Result<String, String> {
    write_junit(Some(run.duration.into()), run.cases.iter().map(junit_case))
}

fn junit_case(case: &CaseReport) -> JunitCase {
    let failures: Vec<String> = case
        .failures()
        .map(|check| described(case, check))
        .chain(explanation(case))
        .collect();
    let first = failures.first().and_then(|failure| failure.lines().next());
    let message = case.reason.as_deref().or(first);
    JunitCase {
        suite: match case.path.folder() {
            "" => "requests".to_owned(),
            folder => folder.to_owned(),
        },
        name: case.name.clone(),
        class: case.path.as_str().to_owned(),
        verdict: case.verdict,
        message: message.map(str::to_owned),
        description: (!failures.is_empty()).then(|| failures.join("\n\n")),
        time: case.duration.into(),
        assertions: Some(case.checks.len()),
    }
}

/// What speaks for the reason of a case, and what to do about it.
pub(crate) fn explanation(case: &CaseReport) -> Option<String> {
    let lines: Vec<&str> = case
        .evidence
        .iter()
        .chain(&case.hint)
        .map(String::as_str)
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
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
