//! Properties of the files of every client, however they are laid out, on files made up at
//! random.

use std::{collections::BTreeMap, fs};

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value, json};
use sightglass_config::{
    ChangePlan, Client, ConfigAction, ConfigError, Draft, DraftEndpoint, FileState, History,
    HistoryStep, Target, definition_draft, parse_scope_file, plan_action, read_client, scope_place,
    summary,
};

use crate::{DESK, World, cases, form_action, program, touched_lines};

/// Shape of a generated server.
#[derive(Debug, Clone)]
struct Shape {
    remote: bool,
    /// Arguments, environment or headers.
    details: bool,
    disabled: bool,
    /// Fields that nobody knows.
    unknown: bool,
    /// On as many lines as it can have.
    tall: bool,
    comment: bool,
}

/// Layout of a generated file.
#[derive(Debug, Clone)]
struct Style {
    byte_order_mark: bool,
    windows: bool,
    tabs: bool,
    tight: bool,
    ends_with_line_end: bool,
    /// Other things of the client before and after the servers.
    surrounded: bool,
}

#[derive(Debug, Clone)]
struct Made {
    client: Client,
    text: String,
    names: Vec<String>,
    /// The lines of each server, the first and the one behind the last, from 0.
    spans: Vec<(usize, usize)>,
}

/// The scope in which each client's file is tried.
fn target(client: Client) -> Target {
    let scope = match client {
        Client::McpJson => "project",
        Client::Vscode => "workspace",
        Client::VisualStudio => "project",
        _ => "user",
    };
    Target::new(client, scope)
}

fn is_toml(client: Client) -> bool {
    matches!(client, Client::Codex | Client::Caliban)
}

fn is_yaml(client: Client) -> bool {
    matches!(client, Client::Goose | Client::Continue)
}

fn takes_comments(client: Client) -> bool {
    is_toml(client)
        || matches!(
            client,
            Client::Opencode | Client::Cursor | Client::Zed | Client::Gemini
        )
        || is_like_vscode(client)
}

fn is_like_vscode(client: Client) -> bool {
    matches!(
        client,
        Client::Vscode | Client::VscodeInsiders | Client::Vscodium | Client::VisualStudio
    )
}

fn section(client: Client) -> &'static str {
    match client {
        Client::Codex => "mcp_servers",
        Client::Caliban => "server",
        Client::Opencode => "mcp",
        client if is_like_vscode(client) => "servers",
        Client::Zed => "context_servers",
        Client::Goose => "extensions",
        _ => "mcpServers",
    }
}

