//! `cargo xtask package`: what a person installs.

use std::process::Command;

use crate::fault::Fault;
use crate::process::{announce, run as run_to_end};
use crate::setup::{self, Purpose};
use crate::ui;
use crate::workspace::Workspace;

const USAGE: &str = "usage: cargo xtask package [--bundles LIST]";

/// The bundles that build without downloading a bundler.
#[cfg(target_os = "linux")]
const BUNDLES: &str = "deb";
#[cfg(target_os = "macos")]
const BUNDLES: &str = "app,dmg";
#[cfg(windows)]
const BUNDLES: &str = "nsis";

/// Builds the release app and wraps it for this platform.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Fault> {
    let bundles = match arguments {
        [] => BUNDLES,
        [option, list] if option == "--bundles" => list,
        _ => {
            return Err(Fault::Usage {
                problem: "package takes a list of bundles and nothing else".into(),
                usage: USAGE,
            });
        }
    };
    setup::prepare(Purpose::Build)?;
    ui::prepare(workspace)?;

    announce(&format!("Building the release bundles ({bundles})"));
    // The command-line program is started by path: `npx` is a batch file on Windows.
    let mut tauri = Command::new("node");
    tauri
        .arg(workspace.ui().join("node_modules/@tauri-apps/cli/tauri.js"))
        .args(["build", "--bundles", bundles])
        .current_dir(workspace.root());
    run_to_end(
        &mut tauri,
        "building the bundles",
        "correct the error shown above",
    )?;
    println!(
        "\nThe bundles are in {}",
        workspace.target().join("release/bundle").display()
    );
    Ok(())
}
