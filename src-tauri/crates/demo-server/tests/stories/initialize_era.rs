//! The initialize era over stdio.

use crate::support::{Lines, text_of};
use serde_json::{Value, json};

#[test]
fn the_asked_revision_is_kept_when_known_and_the_newest_offered_otherwise() {
    for (asked, expected) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1990-01-01", "2025-11-25"),
    ] {
        let mut server = Lines::start(&[]);
        let answer = server.request(
            "initialize",
            json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": {} }),
        );
        assert_eq!(answer["result"]["protocolVersion"], expected);
        assert_eq!(answer["result"]["serverInfo"]["name"], "sightglass-demo");
        assert_eq!(answer["result"].get("resultType"), None);
    }
}

#[test]
fn following_the_cursors_lists_every_tool_once() {
    let mut server = Lines::initialized(&[], json!({}));
    let (mut names, mut params, mut pages) = (Vec::new(), json!({}), 0);
    loop {
        let answer = server.request("tools/list", params);
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        assert!(tools.len() <= 10);
        names.extend(
            tools
                .iter()
                .map(|tool| tool["name"].as_str().unwrap().to_owned()),
        );
        pages += 1;
        match answer["result"].get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert!(pages > 1);
    let total = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), total);

    let mut whole = Lines::initialized(&["--page-size", "0"], json!({}));
    let answer = whole.request("tools/list", json!({}));
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), total);
    assert_eq!(answer["result"].get("nextCursor"), None);
}

#[test]
fn every_listed_tool_has_a_name_a_description_and_an_object_schema() {
    let mut server = Lines::initialized(&["--page-size", "0"], json!({}));
    let answer = server.request("tools/list", json!({}));
    for tool in answer["result"]["tools"].as_array().unwrap() {
        assert!(
            tool["name"].is_string() && tool["description"].is_string(),
            "{tool}"
        );
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
    }
}

