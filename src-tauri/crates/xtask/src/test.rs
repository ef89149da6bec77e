//! `cargo xtask test`: runs every check of the repository, and prints one total.

mod again;
mod arguments;
mod junit;
mod lanes;
mod outcome;
mod report;
mod runners;
mod steps;

use std::process::ExitCode;
use std::time::Instant;

use crate::error::TaskError;
use crate::nextest;
use crate::setup::{self, Purpose};
use crate::workspace::Workspace;
use again::Failures;
use arguments::{Group, TestOptions};
use outcome::Outcome;
use report::Report;

/// Runs the steps of the groups named by `arguments`, or all, past failures to the end.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode, TaskError> {
    let options = TestOptions::from_arguments(arguments)?;
    let started = Instant::now();
    setup::prepare(Purpose::Test)?;
    if options.groups.iter().any(|group| runs_nextest(*group)) {
        nextest::prepare(workspace)?;
    }

    let outcomes: Vec<Outcome> = steps::plan(workspace, &options)
        .into_iter()
        .flat_map(|stage| lanes::run(workspace, stage))
        .collect();
    // Whoever repeats a test wants to know how often it fails.
    let flaky = match options.repeat {
        Some(_) => Vec::new(),
        None => again::run(workspace, outcomes.iter().filter_map(failed).collect()),
    };
    if options.groups.contains(&Group::Window) && !cfg!(target_os = "linux") {
        println!("\nThe window's stories were left out: they drive WebKitGTK, on Linux.");
    }
    let report = Report::new(outcomes, flaky, started.elapsed());
    print!("{report}");
    Ok(if report.all_passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn runs_nextest(group: Group) -> bool {
    match group {
        Group::Quick | Group::Rust | Group::Window => true,
        Group::Ui | Group::Browser => false,
    }
}

fn failed(outcome: &Outcome) -> Option<Failures> {
    let runner = outcome.runner?;
    let failed = outcome.tests.iter().filter(|test| !test.passed);
    let tests: Vec<_> = failed.cloned().collect();
    (!tests.is_empty()).then_some(Failures { runner, tests })
}
