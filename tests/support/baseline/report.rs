//! The figures of a run beside the baseline: a table, and what to do.

use std::{collections::BTreeMap, fmt};

use super::{Baseline, Figure, Reading, Verdict};

/// What to do about a figure that is worse.
const ADVICE: &str = "\
Find the cause: run the command on the commit before, and bisect. Only where what costs it is wanted,
raise the line in tests/bench/baseline.toml, and say in its reason what costs it and why.";

/// Stands in the table for what was not measured or does not exist.
const NONE: &str = "–";

/// The readings of a run.
#[derive(Debug)]
pub struct Report {
    baseline: Baseline,
    readings: BTreeMap<Figure, Reading>,
}

impl Report {
    pub fn new(baseline: Baseline) -> Self {
        Self {
            baseline,
            readings: BTreeMap::new(),
        }
    }

    /// Notes a reading. The better one counts where a figure has two: the machine's other work
    /// makes a figure worse far more often than better.
    pub fn note(&mut self, figure: Figure, reading: Reading) {
        let value = |reading: Reading| reading.value(figure.unit());
        let noted = self.readings.entry(figure).or_insert(reading);
        if value(reading) < value(*noted) || value(*noted).is_nan() {
            *noted = reading;
        }
    }

    /// The figures that were measured and are worse than the baseline allows.
    pub fn worse(&self) -> Vec<Figure> {
        self.judged(Verdict::Worse)
    }

    /// Returns true when every figure was measured and none is worse.
    pub fn holds(&self) -> bool {
        self.worse().is_empty() && self.readings.len() == Figure::ALL.len()
    }

    fn judged(&self, wanted: Verdict) -> Vec<Figure> {
        let is_it = |figure: &Figure| {
            let value = self.value(*figure);
            value.is_some_and(|value| self.baseline.line(*figure).judge(value) == wanted)
        };
        Figure::ALL.into_iter().filter(is_it).collect()
    }

    fn value(&self, figure: Figure) -> Option<f64> {
        let reading = self.readings.get(&figure)?;
        Some(reading.value(figure.unit()))
    }

    fn row(&self, figure: Figure) -> [String; 7] {
        let (line, unit) = (self.baseline.line(figure), figure.unit());
        let reading = self.readings.get(&figure);
        let told = |number: Option<f64>| match (number, figure.told_in()) {
            (None, _) => NONE.to_owned(),
            (Some(number), unit @ ("B" | "")) => format!("{number:.0} {unit}").trim().to_owned(),
            (Some(number), unit) => format!("{number:.1} {unit}"),
        };
        let value = self.value(figure);
        let verdict = match value.map(|value| line.judge(value)) {
            None => "not measured",
            Some(Verdict::Held) => "held",
            Some(Verdict::Worse) => "WORSE",
            Some(Verdict::Better) => "better",
        };
        [
            figure.name().to_owned(),
            told(reading.map(|reading| reading.ours)),
            told(reading.and_then(|reading| reading.floor)),
            value.map_or(NONE.to_owned(), |value| unit.tell(value)),
            unit.tell(line.value()),
            unit.tell(line.allowed()),
            verdict.to_owned(),
        ]
    }

    /// The measured value of a figure, with the floor's name, and the baseline's.
    fn beside(&self, figure: Figure) -> String {
        let tell = |value| figure.unit().tell(value);
        let value = self.value(figure).map_or(NONE.to_owned(), tell);
        let floor = match figure.floor() {
            "" => String::new(),
            floor => format!(" (floor: {floor})"),
        };
        let line = self.baseline.line(figure);
        format!("measured {value}{floor}, baseline {}", tell(line.value()))
    }
}

