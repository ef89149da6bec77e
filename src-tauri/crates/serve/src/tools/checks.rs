//! Examines servers: changes, findings, and the tests of the project.

use serde::Deserialize;
use serde_json::{Value, json};
use sightglass_inspector::{
    RunProgress, Verdict,
    view::{RequestRunOptions, RequestSelection},
};
use tokio_util::sync::CancellationToken;

use super::{MAX_ROWS, servers::OfServer, text_of};
use crate::{agent::AgentRequest, reach::ServingError, serving::Serving};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedTests {
    #[serde(default)]
    paths: Vec<String>,
    tag: Option<String>,
    server: Option<String>,
    environment: Option<String>,
}

/// Compares what a server shows with what is stored of it.
pub async fn drift(serving: &Serving, wanted: OfServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    serving.reach.ready(&server).await?;
    let view = serving.inspector.checks.surfaces.surface(&server)?;
    if view.stored.is_none() {
        return Err(ServingError::Arguments(format!(
            "Nothing is stored of {} to compare with. The user stores what it shows now with \
             `sightglass-cli pin {}`.",
            server.name(),
            server.name()
        )));
    }
    let total = view.changes.len() + view.left_out as usize;
    let rows: Vec<Value> = view
        .changes
        .iter()
        .take(MAX_ROWS as usize)
        .map(|change| json!(change))
        .collect();
    let more = total - rows.len();
    let mut drift = json!({
        "server": server,
        "stored": view.stored,
        "pinned": view.is_pinned,
        "possible_rug_pull": view.is_possible_rug_pull,
        "breaking": view.breaking,
        "from_server": rows,
    });
    if more > 0 {
        drift["more"] = json!(format!("{more} more changes, less important ones"));
    }
    Ok(serving.outgoing.masked_of(&server, &drift.to_string()))
}

/// Finds fault with what a server shows.
pub async fn lint(serving: &Serving, wanted: OfServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    serving.reach.ready(&server).await?;
    let findings = serving
        .inspector
        .checks
        .surfaces
        .lint_surface(&server, &[])?;
    let rows = findings
        .iter()
        .take(MAX_ROWS as usize)
        .map(|finding| json!(finding))
        .collect();
    let found = super::page("from_server", rows, 0, findings.len());
    Ok(serving.outgoing.masked_of(&server, &found.to_string()))
}

/// Runs tests of the project.
pub async fn run_tests(
    serving: &Serving,
    request: &AgentRequest,
    wanted: WantedTests,
) -> Result<String, ServingError> {
    let tests = &serving.inspector.tests;
    let options = RequestRunOptions {
        selection: RequestSelection {
            paths: wanted.paths,
            tag: wanted.tag,
            server: wanted.server,
        },
        environment: wanted.environment,
        jobs: 1,
        ..RequestRunOptions::default()
    };
    // Dropped with the request, it ends the run.
    let stop = CancellationToken::new();
    let _ended = stop.clone().drop_guard();
    let (told, mut done) = tokio::sync::mpsc::unbounded_channel();
    let on_progress = move |progress: RunProgress| {
        if let RunProgress::Finished(_) = progress {
            // Nobody listens any more when the run is over.
            let _ = told.send(());
        }
    };
    let directory = tests.files.requests_directory();
    let run = tests
        .runs
        .run_requests(&directory, &options, &on_progress, &stop);
    tokio::pin!(run);
    let mut count = 0;
    let report = loop {
        tokio::select! {
            report = &mut run => break report?,
            Some(()) = done.recv() => {
                count += 1;
                request.announce_progress(&[("progress", count.to_string())]).await;
            }
        }
    };
    let total = report.cases.len();
    let failed: Vec<Value> = report
        .cases
        .iter()
        .filter(|case| !matches!(case.verdict, Verdict::Passed | Verdict::Skipped))
        .map(|case| {
            let checks: Vec<Value> = case
                .checks
                .iter()
                .filter(|check| !check.passed)
                .map(|check| {
                    json!({
                        "expected": check.label,
                        "line": check.line,
                        "message": check.message,
                        "from_server": check.actual,
                    })
                })
                .collect();
            json!({
                "path": case.path,
                "verdict": case.verdict,
                "reason": case.reason,
                "next_step": case.hint,
                "failed_checks": checks,
            })
        })
        .take(MAX_ROWS as usize)
        .collect();
    text_of(&json!({
        "tests": total,
        "totals": report.totals,
        "milliseconds": report.duration,
        "failed": failed,
    }))
}
