//! Clients as they are: what each refuses, takes as it stands, and reads of a file.

use std::fs;

use serde_json::{Value, json};
use sightglass_config::{
    Client, ClientConfig, ConfigAction, ConflictChoice, Definition, DraftEndpoint, ImportItem,
    LaunchPlan, Problem, ProblemKind, ResolveOptions, Scope, Target, definition_draft, differences,
    masked_text, plan_action, read_client, summary, variables,
};
use sightglass_model::Endpoint;

use crate::{World, program};

fn read(world: &World, client: Client, scope: &str, text: &str) -> ClientConfig {
    world.place(client, scope, text);
    read_client(client, &world.machine())
}

fn definition<'c>(config: &'c ClientConfig, scope: &str, name: &str) -> &'c Definition {
    let file = config.file(scope).expect("the scope");
    file.definition(name).expect("listed")
}

/// The message of the refusal, and its line.
fn refusal(definition: &Definition) -> Option<(String, u32)> {
    let refused = definition.refused.first()?;
    assert_eq!(refused.kind, ProblemKind::RefusedByClient);
    assert_eq!(definition.first_error(), Some(refused));
    assert!(LaunchPlan::of(definition).endpoint().is_none());
    Some((refused.message.clone(), refused.line))
}

fn endpoint(definition: &Definition, world: &World) -> Endpoint {
    let options = ResolveOptions {
        environment: &|name| (name == "TOKEN").then(|| "t0ken".to_owned()),
        project: &world.places().project,
        reads_files: true,
    };
    let spec = LaunchPlan::of(definition).resolve(options);
    spec.expect("it can be used").endpoint
}

fn header(definition: &Definition, world: &World, name: &str) -> String {
    let Endpoint::Remote(remote) = endpoint(definition, world) else {
        panic!("it is remote");
    };
    remote.headers[name].expose().clone()
}

fn arguments(definition: &Definition, world: &World) -> Vec<String> {
    match endpoint(definition, world) {
        Endpoint::Stdio { arguments, .. } => arguments,
        Endpoint::Remote(_) => panic!("it is a program"),
    }
}

#[test]
fn claude_code_skips_what_names_no_type_or_another_and_a_lower_file_counts() {
    let world = World::new();
    let user = json!({ "mcpServers": {
        "docs": { "command": "lower" },
        "untyped": { "url": "https://a.example/mcp" },
        "camel": { "type": "streamableHttp", "url": "https://a.example/mcp" },
        "unknown": { "type": "grpc", "url": "https://a.example/mcp" },
        "alias": { "type": "streamable-http", "url": "https://a.example/mcp" },
        "both": { "command": "x", "url": "https://a.example/mcp" },
    }, "projects": { world.places().project.display().to_string(): { "mcpServers": {
        "docs": { "url": "https://b.example/mcp" },
    }}}});
    let config = read(&world, Client::ClaudeCode, "user", &user.to_string());
    let of = |name: &str| refusal(definition(&config, "user", name)).map(|(message, _)| message);
    assert_eq!(
        of("untyped").as_deref(),
        Some(
            "Claude Code skips this server: it has a url and no type. Write \"type\": \"http\", or \
             \"sse\" or \"ws\"."
        )
    );
    assert_eq!(
        of("camel").as_deref(),
        Some(
            "Claude Code skips this server: it knows no type \"streamableHttp\". Write \"type\": \
             \"http\"."
        )
    );
    assert!(of("unknown").is_some_and(|message| message.contains("\"grpc\"")));
    assert_eq!(of("alias"), None);
    assert_eq!(of("docs"), None);
    let docs = config.server("docs").expect("listed");
    let (file, winner) = config.definitions(docs)[0];
    assert_eq!(file.place.target.scope, "user");
    assert_eq!(winner.common.expose()["command"], "lower");
}

