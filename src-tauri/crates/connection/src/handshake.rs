//! Finding the era, and the handshake of it.
//!
//! rmcp carries the handshake out, on a [`Port`]; what was agreed is read from the recorded
//! text. The stateless era is probed with `server/discover` (MCP 2026-07-28, versioning and
//! backward compatibility). rmcp's own probe gives up after ten seconds and then fails on
//! the late answer, so the probe is driven here: when the server is slow, `initialize` is
//! sent as well, and the first of the two that succeeds decides. The answer to the other
//! belongs to nobody and is only on record.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    ClientHandler, RoleClient,
    model::{ClientCapabilities, ClientConfig, ErrorCode, Implementation, ProtocolVersion},
    service::{
        ClientInitializeError, ClientLifecycleMode, RequestContext, RunningService,
        serve_client_with_lifecycle,
    },
};
use serde_json::json;
use sightglass_model::{Era, EraChoice, Failure, HandshakeFacts, Icon, Phase, StepOutcome};

use crate::{
    board::Board,
    connections::ClientIdentity,
    json::Members,
    link_error::LinkError,
    port::{HandshakeAnswer, Observed, Port, answered_version},
    sync::lock,
    wire::{Link, Wire, WireEnd},
};

/// How long the probe may take before `initialize` is sent as well.
const PROBE_PATIENCE: Duration = Duration::from_secs(3);
/// How much of an unexpected answer a failure shows.
const EXCERPT: usize = 2000;

/// What a handshake needs.
#[derive(Clone)]
pub(crate) struct Handshake {
    pub wire: Arc<Wire>,
    pub board: Arc<Board>,
    pub identity: ClientIdentity,
    pub roots: Arc<[PathBuf]>,
}

/// A handshake that succeeded.
pub(crate) struct Agreed {
    /// Answers `ping` and `roots/list`; ends when dropped.
    pub service: RunningService<RoleClient, Housekeeper>,
    pub facts: HandshakeFacts,
    /// The server's `capabilities`, verbatim.
    pub capabilities: String,
}

/// Why a handshake failed.
struct Refusal {
    failure: Failure,
    /// Whether it says that the server does not know this era, rather than that it is
    /// broken or out of reach.
    other_era: bool,
    /// For the timeline.
    words: String,
}

impl Handshake {
    /// Carries the handshake out. The phase is `initializing` until the first answer.
    /// Where the era is open, the one that an earlier attempt found comes first.
    pub(crate) async fn perform(
        self,
        era: EraChoice,
        found: Option<Era>,
    ) -> Result<Agreed, Failure> {
        let broken = async {
            self.wire.handshake_broken.notified().await;
            self.wire.broken_answer()
        };
        let agreed = async {
            match era {
                EraChoice::Modern => self.modern().await.map_err(|refusal| refusal.failure),
                EraChoice::Legacy => self.legacy().await.map_err(|refusal| refusal.failure),
                EraChoice::Auto if found == Some(Era::Legacy) => self.legacy_first().await,
                EraChoice::Auto => self.either().await,
            }
        };
        tokio::select! {
            agreed = agreed => agreed,
            broken = broken => Err(protocol_error(
                "the answer to the handshake is not valid JSON".to_owned(),
                broken.as_deref(),
            )),
        }
    }

