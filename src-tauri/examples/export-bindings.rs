//! Writes the TypeScript bindings, and the characters that the window shows as escapes, to the paths
//! given: `cargo xtask bindings`.

use std::path::Path;

use sightglass_app::ipc::{export_bindings, export_characters};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [bindings, characters] = paths.as_slice() else {
        return Err("give the paths of the two files to write".into());
    };
    export_bindings(Path::new(bindings))?;
    export_characters(Path::new(characters))?;
    Ok(())
}
