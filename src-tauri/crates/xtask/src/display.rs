//! Starts a virtual display on machines that have none (Linux only; elsewhere there always is one).

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::error::TaskError;

/// Returns true when there is no display for a window.
pub fn is_absent() -> bool {
    let unset = |name| env::var_os(name).is_none_or(|value| value.is_empty());
    cfg!(target_os = "linux") && unset("DISPLAY") && unset("WAYLAND_DISPLAY")
}

/// An X server that draws into memory. It ends with this value.
pub struct VirtualDisplay {
    server: Child,
    name: String,
}

impl VirtualDisplay {
    /// Starts Xvfb on the first free display number, which Xvfb itself picks and reports.
    pub fn start() -> Result<Self, TaskError> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1920x1200x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| TaskError::Start {
                program: "Xvfb".into(),
                source,
            })?;
        let mut number = String::new();
        if let Some(stdout) = server.stdout.take() {
            // An unreadable pipe and an early end both leave the number empty.
            let _ = BufReader::new(stdout).read_line(&mut number);
        }
        let number = number.trim();
        if number.is_empty() {
            let _ = server.kill();
            let _ = server.wait();
            return Err(TaskError::NoResult {
                what: "Xvfb ended before it offered a display".into(),
                fix: "run `Xvfb -displayfd 1` and read what it says".into(),
            });
        }
        Ok(Self {
            name: format!(":{number}"),
            server,
        })
    }

    /// Makes `command` open its windows here, drawn in software.
    pub fn show(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.name)
            .env("GDK_BACKEND", "x11")
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY");
    }
}

impl Drop for VirtualDisplay {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing left to stop.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
