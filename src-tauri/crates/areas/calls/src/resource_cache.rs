//! Keeps what resources held, for as long as the server says that it stays so.
//!
//! From revision 2026-07-28 on an answer to `resources/read` says with `ttlMs` how long it holds,
//! and with `cacheScope` for whom. Before that nothing says so and nothing is kept. What is kept
//! is the report of a read; its payloads stay on record. It is forgotten when the server announces
//! a change, when the connection is another one (announcements may have been missed), and when the
//! sign-in changes, since what one identity may read is not another's. An answer that was under way
//! at such a moment is not kept: nobody knows which came first.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{BlockBody, CacheScope, CallReport, Freshness},
};
use sightglass_area_servers::open_connections::OpenConnections;
use sightglass_connection::{ConnectionEvent, EventSubscriber, ListKind, RequestEnd};
use sightglass_json_text::Members;
use sightglass_model::{ConnectionId, Era, ServerId, Timestamp, lock};

use crate::requests::McpRequests;

/// Answers that are kept of all servers; the oldest make room.
const MAX_ENTRIES: usize = 256;

/// Bytes of their texts together.
const MAX_BYTES: usize = 32 << 20;

/// The longest URI of an answer that is kept, in bytes.
const MAX_URI_BYTES: usize = 8 * 1024;

/// The longest time that an answer is shown without being read again, whatever the server says.
const MAX_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// Names that a change of a list tells at most; with as many, any resource may have changed.
const MAX_TOLD_NAMES: usize = 100;

/// Time for which an answer holds and for whom, as it says itself.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Terms {
    ttl: Duration,
    scope: CacheScope,
}

#[derive(Default)]
pub struct ResourceCache(Mutex<CacheState>);

#[derive(Default)]
struct CacheState {
    entries: Vec<CachedEntry>,
    bytes: usize,
    /// The connection of each server, as far as it was told.
    connections: HashMap<ServerId, ConnectionId>,
    /// Moves with all that may make an answer old.
    epochs: HashMap<ServerId, u64>,
}

struct CachedEntry {
    server: ServerId,
    uri: String,
    until: Instant,
    bytes: usize,
    report: CallReport,
}

impl ResourceCache {
    /// Forgets all that is kept of a server.
    pub fn forget(&self, server: &ServerId) {
        self.forget_where(server, |_| true);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let mut state = lock(&self.0);
        state.entries.clear();
        state.bytes = 0;
        state.epochs.values_mut().for_each(|epoch| *epoch += 1);
    }

    fn forget_where(&self, server: &ServerId, is_meant: impl Fn(&str) -> bool) {
        let mut state = lock(&self.0);
        *state.epochs.entry(server.clone()).or_default() += 1;
        state.remove_where(|entry| entry.server == *server && is_meant(&entry.uri));
    }

    /// Returns the number to [`put`](Self::put) an answer with that is asked for now.
    fn epoch(&self, server: &ServerId) -> u64 {
        *lock(&self.0).epochs.entry(server.clone()).or_default()
    }

    /// Returns an answer that still holds at `now`.
    fn get(&self, server: &ServerId, uri: &str, now: Instant) -> Option<CallReport> {
        let mut state = lock(&self.0);
        state.remove_where(|entry| entry.until <= now);
        let mut entries = state.entries.iter();
        let found = entries.find(|entry| entry.server == *server && entry.uri == uri)?;
        let mut report = found.report.clone();
        if let Some(freshness) = &mut report.freshness {
            freshness.from_cache = true;
        }
        Some(report)
    }

    /// Keeps an answer that came at `now`, unless something changed since it was asked for.
    fn put(
        &self,
        server: &ServerId,
        uri: &str,
        report: &CallReport,
        epoch: u64,
        now: Instant,
        ttl: Duration,
    ) {
        let bytes = uri.len() + weight(report);
        let Some(until) = now.checked_add(ttl) else {
            return;
        };
        let mut state = lock(&self.0);
        state.remove_where(|entry| entry.server == *server && entry.uri == uri);
        let is_current = state.epochs.get(server).copied().unwrap_or_default() == epoch;
        if !is_current || ttl.is_zero() || uri.len() > MAX_URI_BYTES || bytes > MAX_BYTES / 4 {
            return;
        }
        state.bytes += bytes;
        state.entries.push(CachedEntry {
            server: server.clone(),
            uri: uri.to_owned(),
            until,
            bytes,
            report: report.clone(),
        });
        while state.entries.len() > MAX_ENTRIES || state.bytes > MAX_BYTES {
            let oldest = state.entries.remove(0);
            state.bytes -= oldest.bytes;
        }
    }
}

