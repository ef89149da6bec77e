use sightglass_config::{FileState, Scope, Severity, UnexpandedEndpoint};
use sightglass_model::RemoteTransport;

use crate::{World, broken, lines, parse};

/// The problems of the only server.
fn entry_problems(entry: &str) -> Vec<String> {
    let file = parse(&format!("{{\"mcpServers\": {{\n\"s\": {entry}}}}}"));
    assert_eq!(file.state, FileState::Loaded);
    let [server] = file.definitions.as_slice() else {
        panic!("one server is there");
    };
    server.problems().map(ToString::to_string).collect()
}

#[test]
fn a_file_that_is_not_there_is_no_fault() {
    let config = World::new().load();
    assert_eq!(config.files.len(), 5);
    assert!(
        config
            .files
            .iter()
            .all(|file| file.state == FileState::Missing)
    );
    assert!(config.servers.is_empty());
}

#[test]
fn servers_are_found_under_both_keys_with_their_lines() {
    let file = parse(
        "{\n  \"servers\": {\n    \"b\": {\"url\": \"https://b\"}\n  },\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"a\"\n    }\n  }\n}\n",
    );
    let found: Vec<_> = file
        .definitions
        .iter()
        .map(|entry| (entry.name.as_str(), entry.line, entry.column))
        .collect();
    assert_eq!(found, [("b", 3, 5), ("a", 6, 5)]);
    assert_eq!(
        file.definitions[1].raw.expose(),
        "{\n      \"command\": \"a\"\n    }"
    );
}

#[test]
fn mcp_servers_wins_over_servers_and_the_other_is_reported() {
    let file = parse(
        "{\"servers\": {\"a\": {\"command\": \"low\"}},\n\"mcpServers\": {\"a\": {\"command\": \"high\"}}}",
    );
    assert_eq!(file.definitions.len(), 1);
    assert!(file.definitions[0].raw.expose().contains("high"));
    assert_eq!(
        lines(&file.warnings),
        ["1:14: a stands under mcpServers as well, on line 2; that counts."]
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let file =
        parse("\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": 1}\r\n  }\r\n}\r\n");
    assert_eq!(file.state, FileState::Loaded);
    assert_eq!(
        (file.definitions[0].line, file.definitions[0].column),
        (3, 5)
    );
    let problems: Vec<_> = file.definitions[0]
        .problems()
        .map(|p| (p.line, p.column))
        .collect();
    assert_eq!(problems, [(3, 22)]);
}

#[test]
fn duplicate_names_are_reported_and_the_last_one_counts() {
    let file = parse(
        "{\"mcpServers\": {\n\"a\": {\"command\": \"first\"},\n\"a\": {\"command\": \"x\", \"command\": \"last\", \"env\": {\"K\": \"1\", \"K\": \"2\"}}\n}}",
    );
    assert_eq!(file.definitions.len(), 1);
    assert_eq!(file.definitions[0].line, 3);
    assert_eq!(
        lines(&file.warnings),
        ["2:1: a is defined again below; only the last one counts."]
    );
    assert_eq!(
        lines(&file.definitions[0].warnings),
        [
            "3:23: command stands here again; this last one counts.",
            "3:60: env.K stands here again; this last one counts."
        ]
    );
    assert!(file.definitions[0].first_error().is_none());
}

#[test]
fn a_section_that_stands_there_twice_is_reported() {
    let file = parse(
        "{\"mcpServers\": {\"a\": {\"command\": \"a\"}},\n\"mcpServers\": {\"b\": {\"command\": \"b\"}}}",
    );
    assert_eq!(file.definitions[0].name, "b");
    assert_eq!(
        lines(&file.warnings),
        ["2:1: mcpServers stands in this file again; only the last one counts."]
    );
}

#[test]
fn comments_and_trailing_commas_are_called_what_they_are_all_at_once() {
    assert_eq!(
        broken("{ // note\n  \"mcpServers\": {\n    \"a\": {\"args\": [1,],},\n  } /* x */\n}"),
        [
            "1:3: Comments are not allowed here: this file is strict JSON.",
            "3:21: Trailing comma: JSON allows none after the last entry. Remove it.",
            "3:23: Trailing comma: JSON allows none after the last entry. Remove it.",
            "3:25: Trailing comma: JSON allows none after the last entry. Remove it.",
            "4:5: Comments are not allowed here: this file is strict JSON.",
        ]
    );
}

