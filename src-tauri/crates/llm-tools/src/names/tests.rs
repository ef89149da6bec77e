use super::{
    CandidateBasis, ItemKind, NameWarningKind, NamedResource, NamedServer, NamingScheme,
    qualified_names, resolve,
};

fn server(name: &str, tools: &[&str]) -> NamedServer {
    NamedServer {
        name: name.to_owned(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..NamedServer::default()
    }
}

fn names(scheme: NamingScheme, servers: &[NamedServer]) -> Vec<String> {
    qualified_names(scheme, servers)
        .into_iter()
        .map(|name| name.name)
        .collect()
}

fn kinds(scheme: NamingScheme, servers: &[NamedServer]) -> Vec<Vec<NameWarningKind>> {
    qualified_names(scheme, servers)
        .into_iter()
        .map(|name| name.warnings.into_iter().map(|one| one.kind).collect())
        .collect()
}

/// A claim about the name of one tool: scheme, server, tool, name.
const CLAIMS: [(NamingScheme, &str, &str, &str); 25] = [
    // https://code.claude.com/docs/en/mcp: mcp__SERVER__TOOL.
    (
        NamingScheme::ClaudeCode,
        "github",
        "list_issues",
        "mcp__github__list_issues",
    ),
    // Observed in Claude Code 2.1.197 (`Gl`): other characters become `_`.
    (
        NamingScheme::ClaudeCode,
        "my server",
        "a.b/c",
        "mcp__my_server__a_b_c",
    ),
    (
        NamingScheme::ClaudeCode,
        "my-server",
        "a-b",
        "mcp__my-server__a-b",
    ),
    // A regular expression without `u` replaces each UTF-16 unit.
    (NamingScheme::ClaudeCode, "s", "😀é", "mcp__s_____"),
    // Observed in 2.1.50 and 2.1.197: connectors of claude.ai have no runs of `_`.
    (
        NamingScheme::ClaudeCode,
        "claude.ai My  Docs!",
        "find",
        "mcp__claude_ai_My_Docs__find",
    ),
    (
        NamingScheme::ClaudeCode,
        "My  Docs!",
        "find",
        "mcp__My__Docs___find",
    ),
    // Not verified, by the map of features.
    (
        NamingScheme::Chimera,
        "GitHub",
        "listIssues",
        "mcp__github__listissues",
    ),
    (
        NamingScheme::Chimera,
        "My.Server",
        "a b",
        "mcp__my_server__a_b",
    ),
    // codex-rs/codex-mcp/src/tools.rs: `callable_namespace_with_prefix`.
    (
        NamingScheme::Codex,
        "github",
        "list_issues",
        "mcp__github__list_issues",
    ),
    // `sanitize_responses_api_tool_name`: the hyphen is replaced too.
    (
        NamingScheme::Codex,
        "my-server",
        "get-x",
        "mcp__my_server__get_x",
    ),
    (NamingScheme::Codex, "s", "é", "mcp__s___"),
    // An empty name is `_`.
    (NamingScheme::Codex, "s", "", "mcp__s___"),
    // A name that has the prefix keeps it.
    (NamingScheme::Codex, "mcp__s", "t", "mcp__s__t"),
    // packages/opencode/src/mcp/index.ts: `sanitize(client) + "_" + sanitize(tool)`.
    (
        NamingScheme::Opencode,
        "github",
        "list_issues",
        "github_list_issues",
    ),
    // catalog.ts: `[^a-zA-Z0-9_-]` becomes `_`; the hyphen stays.
    (
        NamingScheme::Opencode,
        "my-server",
        "a.b c",
        "my-server_a_b_c",
    ),
    // crates/caliban-mcp-client/src/tool.rs: the server is not changed, the tool is.
    (
        NamingScheme::Caliban,
        "my.server",
        "a.b",
        "mcp__my.server__a_b",
    ),
    (NamingScheme::Caliban, "s", "", "mcp__s___"),
    (NamingScheme::Caliban, "s", "😀", "mcp__s___"),
    // packages/core/src/tools/mcp-tool.ts: `generateValidName`.
    (
        NamingScheme::GeminiCli,
        "github",
        "list_issues",
        "mcp_github_list_issues",
    ),
    (
        NamingScheme::GeminiCli,
        "my server",
        "a.b:c",
        "mcp_my_server_a.b:c",
    ),
    // A server that begins with the prefix gets no second one.
    (NamingScheme::GeminiCli, "mcp_s", "t", "mcp_s_t"),
    // mcpServer.ts: `McpPrefixGenerator` and `McpTool`.
    (
        NamingScheme::Vscode,
        "GitHub",
        "list_issues",
        "mcp_github_list_issues",
    ),
    (
        NamingScheme::Vscode,
        "io.github.upstash/context7",
        "find",
        "mcp_io_github_ups_find",
    ),
    // Runs of other characters are one `_`.
    (NamingScheme::Vscode, "my  server", "t", "mcp_my_server_t"),
    // `toolInvalidCharRe`.
    (NamingScheme::Vscode, "s", "a.b/c", "mcp_s_a_b_c"),
];

#[test]
fn each_client_names_a_tool_by_its_rule() {
    for (scheme, server_name, tool, name) in CLAIMS {
        assert_eq!(
            names(scheme, &[server(server_name, &[tool])]),
            [name],
            "{} {server_name} {tool}",
            scheme.id()
        );
    }
}

#[test]
fn each_scheme_has_an_identifier_of_its_own_and_a_source() {
    let ids: std::collections::HashSet<_> =
        NamingScheme::ALL.iter().map(|scheme| scheme.id()).collect();
    assert_eq!(ids.len(), NamingScheme::ALL.len());
    assert!(
        NamingScheme::ALL
            .iter()
            .all(|scheme| !scheme.source().is_empty())
    );
}

fn with_prompt_and_resource() -> NamedServer {
    NamedServer {
        prompts: vec!["Ask me now".to_owned()],
        resources: vec![NamedResource {
            name: "The log".to_owned(),
            uri: "file:///log.txt".to_owned(),
        }],
        ..server("my server", &[])
    }
}

#[test]
fn prompts_and_resources_have_names_where_the_client_gives_them() {
    for (scheme, expected) in [
        (
            NamingScheme::ClaudeCode,
            vec!["/mcp__my_server__Ask me now", "@my server:file:///log.txt"],
        ),
        (NamingScheme::Codex, vec![]),
        (
            NamingScheme::Opencode,
            vec!["/my_server:Ask_me_now", "my_server:The_log"],
        ),
        (NamingScheme::Caliban, vec!["@my server:file:///log.txt"]),
        (
            NamingScheme::GeminiCli,
            vec!["/Ask-me-now", "@my server:file:///log.txt"],
        ),
        (NamingScheme::Vscode, vec!["/mcp.my_server.Ask_me_now"]),
    ] {
        let names = names(scheme, &[with_prompt_and_resource()]);
        assert_eq!(names, expected, "{}", scheme.id());
    }
}

#[test]
fn servers_that_chimera_writes_alike_collide() {
    let servers = [server("My.Server", &["t"]), server("my_server", &["t"])];
    let kinds = kinds(NamingScheme::Chimera, &servers);
    assert!(
        kinds
            .iter()
            .all(|kinds| kinds.contains(&NameWarningKind::Collision)),
        "{kinds:?}"
    );
}

#[test]
fn codex_gives_servers_that_collide_a_hash_each() {
    let servers = [server("my-server", &["t"]), server("my.server", &["t"])];
    assert_eq!(
        names(NamingScheme::Codex, &servers),
        [
            "mcp__my_server_497a8b629ad2__t",
            "mcp__my_server_84cd56981196__t"
        ]
    );
    assert!(
        kinds(NamingScheme::Codex, &servers)
            .iter()
            .all(|kinds| kinds.contains(&NameWarningKind::Hashed))
    );
}

#[test]
fn codex_gives_tools_that_collide_a_hash_each() {
    let servers = [server("s", &["get-x", "get.x", "other"])];
    assert_eq!(
        names(NamingScheme::Codex, &servers),
        [
            "mcp__s__get_x_d62888271b25",
            "mcp__s__get_x_c4719f54da58",
            "mcp__s__other"
        ]
    );
}

#[test]
fn codex_ends_a_long_name_with_a_hash() {
    // As observed in Codex 0.169.0.
    let longest = "t".repeat(120);
    assert_eq!(
        names(NamingScheme::Codex, &[server("s", &[&longest])]),
        [format!("mcp__s__{longest}")]
    );
    let servers = [server("s", &[&"t".repeat(200)])];
    let names = names(NamingScheme::Codex, &servers);
    assert_eq!(
        names,
        [format!("mcp__s__{}_5d9d900c5a30", "t".repeat(128 - 8 - 13))]
    );
    assert!(names.iter().all(|name| name.len() == 128));
    assert_eq!(
        kinds(NamingScheme::Codex, &servers),
        [[NameWarningKind::Truncated]]
    );
}

#[test]
fn codex_shortens_a_server_that_leaves_no_room() {
    let names = names(NamingScheme::Codex, &[server(&"s".repeat(140), &["t"])]);
    assert!(names.iter().all(|name| name.len() == 128), "{names:?}");
}

#[test]
fn codex_leaves_out_a_tool_that_is_listed_twice() {
    let servers = [server("s", &["t", "t"])];
    assert_eq!(names(NamingScheme::Codex, &servers), ["mcp__s__t"]);
}

#[test]
fn gemini_cli_keeps_the_ends_of_a_long_name() {
    let tool = format!("{}{}", "a".repeat(40), "b".repeat(40));
    let servers = [server("s", &[&tool])];
    assert_eq!(
        names(NamingScheme::GeminiCli, &servers),
        [format!("mcp_s_{}...{}", "a".repeat(24), "b".repeat(30))]
    );
    assert_eq!(
        kinds(NamingScheme::GeminiCli, &servers),
        [[NameWarningKind::Truncated]]
    );
}

#[test]
fn vscode_numbers_servers_with_the_same_prefix_and_cuts_names() {
    let servers = [server("foo", &["t"]), server("FOO", &["t"])];
    assert_eq!(
        names(NamingScheme::Vscode, &servers),
        ["mcp_foo_t", "mcp_foo2_t"]
    );
    let long = names(NamingScheme::Vscode, &[server("s", &[&"t".repeat(80)])]);
    assert!(long.iter().all(|name| name.len() == 64));
}

#[test]
fn vscode_takes_the_name_that_a_server_gives_of_itself() {
    let named = NamedServer {
        own_name: Some("Playwright".to_owned()),
        ..server("pw", &["click"])
    };
    assert_eq!(
        names(NamingScheme::Vscode, &[named]),
        ["mcp_playwright_click"]
    );
}

#[test]
fn two_items_with_one_name_are_a_collision() {
    let servers = [server("s", &["a.b", "a/b", "c"])];
    assert_eq!(
        kinds(NamingScheme::ClaudeCode, &servers),
        [
            vec![NameWarningKind::Replaced, NameWarningKind::Collision],
            vec![NameWarningKind::Replaced, NameWarningKind::Collision],
            vec![]
        ]
    );
    // `a_b` of the one server and `b` of the other.
    let servers = [server("x", &["a_b"]), server("x_a", &["b"])];
    assert!(
        kinds(NamingScheme::Opencode, &servers)
            .iter()
            .all(|kinds| *kinds == [NameWarningKind::Collision])
    );
}

#[test]
fn names_that_the_interface_refuses_are_told_before_they_are_sent() {
    for (length, kinds_expected) in [
        (64, vec![]),
        (65, vec![NameWarningKind::TooLong]),
        (129, vec![NameWarningKind::TooLong]),
    ] {
        let tool = "t".repeat(length - "mcp__s__".len());
        assert_eq!(
            kinds(NamingScheme::ClaudeCode, &[server("s", &[&tool])]),
            [kinds_expected]
        );
    }
    assert_eq!(
        kinds(NamingScheme::Caliban, &[server("my.server", &["t"])]),
        [[NameWarningKind::Refused]]
    );
}

#[test]
fn a_name_out_of_a_log_is_found_among_what_servers_list() {
    let servers = [server("my-server", &["get-x", "get.y"])];
    for (scheme, name, item) in [
        (NamingScheme::ClaudeCode, "mcp__my-server__get_y", "get.y"),
        (NamingScheme::Codex, "mcp__my_server__get_x", "get-x"),
        (NamingScheme::Opencode, "my-server_get-x", "get-x"),
        (NamingScheme::Caliban, "mcp__my-server__get_y", "get.y"),
        (NamingScheme::GeminiCli, "mcp_my-server_get.y", "get.y"),
        (NamingScheme::Vscode, "mcp_my-server_get-x", "get-x"),
    ] {
        let candidates = resolve(scheme, &servers, name);
        assert_eq!(candidates.len(), 1, "{name}: {candidates:?}");
        let found = candidates.first().expect("one");
        assert_eq!(
            (found.server.as_str(), found.item.as_str(), found.basis),
            ("my-server", item, CandidateBasis::Listed),
            "{name}"
        );
    }
}

#[test]
fn a_name_that_no_server_lists_is_taken_apart() {
    let servers = [server("my.server", &[])];
    let found = resolve(NamingScheme::ClaudeCode, &servers, "mcp__my_server__gone");
    assert_eq!(found.len(), 1);
    assert!(
        found
            .iter()
            .all(|one| one.server == "my.server" && one.basis == CandidateBasis::KnownServer)
    );
    let parts = |scheme, name| -> Vec<(String, String)> {
        resolve(scheme, &[], name)
            .into_iter()
            .map(|one| (one.server, one.item))
            .collect()
    };
    let pair = |server: &str, item: &str| (server.to_owned(), item.to_owned());
    assert_eq!(
        parts(NamingScheme::ClaudeCode, "mcp__a__b__c"),
        [pair("a", "b__c"), pair("a__b", "c")]
    );
    assert_eq!(
        parts(NamingScheme::Opencode, "a_b_c"),
        [pair("a", "b_c"), pair("a_b", "c")]
    );
    assert_eq!(
        parts(NamingScheme::ClaudeCode, "@fs:file:///x").first(),
        Some(&pair("fs", "file:///x"))
    );
    assert_eq!(parts(NamingScheme::ClaudeCode, "Bash"), []);
    assert_eq!(parts(NamingScheme::ClaudeCode, "mcp__"), []);
}

#[test]
fn each_name_that_is_computed_leads_back() {
    let servers = [
        server("a", &["b__c", "d", "é"]),
        server("a__b", &["c"]),
        with_prompt_and_resource(),
        server("my.server", &["x"]),
    ];
    for scheme in NamingScheme::ALL {
        for name in qualified_names(scheme, &servers) {
            let found = resolve(scheme, &servers, &name.name);
            assert!(
                found.iter().any(|one| one.server == name.server
                    && one.item == name.item
                    && one.kind == name.kind
                    && one.basis == CandidateBasis::Listed),
                "{} {name:?}: {found:?}",
                scheme.id()
            );
        }
    }
    let prompts = qualified_names(NamingScheme::ClaudeCode, &servers)
        .into_iter()
        .filter(|name| name.kind == ItemKind::Prompt);
    assert_eq!(prompts.count(), 1);
}
