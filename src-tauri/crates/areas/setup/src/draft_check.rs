//! Checks a draft against the client that is to have it: names, variables, the program. Tells also
//! what connecting to it does.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use serde_json::{Map, Value};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{DraftCheck, DraftLaunchView, LaunchView},
};
use sightglass_area_servers::folder_trust::ProjectFolderTrust;
use sightglass_config::{
    ConfigError, Draft, DraftEndpoint, DraftProblem, Expressible, LaunchPlan, Machine, Severity,
    Target, VariableOrigin, draft_entry, expanded, variables,
};

/// Time that the login shell has for an answer to typing: it is asked once, and may take seconds.
const SHELL_TIMEOUT: Duration = Duration::from_millis(300);

/// Checks a draft against the client that is to have it, and tells what connecting to it does.
pub struct DraftChecks {
    pub(crate) core: Arc<Core>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<DraftChecks>,
}

#[commands]
impl DraftChecks {
    /// Holds a draft against the client that is to have it. `replaces` is the server of that
    /// scope that is being edited.
    ///
    /// A program is looked for where it would be when the server starts, which the login shell is
    /// asked for.
    #[command]
    pub async fn check_draft(
        &self,
        target: &Target,
        draft: &Draft,
        replaces: Option<&str>,
    ) -> Result<DraftCheck, InspectorError> {
        let login_path = self.login_path(draft).await;
        self.check(target, draft, replaces, login_path).await
    }

    /// Holds a draft against its client as [`check_draft`](Self::check_draft) does, for an answer
    /// that does not wait for the login shell; nothing while that has yet to say where programs are.
    pub async fn check_soon(
        &self,
        target: &Target,
        draft: &Draft,
        replaces: Option<&str>,
    ) -> Option<DraftCheck> {
        let login_path = tokio::time::timeout(SHELL_TIMEOUT, self.login_path(draft)).await;
        let checked = self.check(target, draft, replaces, login_path.ok()?).await;
        checked.ok()
    }

    /// The search path of the login shell, where the draft starts a program.
    async fn login_path(&self, draft: &Draft) -> Option<String> {
        match draft.endpoint {
            DraftEndpoint::Stdio { .. } => self.core.connections.login_path().await,
            DraftEndpoint::Remote(_) => None,
        }
    }

    async fn check(
        &self,
        target: &Target,
        draft: &Draft,
        replaces: Option<&str>,
        login_path: Option<String>,
    ) -> Result<DraftCheck, InspectorError> {
        let this = self.this.upgrade().ok_or(InspectorError::Closing)?;
        let (target, draft) = (target.clone(), draft.clone());
        let replaces = replaces.map(str::to_owned);
        // Looking for a program reads directories.
        let check =
            move || this.check_with(&target, &draft, replaces.as_deref(), login_path.as_deref());
        let checked = tokio::task::spawn_blocking(check).await;
        checked.map_err(|_| InspectorError::Closing)?
    }

    /// Tells everything that connecting to a draft does.
    #[command(name = "get_draft_launch")]
    pub fn draft_launch(&self, draft: &Draft) -> DraftLaunchView {
        let is_of_others = draft.variables.is_some();
        DraftLaunchView {
            launch: LaunchView::of(&LaunchPlan::of_draft(draft)),
            environment: if is_of_others {
                LaunchPlan::environment_of(draft)
            } else {
                Vec::new()
            },
        }
    }