#[test]
fn several_mistakes_are_found_in_one_go() {
    assert_eq!(
        broken("{\n  \"a\": 1\n  \"b\": 'x',\n  c: True,\n  \"d\" 2,\n  \"e\": ,\n  \"f\": 01\n}"),
        [
            "2:9: A comma is missing here.",
            "3:8: JSON wants double quotes here.",
            "4:3: The name c has to stand in double quotes.",
            "4:6: True is not a JSON value. Text stands in double quotes; the only words are true, false and null.",
            "5:6: A colon is missing after the name.",
            "6:8: A value is missing here.",
            "7:8: This is not a number as JSON writes it.",
        ]
    );
}

#[test]
fn a_half_written_file_says_what_is_not_closed_once() {
    assert_eq!(
        broken("{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\""),
        ["3:25: The file ends here, but the { of line 3, column 10 is not closed."]
    );
    assert_eq!(
        broken("{\"mcpServers\": {\"a"),
        [
            "1:17: This text in quotes is not closed on its line: a \" is missing.",
            "1:19: The file ends here, but the { of line 1, column 16 is not closed."
        ]
    );
}

#[test]
fn a_forgotten_quote_is_reported_where_it_is_and_not_on_every_line_after_it() {
    assert_eq!(
        broken("{\n  \"a\": \"x,\n  \"b\": 2\n}"),
        ["2:8: This text in quotes is not closed on its line: a \" is missing."]
    );
    assert_eq!(
        broken("{\n  \"a: 1,\n  \"b\": 2\n}"),
        ["2:3: This text in quotes is not closed on its line: a \" is missing."]
    );
}

#[test]
fn a_backslash_of_a_windows_path_is_explained() {
    let problems = broken(r#"{"command": "C:\Program Files"}"#);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("1:16: This escape"), "{problems:?}");
}

#[test]
fn brackets_that_do_not_match_are_named() {
    assert_eq!(
        broken("{\"a\": [1}\n}"),
        [
            "1:9: Found } where ] was expected.",
            "2:1: This } closes nothing."
        ]
    );
    assert_eq!(broken("{}}"), ["1:3: This } closes nothing."]);
    assert_eq!(broken("{} {}"), ["1:4: The JSON value ended before this."]);
}

#[test]
fn an_empty_file_is_broken_and_an_empty_object_is_not() {
    for text in ["", " \n", "\u{feff}"] {
        assert_eq!(
            broken(text),
            ["1:1: The file is empty; JSON needs a value. Write {} for no servers."]
        );
    }
    assert_eq!(parse("{}").state, FileState::Loaded);
    assert_eq!(parse("{\"mcpServers\": {}}").definitions, []);
}

#[test]
fn a_file_or_section_of_another_type_is_broken() {
    assert_eq!(
        broken("[]"),
        ["1:1: The file has to hold an object, but this is an array."]
    );
    assert_eq!(
        broken("{\"mcpServers\": []}"),
        ["1:16: mcpServers has to be an object of servers, but is an array."]
    );
    let file = parse("{\"servers\": [], \"mcpServers\": {\"a\": {\"command\": \"a\"}}}");
    assert_eq!(file.state, FileState::Loaded);
    assert_eq!(file.warnings[0].severity, Severity::Warning);
    assert_eq!(file.definitions.len(), 1);
}

#[test]
fn nesting_without_end_is_refused_and_not_a_crash() {
    let problems = broken(&"[".repeat(100_000));
    assert_eq!(
        problems,
        ["1:128: This is nested more than 127 levels deep; Sightglass reads no more of it."]
    );
}

#[test]
fn a_wrong_type_concerns_that_server_alone() {
    let file = parse(
        "{\"mcpServers\": {\n\"bad\": {\"command\": [\"x\"], \"args\": \"y\", \"env\": {\"PORT\": 3000}},\n\"good\": {\"command\": \"x\"}}}",
    );
    let [bad, good] = file.definitions.as_slice() else {
        panic!("both are there");
    };
    assert!(good.first_error().is_none());
    let problems: Vec<_> = bad.problems().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "2:20: command has to be a string, but is an array. Name the program alone there, and write its arguments in args.",
            "2:35: args has to be an array of strings, but is a string.",
            "2:56: env.PORT has to be a string, but is a number. Put it in double quotes.",
        ]
    );
}

