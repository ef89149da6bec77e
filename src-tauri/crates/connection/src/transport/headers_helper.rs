//! Runs the command that gives the headers of a server.
//!
//! An entry may name a command that prints headers, for tokens that change with each connection
//! (<https://code.claude.com/docs/en/mcp#use-dynamic-headers-for-custom-authentication>). It runs
//! in a shell before each connection, for 10 seconds at most, and is told the server's name and
//! address in its environment.

use std::{collections::BTreeMap, time::Duration};

use sightglass_model::{Failure, HeadersHelper};
use sightglass_secrets::Secret;
use tokio::{process::Command, time::timeout};

use super::{program::spawn, stdio::child_command};

/// Time limit of the command.
const HELPER_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest output that is read, in bytes.
const MAX_OUTPUT: u64 = 64 << 10;

/// The headers that a command prints.
///
/// # Errors
/// [`Failure::Configuration`] when it does not start, does not end in time, ends with a code other
/// than 0, or prints anything but a JSON object of strings.
pub(crate) async fn headers(
    helper: &HeadersHelper,
    name: &str,
    url: &str,
    login: &BTreeMap<&'static str, String>,
) -> Result<BTreeMap<String, Secret<String>>, Failure> {
    let failed = |reason: String| Failure::Configuration {
        message: format!("headersHelper {reason}"),
    };
    let mut command = shell(&helper.command);
    let variables = helper.variables.iter();
    command
        .envs(variables.map(|(name, value)| (name, value.expose())))
        .envs(login)
        .env("CLAUDE_CODE_MCP_SERVER_NAME", name)
        .env("CLAUDE_CODE_MCP_SERVER_URL", url);
    if let Some(directory) = &helper.working_directory {
        command
            .current_dir(directory)
            .env("PWD", directory)
            .env_remove("OLDPWD")
            .env_remove("INIT_CWD");
    }
    let started = spawn(&mut command).map_err(|error| failed(format!("did not start: {error}")))?;
    let Ok(ended) = timeout(HELPER_TIMEOUT, started.end(MAX_OUTPUT)).await else {
        let seconds = HELPER_TIMEOUT.as_secs();
        return Err(failed(format!("did not end within {seconds} seconds")));
    };
    let Some(status) = ended.status else {
        return Err(failed("could not be waited for".to_owned()));
    };
    if !status.success() {
        let last = ended
            .errors
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty());
        let last = last.map_or_else(String::new, |line| format!(": {}", line.trim()));
        return Err(failed(format!("ended with {status}{last}")));
    }
    let headers: BTreeMap<String, String> = serde_json::from_str(&ended.output).map_err(|_| {
        failed(
            "has to print a JSON object of header names and strings, and printed something else"
                .to_owned(),
        )
    })?;
    let headers = headers.into_iter();
    Ok(headers
        .map(|(name, value)| (name, Secret::new(value)))
        .collect())
}

/// The command as the system's shell runs it. Other processes can read its arguments, so that no
/// value stands in them.
fn shell(line: &str) -> Command {
    let [shell, arguments @ ..] = HeadersHelper::program(line);
    let mut command = Command::from(child_command(shell));
    command.args(arguments);
    command
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn run(line: &str) -> Result<BTreeMap<String, Secret<String>>, String> {
        let helper = HeadersHelper::of(line);
        let login = BTreeMap::new();
        let found = headers(&helper, "mine", "https://a.example/mcp", &login);
        found.await.map_err(|failure| match failure {
            Failure::Configuration { message } => message,
            other => other.to_string(),
        })
    }

    #[tokio::test]
    async fn the_headers_are_what_the_command_prints() {
        let found = run(r#"printf '{"X-For":"%s %s"}' "$CLAUDE_CODE_MCP_SERVER_NAME" "$CLAUDE_CODE_MCP_SERVER_URL""#).await;
        let found = found.expect("headers");
        assert_eq!(found["X-For"].expose(), "mine https://a.example/mcp");
    }

    #[tokio::test]
    async fn a_value_is_no_part_of_the_command() {
        let directory = tempfile::tempdir().expect("a directory");
        let mark = directory.path().join("mark");
        let value = format!("x\";touch {};$(touch {0})", mark.display());
        let line = r#"printf '{"X-For":"%s"}' "$(printf %s "${VALUE}" | wc -c)""#;
        let mut helper = HeadersHelper::of(line);
        let length = value.len().to_string();
        helper.variables.insert("VALUE".into(), value.into());
        let found = headers(&helper, "mine", "https://a.example/mcp", &BTreeMap::new()).await;
        let found = found.expect("headers");
        assert_eq!(found["X-For"].expose().trim(), length);
        assert!(!mark.exists());
    }

    #[tokio::test]
    async fn a_command_that_fails_says_why() {
        let error = run("echo no session >&2; exit 3").await.unwrap_err();
        assert!(error.ends_with("exit status: 3: no session"), "{error}");
        let error = run("echo '[1]'").await.unwrap_err();
        assert!(error.contains("JSON object"), "{error}");
    }

    #[tokio::test]
    async fn output_without_end_is_cut() {
        let error = run("yes | head -c 1000000").await.unwrap_err();
        assert!(error.contains("headersHelper"), "{error}");
    }
}