impl EventSubscriber for ResourceCache {
    /// Forgets what an event makes old.
    fn receive(&self, event: &ConnectionEvent) {
        match event {
            ConnectionEvent::ResourceAnnounced { server, uri } => {
                // A subscription also tells of what lies beneath its resource.
                let beneath = format!("{}/", uri.trim_end_matches('/'));
                self.forget_where(server, |kept| {
                    kept == uri
                        || kept.starts_with(&beneath)
                        || uri.starts_with(&format!("{kept}/"))
                });
            }
            ConnectionEvent::List { server, change }
                if matches!(
                    change.list,
                    ListKind::Resources | ListKind::ResourceTemplates
                ) =>
            {
                let names = [&change.removed, &change.changed];
                if names.iter().any(|names| names.len() >= MAX_TOLD_NAMES) {
                    self.forget(server);
                } else if names.iter().any(|names| !names.is_empty()) {
                    self.forget_where(server, |kept| {
                        names
                            .iter()
                            .any(|names| names.iter().any(|name| name == kept))
                    });
                }
            }
            ConnectionEvent::Status { server, status } => {
                let is_other = {
                    let mut state = lock(&self.0);
                    let before = state.connections.get(server).copied();
                    match status.connection {
                        Some(connection) => {
                            state.connections.insert(server.clone(), connection);
                        }
                        None => {
                            state.connections.remove(server);
                        }
                    }
                    before != status.connection
                };
                if is_other {
                    self.forget(server);
                }
            }
            _ => {}
        }
    }
}

impl CacheState {
    fn remove_where(&mut self, is_meant: impl Fn(&CachedEntry) -> bool) {
        let bytes = &mut self.bytes;
        self.entries.retain(|entry| {
            let stays = !is_meant(entry);
            if !stays {
                *bytes -= entry.bytes;
            }
            stays
        });
    }
}

/// Bytes that a report takes, about.
fn weight(report: &CallReport) -> usize {
    let blocks = report.result.iter().flat_map(|result| &result.blocks);
    let texts = blocks.map(|block| {
        let part = match &block.body {
            BlockBody::Text { text } | BlockBody::TextResource { text, .. } => Some(text),
            BlockBody::Unknown { json, .. } => Some(json),
            _ => None,
        };
        let lines = part.and_then(|part| part.lines.as_ref());
        let lines = lines.into_iter().flat_map(|page| &page.lines);
        let texts = part.and_then(|part| part.text.as_ref()).into_iter();
        let texts = texts.chain(lines).chain(&block.annotations);
        size_of_val(block) + texts.map(String::len).sum::<usize>()
    });
    texts.sum::<usize>() + size_of::<CallReport>()
}

/// Reads how long an answer holds; nothing where it does not say so as the specification wants it.
fn terms(response: &Bytes) -> Option<Terms> {
    let response = Members::parse(std::str::from_utf8(response).ok()?).ok()?;
    let result = response.object("result")?;
    let milliseconds: f64 = result.given("ttlMs")?.parse().ok()?;
    let is_time = milliseconds.is_finite() && milliseconds > 0.0;
    let ttl = is_time.then(|| Duration::from_secs_f64(milliseconds.min(1e12) / 1000.0))?;
    let scope = match result.string("cacheScope").as_deref() {
        Some("public") => CacheScope::Public,
        // Absent or unknown: the narrower.
        _ => CacheScope::Private,
    };
    Some(Terms {
        ttl: ttl.min(MAX_TTL),
        scope,
    })
}

/// Keeps what resources held, for as long as the server says that it stays so.
pub struct CachedResources {
    pub(crate) requests: Arc<McpRequests>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub cache: Arc<ResourceCache>,
}

