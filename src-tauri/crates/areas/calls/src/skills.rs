//! Skills of servers (the extension `io.modelcontextprotocol/skills`, SEP-2640).
//!
//! ```text
//! catalogue    the pages of skills/list          verify   reads the files of one skill
//! entry        one entry, and what is wrong in it
//! file         a file held against its entry      frontmatter   field by field
//! uri          paths, which never lead outside    rules         each with its source
//! ```
//!
//! The messages go over the user's connection and are on record as any other. A file is read when
//! the user opens it or verifies its skill, never before: listing reads none. Content is held
//! against the entry that was listed, and everything that a server says is bounded.

mod catalogue;
mod entry;
mod file;
mod frontmatter;
mod rules;
mod uri;
mod verify;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{SkillFileView, SkillListView, SkillReport, SkillView},
};
use sightglass_area_servers::open_connections::OpenConnections;
use sightglass_connection::ConnectionError;
use sightglass_json_text::quoted;
use sightglass_model::{Era, HandshakeResult, SKILLS_EXTENSION, ServerId, lock};

use crate::{call_reports::CallReports, result::ResultShape};
use catalogue::SkillCatalogue;
use entry::SkillEntry;
use file::check;
use rules::finding;
use uri::path_in;
use verify::{SkillRequests, no_result, result_of};

/// The skills of each server that were listed last.
pub type ListedSkills = Mutex<HashMap<ServerId, Arc<SkillCatalogue>>>;

/// Declaration of a server.
struct Declared {
    reads_directories: bool,
    has_resources: bool,
}

/// Skills of servers (the extension `io.modelcontextprotocol/skills`, SEP-2640).
pub struct ServerSkills {
    pub(crate) core: Arc<Core>,
    pub(crate) reports: Arc<CallReports>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) listed: ListedSkills,
}

#[commands]
impl ServerSkills {
    /// Lists the skills of a server, all pages of them. `key` names the requests for cancelling.
    ///
    /// # Errors
    /// When the server is not connected, does not declare skills, or refuses the list.
    #[command(name = "list_skills")]
    pub async fn skills(
        &self,
        server: &ServerId,
        key: &str,
    ) -> Result<SkillListView, InspectorError> {
        let declared = self.declared_skills(server)?;
        let requests = SkillRequests {
            skills: self,
            server,
            key,
        };
        let connection = self.open_connections.status(server).connection;
        let mut catalogue = SkillCatalogue::new(connection, declared.has_resources);
        let mut cursor: Option<String> = None;
        loop {
            let members: Vec<_> = cursor.iter().map(|cursor| ("cursor", &**cursor)).collect();
            let outcome = requests.send("skills/list", &members).await?;
            let response = result_of(&outcome).map_err(|reason| no_result(&outcome, reason))?;
            cursor = catalogue.take(response);
            if cursor.is_none() {
                break;
            }
        }
        let others = self.skills_of_others(server);
        let (catalogue, view) = self
            .core
            .blocking(move |_| {
                catalogue.compare_entries();
                let view = catalogue.view(&others, declared.reads_directories);
                Ok((catalogue, view))
            })
            .await?;
        lock(&self.listed).insert(server.clone(), Arc::new(catalogue));
        Ok(view)
    }

