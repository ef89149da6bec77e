//! What the organisation allows.
//!
//! Two files say it (<https://code.claude.com/docs/en/managed-mcp>), both in the directory that
//! an administrator writes:
//!
//! - `managed-mcp.json`: where it exists, its servers alone count.
//! - `managed-settings.json` (and the files in `managed-settings.d`): `allowedMcpServers` and
//!   `deniedMcpServers`, lists of rules by `serverName`, by `serverCommand` (the command and all
//!   its arguments, exactly), or by `serverUrl` (with `*` for any run of characters).
//!
//! A rule that denies always wins. Where there are rules that allow, a server has to match one.
//! Of the rules that allow, those by command or by URL are the ones that count for a server of
//! that kind once there is at least one of them, so that a name alone does not let any program
//! through.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value as NewValue};

use crate::{
    client::{Client, Machine, Target},
    dialect::{TransportWord, transport_of},
    file::FileState,
    scopes::{claude_settings, managed_settings, scope_place},
    survey::{ClientFile, read_place},
};

/// The managed rules of this machine.
#[derive(Clone, Default)]
pub struct Policy {
    /// The exclusive file, where there is one.
    exclusive: Option<ClientFile>,
    /// Absent where everything is allowed that is not denied.
    allowed: Option<Vec<Rule>>,
    denied: Vec<Rule>,
    /// Whether the rules that allow are an administrator's alone.
    managed_allow_only: bool,
    /// Files that are there and cannot be read: nothing is allowed then.
    unreadable: Vec<PathBuf>,
}

/// One managed rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub matcher: Matcher,
    /// The file it stands in.
    pub path: PathBuf,
    /// Whether an administrator wrote it.
    pub is_managed: bool,
}

impl Rule {
    /// Where a person finds a rule that is no administrator's, at the end of a sentence.
    fn place(&self) -> String {
        if self.is_managed {
            String::new()
        } else {
            format!(" in {}", self.path.display())
        }
    }
}

/// What a rule looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matcher {
    Name(String),
    /// The command and its arguments.
    Command(Vec<String>),
    /// With `*` for any run of characters.
    Url(String),
}

impl Matcher {
    fn matches(&self, name: &str, entry: &Map<String, NewValue>) -> bool {
        match self {
            Matcher::Name(wanted) => wanted == name,
            Matcher::Command(wanted) => command_of(entry).as_ref() == Some(wanted),
            Matcher::Url(pattern) => entry
                .get("url")
                .and_then(NewValue::as_str)
                .is_some_and(|url| matches_wildcards(pattern, url)),
        }
    }

    fn words(&self) -> String {
        match self {
            Matcher::Name(name) => format!("serverName {name}"),
            Matcher::Command(command) => format!("serverCommand {}", command.join(" ")),
            Matcher::Url(pattern) => format!("serverUrl {pattern}"),
        }
    }
}

