//! Prints what a test run found, the total last.

use std::fmt;
use std::time::Duration;

use super::junit::TestCase;
use super::outcome::{Outcome, TestTotals};

/// Tests shown as the slowest.
const SLOWEST: usize = 20;

/// Tests that may fail and then pass, before the run itself fails.
pub const MAX_FLAKY: usize = 3;

/// All steps of a run. Its text ends with the total, alone on the last line.
#[derive(Default)]
pub struct Report {
    outcomes: Vec<Outcome>,
    /// Failed tests that passed when they ran once more, alone.
    flaky: Vec<TestCase>,
    /// Time that the whole run took; steps run side by side.
    duration: Duration,
}

impl Report {
    pub fn new(outcomes: Vec<Outcome>, flaky: Vec<TestCase>, duration: Duration) -> Self {
        Self {
            outcomes,
            flaky,
            duration,
        }
    }

    pub fn all_passed(&self) -> bool {
        let total = self.total();
        total.failed == 0 && total.passed > 0
    }

    /// A flaky test passed, unless there are too many of them.
    fn total(&self) -> TestTotals {
        let mut total = self
            .outcomes
            .iter()
            .map(Outcome::totals)
            .fold(TestTotals::default(), TestTotals::plus);
        if self.flaky.len() <= MAX_FLAKY {
            total.failed -= self.flaky.len();
            total.passed += self.flaky.len();
        }
        total
    }

    fn slowest(&self) -> Vec<&TestCase> {
        let mut tests: Vec<&TestCase> = self.outcomes.iter().flat_map(|step| &step.tests).collect();
        tests.sort_by_key(|test| std::cmp::Reverse(test.duration));
        tests.truncate(SLOWEST);
        tests
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slowest = self.slowest();
        if !slowest.is_empty() {
            writeln!(formatter, "\nThe slowest tests:")?;
        }
        for TestCase {
            suite,
            name,
            duration,
            ..
        } in slowest
        {
            let seconds = duration.as_secs_f64();
            writeln!(formatter, "  {seconds:>7.1} s  {suite}  {name}")?;
        }

        let width = self
            .outcomes
            .iter()
            .map(|step| step.title.chars().count())
            .max()
            .unwrap_or(0);
        writeln!(
            formatter,
            "\n{:width$}  {:>7}  {:>7}  {:>9}",
            "", "passed", "failed", "time"
        )?;
        for step in &self.outcomes {
            let TestTotals { passed, failed } = step.totals();
            let seconds = step.duration.as_secs_f64();
            writeln!(
                formatter,
                "{:width$}  {passed:>7}  {failed:>7}  {seconds:>7.1} s",
                step.title
            )?;
        }
        writeln!(
            formatter,
            "{:width$}  {:>7}  {:>7}  {:>7.1} s",
            "Whole run",
            "",
            "",
            self.duration.as_secs_f64()
        )?;

        let failed: Vec<&TestCase> = self
            .outcomes
            .iter()
            .flat_map(|step| &step.tests)
            .filter(|test| !test.passed && !self.flaky.contains(test))
            .collect();
        if !failed.is_empty() {
            writeln!(formatter)?;
        }
        for TestCase { suite, name, .. } in failed {
            writeln!(formatter, "failed: {suite}  {name}")?;
        }
        if !self.flaky.is_empty() {
            writeln!(formatter)?;
        }
        for TestCase { suite, name, .. } in &self.flaky {
            writeln!(
                formatter,
                "flaky (failed, then passed alone): {suite}  {name}"
            )?;
        }
        if self.flaky.len() > MAX_FLAKY {
            writeln!(
                formatter,
                "More than {MAX_FLAKY} are flaky: the run fails. \
                 `cargo xtask test --repeat 10 NAME` shows how often."
            )?;
        }
        let TestTotals { passed, failed } = self.total();
        writeln!(formatter, "\n{passed} passed, {failed} failed")
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Counting;
    use super::*;

    fn test(name: &str, seconds: u64, passed: bool) -> TestCase {
        TestCase {
            suite: "backend".into(),
            name: name.into(),
            duration: Duration::from_secs(seconds),
            passed,
        }
    }

    fn report(tests: Vec<TestCase>, flaky: Vec<TestCase>) -> Report {
        let succeeded = tests.iter().all(|test| test.passed);
        let outcome = Outcome::new(
            "Rust tests".into(),
            Duration::from_millis(1500),
            Counting::Tests,
            succeeded,
            tests,
        );
        Report::new(vec![outcome], flaky, Duration::from_secs(2))
    }

    #[test]
    fn the_last_line_is_the_total_alone() {
        let report = report(vec![test("one", 1, true), test("two", 2, false)], vec![]);
        let text = report.to_string();
        assert_eq!(text.lines().last(), Some("1 passed, 1 failed"), "{text}");
        assert!(text.contains("failed: backend  two"), "{text}");
        assert!(!report.all_passed());
    }

    #[test]
    fn a_test_that_passes_alone_is_named_and_fails_nothing() {
        let two = test("two", 2, false);
        let report = report(vec![test("one", 1, true), two.clone()], vec![two]);
        let text = report.to_string();
        assert_eq!(text.lines().last(), Some("2 passed, 0 failed"), "{text}");
        assert!(text.contains("flaky (failed, then passed alone): backend  two"));
        assert!(!text.contains("\nfailed: "), "{text}");
        assert!(report.all_passed());
    }

    #[test]
    fn more_than_three_flaky_tests_fail_the_run() {
        let flaky: Vec<TestCase> = ["a", "b", "c", "d"]
            .map(|name| test(name, 1, false))
            .to_vec();
        let text = report(flaky.clone(), flaky.clone()).to_string();
        assert_eq!(text.lines().last(), Some("0 passed, 4 failed"), "{text}");
        assert!(report(flaky[1..].to_vec(), flaky[1..].to_vec()).all_passed());
    }

    #[test]
    fn the_slowest_tests_come_first() {
        let tests = (1..=30)
            .map(|number| test(&format!("t{number}"), number, true))
            .collect();
        let text = report(tests, vec![]).to_string();
        let first = text.find("t30").expect("the slowest");
        assert!(first < text.find("t11").expect("the twentieth"));
        assert!(!text.contains("t10"), "{text}");
    }

    #[test]
    fn a_run_of_nothing_has_not_passed() {
        assert!(!Report::default().all_passed());
    }
}
