//! Writes the figures as a table to read and a file to compare.

use std::{fmt, fs, io, path::Path};

use serde_json::{Map, Number, Value};

/// Aim of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// At most this much.
    AtMost(f64),
    /// It is there to compare others with.
    Reference,
}

/// The figures in the order in which they were measured.
#[derive(Debug, Default)]
pub struct Figures {
    rows: Vec<Figure>,
}

/// The least that some work takes: that of a program which does nothing else.
pub struct Floor {
    /// The program, as it stands in the name of a figure: `bare_rmcp`, `pipe`.
    pub name: &'static str,
    pub value: f64,
    /// Aim of the ratio.
    pub aim: Aim,
}

#[derive(Debug)]
struct Figure {
    /// Ends in the unit: `_ms`, `_us`, `_mb` (10⁶ bytes), `_ratio`, `_count`,
    /// `_percent`.
    name: String,
    value: f64,
    aim: Aim,
}

impl Figures {
    /// Notes a figure and says so at once: a run takes minutes.
    pub fn add(&mut self, name: impl Into<String>, value: f64, aim: Aim) {
        let figure = Figure {
            name: name.into(),
            value,
            aim,
        };
        println!("{figure}");
        self.rows.push(figure);
    }

    /// Notes two figures of the same work, ours and that of a floor, and the ratio of ours to it.
    /// `name` is without its unit.
    pub fn compare(&mut self, name: &str, unit: &str, ours: (f64, Aim), floor: Floor) {
        let Floor {
            name: other,
            value,
            aim,
        } = floor;
        self.add(format!("{name}_{unit}"), ours.0, ours.1);
        self.add(format!("{name}_{other}_{unit}"), value, Aim::Reference);
        self.add(format!("{name}_to_{other}_ratio"), ours.0 / value, aim);
    }

    /// Writes a flat object of name and number.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let object: Map<String, Value> = self
            .rows
            .iter()
            .map(|figure| {
                let rounded = (figure.value * 1000.0).round() / 1000.0;
                let number = Number::from_f64(rounded).map_or(Value::Null, Value::Number);
                (figure.name.clone(), number)
            })
            .collect();
        let mut text = serde_json::to_string_pretty(&Value::Object(object))?;
        text.push('\n');
        fs::write(path, text)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<46}{:>12}{:>14}", "figure", "measured", "aim")?;
        self.rows
            .iter()
            .try_for_each(|figure| writeln!(f, "{figure}"))
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<46}{:>12}", self.name, plain(self.value))?;
        match self.aim {
            Aim::AtMost(limit) => {
                let verdict = if self.value <= limit { "" } else { "  missed" };
                write!(f, "{:>14}{verdict}", format!("≤ {}", plain(limit)))
            }
            Aim::Reference => Ok(()),
        }
    }
}

/// As many digits as mean something.
fn plain(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
