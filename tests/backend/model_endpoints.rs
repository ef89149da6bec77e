//! Endpoints that speak the documented formats, and some that do not.

use serde_json::{Value, json};
use sightglass_http::{HttpOptions, Proxies};
use sightglass_model::Trust;
use sightglass_model_endpoint::{
    ContentBlock, Conversation, Endpoint, EndpointError, EndpointKind, ToolChoiceMode,
};
use sightglass_secrets::Secret;
use sightglass_tests::model::{answer, serve};

const KEY: &str = "sk-test-0123456789abcdef";

fn endpoint(kind: EndpointKind, url: &str) -> Endpoint {
    Endpoint {
        kind,
        url: url.to_owned(),
        model: "small".to_owned(),
        key: Some(Secret::new(KEY.to_owned())),
    }
}

fn client() -> HttpOptions {
    HttpOptions::new(&Trust::default(), &Proxies::default())
}

fn sampling() -> Conversation {
    let params = json!({
        "systemPrompt": "Be brief.",
        "maxTokens": 50,
        "temperature": 0.5,
        "stopSequences": ["END"],
        "tools": [{ "name": "get_weather", "inputSchema": { "type": "object" } }],
        "toolChoice": { "mode": "required" },
        "messages": [
            { "role": "user", "content": [
                { "type": "text", "text": "Weather?" },
                { "type": "image", "mimeType": "image/png", "data": "AAAA" },
            ] },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "1", "name": "get_weather", "input": { "city": "Oslo" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "toolUseId": "1", "content": [{ "type": "text", "text": "Rain" }] },
            ] },
        ],
    });
    Conversation::of_sampling(&params).expect("a conversation")
}

