//! Approves what request files bring: servers of their own, and values from outside that they
//! send.
//!
//! A request of a project can name any variable of the user's environment and any secret of the
//! keychain, and any server to send it to. So the server together with the names is one value,
//! which is shown, approved by its fingerprint, and compared before each run. The server is what
//! connecting to it does: a file can give its name to another address.

use std::path::Path;

use sha2::{Digest, Sha256};
use sightglass_area_core::{
    approvals::Approved,
    command::commands,
    defined_by::REQUESTS,
    error::InspectorError,
    view::{ApprovalDecision, RequestApproval, RequestSelection},
};
use sightglass_area_servers::trust::NewApprovals;
use sightglass_config::LaunchPlan;
use sightglass_model::{ServerId, entirely_visible, lock};
use sightglass_requests::{Reference, RequestFile, RequestPath, RequestServer};

use super::{
    connection::{draft_of, inline_id},
    server_label,
};
use crate::requests::run::RequestRuns;

/// Version of the fingerprint's content.
const FINGERPRINT_VERSION: &str = "request-approval-1";

/// What a request needs an approval for.
struct Need {
    /// Key of the approval.
    server: ServerId,
    title: String,
    /// Nothing for a configured server, which is approved for itself.
    plan: Option<LaunchPlan>,
    values: Vec<String>,
    fingerprint: String,
}

#[commands(approval_commands)]
impl RequestRuns {
    /// What selected requests of the project would do and is not approved yet.
    #[command(name = "list_request_approvals")]
    pub fn request_approvals(
        &self,
        selection: &RequestSelection,
    ) -> Result<Vec<RequestApproval>, InspectorError> {
        self.request_approvals_in(&self.files.requests_directory(), selection)
    }

    /// Like [`request_approvals`](Self::request_approvals), for the requests of any directory.
    pub fn request_approvals_in(
        &self,
        directory: &Path,
        selection: &RequestSelection,
    ) -> Result<Vec<RequestApproval>, InspectorError> {
        let requests = self.selected_requests(directory, selection)?;
        let parsed = requests
            .iter()
            .filter_map(|request| Some((&request.path, request.file.as_deref().ok()?)));
        Ok(self.waiting_approvals(parsed))
    }

    /// Approves what the user was shown of the project's requests. What the files say otherwise by
    /// now stays as it is.
    ///
    /// # Errors
    /// When the approvals cannot be kept, or something changed since it was shown.
    #[command]
    pub fn approve_requests(
        &self,
        selection: &RequestSelection,
        decisions: &[ApprovalDecision],
    ) -> Result<(), InspectorError> {
        self.approve_requests_in(&self.files.requests_directory(), selection, decisions)
    }

