//! JUnit XML of a report, as continuous integration reads it
//! (<https://github.com/testmoapp/junitxml>).

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use sightglass_model::Era;

use crate::{
    report::{CheckResult, ConformanceReport, ConformanceVerdict},
    suite::{SuiteReport, SuiteScenario, SuiteVerdict},
};

/// Time of a case, which the schema requires: only the whole run is measured.
const NOT_MEASURED: Duration = Duration::ZERO;

/// Makes a JUnit report: a suite for each era, and one for each revision of the official suite.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn conformance_junit(report: &ConformanceReport) -> Result<String, String> {
    let mut written = Report::new("sightglass");
    written.set_time(report.duration.into());
    for (era, name) in [(Era::Legacy, "initialize"), (Era::Modern, "stateless")] {
        let mut suite = TestSuite::new(format!("checks, {name} era"));
        let checks = report.checks.iter().filter(|check| check.era == era);
        suite.add_test_cases(checks.map(|check| case_of_check(check, &report.server)));
        if !suite.test_cases.is_empty() {
            written.add_test_suite(suite);
        }
    }
    for suite in report.suite.iter().flat_map(suites_of) {
        written.add_test_suite(suite);
    }
    written.to_string().map_err(|error| error.to_string())
}

fn case_of_check(check: &CheckResult, server: &str) -> TestCase {
    let mut status = match check.verdict {
        ConformanceVerdict::Passed => TestCaseStatus::success(),
        ConformanceVerdict::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        ConformanceVerdict::Skipped | ConformanceVerdict::NotApplicable => {
            TestCaseStatus::skipped()
        }
    };
    if let (Some(message), false) = (&check.message, check.verdict == ConformanceVerdict::Passed) {
        status.set_message(message.as_str());
        status.set_description(format!("{message}\n{}", check.clause));
    }
    let mut case = TestCase::new(check.id.as_str(), status);
    case.set_classname(server);
    case.set_time(NOT_MEASURED);
    case
}

fn suites_of(report: &SuiteReport) -> Vec<TestSuite> {
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for scenario in &report.scenarios {
        let name = format!("{}, {}", report.version, scenario.revision);
        let position = suites.iter().position(|(known, _)| *known == name);
        let position = position.unwrap_or_else(|| {
            suites.push((name.clone(), TestSuite::new(name.as_str())));
            suites.len() - 1
        });
        suites[position]
            .1
            .add_test_case(case_of_scenario(scenario, &report.version));
    }
    suites.into_iter().map(|(_, suite)| suite).collect()
}

fn case_of_scenario(scenario: &SuiteScenario, version: &str) -> TestCase {
    let failures: Vec<String> = scenario
        .checks
        .iter()
        .filter(|check| check.status == "FAILURE")
        .map(|check| {
            let message = check.message.as_deref().unwrap_or(&check.description);
            format!("{}: {message}", check.id)
        })
        .collect();
    let mut status = match (scenario.verdict, scenario.is_scored) {
        (SuiteVerdict::Passed, _) => TestCaseStatus::success(),
        (SuiteVerdict::Failed, true) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        (SuiteVerdict::Failed, false) | (SuiteVerdict::Skipped, _) => TestCaseStatus::skipped(),
    };
    if let (Some(first), false) = (failures.first(), scenario.verdict == SuiteVerdict::Passed) {
        status.set_message(first.lines().next().unwrap_or_default());
        status.set_description(failures.join("\n"));
    }
    let mut case = TestCase::new(scenario.name.as_str(), status);
    case.set_classname(version);
    case.set_time(NOT_MEASURED);
    case
}
