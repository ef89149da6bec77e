//! Acts on what modules announce: publishes what follows from a change, in the order in which facts
//! depend on one another.

use std::sync::atomic::Ordering;

use crate::{Inspector, lock, publisher::Notice, view::Fact};

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
}
