//! Answers requests with what comes from elsewhere, in place of this server.

use std::sync::Arc;

use crate::{
    answer::{Accepted, Answer, failure},
    connection::ClientConnection,
    message::{Message, RequestId, RpcError},
    protocol::code,
    sink::Sink,
};

/// Answers requests in place of the demo server.
pub trait Responder: Send + Sync {
    /// Answers a request. The id and the parameters are JSON as it was written.
    fn respond(&self, method: &str, id: &str, params: Option<&str>) -> Response;
}

/// Answer of a [`Responder`].
#[derive(Debug)]
pub enum Response {
    /// These notifications, then this response; without one the request stays open until it is
    /// cancelled. Each is a whole message.
    Messages {
        notifications: Vec<String>,
        response: Option<String>,
    },
    /// There is no answer: the reason, and whether the method itself is unknown.
    Refused {
        message: String,
        is_unknown_method: bool,
    },
}

/// Handles a request as the responder says.
pub(crate) fn accept(
    responder: &dyn Responder,
    connection: &Arc<ClientConnection>,
    sink: &Sink,
    method: &str,
    id: RequestId,
    params: Option<&str>,
) -> Accepted {
    let (notifications, response) = match responder.respond(method, id.as_json(), params) {
        Response::Messages {
            notifications,
            response,
        } => (notifications, response.map(answer)),
        Response::Refused {
            message,
            is_unknown_method,
        } => {
            let code = match is_unknown_method {
                true => code::METHOD_NOT_FOUND,
                false => code::INVALID_PARAMS,
            };
            return Accepted::Answer(failure(Some(&id), RpcError::new(code, message)));
        }
    };
    match response {
        Some(response) if notifications.is_empty() => Accepted::Answer(response),
        response => {
            let (connection, sink) = (connection.clone(), sink.clone());
            let cancelled = connection.start(&id);
            Accepted::Working(Box::pin(async move {
                for notification in notifications {
                    sink.send(Message::from(notification)).await;
                }
                if response.is_none() {
                    cancelled.cancelled().await;
                }
                connection.end(&id);
                response
            }))
        }
    }
}

fn answer(text: String) -> Answer {
    Answer {
        message: Message::from(text),
        error: None,
    }
}
