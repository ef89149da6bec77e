//! Stories of what users rely on when Sightglass reads and changes their configuration files.

#![allow(
    clippy::disallowed_methods,
    reason = "tests put files in place as other programs do"
)]

mod approval;
mod as_they_are;
mod bundles;
mod client_approvals;
mod continue_dev;
mod dialects;
mod editing;
mod everywhere;
mod exporting;
mod generated;
mod importing;
mod merging;
mod misread;
mod of_clients;
mod opencode;
#[cfg(unix)]
mod programs;
mod properties;
mod reading;
mod referenced_files;
mod resolving;
mod signing_in;
mod watching;
mod writing;

use std::path::{Path, PathBuf};

use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence};
use sightglass_config::{
    BundleHost, Candidate, ChangePlan, Client, ClientConfig, ClientFile, ConfigAction, ConfigError,
    Definition, Draft, DraftEndpoint, DraftRemote, FileChange, FileState, ImportError,
    ImportSource, Machine, NamedText, Places, Platform, Problem, Scope, Target, definition_draft,
    parse_scope_file, plan_action, read_client, scope_place, with_draft,
};
use sightglass_model::RemoteTransport;

/// A home and a project that vanish after the test.
struct World {
    directory: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            directory: tempfile::tempdir().expect("a temporary directory can be made"),
        };
        std::fs::create_dir(world.places().home).expect("a fresh directory is writable");
        std::fs::create_dir(world.places().project).expect("a fresh directory is writable");
        world
    }

    fn root(&self) -> &Path {
        self.directory.path()
    }

    fn places(&self) -> Places {
        Places {
            home: self.root().join("home"),
            project: self.root().join("project"),
        }
    }

    fn machine(&self) -> Machine {
        self.machine_with(|_| None)
    }

    fn machine_with(
        &self,
        environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Machine {
        Machine {
            places: self.places(),
            platform: Platform::Linux,
            system_root: self.root().join("system"),
            environment: std::sync::Arc::new(environment),
        }
    }

    /// The `.mcp.json` scopes as they are read.
    fn load(&self) -> ClientConfig {
        read_client(Client::McpJson, &self.machine())
    }

    fn path(&self, scope: Scope) -> PathBuf {
        self.places().path(scope)
    }

    /// Puts a scope's file in place, with its directories.
    fn put(&self, scope: Scope, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(scope);
        std::fs::create_dir_all(path.parent().expect("a scope file has a directory"))
            .expect("the directories can be made");
        std::fs::write(&path, content).expect("the file can be written");
        path
    }
}

/// Reads a source of which nothing is unpacked.
fn read_import(source: &ImportSource) -> Result<Vec<Candidate>, ImportError> {
    let machine = DESK.with(World::machine);
    let host = BundleHost {
        directory: Path::new("/data/bundles"),
        machine: &machine,
    };
    sightglass_config::read_import(source, &host)
}

thread_local! {
    /// One world for all that is only planned.
    static DESK: World = World::new();
}

/// Plans an action on the file of the scope [`Scope::ProjectRoot`] if it had this text.
fn plan_on(text: Option<&str>, action: &ConfigAction) -> Result<ChangePlan, ConfigError> {
    DESK.with(|world| {
        let path = world.path(Scope::ProjectRoot);
        match text {
            Some(text) => std::fs::write(&path, text).expect("the project is writable"),
            None => drop(std::fs::remove_file(&path)),
        }
        plan_action(action, &world.machine())
    })
}

/// The change of the one file that [`plan_on`] is about.
fn planned(text: Option<&str>, action: &ConfigAction) -> Result<FileChange, ConfigError> {
    let file = plan_on(text, action)?.files.into_iter().next();
    let text = text.map(str::to_owned);
    Ok(file.map_or_else(
        || FileChange::new(PathBuf::new(), text.clone(), text, false),
        |file| file.change,
    ))
}

fn add_to(scope: Scope, draft: Draft) -> ConfigAction {
    ConfigAction::Add {
        target: Target::new(Client::McpJson, scope.id()),
        draft,
    }
}

