//! Decides which servers may start: the managed policy, and the user's approval of what project
//! files say.
//!
//! A project's files come with the project, so that what they say may be anybody's. A server
//! from one of them does not start before the user of this machine has seen its
//! [`LaunchPlan`] and approved it for that project. An approval is kept by the project, the
//! server, and the plan's fingerprint: a changed entry asks again. What the user writes through
//! Sightglass is approved by that, and counts as their own as long as it is what they wrote; an
//! action that only moves, renames or switches an entry carries an approval over and never makes
//! one.

use std::{path::PathBuf, sync::Arc};

use serde_json::{Map, Value};
use sightglass_area_core::{
    approvals::{Approvals, Approved},
    command::commands,
    config_workspace::{ConfigFiles, ConfiguredServer, server_id},
    core::Core,
    error::InspectorError,
    publisher::Notice,
    view::{ApprovalDecision, ApprovalReport, Blocked, ChangedApproval, TrustView},
};
use sightglass_config::{
    CarriedApproval, ChangePlan, Client, Definition, LaunchPlan, Target, expanded,
    parse_scope_file, scope_place,
};
use sightglass_model::{PermittedSpec, ServerId, ServerSpec, entirely_visible, lock};

use crate::{
    configuration::Configuration, folder_trust::ProjectFolderTrust,
    open_connections::OpenConnections,
};

/// Approvals that are to be kept: server, fingerprint, and how the user agreed.
pub type NewApprovals = Vec<(ServerId, String, Approved)>;

/// Decides which servers may start.
pub struct ServerTrust {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) open_connections: Arc<OpenConnections>,
}

#[commands]
impl ServerTrust {
    /// Names the project in what is kept for it.
    pub fn project_key(&self) -> String {
        self.folder_trust.answers.key()
    }

    /// Returns what keeps a server from being connected.
    pub fn blocked(&self, server: &ConfiguredServer) -> Option<Blocked> {
        self.blocked_by(server, || self.folder_trust.untrusted_use(server).is_some())
    }

    /// Like [`blocked`](Self::blocked), where it is known whether the server uses a folder that is
    /// not trusted.
    pub(crate) fn blocked_by(
        &self,
        server: &ConfiguredServer,
        needs_trust: impl FnOnce() -> bool,
    ) -> Option<Blocked> {
        let name = &server.definition.name;
        let entry = server.definition.common.expose();
        let client = server.client();
        let is_managed = is_managed(&server.place.target);
        if let Some(rule) = self.refusal(&server.files, client, name, entry, is_managed) {
            return Some(Blocked::Refused { rule });
        }
        self.missing_consent(server, needs_trust)
    }

    /// Returns what the user has yet to allow before a server is connected.
    fn missing_consent(
        &self,
        server: &ConfiguredServer,
        needs_trust: impl FnOnce() -> bool,
    ) -> Option<Blocked> {
        if self.waits(&server.id, server.comes_with_project, server.plan()) {
            return Some(Blocked::Waiting);
        }
        needs_trust().then_some(Blocked::FolderNotTrusted)
    }

    /// Tells whether a plan waits for approval.
    pub fn waits(&self, server: &ServerId, comes_with_project: bool, plan: &LaunchPlan) -> bool {
        comes_with_project
            && !lock(&self.core.config.approvals).holds(
                &self.project_key(),
                server,
                &plan.fingerprint(),
            )
    }

    /// The rule that refuses an entry of a client, as it stands or with its variables put in.
    pub fn refusal(
        &self,
        files: &ConfigFiles,
        client: Client,
        name: &str,
        entry: &Map<String, Value>,
        is_managed: bool,
    ) -> Option<String> {
        let policy = match client {
            Client::ClaudeCode => &files.claude_policy,
            _ => &*files.policy,
        };
        if policy.is_empty() {
            return None;
        }
        policy
            .refusal(
                name,
                &expanded(entry, &self.core.config.machine),
                is_managed,
            )
            .or_else(|| policy.denial(name, entry))
    }

    /// Returns the file of the user's own settings whose rule refuses a server, where no managed one
    /// does.
    fn own_refusal(&self, server: &ConfiguredServer) -> Option<PathBuf> {
        let policy = match server.client() {
            Client::ClaudeCode => &server.files.claude_policy,
            _ => &*server.files.policy,
        };
        let entry = expanded(server.definition.common.expose(), &self.core.config.machine);
        policy
            .own_file(&server.definition.name, &entry)
            .map(PathBuf::from)
    }

    /// Refuses what must not be started.
    pub fn permit(&self, server: &ConfiguredServer) -> Result<(), InspectorError> {
        self.not_blocked(server, self.blocked(server))
    }

