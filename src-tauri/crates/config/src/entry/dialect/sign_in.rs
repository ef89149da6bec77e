//! Fields of each client about signing in to a server.
//!
//! The common form is the `oauth` object of an `.mcp.json` entry, or `false` for never signing
//! in. Most clients have a part of it, each under names of its own.

use serde_json::{Map, Value};

use crate::text::json::{Member, Node, NodeValue, Object};

/// A field of the common `oauth` object, and where a client has it.
pub(crate) struct SignInRule {
    pub ours: &'static str,
    pub theirs: &'static [&'static str],
    pub shape: SignInShape,
}

/// Shape in which a client writes the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignInShape {
    Same,
    /// Scopes in one text, with spaces between them.
    Words,
}

/// The fields of the common object, as the user calls them and as they are written.
pub(crate) const FIELDS: [(&str, &[&str]); 6] = [
    ("clientId", &["clientId", "client_id"]),
    ("clientSecret", &["clientSecret", "client_secret"]),
    (
        "clientMetadataUrl",
        &["clientMetadataUrl", "client_metadata_url"],
    ),
    ("scopes", &["scopes", "scope"]),
    ("callbackPort", &["callbackPort", "callback_port"]),
    (
        "authServerMetadataUrl",
        &["authServerMetadataUrl", "auth_server_metadata_url"],
    ),
];

const fn rule(ours: &'static str, theirs: &'static [&'static str]) -> SignInRule {
    SignInRule {
        ours,
        theirs,
        shape: SignInShape::Same,
    }
}

const fn words(theirs: &'static [&'static str]) -> SignInRule {
    SignInRule {
        ours: "scopes",
        theirs,
        shape: SignInShape::Words,
    }
}

/// <https://code.claude.com/docs/en/mcp>, "Use pre-configured OAuth credentials". The secret is
/// kept in the keychain there.
pub(super) const CLAUDE_CODE: &[SignInRule] = &[
    rule("clientId", &["oauth", "clientId"]),
    rule("callbackPort", &["oauth", "callbackPort"]),
    rule("authServerMetadataUrl", &["oauth", "authServerMetadataUrl"]),
    words(&["oauth", "scopes"]),
];

/// `McpServerOAuthConfig` in `codex-rs/config/src/mcp_types.rs`.
pub(super) const CODEX: &[SignInRule] = &[
    rule("clientId", &["oauth", "client_id"]),
    rule("scopes", &["scopes"]),
];

/// `McpOAuthConfig` in <https://opencode.ai/config.json>.
pub(super) const OPENCODE: &[SignInRule] = &[
    rule("clientId", &["oauth", "clientId"]),
    rule("clientSecret", &["oauth", "clientSecret"]),
    words(&["oauth", "scope"]),
    rule("callbackPort", &["oauth", "callbackPort"]),
];

/// `ConfigV2.MCP.OAuth` in `packages/core/src/config/mcp.ts` of
/// <https://github.com/anomalyco/opencode>.
pub(super) const OPENCODE_SERVERS: &[SignInRule] = &[
    rule("clientId", &["oauth", "client_id"]),
    rule("clientSecret", &["oauth", "client_secret"]),
    words(&["oauth", "scope"]),
    rule("callbackPort", &["oauth", "callback_port"]),
];

/// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
pub(super) const VSCODE: &[SignInRule] = &[rule("clientId", &["oauth", "clientId"])];

/// <https://cursor.com/docs/context/mcp>, "Static OAuth for remote servers".
pub(super) const CURSOR: &[SignInRule] = &[
    rule("clientId", &["auth", "CLIENT_ID"]),
    rule("clientSecret", &["auth", "CLIENT_SECRET"]),
    rule("scopes", &["auth", "scopes"]),
];

/// `oauthClientSchema` in `sdk/packages/core/src/extensions/mcp/config-loader.ts` of
/// <https://github.com/cline/cline>.
pub(super) const CLINE: &[SignInRule] = &[
    rule("clientId", &["oauthClient", "clientId"]),
    rule("clientSecret", &["oauthClient", "clientSecret"]),
];

/// `ManualOauthConfig` in `crates/caliban-mcp-client/src/oauth.rs` of
/// <https://github.com/caliban-ai/caliban>.
pub(super) const CALIBAN: &[SignInRule] = &[
    rule("clientId", &["oauth_config", "client_id"]),
    rule("clientSecret", &["oauth_config", "client_secret"]),
    rule("scopes", &["oauth_config", "scopes"]),
];

/// `OAuthClientSettings` in `crates/settings_content/src/project.rs`.
pub(super) const ZED: &[SignInRule] = &[
    rule("clientId", &["oauth", "client_id"]),
    rule("clientSecret", &["oauth", "client_secret"]),
];

/// <https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md>, "OAuth
/// configuration properties".
pub(super) const GEMINI: &[SignInRule] = &[
    rule("clientId", &["oauth", "clientId"]),
    rule("clientSecret", &["oauth", "clientSecret"]),
    rule("scopes", &["oauth", "scopes"]),
];