#[commands]
impl CachedResources {
    /// Shows a resource: what was read before, where the server says that it still holds, and else
    /// what is read now.
    #[command]
    pub async fn open_resource(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<CallReport, InspectorError> {
        match self.cache.get(server, uri, Instant::now()) {
            Some(report) => Ok(report),
            None => self.read_resource(server, key, uri).await,
        }
    }

    /// Reads a resource, whatever was read before.
    #[command]
    pub async fn read_resource(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<CallReport, InspectorError> {
        let epoch = self.cache.epoch(server);
        let outcome = self.requests.send_read(server, key, uri).await?;
        let (now, read_at) = (Instant::now(), Timestamp::now());
        let handshake = self.open_connections.status(server).handshake;
        let is_modern = handshake.is_some_and(|handshake| handshake.era == Era::Modern);
        // What was answered with input is the answer to that input.
        let terms = match &outcome.response {
            Some(response) if is_modern && outcome.rounds <= 1 => terms(&response.recorded),
            _ => None,
        };
        let mut report = self.requests.read_report(outcome).await?;
        // Where something was announced meanwhile nobody knows which came first.
        let terms = terms.filter(|_| self.cache.epoch(server) == epoch);
        if report.request.end != RequestEnd::Result {
            return Ok(report);
        }
        report.freshness = Some(Freshness {
            read_at,
            fresh_until: terms.map(|terms| read_at + terms.ttl),
            scope: terms.map(|terms| terms.scope),
            from_cache: false,
        });
        let ttl = terms.map_or(Duration::ZERO, |terms| terms.ttl);
        self.cache.put(server, uri, &report, epoch, now, ttl);
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use sightglass_connection::{ListChange, ListState, RequestOutcome};
    use sightglass_model::{ByteCount, ConnectionStatus, Millis};

    use super::*;
    use sightglass_area_core::{view::BlockView, view::PartView, view::ResultView};

    const URI: &str = "demo://a";
    const MINUTE: Duration = Duration::from_secs(60);

    fn report(text: &str) -> CallReport {
        let none = [None, None];
        let times = [Millis::default(), Millis::default()];
        let part = PartView {
            pointer: String::new(),
            size: text.len().into(),
            text: Some(text.to_owned()),
            lines: None,
        };
        CallReport {
            request: RequestOutcome::on_record(
                RequestEnd::Result,
                none,
                times,
                ByteCount::default(),
            ),
            result: Some(ResultView {
                is_error: false,
                blocks: vec![BlockView {
                    body: BlockBody::Text { text: part },
                    role: None,
                    annotations: None,
                    pointer: String::new(),
                }],
                description: None,
                structured: None,
                schema_check: None,
                problems: Vec::new(),
                client_limits: None,
                client_images: None,
            }),
            error: None,
            task: None,
            freshness: Some(Freshness {
                read_at: Timestamp::now(),
                fresh_until: None,
                scope: Some(CacheScope::Private),
                from_cache: false,
            }),
        }
    }

    /// A cache that holds two resources of one server at `now`.
    fn filled(now: Instant) -> (ResourceCache, ServerId) {
        let (cache, server) = (ResourceCache::default(), ServerId::demo());
        for uri in [URI, "demo://b"] {
            let epoch = cache.epoch(&server);
            cache.put(&server, uri, &report("text"), epoch, now, MINUTE);
        }
        (cache, server)
    }

    #[test]
    fn an_answer_holds_until_its_time_is_over() {
        let now = Instant::now();
        let (cache, server) = filled(now);
        let almost = now + MINUTE - Duration::from_millis(1);
        let kept = cache.get(&server, URI, almost).expect("kept");
        assert!(kept.freshness.expect("told").from_cache);
        assert_eq!(cache.get(&server, URI, now + MINUTE), None);
        assert_eq!(cache.get(&ServerId::new("other", "demo"), URI, now), None);
    }

    #[test]
    fn what_a_server_announces_is_forgotten_and_nothing_else() {
        let now = Instant::now();
        let updated = |uri: &str| ConnectionEvent::ResourceAnnounced {
            server: ServerId::demo(),
            uri: uri.to_owned(),
        };
        let removed = |names: Vec<String>| ConnectionEvent::List {
            server: ServerId::demo(),
            change: ListChange {
                list: ListKind::Resources,
                state: ListState::Loaded,
                count: 0,
                problems: 0,
                tokens: 0,
                fresh_for: None,
                warning: None,
                as_of: None,
                is_whole: true,
                revision: 1,
                added: Vec::new(),
                removed: names,
                changed: Vec::new(),
            },
        };
        let status = ConnectionEvent::Status {
            server: ServerId::demo(),
            status: Arc::new(ConnectionStatus {
                connection: Some(ConnectionId(7)),
                ..ConnectionStatus::disconnected(Timestamp::now())
            }),
        };
        for (event, leaves_other) in [
            (updated(URI), true),
            (updated("demo://a/beneath"), true),
            (removed(vec![URI.to_owned()]), true),
            (removed(vec!["x".to_owned(); MAX_TOLD_NAMES]), false),
            (status, false),
        ] {
            let (cache, server) = filled(now);
            cache.receive(&event);
            assert_eq!(cache.get(&server, URI, now), None, "{event:?}");
            let other = cache.get(&server, "demo://b", now);
            assert_eq!(other.is_some(), leaves_other, "{event:?}");
        }
        let (cache, server) = filled(now);
        cache.receive(&removed(Vec::new()));
        cache.receive(&updated("demo://abc"));
        assert!(cache.get(&server, URI, now).is_some());
    }

    #[test]
    fn an_answer_that_was_under_way_at_a_change_is_not_kept() {
        let now = Instant::now();
        let (cache, server) = (ResourceCache::default(), ServerId::demo());
        let epoch = cache.epoch(&server);
        cache.forget(&server);
        cache.put(&server, URI, &report("old"), epoch, now, MINUTE);
        assert_eq!(cache.get(&server, URI, now), None);
    }

    #[test]
    fn a_server_cannot_fill_the_memory() {
        let now = Instant::now();
        let (cache, server) = filled(now);
        let long = "x".repeat(256 * 1024);
        for number in 0..1_000 {
            let epoch = cache.epoch(&server);
            let text = if number % 2 == 0 { &long } else { "short" };
            cache.put(
                &server,
                &format!("demo://{number}"),
                &report(text),
                epoch,
                now,
                MINUTE,
            );
        }
        let uri = "x".repeat(MAX_URI_BYTES + 1);
        let epoch = cache.epoch(&server);
        cache.put(&server, &uri, &report("text"), epoch, now, MINUTE);
        assert_eq!(cache.get(&server, &uri, now), None);
        assert!(cache.get(&server, "demo://999", now).is_some());
        let state = lock(&cache.0);
        assert!(state.entries.len() <= MAX_ENTRIES && state.bytes <= MAX_BYTES);
        let counted: usize = state.entries.iter().map(|entry| entry.bytes).sum();
        assert_eq!(state.bytes, counted);
    }

    #[test]
    fn only_a_time_as_the_specification_wants_it_counts() {
        let of = |members: &str| {
            terms(&Bytes::from(format!(
                r#"{{"id":1,"result":{{"contents":[]{members}}}}}"#
            )))
        };
        let told = of(r#","ttlMs":1500,"cacheScope":"public""#).expect("told");
        assert_eq!(told.ttl, Duration::from_millis(1500));
        assert_eq!(told.scope, CacheScope::Public);
        for scope in ["", r#","cacheScope":"all""#, r#","cacheScope":7"#] {
            let told = of(&format!(r#","ttlMs":1{scope}"#)).expect("told");
            assert_eq!(told.scope, CacheScope::Private);
        }
        for time in ["", "0", "-1", r#""5""#, "null", "1e999", "{}", "NaN"] {
            let members = match time {
                "" => String::new(),
                time => format!(r#","ttlMs":{time}"#),
            };
            assert_eq!(of(&members), None, "{time}");
        }
        assert_eq!(of(r#","ttlMs":1e300"#).expect("told").ttl, MAX_TTL);
    }
}
