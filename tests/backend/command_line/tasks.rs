//! Calls that become tasks, and `tasks`: what is printed, and how it ends.

use sightglass_tests::programs;

use super::Machine;

#[test]
fn a_call_that_becomes_a_task_is_waited_for_and_prints_its_result_alone() {
    let machine = Machine::new();
    for (era, words) in [
        ("legacy", &["--task", "--ttl", "600"][..]),
        // The server decides here.
        ("modern", &[]),
    ] {
        let call = ["tools", "call", "background_work", "steps:=2", "ms:=50"];
        let ran = machine.demo(&[&call[..], words, &["--era", era, "--json"]].concat(), &[]);
        assert_eq!(ran.code, Some(0), "{era}: {}", ran.stderr);
        assert_eq!(ran.result()["structuredContent"]["steps"], 2, "{era}");
        assert_eq!(ran.stderr, "", "{era}");
        let failing = ["tools", "call", "background_work", "ms:=10", "fail:=true"];
        let ran = machine.demo(&[&failing[..], words, &["--era", era]].concat(), &[]);
        assert_eq!(ran.code, Some(2), "{era}: {}", ran.stderr);
        assert!(ran.stderr.contains("Task task-"), "{era}: {}", ran.stderr);
    }
}

#[test]
fn a_task_of_another_run_is_asked_about_by_its_id() {
    let http = programs::demo_over_http(&["--era", "legacy"]);
    let machine = Machine::new();
    let call = ["tools", "call", &http.url, "background_work", "ms:=50"];
    let ran = machine.run(&[&call[..], &["--task"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let listed = machine.run(&["tasks", "list", &http.url, "--json"]);
    let id = listed.result()["tasks"][0]["taskId"].clone();
    let id = id.as_str().expect("an id");
    let table = machine.run(&["tasks", "list", &http.url]);
    assert!(table.stdout.contains("completed"), "{}", table.stdout);
    let status = machine.run(&["tasks", "status", &http.url, id, "--json"]);
    assert_eq!(status.result()["status"], "completed");
    let result = machine.run(&["tasks", "result", &http.url, id, "--json"]);
    assert_eq!(result.result()["structuredContent"]["steps"], 5);
    let refused = machine.run(&["tasks", "cancel", &http.url, id, "--json"]);
    assert_ne!(refused.code, Some(0));
    let unknown = machine.run(&["tasks", "status", &http.url, "nobody's", "--json"]);
    assert_ne!(unknown.code, Some(0));
    let none = machine.run(&["tasks", "status", &http.url]);
    assert_eq!(none.code, Some(1), "{}", none.stderr);
}
