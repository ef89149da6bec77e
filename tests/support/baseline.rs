//! The baseline of `cargo xtask bench --quick`: `tests/bench/baseline.toml`, what each figure of
//! the product was when it was last looked at.
//!
//! It holds ratios to a floor of the same run, megabytes, bytes and counts. A time would tell of
//! the machine that took it.

mod figure;
mod report;

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

pub use figure::{Figure, Reading, Unit};
pub use report::Report;

/// Words for units of time, which no line may have.
const TIMES: [&str; 8] = ["ns", "us", "µs", "ms", "s", "seconds", "minutes", "time"];

/// One line for each [`Figure`].
#[derive(Debug)]
pub struct Baseline {
    lines: BTreeMap<Figure, Line>,
}

/// Committed value of a figure, and how much worse it may become.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    unit: String,
    value: f64,
    /// Allowed multiple of `value`.
    tolerance: f64,
    /// Reason for this value and tolerance; where the line was raised, for that.
    reason: String,
}

/// A measured value beside its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Held,
    Worse,
    Better,
}

/// A baseline that says nothing, or something that does not hold on another machine.
#[derive(Debug, Error)]
pub enum BaselineError {
    #[error("it is no baseline: {0}")]
    Syntax(#[from] toml::de::Error),
    #[error("[{0}] is no figure of `bench --quick`: remove it, or correct its name")]
    Unknown(String),
    #[error("[{0}] is measured and missing here: add it, with a reason")]
    Missing(&'static str),
    #[error(
        "[{figure}] is in {unit}, a time, which tells of the machine: hold it against a floor of \
         the same run, in unit = \"ratio\""
    )]
    Time { figure: &'static str, unit: String },
    #[error("[{figure}] is in {unit} here and measured in {measured}")]
    Unit {
        figure: &'static str,
        unit: String,
        measured: &'static str,
    },
    #[error("[{0}] has no reason: say why its value is what it is, and why it was raised")]
    Reason(&'static str),
    #[error("[{0}] needs a value from 0")]
    Value(&'static str),
    #[error("[{0}] needs a tolerance from 1: how many times its value is still allowed")]
    Tolerance(&'static str),
}

impl Baseline {
    /// Reads the file's text.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let named: BTreeMap<String, Line> = toml::from_str(text)?;
        let mut lines = BTreeMap::new();
        for (name, line) in named {
            let figure = Figure::ALL
                .into_iter()
                .find(|figure| figure.name() == name)
                .ok_or(BaselineError::Unknown(name))?;
            line.check(figure)?;
            lines.insert(figure, line);
        }
        match Figure::ALL.iter().find(|known| !lines.contains_key(known)) {
            Some(missing) => Err(BaselineError::Missing(missing.name())),
            None => Ok(Self { lines }),
        }
    }

    /// The line of a figure; reading saw to it that there is one.
    pub fn line(&self, figure: Figure) -> &Line {
        &self.lines[&figure]
    }
}

impl Line {
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The most that is not yet worse.
    pub fn allowed(&self) -> f64 {
        self.value * self.tolerance
    }

    /// Holds a measured value against this line. The tolerance counts both ways, since noise does.
    pub fn judge(&self, value: f64) -> Verdict {
        if value < self.value / self.tolerance {
            Verdict::Better
        } else if value <= self.allowed() {
            Verdict::Held
        } else {
            // Also what is no number.
            Verdict::Worse
        }
    }

    fn check(&self, figure: Figure) -> Result<(), BaselineError> {
        let (name, measured) = (figure.name(), figure.unit().name());
        let unit = self.unit.clone();
        if TIMES.contains(&unit.as_str()) {
            return Err(BaselineError::Time { figure: name, unit });
        }
        if unit != measured {
            return Err(BaselineError::Unit {
                figure: name,
                unit,
                measured,
            });
        }
        if self.reason.trim().is_empty() {
            return Err(BaselineError::Reason(name));
        }
        if !(self.value.is_finite() && self.value >= 0.0) {
            return Err(BaselineError::Value(name));
        }
        if !(self.tolerance.is_finite() && self.tolerance >= 1.0) {
            return Err(BaselineError::Tolerance(name));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs;

    /// A baseline in which every figure is 2 and may become 3.
    pub fn twos() -> String {
        Figure::ALL
            .into_iter()
            .map(|figure| {
                let (name, unit) = (figure.name(), figure.unit().name());
                format!("[{name}]\nunit = \"{unit}\"\nvalue = 2\ntolerance = 1.5\nreason = \"r\"\n")
            })
            .collect()
    }

    /// The message with which `twos` is refused once its first `old` is `new`.
    fn refused(old: &str, new: &str) -> String {
        let text = twos();
        assert!(text.contains(old), "{old} stands in {text}");
        Baseline::read(&text.replacen(old, new, 1))
            .expect_err("a baseline that is refused")
            .to_string()
    }

    #[test]
    fn the_committed_baseline_can_be_read() {
        let path = programs::repository().join("tests/bench/baseline.toml");
        let text = std::fs::read_to_string(path).expect("a file of the repository");
        Baseline::read(&text).expect("a baseline");
    }

    #[test]
    fn a_line_needs_a_reason() {
        assert!(refused("reason = \"r\"", "").contains("reason"));
        let blank = refused("reason = \"r\"", "reason = \" \"");
        assert!(blank.starts_with("[launch] has no reason"), "{blank}");
    }

    #[test]
    fn a_time_is_no_figure_of_a_baseline() {
        let message = refused("unit = \"ratio\"", "unit = \"ms\"");
        assert!(
            message.starts_with("[launch] is in ms, a time"),
            "{message}"
        );
    }

    #[test]
    fn a_line_is_in_the_unit_that_is_measured() {
        let message = refused("unit = \"ratio\"", "unit = \"count\"");
        assert_eq!(message, "[launch] is in count here and measured in ratio");
    }

    #[test]
    fn an_unknown_figure_is_refused() {
        let message = refused("[launch]", "[lunch]");
        assert!(message.starts_with("[lunch] is no figure"), "{message}");
    }

    #[test]
    fn a_measured_figure_is_not_left_out() {
        let all = twos();
        let (_, others) = all.split_at(all.find("[idle_memory]").expect("a figure"));
        let message = Baseline::read(others).expect_err("one is missing");
        assert!(
            message
                .to_string()
                .starts_with("[launch] is measured and missing"),
            "{message}"
        );
    }

    #[test]
    fn a_tolerance_allows_more_not_less() {
        let message = refused("tolerance = 1.5", "tolerance = 0.9");
        assert!(
            message.starts_with("[launch] needs a tolerance"),
            "{message}"
        );
        assert!(refused("value = 2", "value = -2").starts_with("[launch] needs a value"));
        assert!(refused("value = 2", "value = nan").starts_with("[launch] needs a value"));
    }

    #[test]
    fn a_value_beyond_the_tolerance_is_worse_or_better() {
        let baseline = Baseline::read(&twos()).expect("a baseline");
        let line = baseline.line(Figure::Launch);
        for (value, verdict) in [
            (1.3, Verdict::Better),
            (1.4, Verdict::Held),
            (3.0, Verdict::Held),
            (3.01, Verdict::Worse),
            (f64::NAN, Verdict::Worse),
            (f64::INFINITY, Verdict::Worse),
        ] {
            assert_eq!(line.judge(value), verdict, "{value}");
        }
    }

    #[test]
    fn none_is_all_that_a_line_of_none_allows() {
        let text = twos().replace("value = 2", "value = 0");
        let baseline = Baseline::read(&text).expect("a baseline");
        let line = baseline.line(Figure::FloodLost);
        assert_eq!(line.judge(0.0), Verdict::Held);
        assert_eq!(line.judge(1.0), Verdict::Worse);
    }
}
