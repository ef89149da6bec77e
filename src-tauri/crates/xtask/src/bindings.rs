//! `cargo xtask bindings`: generates the TypeScript side of the IPC from the Rust side.

use crate::error::TaskError;
use crate::process::{announce, cargo, run as run_to_end};
use crate::setup::{self, Purpose};
use crate::workspace::Workspace;

const OUTPUT: &str = "ui/src/backend/bindings.ts";

/// Writes the bindings anew. A test fails when the committed file differs from them.
pub fn run(workspace: &Workspace) -> Result<(), TaskError> {
    setup::prepare(Purpose::Build)?;
    announce(&format!("Writing {OUTPUT}"));
    run_to_end(
        cargo(workspace.root())
            .args(["run", "--quiet", "--package", "sightglass"])
            .args(["--example", "export-bindings", "--"])
            .arg(workspace.root().join(OUTPUT)),
        "exporting the bindings",
        "correct the error shown above",
    )
}
