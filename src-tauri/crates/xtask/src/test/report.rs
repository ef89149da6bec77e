//! Prints the table at the end of a test run.

use std::fmt;
use std::time::Duration;

use super::totals::Totals;

/// Result of one step.
pub struct Line {
    pub title: &'static str,
    pub totals: Totals,
    pub duration: Duration,
}

impl Line {
    /// The line said right after the step.
    pub fn summary(&self) -> String {
        let Totals { passed, failed } = self.totals;
        let seconds = self.duration.as_secs_f64();
        match (passed, failed) {
            (0, 0) => format!("done in {seconds:.1} s"),
            _ => format!("{passed} passed, {failed} failed in {seconds:.1} s"),
        }
    }
}

/// All steps of a run. Its text ends with the total, alone on the last line.
#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
}

impl Report {
    pub fn add(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub fn all_passed(&self) -> bool {
        let total = self.total();
        total.failed == 0 && total.passed > 0
    }

    fn total(&self) -> Totals {
        self.lines
            .iter()
            .map(|line| line.totals)
            .fold(Totals::default(), Totals::plus)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .lines
            .iter()
            .map(|line| line.title.chars().count())
            .max()
            .unwrap_or(0);
        writeln!(
            formatter,
            "\n{:width$}  {:>7}  {:>7}  {:>9}",
            "", "passed", "failed", "time"
        )?;
        for line in &self.lines {
            writeln!(
                formatter,
                "{:width$}  {:>7}  {:>7}  {:>7.1} s",
                line.title,
                line.totals.passed,
                line.totals.failed,
                line.duration.as_secs_f64()
            )?;
        }
        let Totals { passed, failed } = self.total();
        writeln!(formatter, "\n{passed} passed, {failed} failed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(title: &'static str, passed: u64, failed: u64) -> Line {
        Line {
            title,
            totals: Totals { passed, failed },
            duration: Duration::from_millis(1500),
        }
    }

    #[test]
    fn the_last_line_is_the_total_alone() {
        let mut report = Report::default();
        report.add(line("Rust tests", 40, 1));
        report.add(line("UI build", 0, 0));
        report.add(line("UI unit tests", 2, 0));
        let text = report.to_string();
        assert_eq!(text.lines().last(), Some("42 passed, 1 failed"), "{text}");
        assert!(!report.all_passed());
    }

    #[test]
    fn a_run_of_nothing_has_not_passed() {
        assert!(!Report::default().all_passed());
    }
}
