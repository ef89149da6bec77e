//! The committed TypeScript bindings are those that the code says.

use std::{fs, path::Path};

#[test]
fn the_committed_bindings_are_up_to_date() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let fresh = directory.path().join("bindings.ts");
    sightglass_app::ipc::export_bindings(&fresh).expect("the bindings can be said in TypeScript");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/backend/bindings.ts");
    let [fresh, committed] =
        [fresh, committed].map(|path| fs::read_to_string(path).expect("readable"));
    assert!(
        fresh == committed,
        "run `cargo xtask bindings` and commit ui/src/backend/bindings.ts"
    );
}
