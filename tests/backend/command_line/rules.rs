//! Rules that answer questions: `--rules`, and `rules list`, `check` and `try`.

use super::Machine;

const RULES: &str = r#"
[[rule]]
name   = "Colours"
server = "*"
kind   = "form"
then   = "accept"
values = { answer = "blue", name = "Ada", email = "ada@example.com" }
"#;

fn with_rules(text: &str) -> (Machine, String) {
    let machine = Machine::new();
    let path = machine.path("answers.toml");
    std::fs::write(&path, text).expect("written");
    (machine, path.display().to_string())
}

#[test]
fn what_a_rule_answers_is_told_and_what_none_answers_is_declined() {
    let (machine, rules) = with_rules(RULES);
    for era in ["legacy", "modern"] {
        let call = ["tools", "call", "ask_elicitation", "--era", era, "--json"];
        let ran = machine.demo(&[&call[..], &["--rules", &rules]].concat(), &[]);
        assert_eq!(ran.code, Some(0), "{era}: {}", ran.stderr);
        let answer = &ran.result()["structuredContent"]["answer"];
        assert_eq!(answer["content"]["name"], "Ada", "{era}");
        let told = machine.demo(&[&call[..5], &["--rules", &rules]].concat(), &[]);
        assert!(told.stderr.contains("Colours"), "{era}: {}", told.stderr);
        let declined = machine.demo(&call, &[]);
        let answer = &declined.result()["structuredContent"]["answer"];
        assert_eq!(answer["action"], "decline", "{era}");
    }
}

#[test]
fn the_users_own_rules_count_without_being_named() {
    let machine = Machine::new();
    std::fs::write(machine.path("data/rules.toml"), RULES).expect("written");
    let call = ["tools", "call", "ask_elicitation", "--json"];
    let ran = machine.demo(&call, &[]);
    let answer = &ran.result()["structuredContent"]["answer"];
    assert_eq!(answer["content"]["name"], "Ada", "{}", ran.stderr);
    let listed = machine.run(&["rules", "list"]);
    assert!(listed.stdout.contains("Colours"), "{}", listed.stdout);
}

#[test]
fn a_file_is_checked_and_a_broken_one_answers_nothing() {
    let (machine, rules) = with_rules(&RULES.replace("\"accept\"", "\"agree\""));
    let checked = machine.run(&["rules", "check", &rules]);
    assert_ne!(checked.code, Some(0));
    assert!(checked.stdout.contains(":6:"), "{}", checked.stdout);
    let call = ["tools", "call", "ask_elicitation", "--rules", &rules];
    let ran = machine.demo(&call, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("agree"), "{}", ran.stderr);
    let absent = machine.run(&["rules", "check", "nowhere.toml"]);
    assert_eq!(absent.code, Some(1), "{}", absent.stderr);
    let (machine, rules) = with_rules(RULES);
    let right = machine.run(&["rules", "check", &rules]);
    assert_eq!(right.code, Some(0), "{}", right.stderr);
}

#[test]
fn a_folder_is_neither_a_file_of_rules_nor_a_session_file() {
    let machine = Machine::new();
    let folder = machine.path("project");
    let folder = folder.to_str().expect("UTF-8");
    for (words, code) in [(["rules", "check"], 5), (["mock", "--json"], 1)] {
        let ran = machine.run(&[&words[..], &[folder]].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            told.contains("not a regular file but a directory."),
            "{told}"
        );
        assert!(!told.contains(".."), "{told}");
    }
}

#[test]
fn a_question_is_tried_without_being_asked() {
    let (machine, rules) = with_rules(RULES);
    let form = r#"{"message":"Which?","requestedSchema":{"type":"object","properties":{"answer":{"type":"string"}}}}"#;
    let tried = |words: &[&str]| {
        machine.run(&[&["rules", "try", "https://example.com/mcp"], words].concat())
    };
    let answered = tried(&[form, "--rules", &rules, "--json"]);
    let printed: serde_json::Value = serde_json::from_str(&answered.stdout).expect("JSON");
    let trial = &printed["trials"][0];
    assert_eq!(trial["rule"], "Colours", "{}", answered.stderr);
    assert_eq!(
        trial["answer"],
        r#"{"action":"accept","content":{"answer":"blue"}}"#
    );
    let unanswered = tried(&[form]);
    assert!(unanswered.stdout.contains("No rule is about it"));
    let broken = tried(&["{"]);
    assert_eq!(broken.code, Some(1), "{}", broken.stderr);
}