    /// Like [`approve_requests`](Self::approve_requests), for the requests of any directory.
    ///
    /// # Errors
    /// When the approvals cannot be kept, or something changed since it was shown.
    pub fn approve_requests_in(
        &self,
        directory: &Path,
        selection: &RequestSelection,
        decisions: &[ApprovalDecision],
    ) -> Result<(), InspectorError> {
        let waiting = self.request_approvals_in(directory, selection)?;
        let is_waiting = |decision: &&ApprovalDecision| {
            waiting.iter().any(|approval| {
                approval.server == decision.server && approval.fingerprint == decision.fingerprint
            })
        };
        let grants: NewApprovals = decisions
            .iter()
            .filter(is_waiting)
            .cloned()
            .map(|decision| (decision.server, decision.fingerprint, Approved::Shown))
            .collect();
        self.trust.save_approvals(&grants)?;
        if grants.len() < decisions.len() {
            return Err(InspectorError::InvalidInput(
                "The requests changed meanwhile. Look at them again before you approve them."
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// What requests need and is not approved, each once.
    pub(super) fn waiting_approvals<'a>(
        &self,
        requests: impl Iterator<Item = (&'a RequestPath, &'a RequestFile)>,
    ) -> Vec<RequestApproval> {
        let mut waiting: Vec<RequestApproval> = Vec::new();
        for (path, file) in requests {
            // One whose server cannot be told is not sent, whatever is approved.
            let need = self.need_of(file).ok().flatten();
            let Some(need) = need.filter(|need| !self.is_approved(need)) else {
                continue;
            };
            match waiting
                .iter_mut()
                .find(|approval| approval.fingerprint == need.fingerprint)
            {
                Some(known) => known.files.push(path.clone()),
                None => waiting.push(RequestApproval {
                    consequences: need
                        .plan
                        .as_ref()
                        .map(LaunchPlan::consequences)
                        .unwrap_or_default(),
                    rows: need.plan.as_ref().map(LaunchPlan::rows).unwrap_or_default(),
                    server: need.server,
                    title: need.title,
                    fingerprint: need.fingerprint,
                    values: need
                        .values
                        .iter()
                        .map(|value| entirely_visible(value).into_owned())
                        .collect(),
                    files: vec![path.clone()],
                }),
            }
        }
        waiting
    }

    /// Returns why a request may not be sent; nothing when all that it needs is approved.
    pub(super) fn unapproved(&self, file: &RequestFile) -> Result<Option<String>, InspectorError> {
        let need = self.need_of(file)?;
        let waits = need.filter(|need| !self.is_approved(need));
        Ok(waits.map(|need| need.reason()))
    }

    /// Returns whether a need is approved for this project.
    fn is_approved(&self, need: &Need) -> bool {
        let approvals = lock(&self.core.config.approvals);
        approvals.holds(&self.trust.project_key(), &need.server, &need.fingerprint)
    }

    /// Tells what is behind an id now: text that differs once another server is.
    pub(super) fn effect_of(&self, server: &ServerId) -> String {
        match self.configuration.configured(server) {
            Ok(configured) => configured.plan().secret_binding(None),
            // What is built in or was named on the command line is no other by another file, and
            // the id of what stands in a request is the hash of what it does.
            Err(_) => self
                .tried
                .definitions
                .fingerprint(server)
                .unwrap_or_default(),
        }
    }

    /// What a request needs an approval for; nothing for one that asks a configured server with
    /// the values of its project.
    fn need_of(&self, file: &RequestFile) -> Result<Option<Need>, InspectorError> {
        let references = file.references();
        let values: Vec<String> = references
            .iter()
            .filter(|reference| Reference::is_private(reference))
            .map(ToString::to_string)
            .collect();
        let (server, plan, effect) = match &file.server {
            RequestServer::Named(_) if values.is_empty() => return Ok(None),
            RequestServer::Named(name) => {
                let server = self.names.find_server(name)?;
                let name = server.to_string();
                let effect = format!("{name}\n{}", self.effect_of(&server));
                (ServerId::new(REQUESTS, &name), None, effect)
            }
            RequestServer::Inline(inline) => {
                let plan = LaunchPlan::of_draft(&draft_of(inline));
                let fingerprint = plan.fingerprint();
                (inline_id(&plan), Some(plan), fingerprint)
            }
        };
        let mut hash = Sha256::new();
        for part in [FINGERPRINT_VERSION, &effect]
            .into_iter()
            .chain(values.iter().map(String::as_str))
        {
            hash.update(part);
            hash.update([0]);
        }
        let fingerprint = hash.finalize();
        Ok(Some(Need {
            server,
            title: entirely_visible(&server_label(&file.server)).into_owned(),
            plan,
            values,
            fingerprint: fingerprint
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        }))
    }
}

impl Need {
    /// Says what waits, for the report of a request that was not sent.
    fn reason(&self) -> String {
        let mut what = Vec::new();
        if self.plan.is_some() {
            what.push(format!("to start or reach {}", self.title));
        }
        if !self.values.is_empty() {
            what.push(format!(
                "to send {} to {}",
                self.values.join(", "),
                self.title
            ));
        }
        format!("It is not approved {} yet.", what.join(" and "))
    }
}
