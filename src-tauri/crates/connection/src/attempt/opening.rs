//! The link that an attempt begins with: a process that it starts, or an address that it
//! turns to.

use std::{collections::BTreeMap, sync::Arc};

use sightglass_model::{Endpoint, Failure, StepOutcome, TransportKind};

use super::Attempt;
use crate::{
    gate::{Gate, Versions},
    http::HttpLink,
    link_error::LinkError,
    process::{ProcessLink, Program},
    server_sent_events::SseLink,
    web_socket::WebSocketLink,
    wire::{Link, Wire},
};

impl Attempt {
    /// Opens the link, and attaches it to the wire.
    pub(super) async fn open(
        &self,
        wire: &Arc<Wire>,
        transport: TransportKind,
    ) -> Result<(), Failure> {
        let link = match &self.spec.endpoint {
            Endpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory,
            } => {
                let login = self.login_variables().await;
                let program = Program {
                    login,
                    command: command.clone(),
                    arguments: arguments.clone(),
                    environment: environment.clone(),
                    working_directory: working_directory.clone(),
                    command_line: self.spec.summary(),
                };
                Link::Stdio(ProcessLink::open(wire, program, self.reaper.clone()).await?)
            }
            Endpoint::Remote(remote) => {
                let versions = match transport {
                    TransportKind::WebSocket => Versions::One,
                    _ => Versions::Any,
                };
                let gate = Gate::open(remote, &self.proxies, versions)?
                    .authorized_by(self.authorizer.clone());
                if let Some((variable, proxy)) = self.proxies.of(gate.url()) {
                    self.tape.note(
                        "proxy",
                        &format!("Requests go through {proxy}, as {variable} says."),
                    );
                }
                self.open_remote(wire, gate, transport).await?
            }
        };
        wire.attach(link);
        Ok(())
    }

    /// The search path of the login shell, where it is to be asked.
    pub(crate) async fn login_path(&self) -> Option<String> {
        self.login_shell.get()?.path().await
    }

    /// Returns the variables of the login shell, where it is to be asked.
    async fn login_variables(&self) -> BTreeMap<&'static str, String> {
        let Some(shell) = self.login_shell.get() else {
            return BTreeMap::new();
        };
        let variables = shell.variables().await.clone();
        if !variables.is_empty() {
            let names: Vec<&str> = variables.keys().copied().collect();
            let words = format!("From the login shell: {}.", names.join(", "));
            self.tape.note("environment", &words);
        }
        variables
    }

    /// Streamable HTTP sends nothing before the first message; the others begin with a GET,
    /// which is a step of its own.
    async fn open_remote(
        &self,
        wire: &Arc<Wire>,
        gate: Gate,
        transport: TransportKind,
    ) -> Result<Link, LinkError> {
        if !matches!(transport, TransportKind::Sse | TransportKind::WebSocket) {
            return Ok(Link::Http(HttpLink::new(gate, self.message_limit)));
        }
        let step = self.board.step_started(transport, "GET");
        let opened = if transport == TransportKind::Sse {
            SseLink::open(wire, gate, self.message_limit)
                .await
                .map(Link::Sse)
        } else {
            WebSocketLink::open(wire, &gate, self.message_limit)
                .await
                .map(Link::WebSocket)
        };
        let (outcome, words) = match &opened {
            Ok(_) => (StepOutcome::Succeeded, "opened".to_owned()),
            Err(error) => (StepOutcome::Failed, error.to_string()),
        };
        self.board.step_ended(step, outcome, words);
        opened
    }
}
