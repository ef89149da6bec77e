use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use sightglass_config::{Client, LaunchPlan, ProblemKind, ResolveOptions, Scope};
use sightglass_model::{
    Endpoint, EraChoice, Phase, ReferenceSource, RemoteEndpoint, RemoteTransport, ServerSpec, Trust,
};

use crate::{World, lines, only, read_client};

fn environment(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some("hunter2".into()),
        "HOST" => Some("example.org".into()),
        "NEW_LINE" => Some("a\nb".into()),
        "EMPTY" => Some(String::new()),
        _ => None,
    }
}

fn resolved(entry: &str) -> (Result<ServerSpec, Vec<sightglass_config::Problem>>, PathBuf) {
    let world = World::new();
    world.put(
        Scope::Project,
        format!("{{\"mcpServers\": {{\n\"s\": {entry}}}}}"),
    );
    let project = world.places().project;
    let config = world.load();
    let options = ResolveOptions {
        environment: &environment,
        project: &project,
        reads_files: true,
    };
    (LaunchPlan::of(only(&config).1).resolve(options), project)
}

#[test]
fn every_reference_tells_where_its_value_came_from() {
    let world = World::new();
    let state = r#"{"mcpServers": {
        "program": {"command": "${CLAUDE_PROJECT_DIR}/x", "args": ["${HOST}", "${NONE:-a}"]},
        "helped": {"type": "http", "url": "https://a.test",
                   "headersHelper": "sh ${CLAUDE_PROJECT_DIR}/${TOKEN:-b}"}
    }}"#;
    world.place(Client::ClaudeCode, "user", state);
    let project = world.places().project;
    let config = read_client(Client::ClaudeCode, &world.machine());
    let spec = |name: &str| {
        let server = config.server(name).expect("it is defined");
        let options = ResolveOptions {
            environment: &environment,
            project: &project,
            reads_files: true,
        };
        let plan = LaunchPlan::of(config.definitions(server)[0].1);
        plan.resolve(options).expect("everything is set")
    };
    let sources = |spec: &ServerSpec| -> Vec<(String, String, ReferenceSource)> {
        let references = spec.references.iter();
        references
            .map(|one| (one.field.clone(), one.name.clone(), one.source.clone()))
            .collect()
    };
    let of = |field: &str, name: &str, source| (field.to_owned(), name.to_owned(), source);
    assert_eq!(
        sources(&spec("program")),
        [
            of("command", "CLAUDE_PROJECT_DIR", ReferenceSource::Project),
            of("args[0]", "HOST", ReferenceSource::Environment),
        ]
    );
    let helped = spec("helped");
    assert_eq!(
        sources(&helped),
        [
            of(
                "headersHelper",
                "CLAUDE_PROJECT_DIR",
                ReferenceSource::Project
            ),
            of("headersHelper", "TOKEN", ReferenceSource::Environment),
        ]
    );
    let Endpoint::Remote(remote) = helped.endpoint else {
        panic!("it is reached over HTTP");
    };
    // The shell puts the values in.
    let helper = remote.headers_helper.expect("it has one");
    assert!(!helper.command.contains("hunter2"), "{}", helper.command);
    let values: Vec<&str> = helper
        .variables
        .values()
        .map(|value| value.expose().as_str())
        .collect();
    let project = project.display().to_string();
    assert_eq!(values, [project.as_str(), "hunter2"]);
}

#[test]
fn every_text_of_a_program_is_expanded() {
    let (spec, project) = resolved(
        r#"{"command": "${SHELL:-sh}", "args": ["-c", "ping ${HOST}", "$HOME"],
            "env": {"TOKEN": "${TOKEN}", "MODE": "${MODE:-fast}"}, "cwd": "sub/${HOST}",
            "era": "legacy", "tool_timeout": 1.5, "startup_timeout": 20,
            "phase_timeouts": {"initializing": 2, "listing_tools": 0.25}}"#,
    );
    let spec = spec.expect("everything is set");
    assert_eq!(spec.name, "s");
    assert_eq!(spec.era, EraChoice::Legacy);
    assert_eq!(
        spec.endpoint,
        Endpoint::Stdio {
            command: "sh".into(),
            arguments: vec!["-c".into(), "ping example.org".into(), "$HOME".into()],
            environment: BTreeMap::from([
                ("TOKEN".into(), "hunter2".to_owned().into()),
                ("MODE".into(), "fast".to_owned().into()),
            ]),
            working_directory: Some(project.join("sub/example.org")),
        }
    );
    assert_eq!(spec.limits.tool, Some(Duration::from_millis(1500)));
    assert_eq!(spec.limits.startup, Some(Duration::from_secs(20)));
    assert_eq!(
        spec.limits.for_phase(Phase::ListingTools),
        Some(Duration::from_millis(250))
    );
    assert!(!format!("{spec:?}").contains("hunter2"));
}

