//! `cargo xtask test`: runs every check of the repository, and prints one total.

mod report;
mod steps;
mod totals;

use std::process::ExitCode;
use std::time::Instant;

use crate::display::VirtualDisplay;
use crate::error::TaskError;
use crate::process::{announce, watch};
use crate::setup::{self, Purpose};
use crate::ui;
use crate::workspace::Workspace;
use report::{Line, Report};
use steps::{Group, Step, Then};
use totals::Totals;

const USAGE: &str = "usage: cargo xtask test [rust|ui|browser|window]…";

/// Runs the steps of the groups named by `arguments`, or all, past failures to the end.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode, TaskError> {
    let groups = selected(arguments)?;
    setup::prepare(Purpose::Test)?;

    let display = if groups.contains(&Group::Window) && cfg!(target_os = "linux") {
        Some(VirtualDisplay::start()?)
    } else {
        None
    };
    let steps = steps::plan(workspace, &groups, display.as_ref())?;
    let mut report = Report::default();
    let count = steps.len();
    for (index, step) in steps.into_iter().enumerate() {
        announce(&format!("[{}/{count}] {}", index + 1, step.title));
        let line = perform(workspace, step);
        println!("    {}", line.summary());
        report.add(line);
    }
    if groups.contains(&Group::Window) && !cfg!(target_os = "linux") {
        println!("\nThe window's stories were left out: they drive WebKitGTK, on Linux.");
    }
    print!("{report}");
    Ok(if report.all_passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn perform(workspace: &Workspace, mut step: Step) -> Line {
    let started = Instant::now();
    let totals = match watch(&mut step.command, None) {
        Ok(ending) => {
            let succeeded = ending.status.is_some_and(|status| status.success());
            let outcome = match (&step.then, succeeded) {
                (Some(Then::NoteUiBuilt), true) => ui::note_built(workspace),
                (Some(Then::NotePythonInstalled(python)), true) => python.note_installed(workspace),
                _ => Ok(()),
            };
            complain(outcome);
            let text = ending.output + &ending.errors;
            step.counting.totals(&text, succeeded)
        }
        Err(error) => {
            complain(Err(error));
            Totals::one_failure()
        }
    };
    Line {
        title: step.title,
        totals,
        duration: started.elapsed(),
    }
}

fn complain(outcome: Result<(), TaskError>) {
    if let Err(error) = outcome {
        eprintln!("{error}");
    }
}

fn selected(arguments: &[String]) -> Result<Vec<Group>, TaskError> {
    if arguments.is_empty() {
        return Ok(Group::ALL.to_vec());
    }
    arguments
        .iter()
        .map(|name| {
            Group::named(name).ok_or_else(|| TaskError::Usage {
                problem: format!("there is no group of tests \"{name}\""),
                usage: USAGE,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_selection_everything_runs() {
        assert_eq!(selected(&[]).expect("understood"), Group::ALL);
    }

    #[test]
    fn a_misspelt_group_is_refused_rather_than_skipped() {
        assert!(selected(&["windows".into()]).is_err());
        assert_eq!(
            selected(&["ui".into(), "rust".into()]).expect("understood"),
            [Group::Ui, Group::Rust]
        );
    }
}