#[test]
fn arguments_come_back_to_the_last_digit() {
    let mut server = Lines::initialized(&[], json!({}));
    let arguments = r#"{"big": 9007199254740993, "z":1.10,"a":null ,"e":1E400}"#;
    server.send(&format!(
        r#"{{"jsonrpc":"2.0","id":18446744073709551617,"method":"tools/call","params":{{"name":"echo_arguments","arguments":{arguments}}}}}"#
    ));
    let line = server.line();
    assert!(
        line.starts_with(r#"{"jsonrpc":"2.0","id":18446744073709551617,"#),
        "{line}"
    );
    let answer: Value = serde_json::from_str(&line.replace("18446744073709551617", "1")).unwrap();
    assert_eq!(text_of(&answer), arguments);
}

#[test]
fn echo_and_add_answer_and_wrong_arguments_are_an_error_of_the_tool() {
    let mut server = Lines::initialized(&[], json!({}));
    assert_eq!(
        text_of(&server.call("echo", json!({ "message": "hé\n\"quoted\"" }))),
        "hé\n\"quoted\""
    );
    assert_eq!(
        server.call("add", json!({ "a": 1.5, "b": 2 }))["result"]["structuredContent"],
        json!({ "sum": 3.5 })
    );
    let wrong = server.call("echo", json!({ "message": 5 }));
    assert_eq!(wrong["result"]["isError"], true);
    assert!(text_of(&wrong).contains("Invalid arguments"));
}

#[test]
fn every_kind_of_result_has_its_shape() {
    let mut server = Lines::initialized(&[], json!({}));
    let mut kind =
        |tool: &str| server.call(tool, json!({}))["result"]["content"][0]["type"].clone();
    assert_eq!(kind("result_image"), "image");
    assert_eq!(kind("result_audio"), "audio");
    assert_eq!(kind("result_resource_link"), "resource_link");
    assert_eq!(kind("result_embedded"), "resource");
    assert_eq!(kind("result_unknown_content"), "hologram");
    assert_eq!(kind("result_empty"), Value::Null);
    assert_eq!(
        server.call("result_error", json!({}))["result"]["isError"],
        true
    );
    let error = server.call("result_rpc_error", json!({ "code": -32099, "data": [1] }));
    assert_eq!(
        error["error"],
        json!({ "code": -32099, "message": "Something failed", "data": [1] })
    );
}

#[test]
fn an_unknown_tool_method_cursor_or_resource_has_its_own_error_code() {
    let mut server = Lines::initialized(&[], json!({}));
    assert_eq!(server.call("nonsense", json!({}))["error"]["code"], -32602);
    assert_eq!(
        server.request("nonsense", json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(
        server.request("tools/list", json!({ "cursor": "x" }))["error"]["code"],
        -32602
    );
    assert_eq!(
        server.request("resources/read", json!({ "uri": "demo://x" }))["error"]["code"],
        -32002
    );
    server.send("{not json");
    assert_eq!(server.message()["error"]["code"], -32700);
    server.send(r#"{"id":1,"method":"ping"}"#);
    assert_eq!(server.message()["error"]["code"], -32600);
}

#[test]
fn a_burst_of_logs_is_complete_and_in_order() {
    let mut server = Lines::initialized(&[], json!({}));
    let answer = server.call("log_burst", json!({ "count": 100_000, "bytes": 50 }));
    assert_eq!(answer["result"]["structuredContent"]["sent"], 100_000);
    let sequence: Vec<u64> = server
        .seen
        .iter()
        .map(|it| it["params"]["data"]["seq"].as_u64().unwrap())
        .collect();
    assert!(sequence.iter().copied().eq(0..100_000));
    assert_eq!(
        server.seen[0]["params"]["data"]["text"]
            .as_str()
            .unwrap()
            .len(),
        50
    );
}

#[test]
fn a_client_that_set_a_level_hears_nothing_less_severe() {
    let mut server = Lines::initialized(&[], json!({}));
    assert_eq!(
        server.request("logging/setLevel", json!({ "level": "error" }))["result"],
        json!({})
    );
    let answer = server.call("log_burst", json!({ "count": 5, "level": "info" }));
    assert_eq!(
        answer["result"]["structuredContent"],
        json!({ "sent": 0, "suppressed": 5 })
    );
    assert!(server.seen.is_empty());
    server.call("log_burst", json!({ "count": 5, "level": "alert" }));
    assert_eq!(server.seen.len(), 5);
    assert_eq!(
        server.request("logging/setLevel", json!({ "level": "loud" }))["error"]["code"],
        -32602
    );
}

#[test]
fn progress_carries_the_token_of_the_request() {
    let mut server = Lines::initialized(&[], json!({}));
    let call = json!({ "name": "long_running", "arguments": { "steps": 3, "ms": 3 }, "_meta": { "progressToken": "p" } });
    server.request("tools/call", call);
    let progress: Vec<&Value> = server
        .seen
        .iter()
        .filter(|it| it["method"] == "notifications/progress")
        .collect();
    assert_eq!(progress.len(), 3);
    assert_eq!(progress[2]["params"]["progressToken"], "p");
    assert_eq!(progress[2]["params"]["progress"], 3);
    let before = server.seen.len();
    let burst = json!({ "name": "progress_burst", "arguments": { "count": 1000 }, "_meta": { "progressToken": 7 } });
    server.request("tools/call", burst);
    assert_eq!(server.seen.len() - before, 1000);
}

#[test]
fn a_cancelled_call_is_never_answered() {
    let mut server = Lines::initialized(&[], json!({}));
    let id = server.ask(
        "tools/call",
        json!({ "name": "sleep", "arguments": { "ms": 600_000 } }),
    );
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    server.send(&cancelled.to_string());
    server.request("ping", json!({}));
    let (status, lines, _) = server.end();
    assert!(status.success());
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn a_big_result_has_exactly_the_size_asked_for() {
    let mut server = Lines::initialized(&[], json!({}));
    let answer = server.call("big_result", json!({ "mb": 3 }));
    assert_eq!(text_of(&answer).len(), 3 * 1024 * 1024);
    let rows = server.call("big_result", json!({ "mb": 1, "kind": "json" }));
    assert!(
        rows["result"]["structuredContent"]["rows"]
            .as_array()
            .unwrap()
            .len()
            > 5_000
    );
    assert_eq!(
        server.call("big_result", json!({ "mb": 51 }))["result"]["isError"],
        true
    );
}

#[test]
fn the_server_asks_the_client_and_shows_the_answer() {
    let mut server = Lines::initialized(
        &[],
        json!({ "sampling": {}, "roots": {}, "elicitation": { "form": {}, "url": {} } }),
    );
    for (tool, method) in [
        ("ask_for_sampling", "sampling/createMessage"),
        ("ask_elicitation", "elicitation/create"),
        ("ask_elicitation_url", "elicitation/create"),
        ("list_roots", "roots/list"),
    ] {
        let id = server.ask("tools/call", json!({ "name": tool, "arguments": {} }));
        let question = server.wait_for(method);
        let reply = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "from": tool } });
        server.send(&reply.to_string());
        let answer = server.answer(id);
        assert_eq!(
            answer["result"]["structuredContent"]["answer"],
            json!({ "from": tool })
        );
    }
    assert!(
        server
            .seen
            .iter()
            .any(|it| it["method"] == "notifications/elicitation/complete")
    );
}

#[test]
fn cancelling_a_call_withdraws_the_question_it_asked() {
    let mut server = Lines::initialized(&[], json!({ "roots": {} }));
    let id = server.ask(
        "tools/call",
        json!({ "name": "list_roots", "arguments": {} }),
    );
    let question = server.wait_for("roots/list");
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }).to_string());
    let withdrawn = server.wait_for("notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
}

