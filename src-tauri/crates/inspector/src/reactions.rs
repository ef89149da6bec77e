//! Acts on what modules announce: publishes what follows from a change, in the order in which facts
//! depend on one another.

use crate::{Inspector, publisher::Notice};

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
}