impl Policy {
    /// Reads the rules of a machine.
    pub fn load(machine: &Machine) -> Self {
        let mut policy = Policy::default();
        if let Some(place) = scope_place(&Target::new(Client::ClaudeCode, "managed"), machine) {
            let file = read_place(place);
            match file.state {
                FileState::Missing => {}
                FileState::Loaded => policy.exclusive = Some(file),
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

    /// The rules that hold in Claude Code: those of this machine, and those that the person's
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
            let Some(settings) = fs::read(&path)
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
        let Ok(bytes) = fs::read(&path) else {
            if path.exists() {
                self.unreadable.push(path);
            }
            return;
        };
        let Ok(settings) = serde_json::from_slice::<NewValue>(&bytes) else {
            self.unreadable.push(path);
            return;
        };
        self.managed_allow_only |=
            settings.get("allowManagedMcpServersOnly") == Some(&NewValue::Bool(true));
        self.add(&settings, &path, true);
    }

    fn add(&mut self, settings: &NewValue, path: &Path, is_managed: bool) {
        let takes_allowed = is_managed || !self.managed_allow_only;
        let rules = |field: &str| -> Option<Vec<Rule>> {
            let rules = settings.get(field)?.as_array()?;
            Some(
                rules
                    .iter()
                    .filter_map(read_matcher)
                    .map(|matcher| Rule {
                        matcher,
                        path: path.to_owned(),
                        is_managed,
                    })
                    .collect(),
            )
        };
        if takes_allowed && let Some(allowed) = rules("allowedMcpServers") {
            self.allowed.get_or_insert_default().extend(allowed);
        }
        self.denied
            .extend(rules("deniedMcpServers").unwrap_or_default());
    }

    /// The rules in words, with the files they stand in.
    pub fn rules(&self) -> Vec<(String, PathBuf)> {
        let exclusive = self.exclusive.iter().map(|file| {
            (
                "only the servers of the managed file count".to_owned(),
                file.place.path.clone(),
            )
        });
        let denied = self.denied.iter().map(|rule| {
            (
                format!("denies {}", rule.matcher.words()),
                rule.path.clone(),
            )
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

    /// Whether there are no rules at all.
    pub fn is_empty(&self) -> bool {
        self.exclusive.is_none()
            && self.allowed.is_none()
            && self.denied.is_empty()
            && self.unreadable.is_empty()
    }

    /// The rule that denies a server, in words.
    pub fn denial(&self, name: &str, entry: &Map<String, NewValue>) -> Option<String> {
        let mut rules = self.denied.iter();
        let rule = rules.find(|rule| rule.matcher.matches(name, entry))?;
        Some(format!(
            "deniedMcpServers: {}{}",
            rule.matcher.words(),
            rule.place()
        ))
    }

    /// The rule that refuses a server, in words. `entry` is in the common form, variables
    /// expanded where that can be done; `is_managed` says that it stands in the managed file.
    pub fn refusal(
        &self,
        name: &str,
        entry: &Map<String, NewValue>,
        is_managed: bool,
    ) -> Option<String> {
        if let Some(path) = self.unreadable.first() {
            return Some(format!("{} cannot be read", path.display()));
        }
        if let Some(denial) = self.denial(name, entry) {
            return Some(denial);
        }
        if let Some(exclusive) = &self.exclusive
            && !is_managed
            && !exclusive
                .definition(name)
                .is_some_and(|managed| is_same_server(managed.common.expose(), entry))
        {
            return Some("managed-mcp.json: only the servers of that file count".to_owned());
        }
        // Whoever wrote the managed file allowed what stands in it.
        if is_managed {
            return None;
        }
        let allowed = self.allowed.as_ref()?;
        if is_allowed(allowed, name, entry) {
            None
        } else {
            let place = allowed.last().map(Rule::place).unwrap_or_default();
            Some(format!("allowedMcpServers: no rule allows it{place}"))
        }
    }
}

fn is_allowed(rules: &[Rule], name: &str, entry: &Map<String, NewValue>) -> bool {
    let is_program = transport_of(entry) == Some(TransportWord::Stdio);
    let is_of_kind = |rule: &Rule| match rule.matcher {
        Matcher::Name(_) => false,
        Matcher::Command(_) => is_program,
        Matcher::Url(_) => !is_program,
    };
    let matches = |rule: &Rule| rule.matcher.matches(name, entry);
    if rules.iter().any(is_of_kind) {
        rules.iter().any(|rule| is_of_kind(rule) && matches(rule))
    } else {
        rules.iter().any(matches)
    }
}

/// Whether two entries reach the same thing: the same command line, or the same address.
fn is_same_server(one: &Map<String, NewValue>, other: &Map<String, NewValue>) -> bool {
    transport_of(one) == transport_of(other)
        && command_of(one) == command_of(other)
        && one.get("url") == other.get("url")
}

fn command_of(entry: &Map<String, NewValue>) -> Option<Vec<String>> {
    let command = entry.get("command")?.as_str()?.to_owned();
    let arguments = entry
        .get("args")
        .and_then(NewValue::as_array)
        .into_iter()
        .flatten()
        .map(|argument| argument.as_str().unwrap_or_default().to_owned());
    Some(std::iter::once(command).chain(arguments).collect())
}

fn read_matcher(rule: &NewValue) -> Option<Matcher> {
    if let Some(name) = rule.get("serverName").and_then(NewValue::as_str) {
        return Some(Matcher::Name(name.to_owned()));
    }
    if let Some(command) = rule.get("serverCommand").and_then(NewValue::as_array) {
        let words = command
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<Vec<String>>>()?;
        return Some(Matcher::Command(words));
    }
    let url = rule.get("serverUrl").and_then(NewValue::as_str)?;
    Some(Matcher::Url(url.to_owned()))
}

/// Whether a text is a pattern's, `*` standing for any run of characters. The scheme and the
/// host are compared without regard to case, as addresses are.
fn matches_wildcards(pattern: &str, url: &str) -> bool {
    let fold = |text: &str| match text.find("://") {
        Some(scheme) => {
            let host_end = text[scheme + 3..]
                .find('/')
                .map_or(text.len(), |slash| scheme + 3 + slash);
            text[..host_end].to_ascii_lowercase() + &text[host_end..]
        }
        None => text.to_owned(),
    };
    let (pattern, url) = (fold(pattern), fold(url));
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| url.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn policy(allowed: Option<NewValue>, denied: NewValue) -> Policy {
        let rules = |list: NewValue| {
            list.as_array()
                .into_iter()
                .flatten()
                .filter_map(read_matcher)
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

    fn refused(policy: &Policy, name: &str, entry: NewValue) -> bool {
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
    fn a_star_in_an_address_stands_for_anything() {
        for (pattern, url, wanted) in [
            (
                "https://*.example.org/*",
                "https://mcp.example.org/v1",
                true,
            ),
            (
                "https://*.example.org/*",
                "https://MCP.Example.org/v1",
                true,
            ),
            ("https://*.example.org/*", "https://example.com/v1", false),
            ("https://example.org/mcp", "https://example.org/mcp", true),
            (
                "https://example.org/mcp",
                "https://example.org/mcp/x",
                false,
            ),
            (
                "https://example.org/*",
                "https://example.org.evil.example/",
                false,
            ),
            ("*", "http://localhost:1", true),
        ] {
            assert_eq!(matches_wildcards(pattern, url), wanted, "{pattern} {url}");
        }
    }
}