#[test]
fn a_client_without_the_capability_is_told_so() {
    let mut server = Lines::initialized(&[], json!({}));
    let answer = server.call("ask_for_sampling", json!({}));
    assert_eq!(answer["result"]["isError"], true);
    assert!(text_of(&answer).contains("sampling"));
    let error = server.call("ask_elicitation_url", json!({ "via": "error" }));
    assert_eq!(error["error"]["code"], -32042);
}

#[test]
fn added_tools_and_resources_appear_and_are_announced() {
    let mut server = Lines::initialized(&["--page-size", "0"], json!({}));
    let count = |server: &mut Lines, method: &str, member: &str| {
        server.request(method, json!({}))["result"][member]
            .as_array()
            .unwrap()
            .len()
    };
    let before = count(&mut server, "tools/list", "tools");
    server.call("change_tools", json!({}));
    assert_eq!(
        server.seen.pop().unwrap()["method"],
        "notifications/tools/list_changed"
    );
    assert_eq!(count(&mut server, "tools/list", "tools"), before + 1);
    assert!(text_of(&server.call("added_1", json!({}))).contains("added_1"));
    server.call("change_tools", json!({ "action": "remove" }));
    assert_eq!(count(&mut server, "tools/list", "tools"), before);
    assert_eq!(server.call("added_1", json!({}))["error"]["code"], -32602);

    let before = count(&mut server, "resources/list", "resources");
    server.call("change_resources", json!({ "action": "add" }));
    assert_eq!(
        server.seen.pop().unwrap()["method"],
        "notifications/resources/list_changed"
    );
    assert_eq!(
        count(&mut server, "resources/list", "resources"),
        before + 1
    );
    let read = server.request("resources/read", json!({ "uri": "demo://added/1" }));
    assert!(read["result"]["contents"][0]["text"].is_string());
}