#[test]
fn the_form_repairs_what_claude_code_skips() {
    let world = World::new();
    let text = "{\"mcpServers\":{\"a\":{\"url\":\"https://a.example/mcp\"}}}";
    let config = read(&world, Client::ClaudeCode, "user", text);
    let draft = definition_draft(definition(&config, "user", "a")).expect("the form shows it");
    let target = Target::new(Client::ClaudeCode, "user");
    world.save_form(&target, "a", &draft);
    let config = read_client(Client::ClaudeCode, &world.machine());
    let repaired = definition(&config, "user", "a");
    assert_eq!(repaired.common.expose()["type"], "http");
    assert_eq!(refusal(repaired), None);
}

#[test]
fn each_client_refuses_what_it_was_seen_to_refuse() {
    for (client, scope, text, begins, line) in [
        (
            Client::ClaudeDesktop,
            "user",
            "{\"mcpServers\": {\"a\": {\n\"url\": \"https://a.example\"}}}",
            "Claude Desktop skips this server: it takes programs alone from its file. Add it in",
            2,
        ),
        (
            Client::ClaudeDesktop,
            "user",
            "{\"mcpServers\": {\"a\": {\"transport\": {\"type\": \"http\", \"url\": \"https://a.example\"}}}}",
            "Claude Desktop skips this server",
            1,
        ),
        (
            Client::Codex,
            "user",
            "[mcp_servers.a]\nurl = \"https://a.example\"\nenv = { A = \"b\" }\n",
            "Codex does not start with this entry: env does not go with a url",
            3,
        ),
        (
            Client::Codex,
            "user",
            "[mcp_servers.a]\ncommand = \"x\"\nhttp_headers = { A = \"b\" }\n",
            "Codex does not start with this entry: http_headers does not go with a command",
            3,
        ),
        (
            Client::Codex,
            "user",
            "[mcp_servers.a]\nurl = \"https://a.example\"\ncommand = \"x\"\n",
            "Codex does not start with this entry: it has both a command and a url. Remove one of them.",
            2,
        ),
        (
            Client::Opencode,
            "user",
            "{\"mcp\": {\"a\": {\"url\": \"https://a.example\"}}}",
            "OpenCode does not start with this entry: it has no type. Write \"type\": \"remote\".",
            1,
        ),
        (
            Client::CopilotCli,
            "user",
            "{\"mcpServers\": {\"a\": {\n\"type\": \"ws\", \"url\": \"https://a.example\"}}}",
            "Copilot CLI skips this server: it knows no type \"ws\". Write \"type\": \"http\", \
             or \"sse\".",
            2,
        ),
        (
            Client::Caliban,
            "user",
            "[server.a]\nurl = \"https://a.example\"\n",
            "caliban refuses the whole file: it has a url and no transport. Write transport = \"http\"",
            2,
        ),
        (
            Client::Vscode,
            "user",
            "{\"servers\": {\"a\": {\"command\": \"x\", \"args\": [\n\"${input:key}\"]}}}",
            "VS Code does not start this server: ${input:key} is not under inputs. Add it there: { \
             \"type\": \"promptString\", \"id\": \"key\" }.",
            2,
        ),
    ] {
        let world = World::new();
        let config = read(&world, client, scope, text);
        let found = refusal(definition(&config, scope, "a"));
        let (message, at) = found.unwrap_or_else(|| panic!("{text}"));
        assert!(message.starts_with(begins), "{message}");
        assert_eq!(at, line, "{text}");
    }
}