#[test]
fn entries_that_cannot_be_a_server_say_why() {
    for (entry, problem) in [
        (
            "7",
            "2:6: A server has to be an object, but this is a number.",
        ),
        ("{}", "2:1: A server needs a command or a url."),
        (
            r#"{"command": "x", "url": "http://y"}"#,
            "2:30: There is both a command and a url. Keep one of them, or say which counts with type.",
        ),
        (
            r#"{"type": "stdio"}"#,
            "2:1: A server over stdio needs a command.",
        ),
        (r#"{"command": " "}"#, "2:18: command is empty."),
        (
            r#"{"type": "http", "transport": "stdio", "url": "http://y"}"#,
            "2:36: transport contradicts type. Keep one of them.",
        ),
        (
            r#"{"type": "carrier-pigeon"}"#,
            "2:15: type has to be stdio, http, streamable-http, sse, ws or auto.",
        ),
        (
            r#"{"url": "https://y", "tls_fingerprint": "12:34"}"#,
            "2:46: tls_fingerprint cannot be used: a fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits, with or without colons.",
        ),
        (
            r#"{"command": "x", "era": "classic"}"#,
            "2:30: era has to be auto, modern or legacy.",
        ),
        (
            r#"{"command": "x", "tool_timeout": -1}"#,
            "2:39: tool_timeout has to be a number of seconds greater than 0.",
        ),
        (
            r#"{"command": "x", "startup_timeout": "5"}"#,
            "2:42: startup_timeout has to be a number of seconds, but is a string.",
        ),
        (
            r#"{"url": "http://y", "headers": {"a b": "c"}}"#,
            "2:45: \"a b\" is not the name of an HTTP header.",
        ),
    ] {
        assert_eq!(entry_problems(entry), [problem], "{entry}");
    }
}

#[test]
fn the_transport_of_a_remote_server_is_named_or_left_open() {
    for (entry, transport) in [
        (r#"{"url": "https://y"}"#, RemoteTransport::Auto),
        (
            r#"{"type": "auto", "url": "https://y"}"#,
            RemoteTransport::Auto,
        ),
        (
            r#"{"type": "streamable-http", "url": "https://y"}"#,
            RemoteTransport::Http,
        ),
        (
            r#"{"transport": "sse", "url": "https://y"}"#,
            RemoteTransport::Sse,
        ),
        (
            r#"{"type": "websocket", "url": "wss://y"}"#,
            RemoteTransport::WebSocket,
        ),
    ] {
        let file = parse(&format!(r#"{{"servers": {{"s": {entry}}}}}"#));
        let spec = file.definitions[0].spec.as_ref().expect(entry);
        let UnexpandedEndpoint::Remote(remote) = &spec.endpoint else {
            panic!("{entry} is a remote server");
        };
        assert_eq!(remote.transport, transport, "{entry}");
    }
}

#[test]
fn what_is_odd_but_usable_is_a_warning() {
    for (entry, start) in [
        (
            r#"{"command": "x", "phase_timeouts": {"thinking": 1}}"#,
            "2:42: thinking is not a phase, so this limit does nothing.",
        ),
        (
            r#"{"command": "x", "headers": {}}"#
                .replace(
                    "\"command\": \"x\"",
                    "\"type\": \"stdio\", \"command\": \"x\"",
                )
                .as_str(),
            "2:40: headers means nothing to a server over stdio.",
        ),
        (
            r#"{"command": "x", "disabled": true, "enabled": true}"#,
            "2:1: disabled and enabled contradict each other",
        ),
    ] {
        let problems = entry_problems(entry);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with(start), "{problems:?}");
        let file = parse(&format!("{{\"servers\": {{\"s\": {entry}}}}}"));
        assert!(file.definitions[0].first_error().is_none());
    }
}

#[test]
fn either_flag_disables_a_server() {
    let file = parse(
        r#"{"servers": {
            "a": {"command": "x", "disabled": true},
            "b": {"command": "x", "enabled": false},
            "c": {"command": "x", "disabled": false, "enabled": true},
            "d": {"command": "x"}
        }}"#,
    );
    let disabled: Vec<_> = file
        .definitions
        .iter()
        .map(|entry| entry.disabled)
        .collect();
    assert_eq!(disabled, [true, true, false, false]);
}

#[test]
fn text_that_is_not_utf_8_is_broken_at_its_place() {
    let world = World::new();
    world.put(Scope::User, b"{\n  \"a\": \"\xff\"}");
    world.put(Scope::Local, b"\xff\xfe{\0}\0");
    let config = world.load();
    let state = |scope: Scope| match &config
        .file(scope.id())
        .expect("every scope has a file")
        .state
    {
        FileState::Broken { problems } => lines(problems),
        state => panic!("the file counts as {state:?}"),
    };
    assert_eq!(
        state(Scope::User),
        ["2:9: The file is not UTF-8 from here on. Save it as UTF-8."]
    );
    assert_eq!(
        state(Scope::Local),
        ["1:1: The file is saved as UTF-16. Save it as UTF-8."]
    );
}

#[test]
fn a_directory_in_the_place_of_a_file_is_unreadable_and_the_others_load() {
    let world = World::new();
    std::fs::create_dir(world.path(Scope::ProjectRoot)).expect("the directory can be made");
    world.put(Scope::User, r#"{"mcpServers": {"a": {"command": "x"}}}"#);
    let config = world.load();
    let FileState::Unreadable { message } = &config.files[Scope::ProjectRoot as usize].state else {
        panic!("a directory is not a file");
    };
    assert!(message.contains("directory"), "{message}");
    assert_eq!(config.servers.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_without_read_permission_says_so() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new();
    let path = world.put(Scope::User, "{}");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000))
        .expect("the owner may change the permissions");
    if std::fs::read(&path).is_ok() {
        // The superuser reads everything; there is nothing to see then.
        return;
    }
    let config = world.load();
    let state = &config.file("user").expect("every scope has a file").state;
    assert!(
        matches!(state, FileState::Unreadable { message } if message.contains("permission")),
        "{state:?}"
    );
}

#[test]
fn nothing_that_may_be_secret_is_printed_for_debugging() {
    let file = parse(
        r#"{"servers": {
            "a": {"command": "x", "args": ["--token", "hunter2"], "env": {"API_KEY": "hunter2"}},
            "b": {"url": "https://hunter2@x", "headers": {"Authorization": "hunter2"}}
        }}"#,
    );
    assert!(
        file.definitions
            .iter()
            .all(|entry| entry.first_error().is_none())
    );
    let printed = format!("{:?}", file.definitions);
    assert!(printed.contains("API_KEY"), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");
}

#[test]
fn a_huge_file_is_read_whole() {
    let servers: Vec<_> = (0..20_000)
        .map(|index| {
            format!(
                "\"server-{index}\": {{\"command\": \"{}\"}}",
                "x".repeat(500)
            )
        })
        .collect();
    let text = format!("{{\"mcpServers\": {{\n{}\n}}}}", servers.join(",\n"));
    assert!(text.len() > 10_000_000);
    let file = parse(&text);
    assert_eq!(file.definitions.len(), 20_000);
    assert_eq!(file.definitions[19_999].line, 20_001);
    assert!(file.warnings.is_empty());
}

#[test]
fn of_more_servers_than_are_read_the_first_stay_and_the_rest_is_said() {
    let servers: Vec<_> = (0..20_002)
        .map(|index| format!("\"server-{index}\": {{\"command\": \"x\"}}"))
        .collect();
    let file = parse(&format!(
        "{{\"mcpServers\": {{\n{}\n}}}}",
        servers.join(",\n")
    ));
    assert_eq!(file.definitions.len(), 20_000);
    let said = file.warnings.iter().map(|problem| &problem.message);
    let said: Vec<_> = said
        .filter(|words| words.contains("20000 servers"))
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
}
