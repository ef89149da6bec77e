//! The stateless era, 2026-07-28, over stdio.

use crate::support::{Lines, modern_params, text_of};
use serde_json::{Value, json};

fn everything() -> Value {
    json!({ "sampling": {}, "roots": {}, "elicitation": { "form": {}, "url": {} } })
}

#[test]
fn discover_names_the_versions_and_the_server() {
    let mut server = Lines::start(&[]);
    let result = server.modern("server/discover", json!({}), json!({}))["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string());
    let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "sightglass-demo");
}

#[test]
fn every_result_says_its_kind_and_lists_say_how_long_they_are_fresh() {
    let mut server = Lines::start(&[]);
    let list = server.modern("tools/list", json!({}), json!({}));
    assert_eq!(list["result"]["resultType"], "complete");
    assert!(list["result"]["ttlMs"].is_u64() && list["result"]["cacheScope"].is_string());
    let call = server.modern(
        "tools/call",
        json!({ "name": "echo", "arguments": { "message": "hi" } }),
        json!({}),
    );
    assert_eq!(call["result"]["resultType"], "complete");
    assert_eq!(text_of(&call), "hi");
    let read = server.modern(
        "resources/read",
        json!({ "uri": "demo://guide" }),
        json!({}),
    );
    assert!(read["result"]["ttlMs"].is_u64());
    let missing = server.modern("resources/read", json!({ "uri": "demo://x" }), json!({}));
    assert_eq!(missing["error"]["code"], -32602);
}

#[test]
fn a_request_without_its_context_or_of_another_revision_is_refused() {
    let mut server = Lines::start(&["--era", "modern"]);
    let bare = server.request("tools/list", json!({}));
    assert_eq!(bare["error"]["code"], -32602);
    assert!(
        bare["error"]["message"]
            .as_str()
            .unwrap()
            .contains("protocolVersion")
    );
    let mut params = modern_params(json!({}), json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let error = server.request("tools/list", params)["error"].clone();
    assert_eq!(error["code"], -32022);
    assert_eq!(
        error["data"],
        json!({ "requested": "2099-01-01", "supported": ["2026-07-28"] })
    );
    let initialize = server.request("initialize", json!({ "protocolVersion": "2025-11-25" }));
    assert_eq!(initialize["error"]["code"], -32022);
}

#[test]
fn a_legacy_server_does_not_know_discover() {
    let mut server = Lines::start(&["--era", "legacy"]);
    let answer = server.modern("server/discover", json!({}), json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let early = server.request("tools/list", json!({}));
    assert_eq!(early["error"]["code"], -32600);
    let answer = server.request(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {} }),
    );
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn methods_that_2026_07_28_removed_are_unknown() {
    let mut server = Lines::start(&[]);
    for method in [
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let params = json!({ "level": "info", "uri": "demo://clock" });
        assert_eq!(
            server.modern(method, params, json!({}))["error"]["code"],
            -32601,
            "{method}"
        );
    }
}

#[test]
fn a_question_ends_the_round_and_the_retry_carries_the_answer() {
    let mut server = Lines::start(&[]);
    let call = json!({ "name": "ask_elicitation", "arguments": {} });
    let round = server.modern("tools/call", call.clone(), everything())["result"].clone();
    assert_eq!(round["resultType"], "input_required");
    let question = &round["inputRequests"]["introduction"];
    assert_eq!(question["method"], "elicitation/create");
    let mut retry = call;
    retry["requestState"] = round["requestState"].clone();
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    retry["inputResponses"] = json!({ "introduction": answer });
    let done = server.modern("tools/call", retry.clone(), everything());
    assert_eq!(done["result"]["structuredContent"]["answer"], answer);
    let again = server.modern("tools/call", retry, everything());
    assert_eq!(again["error"]["code"], -32602, "a requestState works once");
}

#[test]
fn several_rounds_remember_the_answers_of_the_earlier_ones() {
    let mut server = Lines::start(&[]);
    let mut call = json!({ "name": "ask_in_rounds", "arguments": { "rounds": 3 } });
    for round in 1..=3 {
        let result = server.modern("tools/call", call.clone(), everything())["result"].clone();
        let key = format!("round-{round}");
        assert!(result["inputRequests"].get(&key).is_some(), "{result}");
        call["requestState"] = result["requestState"].clone();
        call["inputResponses"] =
            json!({ key: { "action": "accept", "content": { "answer": round } } });
    }
    let done = server.modern("tools/call", call, everything());
    let answers = done["result"]["structuredContent"]["answers"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["content"]["answer"], 1);
}

#[test]
fn several_questions_may_be_asked_in_one_round() {
    let mut server = Lines::start(&[]);
    let call = json!({ "name": "ask_everything", "arguments": {} });
    let round = server.modern("tools/call", call, everything())["result"].clone();
    assert_eq!(round["inputRequests"].as_object().unwrap().len(), 3);
}

#[test]
fn a_round_may_have_a_state_and_no_question() {
    let mut server = Lines::start(&[]);
    let mut call = json!({ "name": "come_back_later", "arguments": { "rounds": 2 } });
    for _ in 0..2 {
        let result = server.modern("tools/call", call.clone(), json!({}))["result"].clone();
        assert_eq!(result["resultType"], "input_required");
        assert_eq!(result.get("inputRequests"), None);
        call["requestState"] = result["requestState"].clone();
    }
    let done = server.modern("tools/call", call, json!({}));
    assert_eq!(done["result"]["structuredContent"]["rounds"], 2);
}

#[test]
fn a_client_without_the_capability_gets_the_error_that_names_it() {
    let mut server = Lines::start(&[]);
    let call = json!({ "name": "ask_for_sampling", "arguments": {} });
    let error = server.modern("tools/call", call, json!({}))["error"].clone();
    assert_eq!(error["code"], -32021);
    assert_eq!(
        error["data"]["requiredCapabilities"],
        json!({ "sampling": {} })
    );
}

#[test]
fn logs_are_sent_only_when_the_request_asks_for_a_level() {
    let mut server = Lines::start(&[]);
    let call = json!({ "name": "log_burst", "arguments": { "count": 3 } });
    let silent = server.modern("tools/call", call.clone(), json!({}));
    assert_eq!(
        silent["result"]["structuredContent"],
        json!({ "sent": 0, "suppressed": 3 })
    );
    let mut asking = call;
    asking["_meta"] = json!({ "io.modelcontextprotocol/logLevel": "debug" });
    server.modern("tools/call", asking, json!({}));
    assert_eq!(server.seen.len(), 3);
}

#[test]
fn a_subscription_is_acknowledged_told_and_cancelled() {
    let mut server = Lines::start(&[]);
    let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["demo://counter"] });
    let id = server.ask(
        "subscriptions/listen",
        modern_params(json!({ "notifications": filter }), json!({})),
    );
    let acknowledged = server.wait_for("notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], filter);
    let key = "io.modelcontextprotocol/subscriptionId";
    assert_eq!(acknowledged["params"]["_meta"][key], json!(id));

    server.modern(
        "tools/call",
        json!({ "name": "touch_resource", "arguments": {} }),
        json!({}),
    );
    let updated = server.seen.pop().unwrap();
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["_meta"][key], json!(id));
    server.modern(
        "tools/call",
        json!({ "name": "change_resources", "arguments": {} }),
        json!({}),
    );
    assert!(
        server.seen.is_empty(),
        "was not asked for: {:?}",
        server.seen
    );

    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    server.send(&cancelled.to_string());
    // The subscription's task ends on its own; asking until it has is no race.
    loop {
        let touch = json!({ "name": "touch_resource", "arguments": {} });
        let answer = server.modern("tools/call", touch, json!({}));
        if text_of(&answer).ends_with("told: 0.") {
            break;
        }
    }
}

