//! Properties of every file, on files made up at random.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value, json};
use sightglass_config::{
    Client, ClientApprovals, ConfigAction, ConfigError, DiffLineKind, Draft, DraftEndpoint,
    DraftRemote, FileState, NamedText, Scope, combine,
};
use sightglass_model::{EraChoice, RemoteTransport};

use crate::{add, cases, form_of, parse, parse_scope, planned_form, remove, touched_lines};

/// Layout of a generated file.
#[derive(Debug, Clone)]
struct Layout {
    byte_order_mark: bool,
    line_end: &'static str,
    /// `None` puts everything on one line.
    indentation: Option<&'static str>,
    space_after_colon: bool,
    /// Comments after every nth comma or bracket; none when 0.
    comments_every: usize,
    ends_with_line_end: bool,
}

/// Writes JSON in a layout. Comments are numbered: `/*~1~*/` and `//~2~`.
struct Writer<'a> {
    layout: &'a Layout,
    text: String,
    places: usize,
    comments: usize,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize) {
        if let Some(indentation) = self.layout.indentation {
            self.text.push_str(self.layout.line_end);
            self.text.push_str(&indentation.repeat(depth));
        }
    }

    fn comment(&mut self) {
        self.places += 1;
        let every = self.layout.comments_every;
        if every == 0 || !self.places.is_multiple_of(every) {
            return;
        }
        self.comments += 1;
        let number = self.comments;
        if number.is_multiple_of(2) && self.layout.indentation.is_some() {
            self.text.push_str(&format!(" //~{number}~"));
        } else {
            self.text.push_str(&format!(" /*~{number}~*/"));
        }
    }

    fn value(&mut self, value: &Value, depth: usize) {
        let colon = if self.layout.space_after_colon {
            ": "
        } else {
            ":"
        };
        let entries: Vec<(Option<&String>, &Value)> = match value {
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (Some(key), value))
                .collect(),
            Value::Array(elements) => elements.iter().map(|value| (None, value)).collect(),
            other => return self.text.push_str(&other.to_string()),
        };
        let (open, close) = if value.is_object() {
            ('{', '}')
        } else {
            ('[', ']')
        };
        self.text.push(open);
        if entries.is_empty() {
            return self.text.push(close);
        }
        self.comment();
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
                self.comment();
            }
            self.line(depth + 1);
            if let Some(key) = key {
                self.text.push_str(&Value::from(key.as_str()).to_string());
                self.text.push_str(colon);
            }
            self.value(value, depth + 1);
        }
        self.comment();
        self.line(depth);
        self.text.push(close);
    }
}

fn written(value: &Value, layout: &Layout) -> (String, usize) {
    let mut writer = Writer {
        layout,
        text: String::new(),
        places: 0,
        comments: 0,
    };
    if layout.byte_order_mark {
        writer.text.push('\u{feff}');
    }
    writer.value(value, 0);
    if layout.ends_with_line_end {
        writer.text.push_str(layout.line_end);
    }
    (writer.text, writer.comments)
}

/// The value of a text by another reader, comments taken out.
fn value_of(text: &str) -> Value {
    let mut plain = String::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(start) = rest.find("/*~").into_iter().chain(rest.find("//~")).min() {
        plain.push_str(&rest[..start]);
        let end = if rest[start..].starts_with("/*") {
            rest[start..].find("~*/").expect("a comment stays whole") + 3
        } else {
            rest[start..]
                .find(['\r', '\n'])
                .expect("a line comment ends with its line")
        };
        rest = &rest[start + end..];
    }
    plain.push_str(rest);
    serde_json::from_str(&plain).unwrap_or_else(|error| panic!("{error} in {plain}"))
}