#[test]
fn only_subscribers_hear_of_a_changed_resource() {
    let mut server = Lines::initialized(&[], json!({}));
    let touch = json!({ "uri": "demo://counter" });
    assert!(text_of(&server.call("touch_resource", touch.clone())).contains("told: 0"));
    server.request("resources/subscribe", touch.clone());
    server.call("touch_resource", touch.clone());
    assert_eq!(
        server.seen.pop().unwrap()["params"]["uri"],
        "demo://counter"
    );
    let read = server.request("resources/read", touch.clone());
    assert_eq!(read["result"]["contents"][0]["text"], r#"{"count":2}"#);
    server.request("resources/unsubscribe", touch.clone());
    assert!(text_of(&server.call("touch_resource", touch)).contains("told: 0"));
}

#[test]
fn the_clock_updates_by_itself_for_those_who_subscribed() {
    let mut server = Lines::initialized(&["--update-interval-ms", "5"], json!({}));
    server.request("resources/subscribe", json!({ "uri": "demo://clock" }));
    assert_eq!(
        server.wait_for("notifications/resources/updated")["params"]["uri"],
        "demo://clock"
    );
}

#[test]
fn every_listed_resource_can_be_read_and_every_listed_prompt_be_had() {
    let mut server = Lines::initialized(&["--page-size", "0"], json!({ "elicitation": {} }));
    let list = server.request("resources/list", json!({}));
    for resource in list["result"]["resources"].as_array().unwrap() {
        if resource["uri"] == "demo://greeting" {
            continue;
        }
        let read = server.request("resources/read", json!({ "uri": resource["uri"] }));
        let content = &read["result"]["contents"][0];
        assert!(
            content["text"].is_string() || content["blob"].is_string(),
            "{read}"
        );
        assert_eq!(content["mimeType"], resource["mimeType"]);
    }
    let list = server.request("prompts/list", json!({}));
    for prompt in list["result"]["prompts"].as_array().unwrap() {
        let name = prompt["name"].as_str().unwrap();
        if matches!(name, "ask_first" | "failing") {
            continue;
        }
        let arguments =
            json!({ "code": "x", "topic": "tea", "user": "ada", "repository": "engine" });
        let got = server.request(
            "prompts/get",
            json!({ "name": name, "arguments": arguments }),
        );
        assert!(got["result"]["messages"][0]["role"].is_string(), "{got}");
    }
}

#[test]
fn a_resource_may_ask_before_it_is_read() {
    let mut server = Lines::initialized(&[], json!({ "elicitation": {} }));
    let id = server.ask("resources/read", json!({ "uri": "demo://greeting" }));
    let question = server.wait_for("elicitation/create");
    let reply = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": { "answer": "Ada" } } });
    server.send(&reply.to_string());
    assert_eq!(
        server.answer(id)["result"]["contents"][0]["text"],
        "Hello, Ada!"
    );
}

#[test]
fn arguments_are_completed_and_long_answers_say_that_there_is_more() {
    let mut server = Lines::initialized(&[], json!({}));
    let mut complete = |reference: Value, name: &str, value: &str, context: Value| {
        let params = json!({ "ref": reference, "argument": { "name": name, "value": value }, "context": context });
        server.request("completion/complete", params)["result"]["completion"].clone()
    };
    let prompt = json!({ "type": "ref/prompt", "name": "review_code" });
    assert_eq!(
        complete(prompt, "language", "ru", json!({}))["values"],
        json!(["ruby", "rust"])
    );
    let template =
        json!({ "type": "ref/resource", "uri": "demo://users/{user}/repositories/{repository}" });
    let context = json!({ "arguments": { "user": "ada" } });
    assert_eq!(
        complete(template, "repository", "", context)["values"],
        json!(["engine", "notes", "poetry"])
    );
    let files = json!({ "type": "ref/resource", "uri": "demo://files/{+path}" });
    let many = complete(files, "path", "", json!({}));
    assert_eq!(many["values"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&many["total"], &many["hasMore"]),
        (&json!(250), &json!(true))
    );
    let unknown = json!({ "type": "ref/prompt", "name": "no_such_prompt" });
    let params = json!({ "ref": unknown, "argument": { "name": "any", "value": "" } });
    let refused = server.request("completion/complete", params);
    assert_eq!(refused["error"]["code"], -32602);
}

#[test]
fn batches_are_answered_together_in_2025_03_26_and_refused_otherwise() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]"#;
    let mut server = Lines::start(&[]);
    server.request(
        "initialize",
        json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {} }),
    );
    server.send(batch);
    let answer = server.message();
    assert_eq!(answer.as_array().unwrap().len(), 2);

    let mut server = Lines::initialized(&[], json!({}));
    server.send(batch);
    assert_eq!(server.message()["error"]["code"], -32600);
}
