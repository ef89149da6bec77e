//! Connects to the servers of a run, each once.
//!
//! A server that is connected is used as it is. One that is not is connected for the run and
//! disconnected after it. A request with an era or a longer time limit of its own gets a
//! connection of its own beside the user's.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use sightglass_area_core::{core::Core, defined_by::REQUESTS, error::InspectorError};
use sightglass_area_servers::{
    configuration::Configuration, lifecycle::ServerLifecycle, open_connections::OpenConnections,
    readiness::ServerReadiness, server_names::ServerNames, server_spec::ServerSpecs,
    sign_in_target::SignInTargets, tried::TriedServers,
};
use sightglass_config::{Draft, DraftEndpoint, DraftRemote, LaunchPlan, NamedText};
use sightglass_model::{
    EraChoice, FailureReport, Phase, RemoteTransport, ServerId, ServerSpec, lock,
};
use sightglass_requests::{InlineEndpoint, InlineServer, RequestEra, RequestFile, RequestServer};
use tokio::sync::OnceCell;

use super::server_label;

/// Returns whether a server is one of a request's file.
fn is_of_request(server: &ServerId) -> bool {
    server.is_of(REQUESTS)
}

/// Connections of one run.
#[derive(Default)]
pub(super) struct RunConnections {
    by_key: Mutex<HashMap<RunConnectionKey, Connected>>,
    /// Those that the run made, to be closed after it.
    own: Mutex<Vec<ServerId>>,
}

/// The server of a connection once it is ready, or the reason why it is not.
type Connected = Arc<OnceCell<Result<ServerId, NotConnected>>>;

/// Reason why the server of a request is not connected.
#[derive(Debug, Clone)]
pub(super) struct NotConnected {
    pub reason: String,
    /// Failure of the connection, where it was tried.
    pub failure: Option<Box<FailureReport>>,
}

impl From<InspectorError> for NotConnected {
    fn from(error: InspectorError) -> Self {
        Self {
            reason: error.to_string(),
            failure: None,
        }
    }
}

/// Distinguishes connections of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RunConnectionKey {
    server: ServerId,
    era: RequestEra,
    /// A time limit that the server's own would cut off.
    limit: Option<Duration>,
}

/// Connects to the servers of a run, each once.
pub struct RequestConnections {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) readiness: Arc<ServerReadiness>,
    pub(crate) names: Arc<ServerNames>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    pub(crate) tried: Arc<TriedServers>,
}

impl RequestConnections {
    /// The server of a request, connected.
    pub(super) async fn connected_for(
        &self,
        file: &RequestFile,
        connections: &RunConnections,
    ) -> Result<ServerId, NotConnected> {
        if let RequestServer::Named(name) = &file.server
            && let Ok(server) = self.names.find_server(name)
        {
            self.lifecycle.read_entry_secrets(&server).await?;
        }
        let (server, spec) = self.spec_for(file)?;
        let own_limit = spec.limits.for_phase(Phase::Executing);
        let limit = file
            .timeout
            .filter(|limit| own_limit.is_some_and(|own| *limit > own));
        let key = RunConnectionKey {
            server: server.clone(),
            era: file.era,
            limit,
        };
        let cell = Arc::clone(lock(&connections.by_key).entry(key).or_default());
        let connected = cell.get_or_init(|| async {
            let mut facts = self.core.publisher.subscribe();
            let made = self.connect_for_run(&server, spec, file.era, limit);
            let (id, is_own) = made?;
            if is_own {
                lock(&connections.own).push(id.clone());
            }
            if matches!(
                self.open_connections.status(&id).phase,
                Phase::Ready | Phase::Executing
            ) {
                return Ok(id);
            }
            self.readiness
                .ready(&id, &mut facts)
                .await
                .map_err(|failure| {
                    let label = server_label(&file.server);
                    NotConnected {
                        reason: match &failure {
                            Some(failure) => format!("{label}: {}", failure.reason),
                            None => format!("{label} was disconnected."),
                        },
                        failure,
                    }
                })?;
            Ok(id)
        });
        connected.await.clone()
    }

    /// Closes the connections that the run made.
    pub(super) async fn close_run(&self, connections: &RunConnections) {
        let own = std::mem::take(&mut *lock(&connections.own));
        for server in own {
            self.open_connections.disconnect(&server).await;
            if is_of_request(&server) {
                lock(&self.sign_in_targets.ad_hoc_servers).remove(&server);
            }
        }
    }

    /// The id of a request's server.
    pub(super) fn server_of(&self, file: &RequestFile) -> Result<ServerId, InspectorError> {
        match &file.server {
            RequestServer::Named(name) => self.names.find_server(name),
            RequestServer::Inline(inline) => {
                Ok(inline_id(&LaunchPlan::of_draft(&draft_of(inline))))
            }
        }
    }

    /// The id and the endpoint of a request's server.
    fn spec_for(&self, file: &RequestFile) -> Result<(ServerId, ServerSpec), InspectorError> {
        match &file.server {
            RequestServer::Named(name) => {
                let server = self.names.find_server(name)?;
                let spec = self.specs.spec(&server)?;
                Ok((server, spec))
            }
            RequestServer::Inline(inline) => {
                let draft = draft_of(inline);
                let server = inline_id(&LaunchPlan::of_draft(&draft));
                let spec = self.tried.resolve_draft(&server, &draft)?;
                Ok((server, spec))
            }
        }
    }

