//! Servers by others, over both transports.

use serde_json::json;
use sightglass_inspector::{ListKind, RequestEnd};
use sightglass_tests::{TestHost, programs, text_of};

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_works_over_stdio_and_streamable_http() {
    let http = programs::everything_over_http();
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    let host = TestHost::with_servers(json!({
        "stdio": { "command": "node", "args": [script, "stdio"] },
        "http": { "url": http.url },
    }));
    for name in ["stdio", "http"] {
        let server = TestHost::id(name);
        host.connect(&server).await;
        assert!(
            host.names(&server, ListKind::Tools)
                .contains(&"echo".to_owned()),
            "{name}"
        );
        let report = host.call(&server, "echo", r#"{"message":"across"}"#).await;
        assert!(text_of(&report).contains("across"), "{name}");

        let uri = host.names(&server, ListKind::Resources).remove(0);
        let report = host
            .inspector
            .read_resource(&server, "read", &uri)
            .await
            .expect("sent");
        assert_eq!(report.request.end, RequestEnd::Result, "{name}");

        let prompt = host.names(&server, ListKind::Prompts).remove(0);
        let report = host
            .inspector
            .get_prompt(&server, "get", &prompt, &[])
            .await
            .expect("sent");
        assert_eq!(report.request.end, RequestEnd::Result, "{name}: {prompt}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_filesystem_server_reads_a_file_of_the_project() {
    let script = programs::npm_server("@modelcontextprotocol/server-filesystem");
    let host =
        TestHost::with_servers(json!({ "files": { "command": "node", "args": [script, "."] } }));
    host.write(&host.project().join("note.txt"), "read me");
    let server = TestHost::id("files");
    host.connect(&server).await;
    let report = host
        .call(&server, "read_text_file", r#"{"path":"note.txt"}"#)
        .await;
    assert_eq!(text_of(&report), "read me");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_server_keeps_structured_content_in_order() {
    let script = programs::npm_server("@modelcontextprotocol/server-memory");
    let host = TestHost::with_servers(json!({
        "memory": { "command": "node", "args": [script], "env": { "MEMORY_FILE_PATH": "memory.jsonl" } },
    }));
    let server = TestHost::id("memory");
    host.connect(&server).await;
    let entity =
        r#"{"entities":[{"name":"sight glass","entityType":"window","observations":["round"]}]}"#;
    host.call(&server, "create_entities", entity).await;
    let report = host.call(&server, "read_graph", "{}").await;
    assert!(text_of(&report).contains("sight glass"));
}
