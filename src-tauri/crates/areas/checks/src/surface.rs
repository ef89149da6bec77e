//! Stores the surfaces of servers, and tells what changed in them.
//!
//! The first surface of a server is trusted. Later ones are compared with it: harmless changes
//! are taken over, others stay until the user accepts them, so that a change is not missed by
//! connecting once more. A pinned surface is never replaced but by the user. All of it is kept in
//! the data directory, by project and server; no file of a project has a say in it.

mod counterpart;
mod definition;
pub mod store;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use sightglass_area_calls::{current_surface::CurrentSurface, surface_difference::difference};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    live_servers::LiveServers,
    publisher::Subscription,
    view::{Fact, SilencedFindings, SurfaceView},
};
use sightglass_area_record::sessions::SessionFiles;
use sightglass_area_servers::{
    lifecycle::ServerLifecycle, open_connections::OpenConnections,
    server_settings::SettingsByServer, sign_in_target::SignInTargets,
};
use sightglass_connection::{ConnectionError, ConnectionEvent, ListKind, ListState};
use sightglass_llm_tools::names::name_findings;
use sightglass_model::{Finding, ServerId, lock};
use sightglass_surface::{
    ChangeClass, ItemDefinition, Part, Silence, Surface, SurfaceChange, SurfacePlace, diff, lint,
    lint_order,
};

use crate::surface::store::SurfaceStore;
use definition::part_of;
use store::{Stored, save_error};

/// Number of findings in a view.
const MAX_FINDINGS: usize = 1_000;

/// Time that servers have to come to rest before their surfaces are compared: those that are started
/// together are not held up by it, and a first call neither.
const SETTLING: Duration = Duration::from_millis(100);

/// State of the lists of each server when they were compared last.
pub type Compared = Mutex<HashMap<ServerId, ComparedLists>>;

/// Lists that were compared with the stored ones.
pub struct ComparedLists {
    /// Connection and revisions of the lists.
    key: String,
    /// Times of the files that say the same as the lists; `None` where the lists say something else.
    agreed: Option<[Option<SystemTime>; 2]>,
}

/// Stores the surfaces of servers, and tells what changed in them.
pub struct Surfaces {
    pub(crate) core: Arc<Core>,
    pub(crate) current_surface: Arc<CurrentSurface>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) sessions: Arc<SessionFiles>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    pub(crate) surface_store: Arc<SurfaceStore>,
    pub(crate) compared: Compared,
}

#[commands]
impl Surfaces {
    /// Returns what changed in a server's surface, and what is to be found fault with in it.
    #[command(name = "get_surface")]
    pub fn surface(&self, server: &ServerId) -> Result<SurfaceView, InspectorError> {
        let stored = self.surface_store.stored_surface(server);
        let current = match self.current_surface.current_surface(server) {
            Ok(current) => Some(current),
            Err(InspectorError::Connection(ConnectionError::NotConnected)) => None,
            Err(error) => return Err(error),
        };
        let base = stored.surface();
        let changes = match (&base, &current) {
            (Some(base), Some(current)) => diff(base, current),
            _ => Vec::new(),
        };
        let examine = |silenced: &[Silence]| {
            let Some(current) = &current else {
                return Vec::new();
            };
            let mut findings = findings_in(server, current, silenced);
            if let Some(base) = &base {
                findings.extend(lint_order(base, current, silenced));
            }
            findings
        };
        let mut findings = examine(&stored.silenced);
        findings.truncate(MAX_FINDINGS);
        // What is left out is looked for where there may be some.
        let all = if stored.silenced.is_empty() {
            Vec::new()
        } else {
            examine(&[])
        };
        let silenced = counted(&stored.silenced, &all);
        let has_base = base.is_some();
        Ok(view(server, &stored, has_base, changes, findings, silenced))
    }

    /// Lists what a server that is not connected had when its surface was stored, where nothing else
    /// is known of it. Those of an entry that did something else are not its own.
    #[command]
    pub fn restore_lists(&self, server: &ServerId) {
        let Some(launch) = self.surface_store.launch_of(server) else {
            return;
        };
        let stored = self.surface_store.stored_surface(server);
        if stored.launch.as_ref() != Some(&launch) {
            return;
        }
        let (Some(as_of), Some(surface)) = (stored.stored, stored.surface()) else {
            return;
        };
        let lists = ListKind::ALL.map(|list| {
            let items = surface.items(part_of(list)).unwrap_or_default();
            let texts: Vec<&str> = items.iter().map(ItemDefinition::text).collect();
            (list, texts)
        });
        let connections = &self.core.connections;
        connections.restore_lists(server, as_of, &lists);
    }

    /// Examines the surface of a connected server, but for what is silenced here or was in the
    /// window.
    pub fn lint_surface(
        &self,
        server: &ServerId,
        silenced: &[Silence],
    ) -> Result<Vec<Finding<SurfacePlace>>, InspectorError> {
        let mut all = self.surface_store.stored_surface(server).silenced;
        all.extend_from_slice(silenced);
        let current = self.current_surface.current_surface(server)?;
        Ok(findings_in(server, &current, &all))
    }

