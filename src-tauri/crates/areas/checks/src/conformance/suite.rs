//! Runs the server scenarios of the official conformance suite, an npm package.
//!
//! The suite is installed once, when the user says so, into the data directory: its version and the
//! content of each package that it depends on are fixed by a lock file, no script of a package runs,
//! and nothing is downloaded afterwards. It speaks HTTP only, and sends neither headers nor a
//! token. It takes the address as an argument, which other users of the machine can see: an address
//! with a secret in it is not given to it. Most of its scenarios call tools, prompts and resources by the names of its own example
//! server; what a server lacks of these fails.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{ConformanceOptions, SuiteView},
};
use sightglass_checks::{
    Requirements, SuiteReport, SuiteScenario, read_requirements, read_scenario,
};
use sightglass_connection::{Program, run_program};
use sightglass_files::{create_private_directory, read_at_most, replace};
use sightglass_model::{Endpoint, Era, RemoteTransport, ServerId, ServerSpec};
use sightglass_secrets::{Redactor, url_secrets};
use tempfile::TempDir;

use super::ConformanceProgress;
use crate::{conformance::ConformanceChecks, load::remote_host};

const PACKAGE: &str = "@modelcontextprotocol/conformance";
const VERSION: &str = "0.2.0-alpha.12";
const MANIFEST: &str = include_str!("suite/package.json");
const LOCK_FILE: &str = include_str!("suite/package-lock.json");
/// Size of everything in the lock file once it is unpacked.
const MEBIBYTES: u32 = 52;
/// Oldest version of Node that it runs on.
const MIN_NODE: u32 = 22;

const INSTALL_TIMEOUT: Duration = Duration::from_secs(600);
const NODE_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit for the scenarios of a revision.
const RUN_TIMEOUT: Duration = Duration::from_secs(900);
/// Bytes of the suite's output that are kept.
const MAX_OUTPUT: u64 = 64 << 10;
/// Size of a scenario's file, in bytes.
const MAX_RESULT_BYTES: u64 = 8 << 20;
/// Length of `-2026-11-24T10-37-29-470Z` at the end of the name of a scenario's directory.
const STAMP_LENGTH: usize = 25;

/// A run that can begin.
pub(super) struct SuiteRun {
    suite: PathBuf,
    path: Option<OsString>,
    url: String,
    revisions: Vec<&'static str>,
    redactor: Redactor,
}

#[commands(suite_commands)]
impl ConformanceChecks {
    /// Returns the official suite, as it is or would be installed.
    #[command(name = "get_conformance_suite")]
    pub fn conformance_suite(&self) -> SuiteView {
        let directory = self.suite_directory();
        let packages = LOCK_FILE.matches("\"node_modules/").count();
        SuiteView {
            package: PACKAGE.to_owned(),
            version: VERSION.to_owned(),
            is_installed: installed_version(&directory).as_deref() == Some(VERSION),
            packages: u32::try_from(packages).unwrap_or(u32::MAX),
            mebibytes: MEBIBYTES,
            directory: directory.display().to_string(),
        }
    }

    /// Downloads the official suite with npm, at the version and with the content that are fixed
    /// here.
    #[command]
    pub async fn install_conformance_suite(&self) -> Result<SuiteView, InspectorError> {
        let directory = self.suite_directory();
        let saved = create_private_directory(&directory)
            .and_then(|()| replace(&directory.join("package.json"), MANIFEST.as_bytes()))
            .and_then(|()| replace(&directory.join("package-lock.json"), LOCK_FILE.as_bytes()));
        saved.map_err(|source| InspectorError::Save {
            what: format!("{PACKAGE} {VERSION}"),
            source,
        })?;
        let npm = match cfg!(windows) {
            true => "npm.cmd",
            false => "npm",
        };
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        let program = Program {
            program: npm.into(),
            arguments: arguments.map(OsString::from).into(),
            directory: directory.clone(),
            path: self.search_path().await,
            limit: INSTALL_TIMEOUT,
            max_output: MAX_OUTPUT,
        };
        let not_installed = |reason: &str| {
            InspectorError::InvalidInput(format!(
                "{PACKAGE} {VERSION} was not installed: {reason}."
            ))
        };
        let ended = run_program(&program)
            .await
            .map_err(|error| not_installed(&error.to_string()))?;
        let view = self.conformance_suite();
        match view.is_installed && ended.status.is_some_and(|status| status.success()) {
            true => Ok(view),
            false => Err(not_installed(&last_line(&ended.errors))),
        }
    }

