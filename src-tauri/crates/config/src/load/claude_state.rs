//! Reads Claude Code's state where that is too large to be read whole.
//!
//! Claude Code rewrites the file all the time, and several readers need it after each change: two
//! scopes, the approvals and the watcher. So one pass takes what all of them need, for every project,
//! and is kept until the file changes.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sightglass_files::open_regular;
use sightglass_secrets::Secret;

use crate::{
    load::file_version::FileVersion,
    text::excerpt::{ANY, ExcerptError, excerpt},
};

/// Members that a reader needs, by the names that lead to them.
const MEMBERS: [&[&str]; 7] = [
    &["mcpServers"],
    &["projects", ANY, "mcpServers"],
    &["projects", ANY, "hasTrustDialogAccepted"],
    &["projects", ANY, "enabledMcpjsonServers"],
    &["projects", ANY, "enableAllProjectMcpServers"],
    &["projects", ANY, "disabledMcpjsonServers"],
    &["projects", ANY, "disabledMcpServers"],
];

/// Time from before a pass in which the readers of one change take it from each other although the
/// file was not at rest. It is no longer than a further change takes to be told.
const SHARED_FOR: Duration = Duration::from_millis(100);

/// The last pass; there is one such file.
static LAST: Mutex<LastPass> = Mutex::new(LastPass(None));

/// The members of a state that are needed, as a JSON text with those alone on their lines.
pub(super) fn state_excerpt(path: &Path) -> Result<Vec<u8>, ExcerptError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.read(path)
}

struct LastPass(Option<Pass>);

struct Pass {
    path: PathBuf,
    /// Version of the file before the pass.
    version: FileVersion,
    /// True when a change during the pass or after it shows in the version.
    was_at_rest: bool,
    /// Moment before the file was opened.
    start: Instant,
    /// Members, or the line that is no JSON.
    found: Result<Secret<Vec<u8>>, u32>,
}

impl Pass {
    fn is_of(&self, path: &Path, version: &FileVersion) -> bool {
        let is_fresh = || self.was_at_rest || self.start.elapsed() < SHARED_FOR;
        self.path == path && self.version == *version && is_fresh()
    }

    fn members(&self) -> Result<Vec<u8>, ExcerptError> {
        match &self.found {
            Ok(members) => Ok(members.expose().clone()),
            Err(line) => Err(ExcerptError::Malformed(*line)),
        }
    }
}

impl LastPass {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, ExcerptError> {
        let start = Instant::now();
        let file = open_regular(path).map_err(ExcerptError::Unreadable)?;
        let version = FileVersion::of(&file.metadata()?);
        if let (Some(pass), Some(version)) = (&self.0, &version)
            && pass.is_of(path, version)
        {
            return pass.members();
        }
        self.0 = None;
        let was_at_rest = version.as_ref().is_some_and(FileVersion::is_at_rest);
        let found = match excerpt(file, &MEMBERS) {
            Ok(members) => Ok(members),
            Err(ExcerptError::Malformed(line)) => Err(line),
            Err(error) => return Err(error),
        };
        self.0 = version.map(|version| Pass {
            path: path.to_owned(),
            version,
            was_at_rest,
            start,
            found: found.clone().map(Secret::new),
        });
        found.map_err(ExcerptError::Malformed)
    }
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "a test writes the files it reads"
)]
mod tests {
    use std::{
        fs::{self, File},
        time::SystemTime,
    };

    use super::*;

    const LONG_AGO: Duration = Duration::from_secs(60);

    /// Writes into the file, which stays the same one, and dates the change.
    fn write(path: &Path, text: &str, modified: SystemTime) {
        fs::write(path, text).expect("written");
        let file = File::options().write(true).open(path).expect("opened");
        file.set_modified(modified).expect("dated");
    }

    fn read(last: &mut LastPass, path: &Path) -> String {
        let members = last.read(path).expect("readable");
        String::from_utf8(members).expect("text")
    }

    fn state(command: &str) -> String {
        format!("{{\"history\": [1], \"mcpServers\": {{\"a\": {{\"command\": \"{command}\"}}}}}}")
    }

    #[test]
    fn a_file_is_passed_through_once_while_it_stays_the_same() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(".claude.json");
        let mut last = LastPass(None);
        let long_ago = SystemTime::now() - LONG_AGO;
        write(&path, &state("one"), long_ago);
        let one = read(&mut last, &path);
        assert!(one.contains("\"one\""), "{one}");
        // What no metadata show is not looked for.
        write(&path, &state("two"), long_ago);
        assert_eq!(read(&mut last, &path), one);
        // A later time, another length and another file show.
        write(&path, &state("two"), long_ago + Duration::from_secs(1));
        assert!(read(&mut last, &path).contains("\"two\""));
        write(&path, &state("three"), long_ago + Duration::from_secs(1));
        assert!(read(&mut last, &path).contains("\"three\""));
        let other = directory.path().join("other/.claude.json");
        fs::create_dir(directory.path().join("other")).expect("made");
        write(&other, &state("forty"), long_ago + Duration::from_secs(1));
        assert!(read(&mut last, &other).contains("\"forty\""));
    }

    #[test]
    fn a_change_that_leaves_the_same_metadata_is_taken_when_it_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(".claude.json");
        let mut last = LastPass(None);
        let now = SystemTime::now();
        write(&path, &state("one"), now);
        let one = read(&mut last, &path);
        let after = Instant::now();
        write(&path, &state("two"), now);
        let pass = last.0.as_mut().expect("kept");
        assert!(!pass.was_at_rest && pass.start < after);
        // The readers of one change share the pass.
        pass.start = Instant::now() + LONG_AGO;
        assert_eq!(read(&mut last, &path), one);
        let before = Instant::now().checked_sub(SHARED_FOR);
        last.0.as_mut().expect("kept").start = before.expect("a moment");
        assert!(read(&mut last, &path).contains("\"two\""));
    }

    #[test]
    fn one_pass_takes_what_every_project_needs() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(".claude.json");
        let project = serde_json::json!({
            "history": ["long"],
            "mcpServers": { "b": {} },
            "hasTrustDialogAccepted": true,
            "disabledMcpServers": ["b"],
        });
        let state = serde_json::json!({ "projects": { "/p": project, "/q": project } });
        fs::write(&path, state.to_string()).expect("written");
        let members = LastPass(None).read(&path).expect("readable");
        let members: serde_json::Value = serde_json::from_slice(&members).expect("JSON");
        for project in ["/p", "/q"] {
            assert_eq!(
                members["projects"][project],
                serde_json::json!({
                    "mcpServers": { "b": {} },
                    "hasTrustDialogAccepted": true,
                    "disabledMcpServers": ["b"],
                })
            );
        }
        fs::write(&path, "{\n//").expect("written");
        let refused = LastPass(None).read(&path);
        assert!(matches!(refused, Err(ExcerptError::Malformed(2))));
    }
}
