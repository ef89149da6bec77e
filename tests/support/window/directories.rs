use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::programs;

/// A home, a project and a data directory that belong to one story, and what the application finds
/// around it.
pub struct Directories {
    root: TempDir,
    /// Address of the session bus; without it there is none.
    bus: OnceLock<String>,
    /// Name of the display; without it, the one that the environment names.
    display: OnceLock<String>,
    /// Set where the application tells the accessibility bus what it shows.
    accessibility: OnceLock<()>,
}

impl Directories {
    /// With nothing configured.
    pub fn new() -> io::Result<Self> {
        let root = TempDir::with_prefix("sightglass-")?;
        for name in ["home", "project", "data"] {
            std::fs::create_dir(root.path().join(name))?;
        }
        Ok(Self {
            root,
            bus: OnceLock::new(),
            display: OnceLock::new(),
            accessibility: OnceLock::new(),
        })
    }

    /// Gives the application a session bus.
    pub fn use_bus(&self, address: &str) {
        // A story has one.
        let _ = self.bus.set(address.to_owned());
    }

    /// Address of the session bus, as `DBUS_SESSION_BUS_ADDRESS` has it.
    pub fn bus(&self) -> &str {
        self.bus.get().map_or("disabled:", String::as_str)
    }

    /// Lets the application tell the accessibility bus what it shows.
    pub fn use_accessibility(&self) {
        // A story does so once.
        let _ = self.accessibility.set(());
    }

    /// Returns true where the application tells the accessibility bus what it shows.
    pub fn has_accessibility(&self) -> bool {
        self.accessibility.get().is_some()
    }

    /// Opens the application's windows on this display.
    pub fn use_display(&self, name: &str) {
        // A story has one.
        let _ = self.display.set(name.to_owned());
    }

    /// Name of the display that the windows open on, where it is not the environment's.
    pub fn display(&self) -> Option<&str> {
        self.display.get().map(String::as_str)
    }

    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.root.path().join("project")
    }

    pub fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// File that the application's stderr goes to.
    pub fn log(&self) -> PathBuf {
        self.root.path().join("application.log")
    }

    /// File in which the browser of the user who signs in says what it did.
    pub fn browser_log(&self) -> PathBuf {
        self.root.path().join("browser.log")
    }

    /// The user's own scope file, whose servers need no approval.
    pub fn own_servers(&self) -> PathBuf {
        self.home().join(".claude/.mcp.json")
    }

    /// The scope file of the project.
    pub fn project_servers(&self) -> PathBuf {
        self.project().join(".claude/.mcp.json")
    }

    /// Configures these servers for the user, who trusts the project's folder.
    pub fn configure(&self, servers: Value) -> io::Result<()> {
        self.write(
            &self.own_servers(),
            &json!({ "mcpServers": servers }).to_string(),
        )?;
        self.trust_folder()
    }

    /// Trusts the project's folder, on the command line.
    pub fn trust_folder(&self) -> io::Result<()> {
        let trusted = Command::new(programs::own("sightglass-cli"))
            .args(["config", "trust", "--yes"])
            .current_dir(self.project())
            .env("HOME", self.home())
            .env("SIGHTGLASS_DATA_DIR", self.data())
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .output()?;
        if trusted.status.success() {
            Ok(())
        } else {
            let said = String::from_utf8_lossy(&trusted.stderr);
            Err(io::Error::other(format!(
                "the folder is not trusted: {said}"
            )))
        }
    }

    /// Writes a file, directories included.
    pub fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)
    }
}