fn layouts() -> impl Strategy<Value = Layout> {
    (
        any::<bool>(),
        select(vec!["\n", "\r\n", "\r"]),
        select(vec![Some("  "), Some("\t"), Some("    "), Some(""), None]),
        any::<bool>(),
        select(vec![0_usize, 0, 1, 2, 3]),
        any::<bool>(),
    )
        .prop_map(
            |(
                byte_order_mark,
                line_end,
                indentation,
                space_after_colon,
                comments_every,
                ends_with_line_end,
            )| Layout {
                byte_order_mark,
                line_end,
                indentation,
                space_after_colon,
                comments_every,
                ends_with_line_end,
            },
        )
}

/// Few names, so that they meet.
fn names() -> impl Strategy<Value = String> {
    select(vec![
        "a",
        "b",
        "files",
        "größe 💡",
        "with \"quotes\"",
        "x.y/z",
    ])
    .prop_map(str::to_owned)
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "",
            "x",
            "${HOME}",
            "a b",
            "\\",
            "\"",
            "{",
            "[1,",
            "tab\there",
            "ü"
        ])
        .prop_map(str::to_owned),
        "[a-z]{1,30}",
    ]
}

fn named_texts() -> impl Strategy<Value = Vec<NamedText>> {
    proptest::collection::btree_map(select(vec!["A", "B", "C", "TOKEN"]), "[a-z ]{0,5}", 0..4)
        .prop_map(|map| {
            map.into_iter()
                .map(|(name, text)| NamedText {
                    name: name.into(),
                    text,
                })
                .collect()
        })
}

fn remote_transports() -> impl Strategy<Value = (RemoteTransport, &'static str)> {
    select(vec![
        (RemoteTransport::Auto, "${URL}"),
        (RemoteTransport::Auto, "wss://x/mcp"),
        (RemoteTransport::Http, "https://x/mcp"),
        (RemoteTransport::Sse, "http://x/sse"),
        (RemoteTransport::WebSocket, "ws://x"),
    ])
}

fn optional_trust() -> impl Strategy<Value = (Option<String>, Option<String>)> {
    (
        proptest::option::of("[a-z/]{1,5}"),
        proptest::option::of("[0-9a-f]{64}"),
    )
}

fn drafts() -> impl Strategy<Value = Draft> {
    let endpoint = prop_oneof![
        (
            "[a-z]{1,5}",
            vec(texts(), 0..4),
            named_texts(),
            proptest::option::of("[a-z/]{1,5}")
        )
            .prop_map(|(command, arguments, environment, working_directory)| {
                DraftEndpoint::Stdio {
                    command,
                    arguments,
                    environment,
                    working_directory,
                }
            }),
        (remote_transports(), named_texts(), optional_trust()).prop_map(
            |((transport, url), headers, (ca_file, fingerprint))| {
                DraftEndpoint::Remote(DraftRemote {
                    transport,
                    url: url.into(),
                    headers,
                    ca_file,
                    fingerprint,
                })
            }
        ),
    ];
    let eras = select(vec![EraChoice::Auto, EraChoice::Modern, EraChoice::Legacy]);
    (names(), endpoint, eras).prop_map(|(name, endpoint, era)| Draft {
        name,
        endpoint,
        era,
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    })
}

