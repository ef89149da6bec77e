//! Runs steps, some of them side by side.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::outcome::Outcome;
use super::steps::{FollowUp, Lane, TestStep};
use crate::error::TaskError;
use crate::process::{announce, watch_on};
use crate::ui;
use crate::workspace::Workspace;

/// Runs the lanes of a stage side by side, past failures to the end.
///
/// Output of the first lane is shown as it comes, that of the others after each of their
/// steps: lines of two programs among each other cannot be read.
pub fn run(workspace: &Workspace, stage: Vec<Lane>) -> Vec<Outcome> {
    thread::scope(|scope| {
        let lanes: Vec<_> = stage
            .into_iter()
            .filter(|lane| !lane.is_empty())
            .enumerate()
            .map(|(index, lane)| {
                scope.spawn(move || -> Vec<Outcome> {
                    let is_shown = index == 0;
                    lane.into_iter()
                        .map(|step| perform(workspace, step, is_shown))
                        .collect()
                })
            })
            .collect();
        lanes
            .into_iter()
            .filter_map(|lane| lane.join().ok())
            .flatten()
            .collect()
    })
}

/// Runs a step and tells what came of it.
pub fn perform(workspace: &Workspace, mut step: TestStep, is_shown: bool) -> Outcome {
    if let Some(runner) = &step.runner {
        runner.forget_report(workspace);
    }
    if is_shown {
        announce(&step.title);
    }
    let started = Instant::now();
    let held = Held::default();
    let ended = if is_shown {
        watch_on(&mut step.command, None, io::stdout(), io::stderr())
    } else {
        watch_on(&mut step.command, None, held.clone(), held.clone())
    };
    let (succeeded, problem) = match ended {
        Ok(ending) => {
            let succeeded = ending.status.is_some_and(|status| status.success());
            let noted = match (&step.then, succeeded) {
                (Some(FollowUp::NoteUiBuilt), true) => ui::note_built(workspace),
                (Some(FollowUp::NotePythonInstalled(python)), true) => {
                    python.note_installed(workspace)
                }
                _ => Ok(()),
            };
            (succeeded, noted.err())
        }
        Err(error) => (false, Some(error)),
    };
    let tests = match &step.runner {
        Some(runner) => runner.tests(workspace),
        None => Vec::new(),
    };
    let duration = started.elapsed();
    let outcome =
        Outcome::new(step.title, duration, step.counting, succeeded, tests).run_by(step.runner);
    tell(&outcome, is_shown, succeeded, &held, problem);
    outcome
}

/// Says what came of a step; of one that is not shown as it runs, the output of a failure too.
fn tell(
    outcome: &Outcome,
    is_shown: bool,
    succeeded: bool,
    held: &Held,
    problem: Option<TaskError>,
) {
    let mut screen = io::stdout().lock();
    let mut text = Vec::new();
    if !is_shown {
        text.extend(format!("\n==> {} (beside the above)\n", outcome.title).bytes());
        if !succeeded {
            text.append(&mut held.lines());
        }
    }
    if let Some(problem) = problem {
        text.extend(format!("{problem}\n").bytes());
    }
    text.extend(format!("    {}\n", outcome.summary()).bytes());
    // A closed terminal must not end the run.
    let _ = screen.write_all(&text).and_then(|()| screen.flush());
}

/// Lines that are kept, to be shown later.
#[derive(Clone, Default)]
struct Held(Arc<Mutex<Vec<u8>>>);

impl Held {
    fn lines(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
