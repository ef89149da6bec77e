//! The committed TypeScript that is generated is what the code says.

use std::{fs, path::Path};

#[test]
fn the_committed_bindings_are_up_to_date() {
    is_up_to_date("backend/bindings.ts", |fresh| {
        sightglass_app::ipc::export_bindings(fresh)
            .expect("the bindings can be said in TypeScript");
    });
}

#[test]
fn the_committed_characters_are_up_to_date() {
    is_up_to_date("lib/characters.ts", |fresh| {
        fs::write(fresh, sightglass_app::ipc::characters()).expect("written");
    });
}

/// Compares a file of `ui/src` with one that is written anew.
fn is_up_to_date(file: &str, write: impl FnOnce(&Path)) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let fresh = directory.path().join("fresh.ts");
    write(&fresh);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../ui/src")
        .join(file);
    let [fresh, committed] =
        [fresh, committed].map(|path| fs::read_to_string(path).expect("readable"));
    assert!(
        fresh == committed,
        "run `cargo xtask bindings` and commit ui/src/{file}"
    );
}
