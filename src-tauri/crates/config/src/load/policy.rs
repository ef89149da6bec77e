//! Managed policy: the servers that the organisation allows.
//!
//! Two files say it (<https://code.claude.com/docs/en/managed-mcp>), both in the directory that
//! an administrator writes:
//!
//! - `managed-mcp.json`: where it exists, its servers alone count.
//! - `managed-settings.json` (and the files in `managed-settings.d`): `allowedMcpServers` and
//!   `deniedMcpServers`, lists of rules by `serverName`, by `serverCommand` (the command and all
//!   its arguments, exactly), or by `serverUrl` (see the `url_pattern` module).
//!
//! A rule that denies always wins. Where there are rules that allow, a server has to match one.
//! Of the rules that allow, those by command or by URL are the ones that count for a server of
//! that kind once there is at least one of them, so that a name alone does not let any program
//! through.
//!
//! Each program that an entry starts is judged as one. `headersHelper` of an entry with an address
//! is the command `sh` with the arguments `-c` and the text of the helper as the entry has it
//! (`cmd` and `/C` on Windows), so that rules that allow only addresses allow no helper.
//!
//! An administrator's rule that cannot be read refuses everything that it could be about: a rule
//! that denies must not vanish by a mistake in writing.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use sightglass_model::{Endpoint, HeadersHelper, ServerRules, ServerSpec};

use crate::{
    client::{Client, Machine, Target},
    entry::{
        dialect::{TransportName, transport_of},
        variable::expanded,
    },
    load::read_scope_file,
    load::url_pattern::{PolicyVerdict, UrlPattern},
    scopes::{claude_settings, managed_settings, scope_place},
    text::file::FileState,
};

/// Member of an entry that holds the command which gives its headers.
const HELPER: &str = "headersHelper";

/// The managed rules of this machine.
#[derive(Clone, Default)]
pub struct Policy {
    /// The exclusive file, where there is one.
    exclusive: Option<Exclusive>,
    /// Absent where everything is allowed that is not denied.
    allowed: Option<Vec<Rule>>,
    denied: Vec<Rule>,
    /// True when the rules that allow are an administrator's alone.
    managed_allow_only: bool,
    /// Files that are there and cannot be read: nothing is allowed then.
    unreadable: Vec<PathBuf>,
}

/// The file whose servers alone count.
#[derive(Clone)]
struct Exclusive {
    path: PathBuf,
    /// Its entries in the common form, variables expanded where that can be done.
    servers: HashMap<String, Map<String, Value>>,
}

/// Members of an entry that tell one program from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    All,
    /// All but the working directory, which a resolved server always has.
    AllButDirectory,
}

/// One managed rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub matcher: Matcher,
    /// The file it stands in.
    pub path: PathBuf,
    /// True when an administrator wrote it.
    pub is_managed: bool,
}

impl Rule {
    /// Names the file of a rule that is not an administrator's, for the end of a sentence.
    fn place(&self) -> String {
        if self.is_managed {
            String::new()
        } else {
            format!(" in {}", self.path.display())
        }
    }
}

/// Subject of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matcher {
    Name(String),
    /// The command and its arguments.
    Command(Vec<String>),
    /// The pattern as it is written.
    Url(String),
    /// A rule that cannot be read, and what it could be about.
    Unreadable {
        about: About,
        reason: String,
    },
}

/// Subject of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Everything,
    Programs,
    Addresses,
}

impl Matcher {
    /// Tells whether a server is one of those that the rule is about; `None` when that cannot be
    /// told, as of an address that is none.
    fn matches(
        &self,
        name: &str,
        entry: &Map<String, Value>,
        verdict: PolicyVerdict,
    ) -> Option<bool> {
        match self {
            Matcher::Name(wanted) => Some(wanted == name),
            Matcher::Command(wanted) => Some(
                command_of(entry).is_some_and(|command| with_path(&command).eq(with_path(wanted))),
            ),
            Matcher::Url(pattern) => match entry.get("url").and_then(Value::as_str) {
                Some(url) => UrlPattern::parse(pattern)?.matches(url, verdict),
                None => Some(false),
            },
            Matcher::Unreadable { about, .. } => Some(about.covers(entry)),
        }
    }

    fn words(&self) -> String {
        match self {
            Matcher::Name(name) => format!("serverName {name}"),
            Matcher::Command(command) => format!("serverCommand {}", command.join(" ")),
            Matcher::Url(pattern) => format!("serverUrl {pattern}"),
            Matcher::Unreadable { reason, .. } => format!("a rule that cannot be read ({reason})"),
        }
    }
}

