//! Negotiates the era of a server and carries out its handshake.
//!
//! rmcp carries the handshake out, on a [`RmcpAdapter`]; what was agreed is read from the recorded
//! text. The stateless era is probed with `server/discover` (MCP 2026-07-28, versioning and
//! backward compatibility). rmcp's own probe gives up after ten seconds and then fails on
//! the late answer, so the probe is driven here: when the server is slow, `initialize` is
//! sent as well, and the first of the two that succeeds decides. The answer to the other
//! is only on record.

mod client;
mod refusal;

use std::{sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    model::ProtocolVersion,
    service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle},
};
use sightglass_json_text::Members;
use sightglass_model::{
    DeclaredFeatures, Era, EraChoice, Failure, HandshakeResult, Icon, Phase, StepOutcome,
};

pub use client::ClientIdentity;
pub(crate) use client::{ClientHandler, Declaration};
use refusal::HandshakeRefusal;
pub(crate) use refusal::protocol_error;

use crate::{
    rpc::{peer::Peer, response::Response},
    session::rmcp_adapter::RmcpAdapter,
    status::publisher::StatusPublisher,
    sync::lock,
    transport::Transport,
};

/// Time limit for the probe before `initialize` is sent as well.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

/// Time for the right answer after one that fits no request: long enough for the other era to be
/// tried.
const STRAY_PATIENCE: Duration = Duration::from_secs(5);

/// Parts that a handshake needs.
#[derive(Clone)]
pub(crate) struct Handshake {
    pub peer: Arc<Peer>,
    pub publisher: Arc<StatusPublisher>,
    pub declaration: Arc<Declaration>,
}

/// A handshake that succeeded.
pub(crate) struct Agreed {
    /// Answers `ping`; ends when dropped.
    pub service: RunningService<RoleClient, ClientHandler>,
    pub facts: HandshakeResult,
    /// The server's `capabilities`, verbatim.
    pub capabilities: String,
}

impl Handshake {
    /// Carries the handshake out. The phase is `initializing` until the first answer.
    /// Where the era is open, the one that an earlier attempt found comes first.
    pub(crate) async fn perform(
        self,
        era: EraChoice,
        found: Option<Era>,
    ) -> Result<Agreed, Failure> {
        let agreed = async {
            match era {
                EraChoice::Modern => {
                    let agreed = self.modern().await;
                    agreed.map_err(|refusal| refusal.where_era_is_set(Era::Modern))
                }
                EraChoice::Legacy => {
                    let agreed = self.legacy().await;
                    agreed.map_err(|refusal| refusal.where_era_is_set(Era::Legacy))
                }
                EraChoice::Auto if found == Some(Era::Legacy) => self.legacy_first().await,
                EraChoice::Auto => self.either().await,
            }
        };
        tokio::select! {
            agreed = agreed => agreed,
            broken = self.peer.broken_answer() => Err(protocol_error(
                "the answer to the handshake is not valid JSON".to_owned(),
                broken.as_deref(),
            )),
            stray = self.peer.stray_answer(STRAY_PATIENCE) => Err(protocol_error(
                stray.to_string(),
                Some(&stray.text),
            )),
        }
    }

    async fn either(&self) -> Result<Agreed, Failure> {
        let probe = self.modern();
        tokio::pin!(probe);
        let refusal = match tokio::time::timeout(PROBE_TIMEOUT, &mut probe).await {
            Ok(Ok(agreed)) => return Ok(agreed),
            Ok(Err(refusal)) => refusal,
            Err(_) => return self.whichever_answers(probe).await,
        };
        if !refusal.other_era {
            return Err(refusal.failure);
        }
        self.publisher.tried(&format!(
            "server/discover {}; using initialize",
            refusal.message
        ));
        self.legacy().await.map_err(|refusal| refusal.failure)
    }

    /// The server spoke `initialize` before; if it refuses it now, it may have been renewed.
    async fn legacy_first(&self) -> Result<Agreed, Failure> {
        let refusal = match self.legacy().await {
            Ok(agreed) => return Ok(agreed),
            Err(refusal) if refusal.other_era => refusal,
            Err(refusal) => return Err(refusal.failure),
        };
        self.publisher.tried(&format!(
            "initialize {}; using server/discover",
            refusal.message
        ));
        self.modern().await.map_err(|_| refusal.failure)
    }

    /// The probe is slow: sends `initialize` too, and takes the first success.
    async fn whichever_answers(
        &self,
        mut probe: std::pin::Pin<&mut impl Future<Output = Result<Agreed, HandshakeRefusal>>>,
    ) -> Result<Agreed, Failure> {
        self.publisher
            .tried("server/discover has no answer yet; trying initialize as well");
        let initialize = self.legacy();
        tokio::pin!(initialize);
        tokio::select! {
            agreed = &mut initialize => match agreed {
                Ok(agreed) => Ok(agreed),
                Err(refused) if refused.other_era => {
                    self.publisher.tried(&format!("initialize {}; waiting for server/discover", refused.message));
                    probe.await.map_err(|_| refused.failure)
                }
                Err(refused) => Err(refused.failure),
            },
            agreed = &mut probe => match agreed {
                Ok(agreed) => Ok(agreed),
                Err(_) => initialize.await.map_err(|refusal| refusal.failure),
            },
        }
    }

    async fn modern(&self) -> Result<Agreed, HandshakeRefusal> {
        let mode = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        self.serve(mode, Era::Modern).await
    }

    async fn legacy(&self) -> Result<Agreed, HandshakeRefusal> {
        self.serve(ClientLifecycleMode::Initialize, Era::Legacy)
            .await
    }