    /// Refuses what the user has not allowed, whatever the managed policy says.
    pub fn permit_unmanaged(&self, server: &ConfiguredServer) -> Result<(), InspectorError> {
        let needs_trust = || self.folder_trust.untrusted_use(server).is_some();
        self.not_blocked(server, self.missing_consent(server, needs_trust))
    }

    fn not_blocked(
        &self,
        server: &ConfiguredServer,
        blocked: Option<Blocked>,
    ) -> Result<(), InspectorError> {
        match blocked {
            None => Ok(()),
            Some(Blocked::Refused { rule }) => Err(InspectorError::RefusedByPolicy {
                server: server.id.clone(),
                rule,
                own_file: self.own_refusal(server),
            }),
            Some(Blocked::Waiting) => {
                let path = server.place.path.display().to_string();
                Err(match self.folder_trust.untrusted_use(server) {
                    None => InspectorError::NotApproved {
                        server: server.id.clone(),
                        path,
                    },
                    Some(_) => InspectorError::NotApprovedNorTrusted {
                        server: server.id.clone(),
                        path,
                        folder: self.folder_trust.folder_trust().path,
                    },
                })
            }
            Some(Blocked::FolderNotTrusted) => Err(InspectorError::FolderNotTrusted {
                server: server.id.clone(),
                folder: self.folder_trust.folder_trust().path,
                reason: self.folder_trust.untrusted_use(server).unwrap_or_default(),
            }),
        }
    }

