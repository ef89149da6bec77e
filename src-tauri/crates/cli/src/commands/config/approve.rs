//! Approves servers of a project's files, after showing everything that connecting to them does.

use clap::Args;
use serde_json::{Value, json};
use sightglass_inspector::view::{ApprovalDecision, TrustView};

use super::change::ask;
use crate::{
    error::CliError,
    host::Host,
    launch::launch,
    outcome::Outcome,
    style::{HEADING, styled},
};

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The server
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    name: Option<String>,
    /// Approve every server that waits in this project
    #[arg(long)]
    all: bool,
    /// Show what would be approved, and approve nothing
    #[arg(long)]
    dry_run: bool,
    /// Approve without asking
    #[arg(long)]
    yes: bool,
}

impl Approve {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let requests = match &self.name {
            Some(name) => {
                let server = host.inspector.servers.names.find_server(name)?;
                let request = host.inspector.servers.trust.trust_request(&server)?;
                if !request.waiting {
                    let text = format!("{} needs no approval.", request.name);
                    return Ok(outcome(&[], &[], text));
                }
                vec![request]
            }
            None => host.inspector.servers.trust.trust_requests(),
        };
        if requests.is_empty() {
            let text = "No server of this project waits for approval.".to_owned();
            return Ok(outcome(&[], &[], text));
        }
        let shown: String = requests.iter().map(described).collect();
        if self.dry_run {
            let text = format!("{shown}Nothing was approved.");
            return Ok(outcome(&[], &requests, text));
        }
        let question = match requests.len() {
            1 => "Approve this for this project?".to_owned(),
            several => format!("Approve all {several} for this project?"),
        };
        let otherwise = "Add `--yes` to approve without being asked, or `--dry-run` to see what \
                         would be approved.";
        if !self.yes && !ask(&shown, &question, otherwise)? {
            let text = "Nothing was approved.".to_owned();
            return Ok(outcome(&[], &requests, text));
        }
        self.approve(host, &requests, &shown)
    }

    fn approve(
        &self,
        host: &Host,
        requests: &[TrustView],
        shown: &str,
    ) -> Result<Outcome, CliError> {
        let decisions: Vec<ApprovalDecision> = requests
            .iter()
            .map(|request| ApprovalDecision {
                server: request.server.clone(),
                fingerprint: request.fingerprint.clone(),
            })
            .collect();
        let report = host.inspector.servers.trust.approve_servers(&decisions)?;
        if !report.changed.is_empty() {
            let names: Vec<&str> = report
                .changed
                .iter()
                .map(|server| server.name.as_str())
                .collect();
            return Err(CliError::usage(
                &format!(
                    "{} changed meanwhile and was not approved.",
                    names.join(", ")
                ),
                "Run the command again to see what it says now.",
            ));
        }
        let names: Vec<&str> = requests
            .iter()
            .map(|request| request.name.as_str())
            .collect();
        let shown = if self.yes { shown } else { "" };
        Ok(outcome(
            &names,
            requests,
            format!("{shown}Approved {}.", names.join(", ")),
        ))
    }
}

/// Says what was approved, and everything that the servers in question do: whoever reads the result
/// alone approves nothing unseen.
fn outcome(approved: &[&str], requests: &[TrustView], text: String) -> Outcome {
    let requests = requests.iter().map(|request| {
        json!({
            "name": request.name,
            "path": request.path,
            "line": request.line,
            "changed": request.changed,
            "kind": request.kind,
            "consequences": request.consequences,
            "rows": request.rows,
        })
    });
    let requests: Vec<Value> = requests.collect();
    let result = json!({ "approved": approved, "requests": requests });
    Outcome::new(result.to_string(), text)
}

/// A server that waits, and everything that it does.
fn described(request: &TrustView) -> String {
    let mut shown = format!(
        "{}\n{}:{}\n",
        styled(HEADING, &request.name),
        request.path,
        request.line
    );
    shown.push_str(&launch(&request.consequences, &request.rows));
    shown.push('\n');
    shown
}
