//! The skills of a server, as its pages of `skills/list` give them.

use std::collections::{HashMap, HashSet};

use sightglass_area_core::view::{SkillListView, SkillRow};
use sightglass_connection::Response;
use sightglass_json_text::{Members, elements};
use sightglass_model::{ConnectionId, Finding};

use super::{
    entry::{SkillEntry, SkillManifest, beginning},
    rules::{MAX_FINDINGS, arranged, finding},
};

/// Skills that are kept of a server.
const MAX_SKILLS: usize = 5_000;

/// Pages that are asked for.
const MAX_PAGES: usize = 500;

/// Bytes of entries that are kept of a server.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// The skills of one connection.
#[derive(Default)]
pub struct SkillCatalogue {
    pub(super) connection: Option<ConnectionId>,
    entries: Vec<SkillEntry>,
    /// Places in the list by URI.
    places: HashMap<String, usize>,
    left_out: usize,
    findings: Vec<Finding<()>>,
    cursors: HashSet<String>,
    pages: usize,
    bytes: usize,
}

impl SkillCatalogue {
    pub(super) fn new(connection: Option<ConnectionId>, declares_resources: bool) -> Self {
        let mut catalogue = Self {
            connection,
            ..Self::default()
        };
        if !declares_resources {
            catalogue.found(finding(
                "resources-undeclared",
                "It does not declare resources.",
            ));
        }
        catalogue
    }

    /// Returns the entry of a skill that was listed.
    pub(super) fn entry(&self, uri: &str) -> Option<&SkillEntry> {
        self.entries.get(*self.places.get(uri)?)
    }

    /// Names of the skills.
    pub(super) fn names(&self) -> HashSet<&str> {
        self.entries.iter().map(|entry| &*entry.name).collect()
    }

    /// Takes a page. Returns the cursor of the next one as JSON text, where there is one to ask
    /// for.
    pub(super) fn take(&mut self, response: &Response) -> Option<String> {
        let text = String::from_utf8_lossy(&response.recorded);
        let answer = Members::parse(&text).ok();
        let Some(result) = answer.and_then(|answer| answer.object("result")) else {
            self.found(finding("list-form", "The result is not an object."));
            return None;
        };
        self.pages += 1;
        if self.pages == 1 {
            self.check_form(&result);
        }
        match result.text("skills").map(elements) {
            Some(Some(entries)) => self.extract_entries(&entries),
            Some(None) => self.found(finding("list-form", "skills is not an array.")),
            None => self.found(finding("list-form", "The result has no skills.")),
        }
        let cursor = result.given("nextCursor")?;
        if !self.cursors.insert(cursor.to_owned()) {
            let cursor = beginning(cursor, 80);
            let message = format!("The cursor {cursor} came twice; nothing after it was read.");
            self.found(finding("list-endless", message));
            return None;
        }
        if self.pages == MAX_PAGES || self.entries.len() == MAX_SKILLS || self.bytes > MAX_BYTES {
            let message = format!(
                "The list goes on after {} skills on {} pages; no more was asked for.",
                self.entries.len(),
                self.pages
            );
            self.found(finding("cut-short", message));
            return None;
        }
        Some(cursor.to_owned())
    }

    fn check_form(&mut self, result: &Members<'_>) {
        if result.string("resultType").as_deref() != Some("complete") {
            self.found(finding("list-form", "resultType is not \"complete\"."));
        }
        for name in ["ttlMs", "cacheScope"] {
            if result.given(name).is_none() {
                self.found(finding("list-form", format!("The result has no {name}.")));
            }
        }
    }

    fn extract_entries(&mut self, entries: &[&str]) {
        for text in entries {
            self.bytes += text.len();
            if self.entries.len() == MAX_SKILLS || self.bytes > MAX_BYTES {
                self.left_out += 1;
                continue;
            }
            match SkillEntry::read(text) {
                Ok(entry) if self.places.contains_key(&entry.uri) => {
                    let message = format!("{} is listed twice.", entry.uri);
                    self.found(finding("uri-twice", message));
                }
                Ok(entry) => {
                    self.places.insert(entry.uri.clone(), self.entries.len());
                    self.entries.push(entry);
                }
                Err(reason) => {
                    let number = self.entries.len() + self.left_out + 1;
                    self.found(finding("entry-form", format!("Entry {number}: {reason}")));
                }
            }
        }
    }

    fn found(&mut self, found: Finding<()>) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(found);
        }
    }

    /// Looks at the entries beside one another: names that stand there twice, and skills inside
    /// others.
    pub(super) fn compare_entries(&mut self) {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_root: HashMap<String, usize> = HashMap::new();
        for (place, entry) in self.entries.iter().enumerate() {
            by_name.entry(entry.name.clone()).or_default().push(place);
            if let Some(root) = entry.root() {
                by_root.insert(root.to_owned(), place);
            }
        }
        for places in by_name.values().filter(|places| places.len() > 1) {
            for place in places {
                let message = format!("{} skills have this name.", places.len());
                self.entries[*place]
                    .findings
                    .push(finding("name-twice", message));
            }
        }
        for (root, inner) in &by_root {
            let mut above = root.as_str();
            while let Some((parent, _)) = above.rsplit_once('/') {
                above = parent;
                if let Some(outer) = by_root.get(above) {
                    // The skill around that one has the same files to list.
                    self.record_nested(*outer, *inner);
                    break;
                }
            }
        }
    }

    fn record_nested(&mut self, outer: usize, inner: usize) {
        let (outer_uri, inner_uri) = (&self.entries[outer].uri, &self.entries[inner].uri);
        let note = finding("nested", format!("It is inside {outer_uri}."));
        let mut missing = None;
        if matches!(
            self.entries[outer].manifest,
            SkillManifest::Files { left_out: 0, .. }
        ) {
            let listed: HashSet<&str> = self.entries[outer]
                .files()
                .iter()
                .map(|file| &*file.uri)
                .collect();
            let mut files = self.entries[inner].files().iter();
            missing = files
                .find(|file| !listed.contains(&*file.uri))
                .map(|file| format!("{} of {inner_uri} is not listed.", file.uri));
        }
        self.entries[inner].findings.push(note);
        if let Some(message) = missing {
            self.entries[outer]
                .findings
                .push(finding("nested-unlisted", message));
        }
    }

    /// Describes the list. `others` are the names of other servers' skills, with their servers.
    pub(super) fn view(
        &self,
        others: &HashMap<String, String>,
        reads_directories: bool,
    ) -> SkillListView {
        let mut findings = self.findings.clone();
        let rows: Vec<SkillRow> = self.entries.iter().map(SkillEntry::row).collect();
        for entry in &self.entries {
            if let Some(server) = others.get(&entry.name)
                && findings.len() < MAX_FINDINGS
            {
                let message = format!("{server} has a skill {} too.", entry.name);
                findings.push(finding("name-of-another-server", message));
            }
        }
        SkillListView {
            tokens: rows.iter().map(|row| row.tokens).sum(),
            skills: rows,
            left_out: u32::try_from(self.left_out).unwrap_or(u32::MAX),
            findings: arranged(findings),
            reads_directories,
        }
    }
}
