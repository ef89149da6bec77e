//! `cargo xtask package`: builds the bundles that users install.

use std::process::Command;
use std::{env, fs};

use crate::error::TaskError;
use crate::process::{announce, ask, cargo, run as run_to_end};
use crate::setup::{self, Purpose};
use crate::ui;
use crate::workspace::Workspace;

const USAGE: &str = "usage: cargo xtask package [--bundles LIST]";

/// The package, and the executable, of the command-line program: the sidecar that is the app's demo
/// server and reaper too.
const PROGRAM: &str = "sightglass-cli";

/// The bundles that build without downloading a bundler.
#[cfg(target_os = "linux")]
const BUNDLES: &str = "deb";
#[cfg(target_os = "macos")]
const BUNDLES: &str = "app,dmg";
#[cfg(windows)]
const BUNDLES: &str = "nsis";

/// Builds the release app and wraps it for this platform.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskError> {
    let bundles = match arguments {
        [] => BUNDLES,
        [option, list] if option == "--bundles" => list,
        _ => {
            return Err(TaskError::Usage {
                problem: "package takes a list of bundles and nothing else".into(),
                usage: USAGE,
            });
        }
    };
    setup::prepare(Purpose::Build)?;
    ui::prepare(workspace)?;

    let config = with_command_line(workspace)?;

    announce(&format!("Building the release bundles ({bundles})"));
    // The command-line program is started by path: `npx` is a batch file on Windows.
    let mut tauri = Command::new("node");
    tauri
        .arg(workspace.ui().join("node_modules/@tauri-apps/cli/tauri.js"))
        .args(["build", "--bundles", bundles, "--config", &config])
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

/// Builds the command-line program and lays it where the bundler finds it. Returns the piece of
/// configuration that puts it beside the application.
///
/// It is no part of `tauri.conf.json`: with it every build of the application would want the
/// program to be there already.
fn with_command_line(workspace: &Workspace) -> Result<String, TaskError> {
    announce("Building the command-line program (release)");
    run_to_end(
        cargo(workspace.root()).args(["build", "--release", "--package", PROGRAM]),
        "the release build of the command-line program",
        "correct the error shown above",
    )?;
    let folder = workspace.target().join("xtask");
    let built = workspace.program("release", PROGRAM);
    // Tauri looks for the name with the target's appended, and installs it without.
    let name = format!("{PROGRAM}-{}{}", target()?, env::consts::EXE_SUFFIX);
    let copy = folder.join(name);
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(&built, &copy).map(drop))
        .map_err(|source| TaskError::File { path: copy, source })?;
    // Forward slashes need no escaping in JSON, and Windows takes them too.
    let path = folder
        .join(PROGRAM)
        .display()
        .to_string()
        .replace('\\', "/");
    Ok(format!(r#"{{"bundle":{{"externalBin":["{path}"]}}}}"#))
}

/// The target that Cargo builds for: `x86_64-unknown-linux-gnu`.
fn target() -> Result<String, TaskError> {
    let answer = ask(Command::new("rustc").args(["--version", "--verbose"])).unwrap_or_default();
    host(&answer).ok_or_else(|| TaskError::Missing {
        what: "the name of this machine's target".into(),
        fix: "install Rust with rustup, so that `rustc` is on PATH".into(),
    })
}

fn host(answer: &str) -> Option<String> {
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("host: "))?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_read_from_what_rustc_says() {
        let answer = "rustc 1.95.0 (f2d3ce0bd 2026-03-21)\nhost: x86_64-unknown-linux-gnu\n";
        assert_eq!(host(answer).as_deref(), Some("x86_64-unknown-linux-gnu"));
    }
}