impl About {
    fn covers(self, entry: &Map<String, Value>) -> bool {
        match self {
            About::Everything => true,
            About::Programs => entry.contains_key("command"),
            About::Addresses => entry.contains_key("url"),
        }
    }
}

impl Policy {
    /// Reads the rules of a machine.
    pub fn load(machine: &Machine) -> Self {
        let mut policy = Policy::default();
        if let Some(place) = scope_place(&Target::new(Client::ClaudeCode, "managed"), machine) {
            let file = read_scope_file(place);
            match file.state {
                FileState::Missing => {}
                FileState::Loaded => {
                    let servers = file.definitions.into_iter().map(|definition| {
                        let entry = expanded(definition.common.expose(), machine);
                        (definition.name, entry)
                    });
                    policy.exclusive = Some(Exclusive {
                        path: file.place.path,
                        servers: servers.collect(),
                    });
                }
                FileState::Broken { .. } | FileState::Unreadable { .. } => {
                    policy.unreadable.push(file.place.path.clone());
                }
            }
        }
        for path in managed_settings(machine) {
            policy.read_settings(path);
        }
        policy
    }

    /// The rules that hold in Claude Code: those of this machine, and those that the user's
    /// and the project's settings add. An administrator can reserve the rules that allow
    /// (`allowManagedMcpServersOnly`); settings that cannot be read add nothing there.
    pub fn of_claude_code(machine: &Machine) -> Self {
        let mut policy = Self::load(machine);
        let own = machine.places.project.join(".claude");
        let added = [
            claude_settings(machine),
            own.join("settings.json"),
            own.join("settings.local.json"),
        ];
        for path in added {
            let Some(settings) = sightglass_files::read(&path)
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            else {
                continue;
            };
            policy.add(&settings, &path, false);
        }
        policy
    }

