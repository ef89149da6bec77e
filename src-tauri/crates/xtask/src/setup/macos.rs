//! macOS brings its own web view; only the compiler and a browser may be missing.

use std::process::Command;

use super::{Purpose, browser};
use crate::error::TaskError;

/// Checks what `purpose` needs and says how to install it.
pub fn prepare(purpose: Purpose) -> Result<(), TaskError> {
    let tools = Command::new("xcode-select").arg("--print-path").output();
    if !tools.is_ok_and(|output| output.status.success()) {
        return Err(TaskError::Missing {
            what: "a C compiler (Xcode's command-line tools)".into(),
            fix: "xcode-select --install".into(),
        });
    }
    if purpose == Purpose::Test && browser::find().is_none() {
        return Err(TaskError::Missing {
            what: "Chrome or Chromium, the browser the UI's tests run in".into(),
            fix: "install it from https://www.google.com/chrome".into(),
        });
    }
    Ok(())
}
