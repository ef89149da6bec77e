//! Values that a script has from a stranger, and hands on as arguments of a call.

use std::fs;

use crate::command_line::Machine;

/// A value that names a file is sent as it is written: no file is read but where the script itself
/// wrote `KEY=@FILE`.
#[test]
fn a_value_reads_no_file() {
    let machine = Machine::new();
    fs::write(machine.path("project/secret.json"), r#"{"key":"CANARY"}"#).expect("written");
    let value = format!("{}", machine.path("project/secret.json").display());
    for given in [
        format!("a:=@{value}"),
        format!("@a:=@{value}"),
        "a:=-".to_owned(),
    ] {
        let ran = machine.demo(&["tools", "call", "echo_arguments", &given], &[]);
        assert_eq!(ran.code, Some(0), "{given}: {}", ran.stderr);
        assert!(!ran.stdout.contains("CANARY"), "{given}: {}", ran.stdout);
    }
    for given in ["user:=", "user="].map(|key| format!("{key}@{value}")) {
        let words = [
            "prompts",
            "get",
            "repository",
            "--json",
            &given,
            "repository=x",
        ];
        let ran = machine.demo(&words, &[]);
        assert!(!ran.stdout.contains("CANARY"), "{given}: {}", ran.stdout);
        assert!(
            ran.stdout.contains(&format!("@{value}")),
            "{given}: {}",
            ran.stderr
        );
    }
}

#[cfg(unix)]
#[test]
fn a_device_in_place_of_a_file_is_refused() {
    let machine = Machine::new();
    for given in ["@/dev/zero", "a=@/dev/zero", "a=@/dev/stdin", "@/proc"] {
        let ran = machine.demo(&["tools", "call", "echo_arguments", given, "--json"], &[]);
        assert_eq!(ran.code, Some(1), "{given}: {}", ran.stderr);
    }
}
