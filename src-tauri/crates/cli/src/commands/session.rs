//! `check` and `mock`: what can be done with a session file.

use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use clap::Args;
use serde_json::json;
use sightglass_demo_server::{Answers, Eras, ListenTransport, Responder, Response, serve};
use sightglass_inspector::{
    Finding, RecordPlace, SessionCheck, SessionReport, check_session_file, finding_line, read_mock,
};

use crate::{
    error::{CliError, Exit},
    outcome::{Outcome, write_report},
    style::{BAD, FAINT, GOOD, HEADING, counted, harmless, styled},
};

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli check FILE [--fail-on CHECKS] [--json] [--junit FILE]",
    after_help = "Checks: error (an error was answered), stray (output that is no message), \
                  invalid (a message that is none, or an answer to nothing), pending (no answer), \
                  late-result (a result after its cancellation), mismatch (HTTP headers that \
                  contradict the message), request-state (one that was changed, dropped or \
                  invented), deprecated (in revision 2026-07-28), schema (a result that its output \
                  schema does not allow), id-reuse, incomplete (missing frames, a file that was cut \
                  off).\nExit code 5 when one of those in --fail-on found something."
)]
pub(crate) struct CheckSession {
    /// The session file
    file: PathBuf,
    /// Checks that fail, separated by commas
    #[arg(
        long,
        value_name = "CHECKS",
        value_delimiter = ',',
        value_parser = check_named,
        default_value = "stray,invalid,pending,late-result,mismatch,request-state,schema,id-reuse,incomplete"
    )]
    fail_on: Vec<SessionCheck>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

fn check_named(name: &str) -> Result<SessionCheck, String> {
    SessionCheck::ALL
        .into_iter()
        .find(|check| check.name() == name)
        .ok_or_else(|| {
            let names = SessionCheck::ALL.map(SessionCheck::name);
            format!("the checks are {}", names.join(", "))
        })
}

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli mock FILE [--http PORT] [--server NAME] [--allow-masked]",
    after_help = "A request is found by its method and its parameters, without what differs from \
                  call to call. The same request gets the recorded answers in order, and the last \
                  one again. What was not recorded is answered with an error that names the \
                  nearest recorded request."
)]
pub(crate) struct ServeMock {
    /// The session file
    file: PathBuf,
    /// Serve Streamable HTTP on 127.0.0.1:PORT instead of stdio; 0 picks a port
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
    /// The server to serve, of a file with several
    #[arg(long, visible_alias = "recorded", value_name = "NAME")]
    server: Option<String>,
    /// Serve answers in which secrets were masked
    #[arg(long)]
    allow_masked: bool,
}

impl CheckSession {
    pub(crate) async fn run(self) -> Result<Outcome, CliError> {
        let path = self.file.clone();
        let report = blocking(move || Ok(check_session_file(&path)?)).await?;
        if let Some(path) = &self.junit {
            let recording = self.file.display().to_string();
            write_report(path, report.junit(&recording, &self.fail_on))?;
        }
        let failing = report
            .findings
            .iter()
            .filter(|finding| self.fails(finding))
            .count();
        let findings = report.findings.iter().map(|finding| {
            json!({
                "check": finding.rule,
                "exchange": finding.exchanges.first(),
                "connection": finding.subject.connection,
                "at": finding.subject.at,
                "method": finding.subject.method,
                "message": finding.message,
            })
        });
        let result = json!({
            "frames": report.frames,
            "findings": findings.collect::<Vec<_>>(),
            "leftOut": report.left_out,
        });
        let outcome = Outcome::new(result.to_string(), self.text(&report));
        Ok(match failing {
            0 => outcome,
            _ => outcome.with_error(CliError::requests(
                Exit::CheckFailed,
                &format!(
                    "{}: {} that should not be.",
                    self.file.display(),
                    counted(failing, "finding")
                ),
            )),
        })
    }

    fn fails(&self, finding: &Finding<RecordPlace>) -> bool {
        self.fail_on
            .iter()
            .any(|check| finding.rule == check.name())
    }

    fn text(&self, report: &SessionReport) -> String {
        let frames = counted(report.frames, "frame");
        if report.findings.is_empty() {
            return format!("{} Nothing was found in {frames}.\n", styled(GOOD, "✓"));
        }
        let mut text = String::new();
        for finding in &report.findings {
            let style = match self.fails(finding) {
                true => BAD,
                false => FAINT,
            };
            text.push_str(&format!(
                "{}  {}\n",
                styled(style, &finding.rule),
                harmless(&finding_line(finding))
            ));
        }
        let found = report.findings.len() + report.left_out as usize;
        text.push_str(&styled(
            HEADING,
            &format!("{} in {frames}", counted(found, "finding")),
        ));
        if report.left_out > 0 {
            text.push_str(&format!(" ({} are not shown)", report.left_out));
        }
        text.push('\n');
        text
    }
}

impl ServeMock {
    /// Serves until the client goes away.
    pub(crate) async fn run(self) -> Result<Outcome, CliError> {
        let (file, server, allow_masked) = (self.file.clone(), self.server, self.allow_masked);
        let mock = blocking(move || Ok(read_mock(&file, server.as_deref(), allow_masked)?)).await?;
        let eras = match (mock.has_initialize(), mock.is_modern()) {
            (true, true) => Eras::Both,
            (false, true) => Eras::ModernOnly,
            (_, false) => Eras::InitializeOnly,
        };
        let transport = match self.http {
            Some(port) => ListenTransport::Http {
                port,
                answers: Answers::EventStream,
            },
            None => ListenTransport::Stdio,
        };
        let responder = Arc::new(RecordedAnswers(Mutex::new(mock)));
        let ended = serve(responder, eras, transport).await;
        let code = ended.map_err(|error| CliError::system(&format!("{error}.")))?;
        match code == ExitCode::SUCCESS {
            true => Ok(Outcome::nothing()),
            false => Err(CliError::system("The server ended early.")),
        }
    }
}

/// A recording behind the transports of the demo server.
struct RecordedAnswers(Mutex<sightglass_inspector::Mock>);

impl Responder for RecordedAnswers {
    fn respond(&self, method: &str, id: &str, params: Option<&str>) -> Response {
        let mut mock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match mock.answer(method, id, params) {
            Ok(answer) => Response::Messages {
                notifications: answer.notifications,
                response: answer.response,
            },
            Err(miss) => Response::Refused {
                message: miss.message,
                is_unknown_method: miss.is_unknown_method,
            },
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CliError> + Send + 'static,
) -> Result<T, CliError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(CliError::interrupted()))
}
