//! Connections for tests of a server, beside those of the user.
//!
//! They are made by the same code from what connecting would start, and told to nobody: the window
//! shows the user's own connection meanwhile. Questions of the server are declined.

use std::sync::Arc;

use sightglass_auth::Authorizer;
use sightglass_connection::{ConnectionEvent, Connections, ServerAnswer};
use sightglass_model::{ConnectionStatus, PermittedSpec, Phase, ServerId, Timestamp};
use sightglass_traffic::Recorder;
use tokio::{sync::mpsc, task::AbortHandle};

/// JSON-RPC error for a question that nobody is asked (MCP, Sampling, error handling).
const DECLINED: i32 = -1;

/// Connections that end with this.
pub struct TestConnections {
    pub connections: Arc<Connections>,
    declining: AbortHandle,
}

impl TestConnections {
    /// Stands beside `others`, whose options it has.
    pub fn new(others: &Connections, recorder: Recorder) -> Self {
        let (ask, mut asked) = mpsc::unbounded_channel();
        let connections = others.beside(recorder);
        connections.subscribe_events(Arc::new(move |event: &ConnectionEvent| {
            if let ConnectionEvent::QuestionArrived { question } = event {
                // The run may be over.
                let _ = ask.send(question.clone());
            }
        }));
        let connections = Arc::new(connections);
        let answering = Arc::downgrade(&connections);
        let declining = tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                let Some(connections) = answering.upgrade() else {
                    break;
                };
                let answer = match question.method.as_str() {
                    "elicitation/create" => ServerAnswer::Result {
                        json: r#"{"action":"decline"}"#.to_owned(),
                    },
                    _ => ServerAnswer::Error {
                        code: DECLINED,
                        message: "Nobody is asked during a test.".to_owned(),
                    },
                };
                // The server may have withdrawn it.
                let _ = connections.answer(question.id, answer);
            }
        });
        Self {
            connections,
            declining: declining.abort_handle(),
        }
    }

    /// Connects, and waits until that is done or has failed.
    pub async fn connect(
        &self,
        server: &ServerId,
        spec: PermittedSpec,
        authorizer: Option<Authorizer>,
    ) -> ConnectionStatus {
        self.connections
            .connect_with(server.clone(), spec, authorizer);
        let is_done =
            |status: &ConnectionStatus| status.phase.is_live() || status.phase == Phase::Failed;
        let status = self.connections.wait_for_status(server, is_done).await;
        status.unwrap_or_else(|| ConnectionStatus::disconnected(Timestamp::now()))
    }

    /// Ends every connection, and waits until nothing is left of them.
    pub async fn close(self) {
        self.connections.shutdown().await;
    }
}

impl Drop for TestConnections {
    fn drop(&mut self) {
        self.declining.abort();
    }
}
