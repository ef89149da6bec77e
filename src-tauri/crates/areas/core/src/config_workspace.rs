//! Configuration workspace: one snapshot of the files of all clients as they were last read, the
//! history of changes, the plans that wait, and the approvals.
//!
//! The sidebar, the approval and the start of a server all go by the same snapshot, [`ConfigFiles`],
//! so that what was judged is what starts.

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, atomic::AtomicU32},
};

use serde_json::{Map, Value};
use sightglass_config::{
    Backups, ChangePlan, Client, ClientConfig, ClientServer, Definition, DefinitionState, History,
    HistoryStep, LaunchPlan, Machine, Platform, Policy, ScopePlace, load_clients,
};
use sightglass_model::{ServerId, Timestamp};

use crate::{approvals::Approvals, options::InspectorOptions};

/// Number of plans that are kept until they are applied.
const MAX_PLANS: usize = 32;

/// Everything about configuration files.
pub struct ConfigWorkspace {
    pub machine: Machine,
    pub files: RwLock<Arc<ConfigFiles>>,
    /// Held while the files are read: of two readings, the one that began later has to count. Held
    /// also while a change is written, whose files belong together.
    pub reading: Mutex<()>,
    /// Held while a view is made and published: an older one must not follow a newer one.
    pub publishing: Mutex<()>,
    pub history: Mutex<History>,
    pub plans: Mutex<PendingPlans>,
    pub backups: Backups,
    pub approvals: Mutex<Approvals>,
    /// Changes by other programs while the application was open.
    pub external_changes: Mutex<ExternalChanges>,
    /// The entries that connections were started with.
    pub connected: Mutex<HashMap<ServerId, Map<String, Value>>>,
    /// Revision of the view that was published last.
    pub revision: AtomicU32,
}

/// Content of all files.
pub struct ConfigFiles {
    pub clients: Vec<ClientConfig>,
    /// Policy for everything that Sightglass itself connects to.
    pub policy: Arc<Policy>,
    /// Policy in Claude Code, where the user's own settings may add to it.
    pub claude_policy: Policy,
    /// The servers of all clients, in the order of the clients and their files.
    servers: Vec<EffectiveServer>,
    by_id: HashMap<ServerId, usize>,
}

/// A server of a client, as its files together define it.
pub struct EffectiveServer {
    pub id: ServerId,
    pub place: ScopePlace,
    /// True when any part of its definition may have come with the project.
    pub comes_with_project: bool,
    /// True when its entry, or its client beside it, says not to use it.
    pub is_off: bool,
    /// The definition that counts, also when it is wrong or disabled: where a server is replaced
    /// whole, a lower definition never stands in for it.
    pub definition: Definition,
    /// Places of the definitions that it replaces, the highest first.
    pub shadowed: Vec<ScopePlace>,
    /// Its [`plan`](Self::plan), once it was asked for.
    plan: OnceLock<LaunchPlan>,
    /// Indices of the servers of other clients that are the same, in the order of the clients.
    same: Vec<usize>,
    /// The server that stands for this one and all that are the same.
    representative: usize,
}

impl ConfigFiles {
    pub fn read(machine: &Machine) -> Self {
        let clients = load_clients(machine);
        let mut servers: Vec<EffectiveServer> = Vec::new();
        for config in &clients {
            for server in &config.servers {
                servers.push(EffectiveServer::of(config, server, machine, servers.len()));
            }
        }
        group_equivalent_servers(&mut servers);
        let ids = servers.iter().enumerate();
        Self {
            by_id: ids
                .map(|(index, server)| (server.id.clone(), index))
                .collect(),
            clients,
            policy: Arc::new(Policy::load(machine)),
            claude_policy: Policy::of_claude_code(machine),
            servers,
        }
    }

    pub fn client(&self, client: Client) -> Option<&ClientConfig> {
        self.clients.iter().find(|config| config.client == client)
    }
}

impl EffectiveServer {
    fn of(config: &ClientConfig, server: &ClientServer, machine: &Machine, index: usize) -> Self {
        let (definition, comes_with_project) = config.effective_definition(server, machine);
        let definitions = config.definitions(server);
        let (file, _) = definitions[0];
        let state = config
            .approvals
            .state(&file.place.target.scope, &server.name);
        Self {
            id: server_id(config.client, &server.name),
            place: file.place.clone(),
            comes_with_project,
            is_off: definition.disabled || state == Some(DefinitionState::Disabled),
            definition,
            shadowed: definitions
                .iter()
                .skip(1)
                .map(|(file, _)| file.place.clone())
                .collect(),
            plan: OnceLock::new(),
            same: Vec::new(),
            representative: index,
        }
    }

    /// The value that is shown for approval, hashed and started. It is made once for all who ask.
    pub fn plan(&self) -> &LaunchPlan {
        self.plan.get_or_init(|| LaunchPlan::of(&self.definition))
    }
}

/// Finds the servers of one name that several clients define alike, or by one entry of a file that
/// they share. One of them stands for all: that of the `.mcp.json` scopes, else one that is on and
/// the user's own.
fn group_equivalent_servers(servers: &mut [EffectiveServer]) {
    let entry_of = |server: &EffectiveServer| (server.place.path.clone(), server.definition.line);
    let own: HashMap<(PathBuf, u32), usize> = servers
        .iter()
        .enumerate()
        .filter(|(_, server)| server.place.target.client == Client::McpJson)
        .map(|(index, server)| (entry_of(server), index))
        .collect();
    let mut alike: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for (index, server) in servers.iter().enumerate() {
        // Of an entry that two clients read, each knows some members only.
        let shared = own.get(&entry_of(server)).filter(|own| **own != index);
        let plan = shared.map_or_else(|| server.plan(), |own| servers[*own].plan());
        if let Some(what) = plan.equivalence() {
            let key = (server.definition.name.clone(), what);
            alike.entry(key).or_default().push(index);
        }
    }
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let rank = |index: &usize| {
            let server = &servers[*index];
            let is_own = server.place.target.client == Client::McpJson;
            (!is_own, server.is_off, server.comes_with_project, *index)
        };
        let Some(first) = group.iter().copied().min_by_key(rank) else {
            continue;
        };
        for index in &group {
            servers[*index].representative = first;
        }
        servers[first].same = group.into_iter().filter(|index| *index != first).collect();
    }
}