/// Writes the table, then a line for each figure that is not held.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = [
            "figure", "measured", "floor", "value", "baseline", "allowed", "verdict",
        ];
        write_row(f, &heads.map(str::to_owned))?;
        for figure in Figure::ALL {
            write_row(f, &self.row(figure))?;
        }
        let (worse, better) = (self.worse(), self.judged(Verdict::Better));
        for figure in &better {
            let (name, beside) = (figure.name(), self.beside(*figure));
            writeln!(
                f,
                "\n{name} is better: {beside}. Lower its line in tests/bench/baseline.toml, so \
                 that it stays."
            )?;
        }
        for figure in Figure::ALL {
            if !self.readings.contains_key(&figure) {
                writeln!(f, "\n{} was not measured: see above.", figure.name())?;
            }
        }
        for figure in &worse {
            let allowed = figure.unit().tell(self.baseline.line(*figure).allowed());
            let (name, beside) = (figure.name(), self.beside(*figure));
            writeln!(f, "\n{name} is worse: {beside}, allowed {allowed}.")?;
        }
        if !worse.is_empty() {
            writeln!(f, "{ADVICE}")?;
        }
        Ok(())
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &[String; 7]) -> fmt::Result {
    let [figure, measured, floor, value, baseline, allowed, verdict] = row;
    writeln!(
        f,
        "{figure:<25}{measured:>13}{floor:>13}{value:>13}{baseline:>13}{allowed:>13}  {verdict}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::tests::twos;

    /// A run in which every figure is this multiple of a floor of 1, or that much.
    fn report(of: impl Fn(Figure) -> Option<f64>) -> Report {
        let mut report = Report::new(Baseline::read(&twos()).expect("a baseline"));
        for figure in Figure::ALL {
            if let Some(ours) = of(figure) {
                report.note(figure, reading(figure, ours));
            }
        }
        report
    }

    /// A reading whose value is `value`.
    fn reading(figure: Figure, value: f64) -> Reading {
        let ours = match figure.unit() {
            crate::baseline::Unit::Megabytes => value + 1.0,
            _ => value,
        };
        Reading {
            ours,
            floor: Some(1.0),
        }
    }

    #[test]
    fn a_run_like_the_baseline_holds_and_says_no_more() {
        let report = report(|_| Some(2.0));
        assert!(report.holds());
        let text = report.to_string();
        assert_eq!(text.matches(" held\n").count(), Figure::ALL.len());
        assert_eq!(text.lines().count(), Figure::ALL.len() + 1);
    }

    #[test]
    fn a_figure_that_is_worse_is_named_with_what_is_allowed() {
        let report = report(|figure| Some(if figure == Figure::Echo { 3.2 } else { 2.0 }));
        assert!(!report.holds());
        assert_eq!(report.worse(), [Figure::Echo]);
        let text = report.to_string();
        let sentence = "echo is worse: measured 3.20 × (floor: bare rmcp), baseline 2.00 ×, \
                        allowed 3.00 ×.";
        assert!(text.contains(sentence), "{text}");
        assert!(text.ends_with(&format!("{ADVICE}\n")), "{text}");
    }

    #[test]
    fn a_figure_that_is_better_holds_and_asks_for_a_lower_line() {
        let report = report(|figure| Some(if figure == Figure::Launch { 1.2 } else { 2.0 }));
        assert!(report.holds());
        let text = report.to_string();
        assert!(text.contains("launch is better: measured 1.20 ×"), "{text}");
        assert!(text.contains("Lower its line"), "{text}");
    }

    #[test]
    fn a_figure_that_was_not_measured_does_not_hold() {
        let report = report(|figure| (figure != Figure::Result).then_some(2.0));
        assert!(!report.holds());
        assert!(report.worse().is_empty(), "nothing to measure once more");
        let text = report.to_string();
        assert!(text.contains("result_10mb was not measured"), "{text}");
    }

    #[test]
    fn of_two_readings_the_better_one_counts() {
        let mut report = report(|_| Some(9.0));
        for figure in Figure::ALL {
            report.note(figure, reading(figure, 2.0));
            report.note(figure, reading(figure, 5.0));
        }
        assert!(report.holds());
    }

    #[test]
    fn a_floor_that_is_missing_is_worse_than_any() {
        let mut report = report(|_| Some(2.0));
        let other = Reading {
            ours: 1.0,
            floor: None,
        };
        report.note(Figure::Launch, other);
        assert!(report.holds(), "the other reading counts");
        let mut report = Report::new(report.baseline);
        report.note(Figure::Launch, other);
        assert_eq!(report.worse(), [Figure::Launch]);
        report.note(Figure::Launch, reading(Figure::Launch, 2.0));
        assert!(report.worse().is_empty());
    }
}
