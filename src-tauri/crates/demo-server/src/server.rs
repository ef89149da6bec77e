//! State that all clients of one process share.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
    time::Instant,
};

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{
    listeners::Listeners,
    listing::{Listing, Lists},
    lock::lock,
    options::{Catalogue, Options},
    responder::Responder,
    task::TaskList,
};

/// Unfinished multi-round requests that are remembered; the oldest go first.
const MAX_ROUNDS: usize = 1024;

/// State that all clients of one process share.
pub struct Server {
    options: Options,
    responder: Option<Arc<dyn Responder>>,
    lists: Lists,
    extra_tools: Mutex<Vec<Bytes>>,
    extra_resources: Mutex<Vec<(String, Bytes)>>,
    /// Number of changes by the URI of a touched resource.
    versions: Mutex<HashMap<String, u64>>,
    listeners: Listeners,
    rounds: Mutex<Rounds>,
    tasks: TaskList,
    started: Instant,
    exit: CancellationToken,
    exit_code: AtomicU8,
    silent: AtomicBool,
    sequence: AtomicU64,
    random: RandomState,
}

#[derive(Default)]
struct Rounds {
    answers: HashMap<String, Map<String, Value>>,
    order: std::collections::VecDeque<String>,
}

impl Server {
    /// A server that offers what `lists` hold.
    pub fn new(options: Options, lists: Lists) -> Arc<Server> {
        Self::with(options, lists, None)
    }

    /// A server whose answers come from `responder`.
    pub fn answering(options: Options, lists: Lists, responder: Arc<dyn Responder>) -> Arc<Server> {
        Self::with(options, lists, Some(responder))
    }

    fn with(options: Options, lists: Lists, responder: Option<Arc<dyn Responder>>) -> Arc<Server> {
        Arc::new(Server {
            options,
            responder,
            lists,
            extra_tools: Mutex::default(),
            extra_resources: Mutex::default(),
            versions: Mutex::default(),
            listeners: Listeners::default(),
            rounds: Mutex::default(),
            tasks: TaskList::default(),
            started: Instant::now(),
            exit: CancellationToken::new(),
            exit_code: AtomicU8::new(0),
            silent: AtomicBool::new(false),
            sequence: AtomicU64::new(1),
            random: RandomState::new(),
        })
    }

    /// Responder in place of this server, if there is one.
    pub fn responder(&self) -> Option<&dyn Responder> {
        self.responder.as_deref()
    }

    /// The command line.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns whether it offers skills: with the hand-written catalogue, which they are part of.
    pub fn offers_skills(&self) -> bool {
        self.options.catalogue == Catalogue::Demo
    }

    /// The list of tools, and those added by `change_tools`.
    pub fn tool_list(&self) -> (&Listing, Vec<Bytes>) {
        (&self.lists.tools, lock(&self.extra_tools).clone())
    }

    /// The list of resources, and those added by `change_resources`.
    pub fn resource_list(&self) -> (&Listing, Vec<Bytes>) {
        let extras = lock(&self.extra_resources);
        (
            &self.lists.resources,
            extras.iter().map(|(_, item)| item.clone()).collect(),
        )
    }

    /// The list of resource templates.
    pub fn template_list(&self) -> &Listing {
        &self.lists.templates
    }

    /// The list of prompts.
    pub fn prompt_list(&self) -> &Listing {
        &self.lists.prompts
    }

    /// Adds a tool to the list and returns its number, counted from 1.
    pub fn add_tool(&self, definition: impl FnOnce(usize) -> Value) -> usize {
        let mut extras = lock(&self.extra_tools);
        let number = extras.len() + 1;
        extras.push(Bytes::from(definition(number).to_string()));
        number
    }

    /// Removes the tool that was added last and returns its number.
    pub fn remove_tool(&self) -> Option<usize> {
        let mut extras = lock(&self.extra_tools);
        extras.pop().map(|_| extras.len() + 1)
    }

    /// The number of tools that `change_tools` has added.
    pub fn added_tools(&self) -> usize {
        lock(&self.extra_tools).len()
    }

    /// Adds a resource to the list and returns its URI.
    pub fn add_resource(&self, definition: impl FnOnce(usize) -> (String, Value)) -> String {
        let mut extras = lock(&self.extra_resources);
        let (uri, value) = definition(extras.len() + 1);
        extras.push((uri.clone(), Bytes::from(value.to_string())));
        uri
    }

    /// Removes the resource that was added last and returns its URI.
    pub fn remove_resource(&self) -> Option<String> {
        lock(&self.extra_resources).pop().map(|(uri, _)| uri)
    }

    /// Returns true when `change_resources` has added this URI.
    pub fn has_added_resource(&self, uri: &str) -> bool {
        lock(&self.extra_resources)
            .iter()
            .any(|(known, _)| known == uri)
    }

    /// Counts a change of a resource.
    pub fn touch(&self, uri: &str) -> u64 {
        let mut versions = lock(&self.versions);
        let version = versions.entry(uri.to_owned()).or_default();
        *version += 1;
        *version
    }

    /// The number of times that a resource has been touched.
    pub fn touches(&self, uri: &str) -> u64 {
        lock(&self.versions).get(uri).copied().unwrap_or_default()
    }

    /// The tasks of all clients.
    pub fn tasks(&self) -> &TaskList {
        &self.tasks
    }

    /// The receivers of changes.
    pub fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    /// Keeps the answers of a multi-round request and returns the `requestState`
    /// under which they are found again. It is only a handle: nothing a client
    /// could tamper with is in it.
    pub fn remember(&self, answers: Map<String, Value>) -> String {
        let state = self.unguessable("state");
        let mut rounds = lock(&self.rounds);
        while rounds.order.len() >= MAX_ROUNDS {
            if let Some(oldest) = rounds.order.pop_front() {
                rounds.answers.remove(&oldest);
            }
        }
        rounds.order.push_back(state.clone());
        rounds.answers.insert(state.clone(), answers);
        state
    }

    /// The answers kept under a `requestState`, which may be used once.
    pub fn recall(&self, state: &str) -> Option<Map<String, Value>> {
        let mut rounds = lock(&self.rounds);
        rounds.order.retain(|known| known != state);
        rounds.answers.remove(state)
    }

    /// A name nobody can guess, such as a session id.
    pub fn unguessable(&self, prefix: &str) -> String {
        let number = self.sequence.fetch_add(1, Ordering::Relaxed);
        // SipHash under random 128-bit keys: not predictable from other outputs.
        let (high, low) = (
            self.random.hash_one((number, 0)),
            self.random.hash_one((number, 1)),
        );
        format!("{prefix}-{high:016x}{low:016x}")
    }

    /// The time at which the server started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Answers nothing from now on.
    pub fn fall_silent(&self) {
        self.silent.store(true, Ordering::Relaxed);
    }

    /// Returns true when the server answers nothing more because it is about to exit.
    pub fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed)
    }

    /// Ends the process's serving with this exit code.
    pub fn request_exit(&self, code: u8) {
        self.exit_code.store(code, Ordering::Relaxed);
        self.exit.cancel();
    }

    /// Waits for [`Server::request_exit`] and returns the code.
    pub async fn exit_requested(&self) -> u8 {
        self.exit.cancelled().await;
        self.exit_code.load(Ordering::Relaxed)
    }
}