    /// Pins the surface that a server has now. Later ones are compared with it.
    #[command]
    pub fn pin_surface(&self, server: &ServerId) -> Result<SurfaceView, InspectorError> {
        self.replace_surface(server, |stored| stored.is_pinned = true)
    }

    /// Takes the surface that a server has now for the one to compare with.
    #[command]
    pub fn accept_surface(&self, server: &ServerId) -> Result<SurfaceView, InspectorError> {
        self.replace_surface(server, |_| {})
    }

    /// Keeps comparing with the stored surface: it is pinned.
    #[command]
    pub fn reject_surface(&self, server: &ServerId) -> Result<SurfaceView, InspectorError> {
        let mut stored = self.surface_store.stored_surface(server);
        if stored.surface().is_none() {
            return Err(InspectorError::InvalidInput(
                "There is no stored surface of this server.".to_owned(),
            ));
        }
        stored.is_pinned = true;
        self.surface_store.store_surface(&stored)?;
        self.surface(server)
    }

    /// Forgets the stored surface of a server. The next one is trusted as the first was.
    #[command]
    pub fn delete_surface(&self, server: &ServerId) -> Result<(), InspectorError> {
        for path in self.surface_store.surface_paths(server) {
            if let Err(source) = std::fs::remove_file(path)
                && source.kind() != std::io::ErrorKind::NotFound
            {
                return Err(save_error(source));
            }
        }
        lock(&self.compared).remove(server);
        self.publish_surface(server);
        Ok(())
    }

    /// Silences findings, or shows them again.
    #[command]
    pub fn silence_findings(
        &self,
        server: &ServerId,
        silence: Silence,
        is_silenced: bool,
    ) -> Result<SurfaceView, InspectorError> {
        let mut stored = self.surface_store.stored_surface(server);
        stored.silenced.retain(|known| *known != silence);
        if is_silenced {
            stored.silenced.push(silence);
        }
        self.surface_store.store_surface(&stored)?;
        self.surface(server)
    }

    /// Compares the surfaces of servers whenever their lists are read.
    pub fn follow_surfaces(self: &Arc<Self>) {
        let this = Arc::downgrade(self);
        let live = LiveServers::default();
        let changes_lists = move |fact: &Fact| changes_lists(&live, fact);
        let mut facts: Subscription = self.core.publisher.subscribe_to(changes_lists);
        tokio::spawn(async move {
            while let Some(batch) = facts.next_batch().await {
                tokio::time::sleep(SETTLING).await;
                let servers: HashSet<ServerId> = batch
                    .into_iter()
                    .filter_map(|event| server_of(event.fact))
                    .collect();
                let Some(this) = this.upgrade() else {
                    break;
                };
                let compare = move || {
                    for server in servers {
                        if let Err(error) = this.record_surface(&server) {
                            tracing::warn!("the surface of a server was not stored: {error}");
                        }
                    }
                };
                // Only a closing application interrupts it; the next connection compares again.
                let _ = tokio::task::spawn_blocking(compare).await;
            }
        });
    }

    /// Compares the surface of a server with the stored one, once all lists are read.
    fn record_surface(&self, server: &ServerId) -> Result<(), InspectorError> {
        let Some(key) = self.lists_key(server) else {
            return Ok(());
        };
        if !self.begin_comparison(server, &key) {
            return Ok(());
        }
        if !self.server_settings.server_settings(server).record {
            return Ok(());
        }
        let current = match self.current_surface.current_surface(server) {
            Ok(current) => current,
            // It ended meanwhile.
            Err(_) => return Ok(()),
        };
        // Before it is read: what another program writes meanwhile may be something else.
        let mut written = self.surface_store.written(server);
        let mut stored = self.surface_store.stored_surface(server);
        let is_harmless = |base: &Surface| {
            diff(base, &current)
                .iter()
                .all(|change| matches!(change.class, ChangeClass::Compatible | ChangeClass::Note))
        };
        let launch = self.surface_store.connected_launch_of(server);
        let is_agreed = match stored.surface() {
            Some(base) if base == current => {
                // The lists are as much those of this entry.
                if launch.is_some() && stored.launch != launch {
                    stored.launch = launch;
                    self.surface_store.store_surface(&stored)?;
                    written = self.surface_store.written(server);
                }
                is_written_alike(&base, &current)
            }
            Some(_) if stored.is_pinned => false,
            Some(base) if !is_harmless(&base) => false,
            base => {
                // What could not be read stays in the file as it was.
                let is_read = ListKind::ALL.map(|list| current.items(part_of(list)).is_some());
                self.surface_store
                    .put_surface(&mut stored, current, base, launch)?;
                written = self.surface_store.written(server);
                !is_read.contains(&false)
            }
        };
        if is_agreed {
            let agreed = Some(written);
            lock(&self.compared).insert(server.clone(), ComparedLists { key, agreed });
        }
        self.publish_surface(server);
        Ok(())
    }

    /// Notes that the lists of a server are being compared. False where they have been.
    fn begin_comparison(&self, server: &ServerId, key: &str) -> bool {
        let mut compared = lock(&self.compared);
        if compared.get(server).is_some_and(|lists| lists.key == key) {
            return false;
        }
        let lists = ComparedLists {
            key: key.to_owned(),
            agreed: None,
        };
        compared.insert(server.clone(), lists);
        true
    }