    async fn either(&self) -> Result<Agreed, Failure> {
        let probe = self.modern();
        tokio::pin!(probe);
        let refusal = match tokio::time::timeout(PROBE_PATIENCE, &mut probe).await {
            Ok(Ok(agreed)) => return Ok(agreed),
            Ok(Err(refusal)) => refusal,
            Err(_) => return self.whichever_answers(probe).await,
        };
        if !refusal.other_era {
            return Err(refusal.failure);
        }
        self.board.tried(&format!(
            "server/discover {}; using initialize",
            refusal.words
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
        self.board.tried(&format!(
            "initialize {}; using server/discover",
            refusal.words
        ));
        self.modern().await.map_err(|_| refusal.failure)
    }

    /// The probe is slow: sends `initialize` too, and takes the first success.
    async fn whichever_answers(
        &self,
        mut probe: std::pin::Pin<&mut impl Future<Output = Result<Agreed, Refusal>>>,
    ) -> Result<Agreed, Failure> {
        self.board
            .tried("server/discover has no answer yet; trying initialize as well");
        let initialize = self.legacy();
        tokio::pin!(initialize);
        tokio::select! {
            agreed = &mut initialize => match agreed {
                Ok(agreed) => Ok(agreed),
                Err(refused) if refused.other_era => {
                    self.board.tried(&format!("initialize {}; waiting for server/discover", refused.words));
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

    async fn modern(&self) -> Result<Agreed, Refusal> {
        let mode = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        self.serve(mode, Era::Modern).await
    }

    async fn legacy(&self) -> Result<Agreed, Refusal> {
        self.serve(ClientLifecycleMode::Initialize, Era::Legacy)
            .await
    }

    /// One handshake, as a step for all to see.
    async fn serve(&self, mode: ClientLifecycleMode, era: Era) -> Result<Agreed, Refusal> {
        let step = self
            .board
            .step_started(self.wire.transport(), method_of(era));
        // On the heap: several handshakes stand in one future, and above them the whole way of a
        // message out to the network, which together would not fit the stack of a thread.
        let outcome = Box::pin(self.attempt(mode, era)).await;
        let (result, words) = match &outcome {
            Ok(agreed) => (
                StepOutcome::Succeeded,
                format!("agreed on {}", agreed.facts.protocol_version),
            ),
            Err(refusal) if refusal.words.is_empty() => {
                (StepOutcome::Failed, refusal.failure.to_string())
            }
            Err(refusal) => (StepOutcome::Failed, refusal.words.clone()),
        };
        self.board.step_ended(step, result, words);
        outcome
    }

    async fn attempt(&self, mode: ClientLifecycleMode, era: Era) -> Result<Agreed, Refusal> {
        let (port, observed) = Port::open(&self.wire, &self.board);
        let housekeeper = Housekeeper {
            config: client_config(&self.identity, era),
            roots: Arc::clone(&self.roots),
        };
        match Box::pin(serve_client_with_lifecycle(housekeeper, port, mode)).await {
            Ok(service) => {
                let answer = lock(&observed).answer.take();
                let Some(answer) = answer else {
                    return Err(Refusal::broken(
                        "the handshake left no answer".to_owned(),
                        None,
                    ));
                };
                let (facts, capabilities) = self.facts(era, &answer);
                Ok(Agreed {
                    service,
                    facts,
                    capabilities,
                })
            }
            Err(error) => Err(self.refusal(era, error, &observed)),
        }
    }

    /// Reads from the recorded text what was agreed.
    fn facts(&self, era: Era, answer: &HandshakeAnswer) -> (HandshakeFacts, String) {
        let text = String::from_utf8_lossy(&answer.text);
        let result = member_text(&text, "result").unwrap_or_default();
        let info = match era {
            Era::Legacy => member_text(&result, "serverInfo"),
            // In the stateless era the server's name travels in `_meta` (MCP 2026-07-28).
            Era::Modern => member_text(&result, "serverInfo").or_else(|| {
                member_text(
                    &member_text(&result, "_meta")?,
                    "io.modelcontextprotocol/serverInfo",
                )
            }),
        }
        .unwrap_or_default();
        let version = match era {
            Era::Legacy => string_member(&result, "protocolVersion"),
            Era::Modern => Some(ProtocolVersion::V_2026_07_28.to_string()),
        };
        let capabilities = member_text(&result, "capabilities").unwrap_or_else(|| "{}".to_owned());
        let facts = HandshakeFacts {
            transport: self.wire.transport(),
            era,
            protocol_version: version.unwrap_or_default(),
            server_name: string_member(&info, "name").unwrap_or_default(),
            server_title: string_member(&info, "title"),
            server_version: string_member(&info, "version").unwrap_or_default(),
            server_description: string_member(&info, "description"),
            website: string_member(&info, "websiteUrl"),
            icons: icons(&info),
            instructions: string_member(&result, "instructions"),
            capabilities: names(&capabilities),
            capabilities_json: capabilities.clone(),
            round_trip: answer.round_trip,
            request_frame: answer.request_frame.unwrap_or(answer.response_frame),
            response_frame: answer.response_frame,
            process: match self.wire.link() {
                Some(Link::Stdio(process)) => Some(process.process_id()),
                _ => None,
            },
        };
        (facts, capabilities)
    }

    fn refusal(
        &self,
        era: Era,
        error: ClientInitializeError,
        observed: &Mutex<Observed>,
    ) -> Refusal {
        let (answer, link_error) = {
            let observed = lock(observed);
            (observed.answer.clone(), observed.link_error.clone())
        };
        let method = method_of(era);
        let received = answer.as_ref().map(|answer| &*answer.text);
        let end = self.wire.how_it_ended().filter(|_| answer.is_none());
        match (link_error, end) {
            (None | Some(LinkError::Closed), Some(WireEnd { end, .. })) => {
                return Refusal {
                    failure: protocol_error(format!("{method} {}", end.words()), None),
                    other_era: false,
                    words: end.words(),
                };
            }
            (Some(link_error), _) => return Refusal::from_link(link_error),
            (None, None) => {}
        }
        match error {
            ClientInitializeError::JsonRpcError(refused) => Refusal {
                failure: protocol_error(
                    format!(
                        "the server refused {method}: {} (code {})",
                        refused.message, refused.code.0
                    ),
                    received,
                ),
                // A modern server's own errors say that it is one.
                other_era: ![
                    ErrorCode::HEADER_MISMATCH,
                    ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
                ]
                .contains(&refused.code),
                words: format!("answered {}", refused.code.0),
            },
            ClientInitializeError::NoCompatibleProtocolVersion {
                server_supported, ..
            } => {
                let theirs: Vec<&str> = server_supported
                    .iter()
                    .map(ProtocolVersion::as_str)
                    .collect();
                Refusal {
                    failure: protocol_error(
                        format!(
                            "no version in common: the server speaks {}, this client {} in this era",
                            list_words(&theirs),
                            ProtocolVersion::V_2026_07_28,
                        ),
                        received,
                    ),
                    other_era: true,
                    words: format!("offered {}", list_words(&theirs)),
                }
            }
            error => {
                let version = received.and_then(answered_version);
                let message = match version {
                    Some(version) if era == Era::Legacy && !is_known(&version) => format!(
                        "the server answered with protocol version {version}, which this client does not \
                         know; it asked for {}",
                        ProtocolVersion::LATEST_WITH_INITIALIZE
                    ),
                    _ if answer.is_some() => format!("the answer to {method} has the wrong shape"),
                    _ => format!("no answer to {method}: {error}"),
                };
                Refusal {
                    failure: protocol_error(message, received),
                    other_era: era == Era::Modern && answer.is_some(),
                    words: match &answer {
                        Some(_) => "was answered in a shape that it does not have".to_owned(),
                        None => "had no answer".to_owned(),
                    },
                }
            }
        }
    }
}

impl Refusal {
    fn broken(message: String, received: Option<&[u8]>) -> Self {
        Self {
            failure: protocol_error(message, received),
            other_era: false,
            words: String::new(),
        }
    }

    fn from_link(error: LinkError) -> Self {
        // A server of the other era answers a request that it cannot place with one of
        // these; 401, 403 and 429 mean the same in both eras.
        let (other_era, words) = match &error {
            LinkError::Status { status, .. } | LinkError::Unexpected { status, .. } => (
                !matches!(status, 401 | 403 | 429 | 502..=504),
                format!("was answered with HTTP {status}"),
            ),
            _ => (false, String::new()),
        };
        Self {
            failure: error.into(),
            other_era,
            words,
        }
    }
}

/// The request that opens a connection.
fn method_of(era: Era) -> &'static str {
    match era {
        Era::Legacy => "initialize",
        Era::Modern => "server/discover",
    }
}

fn protocol_error(message: String, received: Option<&[u8]>) -> Failure {
    Failure::ProtocolError {
        message,
        received: received.map(|received| {
            String::from_utf8_lossy(received)
                .chars()
                .take(EXCERPT)
                .collect()
        }),
        stderr: Vec::new(),
    }
}

fn is_known(version: &str) -> bool {
    ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .any(|known| known.as_str() == version)
}

fn list_words(versions: &[&str]) -> String {
    if versions.is_empty() {
        "none that it names".to_owned()
    } else {
        versions.join(", ")
    }
}

fn member_text(object: &str, name: &str) -> Option<String> {
    Some(Members::parse(object).ok()?.text(name)?.to_owned())
}

fn string_member(object: &str, name: &str) -> Option<String> {
    Members::parse(object).ok()?.string(name)
}

/// The pictures in a server's description of itself; those of the wrong shape are left out.
fn icons(info: &str) -> Vec<Icon> {
    let entries: Vec<serde_json::Value> = member_text(info, "icons")
        .and_then(|icons| serde_json::from_str(&icons).ok())
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

/// What this client can do, as declared to servers.
pub(crate) fn capabilities() -> serde_json::Value {
    json!({
        "roots": { "listChanged": true },
        "sampling": {},
        "elicitation": { "form": {}, "url": {} },
    })
}

pub(crate) fn implementation(identity: &ClientIdentity) -> Implementation {
    let implementation = Implementation::new(&identity.name, &identity.version);
    match &identity.title {
        Some(title) => implementation.with_title(title),
        None => implementation,
    }
}

fn client_config(identity: &ClientIdentity, era: Era) -> ClientConfig {
    // The literal above is a valid value of this type; a test holds on to that.
    let capabilities: ClientCapabilities =
        serde_json::from_value(capabilities()).unwrap_or_default();
    // rmcp would name its newest version in `initialize`, which has no such handshake.
    let version = match era {
        Era::Legacy => ProtocolVersion::LATEST_WITH_INITIALIZE,
        Era::Modern => ProtocolVersion::V_2026_07_28,
    };
    ClientConfig::new(capabilities, implementation(identity)).with_protocol_version(version)
}

/// What rmcp answers to servers by itself.
pub(crate) struct Housekeeper {
    config: ClientConfig,
    roots: Arc<[PathBuf]>,
}

#[expect(
    deprecated,
    reason = "roots are deprecated by 2026-07-28 and in use by everything before"
)]
impl ClientHandler for Housekeeper {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, rmcp::ErrorData> {
        let roots = self.roots.iter().map(|root| {
            let typed = rmcp::model::Root::new(file_url(root));
            match root.file_name() {
                Some(name) => typed.with_name(name.to_string_lossy()),
                None => typed,
            }
        });
        Ok(rmcp::model::ListRootsResult::new(roots.collect()))
    }
}

/// The result of `roots/list` as JSON, for the stateless era.
pub(crate) fn roots_result(roots: &[PathBuf]) -> String {
    let roots: Vec<serde_json::Value> = roots
        .iter()
        .map(|root| {
            let name = root
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            match name {
                Some(name) => json!({ "uri": file_url(root), "name": name }),
                None => json!({ "uri": file_url(root) }),
            }
        })
        .collect();
    json!({ "roots": roots }).to_string()
}

/// The `file:` URL of a directory (RFC 8089).
fn file_url(path: &std::path::Path) -> String {
    reqwest::Url::from_directory_path(path).map_or_else(
        |()| format!("file://{}", path.display()),
        |url| url.as_str().trim_end_matches('/').to_owned(),
    )
}

/// The phase's first words.
pub(crate) fn opening_words(era: EraChoice) -> String {
    match era {
        EraChoice::Auto | EraChoice::Modern => "probing server/discover".to_owned(),
        EraChoice::Legacy => "initialize".to_owned(),
    }
}

/// Enters the phase of the first request.
pub(crate) fn begin(board: &Board, era: EraChoice) {
    board.enter(Phase::Initializing, Some(opening_words(era)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_capabilities_are_what_rmcp_sends() {
        let typed: ClientCapabilities = serde_json::from_value(capabilities()).unwrap();
        assert_eq!(serde_json::to_value(typed).unwrap(), capabilities());
    }

    #[test]
    fn initialize_names_the_newest_version_that_has_it() {
        let identity = ClientIdentity {
            name: "n".into(),
            title: None,
            version: "1".into(),
        };
        let config = client_config(&identity, Era::Legacy);
        assert_eq!(config.protocol_version.as_str(), "2025-11-25");
    }

    #[cfg(unix)]
    #[test]
    fn a_root_is_a_file_url() {
        assert_eq!(file_url(std::path::Path::new("/a b/c")), "file:///a%20b/c");
    }
}
