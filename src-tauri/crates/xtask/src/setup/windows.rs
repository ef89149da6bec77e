//! Windows brings WebView2 since Windows 11; older ones may lack it.

use std::path::PathBuf;
use std::process::Command;

use super::{Purpose, browser};
use crate::error::TaskError;
use crate::process::ask;

/// Checks what `purpose` needs and says how to install it.
pub fn prepare(purpose: Purpose) -> Result<(), TaskError> {
    // Rust itself needed a linker to build this program, so only the web view is asked for.
    if !has_webview() {
        return Err(TaskError::Missing {
            what: "the WebView2 runtime, which draws the window".into(),
            fix: "winget install Microsoft.EdgeWebView2Runtime".into(),
        });
    }
    if purpose == Purpose::Test && browser::find().is_none() {
        return Err(TaskError::Missing {
            what: "Chrome or Edge, the browser the UI's tests run in".into(),
            fix: "winget install Google.Chrome".into(),
        });
    }
    Ok(())
}

/// Returns true when the runtime is registered, for everyone or for this user, or lies where its
/// installer puts it.
fn has_webview() -> bool {
    const CLIENT: &str = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";
    let registered = [
        r"HKLM\SOFTWARE\WOW6432Node",
        r"HKLM\SOFTWARE",
        r"HKCU\Software",
    ]
    .iter()
    .any(|hive| {
        ask(Command::new("reg").args(["query", &format!(r"{hive}\{CLIENT}"), "/v", "pv"]))
            .is_some_and(|answer| answer.contains("REG_SZ"))
    });
    registered
        || std::env::var_os("ProgramFiles(x86)")
            .map(|folder| PathBuf::from(folder).join(r"Microsoft\EdgeWebView\Application"))
            .is_some_and(|folder| folder.is_dir())
}