/// An entry as the client's own documentation writes it.
fn entry(client: Client, shape: &Shape, tag: usize) -> Map<String, Value> {
    let mut entry = Map::new();
    let mut set = |key: &str, value: Value| {
        entry.insert(key.to_owned(), value);
    };
    let command = format!("program-{tag}");
    let url = format!("https://example.org/{tag}");
    let named = json!({ "A": format!("one {tag}"), "B_C": "two" });
    if client == Client::Goose {
        let word = if shape.remote {
            "streamable_http"
        } else {
            "stdio"
        };
        set("type", word.into());
        if shape.remote {
            set("uri", url.into());
        } else {
            set("cmd", command.into());
        }
        if shape.details {
            set(if shape.remote { "headers" } else { "envs" }, named);
            set("timeout", 300.into());
        }
        set("enabled", (!shape.disabled).into());
    } else if client == Client::Continue && shape.remote {
        set("type", "streamable-http".into());
        set("url", url.into());
        if shape.details {
            set(
                "requestOptions",
                json!({ "headers": named, "verifySsl": true }),
            );
        }
    } else if shape.remote && !matches!(client, Client::ClaudeDesktop | Client::Junie) {
        match client {
            Client::Opencode => set("type", "remote".into()),
            Client::Cline => set("type", "streamableHttp".into()),
            Client::RooCode => set("type", "streamable-http".into()),
            Client::ClaudeCode | Client::CopilotCli | Client::AmazonQ => {
                set("type", "http".into());
            }
            client if is_like_vscode(client) => set("type", "http".into()),
            Client::Caliban => set("transport", "http".into()),
            _ => {}
        }
        match client {
            Client::Windsurf => set("serverUrl", url.into()),
            Client::Gemini => set("httpUrl", url.into()),
            _ => set("url", url.into()),
        }
        if shape.details {
            let field = if client == Client::Codex {
                "http_headers"
            } else {
                "headers"
            };
            set(field, named);
        }
    } else {
        match client {
            Client::Opencode => {
                set("type", "local".into());
                let mut words = vec![command];
                if shape.details {
                    words.push("--flag".into());
                }
                set("command", words.into());
            }
            _ => {
                if is_like_vscode(client) {
                    set("type", "stdio".into());
                } else if client == Client::CopilotCli {
                    set("type", "local".into());
                }
                set("command", command.into());
                if shape.details {
                    set("args", json!(["--flag", format!("{tag}")]));
                } else if client == Client::Zed {
                    set("args", json!([]));
                }
            }
        }
        if shape.details {
            let field = if client == Client::Opencode {
                "environment"
            } else {
                "env"
            };
            set(field, named);
        }
    }
    if shape.disabled {
        match client {
            Client::Codex | Client::Opencode | Client::Zed => set("enabled", false.into()),
            Client::McpJson
            | Client::Caliban
            | Client::Cursor
            | Client::Windsurf
            | Client::Cline
            | Client::RooCode
            | Client::Kiro
            | Client::AmazonQ => {
                set("disabled", true.into());
            }
            _ => {}
        }
    }
    if client == Client::CopilotCli {
        set("tools", json!(["*"]));
    }
    if shape.unknown {
        set("x-unknown", json!({ "deep": [1, "two"] }));
    }
    entry
}

fn make(client: Client, shapes: Vec<Shape>, style: &Style) -> Made {
    let names: Vec<String> = (0..shapes.len())
        .map(|index| match index % 3 {
            0 => format!("server-{index}"),
            1 => format!("s_{index}"),
            _ if is_toml(client) => format!("plain{index}"),
            _ => format!("größe \"{index}\"/x.y"),
        })
        .collect();
    let mut lines: Vec<String> = Vec::new();
    let spans = if is_toml(client) {
        toml_lines(client, &names, &shapes, style, &mut lines)
    } else if is_yaml(client) {
        yaml_lines(client, &names, &shapes, style, &mut lines)
    } else {
        json_lines(client, &names, &shapes, style, &mut lines)
    };
    let line_end = if style.windows { "\r\n" } else { "\n" };
    let mut text = lines.join(line_end);
    if style.ends_with_line_end {
        text.push_str(line_end);
    }
    if style.byte_order_mark {
        text.insert(0, '\u{feff}');
    }
    Made {
        client,
        text,
        names,
        spans,
    }
}

fn json_lines(
    client: Client,
    names: &[String],
    shapes: &[Shape],
    style: &Style,
    lines: &mut Vec<String>,
) -> Vec<(usize, usize)> {
    let indent = |depth: usize| if style.tabs { "\t" } else { "  " }.repeat(depth);
    let colon = if style.tight { ":" } else { ": " };
    let comments = takes_comments(client);
    let mut spans = Vec::new();
    lines.push("{".into());
    if style.surrounded {
        lines.push(format!("{}\"before\"{colon}[1.50,  2e3],", indent(1)));
    }
    lines.push(format!("{}{}{colon}{{", indent(1), json!(section(client))));
    for (index, (name, shape)) in names.iter().zip(shapes).enumerate() {
        if shape.comment && comments {
            lines.push(format!("{}// about {index}", indent(2)));
        }
        let start = lines.len();
        let comma = if index + 1 < names.len() { "," } else { "" };
        let key = format!("{}{}{colon}", indent(2), json!(name));
        let entry = entry(client, shape, index);
        if shape.tall {
            lines.push(format!("{key}{{"));
            let count = entry.len();
            for (place, (field, value)) in entry.into_iter().enumerate() {
                let comma = if place + 1 < count { "," } else { "" };
                lines.push(format!(
                    "{}{}{colon}{value}{comma}",
                    indent(3),
                    json!(field)
                ));
            }
            lines.push(format!("{}}}{comma}", indent(2)));
        } else {
            lines.push(format!("{key}{}{comma}", Value::Object(entry)));
        }
        spans.push((start, lines.len()));
    }
    if style.surrounded {
        lines.push(format!("{}}},", indent(1)));
        lines.push(format!("{}\"after\"{colon}{{ \"x\":null }}", indent(1)));
    } else {
        lines.push(format!("{}}}", indent(1)));
    }
    lines.push("}".into());
    spans
}