    /// Returns the entry of one skill: as it was listed, or else as the server gives it.
    ///
    /// # Errors
    /// When the server is not connected, does not declare skills, or serves none of this URI.
    #[command(name = "get_skill")]
    pub async fn skill(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<SkillView, InspectorError> {
        self.with_entry(server, key, uri, |entry| entry.view())
            .await
    }

    /// Reads every file of a skill and holds it against the entry.
    ///
    /// # Errors
    /// When the server is not connected or does not declare skills, or the user stops it.
    #[command]
    pub async fn verify_skill(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<SkillReport, InspectorError> {
        let declared = self.declared_skills(server)?;
        let requests = SkillRequests {
            skills: self,
            server,
            key,
        };
        let mut findings = Vec::new();
        let listed = self.listed_catalogue(server);
        let known = listed.as_ref().and_then(|listed| listed.entry(uri));
        let entry = match (requests.get(uri).await?, known) {
            (Ok(entry), Some(known)) => {
                if entry.text != known.text {
                    let message = "skills/get gave another entry; the files were held against it.";
                    findings.push(finding("get-differs", message));
                }
                Some(entry)
            }
            (Ok(entry), None) => Some(entry),
            (Err(reason), Some(_)) => {
                findings.push(finding("get-failed", reason.to_string()));
                None
            }
            (Err(error), None) => return Err(error),
        };
        let Some(entry) = entry.as_ref().or(known) else {
            return Err(InspectorError::Closing);
        };
        requests
            .verify(entry, findings, declared.reads_directories)
            .await
    }

    /// Reads one file of a skill and holds it against the entry.
    ///
    /// # Errors
    /// When the server is not connected or does not declare skills, or the file is not one in the
    /// skill's directory.
    #[command]
    pub async fn read_skill_file(
        &self,
        server: &ServerId,
        key: &str,
        skill: &str,
        file: &str,
    ) -> Result<SkillFileView, InspectorError> {
        let is_inside = self.with_entry(server, key, skill, |entry| {
            entry
                .root()
                .is_some_and(|root| path_in(root, file).is_some())
        });
        if !is_inside.await? {
            return Err(InspectorError::InvalidInput(format!(
                "{file} is not in the directory of the skill, and was not read."
            )));
        }
        let requests = SkillRequests {
            skills: self,
            server,
            key,
        };
        let outcome = requests
            .send("resources/read", &[("uri", &quoted(file))])
            .await?;
        let checked = self
            .with_entry(server, key, skill, |entry| {
                check(entry, file, result_of(&outcome))
            })
            .await?;
        let shape = Some(ResultShape::Resource);
        Ok(SkillFileView {
            file: checked.report,
            frontmatter: checked.frontmatter,
            instructions_tokens: checked.instructions_tokens,
            report: self.reports.masked_report(outcome, shape, None).await?,
        })
    }

    /// Gives `use_entry` the entry of a skill: as it was listed, or else as the server gives it.
    async fn with_entry<T>(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
        use_entry: impl FnOnce(&SkillEntry) -> T,
    ) -> Result<T, InspectorError> {
        self.declared_skills(server)?;
        if let Some(listed) = self.listed_catalogue(server)
            && let Some(entry) = listed.entry(uri)
        {
            return Ok(use_entry(entry));
        }
        let requests = SkillRequests {
            skills: self,
            server,
            key,
        };
        let entry = requests.get(uri).await?;
        entry.map(|entry| use_entry(&entry))
    }

    /// The skills that were listed over the connection that there is now.
    fn listed_catalogue(&self, server: &ServerId) -> Option<Arc<SkillCatalogue>> {
        let connection = self.open_connections.status(server).connection;
        let listed = lock(&self.listed).get(server).cloned()?;
        (listed.connection == connection).then_some(listed)
    }

    /// The names of the skills of all other connected servers, with one server that has each.
    fn skills_of_others(&self, server: &ServerId) -> HashMap<String, String> {
        let servers: Vec<ServerId> = lock(&self.listed).keys().cloned().collect();
        let mut names = HashMap::new();
        for other in servers.iter().filter(|other| *other != server) {
            let is_live = self.open_connections.status(other).phase.is_live();
            if let Some(listed) = self.listed_catalogue(other).filter(|_| is_live) {
                let own = listed.names().into_iter();
                names.extend(own.map(|name| (name.to_owned(), other.to_string())));
            }
        }
        names
    }

    fn declared_skills(&self, server: &ServerId) -> Result<Declared, InspectorError> {
        let status = self.open_connections.status(server);
        let handshake = status
            .handshake
            .ok_or(InspectorError::Connection(ConnectionError::NotConnected))?;
        let refused = |message: &str| Err(InspectorError::InvalidInput(message.to_owned()));
        match declaration_of(&handshake) {
            _ if handshake.era == Era::Legacy => refused(
                "Skills are part of the protocol of 2026-07-28; this server speaks an older one.",
            ),
            Some(declared) => Ok(declared),
            None => {
                refused("This server does not declare skills (io.modelcontextprotocol/skills).")
            }
        }
    }
}

fn declaration_of(handshake: &HandshakeResult) -> Option<Declared> {
    let capabilities: Value = serde_json::from_str(&handshake.capabilities_json).ok()?;
    let settings = capabilities.get("extensions")?.get(SKILLS_EXTENSION)?;
    Some(Declared {
        reads_directories: settings["directoryRead"] == true,
        has_resources: capabilities.get("resources").is_some(),
    })
}