    /// One handshake, as a step for all to see.
    async fn serve(&self, mode: ClientLifecycleMode, era: Era) -> Result<Agreed, HandshakeRefusal> {
        let step = self
            .publisher
            .step_started(self.peer.transport_kind(), method_of(era));
        // On the heap: several handshakes stand in one future, and above them the whole way of a
        // message out to the network, which together would not fit the stack of a thread.
        let outcome = Box::pin(self.attempt(mode, era)).await;
        let (result, message) = match &outcome {
            Ok(agreed) => (
                StepOutcome::Succeeded,
                format!("agreed on {}", agreed.facts.protocol_version),
            ),
            Err(refusal) if refusal.message.is_empty() => {
                (StepOutcome::Failed, refusal.failure.to_string())
            }
            Err(refusal) => (StepOutcome::Failed, refusal.message.clone()),
        };
        self.publisher.step_ended(step, result, message);
        outcome
    }

    async fn attempt(
        &self,
        mode: ClientLifecycleMode,
        era: Era,
    ) -> Result<Agreed, HandshakeRefusal> {
        let (adapter, observed) = RmcpAdapter::open(
            &self.peer,
            &self.publisher,
            self.declaration.capabilities(era),
        );
        let handler = ClientHandler {
            config: self.declaration.config(era),
        };
        match Box::pin(serve_client_with_lifecycle(handler, adapter, mode)).await {
            Ok(service) => {
                let answer = lock(&observed).answer.take();
                let Some(answer) = answer else {
                    return Err(HandshakeRefusal::broken(
                        "the handshake left no answer".to_owned(),
                        None,
                    ));
                };
                let (facts, capabilities) = self.facts(era, &answer);
                if let (Era::Legacy, Some(wanted)) = (era, self.declaration.revision)
                    && facts.protocol_version != wanted
                {
                    return Err(HandshakeRefusal::of_revision(
                        wanted,
                        &facts.protocol_version,
                        &answer,
                    ));
                }
                Ok(Agreed {
                    service,
                    facts,
                    capabilities,
                })
            }
            Err(error) => Err(HandshakeRefusal::of(&self.peer, era, error, &observed)),
        }
    }

    /// Reads from the recorded text what was agreed.
    fn facts(&self, era: Era, answer: &Response) -> (HandshakeResult, String) {
        let text = String::from_utf8_lossy(&answer.text);
        let answer_members = Members::parse(&text).ok();
        let result = answer_members.and_then(|members| members.object("result"));
        let result = result.as_ref();
        let info = result.and_then(|result| match era {
            Era::Legacy => result.object("serverInfo"),
            // In the stateless era the server's name travels in `_meta` (MCP 2026-07-28).
            Era::Modern => result.object("serverInfo").or_else(|| {
                let meta = result.object("_meta")?;
                meta.object("io.modelcontextprotocol/serverInfo")
            }),
        });
        let info = info.as_ref();
        let version = match era {
            Era::Legacy => string_member(result, "protocolVersion"),
            Era::Modern => Some(ProtocolVersion::V_2026_07_28.to_string()),
        };
        let capabilities = result.and_then(|result| result.text("capabilities"));
        let capabilities = capabilities.unwrap_or("{}").to_owned();
        let facts = HandshakeResult {
            transport: self.peer.transport_kind(),
            era,
            protocol_version: version.unwrap_or_default(),
            server_name: string_member(info, "name").unwrap_or_default(),
            server_title: string_member(info, "title"),
            server_version: string_member(info, "version").unwrap_or_default(),
            server_description: string_member(info, "description"),
            website: string_member(info, "websiteUrl"),
            icons: icons(info),
            instructions: string_member(result, "instructions"),
            capabilities: names(&capabilities),
            capabilities_json: capabilities.clone(),
            features: DeclaredFeatures::of(era, &capabilities),
            round_trip: answer.round_trip.into(),
            request_frame: answer.request_frame.unwrap_or(answer.frame),
            response_frame: answer.frame,
            process: match self.peer.transport() {
                Some(Transport::Stdio(process)) => Some(process.process_id()),
                _ => None,
            },
        };
        (facts, capabilities)
    }
}

/// The request that opens a connection.
fn method_of(era: Era) -> &'static str {
    match era {
        Era::Legacy => "initialize",
        Era::Modern => "server/discover",
    }
}

fn string_member(object: Option<&Members<'_>>, name: &str) -> Option<String> {
    object?.string(name)
}

/// The pictures in a server's description of itself; those of the wrong shape are left out.
fn icons(info: Option<&Members<'_>>) -> Vec<Icon> {
    let entries: Vec<serde_json::Value> = info
        .and_then(|info| serde_json::from_str(info.text("icons")?).ok())
        .unwrap_or_default();
    let text = |entry: &serde_json::Value, name: &str| Some(entry.get(name)?.as_str()?.to_owned());
    entries
        .iter()
        .filter_map(|entry| {
            Some(Icon {
                source: text(entry, "src")?,
                theme: text(entry, "theme"),
            })
        })
        .collect()
}

/// The names of an object's members, in their order.
fn names(object: &str) -> Vec<String> {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(object)
        .map(|object| object.into_iter().map(|(name, _)| name).collect())
        .unwrap_or_default()
}

/// The phase's first words.
pub(crate) fn opening_message(era: EraChoice) -> String {
    match era {
        EraChoice::Auto | EraChoice::Modern => "probing server/discover".to_owned(),
        EraChoice::Legacy => "initialize".to_owned(),
    }
}

/// Enters the phase of the first request.
pub(crate) fn begin(publisher: &StatusPublisher, era: EraChoice) {
    publisher.enter(Phase::Initializing, Some(opening_message(era)));
}
