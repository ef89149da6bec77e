//! Sightglass's own tools: an agent observes, acts and verifies.

use std::{env, fs, path::Path};

use serde_json::{Value, json};
use sightglass_tests::{
    agent::{Agent, text_of},
    programs::repository,
};

use super::{demo, serve};
use crate::command_line::Machine;

/// The file of what agents see, below the repository.
const SURFACE: &str = "tests/backend/serving/surface.txt";
/// Set to write that file anew.
const UPDATE: &str = "SIGHTGLASS_UPDATE_SAMPLES";

fn agent(machine: &Machine) -> Agent {
    Agent::initialized(serve(machine, &[]), json!({})).0
}

/// What an agent is shown is read by a model, so that each change of it is seen in review.
#[test]
fn all_that_an_agent_is_shown_stands_in_a_file() {
    let machine = Machine::new();
    let (mut agent, begun) = Agent::initialized(serve(&machine, &[]), json!({}));
    let mut shown = format!(
        "{}\n\n{}\n",
        begun["instructions"].as_str().expect("instructions"),
        begun["capabilities"]
    );
    let tools = agent.request("tools/list", json!({}));
    for tool in tools["result"]["tools"].as_array().expect("tools") {
        let text = serde_json::to_string_pretty(tool).expect("JSON");
        shown.push_str(&format!("\n{text}\n"));
    }
    let path = repository().join(SURFACE);
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, &shown).expect("written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == shown,
        "what agents see changed; set {UPDATE}=1 to write {SURFACE} anew"
    );
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn an_agent_observes_acts_and_verifies() {
    let machine = Machine::with_servers(json!({
        "mine": demo(&[]),
        "broken": { "command": "no-such-program-here" },
    }));
    let mut agent = agent(&machine);
    let servers = agent.ask("list_servers", json!({ "filter": "mine" }));
    assert_eq!(servers["servers"][0]["name"], "mine");
    assert_eq!(servers["servers"][0]["phase"], "disconnected");

    let connected = agent.ask("connect", json!({ "server": "mine" }));
    assert_eq!(connected["phase"], "ready");
    let found = agent.ask("search_tools", json!({ "query": "echo" }));
    assert_eq!(found["found"][0]["from_server"]["name"], "echo");
    assert!(
        found["not_searched"]["servers"]
            .to_string()
            .contains("broken")
    );

    let called = agent.ask(
        "call_tool",
        json!({ "server": "mine", "tool": "echo", "arguments": { "message": "hi" } }),
    );
    assert_eq!(called["from_server"]["content"][0]["text"], "hi");

    let rows = agent.ask("query_record", json!({ "filter": "tool:echo" }));
    assert_eq!(rows["total"], 1, "{rows}");
    let exchange = rows["exchanges"][0]["exchange"].clone();
    let request = json!({ "exchange": exchange, "message": "request" });
    let request = agent.ask("get_exchange", request);
    let text = request["from_server_or_call"].as_str().expect("a text");
    assert!(
        text.contains("\"dev.sightglass/agent\":\"plain-agent 7\""),
        "{text}"
    );
    let part = agent.ask(
        "get_exchange",
        json!({ "exchange": exchange, "length": 10 }),
    );
    assert_eq!(part["from_server_or_call"].as_str().map(str::len), Some(10));
    assert!(
        part["more"]
            .as_str()
            .is_some_and(|more| more.contains("more bytes")),
        "{part}"
    );
    let operations = agent.ask("list_operations", json!({ "filter": "tool:echo" }));
    assert_eq!(operations["operations"][0]["method"], "tools/call");

    let why = agent.refused("connect", json!({ "server": "broken" }));
    assert!(why.contains("broken is not connected"), "{why}");
    let explained = agent.ask("explain_server", json!({ "server": "broken" }));
    assert_eq!(explained["phase"], "failed");
    assert!(explained["next_step"].is_string(), "{explained}");
    let examined = json!({ "server": "broken", "examine": true });
    let examined = agent.ask("explain_server", examined);
    assert!(examined["doctor"]["checks"].is_array(), "{examined}");
    let config = agent.ask("explain_config", json!({ "server": "mine" }));
    assert!(
        config["explanations"][0]["sentences"].is_array(),
        "{config}"
    );

    let lint = agent.ask("lint_server", json!({ "server": "mine" }));
    assert!(lint["total"].is_number(), "{lint}");
    let drift = agent.refused("get_drift", json!({ "server": "mine" }));
    assert!(drift.contains("sightglass-cli pin mine"), "{drift}");
    let gone = agent.ask("disconnect", json!({ "server": "mine" }));
    assert_eq!(gone["phase"], "disconnected");
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn what_a_server_has_is_listed_read_and_got() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let mut agent = agent(&machine);
    let tools = agent.ask("list_tools", json!({ "server": "mine" }));
    assert_eq!(
        tools["tools"]["from_server"].as_array().map(Vec::len),
        Some(50)
    );
    assert!(
        tools["tools"]["more"].is_string(),
        "{}",
        tools["tools"]["more"]
    );
    let tool = agent.ask("get_tool", json!({ "server": "mine", "tool": "echo" }));
    assert!(tool["from_server"]["inputSchema"].is_object());
    let resources = agent.ask("list_resources", json!({ "server": "mine" }));
    let uri = resources["resources"]["from_server"][0]["name"].clone();
    let read = agent.ask("read_resource", json!({ "server": "mine", "uri": uri }));
    assert!(read["from_server"]["contents"].is_array(), "{read}");
    let prompts = agent.ask("list_prompts", json!({ "server": "mine" }));
    assert!(prompts["prompts"]["from_server"].is_array());
    let missing = agent.refused("get_tool", json!({ "server": "mine", "tool": "ech" }));
    assert!(missing.contains("echo"), "{missing}");
    let misspelt = agent.request(
        "tools/call",
        json!({
            "name": "call_tool",
            "arguments": { "server": "mine", "tool": "echo", "argument": {} },
        }),
    );
    let words = text_of(&misspelt["result"]);
    assert!(words.contains("unknown field `argument`"), "{misspelt}");
}

