//! Keeps a connection: attempt after attempt, until it ends for good or the user ends it.

use std::{sync::Arc, time::Duration};

use sightglass_model::{Phase, Reconnection, ServerSpec, Timestamp};
use tokio::{sync::watch, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    attempt::{Attempt, Ending},
    backoff::{Backoff, Retry},
    board::Board,
    queue::{Queue, Standing},
};

/// Supervisor of one connection.
pub(crate) struct Keeper<Make> {
    pub spec: ServerSpec,
    /// Prepares an attempt, with a place of its own in the record.
    pub make: Make,
    pub board: Arc<Board>,
    pub queue: Arc<Queue>,
    /// The person wants the next try now, with what the configuration says now.
    pub hurry: watch::Receiver<Option<ServerSpec>>,
    pub cancel: CancellationToken,
}

impl<Make: Fn(ServerSpec) -> Attempt> Keeper<Make> {
    pub(crate) async fn keep(mut self) {
        let mut backoff = Backoff::default();
        let mut reconnection = None;
        loop {
            if let Some(spec) = self.hurry.borrow_and_update().clone() {
                self.spec = spec;
            }
            let attempt = (self.make)(self.spec.clone());
            let (wire, ending) = attempt.run(reconnection.take()).await;
            let retry = match &ending {
                Ending::Cancelled => None,
                Ending::Failed(failure) => {
                    let requested = attempt.journal.asked_to_wait();
                    backoff.after(failure, self.board.lived(), requested)
                }
            };
            self.queue.set(match retry {
                Some(_) => Standing::Returning,
                None => Standing::Down,
            });
            attempt.clean_up(&wire).await;
            let Ending::Failed(failure) = ending else {
                self.board.enter(Phase::Disconnected, None);
                attempt.tape.ended();
                return;
            };
            let reason = failure.to_string();
            let next = |retry: &Retry| Reconnection {
                attempt: retry.attempt,
                next_try: Some(Timestamp::now() + retry.wait),
                reason: reason.clone(),
                waiting: 0,
            };
            self.board.failed(failure, retry.as_ref().map(next));
            attempt.tape.ended();
            let Some(retry) = retry else {
                return;
            };
            if !self.wait(retry.wait).await {
                self.queue.set(Standing::Down);
                self.board.gave_up();
                return;
            }
            reconnection = Some(Reconnection {
                attempt: retry.attempt,
                next_try: None,
                reason,
                waiting: 0,
            });
        }
    }

    /// Waits for the next try; false when nobody wants it any more.
    async fn wait(&mut self, wait: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => false,
            changed = self.hurry.changed() => changed.is_ok(),
            () = sleep(wait) => true,
        }
    }
}
