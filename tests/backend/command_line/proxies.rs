//! The way through a proxy that the environment names.

use serde_json::json;
use sightglass_tests::{certificates::Authority, forward_proxy::ForwardProxy, programs};

use super::{Machine, Ran, ran};

/// Runs a command with these variables and no others about proxies.
fn with_variables(machine: &Machine, words: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = machine.command(words);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command.envs(variables.iter().copied());
    ran(command.output().expect("it starts"))
}

#[test]
fn a_plain_request_is_the_proxys_to_forward_unless_an_exception_says_otherwise() {
    let server = programs::faulty(&[]);
    let proxy = ForwardProxy::to(server.port());
    let url = proxy.url();
    let machine = Machine::new();
    // Only the proxy knows where that is.
    let target = "http://mcp.invalid/mcp";
    let words = ["tools", "call", target, "echo", "{}"];
    let said = with_variables(&machine, &words, &[("HTTP_PROXY", &url)]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(said.stdout, "unharmed\n");
    let asked = proxy.asked();
    assert!(
        asked
            .iter()
            .all(|line| line.ends_with("http://mcp.invalid/mcp HTTP/1.1")),
        "{asked:?}"
    );
    let doctor = with_variables(&machine, &["doctor", target], &[("HTTP_PROXY", &url)]);
    assert_eq!(doctor.code, Some(0), "{}", doctor.stdout);
    assert!(
        doctor.stdout.contains("(from HTTP_PROXY)"),
        "{}",
        doctor.stdout
    );

    let excepted = [("HTTP_PROXY", url.as_str()), ("NO_PROXY", "mcp.invalid")];
    let direct = with_variables(&machine, &["ping", target], &excepted);
    assert_eq!(direct.code, Some(3), "nobody else knows that name");
}

#[test]
fn a_proxy_that_lets_nothing_through_is_named_and_not_the_server() {
    let machine = Machine::new();
    let dead = format!("http://user:hidden@127.0.0.1:{}", programs::free_port());
    let locked = ForwardProxy::that_asks_for_a_password();
    let strict = ForwardProxy::that_answers("403 Forbidden");
    let stranded = ForwardProxy::that_answers("504 Gateway Timeout");
    let cases = [
        (
            "HTTP_PROXY",
            "http://mcp.invalid/mcp",
            dead.as_str(),
            "cannot be reached",
        ),
        (
            "HTTPS_PROXY",
            "https://mcp.invalid/mcp",
            dead.as_str(),
            "cannot be reached",
        ),
        (
            "HTTP_PROXY",
            "http://mcp.invalid/mcp",
            &locked.url(),
            "asks for a password",
        ),
        (
            "HTTPS_PROXY",
            "https://mcp.invalid/mcp",
            &locked.url(),
            "asks for a password",
        ),
        (
            "HTTPS_PROXY",
            "https://mcp.invalid/mcp",
            &strict.url(),
            "was reached, and opened no way",
        ),
        (
            "HTTPS_PROXY",
            "https://mcp.invalid/mcp",
            &stranded.url(),
            "was reached, and opened no way",
        ),
    ];
    for (variable, target, proxy, wanted) in cases {
        let said = with_variables(&machine, &["ping", target, "--json"], &[(variable, proxy)]);
        assert_eq!(said.code, Some(3), "{}", said.stderr);
        let error = said.error();
        assert_eq!(error["data"]["proxy"]["source"], variable, "{error}");
        let hint = error["hint"].to_string();
        assert!(
            hint.contains(wanted) && hint.contains(variable) && hint.contains("NO_PROXY"),
            "{hint}"
        );
        assert!(!said.stderr.contains("hidden"), "{}", said.stderr);
        let doctor = with_variables(&machine, &["doctor", target], &[(variable, proxy)]);
        assert!(doctor.stdout.contains(wanted), "{}", doctor.stdout);
    }
    // Every host is an exception: the proxy is not asked.
    let server = programs::faulty(&[]);
    let target = format!("{}/mcp", server.url);
    let variables = [("HTTP_PROXY", dead.as_str()), ("NO_PROXY", "*")];
    let said = with_variables(&machine, &["ping", &target], &variables);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

#[test]
fn a_secure_request_goes_through_a_tunnel() {
    let authority = Authority::new();
    let server = programs::faulty(&authority.issue("mcp.invalid").files());
    let proxy = ForwardProxy::to(server.port());
    let machine = Machine::with_servers(json!({
        "secure": { "url": "https://mcp.invalid/mcp", "ca_file": authority.file() },
    }));
    let words = ["tools", "call", "secure", "echo", "{}"];
    let said = with_variables(&machine, &words, &[("HTTPS_PROXY", &proxy.url())]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let asked = proxy.asked();
    assert!(
        asked
            .iter()
            .all(|line| line == "CONNECT mcp.invalid:443 HTTP/1.1"),
        "{asked:?}"
    );
}
