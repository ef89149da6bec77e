//! Processes of this machine, as `/proc` tells of them (Linux).

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A process, told from a later one that was given the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub id: u32,
    /// The executable and its arguments, with spaces between them.
    pub command_line: String,
    parent: u32,
    /// Start time, in clock ticks since the machine started.
    started: u64,
}

impl Process {
    /// The process with this id; `None` when there is none, or it only waits to be collected
    /// by its parent.
    pub fn with_id(id: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name before it is in parentheses and may itself hold spaces and parentheses.
        let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
        // proc(5): state is the third field, the parent the fourth, the start the 22nd.
        if matches!(*fields.first()?, "Z" | "X") {
            return None;
        }
        let arguments = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let arguments = String::from_utf8_lossy(&arguments);
        Some(Self {
            id,
            command_line: arguments.trim_end_matches('\0').replace('\0', " "),
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }

    pub fn is_running(&self) -> bool {
        Self::with_id(self.id).is_some_and(|now| now.started == self.started)
    }

    /// The file that it executes.
    pub fn program(&self) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{}/exe", self.id)).ok()
    }

    /// Its proportional set size in bytes: its own memory, and its share of what it has in
    /// common with others.
    pub fn proportional_set_size(&self) -> Option<u64> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.id)).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// Ends it without giving it a chance to do anything (`SIGKILL`).
    pub fn kill(&self) {
        if !self.is_running() {
            return;
        }
        if let Ok(id) = i32::try_from(self.id) {
            // SAFETY: kill(2) touches no memory of ours.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
    }
}

/// Everything that a process started, and what that started in turn; parents come before
/// their children.
pub fn descendants(ancestor: u32) -> Vec<Process> {
    let everything = running().unwrap_or_default();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![ancestor];
    while !parents.is_empty() {
        let children: Vec<&Process> = everything
            .iter()
            .filter(|process| parents.contains(&process.parent))
            .collect();
        parents = children.iter().map(|process| process.id).collect();
        found.extend(children.into_iter().cloned());
    }
    found
}

/// Returns true when `path` is the file that `process` executes.
pub fn executes(process: &Process, path: &Path) -> bool {
    match (process.program(), path.canonicalize()) {
        (Some(program), Ok(path)) => program == path,
        _ => false,
    }
}

fn running() -> io::Result<Vec<Process>> {
    let ids = fs::read_dir("/proc")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    Ok(ids.filter_map(Process::with_id).collect())
}