fn toml_lines(
    client: Client,
    names: &[String],
    shapes: &[Shape],
    style: &Style,
    lines: &mut Vec<String>,
) -> Vec<(usize, usize)> {
    let equals = if style.tight { "=" } else { " = " };
    let mut spans = Vec::new();
    if style.surrounded {
        lines.push(format!("model{equals}\"o\" # mine"));
        lines.push(String::new());
    }
    for (index, (name, shape)) in names.iter().zip(shapes).enumerate() {
        if shape.comment {
            lines.push(format!("# about {index}"));
        }
        let start = lines.len();
        lines.push(format!("[{}.{name}]", section(client)));
        let mut tables = Vec::new();
        for (field, value) in entry(client, shape, index) {
            match &value {
                Value::Object(inner) if shape.tall => tables.push((field, inner.clone())),
                value => lines.push(format!("{field}{equals}{}", toml_value(value))),
            }
        }
        for (field, inner) in tables {
            lines.push(format!("[{}.{name}.{field}]", section(client)));
            for (key, value) in inner {
                lines.push(format!("{key}{equals}{}", toml_value(&value)));
            }
        }
        spans.push((start, lines.len()));
        if !style.tight {
            lines.push(String::new());
        }
    }
    if style.surrounded {
        lines.push("[after]".into());
        lines.push("x = [ 1,2 ]".into());
    }
    spans
}

fn yaml_lines(
    client: Client,
    names: &[String],
    shapes: &[Shape],
    style: &Style,
    lines: &mut Vec<String>,
) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    if style.surrounded {
        lines.push("model: o # mine".into());
        lines.push(String::new());
    }
    lines.push(format!("{}:", section(client)));
    for (index, (name, shape)) in names.iter().zip(shapes).enumerate() {
        if shape.comment {
            lines.push(format!("  # about {index}"));
        }
        let start = lines.len();
        let key = if name.is_ascii() {
            name.clone()
        } else {
            json!(name).to_string()
        };
        if client == Client::Continue {
            lines.push(format!("  - name: {key}"));
        } else {
            lines.push(format!("  {key}:"));
        }
        for (field, value) in entry(client, shape, index) {
            match &value {
                Value::Object(inner) if shape.tall => {
                    lines.push(format!("    {field}:"));
                    let members = inner.iter();
                    lines.extend(members.map(|(key, value)| format!("      {key}: {value}")));
                }
                Value::String(text) if !style.tight => lines.push(format!("    {field}: '{text}'")),
                value => lines.push(format!("    {field}: {value}")),
            }
        }
        spans.push((start, lines.len()));
        if !style.tight {
            lines.push(String::new());
        }
    }
    if style.surrounded {
        lines.push("after:".into());
        lines.push("  x: [ 1,2 ]".into());
    }
    spans
}