    fn read_settings(&mut self, path: PathBuf) {
        let bytes = match sightglass_files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() => return,
            Err(_) => {
                self.unreadable.push(path);
                return;
            }
        };
        let Ok(settings) = serde_json::from_slice::<Value>(&bytes) else {
            self.unreadable.push(path);
            return;
        };
        self.managed_allow_only |=
            settings.get("allowManagedMcpServersOnly") == Some(&Value::Bool(true));
        self.add(&settings, &path, true);
    }

    pub(crate) fn add(&mut self, settings: &Value, path: &Path, is_managed: bool) {
        let takes_allowed = is_managed || !self.managed_allow_only;
        let read = |rule: &Value| match read_matcher(rule) {
            Ok(matcher) => Some(matcher),
            // What others add narrows or widens only what their own client does.
            Err(_) if !is_managed => None,
            Err((about, reason)) => Some(Matcher::Unreadable { about, reason }),
        };
        let rules = |field: &str| -> Option<Vec<Rule>> {
            let matchers: Vec<Matcher> = match settings.get(field)? {
                Value::Array(rules) => rules.iter().filter_map(read).collect(),
                _ if !is_managed => return None,
                _ => vec![Matcher::Unreadable {
                    about: About::Everything,
                    reason: format!("{field} is no list"),
                }],
            };
            let rule = |matcher| Rule {
                matcher,
                path: path.to_owned(),
                is_managed,
            };
            Some(matchers.into_iter().map(rule).collect())
        };
        if takes_allowed && let Some(allowed) = rules("allowedMcpServers") {
            let is_unreadable = |rule: &Rule| matches!(rule.matcher, Matcher::Unreadable { .. });
            let (unreadable, allowed): (Vec<_>, Vec<_>) =
                allowed.into_iter().partition(is_unreadable);
            self.allowed.get_or_insert_default().extend(allowed);
            self.denied.extend(unreadable);
        }
        self.denied
            .extend(rules("deniedMcpServers").unwrap_or_default());
    }

    /// The rules as messages, with the files they stand in.
    pub fn rules(&self) -> Vec<(String, PathBuf)> {
        let exclusive = self.exclusive.iter().map(|file| {
            (
                "only the servers of the managed file count".to_owned(),
                file.path.clone(),
            )
        });
        let denied = self.denied.iter().map(|rule| {
            let words = match &rule.matcher {
                Matcher::Unreadable { about, reason } => format!(
                    "refuses {}, since a rule cannot be read: {reason}",
                    match about {
                        About::Everything => "everything",
                        About::Programs => "every program",
                        About::Addresses => "every address",
                    }
                ),
                matcher => format!("denies {}", matcher.words()),
            };
            (words, rule.path.clone())
        });
        let allowed = self.allowed.iter().flatten().map(|rule| {
            (
                format!("allows {}", rule.matcher.words()),
                rule.path.clone(),
            )
        });
        let unreadable = self.unreadable.iter().map(|path| {
            (
                "refuses everything, since this file cannot be read".to_owned(),
                path.clone(),
            )
        });
        exclusive
            .chain(denied)
            .chain(allowed)
            .chain(unreadable)
            .collect()
    }

    /// Returns true when there are no rules at all.
    pub fn is_empty(&self) -> bool {
        self.exclusive.is_none()
            && self.allowed.is_none()
            && self.denied.is_empty()
            && self.unreadable.is_empty()
    }

    fn denying(&self, name: &str, entry: &Map<String, Value>) -> Option<&Rule> {
        let helper = helper_as_entry(entry);
        let denies = |rule: &&Rule| {
            let mut judged = std::iter::once(entry).chain(&helper);
            judged.any(|entry| {
                rule.matcher
                    .matches(name, entry, PolicyVerdict::Deny)
                    .unwrap_or(true)
            })
        };
        self.denied.iter().find(denies)
    }

    /// Returns the file of the user's or the project's own settings that refuses a server; `None`
    /// where an administrator does, or nobody.
    pub fn own_file(&self, name: &str, entry: &Map<String, Value>) -> Option<&Path> {
        if !self.unreadable.is_empty() {
            return None;
        }
        let rule = match self.denying(name, entry) {
            Some(rule) => Some(rule),
            None if self.exclusive.is_some() => None,
            None => self.allowed.as_ref().and_then(|allowed| allowed.last()),
        };
        rule.filter(|rule| !rule.is_managed)
            .map(|rule| rule.path.as_path())
    }

    /// Returns the rule that denies a server, as a message.
    pub fn denial(&self, name: &str, entry: &Map<String, Value>) -> Option<String> {
        let rule = self.denying(name, entry)?;
        if let Matcher::Unreadable { .. } = rule.matcher {
            return Some(format!(
                "{} in {}",
                rule.matcher.words(),
                rule.path.display()
            ));
        }
        Some(format!(
            "deniedMcpServers: {}{}",
            rule.matcher.words(),
            rule.place()
        ))
    }

    /// Returns the rule that refuses a server, as a message. `entry` is in the common form, variables
    /// expanded where that can be done; `is_managed` says that it stands in the managed file.
    pub fn refusal(
        &self,
        name: &str,
        entry: &Map<String, Value>,
        is_managed: bool,
    ) -> Option<String> {
        self.judge(name, entry, is_managed, Compared::All)
    }

    fn judge(
        &self,
        name: &str,
        entry: &Map<String, Value>,
        is_managed: bool,
        compared: Compared,
    ) -> Option<String> {
        if let Some(path) = self.unreadable.first() {
            return Some(format!("{} cannot be read", path.display()));
        }
        if let Some(denial) = self.denial(name, entry) {
            return Some(denial);
        }
        let is_listed = self.exclusive.as_ref().map(|exclusive| {
            let managed = exclusive.servers.get(name);
            managed.is_some_and(|managed| is_same_server(managed, entry, compared))
        });
        if is_listed == Some(false) && !is_managed {
            return Some("managed-mcp.json: only the servers of that file count".to_owned());
        }
        // Whoever wrote the managed file allowed what stands in it.
        if is_managed || is_listed == Some(true) {
            return None;
        }
        let allowed = self.allowed.as_ref()?;
        let place = allowed.last().map(Rule::place).unwrap_or_default();
        if !is_allowed(allowed, name, entry) {
            return Some(format!("allowedMcpServers: no rule allows it{place}"));
        }
        let helper = helper_as_entry(entry)?;
        (!is_allowed(allowed, name, &helper)).then(|| {
            format!("allowedMcpServers: no rule allows the program of its headersHelper{place}")
        })
    }
}

impl ServerRules for Policy {
    fn refusal_of(&self, server: &ServerSpec) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let entry = entry_of(server);
        self.judge(&server.name, &entry, false, Compared::AllButDirectory)
    }
}

