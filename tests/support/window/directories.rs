use std::{
    io,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A home, a project and a data directory that belong to one story.
pub struct Directories {
    root: TempDir,
}

impl Directories {
    /// With nothing configured.
    ///
    /// # Errors
    /// When the system has no room for them.
    pub fn new() -> io::Result<Self> {
        let root = TempDir::with_prefix("sightglass-")?;
        for name in ["home", "project", "data"] {
            std::fs::create_dir(root.path().join(name))?;
        }
        Ok(Self { root })
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

    /// Where the application's stderr goes.
    pub fn log(&self) -> PathBuf {
        self.root.path().join("application.log")
    }

    /// Where the browser of the person who signs in says what it did.
    pub fn browser_log(&self) -> PathBuf {
        self.root.path().join("browser.log")
    }

    /// The person's own scope file, whose servers need no approval.
    pub fn own_servers(&self) -> PathBuf {
        self.home().join(".claude/.mcp.json")
    }

    /// The scope file of the project.
    pub fn project_servers(&self) -> PathBuf {
        self.project().join(".claude/.mcp.json")
    }

    /// Configures these servers for the person.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn configure(&self, servers: Value) -> io::Result<()> {
        self.write(
            &self.own_servers(),
            &json!({ "mcpServers": servers }).to_string(),
        )
    }

    /// Writes a file, directories included.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)
    }
}