    /// Prepares a run, or refuses it.
    pub(super) async fn prepare_suite(
        &self,
        server: &ServerId,
        spec: ServerSpec,
        options: &ConformanceOptions,
    ) -> Result<SuiteRun, InspectorError> {
        let refused = |reason: &str| Err(InspectorError::InvalidInput(reason.to_owned()));
        let spec = self.trust.permit_spec(server, spec)?;
        let Endpoint::Remote(remote) = &spec.endpoint else {
            return refused(
                "The official suite speaks HTTP only, and this server is a program. Start it over \
                 HTTP and check its address.",
            );
        };
        let is_http = remote.url.starts_with("http://") || remote.url.starts_with("https://");
        let is_streamable = matches!(
            remote.transport,
            RemoteTransport::Auto | RemoteTransport::Http
        );
        if !is_http || !is_streamable {
            return refused("The official suite speaks Streamable HTTP only.");
        }
        let redactor = Redactor::new(spec.secrets());
        let is_masked = redactor.text(remote.url.as_str().into()) != remote.url;
        if is_masked || !url_secrets(&remote.url).is_empty() {
            return refused(
                "The address of this server holds what may be a secret. The official suite is a \
                 program that takes the address as an argument, and other users of this computer \
                 can see the arguments of programs. Use an address without it, or run the checks \
                 without the official suite.",
            );
        }
        let view = self.conformance_suite();
        if !view.is_installed {
            return refused(&format!("{PACKAGE} {VERSION} is not installed."));
        }
        if let Some(host) = remote_host(&spec.endpoint)
            && options.allowed_host.as_ref() != Some(&host)
        {
            return Err(InspectorError::RemoteSuite { host });
        }
        Ok(SuiteRun {
            suite: self.suite_directory(),
            path: self.search_path().await,
            url: remote.url.clone(),
            revisions: match options.era {
                Some(Era::Legacy) => vec!["2025-11-25"],
                Some(Era::Modern) => vec!["2026-07-28"],
                None => vec!["2025-11-25", "2026-07-28"],
            },
            redactor,
        })
    }

    fn suite_directory(&self) -> PathBuf {
        self.core
            .data
            .directory()
            .join("conformance-suite")
            .join(VERSION)
    }

    /// The search path for programs of the user's.
    async fn search_path(&self) -> Option<OsString> {
        match self.core.connections.login_path().await {
            Some(path) => Some(path.into()),
            None => (self.core.options.environment)("PATH").map(Into::into),
        }
    }
}

impl SuiteRun {
    /// Runs the scenarios of each revision.
    ///
    /// # Errors
    /// The reason why they could not be run, in a sentence.
    pub async fn scenarios(
        &self,
        on_progress: &(dyn Fn(ConformanceProgress) + Send + Sync),
    ) -> Result<SuiteReport, String> {
        self.check_node().await?;
        let mut report = SuiteReport {
            version: format!("{PACKAGE} {VERSION}"),
            scenarios: Vec::new(),
        };
        for revision in &self.revisions {
            for mut scenario in self.revision(revision).await? {
                scenario.mask(&|text| self.redactor.text(text.into()).into_owned());
                on_progress(ConformanceProgress::Scenario(scenario.clone()));
                report.scenarios.push(scenario);
            }
        }
        Ok(report)
    }

    async fn check_node(&self) -> Result<(), String> {
        let ended = run_program(&self.node(&["--version".into()], NODE_TIMEOUT))
            .await
            .map_err(|error| format!("The official suite needs Node {MIN_NODE}: {error}."))?;
        let version = ended.output.trim().trim_start_matches('v');
        let major = version.split('.').next().unwrap_or_default();
        match major.parse::<u32>() {
            Ok(major) if major >= MIN_NODE => Ok(()),
            _ => Err(format!(
                "The official suite needs Node {MIN_NODE} or newer, and this machine has {}.",
                sightglass_checks::judge::short(version)
            )),
        }
    }