/// A resolved server as an entry in the common form, without its working directory.
fn entry_of(server: &ServerSpec) -> Map<String, Value> {
    let mut entry = Map::new();
    match &server.endpoint {
        Endpoint::Stdio {
            command,
            arguments,
            environment,
            ..
        } => {
            entry.insert("command".into(), command.as_str().into());
            if !arguments.is_empty() {
                entry.insert("args".into(), arguments.as_slice().into());
            }
            let variables = environment
                .iter()
                .map(|(name, value)| (name.clone(), value.expose().as_str().into()));
            if !environment.is_empty() {
                entry.insert("env".into(), Value::Object(variables.collect()));
            }
        }
        Endpoint::Remote(remote) => {
            entry.insert("url".into(), remote.url.as_str().into());
            if let Some(helper) = &remote.headers_helper {
                entry.insert(HELPER.into(), helper.written.as_str().into());
            }
        }
    }
    entry
}

fn is_allowed(rules: &[Rule], name: &str, entry: &Map<String, Value>) -> bool {
    let is_program = transport_of(entry) == Some(TransportName::Stdio);
    let is_of_kind = |rule: &Rule| match rule.matcher {
        Matcher::Name(_) | Matcher::Unreadable { .. } => false,
        Matcher::Command(_) => is_program,
        Matcher::Url(_) => !is_program,
    };
    let matches =
        |rule: &Rule| rule.matcher.matches(name, entry, PolicyVerdict::Allow) == Some(true);
    if rules.iter().any(is_of_kind) {
        rules.iter().any(|rule| is_of_kind(rule) && matches(rule))
    } else {
        rules.iter().any(matches)
    }
}

/// Tells whether two entries reach the same thing: the same command line in the same directory and
/// environment, or the same address with the same helper.
fn is_same_server(
    one: &Map<String, Value>,
    other: &Map<String, Value>,
    compared: Compared,
) -> bool {
    transport_of(one) == transport_of(other)
        && command_of(one) == command_of(other)
        && one.get("url") == other.get("url")
        && one.get(HELPER) == other.get(HELPER)
        && (compared == Compared::AllButDirectory || one.get("cwd") == other.get("cwd"))
        && members_of(one, "env") == members_of(other, "env")
}

/// The members of an object in an entry; none when it is absent.
fn members_of<'e>(entry: &'e Map<String, Value>, field: &str) -> BTreeMap<&'e str, &'e Value> {
    let members = entry.get(field).and_then(Value::as_object);
    members
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// The command that gives an entry's headers, as an entry of its own that starts it.
fn helper_as_entry(entry: &Map<String, Value>) -> Option<Map<String, Value>> {
    let helper = entry.get(HELPER)?.as_str()?;
    let [command, arguments @ ..] = HeadersHelper::program(helper);
    Some(Map::from_iter([
        ("command".to_owned(), command.into()),
        ("args".to_owned(), arguments.as_slice().into()),
    ]))
}

/// A command in the one form by which commands are compared: the system's shell, which runs the
/// command that gives headers, is the same program with and without its directory.
fn with_path(command: &[String]) -> impl Iterator<Item = &str> {
    let words = command.iter().map(String::as_str);
    words.enumerate().map(|(index, word)| {
        if index == 0 && word == "sh" {
            "/bin/sh"
        } else {
            word
        }
    })
}

fn command_of(entry: &Map<String, Value>) -> Option<Vec<String>> {
    let command = entry.get("command")?.as_str()?.to_owned();
    let arguments = entry
        .get("args")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|argument| argument.as_str().unwrap_or_default().to_owned());
    Some(std::iter::once(command).chain(arguments).collect())
}