fn add(draft: Draft) -> ConfigAction {
    add_to(Scope::ProjectRoot, draft)
}

/// Saves a form as the editor does: it is written into the text, and the text is saved.
fn form_action(
    machine: &Machine,
    target: &Target,
    text: &str,
    name: &str,
    draft: &Draft,
) -> Result<ConfigAction, ConfigError> {
    let place = scope_place(target, machine).expect("a scope");
    Ok(ConfigAction::Text {
        target: target.clone(),
        text: with_draft(&place, text, Some(name), draft)?,
    })
}

/// The change of the file that [`plan_on`] is about, when a form is saved.
fn planned_form(text: &str, name: &str, draft: Draft) -> Result<FileChange, ConfigError> {
    let target = Target::new(Client::McpJson, Scope::ProjectRoot.id());
    let action = DESK.with(|world| form_action(&world.machine(), &target, text, name, &draft))?;
    planned(Some(text), &action)
}

fn remove(name: &str) -> ConfigAction {
    ConfigAction::Remove {
        target: Target::new(Client::McpJson, Scope::ProjectRoot.id()),
        names: vec![name.into()],
    }
}

/// Returns the number of files that each property is tried on. `SIGHTGLASS_CASES` changes it.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("SIGHTGLASS_CASES").ok();
    ProptestConfig {
        cases: asked.and_then(|cases| cases.parse().ok()).unwrap_or(usual),
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

/// A text read as the file of a scope of `.mcp.json`.
fn parse_scope(scope: Scope, text: &str) -> ClientFile {
    DESK.with(|world| {
        let target = Target::new(Client::McpJson, scope.id());
        let place = scope_place(&target, &world.machine()).expect("the scope exists");
        parse_scope_file(place, text)
    })
}

fn parse(text: &str) -> ClientFile {
    parse_scope(Scope::User, text)
}

/// Returns what the form shows of a server's endpoint and era.
fn form_of(definition: &Definition) -> Option<Draft> {
    Some(Draft {
        limits: None,
        tools: None,
        sign_in: None,
        ..definition_draft(definition)?
    })
}

/// The only server of a client, as the highest of its files says.
fn only(config: &ClientConfig) -> (&ClientFile, &Definition) {
    let [server] = config.servers.as_slice() else {
        panic!("there is not one server but {}", config.servers.len());
    };
    config.definitions(server)[0]
}

/// Returns the problems of a broken file, as `line:column: message`.
fn broken(text: &str) -> Vec<String> {
    match parse(text).state {
        FileState::Broken { problems } => lines(&problems),
        state => panic!("the file counts as {state:?}"),
    }
}

fn lines(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// Returns the range of the lines of `before` that are not in `after`, read from both ends: the
/// first, and the one behind the last.
fn touched_lines(before: &[&str], after: &[&str]) -> (usize, usize) {
    let start = before
        .iter()
        .zip(after)
        .take_while(|(old, new)| old == new)
        .count();
    let end = before[start..]
        .iter()
        .rev()
        .zip(after[start..].iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    (start, before.len() - end)
}

fn program(name: &str, command: &str, arguments: &[&str]) -> Draft {
    Draft {
        name: name.into(),
        endpoint: DraftEndpoint::Stdio {
            command: command.into(),
            arguments: arguments.iter().map(|text| (*text).to_owned()).collect(),
            environment: Vec::new(),
            working_directory: None,
        },
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

fn remote(name: &str, url: &str, headers: &[(&str, &str)]) -> Draft {
    Draft {
        name: name.into(),
        endpoint: DraftEndpoint::Remote(DraftRemote {
            transport: RemoteTransport::Http,
            url: url.into(),
            headers: named(headers),
            ..DraftRemote::default()
        }),
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

fn named(texts: &[(&str, &str)]) -> Vec<NamedText> {
    texts
        .iter()
        .map(|(name, text)| NamedText {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        })
        .collect()
}
