//! The command line, from the start of its process to its end.

use std::{path::Path, process::Command, time::Instant};

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Directories, settle},
};

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures},
    setting::{Outcome, Setting, directories},
    statistics::{Turns, percentile},
};

/// Calls from the command line.
const COMMANDS: usize = 20;

pub fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let directories = directories(json!({}))?;
    let mut durations = Vec::new();
    for call in 0..=COMMANDS {
        let duration = echo(setting, &directories)?;
        // The first warms up.
        if call > 0 {
            durations.push(duration);
        }
    }
    figures.add(
        "command_line_echo_ms",
        percentile(&durations, 0.5),
        Aim::AtMost(30.0),
    );
    Ok(())
}

/// A command that does nothing, beside one of the load server's, in milliseconds.
pub fn starts(setting: &Setting, commands: usize) -> Outcome<Turns> {
    let directories = directories(json!({}))?;
    let program = programs::own("sightglass-cli");
    let mut turns = Turns::default();
    for command in 0..=commands {
        let ours = version(&program, &directories)?;
        let floor = version(&setting.server, &directories)?;
        // The first warms up.
        if command > 0 {
            turns.add(ours, floor);
        }
    }
    Ok(turns)
}

/// A call of a server that is started for it, beside rmcp in this process, in milliseconds.
pub async fn echoes(setting: &Setting, commands: usize) -> Outcome<Turns> {
    let directories = directories(json!({}))?;
    let mut turns = Turns::default();
    for command in 0..=commands {
        let ours = echo(setting, &directories)?;
        let started = Instant::now();
        let bare = Bare::over_pipes(&setting.server, &[], Era::Legacy).await?;
        bare.echo("hello").await?;
        bare.close().await?;
        let floor = started.elapsed().as_secs_f64() * 1000.0;
        // The first warms up.
        if command > 0 {
            turns.add(ours, floor);
        }
    }
    Ok(turns)
}

fn echo(setting: &Setting, directories: &Directories) -> Outcome<f64> {
    let mut command = Command::new(programs::own("sightglass-cli"));
    command
        .args(["tools", "call", "echo", "message:=hello", "--"])
        .arg(&setting.server);
    time(command, directories)
}

fn version(program: &Path, directories: &Directories) -> Outcome<f64> {
    let mut command = Command::new(program);
    command.arg("--version");
    time(command, directories)
}

/// From the start of the process to its end, in milliseconds.
fn time(mut command: Command, directories: &Directories) -> Outcome<f64> {
    settle(&mut command, directories);
    command.current_dir(directories.project());
    let started = Instant::now();
    let output = command.output()?;
    let duration = started.elapsed().as_secs_f64() * 1000.0;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(duration)
}
