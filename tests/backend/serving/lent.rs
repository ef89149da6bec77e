//! Servers that are lent to agents behind one entry.

use serde_json::{Value, json};
use sightglass_tests::agent::{Agent, text_of};

use super::{demo, serve};
use crate::command_line::Machine;

fn names(agent: &mut Agent, method: &str, member: &str, key: &str) -> Vec<String> {
    let listed = agent.request(method, json!({}));
    let items = listed["result"][member].as_array().expect("a list");
    let names = items.iter().filter_map(|item| item[key].as_str());
    names.map(str::to_owned).collect()
}

fn tools(agent: &mut Agent) -> Vec<String> {
    names(agent, "tools/list", "tools", "name")
}

/// What an OAuth proxy for one server does: names stay as they are.
#[test]
fn a_single_server_keeps_its_names_and_its_instructions() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let (mut agent, begun) = Agent::initialized(serve(&machine, &["--server", "mine"]), json!({}));
    let instructions = begun["instructions"].as_str().expect("instructions");
    assert!(
        instructions.contains("Instructions that the server mine wrote"),
        "{instructions}"
    );
    assert!(tools(&mut agent).contains(&"echo".to_owned()));
    let called = agent.call("echo", json!({ "message": "hi" }));
    assert_eq!(text_of(&called), "hi");
    let uris = names(&mut agent, "resources/list", "resources", "uri");
    let read = agent.request("resources/read", json!({ "uri": uris[0] }));
    assert!(read["result"]["contents"].is_array(), "{read}");
    let prompts = names(&mut agent, "prompts/list", "prompts", "name");
    assert!(!prompts.is_empty());
    let completed = agent.request(
        "completion/complete",
        json!({
            "ref": { "type": "ref/prompt", "name": prompts[0] },
            "argument": { "name": "x", "value": "" },
        }),
    );
    assert!(completed.get("result").or(completed.get("error")).is_some());
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn several_servers_stand_behind_one_entry_each_under_its_name() {
    let machine =
        Machine::with_servers(json!({ "one": demo(&[]), "two": demo(&["--era", "modern"]) }));
    let words = ["--server", "one", "--server", "two"];
    let (mut agent, _) = Agent::initialized(serve(&machine, &words), json!({}));
    let listed = tools(&mut agent);
    for name in ["one__echo", "two__echo"] {
        assert!(listed.contains(&name.to_owned()), "{listed:?}");
        let called = agent.call(name, json!({ "message": name }));
        assert_eq!(text_of(&called), name);
    }
    let uris = names(&mut agent, "resources/list", "resources", "uri");
    let of_two = uris
        .iter()
        .find(|uri| uri.starts_with("two+"))
        .expect("resources of two");
    let read = agent.request("resources/read", json!({ "uri": of_two }));
    assert!(read["result"]["contents"].is_array(), "{read}");
    // The same address without its begin could be of either.
    let plain = of_two.trim_start_matches("two+");
    let read = agent.request("resources/read", json!({ "uri": plain }));
    assert_eq!(read["error"]["code"], -32002, "{read}");
    let templates = names(
        &mut agent,
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    );
    assert!(
        templates
            .iter()
            .any(|template| template.starts_with("one+")),
        "{templates:?}"
    );
    let prompts = names(&mut agent, "prompts/list", "prompts", "name");
    let prompt = prompts
        .iter()
        .find(|name| name.starts_with("one__"))
        .expect("a prompt");
    let got = agent.request("prompts/get", json!({ "name": prompt, "arguments": {} }));
    assert!(got.get("result").or(got.get("error")).is_some(), "{got}");
    let unknown = agent.call("three__echo", json!({}));
    assert_eq!(unknown["isError"], true);
}

#[test]
fn all_configured_servers_are_lent_and_what_is_denied_is_not() {
    let machine = Machine::with_servers(json!({
        "one": demo(&[]),
        "broken": { "command": "no-such-program-here" },
    }));
    let words = ["--all", "--allow", "one__e*", "--deny", "*__environment"];
    let (mut agent, _) = Agent::initialized(serve(&machine, &words), json!({}));
    let listed = tools(&mut agent);
    assert!(listed.contains(&"one__echo".to_owned()), "{listed:?}");
    assert!(
        listed.iter().all(|name| name.starts_with("one__e")),
        "{listed:?}"
    );
    assert!(
        !listed.contains(&"one__environment".to_owned()),
        "{listed:?}"
    );
    for name in ["one__environment", "one__add"] {
        let refused = agent.call(name, json!({}));
        assert_eq!(refused["isError"], true, "{name}");
        assert!(
            text_of(&refused).contains("not among what the user lends"),
            "{refused}"
        );
    }
}

#[test]
fn a_changed_list_is_announced() {
    let machine = Machine::with_servers(json!({ "one": demo(&[]), "two": demo(&[]) }));
    let words = ["--server", "one", "--server", "two"];
    let (mut agent, _) = Agent::initialized(serve(&machine, &words), json!({}));
    let before = tools(&mut agent).len();
    agent.call("two__change_tools", json!({}));
    while tools(&mut agent).len() == before {
        agent.message("notifications/tools/list_changed");
    }
}

