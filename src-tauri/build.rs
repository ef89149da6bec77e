//! Lets Tauri read its configuration. A stand-in page is written where the window has not
//! been built, so that every cargo command works on a fresh clone without npm.

#![allow(
    clippy::disallowed_methods,
    reason = "the stand-in is a build product, not a user's file"
)]

use std::{fs, path::Path};

const STAND_IN: &str = "<!doctype html><title>Sightglass</title>\
    <p>The window is not built yet: run <code>cargo xtask run</code>.</p>";

fn main() {
    let page = Path::new("../ui/dist/index.html");
    println!("cargo::rerun-if-changed=../ui/dist");
    if !page.exists() {
        let written = page
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(page, STAND_IN));
        if let Err(error) = written {
            println!("cargo::warning=ui/dist/index.html could not be written: {error}");
        }
    }
    tauri_build::build();
}
