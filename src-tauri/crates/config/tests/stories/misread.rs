//! Files that a client does not read as their author thinks.

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