#[test]
fn a_changed_list_is_announced_to_those_who_listen() {
    let machine = Machine::with_servers(json!({ "one": demo(&[]) }));
    let mut agent = Agent::stateless(serve(&machine, &["--server", "one"]), json!({}));
    let before = tools(&mut agent).len();
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    let id = agent.begin("subscriptions/listen", wanted);
    let told = agent.message("notifications/subscriptions/acknowledged");
    let key = "io.modelcontextprotocol/subscriptionId";
    assert_eq!(told["params"]["_meta"][key], id);
    agent.call("change_tools", json!({}));
    while tools(&mut agent).len() == before {
        let told = agent.message("notifications/tools/list_changed");
        assert_eq!(told["params"]["_meta"][key], id);
    }
}

#[test]
fn a_question_goes_to_the_user_of_an_agent_that_can_ask() {
    for era in ["legacy", "modern"] {
        let machine = Machine::with_servers(json!({ "mine": demo(&["--era", era]) }));
        let command = serve(&machine, &["--server", "mine"]);
        let (mut agent, _) = Agent::initialized(command, json!({ "elicitation": {} }));
        let id = agent.begin(
            "tools/call",
            json!({ "name": "ask_elicitation", "arguments": {} }),
        );
        let question = agent.message("elicitation/create");
        assert!(
            question["params"]["requestedSchema"].is_object(),
            "{question}"
        );
        let answer =
            json!({ "action": "accept", "content": { "name": "Ada", "days": ["monday"] } });
        agent.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }));
        let result = agent.response(id);
        let answered = &result["result"]["structuredContent"]["answer"];
        assert_eq!(answered["content"]["name"], "Ada", "{result}");
    }
}

#[test]
fn a_question_comes_in_rounds_in_the_stateless_era() {
    for era in ["legacy", "modern"] {
        let machine = Machine::with_servers(json!({ "mine": demo(&["--era", era]) }));
        let command = serve(&machine, &["--server", "mine"]);
        let mut agent = Agent::stateless(command, json!({ "elicitation": {} }));
        let call = json!({ "name": "ask_elicitation", "arguments": {} });
        let asked = agent.request("tools/call", call.clone());
        let result = &asked["result"];
        assert_eq!(result["resultType"], "input_required", "{asked}");
        let question = &result["inputRequests"]["question"];
        assert_eq!(question["method"], "elicitation/create");
        let mut retried = call;
        retried["requestState"] = result["requestState"].clone();
        let answer =
            json!({ "action": "accept", "content": { "name": "Ada", "days": ["monday"] } });
        retried["inputResponses"] = json!({ "question": answer });
        let answered = agent.request("tools/call", retried.clone());
        assert_eq!(answered["result"]["resultType"], "complete", "{answered}");
        let answer = &answered["result"]["structuredContent"]["answer"];
        assert_eq!(answer["content"]["name"], "Ada", "{answered}");
        let again = agent.request("tools/call", retried);
        assert_eq!(again["error"]["code"], -32602, "{again}");
    }
}

#[test]
fn a_question_is_declined_where_nobody_can_be_asked() {
    let machine = Machine::with_servers(json!({ "mine": demo(&["--era", "legacy"]) }));
    let (mut agent, _) = Agent::initialized(serve(&machine, &["--server", "mine"]), json!({}));
    let declined = agent.call("ask_elicitation", json!({}));
    assert_eq!(
        declined["structuredContent"]["answer"]["action"], "decline",
        "{declined}"
    );
}

#[test]
fn a_result_is_as_long_as_the_user_allows() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let command = serve(&machine, &["--server", "mine", "--max-chars", "100"]);
    let (mut agent, _) = Agent::initialized(command, json!({}));
    let long = "ä".repeat(5_000);
    let called = agent.call("echo", json!({ "message": long }));
    let text = text_of(&called);
    assert!(
        text.starts_with(&"ä".repeat(100)) && text.chars().count() < 300,
        "{text}"
    );
    assert!(text.contains("more characters"), "{text}");
    let listed = agent.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let promises = |tool: &&Value| tool.get("outputSchema").is_some();
    assert_eq!(tools.iter().filter(promises).count(), 0);
}

/// One that never answers its handshake is missing, and the others are there.
#[test]
fn a_silent_server_holds_up_no_other() {
    let machine = Machine::with_servers(json!({
        "silent": demo(&["--fault", "hang-initialize"]),
        "mine": demo(&[]),
    }));
    let words = ["--server", "silent", "--server", "mine"];
    let (mut agent, _) = Agent::initialized(serve(&machine, &words), json!({}));
    let called = agent.call("mine__echo", json!({ "message": "hi" }));
    assert_eq!(text_of(&called), "hi");
    let listed = tools(&mut agent);
    assert!(listed.contains(&"mine__echo".to_owned()), "{listed:?}");
}

/// The error of a server is passed on as it is, and a program that ends is told.
#[test]
fn what_goes_wrong_at_a_server_is_told_to_the_agent() {
    let machine = Machine::with_servers(json!({ "mine": demo(&[]) }));
    let (mut agent, _) = Agent::initialized(serve(&machine, &["--server", "mine"]), json!({}));
    let params = json!({ "name": "result_rpc_error", "arguments": {} });
    let error = agent.request("tools/call", params);
    assert!(error["error"]["code"].is_number(), "{error}");
    let crashed = agent.request("tools/call", json!({ "name": "crash", "arguments": {} }));
    assert!(
        text_of(&crashed["result"]).contains("not sent"),
        "{crashed}"
    );
    let missing = agent.request("resources/read", json!({ "uri": "demo://no/such" }));
    assert!(missing.get("error").is_some(), "{missing}");
}
