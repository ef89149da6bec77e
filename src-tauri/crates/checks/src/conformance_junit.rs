//! Writes a conformance report as JUnit XML.

use std::time::Duration;

use sightglass_model::{Era, Finding, Verdict};

use crate::{
    junit::{JunitCase, write_junit},
    report::ConformanceReport,
    suite::{SuiteReport, SuiteScenario},
};

/// Makes a JUnit report: a suite for each era, and one for each revision of the official suite.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn conformance_junit(report: &ConformanceReport) -> Result<String, String> {
    let eras = [(Era::Legacy, "initialize"), (Era::Modern, "stateless")];
    let checks = eras.into_iter().flat_map(|(era, name)| {
        let checks = report
            .checks
            .iter()
            .filter(move |check| check.subject == era);
        checks.map(move |check| case_of_check(check, name, &report.server))
    });
    let scenarios = report.suite.iter().flat_map(|suite| {
        let scenarios = suite.scenarios.iter();
        scenarios.map(|scenario| case_of_scenario(scenario, suite))
    });
    write_junit(Some(report.duration.into()), checks.chain(scenarios))
}

fn case_of_check(check: &Finding<Era>, era: &str, server: &str) -> JunitCase {
    let clause = check.clause.as_ref().map(|clause| clause.title.as_str());
    JunitCase {
        suite: format!("checks, {era} era"),
        name: check.rule.clone(),
        class: server.to_owned(),
        verdict: check.verdict,
        message: check.message.clone(),
        description: check
            .message
            .as_ref()
            .map(|message| format!("{message}\n{}", clause.unwrap_or_default())),
        time: Duration::ZERO,
        assertions: None,
    }
}

fn case_of_scenario(scenario: &SuiteScenario, suite: &SuiteReport) -> JunitCase {
    let failures: Vec<String> = scenario
        .failures()
        .map(|check| format!("{}: {}", check.rule, check.words()))
        .collect();
    let first = failures.first().and_then(|failure| failure.lines().next());
    JunitCase {
        suite: format!("{}, {}", suite.version, scenario.revision),
        name: scenario.name.clone(),
        class: suite.version.clone(),
        verdict: match scenario.verdict {
            Verdict::Failed if !scenario.is_scored => Verdict::Skipped,
            verdict => verdict,
        },
        message: first.map(str::to_owned),
        description: (!failures.is_empty()).then(|| failures.join("\n")),
        time: Duration::ZERO,
        assertions: None,
    }
}
