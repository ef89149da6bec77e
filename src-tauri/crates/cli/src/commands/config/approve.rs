//! Approves servers of a project's files, after showing everything that connecting to them does.

use clap::Args;
use serde_json::json;
use sightglass_inspector::{
    PlanRow,
    view::{ApprovalDecision, TrustView},
};

use super::change::ask;
use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{HEADING, WARNING, styled},
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
                let server = host.inspector.find_server(name)?;
                let request = host.inspector.trust_request(&server)?;
                if !request.waiting {
                    return Ok(outcome(&[], format!("{} needs no approval.", request.name)));
                }
                vec![request]
            }
            None => host.inspector.trust_requests(),
        };
        if requests.is_empty() {
            let text = "No server of this project waits for approval.".to_owned();
            return Ok(outcome(&[], text));
        }
        let shown: String = requests.iter().map(described).collect();
        if self.dry_run {
            return Ok(outcome(&[], format!("{shown}Nothing was approved.")));
        }
        let question = match requests.len() {
            1 => "Approve this for this project?".to_owned(),
            several => format!("Approve all {several} for this project?"),
        };
        let otherwise = "Add `--yes` to approve without being asked, or `--dry-run` to see what \
                         would be approved.";
        if !self.yes && !ask(&shown, &question, otherwise)? {
            return Ok(outcome(&[], "Nothing was approved.".to_owned()));
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
        let report = host.inspector.approve_servers(&decisions)?;
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
            format!("{shown}Approved {}.", names.join(", ")),
        ))
    }
}

fn outcome(approved: &[&str], text: String) -> Outcome {
    Outcome::new(json!({ "approved": approved }).to_string(), text)
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

/// Everything that a server does, a line for each value. The texts hold no line breaks or other
/// control characters, so that none can pose as another row.
pub(super) fn launch(consequences: &[String], rows: &[PlanRow]) -> String {
    let mut shown = String::new();
    for sentence in consequences {
        shown.push_str(&format!("  {}\n", styled(WARNING, sentence)));
    }
    for row in rows {
        let mut label = row.label.as_str();
        for value in &row.values {
            shown.push_str(&format!("  {label:<22} {value}\n"));
            label = "";
        }
    }
    shown
}