#[test]
fn a_program_names_its_directory_or_leaves_it_to_whoever_starts_it() {
    for (cwd, expected) in [(r#""#, None), (r#", "cwd": "/opt""#, Some("/opt"))] {
        let (spec, _) = resolved(&format!("{{\"command\": \"x\"{cwd}}}"));
        let Endpoint::Stdio {
            working_directory, ..
        } = spec.expect("it is fine").endpoint
        else {
            panic!("a command is a program");
        };
        assert_eq!(working_directory, expected.map(PathBuf::from));
    }
}

#[test]
fn address_and_headers_are_expanded() {
    let (spec, _) = resolved(
        r#"{"url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}"#,
    );
    assert_eq!(
        spec.expect("everything is set").endpoint,
        Endpoint::Remote(RemoteEndpoint {
            headers: BTreeMap::from([("Authorization".into(), "Bearer hunter2".to_owned().into())]),
            ..RemoteEndpoint::at("https://example.org/mcp")
        })
    );
}

#[test]
fn what_a_server_is_trusted_by_is_expanded_and_found_from_the_project() {
    let fingerprint = "ab".repeat(32);
    let (spec, _) = resolved(&format!(
        r#"{{"type": "sse", "url": "https://y", "ca_file": "${{HOST}}.pem", "tls_fingerprint": "{fingerprint}"}}"#
    ));
    let endpoint = spec.expect("everything is set").endpoint;
    let Endpoint::Remote(remote) = endpoint else {
        panic!("it is a remote server");
    };
    assert_eq!(remote.transport, RemoteTransport::Sse);
    let Trust {
        ca_file,
        fingerprint: pinned,
        ..
    } = remote.trust;
    let ca_file = ca_file.expect("there is one");
    assert!(
        ca_file.ends_with("example.org.pem") && ca_file.is_absolute(),
        "{ca_file:?}"
    );
    assert_eq!(pinned, fingerprint.parse().ok());
}

#[test]
fn an_address_has_to_fit_its_transport() {
    for (entry, wanted) in [
        (
            r#"{"type": "http", "url": "ws://y"}"#,
            "http://, https:// or unix://, not ws:",
        ),
        (
            r#"{"type": "ws", "url": "https://y"}"#,
            "ws:// or wss://, not https:",
        ),
        (
            r#"{"type": "sse", "url": "unix:///y"}"#,
            "http:// or https://, not unix:",
        ),
        (r#"{"url": "ftp://y"}"#, "wss:// or unix://, not ftp:"),
    ] {
        let (spec, _) = resolved(entry);
        let problems = lines(&spec.expect_err(entry));
        assert!(problems[0].contains(wanted), "{problems:?}");
    }
}

#[test]
fn all_unset_variables_are_named_with_their_fields_and_places() {
    let (spec, _) = resolved(
        "{\"command\": \"${A}\",\n \"args\": [\"x\", \"${B}\"],\n \"env\": {\"K\": \"${C:-${D}}\"}}",
    );
    let problems = spec.expect_err("nothing is set");
    assert!(
        problems
            .iter()
            .all(|problem| problem.kind == ProblemKind::UnsetVariable)
    );
    assert_eq!(
        lines(&problems),
        [
            "2:18: command needs the variable A, which is not set. Set it, or write ${A:-default}.",
            "3:16: args[1] needs the variable B, which is not set. Set it, or write ${B:-default}.",
            "4:15: env.K needs the variable D, which is not set. Set it, or write ${D:-default}.",
        ]
    );
}

#[test]
fn what_the_variables_lead_to_is_checked_without_repeating_it() {
    for (entry, problem) in [
        (
            r#"{"command": "${EMPTY}"}"#,
            "2:18: command is empty once its variables are put in.",
        ),
        (
            r#"{"url": "${HOST}/mcp"}"#,
            "2:14: url has to begin with http://, https://, ws://, wss:// or unix://.",
        ),
        (
            r#"{"url": "ftp://${TOKEN}"}"#,
            "2:14: url has to begin with http://, https://, ws://, wss:// or unix://, not ftp:.",
        ),
        (
            r#"{"url": "https://x", "headers": {"A": "${NEW_LINE}"}}"#,
            "2:44: headers.A holds a line break or another control character.",
        ),
        (
            r#"{"command": "${input:token}"}"#,
            "2:18: command holds ${input:token}, which does not name an environment variable.",
        ),
        (
            r#"{"command": "${HOST"}"#,
            "2:18: command holds a ${ that is not closed with }.",
        ),
    ] {
        let problems = resolved(entry).0.expect_err("it cannot be used");
        assert_eq!(lines(&problems), [problem], "{entry}");
    }
}

#[test]
fn a_wrong_entry_stays_wrong() {
    let problems = resolved(r#"{"command": 1}"#).0.expect_err("it is wrong");
    assert_eq!(problems[0].kind, ProblemKind::WrongType);
}