#[test]
fn what_the_clients_accept_is_not_refused() {
    for (client, text) in [
        (Client::Opencode, r#"{"mcp":{"a":{"enabled":false}}}"#),
        (
            Client::Vscode,
            r#"{"inputs":[{"type":"command","id":"key","command":"x"}],"servers":{"a":{"command":"${input:key}"}}}"#,
        ),
        (
            Client::Cursor,
            r#"{"mcpServers":{"a":{"url":"https://a.example/${input:key}"}}}"#,
        ),
        (
            Client::Codex,
            "[mcp_servers.a]\ncommand = \"x\"\nscopes = [\"a\"]\n",
        ),
    ] {
        let world = World::new();
        let config = read(&world, client, "user", text);
        let found = definition(&config, "user", "a");
        assert_eq!(found.refused, [], "{client} {text}");
    }
}

#[test]
fn a_reference_that_the_client_does_not_expand_is_sent_as_it_stands() {
    let world = World::new();
    let codex = "[mcp_servers.a]\nurl = \"https://a.example\"\n\
                 http_headers = { X-Plain = \"${TOKEN}\", Authorization = \"Bearer ${TOKEN}\" }\n\
                 env_http_headers = { X-Named = \"TOKEN\" }\n";
    let config = read(&world, Client::Codex, "user", codex);
    let found = definition(&config, "user", "a");
    assert_eq!(header(found, &world, "X-Plain"), "${TOKEN}");
    assert_eq!(header(found, &world, "Authorization"), "Bearer ${TOKEN}");
    assert_eq!(header(found, &world, "X-Named"), "t0ken");
    let of_headers: Vec<&Problem> = found
        .warnings
        .iter()
        .filter(|problem| problem.kind == ProblemKind::NotExpanded)
        .collect();
    assert_eq!(of_headers.len(), 2, "{:?}", found.warnings);
    assert_eq!(
        of_headers[0].message,
        "Codex does not expand ${TOKEN} in headers.X-Plain, and uses the text as it stands. Name the \
         variable in env_http_headers."
    );
    assert!(of_headers.iter().all(|problem| problem.line == 3));

    let code = r#"{"servers":{"a":{"command":"x","args":["${TOKEN}","${env:TOKEN}","-${workspaceFolder}-","${nope:x}"],"env":{"A":"${TOKEN}"}}}}"#;
    let config = read(&world, Client::Vscode, "user", code);
    let found = definition(&config, "user", "a");
    let project = world.places().project.display().to_string();
    assert_eq!(
        arguments(found, &world),
        ["${TOKEN}", "t0ken", &format!("-{project}-"), "${nope:x}"]
    );
    let messages: Vec<&str> = found
        .warnings
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "VS Code does not expand ${TOKEN} in env.A, and uses the text as it stands. Write \
             ${env:TOKEN}."
        ]
    );
    // What is shown is what the file has.
    assert!(summary(found.common.expose()).starts_with("x '${TOKEN}'"));
    assert!(!masked_text(found).contains("literal"));
    let origins = variables(Client::Vscode, found.common.expose(), &world.machine());
    let listed: Vec<(&str, String)> = origins
        .iter()
        .map(|found| (found.reference.as_str(), format!("{:?}", found.origin)))
        .collect();
    assert_eq!(listed[0], ("${TOKEN}", "NotExpanded".to_owned()));

    let opencode = r#"{"mcp":{"a":{"type":"remote","url":"https://a.example","headers":{"A":"${TOKEN}","B":"${env:TOKEN}","C":"{env:TOKEN}"}}}}"#;
    let config = read(&world, Client::Opencode, "user", opencode);
    let found = definition(&config, "user", "a");
    let of = |name: &str| header(found, &world, name);
    // As `opencode debug config` has them.
    assert_eq!(["A", "B", "C"].map(of), ["${TOKEN}", "$t0ken", "t0ken"]);
}

/// Texts as the clients hand them to programs: `tests/backend/interop/used.rs`.
#[test]
fn what_names_no_variable_to_the_client_is_a_text() {
    let world = World::new();
    let entry = |arguments: &[&str]| {
        json!({ "mcpServers": { "a": {
            "command": "x", "args": arguments, "env": { "A": "${env:TOKEN}" },
        } } })
        .to_string()
    };
    let texts = ["${env:TOKEN}", "${TOKEN-x}", "${TOKEN x}", "$${TOKEN}"];
    let text = entry(&texts);
    let config = read(&world, Client::ClaudeCode, "user", &text);
    let found = definition(&config, "user", "a");
    assert_eq!(
        arguments(found, &world),
        ["${env:TOKEN}", "${TOKEN-x}", "${TOKEN x}", "$t0ken"]
    );
    let messages: Vec<&str> = found
        .warnings
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "${env:TOKEN} in env.A is a variable in the form of other clients, not in that of Claude \
             Code. Write ${TOKEN}."
        ]
    );
    // Saving the form leaves them.
    let draft = definition_draft(found).expect("the form shows it");
    world.save_form(&Target::new(Client::ClaudeCode, "user"), "a", &draft);
    let config = read_client(Client::ClaudeCode, &world.machine());
    let raw = definition(&config, "user", "a").raw.expose().clone();
    assert!(texts.iter().all(|text| raw.contains(text)), "{raw}");

    for client in [Client::Gemini, Client::CopilotCli] {
        let config = read(
            &world,
            client,
            "user",
            &entry(&["${env:TOKEN}", "$TOKEN", "$1"]),
        );
        let found = definition(&config, "user", "a");
        assert_eq!(
            arguments(found, &world),
            ["${env:TOKEN}", "t0ken", "$1"],
            "{client}"
        );
    }
}

