//! Acts on what modules announce: publishes what follows from a change, in the order in which facts
//! depend on one another. Watches also for what other programs change in the data directory, which
//! nothing announces.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use crate::{Inspector, lock, publisher::Notice, view::Fact};

/// Interval at which the window is told the state of recording.
const RECORDING_INTERVAL: Duration = Duration::from_secs(1);

impl Inspector {
    /// Acts on a notice in the caller's thread.
    pub(crate) fn act_on(&self, notice: &Notice) {
        match notice {
            Notice::Servers => self.publish_servers(),
            Notice::Configuration => self.publish_configuration(),
            Notice::FolderTrust => {
                self.publish_configuration();
                self.announce_default_roots();
            }
        }
    }

    /// Publishes the sidebar's servers as they are now, and how they stand with signing in.
    fn publish_servers(&self) {
        let _publishing = lock(&self.config.publishing);
        let (servers, files) = self.sidebar();
        self.publish_auth(&servers);
        self.publisher.publish(Fact::Servers { servers, files });
    }

    /// Publishes what the files say now.
    fn publish_configuration(&self) {
        self.config.revision.fetch_add(1, Ordering::AcqRel);
        self.publish_servers();
        let _publishing = lock(&self.config.publishing);
        self.publisher.publish(Fact::Configuration {
            view: Box::new(self.configuration()),
        });
    }

    /// Tells when recording stops or starts, or its figures change, and when another program
    /// changed what the user answered about the folder, or the rules for questions.
    pub(crate) fn watch_data_directory(self: &Arc<Self>) {
        let inspector = Arc::downgrade(self);
        let mut last = self.recorder.state();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(RECORDING_INTERVAL).await;
                let Some(inspector) = inspector.upgrade() else {
                    break;
                };
                let reading = move |inspector: Arc<Inspector>| {
                    inspector.publish_folder_trust();
                    inspector.answer_rules.publish_changes();
                    (inspector.recorder.state(), inspector)
                };
                let Ok((state, inspector)) =
                    tokio::task::spawn_blocking(move || reading(inspector)).await
                else {
                    break;
                };
                if state != last {
                    inspector.publisher.publish(Fact::Recording {
                        state: state.clone(),
                    });
                    last = state;
                }
            }
        });
    }
}
