//! Facts with sequence numbers, to everybody who subscribed.

use std::sync::Mutex;

use tokio::sync::mpsc;

use crate::{
    lock,
    view::{Fact, InspectorEvent},
};

/// A batch carries no more facts than this.
const LARGEST_BATCH: usize = 512;

/// Numbers facts and hands them on.
#[derive(Default)]
pub(crate) struct Publisher {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sequence: u32,
    subscribers: Vec<mpsc::UnboundedSender<InspectorEvent>>,
}

impl Publisher {
    /// Tells everybody. Facts are few (progress is thinned out where it arises, and
    /// messages are not facts), so the queues need no bound.
    pub fn publish(&self, fact: Fact) {
        let mut state = lock(&self.state);
        state.sequence = state.sequence.wrapping_add(1);
        let event = InspectorEvent {
            sequence: state.sequence,
            fact,
        };
        state
            .subscribers
            .retain(|subscriber| subscriber.send(event.clone()).is_ok());
    }

    pub fn subscribe(&self) -> Subscription {
        let (sender, receiver) = mpsc::unbounded_channel();
        lock(&self.state).subscribers.push(sender);
        Subscription { receiver }
    }

    /// Takes a picture such that every fact up to the returned number is in it. The facts
    /// that arise meanwhile may be in it too; applying them again changes nothing.
    pub fn sequence(&self) -> u32 {
        lock(&self.state).sequence
    }
}

/// The facts from the moment of subscribing.
pub struct Subscription {
    receiver: mpsc::UnboundedReceiver<InspectorEvent>,
}

impl Subscription {
    /// Waits for the next facts. `None` when the inspector is gone.
    pub async fn next_batch(&mut self) -> Option<Vec<InspectorEvent>> {
        let mut batch = Vec::new();
        match self.receiver.recv_many(&mut batch, LARGEST_BATCH).await {
            0 => None,
            _ => Some(batch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Settings;

    fn fact() -> Fact {
        Fact::Settings {
            settings: Settings::default(),
        }
    }

    #[tokio::test]
    async fn a_subscriber_hears_every_fact_from_then_on_in_order() {
        let publisher = Publisher::default();
        publisher.publish(fact());
        let mut subscription = publisher.subscribe();
        assert_eq!(publisher.sequence(), 1);
        publisher.publish(fact());
        publisher.publish(fact());
        let sequences: Vec<u32> = subscription
            .next_batch()
            .await
            .expect("the publisher lives")
            .iter()
            .map(|event| event.sequence)
            .collect();
        assert_eq!(sequences, [2, 3]);
    }
}
