//! `doctor`: what it prints, and how it ends.

use serde_json::{Value, json};
use sightglass_tests::programs;

use super::Machine;

fn verdict<'a>(report: &'a Value, title: &str) -> &'a Value {
    let mut checks = report["checks"].as_array().into_iter().flatten();
    let check = checks.find(|check| check["title"] == title);
    &check.unwrap_or_else(|| panic!("no {title}: {report}"))["verdict"]
}

#[test]
fn a_server_that_is_well_is_found_so() {
    let machine = Machine::new();
    let ran = machine.demo(&["doctor"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("All checks passed."), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
    let http = programs::demo_over_http(&[]);
    let ran = machine.run(&["doctor", &http.url, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = ran.result();
    assert_eq!(report["state"], "finished");
    assert_eq!(report["cause"], Value::Null);
    assert_eq!(verdict(&report, "Handshake"), "passed");
}

#[test]
fn what_is_wrong_is_on_stdout_with_its_evidence_and_ends_as_connecting_would() {
    let machine = Machine::new();
    let words = ["doctor", "--json"];
    let ended = machine.demo(
        &words,
        &["--fault", "exit", "--exit-code", "3", "--stderr", "no key"],
    );
    assert_eq!(
        (ended.code, &ended.error()["code"]),
        (Some(3), &json!("exited"))
    );
    assert_eq!(verdict(&ended.result(), "Exit"), "failed");
    assert!(ended.stdout.contains("stderr: no key"), "{}", ended.stdout);

    let misspelt = machine.run(&["doctor", "--json", "--", "nodde"]);
    assert_eq!(misspelt.code, Some(3));
    let cause = misspelt.result()["cause"].to_string();
    assert!(cause.contains("did you mean node?"), "{cause}");

    let url = format!("http://127.0.0.1:{}/mcp", programs::free_port());
    let refused = machine.run(&["doctor", &url, "--json"]);
    assert_eq!(refused.code, Some(3));
    assert_eq!(verdict(&refused.result(), "Port (TCP)"), "failed");
    let text = machine.run(&["doctor", &url]);
    assert!(text.stdout.contains("Likely cause:"), "{}", text.stdout);
}

#[test]
fn secrets_of_the_entry_are_nowhere_in_a_report() {
    let machine = Machine::new();
    let ran = machine.demo(
        &["doctor", "--json", "--env", "API_KEY=not-to-be-seen"],
        &[
            "--fault",
            "exit",
            "--stderr",
            "the key not-to-be-seen is wrong",
        ],
    );
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.contains("is wrong"), "{}", ran.stdout);
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains("to-be-seen"), "{text}");
    }
}
