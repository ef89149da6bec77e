//! Servers of connections, and the projects that they were connected in.
//!
//! One record has the connections of every project, and two projects may each have a server of one
//! name. Such servers are told apart by a label: as much of the end of the project's path as no
//! other project of that name has.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{MAIN_SEPARATOR_STR, Path},
    sync::Arc,
};

use sightglass_model::ServerId;

/// The server of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConnectionServer {
    pub id: ServerId,
    /// Its name, as it was then.
    pub name: String,
    /// The project's path; empty where the record does not have it.
    pub project: Arc<str>,
}

impl ConnectionServer {
    /// Returns true when this is the server `id` of `project`. A server whose project is not known
    /// is that of every project, and without a project that of every project is meant.
    pub fn is(&self, id: &ServerId, project: Option<&str>) -> bool {
        self.id == *id
            && project.is_none_or(|project| self.project.is_empty() || *self.project == *project)
    }
}

/// Stands for the client in the ids of servers that a session file names.
pub const SESSION_FILE: &str = "session-file";

/// Returns true for the id under which checks of a server are on record, also where that comes from
/// a session file.
pub(crate) fn is_of_check(id: &ServerId) -> bool {
    id.is_of_check() || id.is_of(SESSION_FILE) && ServerId::from(id.name().to_owned()).is_of_check()
}

impl Default for ConnectionServer {
    fn default() -> Self {
        Self {
            id: ServerId::from(String::new()),
            name: String::new(),
            project: Arc::default(),
        }
    }
}

/// The servers of connections, by the connection's number.
#[derive(Debug, Default)]
pub(crate) struct RecordedServers {
    by_connection: BTreeMap<u32, ConnectionServer>,
    /// The projects that have a server of a name.
    projects: HashMap<String, BTreeSet<Arc<str>>>,
}

impl RecordedServers {
    /// Adds a connection, unless it is known already.
    pub fn add(&mut self, connection: u32, server: ConnectionServer) {
        if !server.project.is_empty() {
            let projects = self.projects.entry(server.name.clone()).or_default();
            projects.insert(server.project.clone());
        }
        self.by_connection.entry(connection).or_insert(server);
    }

    /// Returns true when a connection checked a server.
    pub fn is_check(&self, connection: u32) -> bool {
        let server = self.by_connection.get(&connection);
        server.is_some_and(|server| is_of_check(&server.id))
    }

    pub fn get(&self, connection: u32) -> Option<&ConnectionServer> {
        self.by_connection.get(&connection)
    }

    /// Returns the servers of the connections from this number on.
    pub fn since(&self, first: u32) -> impl Iterator<Item = (u32, &ConnectionServer)> {
        self.by_connection
            .range(first..)
            .map(|(connection, server)| (*connection, server))
    }

    /// Returns the name of a server as a row has it: with the project, where only that tells it from
    /// another.
    pub fn shown_name(&self, server: &ConnectionServer) -> String {
        match self.project_label(server) {
            Some(project) => format!("{} · {project}", server.name),
            None => server.name.clone(),
        }
    }

    /// Returns what tells a server from those of its name in other projects; nothing where there
    /// are none.
    pub fn project_label(&self, server: &ConnectionServer) -> Option<String> {
        let projects = self.projects.get(&server.name)?;
        if projects.len() < 2 || server.project.is_empty() {
            return None;
        }
        let others = projects.iter().filter(|other| **other != server.project);
        let parts = common_end(&server.project, others.map(|other| &**other)) + 1;
        Some(end(&server.project, parts))
    }
}

/// Returns the number of path components at the end that one of `others` has in common.
fn common_end<'a>(path: &str, others: impl Iterator<Item = &'a str>) -> usize {
    let common = |other: &str| {
        let own = Path::new(path).components().rev();
        let other = Path::new(other).components().rev();
        own.zip(other)
            .take_while(|(own, other)| own == other)
            .count()
    };
    others.map(common).max().unwrap_or(0)
}

/// The last `parts` components of a path.
fn end(path: &str, parts: usize) -> String {
    let components: Vec<_> = Path::new(path).components().collect();
    let first = components.len().saturating_sub(parts);
    if first == 0 {
        return path.to_owned();
    }
    let end: Vec<_> = components[first..]
        .iter()
        .map(|component| component.as_os_str().to_string_lossy())
        .collect();
    end.join(MAIN_SEPARATOR_STR)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn server(name: &str, project: &str) -> ConnectionServer {
        ConnectionServer {
            id: ServerId::new("mcp-json", name),
            name: name.to_owned(),
            project: project.into(),
        }
    }

    #[test]
    fn a_label_is_as_much_of_the_path_as_tells_projects_apart() {
        let mut servers = RecordedServers::default();
        let all = [
            ("docs", "/home/a/new/api"),
            ("docs", "/home/a/old/api"),
            ("docs", "/home/a/site"),
            ("docs", ""),
            ("notes", "/home/a/site"),
            ("notes", ""),
            ("root", "/"),
            ("root", "/home"),
        ];
        for (connection, (name, project)) in (1..).zip(all) {
            servers.add(connection, server(name, project));
        }
        let label = |name, project| servers.project_label(&server(name, project));
        assert_eq!(label("docs", "/home/a/new/api").as_deref(), Some("new/api"));
        assert_eq!(label("docs", "/home/a/old/api").as_deref(), Some("old/api"));
        assert_eq!(label("docs", "/home/a/site").as_deref(), Some("site"));
        assert_eq!(label("docs", ""), None, "it is not known");
        assert_eq!(label("notes", "/home/a/site"), None, "it is the only one");
        assert_eq!(label("root", "/").as_deref(), Some("/"));
        let newest: Vec<u32> = servers.since(7).map(|(number, _)| number).collect();
        assert_eq!(newest, [7, 8]);
    }

    #[test]
    fn a_server_of_an_unknown_project_is_that_of_every_project() {
        let id = ServerId::new("mcp-json", "docs");
        assert!(server("docs", "/a").is(&id, Some("/a")));
        assert!(!server("docs", "/a").is(&id, Some("/b")));
        assert!(server("docs", "").is(&id, Some("/b")));
        assert!(server("docs", "/a").is(&id, None));
    }
}
