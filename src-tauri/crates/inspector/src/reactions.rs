//! Acts on what areas announce: publishes what follows from a change, in the order in which facts
//! depend on one another. Watches also for what other programs change in the data directory, which
//! nothing announces.

use std::sync::{Arc, atomic::Ordering};

use sightglass_area_core::{file_watch::FileWatch, publisher::Notice, view::Fact};
use sightglass_model::{ServerId, lock};

use crate::Inspector;

impl Inspector {
    /// Acts on a notice in the caller's thread.
    pub(crate) fn act_on(&self, notice: &Notice) {
        match notice {
            Notice::Servers => self.publish_servers(),
            Notice::Server(server) => self.publish_server(server),
            Notice::Configuration => self.publish_configuration(),
            Notice::FolderTrust => {
                self.publish_configuration();
                self.servers.roots.announce_default_roots();
            }
        }
    }

    /// Publishes the sidebar's servers as they are now, and how they stand with signing in.
    fn publish_servers(&self) {
        let _publishing = lock(&self.core.config.publishing);
        let (servers, files) = self.servers.sidebar.sidebar();
        self.sign_in.publish_auth(&servers);
        self.core
            .publisher
            .publish(Fact::Servers { servers, files });
    }

    /// Publishes one server as it is now; nothing for one that is not in the sidebar.
    fn publish_server(&self, server: &ServerId) {
        let _publishing = lock(&self.core.config.publishing);
        if let Some(server) = self.servers.sidebar.shown_server(server) {
            let server = Box::new(server);
            self.core.publisher.publish(Fact::Server { server });
        }
    }

    /// Publishes what the files say now.
    fn publish_configuration(&self) {
        self.core.config.revision.fetch_add(1, Ordering::AcqRel);
        self.publish_servers();
        let _publishing = lock(&self.core.config.publishing);
        self.core.publisher.publish(Fact::Configuration {
            view: Box::new(self.servers.projection.configuration()),
        });
    }

    /// Publishes what another program changes: what the user answered about the folder, and the rules
    /// for questions. Nothing announces that, so that their files are watched.
    pub(crate) fn follow_data_files(self: &Arc<Self>) {
        let inspector = Arc::downgrade(self);
        let files = vec![self.core.data.folders(), self.core.data.answer_rules()];
        let watch = FileWatch::start(
            move || files.clone(),
            move || {
                if let Some(inspector) = inspector.upgrade() {
                    inspector.servers.folder_trust.publish_folder_trust();
                    inspector.calls.answer_rules.rules.publish_changes();
                }
            },
        );
        *lock(&self.data_watch) = Some(watch);
    }
}
