//! Configuration workspace: one snapshot of the files of all clients as they were last read, the
//! history of changes, the plans that wait, and the approvals.
//!
//! The sidebar, the approval and the start of a server all go by the same snapshot, [`ConfigFiles`],
//! so that what was judged is what starts.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering},
    },
};

use serde_json::{Map, Value};
use sightglass_config::{
    Backups, ChangePlan, Client, ClientConfig, ClientServer, Definition, History, HistoryStep,
    LaunchPlan, Machine, Platform, Policy, Scope, ScopePlace, load_clients,
};
use sightglass_model::{ServerId, Timestamp};

use crate::{Inspector, InspectorOptions, approvals::Approvals, lock};

/// Number of plans that are kept until they are applied.
const MAX_PLANS: usize = 32;

/// Everything about configuration files.
pub(crate) struct ConfigWorkspace {
    pub machine: Machine,
    pub files: RwLock<Arc<ConfigFiles>>,
    /// Held while the files are read: of two readings, the one that began later has to count.
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
    pub revision: AtomicU32,
}

/// Content of all files.
pub(crate) struct ConfigFiles {
    pub clients: Vec<ClientConfig>,
    /// Policy for everything that Sightglass itself connects to.
    pub policy: Policy,
    /// Policy in Claude Code, where the user's own settings may add to it.
    pub claude_policy: Policy,
}

impl ConfigFiles {
    pub fn read(machine: &Machine) -> Self {
        Self {
            clients: load_clients(machine),
            policy: Policy::load(machine),
            claude_policy: Policy::of_claude_code(machine),
        }
    }

    pub fn client(&self, client: Client) -> Option<&ClientConfig> {
        self.clients.iter().find(|config| config.client == client)
    }
}

/// A server that Sightglass itself connects to, as one snapshot of the files defines it.
#[derive(Clone)]
pub(crate) struct ConfiguredServer {
    pub id: ServerId,
    pub scope: Scope,
    pub place: ScopePlace,
    /// The definition that counts, also when it is wrong or disabled: a server is replaced whole,
    /// so a lower definition never stands in for it.
    pub definition: Definition,
    /// Place where the definitions stand that it replaces, the highest first.
    pub shadowed: Vec<(Scope, ScopePlace)>,
    /// The snapshot that it is from.
    pub files: Arc<ConfigFiles>,
}

impl ConfiguredServer {
    /// The value that is shown for approval, hashed and started.
    pub fn plan(&self) -> LaunchPlan {
        LaunchPlan::of(&self.definition)
    }
}

impl ConfigFiles {
    /// The servers of the `.mcp.json` scopes, in the order of the files.
    pub fn servers(self: &Arc<Self>) -> Vec<ConfiguredServer> {
        let Some(config) = self.client(Client::McpJson) else {
            return Vec::new();
        };
        let servers = config.servers.iter();
        servers
            .filter_map(|server| self.configured(config, server))
            .collect()
    }

    /// The server of an id.
    pub fn server(self: &Arc<Self>, id: &ServerId) -> Option<ConfiguredServer> {
        let config = self.client(Client::McpJson)?;
        let server = config
            .servers
            .iter()
            .find(|server| own_id(&server.name) == *id)?;
        self.configured(config, server)
    }

    fn configured(
        self: &Arc<Self>,
        config: &ClientConfig,
        server: &ClientServer,
    ) -> Option<ConfiguredServer> {
        let mut definitions = config.definitions(server).into_iter();
        let (file, definition) = definitions.next()?;
        Some(ConfiguredServer {
            id: own_id(&server.name),
            scope: Scope::from_id(&file.place.target.scope)?,
            place: file.place.clone(),
            definition: definition.clone(),
            shadowed: definitions
                .filter_map(|(file, _)| {
                    let scope = Scope::from_id(&file.place.target.scope)?;
                    Some((scope, file.place.clone()))
                })
                .collect(),
            files: self.clone(),
        })
    }
}

/// The id of a server of the `.mcp.json` scopes.
pub(crate) fn own_id(name: &str) -> ServerId {
    ServerId::new(Client::McpJson.id(), name)
}

/// Plans that were shown and may yet be applied.
#[derive(Default)]
pub(crate) struct PendingPlans {
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
pub(crate) struct ExternalChanges {
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
    fn record(&mut self, before: &ConfigFiles, after: &ConfigFiles, own: &[&Path]) {
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

impl Inspector {
    /// Reads every file again. What changed in files other than `own` was changed by others.
    pub(crate) fn read_files(&self, own: &[&Path]) {
        let _reading = lock(&self.config.reading);
        self.read_approvals();
        let before = self.config.files();
        let after = ConfigFiles::read(&self.config.machine);
        lock(&self.config.external_changes).record(&before, &after, own);
        *self
            .config
            .files
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        self.config.revision.fetch_add(1, Ordering::AcqRel);
    }
}
