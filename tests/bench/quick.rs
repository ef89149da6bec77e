//! `--quick`: the figures that may not slide, each beside its floor and beside the baseline.

use std::{fs, path::Path, time::Instant};

use sightglass_tests::{
    baseline::{Baseline, Figure, Reading, Report},
    programs,
};

use crate::{
    calls::{self, Clients},
    command_line, flood, launch, listing, results,
    setting::{Outcome, Setting, application},
    statistics::{Turns, median, percentile},
};

/// The committed file.
const BASELINE: &str = "tests/bench/baseline.toml";

/// Repetitions of each measurement: as many as its noise needs, and so few that all of them twice
/// take four minutes.
const LAUNCHES: usize = 13;
const WEIGHED_LAUNCHES: usize = 1;
const LISTS: usize = 4;
const PEAKS: usize = 2;
const AT_ONCE: usize = 30;
const FLOODS: u32 = 5;
const RESULTS: usize = 6;
const COMMANDS: usize = 60;

/// Share of the launches that the launch is judged by. In up to half of its launches the empty
/// window waits for half a second on its first frame; a median would lie now on this side of the
/// gap, now on that.
const QUICKER_LAUNCHES: f64 = 0.25;

/// Measurements that give one or more figures together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Launch,
    List,
    ToolsMemory,
    Calls,
    Flood,
    Result,
    CommandLine,
    Sizes,
}

impl Part {
    const ALL: [Self; 8] = [
        Self::Launch,
        Self::List,
        Self::ToolsMemory,
        Self::Calls,
        Self::Flood,
        Self::Result,
        Self::CommandLine,
        Self::Sizes,
    ];

    /// The part that measures a figure.
    fn of(figure: Figure) -> Self {
        match figure {
            Figure::Launch | Figure::IdleMemory => Self::Launch,
            Figure::List => Self::List,
            Figure::ToolsMemory => Self::ToolsMemory,
            Figure::Echo | Figure::AtOnce => Self::Calls,
            Figure::Flood | Figure::FloodLost => Self::Flood,
            Figure::Result => Self::Result,
            Figure::CommandLineStart | Figure::CommandLineEcho => Self::CommandLine,
            Figure::AppSize | Figure::CommandLineSize => Self::Sizes,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::List => "list of 10,000 tools",
            Self::ToolsMemory => "memory with 10,000 tools",
            Self::Calls => "calls",
            Self::Flood => "flood",
            Self::Result => "result of 10 MB",
            Self::CommandLine => "command line",
            Self::Sizes => "sizes",
        }
    }

    async fn measure(self, setting: &Setting) -> Outcome<Vec<(Figure, Reading)>> {
        Ok(match self {
            Self::Launch => {
                let (ours, empty) = launch::compare(setting, LAUNCHES, WEIGHED_LAUNCHES).await?;
                let quicker = |durations: &[f64]| percentile(durations, QUICKER_LAUNCHES);
                let launch = Reading {
                    ours: quicker(&ours.durations),
                    floor: Some(quicker(&empty.durations)),
                };
                vec![
                    (Figure::Launch, launch),
                    (Figure::IdleMemory, beside(&ours.memory, &empty.memory)),
                ]
            }
            Self::List => {
                let turns = listing::in_pages(setting, LISTS).await?;
                vec![(Figure::List, medians(&turns))]
            }
            Self::ToolsMemory => {
                let floor = launch::empty_window_memory(setting).await?;
                let mut peaks = Vec::new();
                for _ in 0..PEAKS {
                    peaks.push(listing::peak_memory(setting).await?);
                }
                vec![(Figure::ToolsMemory, beside(&peaks, &[floor]))]
            }
            Self::Calls => {
                let clients = Clients::connect(setting).await?;
                let single = clients.take_turns().await?;
                clients.close().await?;
                let at_once = calls::at_once_anew(setting, AT_ONCE).await?;
                vec![
                    (Figure::Echo, medians(&single)),
                    (Figure::AtOnce, medians(&at_once)),
                ]
            }
            Self::Flood => {
                let (turns, lost) = flood::in_turns(setting, FLOODS).await?;
                let lost = Reading {
                    ours: lost,
                    floor: None,
                };
                vec![(Figure::Flood, medians(&turns)), (Figure::FloodLost, lost)]
            }
            Self::Result => {
                let turns = results::in_turns(setting, RESULTS).await?;
                vec![(Figure::Result, medians(&turns))]
            }
            Self::CommandLine => {
                let starts = command_line::starts(setting, COMMANDS)?;
                let echoes = command_line::echoes(setting, COMMANDS).await?;
                vec![
                    (Figure::CommandLineStart, medians(&starts)),
                    (Figure::CommandLineEcho, medians(&echoes)),
                ]
            }
            Self::Sizes => {
                let window = programs::own("sightglass-bench-empty-window");
                let command_line = programs::own("sightglass-cli");
                vec![
                    (Figure::AppSize, sizes(&application(), &window)?),
                    (
                        Figure::CommandLineSize,
                        sizes(&command_line, &setting.server)?,
                    ),
                ]
            }
        })
    }
}

/// Measures, prints the table and returns true when every figure is held.
pub async fn measure(setting: &Setting) -> Outcome<bool> {
    let path = programs::repository().join(BASELINE);
    let read = |text: String| Ok::<_, Box<dyn std::error::Error>>(Baseline::read(&text)?);
    let baseline = fs::read_to_string(path)
        .map_err(Into::into)
        .and_then(read)
        .map_err(|error| format!("{BASELINE}: {error}"))?;
    let mut report = Report::new(baseline);
    let begun = Instant::now();
    for part in Part::ALL {
        note(part, setting, &mut report).await;
    }
    // Other programs make a figure worse for once, a change to the product always does.
    let again: Vec<Part> = report.worse().into_iter().map(Part::of).collect();
    for part in Part::ALL.into_iter().filter(|part| again.contains(part)) {
        print!("once more: ");
        note(part, setting, &mut report).await;
    }
    println!("\n{report}");
    println!("Measured in {} s.", begun.elapsed().as_secs());
    Ok(report.holds())
}

/// Goes on after a part that fails: the others are still worth having.
async fn note(part: Part, setting: &Setting, report: &mut Report) {
    let begun = Instant::now();
    match part.measure(setting).await {
        Ok(readings) => {
            println!("{} ({} s)", part.name(), begun.elapsed().as_secs());
            for (figure, reading) in readings {
                report.note(figure, reading);
            }
        }
        Err(error) => eprintln!("{} could not be measured: {error}", part.name()),
    }
}

fn medians(turns: &Turns) -> Reading {
    beside(&turns.ours, &turns.floor)
}

fn beside(ours: &[f64], floor: &[f64]) -> Reading {
    Reading {
        ours: median(ours),
        floor: Some(median(floor)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a file's size fits 53 bits")]
fn sizes(ours: &Path, floor: &Path) -> Outcome<Reading> {
    Ok(Reading {
        ours: fs::metadata(ours)?.len() as f64,
        floor: Some(fs::metadata(floor)?.len() as f64),
    })
}