fn toml_value(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(toml_value).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_value(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    let shape = any::<[bool; 6]>().prop_map(
        |[remote, details, disabled, unknown, tall, comment]| Shape {
            remote,
            details,
            disabled,
            unknown,
            tall,
            comment,
        },
    );
    vec(shape, 1..5)
}

fn styles() -> impl Strategy<Value = Style> {
    any::<[bool; 6]>().prop_map(
        |[
            byte_order_mark,
            windows,
            tabs,
            tight,
            ends_with_line_end,
            surrounded,
        ]| Style {
            byte_order_mark,
            windows,
            tabs,
            tight,
            ends_with_line_end,
            surrounded,
        },
    )
}

fn files() -> impl Strategy<Value = Made> {
    (select(Client::ALL.to_vec()), shapes(), styles())
        .prop_map(|(client, shapes, style)| make(client, shapes, &style))
}

/// Files of clients that say in an entry that it is off, where none is. The others keep lists of
/// what is off, beside the servers, or cannot switch at all.
fn files_with_a_switch() -> impl Strategy<Value = Made> {
    let clients = vec![
        Client::McpJson,
        Client::Codex,
        Client::Opencode,
        Client::Caliban,
        Client::Cursor,
        Client::Windsurf,
        Client::Zed,
        Client::Cline,
        Client::RooCode,
        Client::Kiro,
        Client::AmazonQ,
    ];
    (select(clients), shapes(), styles()).prop_map(|(client, mut shapes, style)| {
        for shape in &mut shapes {
            shape.disabled = false;
        }
        make(client, shapes, &style)
    })
}

fn plan_for(made: &Made, text: &str, action: &ConfigAction) -> Result<ChangePlan, ConfigError> {
    DESK.with(|world| {
        let path = scope_place(&target(made.client), &world.machine())
            .expect("a scope")
            .path;
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(path, text).expect("written");
        plan_action(action, &world.machine())
    })
}

fn saved_form(made: &Made, name: &str, draft: &Draft) -> ConfigAction {
    let action = DESK.with(|world| {
        form_action(
            &world.machine(),
            &target(made.client),
            &made.text,
            name,
            draft,
        )
    });
    action.expect("possible")
}

/// Returns the text that an action makes, after it was undone and redone in between.
fn acted(made: &Made, text: &str, action: &ConfigAction) -> Result<String, ConfigError> {
    let plan = plan_for(made, text, action)?;
    let [file] = plan.files.as_slice() else {
        assert!(plan.files.is_empty(), "one file is touched");
        return Ok(text.to_owned());
    };
    let after = file
        .change
        .after()
        .expect("an edit leaves a file")
        .to_owned();
    let mut history = History::default();
    history.record(&plan, HistoryStep::New);
    let undo = history
        .plan_undo()
        .expect("there is something to take back");
    assert_eq!(undo.files[0].change.before(), Some(after.as_str()));
    assert_eq!(undo.files[0].change.after(), Some(text), "undone");
    history.record(&undo, HistoryStep::Undo);
    let redo = history.plan_redo().expect("there is something to do again");
    assert_eq!(redo.files[0].change.after(), Some(after.as_str()), "redone");
    Ok(after)
}

/// The verbatim texts of the servers but one.
fn others(made: &Made, text: &str, name: &str) -> BTreeMap<String, String> {
    let place = scope_place(&target(made.client), &DESK.with(World::machine)).expect("a scope");
    let file = parse_scope_file(place, text);
    assert_eq!(file.state, FileState::Loaded, "{text}");
    file.definitions
        .into_iter()
        .filter(|definition| definition.name != name)
        .map(|definition| (definition.name, definition.raw.expose().clone()))
        .collect()
}

fn draft_of(made: &Made, text: &str, name: &str) -> Draft {
    let place = scope_place(&target(made.client), &DESK.with(World::machine)).expect("a scope");
    let file = parse_scope_file(place, text);
    definition_draft(file.definition(name).expect("it is there")).expect("it can be read")
}

/// Returns the range of the lines of `before` that are not in `after`: the first, and the one
/// behind the last.
fn touched(before: &str, after: &str) -> (usize, usize) {
    let before: Vec<&str> = before.split('\n').collect();
    let after: Vec<&str> = after.split('\n').collect();
    touched_lines(&before, &after)
}

fn lies_within((first, end): (usize, usize), lines: (usize, usize)) -> bool {
    first >= end || (first >= lines.0 && end <= lines.1)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn saving_what_was_read_changes_no_byte(made in files()) {
        for name in &made.names {
            let draft = draft_of(&made, &made.text, name);
            let action = saved_form(&made, name, &draft);
            let plan = plan_for(&made, &made.text, &action).expect("possible");
            let after = plan.files.first().and_then(|file| file.change.after());
            prop_assert!(plan.files.is_empty(), "{} became {:?}", made.text, after);
        }
        let action = ConfigAction::Text { target: target(made.client), text: made.text.clone() };
        prop_assert!(plan_for(&made, &made.text, &action).expect("possible").files.is_empty());
    }

    #[test]
    fn an_edit_changes_the_lines_of_its_server_alone(
        made in files(), chosen in any::<prop::sample::Index>(), remove_details in any::<bool>(),
    ) {
        let index = chosen.index(made.names.len());
        let name = &made.names[index];
        let mut draft = draft_of(&made, &made.text, name);
        match &mut draft.endpoint {
            DraftEndpoint::Stdio { command, arguments, environment, .. } => {
                if remove_details {
                    arguments.clear();
                    environment.clear();
                } else {
                    arguments.push("--more".into());
                }
                command.push_str("-new");
            }
            DraftEndpoint::Remote(remote) => {
                if remove_details {
                    remote.headers.clear();
                }
                remote.url.push_str("/new");
            }
        }
        let action = saved_form(&made, name, &draft);
        let after = acted(&made, &made.text, &action).expect("possible");
        let lines = touched(&made.text, &after);
        prop_assert!(lies_within(lines, made.spans[index]), "{lines:?} of\n{}\n{after}", made.text);
        prop_assert_eq!(others(&made, &made.text, name), others(&made, &after, name));
        prop_assert_eq!(draft_of(&made, &after, name), draft);
    }

    #[test]
    fn what_is_added_is_taken_away_again_without_a_trace(made in files()) {
        let name = "new-one";
        let add = ConfigAction::Add {
            target: target(made.client), draft: program(name, "added", &["--x", "a b"]),
        };
        let after = acted(&made, &made.text, &add).expect("possible");
        // At most the line before gains a comma.
        let (first, end) = touched(&made.text, &after);
        prop_assert!(end.saturating_sub(first) <= 1, "{}\n{after}", made.text);
        prop_assert_eq!(others(&made, &made.text, name), others(&made, &after, name));
        let remove = ConfigAction::Remove { target: target(made.client), names: vec![name.into()] };
        prop_assert_eq!(acted(&made, &after, &remove).expect("possible"), made.text);
    }

    #[test]
    fn removing_takes_the_lines_of_that_server(
        made in files(), chosen in any::<prop::sample::Index>(),
    ) {
        let index = chosen.index(made.names.len());
        let name = &made.names[index];
        let remove = ConfigAction::Remove { target: target(made.client), names: vec![name.clone()] };
        let after = acted(&made, &made.text, &remove).expect("possible");
        prop_assert_eq!(others(&made, &made.text, name), others(&made, &after, name));
        // Nothing at all would be null in YAML, so that braces stand for no servers.
        let after = match made.client {
            Client::Goose => after.replacen("extensions: {}", "extensions:", 1),
            Client::Continue => after.replacen("mcpServers: []", "mcpServers:", 1),
            _ => after,
        };
        // What is left is what was there: nothing is written anew, and nothing moves.
        let mut rest = made.text.chars();
        prop_assert!(after.chars().all(|kept| rest.any(|character| character == kept)), "{after}");
        // Comments stay, also those beside a server that goes.
        let comments = |text: &str| text.matches("about ").count();
        prop_assert_eq!(comments(&made.text), comments(&after), "{}", after);
    }

    #[test]
    fn a_server_is_renamed_and_renamed_back(
        made in files(), chosen in any::<prop::sample::Index>(),
    ) {
        let index = chosen.index(made.names.len());
        let name = &made.names[index];
        let rename = |name: &str, new_name: &str| ConfigAction::Rename {
            target: target(made.client), name: name.into(), new_name: new_name.into(),
        };
        let after = acted(&made, &made.text, &rename(name, "renamed")).expect("possible");
        let lines = touched(&made.text, &after);
        prop_assert!(lies_within(lines, made.spans[index]), "{lines:?} of\n{}\n{after}", made.text);
        let back = acted(&made, &after, &rename("renamed", name)).expect("possible");
        prop_assert_eq!(back, made.text);
    }

    #[test]
    fn a_server_is_switched_off_and_on_again(
        made in files_with_a_switch(), chosen in any::<prop::sample::Index>(),
    ) {
        let index = chosen.index(made.names.len());
        let name = &made.names[index];
        let names = vec![name.clone()];
        let target = target(made.client);
        let off = ConfigAction::Disable { target: target.clone(), names: names.clone() };
        let after = acted(&made, &made.text, &off).expect("possible");
        let lines = touched(&made.text, &after);
        prop_assert!(after != made.text);
        prop_assert!(lies_within(lines, made.spans[index]), "{lines:?} of\n{}\n{after}", made.text);
        let on = ConfigAction::Enable { target, names };
        prop_assert_eq!(acted(&made, &after, &on).expect("possible"), made.text);
    }

    #[test]
    fn every_client_follows_its_documented_precedence(
        client in select(ORDERS.map(|(client, ..)| client).to_vec()),
        contents in vec(vec((0..4_usize, any::<[bool; 3]>()), 0..4), 4),
        trusted in any::<bool>(),
    ) {
        let (_, rule, order) = ORDERS
            .into_iter()
            .find(|(ordered, ..)| *ordered == client)
            .expect("it is in the table");
        let world = World::new();
        let mut model: BTreeMap<String, Definitions<'_>> = BTreeMap::new();
        for (level, (scope, servers)) in order.iter().zip(&contents).enumerate() {
            let mut written = Map::new();
            for (number, [details, disabled, tall]) in servers {
                let shape = Shape {
                    remote: false,
                    details: *details,
                    disabled: *disabled && rule == Rule::Fields,
                    unknown: false,
                    tall: *tall,
                    comment: false,
                };
                written.insert(format!("s{number}"), entry(client, &shape, level).into());
            }
            put(&world, client, scope, &written);
            for (name, entry) in written {
                let entry = entry.as_object().expect("an entry is an object").clone();
                model.entry(name).or_default().insert(0, (*scope, entry));
            }
        }
        let asks = matches!(client, Client::ClaudeCode | Client::Codex | Client::Gemini);
        let waits = |scope: &str| asks && !trusted && scope == "project";
        if trusted {
            trust(&world, client);
        }
        let config = read_client(client, &world.machine());
        prop_assert_eq!(config.servers.len(), model.len());
        for (name, definitions) in &mut model {
            // What waits for a person's word counts after everything else.
            definitions.sort_by_key(|(scope, _)| waits(scope));
            let server = config.server(name).expect("it is found");
            let found: Vec<&str> = config
                .definitions(server)
                .into_iter()
                .map(|(file, _)| file.place.target.scope.as_str())
                .collect();
            let expected: Vec<&str> = definitions.iter().map(|(scope, _)| *scope).collect();
            prop_assert_eq!(found, expected);
            let counting = definitions.iter().filter(|(scope, _)| !waits(scope)).count();
            let mut effective = Map::new();
            for (_, definition) in definitions.iter().take(counting.max(1)).rev() {
                match rule {
                    Rule::Whole => effective = definition.clone(),
                    Rule::Fields => merge_deep(&mut effective, definition),
                }
            }
            let mut words: Vec<String> = match &effective["command"] {
                Value::String(command) => vec![command.clone()],
                other => serde_json::from_value(other.clone()).expect("texts"),
            };
            if let Some(arguments) = effective.get("args") {
                words.extend(serde_json::from_value::<Vec<String>>(arguments.clone()).expect("texts"));
            }
            let common = config.effective(server);
            prop_assert_eq!(summary(&common), words.join(" "));
            let environment = effective.get("env").or(effective.get("environment"));
            let off = effective.get("enabled") == Some(&false.into());
            prop_assert_eq!(common.get("env"), environment);
            prop_assert_eq!(common.get("disabled") == Some(&true.into()), off);
        }
    }
}

/// Definitions of one server by scope, the one that wins first.
type Definitions<'a> = Vec<(&'a str, Map<String, Value>)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Whole,
    Fields,
}

