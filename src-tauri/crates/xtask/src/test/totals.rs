//! Counts passed and failed tests from what each runner prints at its end.

/// Passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub passed: u64,
    pub failed: u64,
}

impl Totals {
    /// Total of a program that died before it could count.
    pub fn one_failure() -> Self {
        Self {
            passed: 0,
            failed: 1,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

/// Method by which a step's tests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The whole program is one check.
    OneCheck,
    /// Nothing is tested; only a failure counts.
    Preparation,
    /// "test result:" lines, one per test program.
    CargoTest,
    /// Vitest's "Tests" line.
    Vitest,
    /// Playwright's closing list.
    Playwright,
}

impl Counting {
    /// The totals of a program that printed `text` and then succeeded or not.
    ///
    /// A test runner that ran nothing failed, whatever its exit status: a suite that is
    /// no longer found must not look like one that passes.
    pub fn totals(self, text: &str, succeeded: bool) -> Totals {
        let text = without_colours(text);
        let mut totals = match self {
            Self::OneCheck if succeeded => Totals {
                passed: 1,
                failed: 0,
            },
            Self::OneCheck | Self::Preparation => Totals::default(),
            Self::CargoTest => cargo_test(&text),
            Self::Vitest => vitest(&text),
            Self::Playwright => playwright(&text),
        };
        let ran_nothing = self != Self::Preparation && totals == Totals::default();
        if totals.failed == 0 && (!succeeded || ran_nothing) {
            totals.failed = 1;
        }
        totals
    }
}

/// Adds up lines such as "test result: FAILED. 3 passed; 1 failed; 0 ignored; …".
fn cargo_test(text: &str) -> Totals {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("test result: "))
        .map(|line| Totals {
            passed: number_before(line, "passed"),
            failed: number_before(line, "failed"),
        })
        .fold(Totals::default(), Totals::plus)
}

/// Reads a line such as "Tests  1 failed | 12 passed | 2 skipped (15)".
fn vitest(text: &str) -> Totals {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("Tests "))
        .map(|line| Totals {
            passed: number_before(line, "passed"),
            failed: number_before(line, "failed"),
        })
        .fold(Totals::default(), Totals::plus)
}

/// Reads the lines such as "12 passed (3.4s)" that close a run. A test that passed only
/// when repeated, was interrupted or never ran did not pass.
fn playwright(text: &str) -> Totals {
    let mut totals = Totals::default();
    for line in text.lines().map(str::trim) {
        let Some((number, what)) = line.split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse::<u64>() else {
            continue;
        };
        let what = what.split(" (").next().unwrap_or(what);
        match what {
            "passed" => totals.passed += number,
            "failed" | "flaky" | "interrupted" | "did not run" => totals.failed += number,
            _ => {}
        }
    }
    totals
}

/// The number in front of `word` in `line`, or 0 when there is none.
fn number_before(line: &str, word: &str) -> u64 {
    let mut previous = "";
    for part in line.split_whitespace() {
        if part.trim_end_matches([';', ',', '.']) == word {
            return previous.parse().unwrap_or(0);
        }
        previous = part;
    }
    0
}

/// `text` without terminal colours (ECMA-48 control sequences).
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' && characters.peek() == Some(&'[') {
            characters.next();
            // A sequence ends with its first character from @ to ~.
            for part in characters.by_ref() {
                if ('@'..='~').contains(&part) {
                    break;
                }
            }
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(passed: u64, failed: u64) -> Totals {
        Totals { passed, failed }
    }

    #[test]
    fn every_test_program_of_cargo_is_added_up() {
        let text = "running 3 tests\n\
            test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s\n";
        assert_eq!(Counting::CargoTest.totals(text, false), totals(7, 2));
    }

    #[test]
    fn colours_do_not_hide_a_result() {
        let text = "test result: \u{1b}[32mok\u{1b}[m. 5 passed; 0 failed; 0 ignored\n";
        assert_eq!(Counting::CargoTest.totals(text, true), totals(5, 0));
        let text = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m9 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (9)\u{1b}[39m\n";
        assert_eq!(Counting::Vitest.totals(text, true), totals(9, 0));
    }

    #[test]
    fn vitest_is_counted_by_tests_and_not_by_files() {
        let text = " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 12 passed (14)\n";
        assert_eq!(Counting::Vitest.totals(text, false), totals(12, 2));
    }

    #[test]
    fn playwright_is_counted_by_its_closing_list() {
        let text = "  1 failed\n    [chromium] › tools.spec.ts:3:1 › lists 4 passed\n  1 flaky\n  2 skipped\n  3 did not run\n  12 passed (3.4s)\n";
        assert_eq!(Counting::Playwright.totals(text, false), totals(12, 5));
    }

    #[test]
    fn a_program_that_dies_counts_as_one_failure() {
        let text = "error: could not compile `sightglass`\n";
        assert_eq!(Counting::CargoTest.totals(text, false), totals(0, 1));
        let text = "test result: ok. 3 passed; 0 failed; 0 ignored\nerror: no such test\n";
        assert_eq!(Counting::CargoTest.totals(text, false), totals(3, 1));
    }

    #[test]
    fn a_runner_that_found_no_test_failed() {
        for counting in [Counting::CargoTest, Counting::Vitest, Counting::Playwright] {
            assert_eq!(counting.totals("", true), totals(0, 1), "{counting:?}");
        }
    }

    #[test]
    fn a_check_counts_once_and_a_preparation_only_when_it_fails() {
        assert_eq!(Counting::OneCheck.totals("", true), totals(1, 0));
        assert_eq!(Counting::OneCheck.totals("", false), totals(0, 1));
        assert_eq!(Counting::Preparation.totals("", true), totals(0, 0));
        assert_eq!(Counting::Preparation.totals("", false), totals(0, 1));
    }
}
