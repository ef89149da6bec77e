//! Runs each test that failed once more, alone.
//!
//! A test that fails beside others and passes alone is flaky: it or the product has a fault that
//! shows now and then. It is named at the end of the run rather than failing it, and mended at
//! its root.

use super::junit::TestCase;
use super::lanes;
use super::outcome::{Counting, Outcome};
use super::runners::Runner;
use super::steps::{TestStep, prepared};
use crate::workspace::Workspace;

/// With more failures than this something is broken, and nothing is run again.
const MAX_FAILURES: usize = 10;

/// Failed tests of one runner.
pub struct Failures {
    pub runner: Runner,
    pub tests: Vec<TestCase>,
}

/// Runs them again, and returns those that passed.
pub fn run(workspace: &Workspace, failures: Vec<Failures>) -> Vec<TestCase> {
    let count: usize = failures.iter().map(|failed| failed.tests.len()).sum();
    if count > MAX_FAILURES {
        return Vec::new();
    }
    failures
        .into_iter()
        .flat_map(|Failures { runner, tests }| {
            let step = TestStep {
                title: format!("Once more: {} of the tests failed", tests.len()),
                command: prepared(runner.again(workspace, &tests)),
                counting: Counting::Tests,
                runner: Some(runner),
                then: None,
            };
            let outcome = lanes::perform(workspace, step, true);
            passed_now(tests, &outcome)
        })
        .collect()
}

/// Those of `failed` that passed in `outcome`. A test may have run several times, or not at all.
fn passed_now(failed: Vec<TestCase>, outcome: &Outcome) -> Vec<TestCase> {
    failed
        .into_iter()
        .filter(|test| {
            let mut runs = outcome
                .tests
                .iter()
                .filter(|again| again.suite == test.suite && again.name == test.name)
                .peekable();
            runs.peek().is_some() && runs.all(|again| again.passed)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn test(name: &str, passed: bool) -> TestCase {
        TestCase {
            suite: "backend".into(),
            name: name.into(),
            duration: Duration::ZERO,
            passed,
        }
    }

    #[test]
    fn only_a_test_that_ran_again_and_passed_is_flaky() {
        let again = vec![test("a", true), test("b", false), test("d", true)];
        let outcome = Outcome::new("x".into(), Duration::ZERO, Counting::Tests, false, again);
        let failed = vec![test("a", false), test("b", false), test("c", false)];
        let flaky = passed_now(failed, &outcome);
        assert_eq!(flaky, [test("a", false)]);
    }
}
