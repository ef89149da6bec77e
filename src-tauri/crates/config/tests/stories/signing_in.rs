//! Fields about signing in: read into the form, written back, translated.

use serde_json::{Map, Value, json};
use sightglass_config::{
    Client, ConfigAction, ConflictChoice, Draft, DraftSignIn, Target, TransferItem,
    definition_draft, parse_scope_file, plan_action, read_client, scope_place,
};

use crate::{World, dialects::fixture, form_action, planned_form, remote};

fn read(client: Client, scope: &str, text: &str, name: &str) -> Draft {
    let machine = World::new().machine();
    let place = scope_place(&Target::new(client, scope), &machine).expect("a scope");
    let file = parse_scope_file(place, text);
    definition_draft(file.definition(name).expect("it is there")).expect("it can be read")
}

fn own(text: &str) -> Draft {
    read(Client::McpJson, "project-root", text, "a")
}

fn edited(text: &str, change: impl FnOnce(&mut DraftSignIn)) -> String {
    let mut draft = own(text);
    change(draft.sign_in.as_mut().expect("it is a remote server"));
    let change = planned_form(text, "a", draft).expect("possible");
    change.after().expect("an edit leaves a file").to_owned()
}

#[test]
fn each_field_is_changed_where_and_how_it_stands() {
    let text = r#"{"mcpServers": {"a": {"url": "https://x", "oauth": {"client_id": "old", "clientSecret": "${S}", "scope": "a b", "extra": 1}, "callback_port": 8000}}}"#;
    let after = edited(text, |sign_in| {
        assert_eq!(sign_in.client_id.as_deref(), Some("old"));
        assert_eq!(sign_in.scopes, Some(vec!["a".into(), "b".into()]));
        assert_eq!(sign_in.callback_port, Some(8000));
        sign_in.client_id = Some("new".into());
        sign_in.scopes = Some(vec!["b".into(), "c".into()]);
        sign_in.callback_port = None;
        sign_in.bearer_variable = Some("TOKEN".into());
    });
    assert_eq!(
        after,
        r#"{"mcpServers": {"a": {"url": "https://x", "oauth": {"client_id": "new", "clientSecret": "${S}", "scope": "b c", "extra": 1}, "bearer_token_env_var": "TOKEN"}}}"#
    );
}

#[test]
fn signing_in_is_set_up_switched_off_and_forgotten_again() {
    let plain = r#"{"mcpServers": {"a": {"url": "https://x"}}}"#;
    let with_client = edited(plain, |sign_in| {
        sign_in.client_id = Some("abc".into());
        sign_in.scopes = Some(vec!["read".into()]);
    });
    assert_eq!(
        with_client,
        r#"{"mcpServers": {"a": {"url": "https://x", "oauth": {"clientId": "abc", "scopes": ["read"]}}}}"#
    );
    assert_eq!(
        edited(&with_client, |sign_in| *sign_in = DraftSignIn::default()),
        plain
    );
    let off = edited(plain, |sign_in| sign_in.off = true);
    assert_eq!(
        off,
        r#"{"mcpServers": {"a": {"url": "https://x", "oauth": false}}}"#
    );
    assert_eq!(edited(&off, |sign_in| sign_in.off = false), plain);
    let kept = r#"{"mcpServers": {"a": {"url": "https://x", "oauth": "off"}}}"#;
    assert_eq!(edited(kept, |_| {}), kept);
}

#[test]
fn what_cannot_be_read_stays() {
    let text = r#"{"mcpServers": {"a": {"url": "https://x", "oauth": {"callbackPort": "${PORT}", "clientId": 7}}}}"#;
    assert_eq!(edited(text, |_| {}), text);
}

