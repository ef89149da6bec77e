//! The same server as the models of its clients see it: names, cost, schemas, and what they may call.

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ConfigAction, Effect, NamingScheme, PermissionStep, Precision, Provider, ServerId,
    Target,
    view::{TokenQuestion, ToolChoice},
};
use sightglass_tests::{TestHost, configuring::change, programs, wiretap::Wiretap};

use crate::command_line::Machine;

const EVERYTHING: &str = "@modelcontextprotocol/server-everything";

/// Number of tools that it offers.
const TOOLS: usize = 19;

fn everything() -> Value {
    let script = programs::npm_server(EVERYTHING).display().to_string();
    json!({ "everything": {"command": "node", "args": [script, "stdio"]} })
}

fn question(window: u32) -> TokenQuestion {
    TokenQuestion {
        servers: vec![TestHost::id("everything")],
        scheme: None,
        model: "gpt-5".to_owned(),
        window,
        tool_search: Some("auto".to_owned()),
        with_unsent: false,
    }
}

/// The figures are those of `js-tiktoken` 1.0.21 and `gpt-tokenizer` 4.0.0, which agree. It offers 19
/// tools to a client that answers its questions and takes tasks.
#[tokio::test(flavor = "multi_thread")]
async fn the_tokens_of_server_everything_equal_an_independent_count() {
    let host = TestHost::with_servers(everything());
    host.connect(&TestHost::id("everything")).await;
    let view = host
        .inspector
        .clients
        .llm_tools
        .token_cost(&question(200_000))
        .expect("counted");
    assert_eq!(view.cost.tools.len(), TOOLS);
    assert_eq!(view.precision, Precision::Exact);
    let total = view.cost.total;
    let figures = [total.whole.tokens, total.sent.tokens, total.names.tokens];
    assert_eq!(figures, [2_678, 1_789, 97]);
    assert_eq!(total.whole.bytes, 12_082);
    assert_eq!(view.sent_permille, 8);
    assert!(!view.tool_search.is_on);
    let small = host
        .inspector
        .clients
        .llm_tools
        .token_cost(&question(10_000))
        .expect("counted");
    assert!(small.tool_search.is_on, "{:?}", small.tool_search);
    // The window gets the same in columns.
    let table = host
        .inspector
        .clients
        .llm_tools
        .token_table(&question(200_000))
        .expect("counted");
    assert_eq!(table.total, total);
    assert_eq!(table.servers, [TestHost::id("everything")]);
    let columns = &table.tools;
    for (place, tool) in view.cost.tools.iter().enumerate() {
        assert_eq!(columns.index[place], tool.index);
        assert_eq!(columns.name[place], tool.name);
        assert_eq!(columns.tokens[place], tool.figures.sent.tokens);
        assert_eq!(columns.schema_tokens[place], tool.schema.tokens);
    }
    assert_eq!(columns.server, [0; TOOLS]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_client_names_the_tools_of_a_server_and_a_name_leads_back() {
    let host = TestHost::with_servers(everything());
    let server = TestHost::id("everything");
    host.connect(&server).await;
    for (scheme, name) in [
        (NamingScheme::ClaudeCode, "mcp__everything__get-sum"),
        (NamingScheme::Codex, "mcp__everything__get_sum"),
        (NamingScheme::Opencode, "everything_get-sum"),
        (NamingScheme::GeminiCli, "mcp_everything_get-sum"),
    ] {
        let view = host
            .inspector
            .clients
            .llm_tools
            .model_names(scheme, std::slice::from_ref(&server))
            .expect("connected");
        assert!(
            view.names.iter().any(|one| one.name == name),
            "{name}: {:?}",
            view.names
        );
        let found = host
            .inspector
            .clients
            .llm_tools
            .resolve_model_name(&[scheme], std::slice::from_ref(&server), name)
            .expect("connected");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].item, "get-sum");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_model_interface_gets_the_list_in_its_form() {
    let host = TestHost::with_servers(everything());
    let server = TestHost::id("everything");
    host.connect(&server).await;
    for provider in Provider::ALL {
        let view = host
            .inspector
            .clients
            .llm_tools
            .sent_tools(&server, provider, None)
            .expect("connected");
        assert_eq!(view.tools.len(), TOOLS);
        assert!(!view.changes.is_empty(), "{}", provider.id());
        assert!(view.changes.iter().all(|change| !change.source.is_empty()));
    }
    let findings = host
        .inspector
        .clients
        .llm_tools
        .portability(&server, &[Provider::Gemini], &[])
        .expect("connected");
    assert!(
        findings
            .iter()
            .any(|finding| finding.rule == "provider-drops")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rule_that_decides_is_told_with_its_file_and_line() {
    let host = TestHost::with_servers(everything());
    let settings = host.home().join(".claude/settings.json");
    host.write(
        &settings,
        "{\n  \"permissions\": {\n    \"allow\": [\"mcp__everything\"],\n    \"deny\": [\n      \
         \"Bash\",\n      \"mcp__everything__get-*\"\n    ]\n  }\n}\n",
    );
    let server = sightglass_inspector::ServerId::new("claude-code", "everything");
    let verdict = |tool| {
        host.inspector
            .calls
            .client_rules
            .permission_verdict(Client::ClaudeCode, &server, Some(tool))
            .expect("known")
    };
    let denied = verdict("get-sum");
    assert_eq!(denied.effect, Effect::Deny);
    assert_eq!(denied.step, Some(PermissionStep::GlobalDeny));
    let rule = denied.rule.expect("a rule");
    assert_eq!(rule.text, "mcp__everything__get-*");
    assert_eq!(rule.place.line, Some(6));
    assert_eq!(rule.place.file, settings.display().to_string());
    assert_eq!(verdict("echo").effect, Effect::Allow);
}

#[test]
fn codex_decides_by_the_settings_of_the_server() {
    let machine = Machine::new();
    let directory = machine.path("home/.codex");
    std::fs::create_dir_all(&directory).expect("created");
    let text = "[mcp_servers.s]\ncommand = \"x\"\ndisabled_tools = [\"b\"]\n\
                default_tools_approval_mode = \"approve\"\n\n\
                [mcp_servers.s.tools.a]\napproval_mode = \"prompt\"\n";
    std::fs::write(directory.join("config.toml"), text).expect("written");
    for (tool, effect, line) in [("a", "ask", 7), ("b", "deny", 3), ("c", "allow", 4)] {
        let ran = machine.run(&["model", "rules", "codex", "s", tool, "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let verdict: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(verdict["effect"], effect, "{verdict}");
        assert_eq!(verdict["rule"]["place"]["line"], line, "{verdict}");
    }
}

#[test]
fn a_conversion_is_not_taken_for_that_of_another_client() {
    let machine = Machine::new();
    let converter = |client: &str, provider: &str| {
        let words = [
            "model",
            "schema",
            "--client",
            client,
            "--provider",
            provider,
        ];
        let ran = machine.demo(&[&words[..], &["--json"]].concat(), &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.result()["interfaces"][0]["converter"].to_string()
    };
    let other = converter("opencode", "anthropic");
    assert!(other.contains("How OpenCode converts"), "{other}");
    for (client, provider) in [("claude-code", "anthropic"), ("opencode", "openai-chat")] {
        let own = converter(client, provider);
        assert!(!own.contains("not known"), "{own}");
    }
}

#[test]
fn scripts_ask_what_a_model_sees() {
    let machine = Machine::with_servers(everything());
    let json = |words: &[&str]| -> Value {
        let ran = machine.run(&[words, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("JSON")
    };
    let tokens = json(&["model", "tokens", "everything"]);
    assert_eq!(
        tokens["cost"]["tools"].as_array().map(Vec::len),
        Some(TOOLS)
    );
    let found = json(&["model", "tokens", "everything", "--query", "sum"]);
    assert_eq!(found["found"][0]["name"], "mcp__everything__get-sum");
    let names = json(&["model", "names", "everything", "--client", "codex"]);
    assert_eq!(names["clients"][0]["id"], "codex");
    let found = json(&[
        "model",
        "names",
        "everything",
        "--client",
        "codex",
        "--find",
        "mcp__everything__get_sum",
    ]);
    assert_eq!(found["candidates"][0]["item"], "get-sum");
    let found = ["model", "names", "everything", "--find", "@other:none"];
    let ran = machine.run(&found);
    assert!(ran.stdout.contains("by its form alone"), "{}", ran.stdout);
    let sent = json(&["model", "schema", "everything", "--provider", "gemini"]);
    assert_eq!(
        sent["interfaces"][0]["tools"].as_array().map(Vec::len),
        Some(TOOLS)
    );
    let ran = machine.run(&["model", "tokens", "everything"]);
    assert!(ran.stdout.contains("1789 tokens"), "{}", ran.stdout);
    let ran = machine.run(&["model", "rules", "cursor"]);
    assert!(ran.stdout.contains("No rules"), "{}", ran.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_taken_from_claude_code_by_a_rule_in_its_own_settings() {
    let host = TestHost::new();
    host.write(
        &host.home().join(".claude.json"),
        &json!({ "mcpServers": everything() }).to_string(),
    );
    host.write(
        &host.project().join(".claude/settings.json"),
        r#"{"permissions":{"deny":["mcp__everything__get-*"]}}"#,
    );
    let settings = host.home().join(".claude/settings.json");
    let before =
        "{\n  // mine\n  \"permissions\": { \"deny\": [\"Bash\"] },\n  \"model\": \"opus\"\n}\n";
    host.write(&settings, before);
    let server = ServerId::new("claude-code", "everything");
    let target = Target::new(Client::ClaudeCode, "user");
    host.eventually("the server", || {
        host.inspector.servers.specs.spec(&server).ok()
    })
    .await;
    host.connect(&server).await;
    let choice = |tool: &str| -> ToolChoice {
        let view = host
            .inspector
            .clients
            .tool_choices
            .tool_choice(&target, &server)
            .expect("known");
        assert_eq!(view.file, settings.display().to_string());
        assert_eq!(view.tools.len(), TOOLS);
        let mut tools = view.tools.into_iter();
        tools.find(|choice| choice.tool == tool).expect(tool)
    };
    let echo = choice("echo");
    assert_eq!(echo.name, "mcp__everything__echo");
    assert!(echo.is_on && echo.can_switch && echo.rule.is_none());
    let sum = choice("get-sum");
    assert!(!sum.is_on && !sum.can_switch, "the project's rule decides");
    assert_eq!(sum.rule.expect("a rule").text, "mcp__everything__get-*");

    let switch = |off: &[&str], on: &[&str]| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let action = ConfigAction::SwitchTools {
            target: target.clone(),
            off: names(off),
            on: names(on),
        };
        change(&host.inspector, &action);
        std::fs::read_to_string(&settings).expect("readable")
    };
    let after = switch(&["mcp__everything__echo"], &[]);
    assert_eq!(
        after,
        before.replace("[\"Bash\"]", "[\"Bash\", \"mcp__everything__echo\"]")
    );
    let echo = choice("echo");
    assert!(!echo.is_on && echo.can_switch);
    assert_eq!(echo.rule.expect("a rule").place.line, Some(3));
    assert_eq!(switch(&[], &["mcp__everything__echo"]), before);
    assert!(choice("echo").is_on);

    // A client whose rules take no tool from the model has no such choice.
    let other = Target::new(Client::Cursor, "user");
    let error = host
        .inspector
        .clients
        .tool_choices
        .tool_choice(&other, &server);
    assert!(error.expect_err("none").to_string().contains("Cursor"));
}

/// <https://opencode.ai/docs/permissions>
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_taken_from_the_model_of_opencode_by_its_last_rule() {
    let host = TestHost::new();
    let own = host.home().join(".config/opencode/opencode.json");
    let entry = &everything()["everything"];
    let mut command = vec![entry["command"].clone()];
    command.extend(entry["args"].as_array().into_iter().flatten().cloned());
    let written = json!({
        "mcp": { "everything": { "type": "local", "command": command } },
        "permission": { "everything_echo": "ask", "everything_get-*": "deny" },
        "tools": { "everything_zip": false },
    });
    host.write(&own, &written.to_string());
    let project = host.project().join("opencode.json");
    let above = r#"{"permission":{"everything_get-sum":"ask","everything_gzip-*":{"*":"allow"}}}"#;
    host.write(&project, above);
    let server = ServerId::new("opencode", "everything");
    let target = Target::new(Client::Opencode, "user");
    host.eventually("the server", || {
        host.inspector.servers.specs.spec(&server).ok()
    })
    .await;
    host.connect(&server).await;
    let choice = |tool: &str| -> ToolChoice {
        let view = host
            .inspector
            .clients
            .tool_choices
            .tool_choice(&target, &server)
            .expect("known");
        assert_eq!(view.file, own.display().to_string());
        let mut tools = view.tools.into_iter();
        tools.find(|choice| choice.tool == tool).expect(tool)
    };
    let echo = choice("echo");
    assert!(echo.is_on && echo.can_switch && echo.rule.is_none());
    let image = choice("get-tiny-image");
    assert!(!image.is_on && !image.can_switch, "a pattern decides");
    assert_eq!(image.rule.expect("a rule").text, "everything_get-*");
    let sum = choice("get-sum");
    assert!(sum.is_on && !sum.can_switch, "the project decides");
    let rule = sum.rule.expect("a rule");
    assert_eq!(rule.place.file, project.display().to_string());
    let verdict = |tool| {
        let verdict = host
            .inspector
            .calls
            .client_rules
            .permission_verdict(Client::Opencode, &server, Some(tool))
            .expect("known");
        (verdict.effect, verdict.step)
    };
    let last = Some(PermissionStep::LastMatch);
    assert_eq!(verdict("echo"), (Effect::Ask, last));
    assert_eq!(verdict("get-tiny-image"), (Effect::Deny, last));
    assert_eq!(verdict("get-sum"), (Effect::Ask, last));
    assert_eq!(
        verdict("simulate-research-query"),
        (Effect::Allow, Some(PermissionStep::Default))
    );

    let switch = |off: &[&str], on: &[&str]| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let action = ConfigAction::SwitchTools {
            target: target.clone(),
            off: names(off),
            on: names(on),
        };
        change(&host.inspector, &action);
        let text = std::fs::read_to_string(&own).expect("readable");
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["permission"].clone()
    };
    assert_eq!(
        switch(&["everything_echo"], &[]).to_string(),
        r#"{"everything_get-*":"deny","everything_echo":"deny"}"#
    );
    let echo = choice("echo");
    assert!(!echo.is_on && echo.can_switch);
    assert_eq!(
        switch(&[], &["everything_echo"]).to_string(),
        r#"{"everything_get-*":"deny"}"#
    );
    assert!(choice("echo").is_on);
}

/// Settings of Codex are rows of the list, and the verdict names one of them.
#[tokio::test(flavor = "multi_thread")]
async fn the_settings_of_codex_are_listed_as_rules() {
    let host = TestHost::new();
    let config = host.home().join(".codex/config.toml");
    host.write(
        &config,
        "[mcp_servers.one]\ncommand = \"true\"\ndisabled_tools = [\"a\", \"b\"]\n\n\
         [mcp_servers.one.tools.c]\napproval_mode = \"approve\"\n\n[mcp_servers.two]\n\
         url = \"http://127.0.0.1:9/mcp\"\nenabled = false\n",
    );
    let view = host
        .inspector
        .calls
        .client_rules
        .permission_rules(Client::Codex);
    let rows: Vec<(Option<&str>, &str, Option<u32>)> = view
        .rules
        .iter()
        .map(|rule| (rule.server.as_deref(), rule.text.as_str(), rule.place.line))
        .collect();
    assert_eq!(
        rows,
        [
            (Some("one"), "disabled_tools = a, b", Some(3)),
            (Some("one"), "tools.c.approval_mode = \"approve\"", Some(6)),
            (Some("two"), "enabled = false", Some(10)),
        ]
    );
    let server = ServerId::new("codex", "one");
    for (tool, row) in [("a", 0), ("c", 1)] {
        let verdict = host
            .inspector
            .calls
            .client_rules
            .permission_verdict(Client::Codex, &server, Some(tool))
            .expect("known");
        let rule = verdict.rule.expect("a rule");
        assert_eq!(rule.text, view.rules[row].text);
        assert_eq!(rule.place, view.rules[row].place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_was_read_with_a_warning_is_shown_as_far_as_it_was_read() {
    let tap = Wiretap::new();
    let twice = r#"{"tools":[],"tools":[{"name":"new","inputSchema":{"type":"object"}}]}"#;
    let host = TestHost::with_servers(json!({
        "scripted": programs::scripted(&tap, &[("tools/list", twice)]),
    }));
    let server = TestHost::id("scripted");
    host.connect(&server).await;
    let servers = std::slice::from_ref(&server);
    let names = host
        .inspector
        .clients
        .llm_tools
        .model_names(NamingScheme::ClaudeCode, servers)
        .expect("connected");
    let names: Vec<&str> = names.names.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["mcp__scripted__new"]);
    let question = TokenQuestion {
        servers: servers.to_vec(),
        scheme: None,
        model: String::new(),
        window: 200_000,
        tool_search: None,
        with_unsent: false,
    };
    let cost = host
        .inspector
        .clients
        .llm_tools
        .token_cost(&question)
        .expect("counted");
    assert_eq!(cost.cost.tools.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_a_client_leaves_out_costs_nothing_there_and_is_told() {
    let tap = Wiretap::new();
    let long = "n".repeat(120);
    let listed = json!({ "tools": [
        { "name": "short", "inputSchema": { "type": "object" } },
        { "name": long, "inputSchema": { "type": "object" } },
    ] });
    let host = TestHost::with_servers(json!({
        "scripted": programs::scripted(&tap, &[("tools/list", &listed.to_string())]),
    }));
    let server = TestHost::id("scripted");
    host.connect(&server).await;
    let servers = std::slice::from_ref(&server);
    let mut whole = Vec::new();
    for (scheme, number) in [(NamingScheme::ClaudeCode, 1), (NamingScheme::Codex, 2)] {
        let question = TokenQuestion {
            servers: servers.to_vec(),
            scheme: Some(scheme),
            model: String::new(),
            window: 200_000,
            tool_search: None,
            with_unsent: false,
        };
        let cost = host
            .inspector
            .clients
            .llm_tools
            .token_cost(&question)
            .expect("counted");
        assert_eq!(cost.cost.tools.len(), number);
        whole.push(cost.cost.total.whole.tokens);
        let sent = host
            .inspector
            .clients
            .sent_tools
            .sent_tool_list(servers, Provider::AnthropicMessages, Some(scheme))
            .expect("converted");
        assert_eq!(sent.tools.len(), number);
        let told = sent
            .changes
            .iter()
            .any(|change| change.reason.starts_with("Claude Code leaves out one tool"));
        assert_eq!(told, number == 1, "{:?}", sent.changes);
    }
    // The server sends both, whatever becomes of them.
    assert_eq!(whole[0], whole[1]);
}

/// Codex selects by its entry, Claude Code by its rules, Gemini CLI by `includeTools` and OpenCode by
/// `tools`: names, lists and cost are those of what is left.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_does_not_send_is_neither_named_nor_converted_nor_counted() {
    let host = TestHost::with_servers(everything());
    let home = host.home();
    let entry = &everything()["everything"];
    let (command, arguments) = (entry["command"].clone(), entry["args"].clone());
    host.write(
        &home.join(".codex/config.toml"),
        &format!(
            "[mcp_servers.everything]\ncommand = {command}\nargs = {arguments}\n\
             enabled_tools = [\"echo\", \"get-sum\"]\ndisabled_tools = [\"echo\"]\n"
        ),
    );
    host.write(
        &home.join(".claude/settings.json"),
        r#"{"permissions":{"deny":["mcp__everything__get-*"]}}"#,
    );
    let gemini = json!({ "mcpServers": { "everything": {
        "command": command, "args": arguments, "includeTools": ["echo(message)"],
    } } });
    host.write(&home.join(".gemini/settings.json"), &gemini.to_string());
    host.write(
        &home.join(".config/opencode/opencode.json"),
        r#"{"tools":{"everything_*":false,"everything_echo":true}}"#,
    );
    let host = host.restart().await;
    let server = TestHost::id("everything");
    host.connect(&server).await;
    let servers = std::slice::from_ref(&server);
    let sent_names = |scheme: NamingScheme| -> Vec<(String, String)> {
        let view = host
            .inspector
            .clients
            .llm_tools
            .model_names(scheme, servers)
            .expect("connected");
        let is_sent = |name: &&sightglass_inspector::QualifiedName| {
            name.kind == sightglass_inspector::ItemKind::Tool
                && name
                    .warnings
                    .iter()
                    .all(|one| one.kind != sightglass_inspector::NameWarningKind::NotSent)
        };
        view.names
            .iter()
            .filter(is_sent)
            .map(|name| (name.item.clone(), name.name.clone()))
            .collect()
    };
    for (scheme, tool) in [
        (NamingScheme::Codex, "get-sum"),
        (NamingScheme::GeminiCli, "echo"),
        (NamingScheme::Opencode, "echo"),
    ] {
        let sent = sent_names(scheme);
        let [(item, name)] = &sent[..] else {
            panic!("{}: {sent:?}", scheme.id());
        };
        assert_eq!(item, tool, "{}", scheme.id());
        let cost = host
            .inspector
            .clients
            .llm_tools
            .token_cost(&TokenQuestion {
                scheme: Some(scheme),
                ..question(200_000)
            })
            .expect("counted");
        assert_eq!(cost.cost.tools.len(), 1, "{}", scheme.id());
        assert_eq!(&cost.cost.tools[0].name, name, "{}", scheme.id());
        let sent = host
            .inspector
            .clients
            .sent_tools
            .sent_tool_list(servers, Provider::OpenaiResponses, Some(scheme))
            .expect("converted");
        assert_eq!(sent.tools.len(), 1, "{}", scheme.id());
        let told = sent
            .changes
            .iter()
            .any(|change| change.reason.contains("are not sent"));
        assert!(told, "{}: {:?}", scheme.id(), sent.changes);
    }
    let left = sent_names(NamingScheme::ClaudeCode);
    let is_left = |tool: &str| left.iter().any(|(item, _)| item == tool);
    assert!(is_left("echo") && !is_left("get-sum"), "{left:?}");
    // A name out of a log is found all the same.
    let found = host
        .inspector
        .clients
        .llm_tools
        .resolve_model_name(
            &[NamingScheme::ClaudeCode],
            servers,
            "mcp__everything__get-sum",
        )
        .expect("connected");
    assert_eq!(found[0].item, "get-sum");
}

#[test]
fn chimera_is_a_name_of_the_client_whose_names_are_shown_so() {
    let machine = Machine::new();
    let ran = machine.run(&["model", "rules", "chimera"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_too_long_for_a_model_says_so() {
    let listed = json!({ "tools": [{ "name": "long", "inputSchema": { "type": "object" } }] });
    for (bytes, words) in [
        (1_000, None),
        (60_000, Some("Claude Code warns of results from 10,000.")),
        (
            200_000,
            Some("About 50,000 tokens, by its length. Claude Code cuts results after 25,000."),
        ),
    ] {
        let tap = Wiretap::new();
        let result = json!({ "content": [{ "type": "text", "text": "x".repeat(bytes) }] });
        let host = TestHost::with_servers(json!({
            "scripted": programs::scripted(
                &tap,
                &[("tools/list", &listed.to_string()), ("tools/call", &result.to_string())],
            ),
        }));
        let server = TestHost::id("scripted");
        host.connect(&server).await;
        let report = host.call(&server, "long", "{}").await;
        let told = report.result.expect("a result").client_limits;
        let is_told = match (&told, words) {
            (Some(told), Some(words)) => told.contains(words),
            (told, words) => told.is_none() && words.is_none(),
        };
        assert!(is_told, "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_that_a_client_keeps_from_some_models_says_so_where_that_client_is_found() {
    let listed = json!({ "tools": [{ "name": "draw", "inputSchema": { "type": "object" } }] });
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let text = json!({ "type": "text", "text": "no image" });
    for (has_codex, block, is_told) in [
        (false, &image, false),
        (true, &image, true),
        (true, &text, false),
    ] {
        let tap = Wiretap::new();
        let result = json!({ "content": [block] });
        let host = TestHost::with_servers(json!({
            "scripted": programs::scripted(
                &tap,
                &[("tools/list", &listed.to_string()), ("tools/call", &result.to_string())],
            ),
        }));
        if has_codex {
            host.write(&host.home().join(".codex/config.toml"), "[mcp_servers]\n");
            let has_found = || {
                let configuration = host.inspector.servers.projection.configuration();
                let mut clients = configuration.clients.into_iter();
                clients
                    .any(|client| client.client == Client::Codex && client.found)
                    .then_some(())
            };
            host.eventually("Codex is found", has_found).await;
        }
        let server = TestHost::id("scripted");
        host.connect(&server).await;
        let report = host.call(&server, "draw", "{}").await;
        let told = report.result.expect("a result").client_images;
        assert_eq!(told.is_some(), is_told, "{told:?}");
        assert!(told.is_none_or(|told| told.contains("Codex") && told.contains("https://")));
    }
}