fn body_of(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

#[tokio::test]
async fn anthropic_gets_blocks_and_answers_with_a_use_of_a_tool() {
    let told = json!({
        "model": "claude-small-1",
        "stop_reason": "tool_use",
        "content": [
            { "type": "thinking", "thinking": "…" },
            { "type": "text", "text": "I look." },
            { "type": "tool_use", "id": "t1", "name": "get_weather", "input": { "city": "Paris" } },
        ],
    });
    let (url, mut requests) = serve(answer("200 OK", &told.to_string())).await;
    let completion = endpoint(EndpointKind::Anthropic, &url)
        .complete(client(), &sampling())
        .await
        .expect("an answer");
    assert_eq!(completion.stop_reason, "toolUse");
    assert_eq!(completion.blocks.len(), 2);
    let result = completion.sampling_result();
    assert_eq!(result["content"][1]["input"]["city"], "Paris");
    assert_eq!(result["model"], "claude-small-1");
    let request = requests.recv().await.expect("a request");
    assert!(
        request.starts_with("POST /v1/messages HTTP/1.1"),
        "{request}"
    );
    let head = request.to_lowercase();
    assert!(head.contains(&format!("x-api-key: {KEY}")));
    assert!(head.contains("anthropic-version: 2023-06-01"));
    let body = body_of(&request);
    assert_eq!(body["system"], "Be brief.");
    assert_eq!(body["tool_choice"]["type"], "any");
    assert_eq!(
        body["messages"][0]["content"][1]["source"]["media_type"],
        "image/png"
    );
    assert_eq!(body["messages"][2]["content"][0]["tool_use_id"], "1");
}

#[tokio::test]
async fn chat_completions_get_messages_of_their_own_for_results() {
    let told = json!({
        "model": "local",
        "choices": [{ "finish_reason": "stop", "message": { "content": null, "tool_calls": [
            { "id": "c1", "function": { "name": "get_weather", "arguments": "{\"city\":\"Rome\"}" } },
        ] } }],
    });
    let (url, mut requests) = serve(answer("200 OK", &told.to_string())).await;
    let mut local = endpoint(EndpointKind::OpenaiChat, &format!("{url}/v1/"));
    local.key = None;
    let completion = local
        .complete(client(), &sampling())
        .await
        .expect("an answer");
    assert_eq!(completion.stop_reason, "toolUse");
    let [ContentBlock::ToolUse { name, input, .. }] = completion.blocks.as_slice() else {
        panic!("{completion:?}");
    };
    assert_eq!(
        (name.as_str(), &input["city"]),
        ("get_weather", &json!("Rome"))
    );
    let request = requests.recv().await.expect("a request");
    assert!(
        request.starts_with("POST /v1/chat/completions "),
        "{request}"
    );
    assert!(!request.to_lowercase().contains("authorization"));
    let body = body_of(&request);
    assert_eq!(body["max_tokens"], 50);
    assert_eq!(body["messages"][0]["role"], "system");
    assert_eq!(body["messages"][2]["tool_calls"][0]["id"], "1");
    assert_eq!(body["messages"][3]["role"], "tool");
    assert_eq!(body["messages"][3]["content"], "Rain");
    assert_eq!(body["tool_choice"], "required");
}

#[tokio::test]
async fn tokens_are_counted_without_an_answer() {
    let (url, mut requests) = serve(answer("200 OK", r#"{"input_tokens":403}"#)).await;
    let mut conversation = sampling();
    conversation.choice = ToolChoiceMode::Auto;
    let counted = endpoint(EndpointKind::Anthropic, &url)
        .count_tokens(client(), &conversation)
        .await;
    assert_eq!(counted, Ok(403));
    let request = requests.recv().await.expect("a request");
    assert!(request.starts_with("POST /v1/messages/count_tokens "));
    assert_eq!(body_of(&request).get("max_tokens"), None);
    let other = endpoint(EndpointKind::OpenaiChat, &url)
        .count_tokens(client(), &conversation)
        .await;
    assert!(matches!(other, Err(EndpointError::Unsupported(_))));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (elsewhere, mut stolen) = serve(answer("200 OK", "{}")).await;
    let redirect = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {elsewhere}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    );
    let (url, _requests) = serve(redirect).await;
    let refused = endpoint(EndpointKind::Anthropic, &url)
        .complete(client(), &sampling())
        .await;
    assert!(
        matches!(refused, Err(EndpointError::Refused { status: 307, .. })),
        "{refused:?}"
    );
    assert!(stolen.try_recv().is_err(), "the key went elsewhere");
}

#[tokio::test]
async fn a_refusal_is_told_without_the_key() {
    let told = format!(
        r#"{{"error":{{"message":"invalid key {KEY}\n\u001b[31m{}"}}}}"#,
        "x".repeat(5000)
    );
    let (url, _requests) = serve(answer("401 Unauthorized", &told)).await;
    let refused = endpoint(EndpointKind::Anthropic, &url)
        .complete(client(), &sampling())
        .await
        .expect_err("refused")
        .to_string();
    assert!(
        refused.contains("401") && refused.contains("invalid key"),
        "{refused}"
    );
    assert!(
        !refused.contains(KEY) && !refused.contains('\u{1b}'),
        "{refused}"
    );
    assert!(refused.len() < 500, "{refused}");
}

#[tokio::test]
async fn a_key_that_is_echoed_in_an_answer_is_masked_and_no_arguments_are_an_empty_object() {
    let told = json!({ "model": "m", "choices": [{ "message": {
        "content": format!("Your key is {KEY}."),
        "tool_calls": [
            { "function": { "name": "get_weather", "arguments": "" } },
            { "function": { "name": "get_weather", "arguments": { "city": "Oslo" } } },
            { "function": { "name": "get_weather", "arguments": format!("{{\"city\":\"\\u0073{}\"}}", &KEY[1..]) } },
        ],
    } }] });
    let told = told
        .to_string()
        .replace("Your key is s", "Your key is \\u0073");
    let (url, _requests) = serve(answer("200 OK", &told)).await;
    let completion = endpoint(EndpointKind::OpenaiChat, &url)
        .complete(client(), &sampling())
        .await
        .expect("an answer");
    let result = completion.sampling_result();
    assert!(!result.to_string().contains(KEY), "{result}");
    assert_eq!(result["content"][1]["input"], json!({}));
    assert_eq!(result["content"][2]["input"]["city"], "Oslo");
    assert!(result["content"][3]["input"]["city"].is_string());
}

#[tokio::test]
async fn a_proxy_does_not_get_what_goes_to_this_machine() {
    let (proxy, mut seen) = serve(answer("200 OK", "{}")).await;
    let (url, _requests) = serve(answer("200 OK", r#"{"input_tokens":1}"#)).await;
    let proxies = Proxies::one(&proxy, "").expect("a proxy");
    let through = HttpOptions::new(&Trust::default(), &proxies);
    let counted = endpoint(EndpointKind::Anthropic, &url)
        .count_tokens(through, &sampling())
        .await;
    assert_eq!(counted, Ok(1));
    assert!(seen.try_recv().is_err(), "the proxy saw the key");
}

#[tokio::test]
async fn nonsense_and_floods_are_refused() {
    for body in ["", "[]", "{}", "<html>", r#"{"content":7}"#] {
        let (url, _requests) = serve(answer("200 OK", body)).await;
        for kind in [EndpointKind::Anthropic, EndpointKind::OpenaiChat] {
            let refused = endpoint(kind, &url).complete(client(), &sampling()).await;
            assert!(
                matches!(refused, Err(EndpointError::Answer(_))),
                "{body}: {refused:?}"
            );
        }
    }
    let flood = format!(r#"{{"content":[],"x":"{}"}}"#, "x".repeat(9 << 20));
    let (url, _requests) = serve(answer("200 OK", &flood)).await;
    let refused = endpoint(EndpointKind::Anthropic, &url)
        .complete(client(), &sampling())
        .await;
    assert!(
        matches!(refused, Err(EndpointError::Answer(_))),
        "{refused:?}"
    );
}

#[test]
fn a_key_goes_over_https_or_to_this_machine_alone() {
    for url in [
        "https://api.anthropic.com",
        "http://localhost:11434/v1",
        "http://127.0.0.1/v1",
        "http://[::1]:8080",
    ] {
        assert_eq!(
            endpoint(EndpointKind::Anthropic, url).check(),
            Ok(()),
            "{url}"
        );
    }
    for url in [
        "http://api.example.com",
        "http://localhost.evil.example",
        "http://127.0.0.1.evil.example",
        "http://192.168.0.2/v1",
        "https://user:pass@example.com",
        "https://example.com/?key=1",
        "file:///etc/passwd",
        "nonsense",
    ] {
        let checked = endpoint(EndpointKind::Anthropic, url).check();
        assert!(
            matches!(checked, Err(EndpointError::Address(_))),
            "{url}: {checked:?}"
        );
    }
}

#[test]
fn what_no_interface_takes_is_told() {
    for params in [
        json!({}),
        json!({ "messages": [{ "content": { "type": "text", "text": "x" } }] }),
        json!({ "messages": [{ "role": "user", "content": { "type": "video" } }] }),
        json!({ "messages": [{ "role": "user" }] }),
    ] {
        assert!(Conversation::of_sampling(&params).is_err(), "{params}");
    }
}
