//! Holds the structure that the code is meant to have: which crate may name which, and that
//! the modules of a crate import one another in one direction.
//!
//! Where the code is not yet as it is meant to be, a gauge holds a number that may only fall: calls
//! in circles (`calls`), types whose methods are strewn and names that stand for several (`types`),
//! lengths that are no token (`styles`). `size` holds budgets of lines.
//!
//! The sources are read as text. A build would know more, but it takes minutes and says
//! nothing about the direction of imports inside a crate.

mod calls;
mod confirmations;
mod contributing;
mod crates;
mod documentation;
mod imports;
mod masking;
mod modules;
mod permitting;
mod processes;
mod size;
mod source;
mod styles;
mod types;
mod wire;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The directories of the workspace's own crates below `src-tauri/crates`, with their names, which
/// are those of the directories: `auth`, `areas/servers`.
fn crates() -> Vec<(String, PathBuf)> {
    let mut crates = Vec::new();
    for (name, path) in directories(&repository().join("src-tauri/crates")) {
        if path.join("Cargo.toml").is_file() {
            crates.push((name, path));
        } else {
            let inside = directories(&path).into_iter();
            crates.extend(inside.map(|(inner, path)| (format!("{name}/{inner}"), path)));
        }
    }
    crates.sort();
    assert!(
        crates.len() >= 10,
        "only {} crates were found",
        crates.len()
    );
    crates
}

fn directories(of: &Path) -> Vec<(String, PathBuf)> {
    std::fs::read_dir(of)
        .expect("readable")
        .map(|entry| entry.expect("readable"))
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                entry.path(),
            )
        })
        .collect()
}

/// All crates below `src-tauri` with their names, the shell among them.
fn crates_and_shell() -> Vec<(String, PathBuf)> {
    let mut crates = crates();
    crates.push(("shell".to_owned(), repository().join("src-tauri")));
    crates
}

/// Holds a count to a ceiling that may only fall: one that is too high fails too, so that it is
/// lowered where the code became better.
fn ratchet(count: usize, ceiling: usize, of: &str, found: &[String]) {
    assert!(
        count <= ceiling,
        "{count} {of}; no more than {ceiling} may:\n{}",
        found.join("\n")
    );
    assert!(
        count == ceiling,
        "only {count} {of}: lower the ceiling, which is {ceiling}"
    );
}

#[test]
fn a_ratchet_holds_in_both_directions() {
    let holds = |count| std::panic::catch_unwind(|| ratchet(count, 2, "are", &[])).is_ok();
    assert_eq!([1, 2, 3].map(holds), [false, true, false]);
}