#[test]
fn codex_leaves_out_what_is_taken_from_a_variable_that_is_not_set() {
    let world = World::new();
    let text = "[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"TOKEN\", \"UNSET\"]\n\
                [mcp_servers.b]\nurl = \"https://b.example\"\n\
                env_http_headers = { X-Named = \"TOKEN\", X-Unset = \"UNSET\" }\n\
                [mcp_servers.c]\nurl = \"https://c.example\"\nbearer_token_env_var = \"UNSET\"\n";
    let config = read(&world, Client::Codex, "user", text);
    let Endpoint::Stdio { environment, .. } = endpoint(definition(&config, "user", "a"), &world)
    else {
        panic!("it is a program");
    };
    assert_eq!(environment.keys().collect::<Vec<_>>(), ["TOKEN"]);
    let Endpoint::Remote(remote) = endpoint(definition(&config, "user", "b"), &world) else {
        panic!("it is remote");
    };
    assert_eq!(remote.headers.keys().collect::<Vec<_>>(), ["X-Named"]);
    // Without its token it does not connect.
    let options = ResolveOptions {
        environment: &|_| None,
        project: &world.places().project,
        reads_files: true,
    };
    let of_token = LaunchPlan::of(definition(&config, "user", "c"));
    assert!(of_token.resolve(options).is_err());
}

/// A text of a file must not pass for the mark of what stands for itself: it would be shown without
/// a part of it.
#[test]
fn what_looks_like_a_mark_is_shown_as_it_starts_and_stays_in_the_file() {
    let texts = [
        "run ${literal:+--x}",
        "${literal:=x}",
        "${literal:=literal:=x}",
        "${literal:=",
        "${-x}",
    ];
    let json = json!({ "mcpServers": { "a": { "command": "x", "args": texts } } });
    let zed = json!({ "context_servers": { "a": { "command": "x", "args": texts } } });
    let toml = format!("[mcp_servers.a]\ncommand = \"x\"\nargs = {texts:?}\n");
    for (client, text, texts) in [
        (Client::Zed, zed.to_string(), &texts[..]),
        (Client::Junie, json.to_string(), &texts[..]),
        (Client::ClaudeDesktop, json.to_string(), &texts[..]),
        (Client::Codex, toml, &texts[..]),
        // It expands references, so that one has to be closed.
        (
            Client::ClaudeCode,
            json.to_string().replace(r#""${literal:=","#, ""),
            &[texts[0], texts[1], texts[2], texts[4]][..],
        ),
    ] {
        let world = World::new();
        let config = read(&world, client, "user", &text);
        let found = definition(&config, "user", "a");
        let rows = LaunchPlan::of(found).rows();
        let row = rows.iter().find(|row| row.label == "Arguments");
        assert_eq!(row.expect("shown").values, texts, "{client}");
        assert_eq!(arguments(found, &world), texts, "{client}");
        // Another change of the form leaves them.
        let mut draft = definition_draft(found).expect("the form shows it");
        let DraftEndpoint::Stdio { command, .. } = &mut draft.endpoint else {
            panic!("it is a program");
        };
        *command = "y".into();
        world.save_form(&Target::new(client, "user"), "a", &draft);
        let changed = read_client(client, &world.machine());
        let found = definition(&changed, "user", "a");
        assert_eq!(arguments(found, &world), texts, "{client}");
    }
}

/// The common form has no marks of its own, and refuses what names no variable.
#[test]
fn what_looks_like_a_mark_in_the_common_form_is_shown_and_refused_as_it_stands() {
    let world = World::new();
    let written = "${A:-${literal:=x}}";
    let text = json!({ "mcpServers": { "a": { "command": "x", "args": [written] } } });
    let config = read(&world, Client::McpJson, "user", &text.to_string());
    let found = definition(&config, "user", "a");
    let plan = LaunchPlan::of(found);
    let rows = plan.rows();
    let row = rows.iter().find(|row| row.label == "Arguments");
    assert_eq!(row.expect("shown").values, [written]);
    let shown = summary(found.common.expose());
    assert!(shown.contains(written), "{shown}");
    let used = variables(Client::McpJson, found.common.expose(), &world.machine());
    assert_eq!(used[0].reference, written);
    let set = |value: Option<&'static str>| {
        plan.resolve(ResolveOptions {
            environment: &move |_| value.map(str::to_owned),
            project: &world.places().project,
            reads_files: true,
        })
    };
    let Endpoint::Stdio { arguments, .. } = set(Some("1")).expect("A is set").endpoint else {
        panic!("it is a program");
    };
    assert_eq!(arguments, ["1"]);
    let refused = set(None).expect_err("what remains is no variable");
    let message = &refused[0].message;
    assert!(message.contains("holds ${literal:=x},"), "{message}");
    // Another change of the form leaves it.
    let mut draft = definition_draft(found).expect("the form shows it");
    let DraftEndpoint::Stdio { command, .. } = &mut draft.endpoint else {
        panic!("it is a program");
    };
    *command = "y".into();
    let target = Target::new(Client::McpJson, "user");
    world.save_form(&target, "a", &draft);
    let path = config.file("user").expect("the scope").place.path.clone();
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON");
    assert_eq!(saved["mcpServers"]["a"]["args"], json!([written]));
    assert_eq!(saved["mcpServers"]["a"]["command"], "y");
}