/// Each client's scopes, the lowest precedence first, as its documentation orders them.
const ORDERS: [(Client, Rule, &[&str]); 16] = [
    (
        Client::McpJson,
        Rule::Whole,
        &["chimera", "user", "project-root", "local"],
    ),
    (
        Client::ClaudeCode,
        Rule::Whole,
        &["user", "project", "local"],
    ),
    (Client::Codex, Rule::Fields, &["system", "user", "project"]),
    (
        Client::Opencode,
        Rule::Fields,
        &["user", "project", "directory"],
    ),
    (Client::Caliban, Rule::Whole, &["user", "project"]),
    (Client::Vscode, Rule::Whole, &["user", "workspace"]),
    (Client::Cursor, Rule::Whole, &["user", "project"]),
    (Client::Zed, Rule::Whole, &["user", "project"]),
    (Client::Cline, Rule::Whole, &["earlier", "user"]),
    (Client::CopilotCli, Rule::Whole, &["user", "project"]),
    (Client::RooCode, Rule::Whole, &["user", "project"]),
    (Client::Kiro, Rule::Whole, &["user", "project"]),
    (
        Client::AmazonQ,
        Rule::Whole,
        &["earlier", "user", "project"],
    ),
    (Client::Junie, Rule::Whole, &["user", "project"]),
    (Client::Warp, Rule::Whole, &["user", "project"]),
    (
        Client::Gemini,
        Rule::Whole,
        &["system-defaults", "user", "project", "system"],
    ),
];

