//! Asks the user's login shell for what a desktop does not know: the search path, which
//! proxy to use, which language to speak.
//!
//! An application that is started from a desktop inherits the session's environment, in
//! which the lines of `.profile` and `.zshrc` have had no say. A server's command is mostly
//! one that works in the user's terminal, so it gets those variables from the shell. It is
//! asked once, when the first server starts.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{process::Command, sync::OnceCell, time::timeout};

use super::child_command;

/// Time limit for the shell to read its files.
const SHELL_TIMEOUT: Duration = Duration::from_secs(5);
/// Variables that the shell is asked for: the search path, proxies, the locale.
const VARIABLES: [&str; 16] = [
    "PATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
];
/// Stands before the values: the files of a shell may print something of their own.
const MARK: &str = "sightglass-login-variables:";

/// The login shell, asked at most once.
#[derive(Debug)]
pub(crate) struct LoginShell {
    /// Place where it is asked. Never in the project: a shell's files may look at what lies in the
    /// working directory.
    home: PathBuf,
    variables: OnceCell<BTreeMap<&'static str, String>>,
}

impl LoginShell {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self {
            home,
            variables: OnceCell::new(),
        }
    }

    /// The variables that the shell sets; none when it cannot be asked.
    pub(crate) async fn variables(&self) -> &BTreeMap<&'static str, String> {
        self.variables
            .get_or_init(|| async {
                let shell = env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
                ask(shell, &self.home).await.unwrap_or_default()
            })
            .await
    }

    /// The search path that the shell sets.
    pub(crate) async fn path(&self) -> Option<String> {
        self.variables().await.get("PATH").cloned()
    }
}

/// Asks a shell; nothing when it takes too long or does not understand the question.
async fn ask(shell: OsString, home: &Path) -> Option<BTreeMap<&'static str, String>> {
    let values: Vec<String> = VARIABLES
        .iter()
        .map(|name| format!("\"${name}\""))
        .collect();
    let question = format!("printf '{MARK}'; printf '%s\\0' {}", values.join(" "));
    let mut command = Command::from(child_command(shell));
    command
        // Interactive too: many set their path where only that kind of shell looks.
        .args(["-l", "-i", "-c", &question])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .current_dir(home)
        .env("PWD", home)
        .env_remove("OLDPWD")
        .env_remove("INIT_CWD")
        .kill_on_drop(true);
    away_from_the_terminal(&mut command);
    let output = timeout(SHELL_TIMEOUT, command.output()).await.ok()?.ok()?;
    let mut variables = read(&output.stdout)?;
    if let Some(path) = variables.get_mut("PATH") {
        *path = joined(path, env::var_os("PATH"));
    }
    Some(variables)
}

/// An interactive shell would stop when it is in the background of a terminal.
#[cfg(unix)]
fn away_from_the_terminal(command: &mut Command) {
    // SAFETY: setsid is async-signal-safe and allocates nothing.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
}

#[cfg(not(unix))]
fn away_from_the_terminal(_command: &mut Command) {}

fn read(output: &[u8]) -> Option<BTreeMap<&'static str, String>> {
    let start = memchr::memmem::rfind(output, MARK.as_bytes())? + MARK.len();
    let values = output.get(start..)?.split(|byte| *byte == 0);
    let variables = VARIABLES
        .into_iter()
        .zip(values)
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| Some((name, String::from_utf8(value.to_vec()).ok()?)))
        .collect();
    Some(variables)
}

/// The shell's search path, and behind it what only we have.
fn joined(path: &str, ours: Option<OsString>) -> String {
    let theirs: Vec<PathBuf> = env::split_paths(path).collect();
    let known: BTreeSet<PathBuf> = theirs.iter().cloned().collect();
    let ours = ours.unwrap_or_default();
    // An empty entry would mean the working directory.
    let more = env::split_paths(&ours)
        .filter(|directory| !directory.as_os_str().is_empty() && !known.contains(directory));
    env::join_paths(theirs.iter().cloned().chain(more))
        .ok()
        .and_then(|joined| joined.into_string().ok())
        .unwrap_or_else(|| path.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(
        clippy::disallowed_methods,
        reason = "a shell of its own is written for the test"
    )]

    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn shell(script: &str) -> (tempfile::TempDir, OsString) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("shell");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        (directory, path.into())
    }

    #[tokio::test]
    async fn a_shell_says_what_its_files_set_and_what_they_print_is_passed_over() {
        // As a login shell does: reads its files, which print and set, then the command.
        let (_directory, shell) = shell(
            "echo Welcome back; PATH=/opt/tools/bin:$PATH; HTTPS_PROXY=http://proxy:3128\n\
             unset LANG; test \"$1$2$3\" = -l-i-c && eval \"$4\"",
        );
        let variables = ask(shell, Path::new("/")).await.unwrap();
        assert!(variables["PATH"].starts_with("/opt/tools/bin:"));
        assert_eq!(variables["HTTPS_PROXY"], "http://proxy:3128");
        assert!(!variables.contains_key("LANG"));
    }

    #[tokio::test]
    async fn a_shell_that_does_not_understand_says_nothing() {
        let (_directory, shell) = shell("echo what; exit 2");
        assert_eq!(ask(shell, Path::new("/")).await, None);
    }

    #[tokio::test]
    async fn a_shell_is_asked_from_the_home_directory_and_never_from_where_we_are() {
        let home = tempfile::tempdir().unwrap();
        let (_directory, shell) = shell("touch looked-here; LANG=$PWD; eval \"$4\"");
        let variables = ask(shell, home.path()).await.unwrap();
        assert!(home.path().join("looked-here").exists());
        assert!(!Path::new("looked-here").exists());
        assert_eq!(Path::new(&variables["LANG"]), home.path());
    }

    #[test]
    fn the_search_path_keeps_what_only_we_have() {
        assert_eq!(joined("/a:/b", Some("/b:/c".into())), "/a:/b:/c");
        assert_eq!(joined("/a", None), "/a");
    }
}