#[test]
fn what_looks_like_a_mark_stays_where_the_form_changes_its_text() {
    let world = World::new();
    let old = json!({ "mcpServers": { "a": { "command": "x", "args": ["${literal:=x} --old"] } } });
    let config = read(&world, Client::McpJson, "user", &old.to_string());
    let mut draft = definition_draft(definition(&config, "user", "a")).expect("the form shows it");
    let DraftEndpoint::Stdio { arguments, .. } = &mut draft.endpoint else {
        panic!("it is a program");
    };
    arguments[0] = "${literal:=x} --new".into();
    let target = Target::new(Client::McpJson, "user");
    world.save_form(&target, "a", &draft);
    let path = config.file("user").expect("the scope").place.path.clone();
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON");
    let wanted = json!(["${literal:=x} --new"]);
    assert_eq!(saved["mcpServers"]["a"]["args"], wanted);
}

#[test]
fn what_looks_like_a_mark_stays_in_a_new_entry() {
    let world = World::new();
    let target = Target::new(Client::McpJson, "user");
    let draft = |name: &str| program(name, "x", &["${literal:=x} --new"]);
    world.act(&ConfigAction::Add {
        target: target.clone(),
        draft: draft("first"),
    });
    world.act(&ConfigAction::Add {
        target: target.clone(),
        draft: draft("second"),
    });
    let item = ImportItem {
        draft: draft("third"),
        conflict: ConflictChoice::Refuse,
        source: None,
        left_out: Vec::new(),
    };
    world.act(&ConfigAction::Import {
        target,
        items: vec![item],
    });
    let text = fs::read_to_string(world.path(Scope::User)).expect("readable");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    for name in ["first", "second", "third"] {
        let arguments = &saved["mcpServers"][name]["args"];
        assert_eq!(arguments, &json!(["${literal:=x} --new"]), "{name}");
    }
}