#[test]
fn skills_are_declared_listed_and_read_in_this_era_alone() {
    let mut server = Lines::start(&["--page-size", "5"]);
    let discovered = server.modern("server/discover", json!({}), json!({}));
    let capabilities = &discovered["result"]["capabilities"];
    assert!(capabilities["extensions"]["io.modelcontextprotocol/skills"].is_object());
    let first = server.modern("skills/list", json!({}), json!({}))["result"].clone();
    assert_eq!(first["skills"].as_array().map(Vec::len), Some(5));
    let cursor = json!({ "cursor": first["nextCursor"] });
    let second = server.modern("skills/list", cursor, json!({}))["result"].clone();
    assert_eq!(second["skills"].as_array().map(Vec::len), Some(2));
    assert_eq!(second["resultType"], "complete");

    let uri = json!({ "uri": "skill://git-workflow/SKILL.md" });
    let got = server.modern("skills/get", uri.clone(), json!({}));
    assert_eq!(got["result"]["skill"], first["skills"][0]);
    let read = server.modern("resources/read", uri.clone(), json!({}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(first["skills"][0]["resources"][0]["size"], text.len());
    let root = json!({ "uri": "skill://git-workflow" });
    let children = server.modern("resources/directory/read", root, json!({}));
    assert_eq!(
        children["result"]["resources"].as_array().map(Vec::len),
        Some(4)
    );
    for (method, wrong) in [
        ("skills/get", "skill://git-workflow"),
        ("resources/directory/read", "skill://nothing"),
    ] {
        let refused = server.modern(method, json!({ "uri": wrong }), json!({}));
        assert_eq!(refused["error"]["code"], -32602, "{method}");
    }

    let mut old = Lines::start(&["--era", "legacy"]);
    let answer = old.request(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {} }),
    );
    assert_eq!(answer["result"]["capabilities"].get("extensions"), None);
    let refused = old.request("resources/read", uri);
    assert!(refused["error"].is_object());
}

#[test]
fn a_client_that_declares_an_extension_has_one_tool_more() {
    let mut server = Lines::start(&["--page-size", "0"]);
    let plain = json!({});
    let with = json!({ "extensions": { "com.example/x": { "depth": 2 } } });
    let mut count = |capabilities: &Value| {
        let list = server.modern("tools/list", json!({}), capabilities.clone());
        list["result"]["tools"].as_array().map(Vec::len)
    };
    assert_eq!(count(&with), count(&plain).map(|count| count + 1));
    let call = json!({ "name": "declared_extensions" });
    let answer = server.modern("tools/call", call.clone(), with.clone());
    assert_eq!(answer["result"]["structuredContent"], with);
    let refused = server.modern("tools/call", call, plain);
    assert_eq!(refused["error"]["code"], -32602);
}
