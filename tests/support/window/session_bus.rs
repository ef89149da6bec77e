//! A session bus of one story.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use super::Directories;

/// The running bus. It ends with this value, and with it what it started.
pub(super) struct SessionBus {
    child: Child,
    address: String,
}

impl SessionBus {
    /// Starts a bus that the application of the story uses.
    ///
    /// # Panics
    /// When there is no `dbus-daemon`.
    pub(super) fn start(directories: &Directories) -> Self {
        let mut command = Command::new("dbus-daemon");
        command
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            // What it starts keeps its sockets in the story's home, beside those of no session.
            .env("HOME", directories.home())
            .env_remove("XDG_RUNTIME_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("AT_SPI_BUS_ADDRESS")
            .stdout(Stdio::piped());
        if let Some(display) = directories.display() {
            command.env("DISPLAY", display);
        }
        let mut child = command.spawn().expect("dbus-daemon is installed");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it tells its address");
        let address = line.trim().to_owned();
        directories.use_bus(&address);
        Self { child, address }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for SessionBus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
