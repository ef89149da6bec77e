//! Lints the workspace while it is built.
//!
//! `cargo clippy` only checks, so that a run of it and a build go through every dependency twice:
//! five minutes of processor time here. Its driver is the compiler with the lints added, and
//! compiles as well as it checks.

use std::process::Command;

/// The driver, which Cargo calls for the crates of the workspace in place of the compiler.
const DRIVER: &str = "clippy-driver";

/// Arguments of the driver, each followed by the separator that it splits them at.
const ARGUMENTS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// Has a command of Cargo's lint what it compiles; a warning is an error.
pub fn add(cargo: &mut Command) {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", DRIVER)
        .env("CLIPPY_ARGS", ARGUMENTS);
}