#[test]
fn the_form_leaves_what_stands_for_itself_as_it_is() {
    let world = World::new();
    let text =
        "[mcp_servers.a]\nurl = \"https://a.example\"\nhttp_headers = { X = \"${TOKEN}\" }\n";
    let config = read(&world, Client::Codex, "user", text);
    let mut draft = definition_draft(definition(&config, "user", "a")).expect("the form shows it");
    let DraftEndpoint::Remote(remote) = &mut draft.endpoint else {
        panic!("it is remote");
    };
    assert_eq!(remote.headers[0].text, "${TOKEN}");
    remote.url = "https://b.example".into();
    let target = Target::new(Client::Codex, "user");
    world.save_form(&target, "a", &draft);
    let path = config.file("user").expect("the scope").place.path.clone();
    assert_eq!(
        fs::read_to_string(path).expect("readable"),
        text.replace("a.example", "b.example")
    );
}

/// The form shows both alike. Saved as the same, the text would become the value of the variable.
#[test]
fn a_variable_and_a_text_that_are_shown_alike_stay_what_they_are() {
    let (variable, literal) = ("${env:TOKEN}", "${TOKEN}");
    let shown = "${TOKEN}";
    for (before, draft, after) in [
        // Another field changes.
        (
            vec![variable, literal],
            vec![shown, shown],
            vec![variable, literal],
        ),
        (
            vec![literal, variable],
            vec![shown, shown],
            vec![literal, variable],
        ),
        // Something goes before them, comes before them, or changes beside them.
        (
            vec!["x", literal, variable],
            vec![shown, shown],
            vec![literal, variable],
        ),
        (
            vec![literal, variable],
            vec!["x", shown, shown],
            vec!["x", literal, variable],
        ),
        (
            vec!["x", literal, "y", variable, "z"],
            vec!["1", shown, "2", shown, "3"],
            vec!["1", literal, "2", variable, "3"],
        ),
        // Both moved, each on its own side of another.
        (
            vec![literal, "x", "y", variable],
            vec!["y", shown, "x", shown, "z"],
            vec!["y", literal, "x", variable, "z"],
        ),
    ] {
        let world = World::new();
        let text = json!({ "servers": { "a": { "command": "x", "args": before } } }).to_string();
        let config = read(&world, Client::Vscode, "user", &text);
        let mut form =
            definition_draft(definition(&config, "user", "a")).expect("the form shows it");
        let DraftEndpoint::Stdio {
            command, arguments, ..
        } = &mut form.endpoint
        else {
            panic!("it is a program");
        };
        *command = "y".into();
        *arguments = draft.iter().map(|text| (*text).to_owned()).collect();
        world.save_form(&Target::new(Client::Vscode, "user"), "a", &form);
        let path = config.file("user").expect("the scope").place.path.clone();
        let saved = fs::read_to_string(path).expect("readable");
        let saved: Value = serde_json::from_str(&saved).expect("JSON");
        assert_eq!(saved["servers"]["a"]["args"], json!(after), "{before:?}");
    }
}

#[test]
fn a_server_under_servers_is_not_claude_code_s() {
    let world = World::new();
    let text = r#"{"servers":{"a":{"command":"x"}}}"#;
    let config = read(&world, Client::McpJson, "project-root", text);
    assert!(config.server("a").is_some());
    let config = read_client(Client::ClaudeCode, &world.machine());
    assert!(config.server("a").is_none());
    let warnings = &config.file("project").expect("the scope").warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(
        warnings[0].message,
        "Claude Code reads the servers of this file under mcpServers, not under servers. Rename \
         servers to mcpServers."
    );
}

