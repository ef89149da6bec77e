//! Servers from elsewhere: command lines, documents of the registry, packages.

use serde_json::{Value, json};
use sightglass_config::{
    Candidate, Client, ConfigAction, ConflictChoice, Draft, DraftEndpoint, DraftRemote,
    DraftSignIn, ImportItem, ImportSource, ImportedServer, Target, definition_draft, draft_entry,
    plan_action, read_client,
};
use sightglass_model::RemoteTransport;

use crate::{World, named, read_import};

fn pasted(text: &str) -> Vec<Candidate> {
    let source = ImportSource::Text { text: text.into() };
    read_import(&source).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The one server of a text.
fn one(text: &str) -> Draft {
    let [candidate] = pasted(text).try_into().expect("one server");
    candidate.draft
}

fn complaint(text: &str) -> String {
    let source = ImportSource::Text { text: text.into() };
    read_import(&source)
        .expect_err("it cannot be read")
        .to_string()
}

/// The entry of a draft whose variables are all allowed.
fn entry(draft: &Draft) -> Value {
    let draft = Draft {
        variables: None,
        ..draft.clone()
    };
    draft_entry(&draft).into()
}

#[test]
fn command_lines_of_claude_are_understood() {
    let draft = one(
        "claude mcp add files -s user -e KEY=v -e OTHER=w -- npx -y @scope/server --root '/a b'",
    );
    assert_eq!(draft.name, "files");
    assert_eq!(
        entry(&draft),
        json!({
            "command": "npx", "args": ["-y", "@scope/server", "--root", "/a b"],
            "env": { "KEY": "v", "OTHER": "w" },
        })
    );
    let draft = one(
        "claude mcp add --transport http --client-id abc --callback-port 8123 linear \
         https://mcp.linear.app/mcp --header \"X-Team: core\"",
    );
    assert_eq!(
        draft.endpoint,
        DraftEndpoint::Remote(DraftRemote {
            transport: RemoteTransport::Http,
            url: "https://mcp.linear.app/mcp".into(),
            headers: named(&[("X-Team", "core")]),
            ..DraftRemote::default()
        })
    );
    assert_eq!(
        draft.sign_in,
        Some(DraftSignIn {
            client_id: Some("abc".into()),
            callback_port: Some(8123),
            ..DraftSignIn::default()
        })
    );
    let draft =
        one(r#"claude mcp add-json weather '{"type":"sse","url":"https://w.example/sse"}'"#);
    assert_eq!(draft.name, "weather");
    assert_eq!(
        entry(&draft),
        json!({ "type": "sse", "url": "https://w.example/sse" })
    );
}

#[test]
fn command_lines_of_codex_and_of_editors_are_understood() {
    let draft = one("codex mcp add docs --env A=b -- docs-server --stdio");
    assert_eq!(
        entry(&draft),
        json!({ "command": "docs-server", "args": ["--stdio"], "env": { "A": "b" } })
    );
    let draft =
        one("codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA");
    assert_eq!(
        entry(&draft),
        json!({ "url": "https://mcp.figma.com/mcp", "headers": { "Authorization": "Bearer ${FIGMA}" } })
    );
    let draft = one(
        r#"code --add-mcp '{"name":"play","command":"npx","args":["@playwright/mcp@latest"]}'"#,
    );
    assert_eq!(draft.name, "play");
    assert_eq!(
        entry(&draft),
        json!({ "command": "npx", "args": ["@playwright/mcp@latest"] })
    );
    let draft = one(
        r#"code --add-mcp "{\"name\":\"far\",\"type\":\"http\",\"url\":\"https://f.example\"}""#,
    );
    assert_eq!(
        entry(&draft),
        json!({ "type": "http", "url": "https://f.example" })
    );
}

#[test]
fn a_command_line_of_an_unknown_program_is_taken_with_a_warning() {
    let found = pasted("$ uvxx mcp-server-fetch --verbose");
    let [found] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(found.draft.name, "fetch");
    assert_eq!(
        entry(&found.draft),
        json!({ "command": "uvxx", "args": ["mcp-server-fetch", "--verbose"] })
    );
    assert!(found.notes[0].contains("uvxx"), "{:?}", found.notes);
    assert!(found.is_guessed());
    for sentence in [
        "something else entirely",
        "hello world.",
        "Add mcp-server-fetch to the client",
        "see\nmcp-server-fetch",
    ] {
        assert!(complaint(sentence).contains("No server"), "{sentence}");
    }
    for known in ["uvx mcp-server-fetch", "sh serve.sh"] {
        assert!(!pasted(known)[0].is_guessed(), "{known}");
    }
    assert_eq!(
        entry(&one("sh serve.sh")),
        json!({ "command": "sh", "args": ["serve.sh"] })
    );
}

#[test]
fn a_command_line_that_is_not_understood_says_what_is_wrong() {
    for (line, part) in [
        ("claude mcp add", "no name"),
        ("claude mcp add x", "no command or address"),
        ("claude mcp list", "adds no server"),
        ("claude mcp add x -- 'open", "not closed"),
        (
            "codex mcp add x --frobnicate y",
            "--frobnicate is not known",
        ),
        ("claude mcp add x -e KEY -- y", "NAME=VALUE"),
        ("code --add-mcp", "no --add-mcp with an entry"),
    ] {
        let message = complaint(line);
        assert!(message.contains(part), "{line}: {message}");
    }
}

#[test]
fn a_server_json_offers_each_way_with_what_has_to_be_given() {
    let found = pasted(
        &json!({
            "name": "io.github.ada/weather",
            "description": "Weather of the world",
            "packages": [
                {
                    "registryType": "npm", "identifier": "@ada/weather", "version": "1.2.3",
                    "transport": { "type": "stdio" },
                    "packageArguments": [
                        { "type": "named", "name": "--units", "value": "metric" },
                        { "type": "positional", "valueHint": "city", "isRequired": true },
                    ],
                    "environmentVariables": [
                        { "name": "WEATHER_KEY", "isRequired": true, "isSecret": true, "description": "From your account" },
                        { "name": "LEVEL", "default": "info", "choices": ["info", "debug"] },
                    ],
                },
                { "registryType": "pypi", "identifier": "ada-weather", "version": "0.9", "transport": { "type": "stdio" } },
                { "registryType": "oci", "identifier": "ghcr.io/ada/weather", "version": "2", "transport": { "type": "stdio" } },
            ],
            "remotes": [
                { "type": "streamable-http", "url": "https://{region}.weather.example/mcp",
                  "variables": { "region": { "description": "Where", "default": "eu" } },
                  "headers": [{ "name": "X-Key", "value": "Bearer {token}", "variables": { "token": { "isSecret": true } } }] },
            ],
        })
        .to_string(),
    );
    let entries: Vec<Value> = found.iter().map(|found| entry(&found.draft)).collect();
    assert_eq!(
        entries,
        [
            json!({
                "command": "npx",
                "args": ["-y", "@ada/weather@1.2.3", "--units", "metric", "${CITY}"],
                "env": { "WEATHER_KEY": "${WEATHER_KEY}", "LEVEL": "${LEVEL}" },
            }),
            json!({ "command": "uvx", "args": ["ada-weather==0.9"] }),
            json!({ "command": "docker", "args": ["run", "-i", "--rm", "ghcr.io/ada/weather:2"] }),
            json!({
                "type": "http", "url": "https://${REGION}.weather.example/mcp",
                "headers": { "X-Key": "Bearer ${TOKEN:-}" },
            }),
        ]
    );
    let inputs: Vec<(&str, bool, bool)> = found[0]
        .inputs
        .iter()
        .map(|input| (input.name.as_str(), input.required, input.secret))
        .collect();
    assert_eq!(
        inputs,
        [
            ("CITY", true, false),
            ("WEATHER_KEY", true, true),
            ("LEVEL", false, false)
        ]
    );
    assert_eq!(found[0].inputs[2].choices, ["info", "debug"]);
    assert!(found.iter().all(|found| found.draft.name == "weather"));
}

#[test]
fn packages_and_addresses_become_servers_by_their_usual_runners() {
    let of = |source: ImportSource| {
        let [found] = read_import(&source)
            .expect("understood")
            .try_into()
            .expect("one");
        let Candidate { draft, .. } = found;
        (draft.name.clone(), entry(&draft))
    };
    let npm = |package: &str| {
        of(ImportSource::Npm {
            package: package.into(),
        })
    };
    let pypi = |package: &str| {
        of(ImportSource::Pypi {
            package: package.into(),
        })
    };
    assert_eq!(
        npm("@modelcontextprotocol/server-filesystem@2025.1"),
        (
            "filesystem".into(),
            json!({ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2025.1"] })
        )
    );
    assert_eq!(
        pypi("mcp-server-git==1.0"),
        (
            "git".into(),
            json!({ "command": "uvx", "args": ["mcp-server-git==1.0"] })
        )
    );
    assert_eq!(
        of(ImportSource::Url {
            url: "https://mcp.linear.app/sse".into()
        }),
        (
            "linear".into(),
            json!({ "url": "https://mcp.linear.app/sse" })
        )
    );
    for package in ["", "--x", "a b", "x;rm"] {
        assert!(
            read_import(&ImportSource::Npm {
                package: package.into()
            })
            .is_err()
        );
    }
    assert!(
        read_import(&ImportSource::Url {
            url: "file:///etc".into()
        })
        .is_err()
    );
}

#[test]
fn what_an_import_of_another_clients_servers_leaves_behind_is_in_the_plan() {
    let world = World::new();
    let gemini = world.root().join("home/.gemini/settings.json");
    std::fs::create_dir_all(gemini.parent().expect("a folder")).expect("made");
    let servers = json!({ "mcpServers": {
        "web": { "httpUrl": "https://example.com/mcp", "trust": true },
        "plain": { "command": "plain" },
    } });
    std::fs::write(&gemini, servers.to_string()).expect("written");
    let machine = world.machine();
    let from = Target::new(Client::Gemini, "user");
    let config = read_client(Client::Gemini, &machine);
    let file = config.file("user").expect("a scope");
    let items = ["web", "plain"].map(|name| ImportItem {
        draft: definition_draft(file.definition(name).expect("there")).expect("readable"),
        conflict: ConflictChoice::Refuse,
        source: Some(ImportedServer {
            target: from.clone(),
            name: name.to_owned(),
        }),
        left_out: Vec::new(),
    });
    let action = ConfigAction::Import {
        target: Target::new(Client::McpJson, "user"),
        items: items.into(),
    };
    let plan = plan_action(&action, &machine).expect("it can be done");
    let lost: Vec<(&str, &str)> = plan
        .lost
        .iter()
        .map(|lost| (lost.server.as_str(), lost.field.as_str()))
        .collect();
    assert_eq!(lost, [("web", "trust")]);
    assert_eq!(plan.files.len(), 1, "the file that is read stays as it is");
}

/// Name, entry and the names of what is asked for, secrets marked with `!`.
fn needs_of(text: &str) -> (String, Value, Vec<String>) {
    let [found] = pasted(text).try_into().expect("one server");
    let Candidate { draft, inputs, .. } = found;
    let asked = inputs
        .into_iter()
        .map(|input| format!("{}{}", input.name, if input.secret { "!" } else { "" }))
        .collect();
    (draft.name.clone(), entry(&draft), asked)
}

#[test]
fn a_container_is_named_after_its_image_and_asks_for_what_it_hands_on() {
    assert_eq!(
        needs_of("docker run -i --rm -e GITHUB_TOKEN -e MODE=fast mcp/github"),
        (
            "github".into(),
            json!({
                "command": "docker",
                "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "-e", "MODE=fast", "mcp/github"],
                "env": { "GITHUB_TOKEN": "${GITHUB_TOKEN}" }
            }),
            vec!["GITHUB_TOKEN!".into()]
        )
    );
}

#[test]
fn variables_without_a_value_are_asked_for_once_and_defaults_are_not() {
    let (name, entry, asked) = needs_of(
        r#"{ "command": "npx", "args": ["-y", "acme-mcp", "--team", "${TEAM}", "${HOME}/x"],
             "env": { "API_KEY": "${API_KEY}", "REGION": "${REGION:-eu}", "TEAM": "${TEAM}" } }"#,
    );
    assert_eq!(name, "acme");
    assert_eq!(entry["env"]["REGION"], "${REGION:-eu}");
    assert_eq!(asked, ["TEAM", "API_KEY!"]);
}

#[test]
fn the_inputs_of_an_editor_become_variables_that_are_asked_for() {
    let (_, entry, asked) = needs_of(
        r#"{ "servers": { "gh": { "type": "http", "url": "https://x.example/mcp",
             "headers": { "Authorization": "Bearer ${input:github-token}" } } } }"#,
    );
    assert_eq!(entry["headers"]["Authorization"], "Bearer ${GITHUB_TOKEN}");
    assert_eq!(asked, ["GITHUB_TOKEN!"]);
}

#[test]
fn a_home_directory_is_written_so_that_it_is_found_without_a_shell() {
    let text = "npx -y @modelcontextprotocol/server-filesystem ~/Documents";
    let (_, entry, asked) = needs_of(text);
    assert_eq!(entry["args"][2], "${HOME}/Documents");
    assert_eq!(asked, Vec::<String>::new());
    let found = pasted(text);
    assert!(
        found[0].notes[0].contains("no shell expands it"),
        "{:?}",
        found[0].notes
    );
}