    async fn revision(&self, revision: &str) -> Result<Vec<SuiteScenario>, String> {
        let package = self.suite.join("node_modules").join(PACKAGE);
        let requirements = package
            .join("requirements")
            .join(format!("{revision}.yaml"));
        let requirements = read_text(&requirements)
            .and_then(|text| read_requirements(&text).map_err(|error| error.to_string()))
            .map_err(|error| format!("The suite's requirements cannot be read: {error}."))?;
        let results = TempDir::new()
            .map_err(|error| format!("There is no room for the suite's results: {error}."))?;
        let arguments: Vec<OsString> = vec![
            package.join("dist/index.js").into(),
            "server".into(),
            "--url".into(),
            self.url.clone().into(),
            "--requirements".into(),
            revision.into(),
            "--output-dir".into(),
            results.path().into(),
        ];
        let ended = run_program(&self.node(&arguments, RUN_TIMEOUT))
            .await
            .map_err(|error| format!("The official suite: {error}."))?;
        let written = written_results(results.path());
        if written.is_empty() {
            let reason = last_line(&ended.errors);
            return Err(format!("The official suite wrote no results: {reason}."));
        }
        Ok(read_results(revision, &requirements, &written))
    }

    fn node(&self, arguments: &[OsString], limit: Duration) -> Program {
        Program {
            program: "node".into(),
            arguments: arguments.to_vec(),
            directory: self.suite.clone(),
            path: self.path.clone(),
            limit,
            max_output: MAX_OUTPUT,
        }
    }
}

/// Reads the results of the scenarios that a revision asks for.
fn read_results(
    revision: &str,
    requirements: &Requirements,
    written: &HashMap<String, PathBuf>,
) -> Vec<SuiteScenario> {
    let scored = requirements.scored.iter().map(|name| (name, true));
    let not_scored = requirements.not_scored.iter().map(|name| (name, false));
    let scenarios = scored.chain(not_scored).map(|(name, is_scored)| {
        let text = written.get(name).and_then(|file| read_text(file).ok());
        let read = text.and_then(|text| read_scenario(name, revision, is_scored, &text).ok());
        read.unwrap_or_else(|| SuiteScenario::silent(name, revision, is_scored))
    });
    scenarios.collect()
}

/// The files of results by scenario. The suite names directories by scenario and time.
fn written_results(directory: &Path) -> HashMap<String, PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_prefix("server-")?;
            let end = name.len().checked_sub(STAMP_LENGTH)?;
            Some((
                name.get(..end)?.to_owned(),
                entry.path().join("checks.json"),
            ))
        })
        .collect()
}

fn read_text(file: &Path) -> Result<String, String> {
    let bytes = read_at_most(file, MAX_RESULT_BYTES).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct Manifest {
    version: String,
}

/// The version of the suite that lies below a directory.
fn installed_version(directory: &Path) -> Option<String> {
    let manifest = directory
        .join("node_modules")
        .join(PACKAGE)
        .join("package.json");
    let manifest: Manifest = serde_json::from_str(&read_text(&manifest).ok()?).ok()?;
    Some(manifest.version)
}

/// The last line of a program's output that says something.
fn last_line(text: &str) -> String {
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map(str::trim).unwrap_or("it said nothing");
    sightglass_checks::judge::short(last.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_holds_the_version_and_the_content_of_each_package() {
        let lock: serde_json::Value = serde_json::from_str(LOCK_FILE).expect("JSON");
        let packages = lock["packages"].as_object().expect("packages");
        let suite = &packages[&format!("node_modules/{PACKAGE}")];
        assert_eq!(suite["version"], VERSION);
        for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            let integrity = package["integrity"].as_str().unwrap_or_default();
            assert!(integrity.starts_with("sha512-"), "{name}");
            assert!(package.get("resolved").is_none(), "{name} names a registry");
        }
    }

    #[test]
    fn results_are_found_by_scenario_and_what_is_missing_is_skipped() {
        let directory = TempDir::new().expect("a directory");
        let place = directory
            .path()
            .join("server-ping-2026-11-24T10-37-29-413Z");
        fs::create_dir(&place).expect("created");
        let text = r#"[{"id":"ping","status":"SUCCESS"}]"#;
        replace(&place.join("checks.json"), text.as_bytes()).expect("written");
        fs::create_dir(directory.path().join("server-é")).expect("created");
        let requirements = Requirements {
            scored: vec!["ping".into(), "tools-list".into()],
            not_scored: Vec::new(),
        };
        let written = written_results(directory.path());
        let scenarios = read_results("2025-11-25", &requirements, &written);
        let verdicts: Vec<_> = scenarios
            .iter()
            .map(|scenario| (scenario.name.as_str(), scenario.checks.len()))
            .collect();
        assert_eq!(verdicts, [("ping", 1), ("tools-list", 0)]);
    }
}
