//! Results of steps: what passed, what failed, and how long it took.

use std::time::Duration;

use super::junit::TestCase;
use super::runners::Runner;

/// Passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestTotals {
    pub passed: usize,
    pub failed: usize,
}

impl TestTotals {
    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

/// Kind of a step, by what counts as a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The whole program is one check.
    OneCheck,
    /// Nothing is tested; only a failure counts.
    Preparation,
    /// The tests of its report.
    Tests,
    /// The same, where none may have the name that is looked for.
    TestsIfAny,
}

/// Result of one step.
#[derive(Debug)]
pub struct Outcome {
    pub title: String,
    pub duration: Duration,
    /// Runner of its tests, where it runs any.
    pub runner: Option<Runner>,
    /// Tests that ran, one by one, where the step runs tests.
    pub tests: Vec<TestCase>,
    /// Checks and failures that are no test of the report.
    others: TestTotals,
}

impl Outcome {
    /// Judges a program that ended well, or not, and left a report of `tests`.
    ///
    /// A test runner that ran nothing failed, whatever its exit status: a suite that is no longer
    /// found must not look like one that passes. So did one that fails without a failed test.
    pub fn new(
        title: String,
        duration: Duration,
        counting: Counting,
        succeeded: bool,
        tests: Vec<TestCase>,
    ) -> Self {
        let is_explained = tests.iter().any(|test| !test.passed);
        let ran_nothing = counting == Counting::Tests && tests.is_empty();
        let others = TestTotals {
            passed: usize::from(counting == Counting::OneCheck && succeeded),
            failed: usize::from(!succeeded && !is_explained || succeeded && ran_nothing),
        };
        Self {
            title,
            duration,
            runner: None,
            tests,
            others,
        }
    }

    /// Names the runner that can run its tests again.
    pub fn run_by(mut self, runner: Option<Runner>) -> Self {
        self.runner = runner;
        self
    }

    pub fn totals(&self) -> TestTotals {
        let passed = self.tests.iter().filter(|test| test.passed).count();
        self.others.plus(TestTotals {
            passed,
            failed: self.tests.len() - passed,
        })
    }

    /// The line said right after the step.
    pub fn summary(&self) -> String {
        let TestTotals { passed, failed } = self.totals();
        let seconds = self.duration.as_secs_f64();
        match (passed, failed) {
            (0, 0) => format!("done in {seconds:.1} s"),
            _ => format!("{passed} passed, {failed} failed in {seconds:.1} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(passed: bool) -> TestCase {
        TestCase {
            suite: "backend".into(),
            name: "a story".into(),
            duration: Duration::ZERO,
            passed,
        }
    }

    fn totals(counting: Counting, succeeded: bool, tests: &[bool]) -> (usize, usize) {
        let tests = tests.iter().map(|passed| test(*passed)).collect();
        let outcome = Outcome::new("x".into(), Duration::ZERO, counting, succeeded, tests);
        let TestTotals { passed, failed } = outcome.totals();
        (passed, failed)
    }

    #[test]
    fn tests_are_counted_one_by_one() {
        let counted = totals(Counting::Tests, false, &[true, false, true]);
        assert_eq!(counted, (2, 1));
    }

    #[test]
    fn a_program_that_dies_counts_as_one_failure() {
        assert_eq!(totals(Counting::Tests, false, &[]), (0, 1));
        assert_eq!(totals(Counting::Tests, false, &[true, true]), (2, 1));
    }

    #[test]
    fn a_runner_that_found_no_test_failed_unless_it_looked_for_a_name() {
        assert_eq!(totals(Counting::Tests, true, &[]), (0, 1));
        assert_eq!(totals(Counting::TestsIfAny, true, &[]), (0, 0));
    }

    #[test]
    fn a_check_counts_once_and_a_preparation_only_when_it_fails() {
        assert_eq!(totals(Counting::OneCheck, true, &[]), (1, 0));
        assert_eq!(totals(Counting::OneCheck, false, &[]), (0, 1));
        assert_eq!(totals(Counting::Preparation, true, &[]), (0, 0));
        assert_eq!(totals(Counting::Preparation, false, &[]), (0, 1));
    }
}
