//! Extensions: a user sees what each side declares, declares one, and sees what the server makes
//! of it.

use serde_json::{Value, json};
use sightglass_inspector::{
    InspectorError, ProtocolChoice, ServerId,
    view::{ExtensionControl, ExtensionEffect, ExtensionRow, ServerSettings},
};
use sightglass_tests::{TestHost, programs::extended, wiretap::Wiretap};

const APPS: &str = "io.modelcontextprotocol/ui";
const TASKS: &str = "io.modelcontextprotocol/tasks";
const SKILLS: &str = "io.modelcontextprotocol/skills";

async fn connected(protocol: ProtocolChoice) -> (TestHost, ServerId, Wiretap) {
    let tap = Wiretap::new();
    let host = TestHost::with_servers(json!({ "s": extended(&tap, &json!({ "skills": [] })) }));
    let server = TestHost::id("s");
    let settings = ServerSettings {
        protocol: Some(protocol),
        ..ServerSettings::default()
    };
    let saved = host
        .inspector
        .servers
        .settings_changes
        .update_server_settings(&server, settings);
    saved.expect("saved");
    host.connect(&server).await;
    (host, server, tap)
}

fn row(host: &TestHost, server: &ServerId, id: &str) -> ExtensionRow {
    let rows = host.inspector.calls.extensions.extensions(server).rows;
    let row = rows.into_iter().find(|row| row.id == id);
    row.unwrap_or_else(|| panic!("there is no {id}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_switch_shows_what_the_server_makes_of_it_in_each_era() {
    for protocol in [ProtocolChoice::Stateless, ProtocolChoice::Initialize] {
        let (host, server, _tap) = connected(protocol).await;
        let inspector = &host.inspector;
        assert_eq!(row(&host, &server, APPS).effect, ExtensionEffect::Neither);
        let other = row(&host, &server, "com.example/tools");
        assert_eq!(other.effect, ExtensionEffect::ServerOnly);
        assert_eq!(other.offered.as_deref(), Some(r#"{"depth":2}"#));

        let changes = inspector
            .calls
            .extensions
            .update_extension(&server, APPS, true)
            .await;
        let changes = changes.expect("connected anew").expect("a comparison");
        let changed: Vec<_> = changes.changes.iter().map(|change| &*change.rule).collect();
        assert_eq!(changed, ["added"], "{protocol:?}");
        assert_eq!(
            changes.changes[0].subject.name,
            "io.modelcontextprotocol_ui"
        );
        let apps = row(&host, &server, APPS);
        assert_eq!(apps.effect, ExtensionEffect::ClientOnly);
        assert!(apps.declared.expect("declared").contains("mcp-app"));

        // Tasks are declared unless they are switched off.
        let name = match protocol {
            ProtocolChoice::Stateless => "io.modelcontextprotocol_tasks",
            _ => "tasks",
        };
        for is_declared in [false, true] {
            assert_eq!(row(&host, &server, TASKS).declared.is_some(), !is_declared);
            let changes = inspector
                .calls
                .extensions
                .update_extension(&server, TASKS, is_declared)
                .await;
            let changes = changes.expect("connected anew").expect("a comparison");
            assert_eq!(changes.changes[0].subject.name, name);
        }

        let changes = inspector
            .calls
            .extensions
            .update_extension(&server, APPS, false)
            .await;
        let changes = changes.expect("connected anew").expect("a comparison");
        assert_eq!(changes.breaking, 1, "the tool is gone");
        assert!(
            row(&host, &server, TASKS).declared.is_some(),
            "it is as it was"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_extension_is_declared_by_hand() {
    let (host, server, _tap) = connected(ProtocolChoice::Stateless).await;
    let inspector = &host.inspector;
    let text = r#"{"com.example/tools": {"depth": 3}}"#.to_owned();
    let changes = inspector
        .calls
        .extensions
        .declare_extensions(&server, text.clone())
        .await;
    assert_eq!(
        changes.expect("connected").expect("compared").changes.len(),
        1
    );
    assert_eq!(
        inspector.calls.extensions.extensions(&server).declared,
        text
    );
    let row_of_it = row(&host, &server, "com.example/tools");
    assert_eq!(row_of_it.effect, ExtensionEffect::InForce);
    for wrong in ["[]", "{", r#"{"a/b": 1}"#] {
        let refused = inspector
            .calls
            .extensions
            .declare_extensions(&server, wrong.to_owned())
            .await;
        assert!(
            matches!(refused, Err(InspectorError::InvalidInput(_))),
            "{wrong}"
        );
    }
    assert_eq!(
        inspector.calls.extensions.extensions(&server).declared,
        text
    );

    // Without a connection there is nothing to compare, and nothing is connected.
    inspector.servers.open_connections.disconnect(&server).await;
    let changes = inspector
        .calls
        .extensions
        .update_extension(&server, APPS, true)
        .await;
    assert_eq!(changes.expect("kept"), None);
    assert_eq!(row(&host, &server, APPS).effect, ExtensionEffect::Unknown);
    let declared: Value =
        serde_json::from_str(&inspector.calls.extensions.extensions(&server).declared)
            .expect("JSON");
    assert_eq!(declared["com.example/tools"]["depth"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_need_no_declaration_of_the_client() {
    let (host, server, _tap) = connected(ProtocolChoice::Stateless).await;
    let skills = row(&host, &server, SKILLS);
    assert_eq!(skills.control, ExtensionControl::ServerOnly);
    assert_eq!(
        (skills.effect, skills.declared),
        (ExtensionEffect::InForce, None)
    );
    let (host, server, _tap) = connected(ProtocolChoice::Initialize).await;
    assert_eq!(
        row(&host, &server, SKILLS).effect,
        ExtensionEffect::OtherEra
    );
}
