//! Servers that are announced on the local network: looked for when asked, and not contacted.

use sightglass_inspector::view::AnnouncedServer;
use sightglass_tests::{Environment, TestHost, announcing::Announcer};
use tokio::net::TcpListener;

async fn look(announcer: &Announcer) -> Vec<AnnouncedServer> {
    let environment = Environment::default().and("SIGHTGLASS_MDNS_PORT", announcer.port());
    let host = TestHost::new().restart_in(environment).await;
    let found = host
        .inspector
        .setup
        .local_network
        .discover_local_servers()
        .await;
    found.expect("the network can be asked")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_announced_server_is_found_and_not_contacted() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let announcer = Announcer::start();
    announcer.announce("Ada's notes", "ada.local.", port, "/mcp");
    // Whoever else is on the network.
    announcer.announce("Bank\u{202e}", "bank.local.", 8080, "//evil.example/?a#b");
    let found = look(&announcer).await;
    let of = |name: &str| {
        let server = found.iter().find(|server| server.name.starts_with(name));
        server.unwrap_or_else(|| panic!("no {name} in {found:?}"))
    };
    let notes = of("Ada");
    assert_eq!(
        (notes.host.as_str(), notes.port, notes.path.as_str()),
        ("ada.local", port, "/mcp")
    );
    assert_eq!(notes.addresses, ["127.0.0.1"]);
    assert_eq!(notes.candidate.draft.name, "ada-s-notes");
    let bank = of("Bank");
    assert_eq!(
        (bank.host.as_str(), bank.path.as_str()),
        ("bank.local", "//evil.example/%3Fa%23b")
    );
    let contacted = tokio::time::timeout(std::time::Duration::ZERO, listener.accept()).await;
    assert!(contacted.is_err(), "somebody connected");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_announcements_nothing_is_found() {
    assert_eq!(look(&Announcer::start()).await, []);
}
