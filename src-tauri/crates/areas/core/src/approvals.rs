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

    /// Tells whether any version of a server's entry is approved.
    pub fn knows(&self, project: &str, server: &ServerId) -> bool {
        self.find(project, server).is_some()
    }

    pub fn add(&mut self, project: &str, server: &ServerId, fingerprint: String) {
        if self.holds(project, server, &fingerprint) {
            return;
        }
        let known = self
            .0
            .iter_mut()
            .find(|approval| approval.project == project && approval.server == *server);
        match known {
            Some(approval) => {
                approval.fingerprints.push(fingerprint);
                let surplus = approval.fingerprints.len().saturating_sub(MAX_VERSIONS);
                approval.fingerprints.drain(..surplus);
            }
            None => self.0.push(Approval {
                project: project.to_owned(),
                server: server.clone(),
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
        approvals.add("/one", &server, "f".into());
        assert!(approvals.holds("/one", &server, "f"));
        assert!(!approvals.holds("/two", &server, "f"));
        assert!(!approvals.holds("/one", &server, "g"));
        approvals.revoke("/one", &server);
        assert!(!approvals.knows("/one", &server));
    }
}