    /// Refuses what the managed policy forbids, whatever file it comes from or none. The demo server
    /// is a part of the application, which no rule is about.
    pub fn permit_spec(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<PermittedSpec, InspectorError> {
        if *server == ServerId::demo() {
            return Ok(PermittedSpec::built_in(spec));
        }
        let policy = Arc::clone(&self.core.config.files().policy);
        PermittedSpec::judged(spec, policy).map_err(|rule| InspectorError::RefusedByPolicy {
            server: server.clone(),
            rule,
            own_file: None,
        })
    }

    /// Everything that connecting to a server of the sidebar does, for the user to approve.
    #[command(name = "get_trust_request")]
    pub fn trust_request(&self, server: &ServerId) -> Result<TrustView, InspectorError> {
        Ok(self.trust_view(&self.configuration.configured(server)?))
    }

    /// The servers of the project that wait for approval and could start then, in the order of
    /// the sidebar.
    #[command(name = "list_trust_requests")]
    pub fn trust_requests(&self) -> Vec<TrustView> {
        let servers = self.core.config.files().servers();
        servers
            .iter()
            .filter(|server| !server.is_off && server.plan().endpoint().is_some())
            .filter(|server| self.blocked(server) == Some(Blocked::Waiting))
            .map(|server| self.trust_view(server))
            .collect()
    }

    fn trust_view(&self, server: &ConfiguredServer) -> TrustView {
        let plan = server.plan();
        let project = self.project_key();
        let waiting = self.waits(&server.id, server.comes_with_project, plan);
        TrustView {
            server: server.id.clone(),
            name: entirely_visible(&server.definition.name).into_owned(),
            path: entirely_visible(&server.place.path.display().to_string()).into_owned(),
            line: server.definition.line,
            waiting,
            changed: waiting && lock(&self.core.config.approvals).knows(&project, &server.id),
            project: entirely_visible(&self.folder_trust.folder_trust().path).into_owned(),
            fingerprint: plan.fingerprint(),
            kind: plan.kind(),
            consequences: plan.consequences(),
            rows: plan.rows(),
            text: plan.raw_text(),
        }
    }

    /// Approves the version of a server's entry that the user was shown.
    ///
    /// # Errors
    /// When there is no such server, its entry is another one by now, or the approval cannot
    /// be kept.
    #[command]
    pub fn approve_server(&self, server: &ServerId, shown: &str) -> Result<(), InspectorError> {
        self.configuration.configured(server)?;
        let decision = ApprovalDecision {
            server: server.clone(),
            fingerprint: shown.to_owned(),
        };
        let report = self.approve_servers(&[decision])?;
        match report.changed.first() {
            Some(_) => Err(InspectorError::EntryChanged {
                server: server.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Approves the versions of several servers' entries that the user was shown. An entry that is
    /// another one by now is left as it is, and named in the report.
    #[command]
    pub fn approve_servers(
        &self,
        decisions: &[ApprovalDecision],
    ) -> Result<ApprovalReport, InspectorError> {
        let files = self.core.config.files();
        let mut report = ApprovalReport::default();
        let mut grants = NewApprovals::new();
        for decision in decisions {
            let present = files.server(&decision.server);
            let fingerprint = present.map(|server| server.plan().fingerprint());
            if fingerprint.as_deref() == Some(decision.fingerprint.as_str()) {
                report.approved.push(decision.server.clone());
                let ApprovalDecision {
                    server,
                    fingerprint,
                } = decision.clone();
                grants.push((server, fingerprint, Approved::Shown));
            } else {
                report.changed.push(ChangedApproval {
                    server: decision.server.clone(),
                    name: entirely_visible(decision.server.name()).into_owned(),
                });
            }
        }
        if !grants.is_empty() {
            self.save_approvals(&grants)?;
            self.core.publisher.notify(&Notice::Configuration);
        }
        Ok(report)
    }

    /// Takes every approval of a server back, and closes its connection.
    #[command]
    pub fn revoke_approval(&self, server: &ServerId) -> Result<(), InspectorError> {
        let project = self.project_key();
        self.change_approvals(|approvals| approvals.revoke(&project, server))?;
        self.open_connections.close_all(std::iter::once(server));
        self.core.publisher.notify(&Notice::Configuration);
        Ok(())
    }

    /// The approvals that applying a plan makes: of what the user wrote by it, and of what was
    /// approved already and only changes its name, its place or whether it is on.
    ///
    /// They are worked out from the texts of the plan. The disk may hold another text as soon as
    /// the plan is written.
    pub fn new_approvals(&self, plan: &ChangePlan) -> NewApprovals {
        let written = plan.written.iter().filter_map(|(target, name)| {
            let definition = self.planned(plan, target, name, Version::After)?;
            let (server, fingerprint) = approval_of(target.client, &definition);
            Some((server, fingerprint, Approved::Written))
        });
        let project = self.project_key();
        let approvals = lock(&self.core.config.approvals);
        let carried = plan.carried.iter().filter_map(|carried| {
            let CarriedApproval {
                from,
                name,
                to,
                new_name,
            } = carried;
            let after = self.planned(plan, to, new_name, Version::After)?;
            let (server, after) = approval_of(to.client, &after);
            // A file that does not change holds the same entry as its copy, or none that counts.
            let before = self.planned(plan, from, name, Version::Before).map_or_else(
                || after.clone(),
                |before| approval_of(from.client, &before).1,
            );
            let earlier = server_id(from.client, name);
            let approved = match approvals.holds_written(&project, &earlier, &before) {
                true => Approved::Written,
                false => Approved::Shown,
            };
            approvals
                .holds(&project, &earlier, &before)
                .then_some((server, after, approved))
        });
        written.chain(carried).collect()
    }

    /// The launch plans of the entries that the user writes by a plan, each with its file.
    pub fn written_plans(&self, plan: &ChangePlan) -> Vec<(PathBuf, LaunchPlan)> {
        let written = plan.written.iter();
        written
            .filter_map(|(target, name)| {
                let definition = self.planned(plan, target, name, Version::After)?;
                let place = scope_place(target, &self.core.config.machine)?;
                Some((place.path, LaunchPlan::of(&definition)))
            })
            .collect()
    }

    /// A definition as the text of a plan has it.
    fn planned(
        &self,
        plan: &ChangePlan,
        target: &Target,
        name: &str,
        moment: Version,
    ) -> Option<Definition> {
        let place = scope_place(target, &self.core.config.machine)?;
        let file = plan
            .files
            .iter()
            .find(|file| file.change.path() == place.path)?;
        let text = match moment {
            Version::Before => file.change.before(),
            Version::After => file.change.after(),
        }?;
        parse_scope_file(place, text).definition(name).cloned()
    }

    /// Keeps approvals.
    pub fn save_approvals(&self, grants: &NewApprovals) -> Result<(), InspectorError> {
        if grants.is_empty() {
            return Ok(());
        }
        let project = self.project_key();
        self.change_approvals(|approvals| {
            for (server, fingerprint, approved) in grants {
                approvals.add(&project, server, fingerprint.clone(), *approved);
            }
        })
    }

    /// Changes the approvals as they are on the disk: another program may have added some.
    fn change_approvals(&self, change: impl FnOnce(&mut Approvals)) -> Result<(), InspectorError> {
        let mut approvals = lock(&self.core.config.approvals);
        *approvals = self.core.data.read_approvals();
        change(&mut approvals);
        self.core.data.write_approvals(&approvals)
    }
}

/// A text of a planned file.
#[derive(Debug, Clone, Copy)]
enum Version {
    Before,
    After,
}

fn approval_of(client: Client, definition: &Definition) -> (ServerId, String) {
    let plan = LaunchPlan::of(definition);
    (server_id(client, &definition.name), plan.fingerprint())
}

/// Tells whether an organisation prescribes the servers of a scope.
pub fn is_managed(target: &Target) -> bool {
    target.client == Client::ClaudeCode && target.scope == "managed"
}
