//! Another library counts the tokens that we count.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use sightglass_inspector::{ItemDefinition, view::TokenQuestion};
use sightglass_tests::{TestHost, programs};

/// Counts three texts of a tool list with `js-tiktoken`, whose vocabulary comes with its package.
const COUNT: &str = r#"
const { getEncoding } = require("js-tiktoken");
const tools = JSON.parse(require("fs").readFileSync(0, "utf8"));
const encoding = getEncoding("o200k_base");
const sent = tools.map(({ name, description, inputSchema }) => ({
  name, description, input_schema: inputSchema,
}));
const texts = [
  JSON.stringify(tools), JSON.stringify(sent), tools.map((tool) => tool.name).join("\n"),
];
console.log(JSON.stringify(texts.map((text) => encoding.encode(text, [], []).length)));
"#;

#[tokio::test(flavor = "multi_thread")]
async fn js_tiktoken_counts_the_tokens_that_we_count() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    let arguments = json!([script, "stdio"]);
    let host = TestHost::with_servers(json!({
        "everything": {"command": "node", "args": arguments},
    }));
    let server = TestHost::id("everything");
    host.connect(&server).await;
    let question = TokenQuestion {
        servers: vec![server.clone()],
        scheme: None,
        model: String::new(),
        window: 200_000,
        tool_search: None,
        with_unsent: false,
    };
    let total = host
        .inspector
        .clients
        .llm_tools
        .token_cost(&question)
        .expect("counted")
        .cost
        .total;
    let surface = host
        .inspector
        .calls
        .current_surface
        .current_surface(&server)
        .expect("connected");
    let tools = surface.tools.expect("read");
    let tools = Value::from_iter(tools.iter().map(ItemDefinition::value)).to_string();
    let mut counting = Command::new("node")
        .args(["-e", COUNT])
        .current_dir(programs::repository().join("tests/interop"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut input = counting.stdin.take().expect("a pipe");
    input.write_all(tools.as_bytes()).expect("written");
    drop(input);
    let output = counting.wait_with_output().expect("it ends");
    let counted: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let ours = [total.whole.tokens, total.sent.tokens, total.names.tokens];
    assert_eq!(counted, json!(ours));
}
