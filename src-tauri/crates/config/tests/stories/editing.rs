use sightglass_config::{
    Client, ConfigAction, ConfigError, DiffLineKind, Draft, DraftEndpoint, FileChange, ProblemKind,
    Scope, Target,
};
use sightglass_model::EraChoice;

use crate::{add, form_of, named, parse, plan_on, planned_form, program, remote, remove};

fn planned(text: &str, action: &ConfigAction) -> Result<FileChange, ConfigError> {
    crate::planned(Some(text), action)
}

fn edited(text: &str, action: &ConfigAction) -> String {
    planned(text, action)
        .expect("the edit is possible")
        .after()
        .expect("an edit leaves a file")
        .to_owned()
}

/// Returns the text that saving a form makes of a text.
fn edited_form(text: &str, name: &str, draft: Draft) -> String {
    let change = planned_form(text, name, draft).expect("the edit is possible");
    change.after().expect("an edit leaves a file").to_owned()
}

#[test]
fn a_new_file_is_indented_by_two_and_ends_with_a_line_end() {
    let change = crate::planned(None, &add(program("files", "npx", &["-y", "server"])))
        .expect("nothing is in the way");
    assert_eq!(change.before(), None);
    assert_eq!(
        change.after().expect("an edit leaves a file"),
        "{\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"server\"]\n    }\n  }\n}\n"
    );
}

#[test]
fn an_empty_file_becomes_a_whole_one_and_keeps_its_mark_and_line_ends() {
    assert!(edited("", &add(program("a", "b", &[]))).starts_with("{\n  \"mcpServers\""));
    let after = edited("\u{feff}\r\n", &add(program("a", "b", &[])));
    assert!(
        after.starts_with("\u{feff}{\r\n  \"mcpServers\": {\r\n"),
        "{after:?}"
    );
    assert!(after.ends_with("}\r\n"), "{after:?}");
}

#[test]
fn the_first_server_goes_into_what_is_there() {
    for (before, after) in [
        (
            "{}",
            "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"b\"\n    }\n  }\n}",
        ),
        (
            "{\n\t\"servers\": {}\n}\n",
            "{\n\t\"servers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"b\"\n\t\t}\n\t}\n}\n",
        ),
        (
            "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    // none yet\n    \"a\": {\n      \"command\": \"b\"\n    }\n  }\n}\n",
        ),
        (
            "{\n    \"version\": 1.0 // keep\n}\n",
            "{\n    \"version\": 1.0, // keep\n    \"mcpServers\": {\n        \"a\": {\n            \"command\": \"b\"\n        }\n    }\n}\n",
        ),
    ] {
        assert_eq!(edited(before, &add(program("a", "b", &[]))), after);
    }
}

#[test]
fn a_further_server_comes_after_the_others_in_their_style() {
    for (before, after) in [
        (
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {\"command\": \"y\"} // mine\r\n\t}\r\n}",
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {\"command\": \"y\"}, // mine\r\n\t\t\"a\": {\r\n\t\t\t\"command\": \"b\"\r\n\t\t}\r\n\t}\r\n}",
        ),
        (
            "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
            "{\"mcpServers\":{\"x\":{\"command\":\"y\"},\"a\":{\"command\":\"b\"}}}",
        ),
        (
            "{\"mcpServers\": {\"x\": {\"command\": \"y\"}}}\n",
            "{\"mcpServers\": {\"x\": {\"command\": \"y\"}, \"a\": {\"command\": \"b\"}}}\n",
        ),
        (
            "{\"mcpServers\": {\n  \"x\": {\"command\": \"y\"},\n}}",
            "{\"mcpServers\": {\n  \"x\": {\"command\": \"y\"},\n  \"a\": {\n    \"command\": \"b\"\n  }\n}}",
        ),
    ] {
        assert_eq!(edited(before, &add(program("a", "b", &[]))), after);
    }
}

#[test]
fn an_edit_changes_the_fields_that_differ_and_no_other_byte() {
    let before = r#"{
  "mcpServers": {
    "a": {
      "x-unknown": [1.50,   2e3], "command":   "old",
      "args": [
        "one",
        "two"
      ],
      "env": { "KEEP": "1", "GO": "2",   "CHANGE": "3" }, // why
      "phase_timeouts": {"initializing": 5}
    }
  }
}
"#;
    let draft = Draft {
        name: "a".into(),
        endpoint: DraftEndpoint::Stdio {
            command: "new".into(),
            arguments: vec!["one".into(), "three".into()],
            environment: named(&[("KEEP", "1"), ("CHANGE", "4"), ("NEW", "5")]),
            working_directory: Some("sub".into()),
        },
        era: EraChoice::Legacy,
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    };
    let after = r#"{
  "mcpServers": {
    "a": {
      "x-unknown": [1.50,   2e3], "command":   "new",
      "args": [
        "one",
        "three"
      ],
      "env": { "KEEP": "1", "CHANGE": "4", "NEW": "5" }, // why
      "phase_timeouts": {"initializing": 5},
      "cwd": "sub",
      "era": "legacy"
    }
  }
}
"#;
    assert_eq!(edited_form(before, "a", draft), after);
}

