//! The programs themselves read what Sightglass wrote, and agree with what it says of them.
//! They run in a home directory of their own.
//!
//! ```text
//! listed     what counts in the files, by the lists of the clients
//! providers  the converted lists, by what model interfaces publish
//! sent       the tools that the clients send to a model, under the names that we tell
//! tokens     the tokens of a list, by another library
//! used       how the clients start programs, what they send, and which files they read
//! ```

mod listed;
mod providers;
mod sent;
mod tokens;
mod used;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use sightglass_inspector::{Client, ConfigAction, Draft, DraftEndpoint, NamedText, Target};
use sightglass_tests::{TestHost, configuring::change, programs};

/// A client that npm installed, or nothing where none is pinned for this system.
fn installed(name: &str) -> Option<PathBuf> {
    let packages = programs::repository().join("tests/interop/node_modules");
    let path = match name {
        "opencode" if cfg!(all(target_os = "linux", target_arch = "x86_64")) => {
            packages.join("opencode-linux-x64/bin/opencode")
        }
        "opencode" => {
            println!("Skipped: OpenCode is pinned for Linux on x86-64 alone.");
            return None;
        }
        _ => packages.join(".bin").join(name),
    };
    assert!(
        path.exists(),
        "{} is missing: run `npm ci --prefix tests/interop`, or `cargo xtask test`",
        path.display()
    );
    Some(path)
}

/// A client that will run in the host's project, with the host's home and nothing else of this
/// machine's.
fn command(host: &TestHost, program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", host.home())
        .env("NO_COLOR", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .current_dir(host.project())
        .stdin(Stdio::null());
    command
}

fn draft(name: &str, endpoint: DraftEndpoint) -> Draft {
    Draft {
        name: name.into(),
        endpoint,
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

fn add(host: &TestHost, client: Client, scope: &str, name: &str, endpoint: DraftEndpoint) {
    let draft = draft(name, endpoint);
    let target = Target::new(client, scope);
    change(&host.inspector, &ConfigAction::Add { target, draft });
}

fn program(command: &str, arguments: &[&str], environment: &[(&str, &str)]) -> DraftEndpoint {
    DraftEndpoint::Stdio {
        command: command.into(),
        arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        environment: named(environment),
        working_directory: None,
    }
}

fn named(texts: &[(&str, &str)]) -> Vec<NamedText> {
    texts
        .iter()
        .map(|(name, text)| NamedText {
            name: (*name).into(),
            text: (*text).into(),
        })
        .collect()
}