/// Says in the client that the project may be used.
fn trust(world: &World, client: Client) {
    let places = world.places();
    if client == Client::Codex {
        let path = scope_place(&Target::new(client, "user"), &world.machine())
            .expect("a scope")
            .path;
        let key = Value::from(places.project.display().to_string());
        let text = fs::read_to_string(&path).expect("written before");
        let text = format!("{text}\n[projects.{key}]\ntrust_level = \"trusted\"\n");
        return fs::write(path, text).expect("written");
    }
    let (path, text) = match client {
        Client::Gemini => (
            ".gemini/trustedFolders.json",
            json!({ places.project.display().to_string(): "TRUST_FOLDER" }).to_string(),
        ),
        _ => (
            ".claude/settings.json",
            r#"{"enableAllProjectMcpServers":true}"#.to_owned(),
        ),
    };
    let path = places.home.join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(path, text).expect("written");
}

fn merge_deep(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge_deep(old, new),
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Puts servers into the file of a scope, beside those of other scopes in the same file.
fn put(world: &World, client: Client, scope: &str, servers: &Map<String, Value>) {
    let place = scope_place(&Target::new(client, scope), &world.machine()).expect("a scope");
    fs::create_dir_all(place.path.parent().expect("a directory")).expect("made");
    if is_toml(client) {
        let text: String = servers
            .iter()
            .map(|(name, entry)| {
                let fields: String = entry
                    .as_object()
                    .expect("an entry is an object")
                    .iter()
                    .map(|(key, value)| format!("{key} = {}\n", toml_value(value)))
                    .collect();
                format!("[{}.{name}]\n{fields}\n", section(client))
            })
            .collect();
        return fs::write(place.path, text).expect("written");
    }
    let mut root: Value = fs::read_to_string(&place.path)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| json!({}));
    let project = world.places().project.display().to_string();
    let owner = if (client, scope) == (Client::ClaudeCode, "local") {
        &mut root["projects"][project]
    } else {
        &mut root
    };
    owner[section(client)] = servers.clone().into();
    fs::write(place.path, root.to_string()).expect("written");
}