#[test]
fn saving_the_form_without_a_change_changes_no_byte() {
    let text = r#"{"servers": {"a": {"type":"stdio","command":"x","args":[],"env":{},"era":"auto"},
        "b": {"url": "https://y", "headers": {"A": "b", "C": "d"}}}}"#;
    let file = parse(text);
    for entry in &file.definitions {
        let draft = form_of(entry).expect("the entry can be read");
        let change = planned_form(text, &entry.name, draft).expect("the edit is possible");
        assert!(change.is_empty(), "{:?}", change.after());
    }
}

#[test]
fn another_transport_takes_the_fields_of_the_old_one_away() {
    let text = "{\"mcpServers\": {\n  \"a\": {\n    \"command\": \"x\",\n    \"args\": [\"y\"],\n    \"note\": 1\n  }\n}}";
    let remote_text = edited_form(text, "a", remote("a", "https://y", &[("K", "v")]));
    assert_eq!(
        remote_text,
        "{\"mcpServers\": {\n  \"a\": {\n    \"note\": 1,\n    \"type\": \"http\",\n    \"url\": \"https://y\",\n    \"headers\": {\n      \"K\": \"v\"\n    }\n  }\n}}"
    );
    let program_text = edited_form(&remote_text, "a", program("a", "x", &[]));
    let file = parse(&program_text);
    assert_eq!(
        file.definitions[0].raw.expose(),
        "{\n    \"note\": 1,\n    \"type\": \"stdio\",\n    \"command\": \"x\"\n  }"
    );
}

#[test]
fn a_remote_server_names_its_transport() {
    let after = edited("{}", &add(remote("a", "https://y", &[])));
    let server = parse(&after).definitions[0].raw.expose().clone();
    assert!(server.contains("\"type\": \"http\""), "{server}");
}

#[test]
fn an_entry_that_cannot_be_read_is_replaced_whole() {
    let after = edited_form("{\"mcpServers\": {\"a\": 7}}", "a", program("a", "b", &[]));
    assert_eq!(after, "{\"mcpServers\": {\"a\": {\"command\": \"b\"}}}");
}

#[test]
fn renaming_changes_the_name_and_leaves_no_hidden_definition_behind() {
    let before = "{\"servers\": {\"a\": {\"command\": \"low\"}}, \"mcpServers\": {\n  \"a\": {\"command\": \"mid\"},\n  \"a\": {\"command\": \"x\", \"k\": 1},\n  \"b\": {\"command\": \"z\"}\n}}";
    assert_eq!(
        edited_form(before, "a", program("new", "x", &[])),
        "{\"servers\": {}, \"mcpServers\": {\n  \"new\": {\"command\": \"x\", \"k\": 1},\n  \"b\": {\"command\": \"z\"}\n}}"
    );
}