#[test]
fn a_draft_that_says_nothing_of_it_leaves_it_alone() {
    let text = r#"{"mcpServers": {"a": {"url": "https://x", "oauth": {"clientId": "abc"}}}}"#;
    let change = planned_form(text, "a", remote("a", "https://x", &[]));
    let after = change.expect("possible").after().map(str::to_owned);
    assert!(
        after
            .expect("a file")
            .contains(r#""oauth": {"clientId": "abc"}"#)
    );
}

#[test]
fn another_client_says_it_in_its_own_words_and_keeps_what_only_it_knows() {
    let world = World::new();
    let text = "{\n  \"mcpServers\": {\n    \"r\": {\n      \"url\": \"https://x/mcp\",\n      \"auth\": { \"CLIENT_ID\": \"old\", \"CLIENT_SECRET\": \"${env:S}\", \"extra\": 1 }\n    }\n  }\n}\n";
    world.place(Client::Cursor, "project", text);
    let mut draft = read(Client::Cursor, "project", text, "r");
    let sign_in = draft.sign_in.as_mut().expect("a remote server");
    assert_eq!(sign_in.client_id.as_deref(), Some("old"));
    sign_in.client_id = Some("new".into());
    let target = Target::new(Client::Cursor, "project");
    let action = form_action(&world.machine(), &target, text, "r", &draft).expect("possible");
    let plan = plan_action(&action, &world.machine()).expect("possible");
    assert_eq!(
        plan.files[0].change.after(),
        Some(text.replace("old", "new").as_str())
    );
}

/// The `oauth` of a server as a copy in another client's file says it, and what was lost.
fn copied(to: (Client, &str), entry: Value) -> (Map<String, Value>, Vec<String>) {
    let world = World::new();
    world.place(
        Client::McpJson,
        "user",
        &json!({ "mcpServers": { "a": entry } }).to_string(),
    );
    let action = ConfigAction::Copy {
        from: Target::new(Client::McpJson, "user"),
        to: Target::new(to.0, to.1),
        items: vec![TransferItem {
            name: "a".into(),
            new_name: None,
            conflict: ConflictChoice::Refuse,
        }],
    };
    let plan = plan_action(&action, &world.machine()).expect("possible");
    let change = &plan.files[0].change;
    world.place(to.0, to.1, change.after().expect("a file"));
    let config = read_client(to.0, &world.machine());
    let common = config.effective(config.server("a").expect("copied"));
    (
        common,
        plan.lost.into_iter().map(|lost| lost.field).collect(),
    )
}

#[test]
fn a_copy_takes_along_what_the_other_client_can_say_and_names_the_rest() {
    let entry = json!({
        "url": "https://x/mcp",
        "oauth": { "clientId": "abc", "scopes": ["read", "write"], "callbackPort": 8123 },
        "bearer_token_env_var": "TOKEN",
    });
    let (common, lost) = copied((Client::ClaudeCode, "user"), entry.clone());
    assert_eq!(
        common["oauth"],
        json!({ "clientId": "abc", "callbackPort": 8123, "scopes": "read write" })
    );
    assert_eq!(common["headers"]["Authorization"], "Bearer ${TOKEN}");
    assert_eq!(lost, [""; 0]);

    let (common, lost) = copied((Client::Codex, "user"), entry.clone());
    assert_eq!(
        common["oauth"],
        json!({ "clientId": "abc", "scopes": ["read", "write"] })
    );
    assert_eq!(common["headers"]["Authorization"], "Bearer ${TOKEN}");
    assert_eq!(lost, ["oauth.callbackPort"]);

    let (_, lost) = copied((Client::Windsurf, "user"), entry);
    assert_eq!(
        lost,
        ["oauth.clientId", "oauth.scopes", "oauth.callbackPort"]
    );

    let off = json!({ "url": "https://x/mcp", "oauth": false });
    let (common, lost) = copied((Client::Opencode, "user"), off.clone());
    assert_eq!((&common["oauth"], lost.len()), (&json!(false), 0));
    let (_, lost) = copied((Client::Cursor, "user"), off);
    assert_eq!(lost, ["oauth"]);
}

#[test]
fn the_captured_files_say_the_same_after_saving_the_form() {
    let text = fixture("opencode.jsonc");
    let world = World::new();
    world.place(Client::Opencode, "user", &text);
    let config = read_client(Client::Opencode, &world.machine());
    for server in &config.servers {
        let draft = read(Client::Opencode, "user", &text, &server.name);
        let target = Target::new(Client::Opencode, "user");
        let action =
            form_action(&world.machine(), &target, &text, &server.name, &draft).expect("possible");
        let plan = plan_action(&action, &world.machine()).expect("possible");
        assert!(plan.files.is_empty(), "{}", server.name);
    }
}
