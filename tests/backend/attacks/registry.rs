//! A registry whose entries lead into the user's own network.

use axum::{Router, response::Redirect, routing::get};
use serde_json::json;
use sightglass_inspector::{
    RemoteBundle,
    view::{NetworkSettings, Settings},
};
use sightglass_tests::{Environment, TestHost, forward_proxy::ForwardProxy};

/// A public registry, by the proxy that stands before it.
const REGISTRY: &str = "http://registry.example";

/// Addresses of the user's network, each in a way to write it.
const PRIVATE: [&str; 10] = [
    "https://127.0.0.1/x.mcpb",
    "https://127.1:8443/x.mcpb",
    "https://10.0.0.1/x.mcpb",
    "https://192.168.1.1/x.mcpb",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x.mcpb",
    "https://[::ffff:10.0.0.1]/x.mcpb",
    "https://[64:ff9b::a9fe:a9fe]/x.mcpb",
    "https://localhost/x.mcpb",
    "https://printer.localhost./x.mcpb",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_of_a_public_registry_leads_to_no_private_address() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let leads = |to: &'static str| get(async move || Redirect::temporary(to));
    let mut routes = Router::new()
        .route("/public", leads("https://files.example/x.mcpb"))
        .route("/plain", leads("http://files.example/x.mcpb"))
        .route("/own", leads("http://registry.example/x.mcpb"))
        .route("/v0.1/servers", leads(PRIVATE[2]))
        .route("/x.mcpb", get(async || "no bundle"));
    for (number, private) in PRIVATE.into_iter().enumerate() {
        routes = routes.route(&format!("/private/{number}"), leads(private));
    }
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let proxy = ForwardProxy::to(port);
    let environment = Environment::default().and("SIGHTGLASS_REGISTRY", REGISTRY);
    let host = TestHost::with_user(json!({}), environment);
    let settings = Settings {
        network: NetworkSettings {
            proxy: proxy.url(),
            no_proxy: String::new(),
            ca_file: String::new(),
        },
        ..host.inspector.core.settings()
    };
    host.inspector.core.save_settings(settings).expect("saved");
    let download = async |url: String| {
        let listed = RemoteBundle {
            url,
            sha256: "0".repeat(64),
        };
        let ended = host.inspector.setup.bundles.download_bundle(&listed).await;
        ended.expect_err("it is no bundle").to_string()
    };

    let own = download(format!("{REGISTRY}/own")).await;
    assert!(own.contains("not the one"), "it is read: {own}");
    let plain = download(format!("{REGISTRY}/plain")).await;
    assert!(plain.contains("https://"), "{plain}");
    download(format!("{REGISTRY}/public")).await;
    let asked = proxy.asked();
    let public = asked.iter().filter(|line| line.contains("files.example"));
    let public: Vec<_> = public.collect();
    assert_eq!(public, ["CONNECT files.example:443 HTTP/1.1"], "{asked:?}");
    let before = asked.len();

    for private in PRIVATE {
        let refused = download(private.to_owned()).await;
        assert!(refused.contains("private address"), "{private}: {refused}");
    }
    assert_eq!(proxy.asked().len(), before, "nobody was asked");
    for (number, private) in PRIVATE.into_iter().enumerate() {
        let refused = download(format!("{REGISTRY}/private/{number}")).await;
        assert!(refused.contains("private address"), "{private}: {refused}");
    }
    let found = host
        .inspector
        .setup
        .registry
        .search_registry("notes", None)
        .await;
    let refused = found.expect_err("it leads elsewhere").to_string();
    assert!(refused.contains("private address"), "{refused}");
    let asked = proxy.asked();
    let redirecting = |line: &String| line.contains(" http://registry.example/");
    assert_eq!(asked.len() - before, PRIVATE.len() + 1, "{asked:?}");
    assert!(asked[before..].iter().all(redirecting), "{asked:?}");
}