    fn check_with(
        &self,
        target: &Target,
        draft: &Draft,
        replaces: Option<&str>,
        login_path: Option<&str>,
    ) -> Result<DraftCheck, InspectorError> {
        let files = self.core.config.files();
        let file = files
            .client(target.client)
            .and_then(|client| client.file(&target.scope))
            .ok_or_else(|| ConfigError::no_such_scope(target, &self.core.config.machine))?;
        let can = Expressible::of(target.client);
        let entry = draft_entry(draft);
        let mut findings = draft.problems();
        let mut find = |field: &str, severity: Severity, message: String| {
            findings.push(DraftProblem {
                field: field.to_owned(),
                severity,
                message,
            });
        };
        if let Some(complaint) = can.complaint_about_name(&draft.name) {
            find("name", Severity::Warning, complaint);
        }
        if replaces != Some(draft.name.as_str())
            && let Some(existing) = file.definition(&draft.name)
        {
            find(
                "name",
                Severity::Error,
                format!(
                    "There is one of that name already, on line {}.",
                    existing.line
                ),
            );
        }
        let lost = match can.losses(&draft.name, &entry) {
            Ok(lost) => lost,
            Err(reason) => {
                find("transport", Severity::Error, reason);
                Vec::new()
            }
        };
        let variables = variables(target.client, &entry, &self.core.config.machine);
        for variable in &variables {
            if variable.origin == VariableOrigin::Unset {
                let message = match variable.name.strip_prefix("input:") {
                    Some(_) => format!(
                        "Only VS Code asks for {}. Write the value, or ${{NAME}} for a variable.",
                        variable.reference
                    ),
                    None => format!("The variable {} is not set.", variable.name),
                };
                find(
                    &field_of(draft, &variable.field),
                    Severity::Warning,
                    message,
                );
            }
        }
        if let DraftEndpoint::Stdio { arguments, .. } = &draft.endpoint {
            for (index, argument) in arguments.iter().enumerate() {
                if argument == "~" || argument.starts_with("~/") {
                    let instead = match can.variable {
                        Some(_) => "${HOME} in its place",
                        None => "the whole path",
                    };
                    let message = format!("No shell expands ~ here. Write {instead}.");
                    find(&format!("arguments[{index}]"), Severity::Warning, message);
                }
            }
        }
        let token = draft.sign_in.as_ref().and_then(|sign_in| {
            let name = sign_in.bearer_variable.as_deref();
            name.filter(|name| !name.is_empty())
        });
        if let Some(name) = token
            && (self.core.config.machine.environment)(name).is_none()
        {
            find(
                "signIn.bearerVariable",
                Severity::Warning,
                format!("The variable {name} is not set."),
            );
        }
        let port = draft
            .sign_in
            .as_ref()
            .and_then(|sign_in| sign_in.callback_port);
        if port.is_some_and(|port| (1..1024).contains(&port)) {
            find(
                "signIn.callbackPort",
                Severity::Warning,
                "Ports below 1024 are for the system on most machines; choose a higher one."
                    .to_owned(),
            );
        }
        let mut program = None;
        let from = self.folder_trust.search_directory(target);
        if let Some(command) = expanded_command(&entry, &self.core.config.machine) {
            let machine = &self.core.config.machine;
            match machine.find_program(&command, &entry, &from, login_path) {
                Some(path) => program = Some(path.display().to_string()),
                None => find(
                    "command",
                    Severity::Warning,
                    format!(
                        "{command} was not found on the PATH. Install it, or enter its whole path."
                    ),
                ),
            }
        }
        Ok(DraftCheck {
            findings,
            variables,
            program,
            lost,
        })
    }
}

/// The field of the form in which a field of the entry is entered: `env.TOKEN` becomes
/// `environment[0]`.
fn field_of(draft: &Draft, field: &str) -> String {
    let entry = draft_entry(draft);
    let numbered = |object: &str, form: &str, name: &str| {
        let members = entry.get(object).and_then(Value::as_object)?;
        let index = members.keys().position(|key| key == name)?;
        Some(format!("{form}[{index}]"))
    };
    let split = field.split_once('.');
    let translated = match split {
        Some(("env", name)) => numbered("env", "environment", name),
        Some(("headers", name)) => numbered("headers", "headers", name),
        _ if field == "cwd" => Some("workingDirectory".to_owned()),
        _ => field
            .strip_prefix("args")
            .map(|rest| format!("arguments{rest}")),
    };
    translated.unwrap_or_else(|| field.to_owned())
}

/// The program of an entry with its variables put in; `None` when they have no values.
fn expanded_command(entry: &Map<String, Value>, machine: &Machine) -> Option<String> {
    let command = expanded(entry, machine)
        .get("command")?
        .as_str()?
        .to_owned();
    (!command.trim().is_empty() && !command.contains("${")).then_some(command)
}