#[test]
fn removing_takes_the_lines_of_the_server_and_its_comma() {
    let text = "{\n  \"mcpServers\": {\n    // first\n    \"a\": {\n      \"command\": \"x\"\n    },\n    \"b\": {\"command\": \"y\"}, // second\n    \"c\": {\"command\": \"z\"}\n  }\n}\n";
    assert_eq!(
        edited(text, &remove("a")),
        "{\n  \"mcpServers\": {\n    // first\n    \"b\": {\"command\": \"y\"}, // second\n    \"c\": {\"command\": \"z\"}\n  }\n}\n"
    );
    assert_eq!(
        edited(text, &remove("c")),
        "{\n  \"mcpServers\": {\n    // first\n    \"a\": {\n      \"command\": \"x\"\n    },\n    \"b\": {\"command\": \"y\"} // second\n  }\n}\n"
    );
    assert_eq!(
        edited(
            "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}\n}}",
            &remove("a")
        ),
        "{\"mcpServers\": {}}"
    );
    assert_eq!(
        edited(
            "{\"servers\": {\"a\": 1, \"b\": 2, \"c\": 3}}",
            &remove("b")
        ),
        "{\"servers\": {\"a\": 1, \"c\": 3}}"
    );
    assert_eq!(
        edited("{\"servers\": {\"a\": 1, // x\n\"b\": 2 }}", &remove("b")),
        "{\"servers\": {\"a\": 1 // x\n }}"
    );
}

#[test]
fn comments_hinder_no_edit_and_are_named_as_what_stays_wrong() {
    let plan = plan_on(
        Some("{ /* mine */ \"servers\": {\"a\": {\"command\": \"x\"},} }"),
        &add(program("b", "y", &[])),
    )
    .expect("the structure is clear");
    let [file] = plan.files.as_slice() else {
        panic!("one file changes");
    };
    assert_eq!(
        file.change.after().expect("an edit leaves a file"),
        "{ /* mine */ \"servers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}} }"
    );
    let kinds: Vec<_> = file
        .remaining_problems
        .iter()
        .map(|problem| problem.kind)
        .collect();
    assert_eq!(kinds, [ProblemKind::Comment]);
}

#[test]
fn commas_are_put_right_and_no_server_of_the_file_counts_as_written_by_the_user() {
    let text =
        "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}\n  \"b\": {\"command\": \"y\",}\n}}";
    let repair = ConfigAction::Repair {
        target: Target::new(Client::McpJson, Scope::ProjectRoot.id()),
    };
    let plan = plan_on(Some(text), &repair).expect("it can be repaired");
    assert!(plan.written.is_empty() && plan.carried.is_empty());
    assert_eq!(plan.done_title(), "Repaired .mcp.json");
    let [file] = plan.files.as_slice() else {
        panic!("one file changes");
    };
    assert_eq!(
        file.change.after().expect("a repair leaves a file"),
        "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"},\n  \"b\": {\"command\": \"y\"}\n}}"
    );
    assert!(
        file.remaining_problems.is_empty(),
        "{:?}",
        file.remaining_problems
    );

    // What has several meanings stays, and is named.
    let plan = plan_on(Some("{\"mcpServers\": {\"a\" {},}}"), &repair).expect("a part of it can");
    let [file] = plan.files.as_slice() else {
        panic!("one file changes");
    };
    assert_eq!(file.remaining_problems[0].kind, ProblemKind::Syntax);
}

#[test]
fn edits_that_make_no_sense_are_refused_with_the_reason() {
    let text = "{\"mcpServers\": {\n\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"x\"}}}";
    assert!(matches!(
        planned(text, &add(program("a", "y", &[]))),
        Err(ConfigError::NameTaken { line: 2, .. })
    ));
    assert!(matches!(
        planned_form(text, "a", program("b", "y", &[])),
        Err(ConfigError::NameTaken { .. })
    ));
    assert!(matches!(
        planned_form(text, "c", program("c", "y", &[])),
        Err(ConfigError::NoSuchServer { .. })
    ));
    for text in [text, "", "{}"] {
        assert!(matches!(
            planned(text, &remove("c")),
            Err(ConfigError::NoSuchServer { .. })
        ));
    }
    for text in ["{\"mcpServers\": ", "[]", "{\"mcpServers\": 1} // x"] {
        let error = planned(text, &add(program("a", "y", &[]))).expect_err("it is broken");
        assert!(matches!(error, ConfigError::Broken { .. }), "{error}");
        assert!(error.to_string().contains("line 1, column"), "{error}");
    }
}

