//! Remembers which launch plans were approved on this machine, by project and server.

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;

/// Number of versions of one server's entry that stay approved.
const MAX_VERSIONS: usize = 20;

/// Everything that was approved on this machine.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Approvals(Vec<Approval>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Approval {
    project: String,
    server: ServerId,
    fingerprints: Vec<String>,
    /// Those of them that the user wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    written: Vec<String>,
}

/// Way in which the user agreed to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approved {
    /// They were shown what another wrote.
    Shown,
    /// They wrote it through Sightglass.
    Written,
}

impl Approvals {
    fn find(&self, project: &str, server: &ServerId) -> Option<&Approval> {
        self.0
            .iter()
            .find(|approval| approval.project == project && approval.server == *server)
    }

    pub fn holds(&self, project: &str, server: &ServerId, fingerprint: &str) -> bool {
        self.find(project, server)
            .is_some_and(|approval| approval.fingerprints.iter().any(|held| held == fingerprint))
    }

    /// Tells whether the user wrote this version of a server's entry through Sightglass.
    pub fn holds_written(&self, project: &str, server: &ServerId, fingerprint: &str) -> bool {
        self.find(project, server)
            .is_some_and(|approval| approval.written.iter().any(|held| held == fingerprint))
    }

    /// Tells whether any version of a server's entry is approved.
    pub fn knows(&self, project: &str, server: &ServerId) -> bool {
        self.find(project, server).is_some()
    }

    pub fn add(
        &mut self,
        project: &str,
        server: &ServerId,
        fingerprint: String,
        approved: Approved,
    ) {
        let is_held = match approved {
            Approved::Shown => self.holds(project, server, &fingerprint),
            Approved::Written => self.holds_written(project, server, &fingerprint),
        };
        if is_held {
            return;
        }
        let written = (approved == Approved::Written).then(|| fingerprint.clone());
        let known = self
            .0
            .iter_mut()
            .find(|approval| approval.project == project && approval.server == *server);
        match known {
            Some(approval) => {
                approval.fingerprints.retain(|held| *held != fingerprint);
                approval.written.extend(written);
                approval.fingerprints.push(fingerprint);
                let surplus = approval.fingerprints.len().saturating_sub(MAX_VERSIONS);
                approval.fingerprints.drain(..surplus);
                let held = &approval.fingerprints;
                approval.written.retain(|written| held.contains(written));
            }
            None => self.0.push(Approval {
                project: project.to_owned(),
                server: server.clone(),
                written: written.into_iter().collect(),
                fingerprints: vec![fingerprint],
            }),
        }
    }

    pub fn revoke(&mut self, project: &str, server: &ServerId) {
        self.0
            .retain(|approval| approval.project != project || approval.server != *server);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_is_of_one_project() {
        let server = ServerId::new("mcp-json", "a");
        let mut approvals = Approvals::default();
        approvals.add("/one", &server, "f".into(), Approved::Shown);
        assert!(approvals.holds("/one", &server, "f"));
        assert!(!approvals.holds("/two", &server, "f"));
        assert!(!approvals.holds("/one", &server, "g"));
        approvals.revoke("/one", &server);
        assert!(!approvals.knows("/one", &server));
    }

    #[test]
    fn what_the_user_wrote_is_approved_and_what_was_shown_is_not_theirs() {
        let server = ServerId::new("mcp-json", "a");
        let mut approvals = Approvals::default();
        approvals.add("/one", &server, "f".into(), Approved::Shown);
        assert!(!approvals.holds_written("/one", &server, "f"));
        approvals.add("/one", &server, "f".into(), Approved::Written);
        assert!(approvals.holds("/one", &server, "f"));
        assert!(approvals.holds_written("/one", &server, "f"));
        assert!(!approvals.holds_written("/one", &server, "g"));
        for version in 0..MAX_VERSIONS {
            approvals.add("/one", &server, version.to_string(), Approved::Shown);
        }
        assert!(
            !approvals.holds_written("/one", &server, "f"),
            "it is too old"
        );
    }

    #[test]
    fn approvals_of_an_earlier_version_are_of_what_was_shown() {
        let stored = r#"[{"project": "/one", "server": "mcp-json:a", "fingerprints": ["f"]}]"#;
        let approvals: Approvals = serde_json::from_str(stored).expect("read");
        let server = ServerId::new("mcp-json", "a");
        assert!(approvals.holds("/one", &server, "f"));
        assert!(!approvals.holds_written("/one", &server, "f"));
    }
}
