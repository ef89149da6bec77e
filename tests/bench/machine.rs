//! Measures the machine itself during a run.

use std::fs;

use crate::figures::{Aim, Figures};

/// Processor time since the start of the machine, in ticks.
pub struct ProcessorTime {
    all: f64,
    stolen: f64,
}

impl ProcessorTime {
    /// Up to now; nothing where `/proc/stat` (proc(5)) does not say.
    pub fn now() -> Option<Self> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let ticks: Vec<f64> = text
            .lines()
            .next()?
            .split_whitespace()
            // user, nice, system, idle, iowait, irq, softirq, steal; guests are in the first two.
            .skip(1)
            .take(8)
            .map_while(|word| word.parse().ok())
            .collect();
        Some(Self {
            all: ticks.iter().sum(),
            stolen: *ticks.get(7)?,
        })
    }

    /// Notes how much of the processors the host of a virtual machine kept for itself since
    /// then. Beyond a few per cent, stalls tell more of the host than of the application.
    pub fn note_stolen(&self, figures: &mut Figures) {
        let Some(now) = Self::now() else { return };
        let all = now.all - self.all;
        if all > 0.0 {
            let share = (now.stolen - self.stolen) / all * 100.0;
            figures.add("machine_stolen_percent", share, Aim::Reference);
        }
    }
}