/// Values that are no server, and fields that nobody knows.
fn odd_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // Small, so that an exponent put in by chance leads to a number that readers take.
        any::<i8>().prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((texts(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn servers() -> impl Strategy<Value = Value> {
    let server = prop_oneof![
        4 => (
            texts(),
            proptest::option::of(vec(texts(), 0..4)),
            proptest::option::of(odd_values()),
            proptest::option::of(vec((select(vec!["A", "B", "TOKEN"]), texts()), 0..3)),
        )
            .prop_map(|(command, arguments, odd, environment)| {
                let mut server = json!({"command": command});
                if let Some(odd) = odd { server["x-unknown"] = odd; }
                if let Some(arguments) = arguments { server["args"] = arguments.into(); }
                if let Some(environment) = environment {
                    server["env"] = Value::Object(
                        environment.into_iter().map(|(name, text)| (name.into(), text.into())).collect(),
                    );
                }
                server
            }),
        2 => odd_values().prop_map(|odd| json!({"odd": odd, "url": "https://x"})),
        1 => odd_values(),
    ];
    vec((names(), server), 0..5).prop_map(|servers| Value::Object(servers.into_iter().collect()))
}

/// A root object with sections and other things in some order.
fn roots() -> impl Strategy<Value = Value> {
    let member = prop_oneof![
        servers().prop_map(|servers| ("mcpServers".to_owned(), servers)),
        servers().prop_map(|servers| ("servers".to_owned(), servers)),
        odd_values().prop_map(|odd| ("other".to_owned(), odd)),
    ];
    vec(member, 0..4).prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// The text that saving a form makes of a text.
fn saved_form(text: &str, name: &str, draft: Draft) -> Result<String, ConfigError> {
    let change = planned_form(text, name, draft)?;
    Ok(change.after().expect("an edit leaves a file").to_owned())
}

fn planned(text: &str, action: &ConfigAction) -> Result<String, ConfigError> {
    let change = crate::planned(Some(text), action)?;
    // The difference has to add up to both texts, line ends aside.
    let side = |left_out: DiffLineKind| -> String {
        let lines = change
            .diff()
            .into_iter()
            .filter(|line| line.kind != left_out);
        lines.map(|line| line.text).collect()
    };
    let bare = |text: &str| text.replace(['\r', '\n'], "");
    assert_eq!(bare(&side(DiffLineKind::Added)), bare(text));
    assert_eq!(bare(&side(DiffLineKind::Removed)), bare(after(&change)));
    Ok(after(&change).to_owned())
}

/// The section of a root in which a name counts.
fn section_of<'r>(root: &'r Value, name: &str) -> Option<&'r str> {
    ["mcpServers", "servers"]
        .into_iter()
        .find(|section| root[*section].get(name).is_some())
}

/// The numbers of the comments in a text.
fn comments_in(text: &str) -> Vec<usize> {
    text.split('~')
        .skip(1)
        .step_by(2)
        .map(|number| number.parse().expect("only comments hold a tilde"))
        .collect()
}

/// The verbatim texts of all servers but one.
fn others(text: &str, name: &str) -> BTreeMap<String, String> {
    parse(text)
        .definitions
        .into_iter()
        .filter(|entry| entry.name != name)
        .map(|entry| (entry.name, entry.raw.expose().clone()))
        .collect()
}

/// Counts the lines of `before` that are not in `after`, read from both ends.
fn lines_touched(before: &str, after: &str) -> usize {
    let before: Vec<_> = before.split_inclusive(['\n', '\r']).collect();
    let after: Vec<_> = after.split_inclusive(['\n', '\r']).collect();
    let (first, end) = touched_lines(&before, &after);
    end - first
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn adding_changes_the_value_as_expected_and_nothing_else(
        root in roots(), layout in layouts(), draft in drafts(),
    ) {
        let (text, comments) = written(&root, &layout);
        let result = planned(&text, &add(draft.clone()));
        if section_of(&root, &draft.name).is_some() {
            let refused = matches!(result, Err(ConfigError::NameTaken { .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let after = result.expect("nothing is in the way");
        let section = ["mcpServers", "servers"]
            .into_iter()
            .find(|section| root.get(*section).is_some())
            .unwrap_or("mcpServers");
        let mut entry = value_of(&after);
        let mut expected = root.clone();
        expected[section][&draft.name] = entry[section][&draft.name].take();
        let mut entry = value_of(&after);
        prop_assert_eq!(value_of(&after).to_string(), expected.to_string());
        // The new entry says what the draft says, read back by the product itself.
        let alone = json!({ "mcpServers": { &draft.name: entry[section][&draft.name].take() } });
        let file = parse(&alone.to_string());
        prop_assert_eq!(form_of(&file.definitions[0]), Some(draft.clone()));
        prop_assert_eq!(comments_in(&after), (1..=comments).collect::<Vec<_>>());
        // At most the line before gains a comma.
        prop_assert!(lines_touched(&text, &after) <= 1, "{}", after);
        if layout.comments_every == 0 {
            prop_assert_eq!(others(&text, &draft.name), others(&after, &draft.name));
            // And taking it away again leads back to the same bytes.
            if root[section].as_object().is_some_and(|servers| !servers.is_empty()) {
                let back = planned(&after, &remove(&draft.name)).expect("it is there");
                prop_assert_eq!(back, text);
            }
        }
    }

    #[test]
    fn removing_takes_that_server_and_nothing_else(
        root in roots(), layout in layouts(), name in names(),
    ) {
        let (text, _) = written(&root, &layout);
        let result = planned(&text, &remove(&name));
        if section_of(&root, &name).is_none() {
            let refused = matches!(result, Err(ConfigError::NoSuchServer { .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let after = result.expect("it is there");
        let mut expected = root.clone();
        for section in ["mcpServers", "servers"] {
            if let Some(servers) = expected[section].as_object_mut() {
                servers.shift_remove(&name);
            }
        }
        if let (Some(expected), Some(root)) = (expected.as_object_mut(), root.as_object()) {
            expected.retain(|key, _| root.contains_key(key));
        }
        prop_assert_eq!(value_of(&after).to_string(), expected.to_string());
        if layout.comments_every == 0 {
            prop_assert_eq!(others(&text, &name), others(&after, &name));
        }
        // What is left is what was there: nothing is written anew, and nothing moves.
        let mut rest = text.chars();
        prop_assert!(after.chars().all(|kept| rest.any(|character| character == kept)));
    }

    #[test]
    fn replacing_makes_the_entry_say_the_draft_and_keeps_all_else(
        root in roots(), layout in layouts(), draft in drafts(), name in names(),
    ) {
        let (text, _) = written(&root, &layout);
        let result = saved_form(&text, &name, draft.clone());
        let Some(section) = section_of(&root, &name) else {
            let refused = matches!(result, Err(ConfigError::NoSuchServer { .. }));
            prop_assert!(refused);
            return Ok(());
        };
        if draft.name != name && section_of(&root, &draft.name).is_some() {
            let refused = matches!(result, Err(ConfigError::NameTaken { .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let after = result.expect("nothing is in the way");
        let value = value_of(&after);
        let old = &root[section][&name];
        let new = &value[section][&draft.name];
        let file = parse(&json!({ "mcpServers": { &draft.name: new } }).to_string());
        let mut read_back = form_of(&file.definitions[0]).expect("the entry can be read");
        let mut draft = draft;
        for draft in [&mut read_back, &mut draft] {
            let (DraftEndpoint::Stdio { environment: texts, .. }
            | DraftEndpoint::Remote(DraftRemote { headers: texts, .. })) = &mut draft.endpoint;
            // What stays keeps its place, so the order may differ.
            texts.sort_by(|left, right| left.name.cmp(&right.name));
        }
        prop_assert_eq!(&read_back, &draft);
        for unknown in ["x-unknown", "odd"] {
            if old.is_object() {
                prop_assert_eq!(new.get(unknown), old.get(unknown));
            }
        }
        if layout.comments_every == 0 {
            let untouched = |text: &str| {
                let mut others = others(text, &name);
                others.remove(&draft.name);
                others
            };
            prop_assert_eq!(untouched(&text), untouched(&after));
        }
        // Saying it again changes nothing more.
        prop_assert_eq!(saved_form(&after, &draft.name, read_back).expect("it is there"), after);
    }

    #[test]
    fn what_is_accepted_is_what_another_reader_accepts(
        root in roots(), layout in layouts(),
        wounds in vec((any::<prop::sample::Index>(), select(vec![
            "", "\"", "{", "}", "[", "]", ",", ":", "\\", "//", "/*", "*/", "\n", "'", "0", "-",
            ".", "e", "tru", "null", "\u{a0}", "\u{7}", "\\ud800", "\\u0041", "💡",
        ])), 0..3),
    ) {
        let (mut text, _) = written(&root, &layout);
        for (place, wound) in wounds {
            let mut place = place.index(text.len() + 1);
            while !text.is_char_boundary(place) {
                place -= 1;
            }
            if wound.is_empty() && place < text.len() {
                text.remove(place);
            } else {
                text.insert_str(place, wound);
            }
        }
        let file = parse(&text);
        let accepted = match &file.state {
            FileState::Broken { problems } => {
                let lines = text.replace("\r\n", "\n").split(['\n', '\r']).count();
                for problem in problems {
                    prop_assert!((1..=lines).contains(&(problem.line as usize)), "{}", problem);
                }
                problems.iter().all(|problem| {
                    problem.kind == sightglass_config::ProblemKind::WrongType
                })
            }
            _ => true,
        };
        let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let expected = serde_json::from_str::<Value>(bare);
        prop_assert_eq!(accepted, expected.is_ok(), "{:?} {:?}", file.state, expected);
        // Whatever can be edited stays as right as it was.
        let draft = Draft {
            name: "new".into(),
            endpoint: DraftEndpoint::Remote(DraftRemote { url: "https://x".into(), ..DraftRemote::default() }),
            era: EraChoice::Auto,
            limits: None,
            tools: None,
            sign_in: None,
            variables: None,
        };
        if let Ok(change) = crate::planned(Some(&text), &add(draft)) {
            let after = parse(after(&change));
            let kept_right = file.state != FileState::Loaded || after.state == FileState::Loaded;
            prop_assert!(kept_right, "{:?}", after.state);
        }
    }

    #[test]
    fn merging_follows_the_documented_precedence(
        contents in vec((select(Scope::ALL.to_vec()), servers(), layouts()), 0..6),
    ) {
        let mut model: BTreeMap<String, Vec<(Scope, Value)>> = BTreeMap::new();
        let mut by_scope: BTreeMap<Scope, (Value, Layout)> = BTreeMap::new();
        for (scope, servers, layout) in contents {
            by_scope.insert(scope, (servers, Layout { comments_every: 0, ..layout }));
        }
        let mut files = Vec::new();
        for (scope, (servers, layout)) in &by_scope {
            let root = Value::Object(Map::from_iter([("mcpServers".to_owned(), servers.clone())]));
            files.push(parse_scope(*scope, &written(&root, layout).0));
            for (name, server) in servers.as_object().expect("servers are an object") {
                model.entry(name.clone()).or_default().insert(0, (*scope, server.clone()));
            }
        }
        let config = combine(Client::McpJson, files, ClientApprovals::default());
        let found: BTreeMap<String, Vec<Scope>> = config
            .servers
            .iter()
            .map(|server| {
                let scopes = config.definitions(server).into_iter().map(|(file, _)| {
                    Scope::from_id(&file.place.target.scope).expect("a known scope")
                });
                (server.name.clone(), scopes.collect())
            })
            .collect();
        let expected: BTreeMap<String, Vec<Scope>> = model
            .iter()
            .map(|(name, definitions)| {
                (name.clone(), definitions.iter().map(|(scope, _)| *scope).collect())
            })
            .collect();
        prop_assert_eq!(found, expected);
        for server in &config.servers {
            let winner = &model[&server.name][0].1;
            let (_, definition) = config.definitions(server)[0];
            prop_assert_eq!(&value_of(definition.raw.expose()), winner);
        }
        prop_assert_eq!(config.servers.len(), model.len());
    }
}

fn after(change: &sightglass_config::FileChange) -> &str {
    change.after().expect("an edit leaves a file")
}
