//! Hands each event to its subscribers, in the order in which they were registered.
//!
//! The list stands here, below the publisher of facts, because what follows from an event is not
//! only a fact: some subscribers act before the fact goes out, some events never become one, and
//! the publisher of facts is a subscriber like the others. The order of registration is the order
//! of what follows.

use std::sync::{Arc, Mutex};

use crate::{ConnectionEvent, sync::lock};

/// Subscriber to what happens on connections.
pub trait EventSubscriber: Send + Sync {
    /// Takes an event. Called from many tasks, in order per server; must not block.
    fn receive(&self, event: &ConnectionEvent);
}

impl<F: Fn(&ConnectionEvent) + Send + Sync> EventSubscriber for F {
    fn receive(&self, event: &ConnectionEvent) {
        self(event);
    }
}

/// The subscribers, in their order.
#[derive(Default)]
pub(crate) struct Subscribers(Mutex<Arc<Vec<Arc<dyn EventSubscriber>>>>);

impl Subscribers {
    pub(crate) fn add(&self, subscriber: Arc<dyn EventSubscriber>) {
        Arc::make_mut(&mut lock(&self.0)).push(subscriber);
    }

    /// Hands an event to every subscriber. No lock is held meanwhile: what a subscriber does may
    /// bring about further events.
    pub(crate) fn publish(&self, event: &ConnectionEvent) {
        let subscribers = Arc::clone(&lock(&self.0));
        for subscriber in subscribers.iter() {
            subscriber.receive(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use sightglass_model::ServerId;

    use super::*;

    #[test]
    fn subscribers_take_an_event_in_the_order_of_registration() {
        let subscribers = Subscribers::default();
        let taken = Arc::<Mutex<Vec<u32>>>::default();
        for number in [1, 2] {
            let taken = Arc::clone(&taken);
            subscribers.add(Arc::new(move |_: &ConnectionEvent| {
                lock(&taken).push(number);
            }));
        }
        subscribers.publish(&ConnectionEvent::ResourcesUpdated {
            server: ServerId::demo(),
        });
        assert_eq!(*lock(&taken), [1, 2]);
    }
}
