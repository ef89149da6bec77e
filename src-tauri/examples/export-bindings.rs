//! Writes the TypeScript bindings, and the characters that the window shows as escapes, to the paths
//! given: `cargo xtask bindings`.

#![allow(
    clippy::disallowed_methods,
    reason = "files of the sources are written, not a user's"
)]

use std::{fs, path::Path};

use sightglass_app::ipc::{characters, export_bindings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [bindings, path_of_characters] = paths.as_slice() else {
        return Err("give the paths of the two files to write".into());
    };
    export_bindings(Path::new(bindings))?;
    fs::write(path_of_characters, characters())?;
    Ok(())
}