/// A server as one snapshot of the files defines it.
#[derive(Clone)]
pub struct ConfiguredServer {
    /// The snapshot that it is from.
    pub files: Arc<ConfigFiles>,
    index: usize,
}

impl Deref for ConfiguredServer {
    type Target = EffectiveServer;

    fn deref(&self) -> &EffectiveServer {
        &self.files.servers[self.index]
    }
}

impl ConfiguredServer {
    pub fn client(&self) -> Client {
        self.place.target.client
    }

    /// The servers of other clients that are the same.
    pub fn equivalents(&self) -> impl Iterator<Item = &EffectiveServer> {
        self.same.iter().map(|index| &self.files.servers[*index])
    }
}

impl ConfigFiles {
    /// The servers of all clients, in the order of the clients and their files. Those that are
    /// the same are one.
    pub fn servers(self: &Arc<Self>) -> Vec<ConfiguredServer> {
        let servers = self.servers.iter().enumerate();
        servers
            .filter(|(index, server)| server.representative == *index)
            .map(|(index, _)| self.configured(index))
            .collect()
    }

    /// The ids of all servers, those that are the same among them.
    pub fn ids(&self) -> impl Iterator<Item = &ServerId> {
        self.by_id.keys()
    }

    /// The server of an id.
    pub fn server(self: &Arc<Self>, id: &ServerId) -> Option<ConfiguredServer> {
        self.by_id.get(id).map(|index| self.configured(*index))
    }

    /// The id of the server that stands for this one in a list of all.
    pub fn representative(&self, id: &ServerId) -> Option<&ServerId> {
        let server = &self.servers[*self.by_id.get(id)?];
        Some(&self.servers[server.representative].id)
    }

    fn configured(self: &Arc<Self>, index: usize) -> ConfiguredServer {
        ConfiguredServer {
            files: self.clone(),
            index,
        }
    }
}

/// The id of a server of a client.
pub fn server_id(client: Client, name: &str) -> ServerId {
    ServerId::new(client.id(), name)
}

/// Plans that were shown and may yet be applied.
#[derive(Default)]
pub struct PendingPlans {
    last: u32,
    kept: Vec<(u32, ChangePlan, HistoryStep)>,
}

impl PendingPlans {
    pub fn keep(&mut self, plan: ChangePlan, direction: HistoryStep) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.kept.push((self.last, plan, direction));
        if self.kept.len() > MAX_PLANS {
            self.kept.remove(0);
        }
        self.last
    }

    pub fn get(&self, number: u32) -> Option<(ChangePlan, HistoryStep)> {
        self.kept
            .iter()
            .find(|(kept, _, _)| *kept == number)
            .map(|(_, plan, direction)| (plan.clone(), *direction))
    }

    pub fn forget(&mut self, number: u32) {
        self.kept.retain(|(kept, _, _)| *kept != number);
    }
}

/// Changes by other programs.
#[derive(Default)]
pub struct ExternalChanges {
    /// When a file was changed, in milliseconds since the Unix epoch.
    pub files: HashMap<PathBuf, f64>,
    /// Definitions that were changed or added: client, scope, name.
    pub definitions: HashSet<(Client, String, String)>,
}

impl ConfigWorkspace {
    pub fn open(options: &InspectorOptions, approvals: Approvals) -> Self {
        let machine = Machine {
            places: options.places.clone(),
            platform: Platform::current(),
            system_root: options.system_root.clone(),
            environment: options.environment.clone(),
        };
        Self {
            files: RwLock::new(Arc::new(ConfigFiles::read(&machine))),
            reading: Mutex::default(),
            publishing: Mutex::default(),
            history: Mutex::default(),
            plans: Mutex::default(),
            backups: Backups::new(options.data_directory.join("backups")),
            approvals: Mutex::new(approvals),
            external_changes: Mutex::default(),
            connected: Mutex::default(),
            revision: AtomicU32::new(1),
            machine,
        }
    }

    pub fn files(&self) -> Arc<ConfigFiles> {
        self.files
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl ExternalChanges {
    /// Compares two readings: what differs in files other than `own` was changed by others.
    pub fn record(&mut self, before: &ConfigFiles, after: &ConfigFiles, own: &[&Path]) {
        for (old, new) in before.clients.iter().zip(&after.clients) {
            for file in &new.files {
                let path = &file.place.path;
                let scope = file.place.target.scope.clone();
                let earlier = old.file(&scope);
                let is_own = own.contains(&path.as_path());
                let is_other = earlier.is_none_or(|earlier| {
                    earlier.content != file.content || earlier.state != file.state
                });
                if !is_other {
                    continue;
                }
                if is_own {
                    self.files.remove(path);
                } else {
                    self.files
                        .insert(path.clone(), Timestamp::now().as_millis());
                }
                for definition in &file.definitions {
                    let same = earlier
                        .and_then(|earlier| earlier.definition(&definition.name))
                        .is_some_and(|earlier| earlier.common == definition.common);
                    let key = (old.client, scope.clone(), definition.name.clone());
                    if is_own {
                        self.definitions.remove(&key);
                    } else if !same {
                        self.definitions.insert(key);
                    }
                }
            }
        }
    }
}
