//! Reads the words of a command, and resolves the server that is meant.

use std::{convert::Infallible, path::Path};

use clap::Args;
use sightglass_inspector::{
    Endpoint, EraChoice, Inspector, InspectorError, RemoteEndpoint, RemoteTransport, ServerId,
    ServerSpec, TimeLimits, is_loopback_host, shell_quoted, view::ScopeFileState,
};

use crate::{
    config_entry::entry_of,
    error::CliError,
    next_step,
    options::{CommonOptions, Named, TransportOption},
    session_name::SessionName,
    target::{Target, address_of_host, is_address, program},
};

/// Endings of names of files; some of them are top-level domains too. The window has the same ones,
/// in `NO_HOST` of `recognise.ts`.
const FILE_ENDINGS: [&str; 24] = [
    "js", "mjs", "cjs", "ts", "mts", "cts", "py", "rb", "php", "jar", "sh", "rs", "md", "zip",
    "json", "jsonc", "toml", "yaml", "yml", "mcpb", "dxt", "exe", "bat", "cmd",
];

/// Schemes of the addresses of servers.
const SCHEMES: [&str; 5] = ["https", "http", "wss", "ws", "unix"];

/// Hint where an address is none.
const ADDRESSES: &str = "An address begins with https://, http://, wss://, ws:// or unix://.";

/// Stands before a word that only looks like an option. No argument of a program can hold it.
pub(crate) const ESCAPE: char = '\0';

/// A command's words: the target first, unless it is the program after `--`.
#[derive(Debug, Args)]
pub(crate) struct Addressed {
    /// The name of a configured server, a URL, a host, or nothing with a program after `--`; then
    /// what the command takes
    #[arg(value_name = "TARGET", value_parser = unescaped)]
    words: Vec<String>,
    /// The server as a program to start
    #[arg(last = true, value_name = "PROGRAM")]
    pub program: Vec<String>,
}

fn unescaped(word: &str) -> Result<String, Infallible> {
    Ok(word.strip_prefix(ESCAPE).unwrap_or(word).to_owned())
}

impl Addressed {
    /// The target, and the words after it.
    pub(crate) fn split(self) -> Result<(Target, Vec<String>), CliError> {
        let mut program = self.program.into_iter();
        if let Some(command) = program.next() {
            let target = Target::Program {
                command,
                arguments: program.collect(),
            };
            return Ok((target, self.words));
        }
        let mut words = self.words.into_iter();
        let Some(word) = words.next().filter(|word| !word.trim().is_empty()) else {
            return Err(CliError::usage(
                "There is no target.",
                "Give the name of a configured server, a URL, a host, or `-- PROGRAM ARGS`. \
                 `sightglass-cli servers` lists the configured ones.",
            ));
        };
        Ok((Target::of(word), words.collect()))
    }

    /// Returns the target as it was given; nothing where there is none.
    pub(crate) fn first(&self) -> Option<&str> {
        let words = self.words.first().or(self.program.first());
        words.map(String::as_str)
    }

    /// Refuses a target, for a command that needs none.
    pub(crate) fn none(self) -> Result<(), CliError> {
        refuse_more(&self.words)?;
        refuse_more(&self.program)
    }

    /// The target of a command that takes nothing else.
    pub(crate) fn alone(self) -> Result<Target, CliError> {
        let (target, rest) = self.split()?;
        refuse_more(&rest)?;
        Ok(target)
    }
}

/// Returns the address that a word stands for in a file: itself, that of the host that it names, or
/// what a variable holds.
pub(crate) fn address(word: String) -> Result<String, CliError> {
    if is_address(&word) {
        refuse_scheme(&word)?;
        return Ok(word);
    }
    if word.contains(['$', '{']) {
        return Ok(word);
    }
    address_of_host(&word)
        .filter(|_| !(may_be_a_name(&word) && is_file_name(&word)))
        .ok_or_else(|| {
            CliError::usage(
                "This is no address of a server.",
                &format!("{ADDRESSES} A program stands after `--`."),
            )
        })
}

/// Refuses an address of a scheme over which no server is reached. The address itself, in which a
/// password may stand, is not shown.
fn refuse_scheme(url: &str) -> Result<(), CliError> {
    match url.split_once("://") {
        Some((scheme, _)) if is_address(url) && !SCHEMES.contains(&&*scheme.to_lowercase()) => {
            Err(CliError::usage(
                &format!("No server is reached at an address that begins with {scheme}://."),
                ADDRESSES,
            ))
        }
        _ => Ok(()),
    }
}

