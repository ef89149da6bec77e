//! The committed TypeScript that is generated is what the code says.

use std::{fs, path::Path};

#[test]
fn the_committed_bindings_are_up_to_date() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("bindings.ts");
    sightglass_app::ipc::export_bindings(&path).expect("the bindings can be said in TypeScript");
    let fresh = fs::read_to_string(path).expect("readable");
    is_up_to_date("backend/bindings.ts", &fresh);
}

#[test]
fn the_committed_characters_are_up_to_date() {
    let fresh = sightglass_app::ipc::characters();
    is_up_to_date("lib/characters.ts", &fresh);
}

/// Compares a file of `ui/src` with what the code generates.
fn is_up_to_date(file: &str, fresh: &str) {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../ui/src")
        .join(file);
    let committed = fs::read_to_string(committed).expect("readable");
    assert!(
        fresh == committed,
        "run `cargo xtask bindings` and commit ui/src/{file}"
    );
}
