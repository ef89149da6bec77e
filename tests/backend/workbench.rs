//! The workbench: a server with real tools, called as a user and an agent call them.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sightglass_tests::programs;

use crate::command_line::{Machine, Ran};

/// Calls a tool of the workbench of a folder.
pub(crate) fn call(machine: &Machine, folder: &Path, words: &[&str]) -> Ran {
    let program = programs::own("sightglass-cli");
    let (program, folder) = (program.to_string_lossy(), folder.to_string_lossy());
    let served = ["--json", "--", &*program, "workbench", &*folder];
    machine.run(&[words, &served].concat())
}

pub(crate) const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "title",
   "metadata": {},
   "source": ["# Title"]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

fn given(arguments: &Value) -> String {
    arguments.to_string()
}

#[test]
fn a_notebook_is_edited_in_both_eras() {
    for era in ["legacy", "modern"] {
        let machine = Machine::new();
        let folder = machine.path("project");
        let file = folder.join("a.ipynb");
        fs::write(&file, NOTEBOOK).expect("written");
        let insert = given(&json!({
            "path": "a.ipynb", "action": "insert", "index": 1, "cellType": "code", "source": "1 + 1",
        }));
        let words = ["tools", "call", "notebook_edit", &insert, "--era", era];
        // It says that it may destroy something.
        let unconfirmed = call(&machine, &folder, &words);
        assert_eq!(unconfirmed.code, Some(1), "{era}: {}", unconfirmed.stderr);
        assert_eq!(fs::read_to_string(&file).expect("read"), NOTEBOOK);
        let inserted = call(
            &machine,
            &folder,
            &[&words[..], &["--confirm-calls"]].concat(),
        );
        assert_eq!(
            inserted.code,
            Some(0),
            "{era}: {}{}",
            inserted.stdout,
            inserted.stderr
        );
        let result = inserted.result();
        let cell = &result["structuredContent"];
        assert_eq!((&cell["index"], &cell["cells"]), (&json!(1), &json!(2)));
        let id = cell["id"].as_str().expect("an id");
        let delete = given(&json!({ "path": "a.ipynb", "action": "delete", "id": id }));
        let words = [
            "tools",
            "call",
            "notebook_edit",
            &delete,
            "--confirm-calls",
            "--era",
            era,
        ];
        let deleted = call(&machine, &folder, &words);
        assert_eq!(deleted.code, Some(0), "{era}: {}", deleted.stderr);
        assert_eq!(fs::read_to_string(&file).expect("read"), NOTEBOOK, "{era}");
    }
}

#[test]
fn things_to_do_are_kept_for_programs_and_for_people() {
    let machine = Machine::new();
    let folder = machine.path("project");
    let add = call(
        &machine,
        &folder,
        &["tools", "call", "todo_add", "text:=write the test"],
    );
    assert_eq!(add.code, Some(0), "{}", add.stderr);
    assert_eq!(add.result()["structuredContent"]["id"], 0);
    let words = [
        "tools",
        "call",
        "todo_update",
        "id:=0",
        "status:=in_progress",
    ];
    assert_eq!(call(&machine, &folder, &words).code, Some(0));
    let listed = call(&machine, &folder, &["tools", "call", "todo_list", "{}"]).result();
    let items = json!([{ "id": 0, "text": "write the test", "status": "in_progress" }]);
    assert_eq!(listed["structuredContent"]["items"], items, "{listed}");
    let shown = fs::read_to_string(folder.join(".workbench/todo.md")).expect("read");
    assert!(shown.contains("- [~] write the test (0)"), "{shown}");
    let remove = ["tools", "call", "todo_remove", "id:=0"];
    assert_eq!(
        call(&machine, &folder, &remove).code,
        Some(1),
        "it was not confirmed"
    );
    let confirmed = [&remove[..], &["--confirm-calls"]].concat();
    assert_eq!(call(&machine, &folder, &confirmed).code, Some(0));
    let gone = call(&machine, &folder, &confirmed);
    assert_eq!(gone.code, Some(2), "{}", gone.stderr);
}

/// What it shows is what a client and a model can use.
#[test]
fn its_tools_pass_the_checks() {
    let machine = Machine::new();
    let folder = machine.path("project");
    let lint = call(&machine, &folder, &["lint"]);
    assert_eq!(lint.code, Some(0), "{}{}", lint.stdout, lint.stderr);
    assert_eq!(lint.result()["findings"], json!([]), "{}", lint.stdout);
    let conformance = call(&machine, &folder, &["conformance"]);
    assert_eq!(
        conformance.code,
        Some(0),
        "{}{}",
        conformance.stdout,
        conformance.stderr
    );
}

#[test]
fn a_folder_that_is_none_is_refused() {
    let machine = Machine::new();
    let mut nowhere = machine.command(&["workbench", "nowhere"]);
    let ended = nowhere.output().expect("it starts");
    assert_eq!(ended.status.code(), Some(1));
    let help = machine.run(&["workbench", "--help"]);
    assert_eq!(help.code, Some(0), "{}", help.stderr);
    assert!(help.stdout.contains("workbench DIR"), "{}", help.stdout);
    assert_eq!(machine.run(&["workbench"]).code, Some(1));
}