/// Returns true for a word that begins as an address but for the marks behind its scheme, as
/// `http//host` and `https:host` do.
fn is_broken_address(word: &str) -> bool {
    SCHEMES.iter().any(|scheme| {
        let (start, rest) = word.split_at_checked(scheme.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(scheme) && rest.starts_with([':', '/', '\\'])
    })
}

/// Returns the error for a word that names no server and is no address either, as `unknown` says. A
/// word in which a password may stand is not shown.
fn no_target(word: &str, unknown: &InspectorError, inspector: &Inspector) -> CliError {
    if SessionName::read(word).is_some() {
        return CliError::usage(
            &format!("{word} names a session, and no server."),
            &format!(
                "A session stands before the command, as in `sightglass-cli {word} tools list`. \
                 `sightglass-cli sessions` lists them."
            ),
        );
    }
    let may_hold_password = word
        .rsplit_once('@')
        .is_some_and(|(user, _)| user.contains(':'));
    if may_hold_password {
        return CliError::usage(
            "No server has that name, and an address with a password needs its scheme.",
            ADDRESSES,
        );
    }
    let hint = match is_broken_address(word) {
        true => ADDRESSES,
        false => {
            "`sightglass-cli servers` lists the configured ones. A URL, a host such as \
             mcp.example.com, or a program after `--` is possible too."
        }
    };
    let servers = inspector.snapshot().servers;
    let names: Vec<String> = servers.into_iter().map(|server| server.name).collect();
    let hint = match next_step::did_you_mean(word, &names) {
        Some(question) => format!("{question} {hint}"),
        None => hint.to_owned(),
    };
    let error = CliError::usage(&unknown.to_string(), &hint);
    match unusable_files(inspector).as_slice() {
        [] => error,
        paths => error.with_step(&format!(
            "The servers of {} are not known: `sightglass-cli config check` says what is wrong \
             there.",
            paths.join(", ")
        )),
    }
}

/// Returns the paths of the files that are there and cannot be read, so that no server of theirs is
/// known.
pub(crate) fn unusable_files(inspector: &Inspector) -> Vec<String> {
    let mut paths = Vec::new();
    for file in inspector.snapshot().files {
        let is_usable = matches!(file.state, ScopeFileState::Missing | ScopeFileState::Loaded);
        // Several clients may read one file.
        if !is_usable && !paths.contains(&file.path) {
            paths.push(file.path);
        }
    }
    paths
}

/// Returns true for a word whose form alone does not tell a host from a name of a server or a file
/// that is mistyped, or not in this folder: it has neither port nor path, and is no address of this
/// machine or in numbers.
fn may_be_a_name(word: &str) -> bool {
    !word.contains([':', '/', '?', '#'])
        && word.parse::<std::net::Ipv4Addr>().is_err()
        && !is_loopback_host(&url::Host::Domain(word))
}

/// Returns true where the last part of a name is the ending of a file.
fn is_file_name(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(_, ending)| {
        FILE_ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// Returns what a server would be given that only the one that is meant may have.
fn credential_of(options: &CommonOptions) -> Option<&'static str> {
    let (_, client_secret) = options.client();
    [
        ("a header", !options.headers.is_empty()),
        ("a client secret", client_secret.is_some()),
        ("an account", options.identity.is_some()),
    ]
    .into_iter()
    .find_map(|(name, is_given)| is_given.then_some(name))
}

/// Refuses to take a word for a host where it may well be something else: connecting would lead to
/// a stranger, and take along what is given for the server that is meant.
fn refuse_unlikely_host(word: &str, url: &str, options: &CommonOptions) -> Result<(), CliError> {
    if !may_be_a_name(word) {
        return Ok(());
    }
    let reason = match credential_of(options) {
        _ if is_file_name(word) => "it looks like the name of a file".to_owned(),
        Some(credential) => {
            format!("{credential} is not given to a host whose name may be mistyped")
        }
        None => return Ok(()),
    };
    Err(CliError::usage(
        &format!("There is no server {word} here, and {reason}."),
        &format!("If it is a host, write it as an address, `{url}`. A program stands after `--`."),
    ))
}

/// Refuses words that a command has no use for.
pub(crate) fn refuse_more(words: &[String]) -> Result<(), CliError> {
    match words.first() {
        None => Ok(()),
        Some(word) => Err(CliError::usage(
            &format!("{word} is one argument too many."),
            "`--help` tells what the command takes. A program and its arguments stand after `--`.",
        )),
    }
}

impl Target {
    /// Returns its id, and its endpoint with what the options add.
    pub(crate) async fn resolve(
        &self,
        inspector: &Inspector,
        options: &CommonOptions,
    ) -> Result<(ServerId, ServerSpec), CliError> {
        let (server, mut spec) = match (self, &options.config) {
            (Self::Named(name), Some(file)) => entry_of(inspector, options, file, name)?,
            (_, Some(_)) => {
                return Err(CliError::usage(
                    "`--config` is for the name of an entry, and this is none.",
                    "Leave `--config` out, or name an entry of the file as the target.",
                ));
            }
            (Self::Named(name), None) => configured(inspector, name, options).await?,
            (Self::Url(url), None) => {
                refuse_scheme(url)?;
                at_address(inspector, url)
            }
            (Self::Program { command, arguments }, None) => ad_hoc(
                inspector,
                command,
                command.clone(),
                program(command, arguments),
            ),
        };
        apply(options, &mut spec)?;
        Ok((server, spec))
    }

    /// Returns its id where it is a configured server that the managed policy refuses: it cannot be
    /// resolved, and what is kept for it can still be forgotten.
    pub(crate) fn refused(&self, inspector: &Inspector) -> Option<ServerId> {
        let Self::Named(name) = self else {
            return None;
        };
        let server = inspector.servers.names.find_server(name).ok()?;
        let spec = inspector.servers.specs.spec(&server);
        matches!(spec, Err(InspectorError::RefusedByPolicy { .. })).then_some(server)
    }
}

/// A server that is known by its address alone. A password in it is shown nowhere.
fn at_address(inspector: &Inspector, url: &str) -> (ServerId, ServerSpec) {
    let endpoint = Endpoint::Remote(RemoteEndpoint::at(url));
    ad_hoc(inspector, url, endpoint.summary(), endpoint)
}

/// A server that no file defines: `word` names it in what is kept, `name` where it is shown.
fn ad_hoc(
    inspector: &Inspector,
    word: &str,
    name: String,
    endpoint: Endpoint,
) -> (ServerId, ServerSpec) {
    let spec = ServerSpec {
        name,
        endpoint,
        era: EraChoice::Auto,
        limits: TimeLimits::default(),
        client: Default::default(),
        is_recorded: true,
        expanded: Vec::new(),
        references: Vec::new(),
    };
    let server = ServerId::named_on_command_line(word);
    let settings = &inspector.servers.server_settings;
    let spec = settings.with_settings(&server, spec);
    (server, spec)
}

async fn configured(
    inspector: &Inspector,
    name: &str,
    options: &CommonOptions,
) -> Result<(ServerId, ServerSpec), CliError> {
    let server = match inspector.servers.names.find_server(name) {
        Ok(server) => server,
        Err(error) if is_configured(inspector, name) => {
            let hint = "Name it as one of these; `sightglass-cli servers` lists them with their \
                        clients.";
            return Err(CliError::usage(&error.to_string(), hint));
        }
        Err(error) if Path::new(name).is_dir() => {
            let hint = format!(
                "{name} is a folder here. `--project` names the folder whose servers are meant, and \
                 a program stands after `--`."
            );
            return Err(CliError::usage(&error.to_string(), &hint));
        }
        Err(error) if Path::new(name).exists() => {
            let hint = format!(
                "{name} is a file here. To start it as a program: `-- {}`.",
                shell_quoted(name)
            );
            return Err(CliError::usage(&error.to_string(), &hint));
        }
        Err(error) => {
            return match address_of_host(name) {
                Some(url) => {
                    refuse_unlikely_host(name, &url, options)?;
                    Ok(at_address(inspector, &url))
                }
                None => Err(no_target(name, &error, inspector)),
            };
        }
    };
    let servers = &inspector.servers;
    servers.lifecycle.read_entry_secrets(&server).await?;
    match servers.specs.spec(&server) {
        Ok(spec) => Ok((server, spec)),
        Err(error @ InspectorError::InvalidEntry(_)) => {
            let hint = format!(
                "`sightglass-cli config explain {}` says where its entry stands.",
                shell_quoted(server.name())
            );
            Err(CliError::from(error).with_hint(&hint))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns true when a server has the name, though it may not be the only one.
fn is_configured(inspector: &Inspector, name: &str) -> bool {
    let servers = inspector.snapshot().servers;
    servers.iter().any(|server| server.name == name)
}

/// Puts what the options say over what is configured.
fn apply(options: &CommonOptions, spec: &mut ServerSpec) -> Result<(), CliError> {
    options.limit(&mut spec.limits);
    if let Some(era) = options.era {
        spec.era = era.into();
        spec.client.revision = None;
    }
    let transport = match options.transport {
        TransportOption::Auto | TransportOption::Stdio => None,
        TransportOption::Http => Some(RemoteTransport::Http),
        TransportOption::Sse => Some(RemoteTransport::Sse),
        TransportOption::Ws => Some(RemoteTransport::WebSocket),
    };
    let over_stdio = options.transport == TransportOption::Stdio;
    match &mut spec.endpoint {
        Endpoint::Stdio {
            environment,
            working_directory,
            ..
        } => {
            refuse(&spec.name, "this --transport", transport.is_some(), "a URL")?;
            refuse(&spec.name, "--header", !options.headers.is_empty(), "a URL")?;
            refuse(
                &spec.name,
                "--client-id",
                options.client_id.is_some(),
                "a URL",
            )?;
            refuse(&spec.name, "--ca", options.ca.is_some(), "a URL")?;
            refuse(&spec.name, "--insecure", options.insecure, "a URL")?;
            refuse(
                &spec.name,
                "--identity",
                options.identity.is_some(),
                "a URL",
            )?;
            for Named { name, value } in options.variables()? {
                environment.insert(name.clone(), value.clone());
            }
            if let Some(directory) = &options.cwd {
                *working_directory =
                    Some(std::path::absolute(directory).unwrap_or_else(|_| directory.clone()));
            }
        }
        Endpoint::Remote(remote) => {
            refuse(&spec.name, "--transport stdio", over_stdio, "a program")?;
            refuse(
                &spec.name,
                "--env",
                !options.environment.is_empty(),
                "a program",
            )?;
            refuse(&spec.name, "--cwd", options.cwd.is_some(), "a program")?;
            for Named { name, value } in &options.headers {
                // RFC 9110, section 5.1: names of headers are the same in any case.
                remote
                    .headers
                    .retain(|configured, _| !configured.eq_ignore_ascii_case(name));
                remote.headers.insert(name.clone(), value.clone());
            }
            if let Some(transport) = transport {
                remote.transport = transport;
            }
            if let Some(file) = &options.ca {
                let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
                // The user's own word, which no trust in a folder is about.
                remote.trust.general_ca_file = Some(file);
            }
            remote.trust.accepts_any = options.insecure;
        }
    }
    Ok(())
}

/// Refuses an option that this kind of server has no use for, rather than ignoring it.
fn refuse(name: &str, option: &str, given: bool, wanted: &str) -> Result<(), CliError> {
    if !given {
        return Ok(());
    }
    let name_of_option = option.trim_start_matches("this ");
    Err(CliError::usage(
        &format!("{option} is for {wanted}, which {name} is not."),
        &format!("Leave `{name_of_option}` out."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(words: &[&str], program: &[&str]) -> Result<(Target, Vec<String>), CliError> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Addressed {
            words: owned(words),
            program: owned(program),
        }
        .split()
    }

    #[test]
    fn a_bare_name_may_be_that_of_a_server_or_a_file() {
        for word in ["mcp.example.com", "server.py", "my.notes", "Run.SH"] {
            assert!(may_be_a_name(word), "{word}");
        }
        for word in [
            "mcp.example.com/mcp",
            "server.py:8443",
            "mcp.example.com?x=1",
            "localhost",
            "127.0.0.1",
            "192.0.2.1",
            "[::1]",
        ] {
            assert!(!may_be_a_name(word), "{word}");
        }
        assert!(is_file_name("server.py") && is_file_name("Run.SH"));
        assert!(!is_file_name("mcp.example.com") && !is_file_name("py"));
    }

    #[test]
    fn the_target_is_a_name_a_url_or_the_program() {
        let (target, rest) = split(&["files", "read"], &[]).expect("a target");
        assert_eq!(target, Target::Named("files".into()));
        assert_eq!(rest, ["read"]);
        let (target, _) = split(&["http://localhost:1/mcp"], &[]).expect("a target");
        assert_eq!(target, Target::Url("http://localhost:1/mcp".into()));
        let (target, rest) = split(&["echo", "a:=1"], &["node", "s.js"]).expect("a target");
        assert_eq!(rest, ["echo", "a:=1"]);
        assert!(matches!(target, Target::Program { command, .. } if command == "node"));
        assert!(split(&[], &[]).is_err());
    }

    #[test]
    fn an_address_whose_scheme_is_mistyped_is_told_from_a_name() {
        for word in [
            "http//a.b",
            "HTTPS:/a.b/mcp",
            "https:a.b",
            r"http:\\a.b",
            "ws//a",
        ] {
            assert!(is_broken_address(word), "{word}");
        }
        for word in ["http-server", "wsx", "files", "http", "é"] {
            assert!(!is_broken_address(word), "{word}");
        }
        assert!(refuse_scheme("htp://a.b").is_err());
        for url in [
            "HTTPS://a.b",
            "unix:///run/mcp.sock",
            "${BASE}/mcp",
            "ws://a",
        ] {
            assert!(refuse_scheme(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_host_is_written_to_a_file_as_its_address() {
        for (word, written) in [
            ("mcp.example.com/mcp", "https://mcp.example.com/mcp"),
            ("localhost:3000", "http://localhost:3000"),
            ("http://a.b", "http://a.b"),
            ("${BASE}/mcp", "${BASE}/mcp"),
            ("{env:BASE}", "{env:BASE}"),
        ] {
            assert_eq!(address(word.to_owned()).expect("an address"), written);
        }
        for word in ["htp://a.b", "server.py", "./a.b", "notes"] {
            assert!(address(word.to_owned()).is_err(), "{word}");
        }
    }
}
