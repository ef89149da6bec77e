//! One run, from the command line to the file.

use std::process::ExitCode;

use sightglass_tests::programs;

use crate::{
    arguments::{self, Arguments, Asked, Group, USAGE},
    calls, connecting,
    figures::Figures,
    fleet, flood, launch, listing,
    machine::ProcessorTime,
    model, quick, requests, results, search, session,
    setting::{Outcome, Setting},
    sidebar, soak, timeline,
};

/// Runs what the command line asks for.
pub fn run() -> ExitCode {
    let arguments = match arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("sightglass-bench: {message}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(async {
            let Arguments { asked, setting } = arguments;
            match asked {
                Asked::Groups(groups) => measure_all(groups, setting).await,
                Asked::Quick => measure_quickly(setting).await,
            }
        }),
        Err(error) => {
            eprintln!("sightglass-bench: the system refused threads: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Goes on after a group that fails: the others are still worth having.
async fn measure_all(groups: Vec<(&'static str, Group)>, setting: Setting) -> ExitCode {
    let mut figures = Figures::default();
    let mut code = ExitCode::SUCCESS;
    let begun = ProcessorTime::now();
    for (name, group) in groups {
        println!("\n{name}");
        if let Err(error) = measure(group, &setting, &mut figures).await {
            eprintln!("{name} could not be measured: {error}");
            code = ExitCode::FAILURE;
        }
    }
    if let Some(begun) = begun {
        begun.note_stolen(&mut figures);
    }
    println!("\n{figures}");
    let path = programs::repository().join("target/bench.json");
    match figures.save(&path) {
        Ok(()) => println!("Written to {}", path.display()),
        Err(error) => {
            eprintln!("{} could not be written: {error}", path.display());
            code = ExitCode::FAILURE;
        }
    }
    code
}

async fn measure_quickly(setting: Setting) -> ExitCode {
    match quick::measure(&setting).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("sightglass-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(group: Group, setting: &Setting, figures: &mut Figures) -> Outcome {
    match group {
        Group::Launch => launch::measure(setting, figures).await,
        Group::List => listing::measure(setting, figures).await,
        Group::Model => model::measure(setting, figures).await,
        Group::Flood => flood::measure(setting, figures).await,
        Group::Results => results::measure(setting, figures).await,
        Group::Calls => calls::measure(setting, figures).await,
        Group::Requests => requests::measure(setting, figures).await,
        Group::Connecting => connecting::measure(setting, figures).await,
        Group::Soak => soak::measure(setting, figures).await,
        Group::Fleet => fleet::measure(setting, figures).await,
        Group::Sidebar => sidebar::measure(setting, figures).await,
        Group::Search => search::measure(setting, figures).await,
        Group::Session => session::measure(setting, figures).await,
        Group::Timeline => timeline::measure(setting, figures).await,
    }
}