/// The common member for what an entry of a client says, if it says anything.
pub(super) fn read(rules: &[SignInRule], off: bool, entry: &Object) -> Option<Member> {
    let place = entry
        .get("oauth")
        .filter(|member| off && matches!(&member.value.value, NodeValue::Bool(false)));
    if let Some(member) = place {
        return Some(member.clone());
    }
    let mut found = Object::default();
    for rule in rules {
        if let Some(member) = at(entry, rule.theirs) {
            let mut member = member.clone();
            member.key = rule.ours.to_owned();
            found.members.push(member);
        }
    }
    let first = found.members.first()?;
    Some(Member {
        key: "oauth".to_owned(),
        key_range: first.key_range.clone(),
        value: Node {
            range: first.value.range.clone(),
            value: NodeValue::Object(found),
        },
        comma: None,
    })
}

fn at<'o>(entry: &'o Object, path: &[&str]) -> Option<&'o Member> {
    let (key, inner) = path.split_first()?;
    let member = entry.get(key)?;
    match (inner.is_empty(), &member.value.value) {
        (true, _) => Some(member),
        (false, NodeValue::Object(object)) => at(object, inner),
        (false, _) => None,
    }
}

/// Takes what an entry of the common form says about signing in out of it, and writes it as the
/// client has it. What the client cannot say is told with the field.
pub(super) fn write(
    rules: &[SignInRule],
    off: bool,
    common: &mut Map<String, Value>,
    entry: &mut Map<String, Value>,
    lose: &mut dyn FnMut(String),
) {
    let mut said: Vec<(String, Value)> = Vec::new();
    match common.remove("oauth") {
        Some(Value::Object(object)) => said.extend(object),
        Some(Value::Bool(false)) if off => {
            entry.insert("oauth".into(), false.into());
        }
        Some(Value::String(word)) if word == "off" && off => {
            entry.insert("oauth".into(), false.into());
        }
        Some(Value::Bool(false)) => lose("oauth".into()),
        Some(Value::String(word)) if word == "off" => lose("oauth".into()),
        Some(_) | None => {}
    }
    // An `.mcp.json` entry may have them beside the object as well.
    for (_, names) in FIELDS {
        for name in names {
            if let Some(value) = common.remove(*name) {
                said.push(((*name).to_owned(), value));
            }
        }
    }
    for (key, value) in said {
        let field = FIELDS
            .iter()
            .find(|(_, names)| names.contains(&key.as_str()));
        let rule = field.and_then(|(ours, _)| rules.iter().find(|rule| rule.ours == *ours));
        match rule {
            Some(rule) => put(entry, rule.theirs, shaped(rule, value)),
            None if super::is_empty(&value) => {}
            None => lose(format!(
                "oauth.{}",
                field.map_or(key.as_str(), |(ours, _)| ours)
            )),
        }
    }
}

fn put(entry: &mut Map<String, Value>, path: &[&str], value: Value) {
    match path {
        [] => {}
        [key] => {
            entry.entry(*key).or_insert(value);
        }
        [key, inner @ ..] => {
            let object = entry
                .entry(*key)
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(object) = object {
                put(object, inner, value);
            }
        }
    }
}

fn shaped(rule: &SignInRule, value: Value) -> Value {
    match (rule.ours, rule.shape, value) {
        ("scopes", SignInShape::Words, Value::Array(scopes)) => {
            let words: Vec<&str> = scopes.iter().filter_map(Value::as_str).collect();
            words.join(" ").into()
        }
        ("scopes", SignInShape::Same, Value::String(text)) => text.split_whitespace().collect(),
        (_, _, value) => value,
    }
}

/// The part of a client's own entry that the rules are about.
pub(super) fn governed(
    rules: &[SignInRule],
    off: bool,
    entry: &Map<String, Value>,
) -> Map<String, Value> {
    let mut part = Map::new();
    if off && entry.get("oauth") == Some(&Value::Bool(false)) {
        part.insert("oauth".into(), false.into());
    }
    for rule in rules {
        let mut value = entry.get(rule.theirs[0]);
        for key in &rule.theirs[1..] {
            value = value.and_then(|value| value.get(*key));
        }
        if let Some(value) = value {
            put(&mut part, rule.theirs, value.clone());
        }
    }
    part
}

/// The fields within an own object of the client that no rule is about: `oauth.redirectUri`.
/// `None` when no rule is about the object at all.
pub(super) fn own_within(rules: &[SignInRule], off: bool, member: &Member) -> Option<Vec<String>> {
    let key = member.key.as_str();
    match &member.value.value {
        NodeValue::Bool(false) if off && key == "oauth" => Some(Vec::new()),
        _ if rules.iter().any(|rule| rule.theirs == [key]) => Some(Vec::new()),
        NodeValue::Object(object) if rules.iter().any(|rule| rule.theirs[0] == key) => Some(
            object
                .members
                .iter()
                .filter(|inner| {
                    !rules
                        .iter()
                        .any(|rule| rule.theirs == [key, inner.key.as_str()])
                })
                .map(|inner| format!("{key}.{}", inner.key))
                .collect(),
        ),
        _ => None,
    }
}
