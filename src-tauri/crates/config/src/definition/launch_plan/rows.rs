//! Shows every member of an entry as rows, the endpoint first.
//!
//! The rows of the endpoint are made from what was read for connecting; all other members follow
//! as they stand in the entry, also those that nothing understands. A member is never left out.
//!
//! Nothing is masked either: rows are what the user approves, and a mask over what merely looks
//! like a secret (`API_KEY=…; curl …`) would hide what starts. They are shown when asked for, and
//! are part of no list, record or report. Variables stay as they are written.

use serde_json::Value;
use sightglass_model::{RemoteTransport, entirely_visible};

use super::{LaunchPlan, PlanRow};
use crate::{
    definition::draft_entry::has_timeout_of_claude_code,
    entry::{
        UnexpandedEndpoint, UnexpandedRemote, UnexpandedText,
        dialect::{SIGN_IN_FIELDS, TEXT_FIELDS},
        expand::{Expansion, as_written},
    },
};

/// Members that take effect with a program alone.
const OF_PROGRAMS: &[&str] = &["command", "args", "env", "envFile", "cwd"];
/// Members that take effect with a remote server alone and are rows of its endpoint.
const OF_REMOTES: &[&str] = &[
    "url",
    "headers",
    "headersHelper",
    "ca_file",
    "tls_fingerprint",
];

/// The labels of the members that mean something to Sightglass.
const LABELS: [(&str, &str); 31] = [
    ("type", "Type"),
    ("transport", "Transport"),
    ("era", "Protocol"),
    ("startup_timeout", "Start limit in seconds"),
    ("tool_timeout", "Tool call limit in seconds"),
    ("timeout", "Tool call limit in milliseconds"),
    ("phase_timeouts", "Phase limits in seconds"),
    ("enabled_tools", "Only these tools"),
    ("disabled_tools", "Without these tools"),
    ("disabled", "Disabled"),
    ("enabled", "Enabled"),
    ("oauth", "Sign-in"),
    ("bearer_token_env_var", "Token from variable"),
    ("bearerTokenEnvVar", "Token from variable"),
    ("clientId", "Client ID"),
    ("client_id", "Client ID"),
    ("clientSecret", "Client secret"),
    ("client_secret", "Client secret"),
    ("clientMetadataUrl", "Client metadata URL"),
    ("client_metadata_url", "Client metadata URL"),
    ("scopes", "Scopes"),
    ("scope", "Scopes"),
    ("callbackPort", "Callback port"),
    ("callback_port", "Callback port"),
    ("authServerMetadataUrl", "Authorization server metadata"),
    ("auth_server_metadata_url", "Authorization server metadata"),
    ("command", "Command"),
    ("args", "Arguments"),
    ("env", "Environment"),
    ("cwd", "Working directory"),
    ("url", "URL"),
];

pub(super) fn rows(plan: &LaunchPlan) -> Vec<PlanRow> {
    let mut rows = Vec::new();
    let (shown, without_effect): (&[&str], &[&str]) = match plan.spec.as_ref() {
        Ok(spec) => match &spec.endpoint {
            UnexpandedEndpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory,
                environment_file,
            } => {
                row(&mut rows, "Command", [text(command)]);
                row(&mut rows, "Arguments", arguments.iter().map(text));
                row(&mut rows, "Environment", named(environment, "="));
                row(
                    &mut rows,
                    "Environment file",
                    environment_file.iter().map(text),
                );
                let directory = working_directory
                    .as_ref()
                    .map_or_else(|| "The project's folder".to_owned(), text);
                row(&mut rows, "Working directory", [directory]);
                (OF_PROGRAMS, OF_REMOTES)
            }
            UnexpandedEndpoint::Remote(remote) => {
                remote_rows(&mut rows, remote);
                (OF_REMOTES, OF_PROGRAMS)
            }
        },
        Err(_) => (&[], &[]),
    };
    for (member, value) in plan.entry.expose() {
        if shown.contains(&member.as_str()) {
            continue;
        }
        let known = LABELS.iter().find(|(name, _)| name == member);
        let label = match known {
            _ if without_effect.contains(&member.as_str())
                || (member == "timeout" && !has_timeout_of_claude_code(plan.entry.expose())) =>
            {
                format!("Without effect: {member}")
            }
            // Two spellings of one member are two rows.
            Some((_, label)) if rows.iter().any(|row| row.label == *label) => {
                format!("{label} ({member})")
            }
            Some((_, label)) => (*label).to_owned(),
            None => format!("Other member: {}", entirely_visible(member)),
        };
        row(&mut rows, &label, values(value, has_marks(plan, member)));
    }
    rows
}

fn remote_rows(rows: &mut Vec<PlanRow>, remote: &UnexpandedRemote) {
    row(rows, "URL", [text(&remote.url)]);
    let transport = match remote.transport {
        RemoteTransport::Auto => "Whichever works",
        RemoteTransport::Http => "Streamable HTTP",
        RemoteTransport::Sse => "Server-sent events",
        RemoteTransport::WebSocket => "WebSocket",
    };
    row(rows, "Transport used", [transport.to_owned()]);
    row(rows, "Headers", named(&remote.headers, ": "));
    row(
        rows,
        "Runs for headers",
        remote.headers_helper.iter().map(text),
    );
    row(
        rows,
        "Certificate authorities",
        remote.ca_file.iter().map(text),
    );
    row(
        rows,
        "Certificate fingerprint",
        remote.fingerprint.iter().map(text),
    );
}

/// Adds a row, unless there is nothing to show in it.
fn row(rows: &mut Vec<PlanRow>, label: &str, values: impl IntoIterator<Item = String>) {
    let values: Vec<String> = values.into_iter().collect();
    if !values.is_empty() {
        rows.push(PlanRow {
            label: label.to_owned(),
            values,
        });
    }
}

fn text(text: &UnexpandedText) -> String {
    entirely_visible(&text.shown()).into_owned()
}

fn named<'a>(
    texts: &'a [(String, UnexpandedText)],
    between: &'a str,
) -> impl Iterator<Item = String> + 'a {
    texts
        .iter()
        .map(move |(name, value)| format!("{}{between}{}", entirely_visible(name), text(value)))
}

/// Returns true when a member's texts can hold the mark of what stands for itself. All others are
/// taken as they stand, also what is in them in the form of a mark.
fn has_marks(plan: &LaunchPlan, member: &str) -> bool {
    let is_of_sign_in = ["oauth", "bearer_token_env_var", "bearerTokenEnvVar"].contains(&member)
        || SIGN_IN_FIELDS
            .iter()
            .any(|(_, names)| names.contains(&member));
    let rules = plan.spec.as_ref().map(|spec| spec.expansion);
    TEXT_FIELDS.contains(&member) || (is_of_sign_in && rules != Ok(Expansion::VariablesAndSecrets))
}

/// A value as the texts of a row: each element of a list and each member of an object by itself,
/// and anything deeper as JSON.
fn values(value: &Value, has_marks: bool) -> Vec<String> {
    let plain = |value: &Value| plain(value, has_marks);
    match value {
        Value::Array(elements) if !elements.is_empty() => elements.iter().map(plain).collect(),
        Value::Object(members) if !members.is_empty() => members
            .iter()
            .map(|(name, value)| format!("{}: {}", entirely_visible(name), plain(value)))
            .collect(),
        other => vec![plain(other)],
    }
}

fn plain(value: &Value, has_marks: bool) -> String {
    let mut text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if has_marks {
        text = as_written(&text).into_owned();
    }
    entirely_visible(&text).into_owned()
}
