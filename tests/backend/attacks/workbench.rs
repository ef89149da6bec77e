//! A model, or whoever speaks through it, that wants the tools of the workbench to reach out of their
//! folder.

use std::{fs, io::Write, os::unix::fs::symlink, path::Path, process::Stdio};

use serde_json::{Value, json};

use crate::{
    command_line::Machine,
    workbench::{NOTEBOOK, call},
};

fn edit(machine: &Machine, folder: &Path, path: &str) -> Value {
    let given = json!({ "path": path, "action": "delete", "index": 0 }).to_string();
    let words = ["tools", "call", "notebook_edit", &given, "--confirm-calls"];
    let ran = call(machine, folder, &words);
    assert_eq!(ran.code, Some(2), "{path}: {}{}", ran.stdout, ran.stderr);
    ran.result()
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let machine = Machine::new();
    let folder = machine.path("project");
    let secret = machine.path("home/secret.ipynb");
    fs::write(&secret, NOTEBOOK).expect("written");
    symlink(&secret, folder.join("link.ipynb")).expect("made");
    symlink(machine.path("home"), folder.join("out")).expect("made");
    let absolute = secret.to_string_lossy();
    for path in [
        "../home/secret.ipynb",
        "link.ipynb",
        "out/secret.ipynb",
        "./out/../out/secret.ipynb",
        &*absolute,
    ] {
        let told = edit(&machine, &folder, path).to_string();
        assert!(!told.contains("Title"), "{path}: {told}");
    }
    // Whether something is there is not told either.
    let there = edit(&machine, &folder, "../home/secret.ipynb").to_string();
    let nothing = edit(&machine, &folder, "../home/nothing.ipynb").to_string();
    assert_eq!(there.replace("secret", "nothing"), nothing);
    assert_eq!(fs::read_to_string(&secret).expect("read"), NOTEBOOK);
}

#[test]
fn the_list_is_written_through_no_link() {
    let machine = Machine::new();
    let folder = machine.path("project");
    let words = ["tools", "call", "todo_add", "text:=x"];
    symlink(machine.path("home"), folder.join(".workbench")).expect("made");
    let ran = call(&machine, &folder, &words);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(!machine.path("home/todo.json").exists());
    fs::remove_file(folder.join(".workbench")).expect("removed");
    fs::create_dir(folder.join(".workbench")).expect("made");
    let theirs = machine.path("home/theirs");
    fs::write(&theirs, "theirs").expect("written");
    for name in ["todo.json", "todo.md", "lock"] {
        symlink(&theirs, folder.join(".workbench").join(name)).expect("made");
    }
    let ran = call(&machine, &folder, &words);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&theirs).expect("read"), "theirs");
}

#[test]
fn what_is_no_file_holds_up_nothing() {
    let machine = Machine::new();
    let folder = machine.path("project");
    symlink("/dev/zero", folder.join("zero.ipynb")).expect("made");
    fs::create_dir(folder.join("folder.ipynb")).expect("made");
    for path in ["zero.ipynb", "folder.ipynb", "\0.ipynb", ".ipynb"] {
        edit(&machine, &folder, path);
    }
}

#[test]
fn a_message_that_is_none_ends_nothing() {
    let machine = Machine::new();
    let mut child = machine
        .command(&["workbench", "."])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let deep = "[".repeat(100_000);
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    writeln!(stdin, "{deep}\nnull\n{{}}\n\u{0}\n[{ping}]\n{ping}").expect("read");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let last: Value = serde_json::from_str(answers.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["id"], &last["result"]), (&json!(7), &json!({})));
}