    /// Starts to connect, unless the user's own connection will do. Says whether the connection is
    /// the run's own.
    fn connect_for_run(
        &self,
        server: &ServerId,
        mut spec: ServerSpec,
        era: RequestEra,
        limit: Option<Duration>,
    ) -> Result<(ServerId, bool), InspectorError> {
        let is_inline = is_of_request(server);
        if era == RequestEra::Auto && limit.is_none() && !is_inline {
            return match self.open_connections.status(server).phase {
                Phase::Disconnected | Phase::Failed => {
                    self.connect_for_user(server, spec)?;
                    Ok((server.clone(), true))
                }
                _ => Ok((server.clone(), false)),
            };
        }
        if era != RequestEra::Auto {
            spec.era = match era {
                RequestEra::Modern => EraChoice::Modern,
                RequestEra::Legacy | RequestEra::Auto => EraChoice::Legacy,
            };
            spec.client.revision = None;
        }
        if let Some(limit) = limit {
            spec.limits.phases.remove(Phase::Executing.name());
            spec.limits.tool = Some(limit);
        }
        if is_inline {
            let id = variant_id(server, era, limit);
            self.lifecycle.connect_as(&id, spec)?;
            return Ok((id, true));
        }
        // It is the same server: the token of its sign-in goes with it.
        let (spec, authorizer) = self.lifecycle.permitted(server, spec)?;
        let id = variant_id(server, era, limit);
        self.core
            .connections
            .connect_with(id.clone(), spec, authorizer);
        Ok((id, true))
    }

    /// Connects as the user would, or as the command line described the server.
    fn connect_for_user(&self, server: &ServerId, spec: ServerSpec) -> Result<(), InspectorError> {
        if self.configuration.configured(server).is_ok() || *server == ServerId::demo() {
            self.lifecycle.connect(server)
        } else {
            self.lifecycle.connect_as(server, spec)
        }
    }
}

/// The id of a connection of a run's own.
fn variant_id(server: &ServerId, era: RequestEra, limit: Option<Duration>) -> ServerId {
    if era == RequestEra::Auto && limit.is_none() {
        return server.clone();
    }
    let name = match is_of_request(server) {
        true => server.name(),
        false => server.as_str(),
    };
    let era = match era {
        RequestEra::Auto => None,
        RequestEra::Modern => Some("modern".to_owned()),
        RequestEra::Legacy => Some("legacy".to_owned()),
    };
    let limit = limit.map(|limit| format!("{limit:?}"));
    let parts: Vec<String> = era.into_iter().chain(limit).collect();
    // All in one pair of brackets: that of a server whose own name ends with some is another.
    ServerId::new(REQUESTS, &format!("{name} ({})", parts.join(", ")))
}

/// The id of a server that request files define: the same for the same plan.
pub(super) fn inline_id(plan: &LaunchPlan) -> ServerId {
    // The whole of it: of a beginning another plan can be made, and it would get its connection.
    ServerId::new(REQUESTS, &plan.fingerprint())
}

/// A server of a request's file as a draft.
pub(super) fn draft_of(inline: &InlineServer) -> Draft {
    let named = |texts: &std::collections::BTreeMap<String, String>| {
        let texts = texts.iter().map(|(name, text)| NamedText {
            name: name.clone(),
            text: text.clone(),
        });
        texts.collect()
    };
    let endpoint = match &inline.endpoint {
        InlineEndpoint::Program {
            command,
            arguments,
            environment,
            directory,
        } => DraftEndpoint::Stdio {
            command: command.clone(),
            arguments: arguments.clone(),
            environment: named(environment),
            working_directory: directory.clone(),
        },
        InlineEndpoint::Remote {
            url,
            headers,
            transport,
        } => DraftEndpoint::Remote(DraftRemote {
            url: url.clone(),
            headers: named(headers),
            transport: match transport.as_deref() {
                Some("http") => RemoteTransport::Http,
                Some("sse") => RemoteTransport::Sse,
                Some("ws") => RemoteTransport::WebSocket,
                _ => RemoteTransport::Auto,
            },
            ..DraftRemote::default()
        }),
    };
    Draft {
        name: server_label(&RequestServer::Inline(inline.clone())),
        endpoint,
        era: EraChoice::Auto,
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_connections_of_a_run_have_one_id() {
        let inline = draft_of(&InlineServer {
            name: None,
            endpoint: InlineEndpoint::Remote {
                url: "https://a.test/mcp".to_owned(),
                headers: Default::default(),
                transport: None,
            },
        });
        let inline = inline_id(&LaunchPlan::of_draft(&inline));
        // All of it: of a beginning another plan can be made.
        assert_eq!(inline.name().len(), 64);
        let servers = ["docs", "docs (modern)", "docs (modern, 600s)"];
        let servers = servers.map(|name| ServerId::new("mcp-json", name));
        let limits = [None, Some(600), Some(601)].map(|limit| limit.map(Duration::from_secs));
        let mut ids = std::collections::HashSet::new();
        for server in servers.iter().chain([&inline]) {
            for era in [RequestEra::Auto, RequestEra::Modern, RequestEra::Legacy] {
                for limit in limits {
                    let id = variant_id(server, era, limit);
                    assert!(ids.insert(id.clone()), "{id}");
                }
            }
        }
    }
}
