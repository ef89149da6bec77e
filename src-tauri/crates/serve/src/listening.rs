//! Changes of lists that agents are told of: in a session all, in the stateless era those that a
//! `subscriptions/listen` asks for.

use std::sync::{Arc, Mutex, Weak};

use sightglass_inspector::ListKind;
use sightglass_json_text::{Members, object};
use sightglass_model::lock;
use tokio::sync::Notify;

/// Lists that changed, or of which an agent wants to know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListChanges {
    tools: bool,
    resources: bool,
    prompts: bool,
}

impl ListChanges {
    /// All of them: an agent with a session is told without asking.
    pub const ALL: Self = Self {
        tools: true,
        resources: true,
        prompts: true,
    };

    /// The one that a change of a list is told as.
    pub fn of(list: ListKind) -> Self {
        Self {
            tools: list == ListKind::Tools,
            resources: matches!(list, ListKind::Resources | ListKind::ResourceTemplates),
            prompts: list == ListKind::Prompts,
        }
    }

    /// Reads the member `notifications` of `subscriptions/listen`.
    pub fn read(text: &str) -> Option<Self> {
        let members = Members::parse(text).ok()?;
        let wants = |name| members.text(name) == Some("true");
        Some(Self {
            tools: wants("toolsListChanged"),
            resources: wants("resourcesListChanged"),
            prompts: wants("promptsListChanged"),
        })
    }

    /// Returns the text of that member.
    pub fn text(self) -> String {
        let members = [
            ("toolsListChanged", self.tools),
            ("resourcesListChanged", self.resources),
            ("promptsListChanged", self.prompts),
        ];
        let wanted = members.into_iter().filter(|(_, is_wanted)| *is_wanted);
        object(wanted.map(|(name, _)| (name, "true")))
    }

    fn or(self, other: Self) -> Self {
        Self {
            tools: self.tools || other.tools,
            resources: self.resources || other.resources,
            prompts: self.prompts || other.prompts,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            tools: self.tools && other.tools,
            resources: self.resources && other.resources,
            prompts: self.prompts && other.prompts,
        }
    }

    /// Returns the methods of the notifications that tell of them.
    pub fn methods(self) -> impl Iterator<Item = &'static str> {
        let methods = [
            (self.tools, "notifications/tools/list_changed"),
            (self.resources, "notifications/resources/list_changed"),
            (self.prompts, "notifications/prompts/list_changed"),
        ];
        methods
            .into_iter()
            .filter_map(|(is_changed, method)| is_changed.then_some(method))
    }
}

/// Changes that one receiver was not told of yet. Those that come while it is told are told together.
pub struct PendingChanges {
    wanted: ListChanges,
    changed: Mutex<ListChanges>,
    arrived: Notify,
}

impl PendingChanges {
    fn add(&self, change: ListChanges) {
        let change = change.and(self.wanted);
        if change != ListChanges::default() {
            let mut changed = lock(&self.changed);
            *changed = changed.or(change);
            self.arrived.notify_one();
        }
    }

    /// Waits for the next changes.
    pub async fn next(&self) -> ListChanges {
        self.arrived.notified().await;
        std::mem::take(&mut *lock(&self.changed))
    }
}

/// Receivers of changes, each for as long as it is held elsewhere.
#[derive(Default)]
pub struct ChangeReceivers(Mutex<Vec<Weak<PendingChanges>>>);

impl ChangeReceivers {
    /// Adds a receiver of these changes.
    pub fn add(&self, wanted: ListChanges) -> Arc<PendingChanges> {
        let pending = Arc::new(PendingChanges {
            wanted,
            changed: Mutex::default(),
            arrived: Notify::new(),
        });
        let mut receivers = lock(&self.0);
        receivers.retain(|receiver| receiver.strong_count() > 0);
        receivers.push(Arc::downgrade(&pending));
        pending
    }

    /// Tells each receiver of a change. Does not wait for any.
    pub fn tell(&self, change: ListChanges) {
        for receiver in lock(&self.0).iter().filter_map(Weak::upgrade) {
            receiver.add(change);
        }
    }
}
