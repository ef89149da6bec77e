//! Writes a conformance report as JUnit XML.

use std::time::Duration;

use sightglass_model::Era;

use crate::{
    junit::{JunitCase, JunitOutcome, write_junit},
    report::{CheckResult, ConformanceReport, ConformanceVerdict},
    suite::{SuiteReport, SuiteScenario, SuiteVerdict},
};

/// Makes a JUnit report: a suite for each era, and one for each revision of the official suite.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn conformance_junit(report: &ConformanceReport) -> Result<String, String> {
    let eras = [(Era::Legacy, "initialize"), (Era::Modern, "stateless")];
    let checks = eras.into_iter().flat_map(|(era, name)| {
        let checks = report.checks.iter().filter(move |check| check.era == era);
        checks.map(move |check| case_of_check(check, name, &report.server))
    });
    let scenarios = report.suite.iter().flat_map(|suite| {
        let scenarios = suite.scenarios.iter();
        scenarios.map(|scenario| case_of_scenario(scenario, suite))
    });
    write_junit(Some(report.duration.into()), checks.chain(scenarios))
}

fn case_of_check(check: &CheckResult, era: &str, server: &str) -> JunitCase {
    JunitCase {
        suite: format!("checks, {era} era"),
        name: check.id.clone(),
        class: server.to_owned(),
        outcome: match check.verdict {
            ConformanceVerdict::Passed => JunitOutcome::Passed,
            ConformanceVerdict::Failed => JunitOutcome::Failed,
            ConformanceVerdict::Skipped | ConformanceVerdict::NotApplicable => {
                JunitOutcome::Skipped
            }
        },
        message: check.message.clone(),
        description: check
            .message
            .as_ref()
            .map(|message| format!("{message}\n{}", check.clause)),
        time: Duration::ZERO,
        assertions: None,
    }
}

fn case_of_scenario(scenario: &SuiteScenario, suite: &SuiteReport) -> JunitCase {
    let failures: Vec<String> = scenario
        .checks
        .iter()
        .filter(|check| check.status == "FAILURE")
        .map(|check| {
            let message = check.message.as_deref().unwrap_or(&check.description);
            format!("{}: {message}", check.id)
        })
        .collect();
    let first = failures.first().and_then(|failure| failure.lines().next());
    JunitCase {
        suite: format!("{}, {}", suite.version, scenario.revision),
        name: scenario.name.clone(),
        class: suite.version.clone(),
        outcome: match (scenario.verdict, scenario.is_scored) {
            (SuiteVerdict::Passed, _) => JunitOutcome::Passed,
            (SuiteVerdict::Failed, true) => JunitOutcome::Failed,
            (SuiteVerdict::Failed, false) | (SuiteVerdict::Skipped, _) => JunitOutcome::Skipped,
        },
        message: first.map(str::to_owned),
        description: (!failures.is_empty()).then(|| failures.join("\n")),
        time: Duration::ZERO,
        assertions: None,
    }
}
