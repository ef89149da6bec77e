//! `cargo xtask bindings`: generates the TypeScript side of the IPC from the Rust side.

use crate::error::TaskError;
use crate::process::{announce, cargo, run as run_to_end};
use crate::setup::{self, Purpose};
use crate::workspace::Workspace;

const BINDINGS: &str = "ui/src/backend/bindings.ts";

const CHARACTERS: &str = "ui/src/lib/characters.ts";

/// Writes the bindings anew, and the characters that are shown as escapes. A test fails when a
/// committed file differs from them.
pub fn run(workspace: &Workspace) -> Result<(), TaskError> {
    setup::prepare(Purpose::Build)?;
    announce(&format!("Writing {BINDINGS} and {CHARACTERS}"));
    run_to_end(
        cargo(workspace.root())
            .args(["run", "--quiet", "--package", "sightglass"])
            .args(["--example", "export-bindings", "--"])
            .args([BINDINGS, CHARACTERS].map(|file| workspace.root().join(file))),
        "exporting the bindings",
        "correct the error shown above",
    )
}
