//! Long-lived subscription of the stateless era: changes of lists and of resources are
//! reported on a request that stays open (MCP 2026-07-28, `subscriptions/listen`).

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_model::{Era, Failure};
use tokio::sync::Notify;

use crate::{
    json::Params,
    rpc::peer::{OutgoingRequest, PendingRequest},
    session::context::RequestContext,
    session::list_updates::Offered,
    session::preferences::Watched,
    transport::Outbound,
};

/// A subscription that the server ends is opened again, but not in a tight loop.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// Keeps the subscription open for as long as the connection lasts, and renews it when the
/// set of watched resources changes. Its outcome is noted in the session preferences.
pub(crate) async fn listen(context: &RequestContext, offered: &Offered) -> Failure {
    if context.era == Era::Legacy {
        return std::future::pending().await;
    }
    let preferences = &context.preferences;
    let mut watched = preferences.watched();
    let mut open: Option<PendingRequest> = None;
    // The resources of the newest subscription that the server acknowledged.
    let mut accepted = BTreeSet::new();
    // False once the server refused a subscription with tasks.
    let mut takes_tasks = offered.tasks;
    loop {
        let started = Instant::now();
        let mut current = watched.borrow_and_update().clone();
        if !takes_tasks {
            current.tasks.clear();
        }
        let acknowledged = Arc::new(Notify::new());
        let before = open.take();
        match filter(offered, &current) {
            Some(params) => open = Some(subscribe(context, &params, &acknowledged).await),
            None => {
                accepted.clear();
                preferences.subscribed(current.revision, true);
            }
        }
        // Only now, so that nothing falls between the old one and the new one.
        if let Some(before) = before {
            end(context, before).await;
        }
        let acknowledgement = async {
            acknowledged.notified().await;
            accepted.clone_from(&current.resources);
            preferences.subscribed(current.revision, true);
            std::future::pending::<()>().await
        };
        let ended = async {
            match &mut open {
                Some(pending) => pending.response().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            response = ended => {
                open = None;
                let is_refused = response.is_ok_and(|response| response.is_error);
                if is_refused && !current.tasks.is_empty() {
                    // Tasks are asked after from time to time anyway.
                    takes_tasks = false;
                } else if is_refused {
                    // The server has no subscriptions after all, or none of this kind. A
                    // change of what is wanted is worth another attempt: first of all without
                    // the resources that are new, then without any.
                    preferences.subscribed(current.revision, false);
                    let mut refused = &current.resources - &accepted;
                    if refused.is_empty() {
                        refused = current.resources;
                    }
                    if !refused.is_empty() {
                        preferences.refused(context, refused);
                    }
                    if watched.changed().await.is_err() {
                        return std::future::pending().await;
                    }
                } else {
                    tokio::time::sleep(RETRY_INTERVAL.saturating_sub(started.elapsed())).await;
                }
            }
            changed = watched.changed() => if changed.is_err() {
                return std::future::pending().await;
            },
            () = acknowledgement => {}
        }
    }
}

/// The parameters of the subscription, or nothing when there is nothing to listen to.
fn filter(offered: &Offered, watched: &Watched) -> Option<Params> {
    let mut wanted = serde_json::Map::new();
    for (name, offered) in [
        ("toolsListChanged", offered.tools_changed),
        ("promptsListChanged", offered.prompts_changed),
        ("resourcesListChanged", offered.resources_changed),
    ] {
        if offered {
            wanted.insert(name.to_owned(), true.into());
        }
    }
    for (name, ids) in [
        ("resourceSubscriptions", &watched.resources),
        ("taskIds", &watched.tasks),
    ] {
        if !ids.is_empty() {
            wanted.insert(name.to_owned(), json!(ids));
        }
    }
    let filter = serde_json::Value::Object(wanted.clone()).to_string();
    (!wanted.is_empty()).then(|| Params::object(&[("notifications", &filter)]))
}

async fn subscribe(
    context: &RequestContext,
    params: &Params,
    acknowledged: &Arc<Notify>,
) -> PendingRequest {
    context
        .peer
        .request(OutgoingRequest {
            acknowledged: Some(Arc::clone(acknowledged)),
            ..OutgoingRequest::plain("subscriptions/listen", params, &context.meta())
        })
        .await
}

/// Ends a subscription: over HTTP by closing its stream, else by cancelling its request.
async fn end(context: &RequestContext, pending: PendingRequest) {
    let id = pending.id;
    drop(pending);
    if context.peer.streamable_http().is_none() {
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        );
        let outbound = Outbound {
            text: text.into(),
            request: None,
        };
        // A transport that is gone has ended the subscription too.
        let _ = context.peer.send(outbound).await;
    }
}
