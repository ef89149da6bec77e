//! Holds the structure that the code is meant to have: which crate may name which, and that
//! the modules of a crate import one another in one direction.
//!
//! The sources are read as text. A build would know more, but it takes minutes and says
//! nothing about the direction of imports inside a crate.

mod confirmations;
mod crates;
mod documentation;
mod imports;
mod masking;
mod modules;
mod permitting;
mod processes;
mod source;

use std::path::PathBuf;

/// The root of the repository.
fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The directories of the workspace's own crates below `src-tauri/crates`, with their names.
fn crates() -> Vec<(String, PathBuf)> {
    let directory = repository().join("src-tauri/crates");
    let mut crates: Vec<(String, PathBuf)> = std::fs::read_dir(directory)
        .expect("the crates are there")
        .map(|entry| entry.expect("readable"))
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                entry.path(),
            )
        })
        .collect();
    crates.sort();
    assert!(
        crates.len() >= 10,
        "only {} crates were found",
        crates.len()
    );
    crates
}

/// All crates below `src-tauri` with their names, the shell among them.
fn crates_and_shell() -> Vec<(String, PathBuf)> {
    let mut crates = crates();
    crates.push(("shell".to_owned(), repository().join("src-tauri")));
    crates
}
