//! Results of the official suite's scenarios, as it writes them.
//!
//! The suite is a program by others that has talked to a server by others: what it writes is
//! bounded here and taken for nothing but text.

use serde::{Deserialize, Serialize};
use sightglass_model::{Clause, Finding, Verdict, brief};

/// Checks of one scenario that are kept.
const MAX_CHECKS: usize = 200;
/// Characters of one text that are kept.
const MAX_CHARACTERS: usize = 2000;

/// A scenario of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SuiteScenario {
    pub name: String,
    /// The revision that it ran at.
    pub revision: String,
    /// False when the suite runs it for information only.
    pub is_scored: bool,
    /// Skipped where it looked at nothing.
    pub verdict: Verdict,
    pub checks: Vec<Finding<()>>,
}

/// Report of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct SuiteReport {
    /// `@modelcontextprotocol/conformance 0.2.0-alpha.12`.
    pub version: String,
    pub scenarios: Vec<SuiteScenario>,
}

impl SuiteScenario {
    /// Makes the report of a scenario that wrote nothing.
    pub fn silent(name: &str, revision: &str, is_scored: bool) -> Self {
        Self {
            name: name.to_owned(),
            revision: revision.to_owned(),
            is_scored,
            verdict: Verdict::Skipped,
            checks: Vec::new(),
        }
    }

    /// Returns the checks that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Finding<()>> {
        let checks = self.checks.iter();
        checks.filter(|check| check.verdict == Verdict::Failed)
    }

    /// Changes every text that can hold a value of the server.
    pub fn mask(&mut self, mask: &dyn Fn(&str) -> String) {
        for check in &mut self.checks {
            let texts = [Some(&mut check.title), check.message.as_mut()];
            for text in texts.into_iter().flatten() {
                *text = mask(text);
            }
        }
    }
}

impl SuiteReport {
    /// Returns the scenarios that decide.
    pub fn scored(&self) -> impl Iterator<Item = &SuiteScenario> {
        self.scenarios.iter().filter(|scenario| scenario.is_scored)
    }
}

/// Scenarios for servers that a revision asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirements {
    pub scored: Vec<String>,
    /// Those that run for information only.
    pub not_scored: Vec<String>,
}

#[derive(Deserialize)]
struct WrittenRequirements {
    server: Vec<String>,
    #[serde(default)]
    not_scored: Vec<NotScored>,
}

#[derive(Deserialize)]
struct NotScored {
    scenario: String,
    leg: String,
}

/// Reads a set of requirements, a YAML file of the suite.
pub fn read_requirements(text: &str) -> Result<Requirements, serde_saphyr::Error> {
    let written: WrittenRequirements = serde_saphyr::from_str(text)?;
    let not_scored = written.not_scored.into_iter();
    Ok(Requirements {
        scored: written.server,
        not_scored: not_scored
            .filter(|entry| entry.leg == "server")
            .map(|entry| entry.scenario)
            .collect(),
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenCheck {
    id: String,
    status: String,
    #[serde(default)]
    description: String,
    error_message: Option<String>,
    #[serde(default)]
    spec_references: Vec<SuiteReference>,
}

#[derive(Deserialize)]
struct SuiteReference {
    url: Option<String>,
}

/// Reads the `checks.json` of a scenario.
pub fn read_scenario(
    name: &str,
    revision: &str,
    is_scored: bool,
    text: &str,
) -> Result<SuiteScenario, serde_json::Error> {
    let written: Vec<WrittenCheck> = serde_json::from_str(text)?;
    let has = |verdict: Verdict| {
        let mut verdicts = written.iter().map(|check| verdict_of(&check.status));
        verdicts.any(|known| known == verdict)
    };
    // As the suite counts: a warning is no failure.
    let verdict = if has(Verdict::Failed) {
        Verdict::Failed
    } else if has(Verdict::Passed) || has(Verdict::Warning) {
        Verdict::Passed
    } else {
        Verdict::Skipped
    };
    let checks = written.into_iter().take(MAX_CHECKS).map(|check| {
        let mut references = check.spec_references.into_iter();
        let address = references.next().and_then(|first| first.url).map(shortened);
        let verdict = verdict_of(&check.status);
        Finding {
            message: check.error_message.map(shortened),
            clause: address.map(|address| Clause {
                title: address.clone(),
                url: Some(address),
                level: None,
            }),
            ..Finding::new(
                shortened(check.id),
                shortened(check.description),
                verdict,
                (),
            )
        }
    });
    Ok(SuiteScenario {
        name: name.to_owned(),
        revision: revision.to_owned(),
        is_scored,
        verdict,
        checks: checks.collect(),
    })
}

/// Reads the suite's own word. What it says for information, and what is not known, is a note.
fn verdict_of(status: &str) -> Verdict {
    match status {
        "SUCCESS" => Verdict::Passed,
        "FAILURE" => Verdict::Failed,
        "WARNING" => Verdict::Warning,
        "SKIPPED" => Verdict::Skipped,
        _ => Verdict::Note,
    }
}

fn shortened(text: String) -> String {
    brief(&text, MAX_CHARACTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> Verdict {
        read_scenario("ping", "2025-11-25", true, text)
            .expect("readable")
            .verdict
    }

    #[test]
    fn a_scenario_is_judged_as_the_suite_judges_it() {
        let check = |status: &str| format!(r#"[{{"id":"a","status":"{status}"}}]"#);
        assert_eq!(verdict(&check("SUCCESS")), Verdict::Passed);
        assert_eq!(verdict(&check("WARNING")), Verdict::Passed);
        assert_eq!(verdict(&check("FAILURE")), Verdict::Failed);
        assert_eq!(verdict(&check("SKIPPED")), Verdict::Skipped);
        assert_eq!(verdict("[]"), Verdict::Skipped);
    }

    #[test]
    fn requirements_are_those_of_servers() {
        let text = "server:\n  - ping\n  - tools-list\nclient:\n  - initialize\nnot_scored:\n\
                    \x20 - scenario: auth/dpop\n    leg: client\n    reason: extension\n\
                    \x20 - scenario: tasks-lifecycle\n    leg: server\n    reason: extension\n\
                    \x20   note: >-\n      later\n";
        let requirements = read_requirements(text).expect("readable");
        assert_eq!(requirements.scored, ["ping", "tools-list"]);
        assert_eq!(requirements.not_scored, ["tasks-lifecycle"]);
        assert!(read_requirements("[]").is_err());
    }

    #[test]
    fn what_the_suite_writes_is_bounded() {
        let long = "é".repeat(MAX_CHARACTERS + 5);
        let one = format!(r#"{{"id":"{long}","status":"FAILURE","errorMessage":"{long}"}}"#);
        let text = format!("[{}]", vec![one; MAX_CHECKS + 7].join(","));
        let scenario = read_scenario("x", "2025-11-25", true, &text).expect("readable");
        assert_eq!(scenario.checks.len(), MAX_CHECKS);
        let message = scenario.checks[0].message.as_deref().unwrap_or_default();
        assert_eq!(message.chars().count(), MAX_CHARACTERS + 1);
        for odd in ["{}", "[1]", "", "[{\"id\":1}]"] {
            assert!(read_scenario("x", "y", true, odd).is_err(), "{odd}");
        }
    }
}