/// The call waits, nothing hangs, and the answer brings its result.
#[test]
fn a_question_is_parked_until_it_is_answered() {
    for era in ["legacy", "modern"] {
        let machine = Machine::with_servers(json!({ "mine": demo(&["--era", era]) }));
        let mut agent = agent(&machine);
        let called = json!({ "server": "mine", "tool": "ask_elicitation" });
        let pending = agent.ask("call_tool", called.clone());
        let question = pending["question_pending"]["question"].clone();
        let asked = &pending["question_pending"]["from_server"];
        assert_eq!(asked["message"], "Please introduce yourself.", "{pending}");
        assert!(asked["requestedSchema"].is_object());
        // Others go on meanwhile.
        let echoed = json!({ "server": "mine", "tool": "echo", "arguments": { "message": "hi" } });
        let echoed = agent.ask("call_tool", echoed);
        assert_eq!(echoed["from_server"]["content"][0]["text"], "hi");
        let answered = agent.ask(
            "answer_question",
            json!({
                "question": question,
                "action": "accept",
                "content": { "name": "Ada", "days": ["monday"] },
            }),
        );
        let answer = &answered["from_server"]["structuredContent"]["answer"];
        assert_eq!(answer["content"]["name"], "Ada", "{answered}");
        let again = json!({ "question": question, "action": "decline" });
        let again = agent.refused("answer_question", again);
        assert!(again.contains("No call waits"), "{again}");

        let pending = agent.ask("call_tool", called);
        let question = pending["question_pending"]["question"].clone();
        let declined = json!({ "question": question, "action": "decline" });
        let declined = agent.ask("answer_question", declined);
        let answer = &declined["from_server"]["structuredContent"]["answer"];
        assert_eq!(answer["action"], "decline", "{declined}");
    }
}

#[test]
fn a_call_tells_its_progress_and_can_be_cancelled() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let mut agent = agent(&machine);
    agent.ask("connect", json!({ "server": "mine" }));
    let called = json!({
        "name": "call_tool",
        "arguments": {
            "server": "mine",
            "tool": "long_running",
            "arguments": { "steps": 3, "ms": 300 },
        },
        "_meta": { "progressToken": "mine" },
    });
    let id = agent.begin("tools/call", called);
    let progress = agent.message("notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "mine");
    assert!(agent.response(id)["result"]["content"].is_array());

    let hung = json!({ "name": "call_tool", "arguments": { "server": "mine", "tool": "hang" } });
    let id = agent.begin("tools/call", hung);
    let sent = |agent: &mut Agent| {
        let rows = json!({ "filter": "tool:hang" });
        agent.ask("query_record", rows)["exchanges"][0]["outcome"].clone()
    };
    while sent(&mut agent) != "pending" {}
    agent.send(&json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": id },
    }));
    while sent(&mut agent) != "cancelled" {}
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn the_stateless_era_is_spoken_too() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let mut agent = Agent::stateless(serve(&machine, &[]), json!({}));
    let discovered = agent.request("server/discover", json!({}));
    let result = &discovered["result"];
    assert_eq!(result["resultType"], "complete", "{discovered}");
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "sightglass");
    let called = json!({ "server": "mine", "tool": "echo", "arguments": { "message": "hi" } });
    let called = agent.ask("call_tool", called);
    assert_eq!(called["from_server"]["content"][0]["text"], "hi");
    let legacy = agent.request("ping", json!({}));
    assert_eq!(legacy["error"]["code"], -32601);
}

#[test]
fn the_tests_of_the_project_are_run() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let requests = machine.path("project/.sightglass/requests");
    write_test(&requests, "right", "hi");
    write_test(&requests, "wrong", "ho");
    let mut agent = agent(&machine);
    let ran = agent.ask("run_tests", json!({}));
    assert_eq!(ran["tests"], 2, "{ran}");
    assert_eq!(ran["failed"].as_array().map(Vec::len), Some(1), "{ran}");
    assert!(
        ran["failed"][0]["path"].to_string().contains("wrong"),
        "{ran}"
    );
}

fn write_test(directory: &Path, name: &str, expected: &str) {
    use crate::requests::{call, expect};
    fs::create_dir_all(directory).expect("made");
    let expected = expect("text", "equals", &format!("\"{expected}\""));
    let text = call("echo", r#"{"message":"hi"}"#, &expected);
    let text = text.replace("server = \"demo\"", "server = \"mine\"");
    fs::write(directory.join(format!("{name}.toml")), text).expect("written");
}

/// A client that reads JSON-RPC alone must not stumble over anything else on standard output.
#[test]
fn what_is_no_message_gets_an_error_and_the_next_one_is_answered() {
    let machine = Machine::new();
    let mut agent = agent(&machine);
    for (text, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("{\"jsonrpc\":\"2.0\"}", -32600),
    ] {
        agent.send_text(text);
        let error = agent.wait_for("an error", |message| message["id"] == Value::Null);
        assert_eq!(error["error"]["code"], code, "{text}");
    }
    let unknown = agent.request("no/such", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    assert!(agent.request("ping", json!({}))["result"].is_object());
}
