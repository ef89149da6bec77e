//! The program that drives the window: WebKit's own WebDriver.

use std::{
    fs::File,
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use fantoccini::{Client, ClientBuilder, wd::Capabilities};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use super::{Directories, Process, WindowError, processes};
use crate::{oidc, programs};

const PROGRAM: &str = "WebKitWebDriver";

/// The driver opens its port within milliseconds; a window takes a few hundred.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The running driver. It and everything that it started end with this value.
pub(super) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts it such that the application it opens lives in `directories`.
    pub(super) async fn start(directories: &Directories) -> Result<Self, WindowError> {
        let port = programs::free_port();
        let failed = |source| WindowError::Start {
            program: PROGRAM.to_owned(),
            source,
        };
        let log = File::options()
            .create(true)
            .append(true)
            .open(directories.log())?;
        let mut command = Command::new(PROGRAM);
        settle(&mut command, directories);
        let child = command
            // As from a desktop's menu: where no project is named, it is the home.
            .current_dir(directories.home())
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            // Without this, wry opens no window for a driver, and a session never begins.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .map_err(failed)?;
        let driver = Self { child, port };
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if started.elapsed() > START_TIMEOUT {
                let what = format!("{PROGRAM} listening on port {port}");
                return Err(WindowError::Patience {
                    what,
                    patience: START_TIMEOUT,
                });
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(driver)
    }

    /// Opens the window of `program` with these arguments.
    pub(super) async fn open(
        &self,
        program: &Path,
        arguments: &[String],
    ) -> Result<Client, WindowError> {
        let mut capabilities = Capabilities::new();
        capabilities.insert(
            "webkitgtk:browserOptions".to_owned(),
            json!({ "binary": program, "args": arguments }),
        );
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let address = format!("http://127.0.0.1:{}", self.port);
        let connecting = builder.capabilities(capabilities).connect(&address);
        match tokio::time::timeout(START_TIMEOUT, connecting).await {
            Ok(client) => Ok(client?),
            Err(_) => Err(WindowError::Patience {
                what: "the window's opening".to_owned(),
                patience: START_TIMEOUT,
            }),
        }
    }

    /// The application's process.
    pub(super) fn application(&self, program: &Path) -> Option<Process> {
        processes::descendants(self.child.id())
            .into_iter()
            .find(|process| processes::executes(process, program))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let started = processes::descendants(self.child.id());
        // The driver goes first, so that it starts nothing new.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for process in started {
            process.kill();
        }
    }
}

/// Gives a program that opens a window the directories of a story, and a surrounding that is
/// the same on every machine.
pub fn settle(command: &mut Command, directories: &Directories) {
    command
        .env("HOME", directories.home())
        .env("SIGHTGLASS_DATA_DIR", directories.data())
        // Whoever signs in does so in a browser of the story's own, and nothing is kept in the
        // keychain of the user who runs the tests.
        .env("BROWSER", oidc::browser())
        .env("SIGHTGLASS_TEST_BROWSER_LOG", directories.browser_log())
        .env("DBUS_SESSION_BUS_ADDRESS", directories.bus())
        .env("GDK_BACKEND", "x11")
        // There is no graphics card behind a virtual display.
        .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
        .env("LC_ALL", "C.UTF-8")
        // Its address is the session bus's to tell.
        .env_remove("AT_SPI_BUS_ADDRESS")
        .env_remove("WAYLAND_DISPLAY");
    if directories.has_accessibility() {
        command.env_remove("NO_AT_BRIDGE");
    } else {
        command.env("NO_AT_BRIDGE", "1");
    }
    if let Some(display) = directories.display() {
        command.env("DISPLAY", display);
    }
    for name in [
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
    ] {
        command.env_remove(name);
    }
}
