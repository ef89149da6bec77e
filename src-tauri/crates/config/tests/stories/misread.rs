//! Files that a client does not read as their author thinks.

use serde_json::json;
use sightglass_config::{Client, read_client};

use crate::{World, lines};

/// Returns what is said of a scope's file, as `line:column: message`.
fn said(world: &World, client: Client, scope: &str) -> Vec<String> {
    let config = read_client(client, &world.machine());
    lines(&config.file(scope).expect("the scope").problems())
}

/// Returns what is said of a file with this text.
fn said_of(client: Client, scope: &str, text: &str) -> Vec<String> {
    let world = World::new();
    world.place(client, scope, text);
    said(&world, client, scope)
}

#[test]
fn a_field_that_is_misspelt_is_told_with_the_one_that_is_meant() {
    for (name, message) in [
        (
            "httpUrl ",
            "1:33: Gemini CLI does not know the field \"httpUrl \", which begins or ends with a space. Did \
             you mean httpUrl?",
        ),
        (
            "http_url",
            "1:33: Gemini CLI does not know the field \"http_url\". Did you mean httpUrl?",
        ),
    ] {
        let text =
            format!(r#"{{ "mcpServers": {{ "context7": {{ "{name}": "https://a.example" }} }} }}"#);
        let found = said_of(Client::Gemini, "user", &text);
        assert!(found.iter().any(|line| line == message), "{found:?}");
    }
    // A field that is there is not meant by another, and what is far from all is nobody's.
    let text = r#"{"mcpServers":{"a":{"command":"x","Command":"y","x-note":"z"}}}"#;
    assert_eq!(said_of(Client::Gemini, "user", text), Vec::<String>::new());
}

#[test]
fn a_misspelt_field_is_not_told_once_more_as_an_unknown_one() {
    let world = World::new();
    let text = r#"{"mcpServers":{"a":{"command":"x","Args":[],"x-note":"z"}}}"#;
    world.place(Client::Gemini, "user", text);
    let config = read_client(Client::Gemini, &world.machine());
    let definition = config.file("user").expect("the scope").definition("a");
    let definition = definition.expect("listed");
    let told: Vec<_> = definition.problems().map(|found| &found.message).collect();
    assert_eq!(
        told,
        ["Gemini CLI does not know the field \"Args\". Did you mean args?"]
    );
    assert_eq!(definition.untold_fields(), ["x-note"]);
    assert_eq!(definition.unknown_fields, ["Args", "x-note"]);
}

/// A file of a project may be anybody's, and is read when its folder is opened.
#[test]
fn a_file_of_many_unknown_fields_is_read_in_time_that_grows_with_their_number() {
    // As many as an entry may hold.
    let fields: String = (0..9_990).map(|at| format!(r#""x-{at}":1,"#)).collect();
    let entry = |before: &str, behind: &str| {
        format!(r#"{{"mcpServers":{{"a":{{"command":"x",{before}{fields}{behind}"y":1}}}}}}"#)
    };
    let misspelt = r#""argss":[],"#;
    let found = said_of(Client::Gemini, "user", &entry(misspelt, ""));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("Did you mean args?"), "{found:?}");
    // The first of them alone are compared.
    let found = said_of(Client::Gemini, "user", &entry("", misspelt));
    assert_eq!(found, Vec::<String>::new());
    // Of two of one name the last one counts, and it is told once.
    let found = said_of(
        Client::Gemini,
        "user",
        r#"{"mcpServers":{"a":{"command":"x","Args":[],"Args":[]}}}"#,
    );
    let told = found.iter().filter(|line| line.contains("Did you mean"));
    assert_eq!(told.count(), 1, "{found:?}");

    let inputs: Vec<_> = (0..1000)
        .map(|at| json!({ "id": format!("i{at}") }))
        .collect();
    let references = "${input:i999}".repeat(20_000);
    let text = json!({
        "inputs": inputs,
        "servers": { "a": { "command": "x", "args": [references, "${input:none}"] } },
    });
    let world = World::new();
    world.place(Client::Vscode, "user", &text.to_string());
    let config = read_client(Client::Vscode, &world.machine());
    let file = config.file("user").expect("the scope");
    let refused = &file.definition("a").expect("listed").refused;
    assert!(
        refused[0]
            .message
            .contains("${input:none} is not under inputs")
    );
}

#[test]
fn a_field_within_the_environment_is_told_to_stand_beside_it() {
    let text = "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nenv_vars = [ \"KEY\" ]\n";
    assert_eq!(
        said_of(Client::Codex, "user", text),
        [
            "4:12: env.env_vars has to be a string, but is an array.",
            "4:12: env_vars is a field of its own in Codex. Write it beside env, not in it.",
        ]
    );
    let text = "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nKEYS = [ \"KEY\" ]\n";
    assert_eq!(
        said_of(Client::Codex, "user", text),
        ["4:8: env.KEYS has to be a string, but is an array."]
    );
    // A variable may have any name.
    let text = "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nscopes = \"KEY\"\n";
    assert_eq!(said_of(Client::Codex, "user", text), Vec::<String>::new());
}

#[test]
fn a_variable_in_the_form_of_another_client_is_told_with_the_client_s_own_form() {
    let text = r#"{"mcpServers":{"a":{"command":"x","env":{"A":"${env:TOKEN}","B":"${TOKEN}"}}}}"#;
    assert_eq!(
        said_of(Client::ClaudeCode, "project", text),
        [
            "1:46: ${env:TOKEN} in env.A is a variable in the form of other clients, not in that of \
             Claude Code. Write ${TOKEN}."
        ]
    );
    let text = r#"{"mcpServers":{"a":{"command":"x","env":{"A":"${env:TOKEN}"}}}}"#;
    assert_eq!(said_of(Client::Cursor, "user", text), Vec::<String>::new());
}

#[test]
fn a_path_whose_backslashes_are_escapes_is_told() {
    let text =
        r#"{"mcpServers":{"a":{"command":"C:\nvm4w\nodejs\node.exe","args":["C:\\tools\\a.js"]}}}"#;
    let found = said_of(Client::ClaudeDesktop, "user", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("1:31: command seems to be a Windows path"),
        "{found:?}"
    );
    // The same in TOML; in single quotes a backslash is one.
    let toml =
        |quote: char| format!("[mcp_servers.a]\ncommand = {quote}C:\\tools\\new.exe{quote}\n");
    assert_eq!(said_of(Client::Codex, "user", &toml('"')).len(), 1);
    assert_eq!(
        said_of(Client::Codex, "user", &toml('\'')),
        Vec::<String>::new()
    );
}

#[test]
fn a_name_that_toml_wants_in_quotation_marks_is_told_to_get_them() {
    let text = "[mcp_servers.npm:@scope/server]\ncommand = \"npx\"\n";
    let found = said_of(Client::Codex, "user", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("1:17: Invalid unquoted key"),
        "{found:?}"
    );
    assert!(found[0].contains("quotation marks"), "{found:?}");
    let other = said_of(Client::Codex, "user", "[mcp_servers.a\ncommand = \"npx\"\n");
    assert!(!other[0].contains("quotation marks"), "{other:?}");
}

#[test]
fn servers_under_the_key_of_another_client_are_told_with_the_right_one() {
    for (client, scope, text, message) in [
        (
            Client::Vscode,
            "workspace",
            r#"{"mcpServers":{"a":{"command":"x"}}}"#,
            "1:15: VS Code reads the servers of this file under servers, not under mcpServers. Rename \
             mcpServers to servers.",
        ),
        (
            Client::Vscode,
            "workspace",
            r#"{"mcp":{"servers":{"a":{"type":"http","url":"https://a.example"}}}}"#,
            "1:19: VS Code reads the servers of this file under servers, not under mcp.servers. Move them \
             to servers at the top level.",
        ),
        (
            Client::Vscode,
            "workspace",
            r#"{"servers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}}"#,
            "1:47: VS Code reads the servers of this file under servers, not under mcpServers. Move them \
             to servers at the top level.",
        ),
        (
            Client::Windsurf,
            "user",
            r#"{"context_servers":{"a":{"command":"x"}}}"#,
            "1:20: Windsurf reads the servers of this file under mcpServers, not under context_servers. \
             Rename context_servers to mcpServers.",
        ),
    ] {
        assert_eq!(said_of(client, scope, text), [message], "{text}");
    }
    let codex = "[mcp.servers.\"a\"]\ncommand = \"/opt/a\"\nenv.HOST = \"x\"\n";
    let found = said_of(Client::Codex, "user", codex);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].ends_with(
            "Codex reads the servers of this file under mcp_servers, not under mcp.servers. Move them to \
             mcp_servers at the top level."
        ),
        "{found:?}"
    );
}

#[test]
fn what_another_client_reads_of_the_same_file_is_no_mistake() {
    for (client, scope, text) in [
        // The same servers for two clients.
        (
            Client::Vscode,
            "workspace",
            r#"{"servers":{"a":{"command":"x"}},"mcpServers":{"a":{"command":"x"}}}"#,
        ),
        // Settings that are no servers.
        (
            Client::Gemini,
            "user",
            r#"{"mcp":{"allowed":["a"]},"servers":{"web":{"port":80}},"mcpServers":{"a":{"command":"x"}}}"#,
        ),
        (Client::Opencode, "user", r#"{"mcp":{"servers":{}}}"#),
        (Client::Vscode, "workspace", r#"{"inputs":[],"servers":{}}"#),
        (
            Client::ClaudeCode,
            "user",
            r#"{"statusLine":{"type":"command","command":"x"},"numStartups":3}"#,
        ),
        (Client::ClaudeCode, "project", "{}"),
    ] {
        assert_eq!(said_of(client, scope, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn servers_beside_the_key_are_told_to_move_under_it() {
    let text = r#"{"devtools":{"command":"npx","args":["devtools"]}}"#;
    assert_eq!(
        said_of(Client::ClaudeCode, "project", text),
        [
            "1:2: devtools looks like a server, but stands at the top level of the file. Servers are \
             read under mcpServers: move it there."
        ]
    );
    // A brace that closed too early.
    let text = r#"{"mcpServers":{"a":{"command":"x"}},"b":{"command":"y","args":[]}}"#;
    let found = said_of(Client::Windsurf, "user", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("1:37: b looks like a server"),
        "{found:?}"
    );
}

#[test]
fn servers_in_settings_that_no_longer_count_are_told_with_their_file() {
    let world = World::new();
    let user = world.place(Client::Vscode, "user", r#"{"servers":{}}"#);
    let settings = user.with_file_name("settings.json");
    let text = "{\n  // mine\n  \"mcp\": { \"servers\": { \"a\": { \"command\": \"x\" } } },\n}";
    std::fs::write(&settings, text).expect("written");
    assert_eq!(
        said(&world, Client::Vscode, "user"),
        [
            "3:23: ~/.config/Code/User/settings.json has servers under mcp.servers (line 3), where VS \
             Code no longer wants them. Move them into mcp.json, under servers."
        ]
    );
    let config = read_client(Client::Vscode, &world.machine());
    let warning = &config.file("user").expect("the scope").warnings[0];
    assert_eq!(warning.file.as_deref(), settings.to_str());
    // Also where there is nothing else.
    std::fs::remove_file(&user).expect("removed");
    assert_eq!(said(&world, Client::Vscode, "user").len(), 1);
    std::fs::write(&settings, r#"{"mcp":{"servers":{}}}"#).expect("written");
    assert_eq!(said(&world, Client::Vscode, "user"), Vec::<String>::new());
}

#[test]
fn servers_in_the_settings_of_claude_code_are_told_with_where_they_belong() {
    let world = World::new();
    let text = r#"{"mcpServers":{"a":{"command":"x"}}}"#;
    for (directory, scope, advice) in [
        (world.places().home, "user", "claude mcp add"),
        (
            world.places().project,
            "project",
            "Move them into .mcp.json.",
        ),
    ] {
        let settings = directory.join(".claude/settings.json");
        std::fs::create_dir_all(settings.parent().expect("a directory")).expect("made");
        std::fs::write(&settings, r#"{"permissions":{"allow":[]}}"#).expect("written");
        assert_eq!(
            said(&world, Client::ClaudeCode, scope),
            Vec::<String>::new()
        );
        std::fs::write(&settings, text).expect("written");
        let found = said(&world, Client::ClaudeCode, scope);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains(".claude/settings.json has servers under mcpServers"),
            "{found:?}"
        );
        assert!(found[0].contains(advice), "{found:?}");
    }
}

#[test]
fn a_form_of_the_text_that_a_client_refuses_is_told_for_that_client_alone() {
    let marked = "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}";
    assert_eq!(
        said_of(Client::ClaudeDesktop, "user", marked),
        [
            "1:1: The file begins with a byte order mark. Claude Desktop refuses such a file, and may \
             write it anew without its servers. Save it as UTF-8 without the mark."
        ]
    );
    assert_eq!(
        said_of(Client::Windsurf, "user", marked),
        Vec::<String>::new()
    );
    assert_eq!(
        said_of(
            Client::ClaudeDesktop,
            "user",
            marked.trim_start_matches('\u{feff}')
        ),
        Vec::<String>::new()
    );
    let comma = "{\"mcpServers\":{\"a\":{\"command\":\"x\",}}}";
    assert_eq!(
        said_of(Client::Cursor, "user", comma),
        [
            "1:34: A comma after the last entry, which JSON does not have: Cursor was seen to refuse \
             such a file. Remove the comma."
        ]
    );
    // It takes comments out, and nothing else.
    assert_eq!(
        said_of(Client::Gemini, "user", comma),
        [
            "1:34: A comma after the last entry, which JSON does not have: Gemini CLI was seen to refuse \
             such a file. Remove the comma."
        ]
    );
    assert_eq!(said_of(Client::Gemini, "user", marked).len(), 1);
    for text in [comma, marked, "// mine\n{\"mcpServers\":{}}"] {
        assert_eq!(
            said_of(Client::CopilotCli, "user", text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}
