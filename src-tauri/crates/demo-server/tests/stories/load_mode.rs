//! The catalogue for measuring.

use crate::support::Lines;
use serde_json::json;

#[test]
fn ten_thousand_tools_come_in_one_page_or_in_pages_of_a_hundred() {
    let mut whole = Lines::initialized(
        &["--load", "--tools", "10000", "--page-size", "0"],
        json!({}),
    );
    let id = whole.ask("tools/list", json!({}));
    let line = whole.line();
    assert!(line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)));
    assert!(
        (13_000_000..17_000_000).contains(&line.len()),
        "{}",
        line.len()
    );
    let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 10_000);

    let mut paged = Lines::initialized(&["--load", "--tools", "10000"], json!({}));
    let (mut count, mut params) = (0, json!({}));
    loop {
        let result = paged.request("tools/list", params)["result"].clone();
        count += result["tools"].as_array().unwrap().len();
        match result.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert_eq!(count, 10_000);
}

#[test]
fn generated_tools_resources_and_prompts_answer() {
    let arguments = [
        "--load",
        "--tools",
        "20",
        "--resources",
        "5",
        "--prompts",
        "5",
    ];
    let mut server = Lines::initialized(&arguments, json!({}));
    let list = server.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(list.as_array().unwrap().len(), 20);
    let last = list[19]["name"].as_str().unwrap().to_owned();
    let answer = server.call(&last, json!({ "a": [1, 2] }));
    assert_eq!(
        answer["result"]["structuredContent"]["arguments"],
        json!({ "a": [1, 2] })
    );
    let resources = server.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(resources.as_array().unwrap().len(), 5);
    let read = server.request("resources/read", json!({ "uri": resources[4]["uri"] }));
    assert!(read["result"]["contents"][0]["text"].is_string());
    let prompt = server.request("prompts/get", json!({ "name": "prompt_4" }));
    assert!(prompt["result"]["messages"].is_array());
    assert_eq!(
        server.request("prompts/get", json!({ "name": "prompt_5" }))["error"]["code"],
        -32602
    );
}