#[test]
fn a_state_of_claude_code_of_many_megabytes_keeps_its_servers() {
    let world = World::new();
    let project = world.places().project.display().to_string();
    let history = "x".repeat(1 << 20);
    let history: Vec<Value> = (0..20).map(|_| json!({ "display": history })).collect();
    let state = json!({
        "history": history,
        "mcpServers": { "mine": { "command": "x" } },
        "projects": { project: {
            "history": ["y"],
            "hasTrustDialogAccepted": true,
            "mcpServers": { "local": { "command": "y" } },
            "disabledMcpServers": ["mine"],
        } },
    });
    let text = serde_json::to_string_pretty(&state).expect("JSON");
    let config = read(&world, Client::ClaudeCode, "user", &text);
    let line = |name: &str| {
        let position = text
            .lines()
            .position(|line| line.contains(&format!("\"{name}\": {{")));
        u32::try_from(position.expect("there") + 1).expect("few lines")
    };
    assert_eq!(definition(&config, "user", "mine").line, line("mine"));
    assert_eq!(definition(&config, "local", "local").line, line("local"));
    assert!(
        config.approvals.state("user", "mine").is_some(),
        "switched off"
    );
    let add = ConfigAction::Add {
        target: Target::new(Client::ClaudeCode, "user"),
        draft: program("new", "x", &[]),
    };
    let error = plan_action(&add, &world.machine()).expect_err("it is too large");
    let error = error.to_string();
    assert!(
        error.contains("claude mcp add") && !error.contains("remove it"),
        "{error}"
    );
}

#[test]
fn a_limit_of_one_client_is_read_as_that_client_reads_it() {
    let world = World::new();
    let limits = |client: Client,
                  scope: &str,
                  text: &str,
                  variable: Option<(&'static str, &'static str)>| {
        world.place(client, scope, text);
        let machine = world.machine_with(move |name| {
            variable
                .filter(|(known, _)| *known == name)
                .map(|(_, value)| value.to_owned())
        });
        let config = read_client(client, &machine);
        let server = config.server("a").expect("listed");
        let (definition, _) = config.effective_definition(server, &machine);
        definition.spec.expect("usable").limits
    };
    let seconds =
        |limit: Option<sightglass_model::Limit>| limit.map(|limit| limit.duration.as_secs());
    // As `opencode` 1.18.33 passes it on to each call.
    let found = limits(
        Client::Opencode,
        "user",
        r#"{"mcp":{"a":{"type":"local","command":["x"],"timeout":7000}}}"#,
        None,
    );
    assert_eq!(seconds(found.startup_limit()), Some(7));
    assert_eq!(
        seconds(found.limit(sightglass_model::Phase::Executing)),
        Some(7)
    );
    let found = limits(
        Client::McpJson,
        "user",
        r#"{"mcpServers":{"a":{"command":"x","timeout":9000}}}"#,
        None,
    );
    assert_eq!(
        seconds(found.limit(sightglass_model::Phase::Executing)),
        Some(9)
    );
    let caliban = "[server.a]\ncommand = \"x\"\n";
    let found = limits(Client::Caliban, "user", caliban, None);
    assert_eq!(seconds(found.startup_limit()), Some(5));
    let found = limits(
        Client::Caliban,
        "user",
        caliban,
        Some(("CALIBAN_MCP_TIMEOUT", "12")),
    );
    assert_eq!(seconds(found.startup_limit()), Some(12));
}

#[test]
fn a_limit_in_milliseconds_stays_one_when_the_form_writes() {
    let world = World::new();
    let text = r#"{"mcpServers":{"a":{"command":"x","timeout":9000}}}"#;
    let config = read(&world, Client::McpJson, "user", text);
    let mut draft = definition_draft(definition(&config, "user", "a")).expect("the form shows it");
    let target = Target::new(Client::McpJson, "user");
    let path = config.file("user").expect("the scope").place.path.clone();
    world.save_form(&target, "a", &draft);
    assert_eq!(fs::read_to_string(&path).expect("readable"), text);
    draft.limits.as_mut().expect("limits").tool = Some(4500);
    world.save_form(&target, "a", &draft);
    assert_eq!(
        fs::read_to_string(&path).expect("readable"),
        text.replace("9000", "4500")
    );
}

#[test]
fn what_a_client_does_beside_is_told_for_all_that_are_built_like_it() {
    for client in [Client::Vscode, Client::VscodeInsiders] {
        let world = World::new();
        let text = r#"{"servers":{"a":{"command":"x","sandboxEnabled":true}}}"#;
        let config = read(&world, client, "user", text);
        let told = differences(client, definition(&config, "user", "a"));
        assert_eq!(
            told,
            ["VS Code runs it in a sandbox. Here it runs without one."]
        );
    }
}
