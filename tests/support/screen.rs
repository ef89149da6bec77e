//! A display in memory.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// An X server that draws into memory. It ends with this value.
pub struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    /// Starts one of this size, in pixels, on the first free display number.
    ///
    /// # Panics
    /// When Xvfb is not installed.
    pub fn start(width: u16, height: u16) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0"])
            .arg(format!("{width}x{height}x24"))
            .args(["-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("piped"))
            .read_line(&mut number)
            .expect("a number");
        Self {
            server,
            name: format!(":{}", number.trim()),
        }
    }

    /// Value of `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
