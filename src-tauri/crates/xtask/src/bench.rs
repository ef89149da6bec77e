//! `cargo xtask bench`: measures the release build. With `--quick` it fails where a figure is
//! worse than `tests/bench/baseline.toml` allows.

use std::process::Command;

use crate::display::{self, VirtualDisplay};
use crate::error::TaskError;
use crate::process::{announce, cargo, run as run_to_end};
use crate::setup::{self, Purpose};
use crate::ui;
use crate::workspace::Workspace;

/// Builds what is measured and runs the measurements, passing `arguments` on.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskError> {
    setup::prepare(Purpose::Bench)?;
    ui::prepare(workspace)?;

    announce("Building the app, its command line, the demo server and the measurements (release)");
    // One command for all of them: Cargo then builds each dependency once.
    run_to_end(
        cargo(workspace.root())
            .args(["build", "--release"])
            .args(["--package", "sightglass", "--bin", "sightglass"])
            .args(["--package", "sightglass-cli", "--bin", "sightglass-cli"])
            .args(["--package", "sightglass-demo-server"])
            .args(["--package", "sightglass-tests"])
            .args(["--bin", "sightglass-demo-server"])
            .args(["--bin", "sightglass-bench"])
            .args(["--bin", "sightglass-bench-empty-window"]),
        "the release build",
        "correct the error shown above",
    )?;

    announce("Measuring");
    let mut bench = Command::new(workspace.program("release", "sightglass-bench"));
    let own = arguments.strip_prefix(&["--".to_owned()]);
    bench
        .args(own.unwrap_or(arguments))
        .current_dir(workspace.root());
    let display = display::is_absent()
        .then(VirtualDisplay::start)
        .transpose()?;
    if let Some(display) = &display {
        display.show(&mut bench);
    }
    run_to_end(
        &mut bench,
        "measuring",
        "read what the measurements say above",
    )
}