    /// Names the lists of a server that are read to their end; `None` while they are not.
    fn lists_key(&self, server: &ServerId) -> Option<String> {
        let status = self.open_connections.status(server);
        let lists = self.core.connections.lists(server);
        let is_loading = lists.iter().any(|list| list.state == ListState::Loading);
        if !status.phase.is_live() || lists.is_empty() || is_loading {
            return None;
        }
        let revisions: Vec<_> = lists.iter().map(|list| list.revision).collect();
        Some(format!("{:?} {revisions:?}", status.connection))
    }

    /// Returns true where the lists of a server are known to say what its stored surface says, which
    /// needs no look into its file.
    fn is_as_agreed(&self, server: &ServerId) -> bool {
        let key = self.lists_key(server);
        let compared = lock(&self.compared);
        let known = compared
            .get(server)
            .filter(|lists| Some(&lists.key) == key.as_ref());
        known
            .and_then(|lists| lists.agreed)
            .is_some_and(|agreed| agreed == self.surface_store.written(server))
    }

    fn replace_surface(
        &self,
        server: &ServerId,
        change: impl FnOnce(&mut Stored),
    ) -> Result<SurfaceView, InspectorError> {
        if !self.server_settings.server_settings(server).record {
            return Err(InspectorError::InvalidInput(
                "Nothing of this server is recorded, by its settings, and so no surface is stored."
                    .to_owned(),
            ));
        }
        let current = self.current_surface.current_surface(server)?;
        let mut stored = self.surface_store.stored_surface(server);
        change(&mut stored);
        let base = stored.surface();
        let launch = self.surface_store.connected_launch_of(server);
        self.surface_store
            .put_surface(&mut stored, current, base, launch)?;
        self.publish_surface(server);
        self.surface(server)
    }

    fn publish_surface(&self, server: &ServerId) {
        self.core.publisher.publish(Fact::Surface {
            server: server.clone(),
        });
    }
}

/// Examines a surface by all rules, but for what is silenced: those for the surface itself, and for
/// the names that become of its tools in clients.
fn findings_in(
    server: &ServerId,
    surface: &Surface,
    silenced: &[Silence],
) -> Vec<Finding<SurfacePlace>> {
    let mut findings = lint(surface, silenced);
    let names = surface.tools.iter().flatten();
    let names: Vec<String> = names.map(|tool| tool.name(Part::Tool)).collect();
    let tools: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !name.is_empty())
        .collect();
    findings.extend(name_findings(server.name(), &tools, silenced));
    findings
}

/// Returns true where the items of two equal surfaces have their members in the same order.
fn is_written_alike(one: &Surface, other: &Surface) -> bool {
    ListKind::ALL.map(part_of).into_iter().all(|part| {
        let one = one.items(part).unwrap_or_default().iter();
        let other = other.items(part).unwrap_or_default().iter();
        one.map(ItemDefinition::text)
            .eq(other.map(ItemDefinition::text))
    })
}

/// Returns true for a fact after which the lists of a server may be compared: it can be used now, or
/// one of its lists was read since.
fn changes_lists(live: &LiveServers, fact: &Fact) -> bool {
    if live.becomes_live(fact) {
        return true;
    }
    let Fact::Connection { event } = fact else {
        return false;
    };
    matches!(&**event, ConnectionEvent::List { server, change }
        if change.state != ListState::Loading && live.is_live(server))
}

fn server_of(fact: Fact) -> Option<ServerId> {
    let Fact::Connection { event } = fact else {
        return None;
    };
    match *event {
        ConnectionEvent::Status { server, .. } | ConnectionEvent::List { server, .. } => {
            Some(server)
        }
        _ => None,
    }
}

fn view(
    server: &ServerId,
    stored: &Stored,
    has_base: bool,
    changes: Vec<SurfaceChange>,
    findings: Vec<Finding<SurfacePlace>>,
    silenced: Vec<SilencedFindings>,
) -> SurfaceView {
    let difference = difference(changes);
    SurfaceView {
        server: server.clone(),
        is_pinned: stored.is_pinned,
        stored: stored.stored.filter(|_| has_base),
        changes: difference.changes,
        left_out: difference.left_out,
        breaking: difference.breaking,
        attention: difference.attention,
        compatible: difference.compatible,
        notes: difference.notes,
        is_possible_rug_pull: difference.is_possible_rug_pull,
        findings,
        silenced,
    }
}

/// Counts the findings that are left out, among all.
fn counted(silenced: &[Silence], all: &[Finding<SurfacePlace>]) -> Vec<SilencedFindings> {
    let mut counted: Vec<SilencedFindings> = silenced
        .iter()
        .map(|silence| SilencedFindings {
            silence: silence.clone(),
            count: 0,
        })
        .collect();
    for finding in all {
        let mut fitting = counted.iter_mut();
        if let Some(first) = fitting.find(|one| one.silence.holds(finding)) {
            first.count += 1;
        }
    }
    counted
}
