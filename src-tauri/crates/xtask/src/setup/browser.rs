//! Finds the browser that the UI's tests run in: an installed one, never a download.

use std::path::PathBuf;

use crate::process::find_on_path;

/// The variable that names the browser, for this program and for the tests.
pub const VARIABLE: &str = "SIGHTGLASS_CHROMIUM";

/// Finds Chromium, Chrome or Edge.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Some(named.into());
    }
    find_on_path(&[
        // It draws the same pages with half the work: it has no window of its own.
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "microsoft-edge",
    ])
    .or_else(|| usual_places().into_iter().find(|place| place.is_file()))
}

#[cfg(target_os = "macos")]
fn usual_places() -> Vec<PathBuf> {
    [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ]
    .map(PathBuf::from)
    .into()
}

#[cfg(windows)]
fn usual_places() -> Vec<PathBuf> {
    ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"]
        .iter()
        .filter_map(std::env::var_os)
        .flat_map(|folder| {
            [
                "Google/Chrome/Application/chrome.exe",
                "Microsoft/Edge/Application/msedge.exe",
            ]
            .map(|program| PathBuf::from(&folder).join(program))
        })
        .collect()
}

#[cfg(not(any(target_os = "macos", windows)))]
fn usual_places() -> Vec<PathBuf> {
    Vec::new()
}
