//! Requests about tasks, and the questions that tasks ask in their results.

use std::collections::BTreeSet;

use futures::future::BoxFuture;
use sightglass_model::{FrameId, ServerId};

use super::Connections;
use crate::{
    ConnectionError, ServerAnswer, TaskQuestion,
    json::Params,
    rpc::{inbox::IncomingQuestion, response::RequestOutcome},
    session::call,
    task_call,
};

impl Connections {
    /// Sends a request that the user did not ask for, such as `tasks/get` from time to time. It
    /// takes no turn from those of the user's, and the status does not show it.
    pub fn request_unseen<'a>(
        &'a self,
        server: &'a ServerId,
        method: &'a str,
        params: &'a Params,
    ) -> BoxFuture<'a, Result<RequestOutcome, ConnectionError>> {
        Box::pin(self.send_unseen(server, method, params))
    }

    async fn send_unseen(
        &self,
        server: &ServerId,
        method: &str,
        params: &Params,
    ) -> Result<RequestOutcome, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        Ok(call::run_unseen(&session, method, params).await)
    }

    /// Puts a question of a task to the user and waits for the answer: nothing when the connection
    /// ended. Dropping the future withdraws the question.
    pub async fn ask_for_task(
        &self,
        server: &ServerId,
        task: &str,
        key: &str,
        question: TaskQuestion,
        frame: Option<FrameId>,
    ) -> Result<Option<ServerAnswer>, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let peer = &session.context.peer;
        let call = task_call(task);
        if question.method == "roots/list" {
            let json = peer.answer_roots(Some(call), frame);
            return Ok(Some(ServerAnswer::Result { json }));
        }
        let asked = peer.ask(IncomingQuestion {
            connection: peer.key.clone(),
            input: Some(key.to_owned()),
            method: question.method,
            params: question.params,
            calls: vec![call],
            frame,
            wire_id: None,
            before_another_try: false,
            // A task has no time limit.
            time_left: None,
        });
        match asked {
            Ok(answer) => tokio::select! {
                answer = answer => Ok(answer),
                () = peer.connection.ended.cancelled() => Ok(None),
            },
            Err(refusal) => Ok(Some(refusal)),
        }
    }

    /// Asks the server to tell of these tasks, and of no others, over the long-lived subscription
    /// of the stateless era (SEP-2663, `taskIds`). A server that cannot is asked from time to time.
    pub fn subscribe_tasks(&self, server: &ServerId, tasks: BTreeSet<String>) {
        if let Some(connection) = self.known(server) {
            connection.preferences.watch_tasks(tasks);
        }
    }
}