#[test]
fn a_draft_says_which_field_is_wrong() {
    let mut draft = remote(" a", "example.org", &[("a b", "x"), ("K", "1"), ("k", "2")]);
    let fields = |draft: &Draft| -> Vec<String> {
        draft
            .problems()
            .into_iter()
            .map(|problem| problem.field)
            .collect()
    };
    assert_eq!(fields(&draft), ["name", "url", "headers[0]", "headers[2]"]);
    assert!(matches!(
        planned("{}", &add(draft.clone())),
        Err(ConfigError::InvalidDraft { .. })
    ));
    draft = remote("a", "${URL}", &[]);
    assert_eq!(fields(&draft), [""; 0]);
    draft.endpoint = DraftEndpoint::Stdio {
        command: " ".into(),
        arguments: Vec::new(),
        environment: named(&[("A=B", ""), ("C", ""), ("C", "")]),
        working_directory: None,
    };
    assert_eq!(
        fields(&draft),
        ["command", "environment[0]", "environment[2]"]
    );
}

#[test]
fn literal_secrets_are_recognised_and_references_are_not() {
    for (draft, expected) in [
        (
            remote("a", "https://y", &[("Authorization", "Bearer x")]),
            true,
        ),
        (
            remote("a", "https://y", &[("Authorization", "Bearer ${T}")]),
            false,
        ),
        (remote("a", "https://y", &[("Accept", "x")]), false),
        (remote("a", "https://y?api_key=x", &[]), true),
        (remote("a", "https://u:p@y", &[]), true),
        (remote("a", "https://u:${P}@y?token=${T}", &[]), false),
        (program("a", "x", &["--token", "y"]), true),
        (program("a", "x", &["--token=${T:-y}"]), true),
        (program("a", "x", &["--token=${T}"]), false),
        (program("a", "x", &["--token", "--verbose"]), false),
    ] {
        let change = crate::planned(None, &add(draft.clone())).expect("the draft is whole");
        assert_eq!(change.adds_secret(), expected, "{draft:?}");
    }
}

#[test]
fn the_difference_is_told_line_by_line() {
    let change = planned_form(
        "{\"servers\": {\n  \"a\": {\"command\": \"x\"},\n  \"b\": {\"command\": \"y\"}\n}}\n",
        "b",
        program("b", "z", &[]),
    )
    .expect("the edit is possible");
    let lines: Vec<_> = change
        .diff()
        .into_iter()
        .map(|line| (line.kind, line.before, line.after, line.text))
        .collect();
    assert_eq!(
        lines,
        [
            (
                DiffLineKind::Kept,
                Some(1),
                Some(1),
                "{\"servers\": {".to_owned()
            ),
            (
                DiffLineKind::Kept,
                Some(2),
                Some(2),
                "  \"a\": {\"command\": \"x\"},".to_owned()
            ),
            (
                DiffLineKind::Removed,
                Some(3),
                None,
                "  \"b\": {\"command\": \"y\"}".to_owned()
            ),
            (
                DiffLineKind::Added,
                None,
                Some(3),
                "  \"b\": {\"command\": \"z\"}".to_owned()
            ),
            (DiffLineKind::Kept, Some(4), Some(4), "}}".to_owned()),
        ]
    );
}

#[test]
fn neither_draft_nor_change_prints_a_secret() {
    let draft = remote("a", "https://y", &[("Authorization", "hunter2")]);
    let change = planned("{}", &add(draft.clone())).expect("the edit is possible");
    assert!(change.adds_secret());
    let printed = format!("{draft:?} {change:?}");
    assert!(!printed.contains("hunter2"), "{printed}");
}