/// Reads a rule, which has exactly one of three members.
///
/// # Errors
/// The possible subject of the rule, and its fault.
fn read_matcher(rule: &Value) -> Result<Matcher, (About, String)> {
    let members = ["serverName", "serverCommand", "serverUrl"];
    let mut given = members
        .into_iter()
        .filter_map(|name| Some((name, rule.get(name)?)));
    let everything = |reason: &str| Err((About::Everything, format!("{rule} {reason}")));
    let (Some((name, value)), None) = (given.next(), given.next()) else {
        return everything("needs exactly one of serverName, serverCommand and serverUrl");
    };
    match (name, value) {
        ("serverName", Value::String(name)) => Ok(Matcher::Name(name.clone())),
        ("serverName", _) => everything("needs a name in quotes"),
        ("serverCommand", command) => command
            .as_array()
            .filter(|words| !words.is_empty())
            .and_then(|words| {
                let words = words.iter().map(|word| word.as_str().map(str::to_owned));
                words.collect::<Option<Vec<String>>>()
            })
            .map(Matcher::Command)
            .ok_or_else(|| {
                let reason = format!("{rule} needs a list of the command and its arguments");
                (About::Programs, reason)
            }),
        (_, pattern) => pattern
            .as_str()
            .filter(|pattern| UrlPattern::parse(pattern).is_some())
            .map(|pattern| Matcher::Url(pattern.to_owned()))
            .ok_or_else(|| {
                let reason = format!("{rule} needs an address such as https://*.example.org/*");
                (About::Addresses, reason)
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn policy(allowed: Option<Value>, denied: Value) -> Policy {
        let rules = |list: Value| {
            list.as_array()
                .into_iter()
                .flatten()
                .map(|rule| read_matcher(rule).expect("a rule"))
                .map(|matcher| Rule {
                    matcher,
                    path: "/etc/claude-code/managed-settings.json".into(),
                    is_managed: true,
                })
                .collect::<Vec<_>>()
        };
        Policy {
            allowed: allowed.map(rules),
            denied: rules(denied),
            ..Policy::default()
        }
    }

    fn refused(policy: &Policy, name: &str, entry: Value) -> bool {
        let entry = entry.as_object().cloned().unwrap_or_default();
        policy.refusal(name, &entry, false).is_some()
    }

    #[test]
    fn without_rules_everything_is_allowed() {
        let policy = policy(None, json!([]));
        assert!(!refused(&policy, "a", json!({"command": "x"})));
    }

    #[test]
    fn a_rule_that_denies_wins_over_one_that_allows() {
        let policy = policy(
            Some(json!([{"serverName": "a"}])),
            json!([{"serverName": "a"}]),
        );
        assert!(refused(&policy, "a", json!({"command": "x"})));
    }

    #[test]
    fn an_empty_list_of_what_is_allowed_allows_nothing() {
        let policy = policy(Some(json!([])), json!([]));
        assert!(refused(&policy, "a", json!({"url": "https://example.org"})));
    }

    #[test]
    fn a_command_has_to_match_with_all_its_arguments() {
        let policy = policy(
            Some(json!([{"serverCommand": ["npx", "-y", "server"]}])),
            json!([]),
        );
        assert!(!refused(
            &policy,
            "a",
            json!({"command": "npx", "args": ["-y", "server"]})
        ));
        assert!(refused(
            &policy,
            "a",
            json!({"command": "npx", "args": ["-y", "server", "x"]})
        ));
        assert!(refused(&policy, "a", json!({"command": "npx"})));
    }

    #[test]
    fn a_name_lets_no_program_through_once_there_are_rules_by_command() {
        let policy = policy(
            Some(json!([{"serverName": "a"}, {"serverCommand": ["npx", "server"]}])),
            json!([]),
        );
        assert!(refused(&policy, "a", json!({"command": "sh"})));
        assert!(!refused(
            &policy,
            "a",
            json!({"url": "https://example.org"})
        ));
    }

    #[test]
    fn an_address_that_cannot_be_told_is_denied_and_not_allowed() {
        let entry = json!({"url": "https://exa mple/"});
        let denies = policy(None, json!([{"serverUrl": "https://evil.example/*"}]));
        assert!(refused(&denies, "a", entry.clone()));
        let allows = policy(
            Some(json!([{"serverUrl": "https://*.example.org/*"}])),
            json!([]),
        );
        assert!(refused(&allows, "a", entry));
    }

    #[test]
    fn a_denied_host_cannot_hide() {
        let policy = policy(None, json!([{"serverUrl": "https://evil.example/*"}]));
        for url in [
            "https://evil.example/mcp",
            "https://EVIL.example./mcp",
            "https://x:y@evil.example:443/mcp",
            "https:\\\\evil.example\\mcp",
            "https://ev%69l.example/mcp",
        ] {
            assert!(refused(&policy, "a", json!({ "url": url })), "{url}");
        }
        assert!(!refused(
            &policy,
            "a",
            json!({"url": "https://fine.example/"})
        ));
    }

    #[test]
    fn a_rule_that_cannot_be_read_refuses_everything_of_its_kind_and_says_so() {
        let program = json!({"command": "x"});
        let address = json!({"url": "https://example.org/"});
        let path = Path::new("/etc/claude-code/managed-settings.json");
        for (rule, programs, addresses) in [
            (json!({"serverCommand": "npx evil"}), true, false),
            (json!({"serverCommand": ["npx", 1]}), true, false),
            (json!({"serverUrl": "evil.example/*"}), false, true),
            (
                json!({"serverUrl": ["https://evil.example/*"]}),
                false,
                true,
            ),
            (json!({"serverName": 7}), true, true),
            (json!({"servername": "evil"}), true, true),
            (json!("evil"), true, true),
            (json!({"serverName": "a", "serverUrl": "*"}), true, true),
        ] {
            for list in ["deniedMcpServers", "allowedMcpServers"] {
                let mut policy = Policy::default();
                let mut settings = json!({"allowedMcpServers": [{"serverName": "b"}]});
                match &mut settings[list] {
                    Value::Array(rules) => rules.push(rule.clone()),
                    absent => *absent = json!([rule]),
                }
                policy.add(&settings, path, true);
                assert_eq!(refused(&policy, "b", program.clone()), programs, "{rule}");
                assert_eq!(refused(&policy, "b", address.clone()), addresses, "{rule}");
                let entry = if programs { &program } else { &address };
                let entry = entry.as_object().expect("an object");
                let reason = policy.refusal("b", entry, false).expect("refused");
                assert!(
                    reason.contains(&rule.to_string()) && reason.contains("managed-settings.json"),
                    "{reason}"
                );
            }
        }
    }

    #[test]
    fn a_helper_is_judged_as_the_program_that_it_is() {
        let entry = json!({"url": "https://a.example/mcp", "headersHelper": "token"});
        let without = json!({"url": "https://a.example/mcp"});
        let own = json!({"serverCommand": HeadersHelper::program("token")});
        let other = json!({"serverCommand": HeadersHelper::program("token --all")});
        let url = json!({"serverUrl": "https://a.example/*"});
        for (allowed, is_refused) in [
            (json!([url]), true),
            (json!([url, other]), true),
            (json!([own]), true),
            (json!([url, own]), false),
            (json!([{"serverName": "a"}]), false),
            (json!([{"serverName": "a"}, other]), true),
            (json!([{"serverUrl": "*"}]), true),
        ] {
            let policy = policy(Some(allowed.clone()), json!([]));
            assert_eq!(
                refused(&policy, "a", entry.clone()),
                is_refused,
                "{allowed}"
            );
        }
        let policy_of_urls = policy(Some(json!([url])), json!([]));
        assert!(!refused(&policy_of_urls, "a", without.clone()));
        let denied = policy(None, json!([own]));
        assert!(refused(&denied, "a", entry.clone()));
        assert!(!refused(&denied, "a", without.clone()));
        let mut mistyped = Policy::default();
        let rules = json!({"deniedMcpServers": [{"serverCommand": "sh"}]});
        mistyped.add(&rules, Path::new("/etc/x.json"), true);
        assert!(refused(&mistyped, "a", entry.clone()));
        assert!(!refused(&mistyped, "a", without.clone()));
    }

    #[test]
    fn another_helper_is_another_server() {
        let entry = |value: Value| value.as_object().cloned().unwrap_or_default();
        let managed = entry(json!({"url": "https://a.example/", "headersHelper": "token"}));
        for other in [
            json!({"url": "https://a.example/"}),
            json!({"url": "https://a.example/", "headersHelper": "other"}),
        ] {
            let other = entry(other);
            assert!(!is_same_server(&managed, &other, Compared::AllButDirectory));
        }
        assert!(is_same_server(&managed, &managed, Compared::All));
    }

    #[test]
    fn a_list_that_is_none_allows_nothing() {
        for list in ["deniedMcpServers", "allowedMcpServers"] {
            let mut policy = Policy::default();
            let mut settings = json!({});
            settings[list] = json!({"serverName": "a"});
            policy.add(&settings, Path::new("/etc/x.json"), true);
            assert!(refused(&policy, "a", json!({"command": "x"})), "{list}");
        }
    }

    #[test]
    fn the_same_program_in_another_environment_is_another_server() {
        let entry = |value: Value| value.as_object().cloned().unwrap_or_default();
        let one = entry(json!({"command": "x", "env": {"A": "1", "B": "2"}, "cwd": "/a"}));
        let same = entry(json!({"command": "x", "cwd": "/a", "env": {"B": "2", "A": "1"}}));
        assert!(is_same_server(&one, &same, Compared::All));
        for other in [
            json!({"command": "x", "cwd": "/a", "env": {"A": "1", "B": "2", "LD_PRELOAD": "./x"}}),
            json!({"command": "x", "cwd": "/b", "env": {"A": "1", "B": "2"}}),
            json!({"command": "x"}),
        ] {
            assert!(!is_same_server(&one, &entry(other), Compared::All));
        }
    }
}
