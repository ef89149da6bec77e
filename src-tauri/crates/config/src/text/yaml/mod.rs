//! YAML, read into the tree that JSON is read into, and changed where a change is.
//!
//! `saphyr-parser` reads; a change replaces the bytes of one member of a block mapping, or inserts or
//! removes its lines, so that comments, quotes and line ends elsewhere stay. A mapping in braces is
//! written anew as a block, since its members have no lines of their own. So is a list in brackets
//! that holds servers.
//!
//! An anchor, an alias or a tag is a fault where it stands: one place of the text would stand for
//! several of the tree, and a short text for a huge one. Nothing is put in for an alias.
//! [`Layout`](crate::definition::layout::Layout) passes over those that no server depends on.
//!
//! `yamlpatch` (1.32) writes line feeds into a text with CRLF, removes the comment after a mapping
//! together with its last member, adds nothing to a key without a value, and brings 15 crates, a parser
//! in C among them.

mod as_json;
mod editor;
mod reader;
mod render;

pub use as_json::yaml_as_json;
pub(crate) use editor::YamlEditor;
pub(crate) use reader::parse;

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{render::json_of, *};
    use crate::text::{
        json::{SyntaxError, SyntaxErrorKind},
        json_edit::object_at,
    };

    fn value_of(text: &str) -> Value {
        let document = parse(text);
        assert_eq!(document.errors, [], "{text}");
        json_of(document.root.as_ref().expect("a root"))
    }

    fn error_of(text: &str) -> SyntaxError {
        let mut errors = parse(text).errors;
        errors.pop().unwrap_or_else(|| panic!("{text} is taken"))
    }

    const GOOSE: &str = "\
# Written by hand.
GOOSE_MODEL: gpt-5 # the model

extensions:
  # Files of the project.
  files:
    type: stdio
    cmd: npx
    args: [-y, \"server-files\", '.']
    enabled: true
    envs: {}
    timeout: 300

  remote:
    type: streamable_http
    uri: https://mcp.example/mcp
    headers:
      X-Team: 'tools'   # ours
    description: |
      Several
      lines.
other: 1
";

    #[test]
    fn a_text_is_read_with_the_place_of_each_value() {
        let value = value_of(GOOSE);
        assert_eq!(
            value["extensions"]["files"]["args"],
            json!(["-y", "server-files", "."])
        );
        assert_eq!(
            value["extensions"]["remote"]["description"],
            json!("Several\nlines.\n")
        );
        assert_eq!(value["extensions"]["files"]["timeout"], json!(300));
        let document = parse(GOOSE);
        let (_, files) = object_at(&document, &["extensions", "files"]).expect("there");
        let command = files.get("cmd").expect("there");
        assert_eq!(&GOOSE[command.key_range.clone()], "cmd");
        assert_eq!(&GOOSE[command.value.range.clone()], "npx");
        assert_eq!(value_of("# nothing\n"), json!({}));
        assert_eq!(value_of("a:\nb: ~\n"), json!({ "a": null, "b": null }));
    }

    #[test]
    fn what_could_mean_something_else_elsewhere_is_refused_with_its_place() {
        for (text, at) in [
            ("a: 1\na: 2\n", 5),
            ("a: 1\n---\nb: 2\n", 5),
            ("? [a]\n: 1\n", 2),
        ] {
            let error = error_of(text);
            assert!(
                matches!(error.kind, SyntaxErrorKind::Yaml(_)),
                "{text}: {error:?}"
            );
            assert!(error.at.abs_diff(at) <= 3, "{text}: {error:?}");
        }
        for (text, at) in [("a: &x 1\n", 3), ("a: !!str 1\n", 3), ("a: *x\n", 3)] {
            let errors = parse(text).errors;
            let at = |error: &SyntaxError| error.at.abs_diff(at) <= 3;
            assert!(
                !errors.is_empty() && errors.iter().all(at),
                "{text}: {errors:?}"
            );
        }
        // Nothing is put in for an alias, so that a short text stays a small tree.
        let bomb = "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        let document = parse(bomb);
        assert_eq!(document.errors.len(), 6);
        let references = |error: &SyntaxError| error.kind == SyntaxErrorKind::YamlReference;
        assert!(document.errors.iter().all(references));
        let root = json_of(document.root.as_ref().expect("a root"));
        assert_eq!(root["c"], json!([null, null]));
        let deep = format!("a: {}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(!parse(&deep).errors.is_empty());
    }

    /// The lines of `text` that `changed` does not have, and those that it has instead.
    fn difference(text: &str, changed: &str) -> (Vec<String>, Vec<String>) {
        let lines = |text: &str| {
            text.split_inclusive('\n')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let (before, after) = (lines(text), lines(changed));
        let gone = before.iter().filter(|line| !after.contains(line)).cloned();
        let new = after.iter().filter(|line| !before.contains(line)).cloned();
        (gone.collect(), new.collect())
    }

    #[test]
    fn a_change_leaves_every_other_line_as_it_is() {
        for ends in ["\n", "\r\n"] {
            let text = GOOSE.replace('\n', ends);
            let mut editor = YamlEditor::new(text.clone());
            editor.set(&["extensions", "files"], "enabled", &json!(false));
            let changed = editor.into_text();
            let line = |text: &str| format!("{text}{ends}");
            assert_eq!(
                difference(&text, &changed),
                (
                    vec![line("    enabled: true")],
                    vec![line("    enabled: false")]
                )
            );

            let mut editor = YamlEditor::new(text.clone());
            editor.set(&["extensions", "files"], "args", &json!(["-y", "other: x"]));
            let value = value_of(&editor.into_text());
            assert_eq!(
                value["extensions"]["files"]["args"],
                json!(["-y", "other: x"])
            );
            assert_eq!(value["extensions"]["files"]["enabled"], json!(true));

            let mut editor = YamlEditor::new(text.clone());
            editor.set(
                &["extensions"],
                "new",
                &json!({ "cmd": "uvx", "envs": { "A": "yes" } }),
            );
            let changed = editor.into_text();
            let (gone, new) = difference(&text, &changed);
            assert_eq!(gone, [""; 0]);
            assert_eq!(
                new,
                ["  new:", "    cmd: uvx", "    envs:", "      A: \"yes\""].map(line)
            );
            assert_eq!(value_of(&changed)["other"], json!(1));

            let mut editor = YamlEditor::new(text.clone());
            editor.remove(&["extensions"], "remote");
            let changed = editor.into_text();
            assert!(text.starts_with(&changed[..changed.find("other").expect("kept")]));
            assert_eq!(
                value_of(&changed)["extensions"].as_object().map(Map::len),
                Some(1)
            );

            let mut editor = YamlEditor::new(text.clone());
            editor.rename(&["extensions"], "files", "my files");
            assert_eq!(
                difference(&text, &editor.into_text()),
                (vec![line("  files:")], vec![line("  my files:")])
            );
        }
    }

    #[test]
    fn mappings_in_braces_and_empty_ones_take_changes_too() {
        let mut editor = YamlEditor::new("extensions: {a: {cmd: x}} # all\nb: 1\n".to_owned());
        editor.set(&["extensions", "a"], "cmd", &json!("y"));
        editor.set(&["extensions"], "c", &json!({}));
        let text = editor.into_text();
        assert_eq!(
            value_of(&text),
            json!({ "extensions": { "a": { "cmd": "y" }, "c": {} }, "b": 1 })
        );
        let mut editor = YamlEditor::new("{a: 1}".to_owned());
        editor.rename(&[], "a", "b");
        assert_eq!(value_of(&editor.into_text()), json!({ "b": 1 }));
        let mut editor = YamlEditor::new("extensions:\n  a:\n    cmd: x\n".to_owned());
        editor.remove(&["extensions"], "a");
        assert_eq!(editor.into_text(), "extensions: {}\n");
        let mut editor = YamlEditor::new("# comment".to_owned());
        editor.set(&[], "a", &json!([{ "b": 1 }]));
        assert_eq!(editor.into_text(), "# comment\na:\n  - b: 1");
    }

    /// Makes the same changes to the tree and to the text.
    #[test]
    fn changes_mean_the_same_in_the_text_as_in_the_tree() {
        let mut random = fastrand::Rng::with_seed(7);
        let texts = [
            "x",
            "yes",
            "a: b",
            "#",
            "- x",
            "",
            " lead",
            "ü 🙂",
            "12",
            "{",
            "two\nlines",
            "it's",
            "@at",
            "C:\\dir",
        ];
        for round in 0..3000 {
            let mut editor = YamlEditor::new(GOOSE.to_owned());
            let mut tree = value_of(GOOSE);
            for _ in 0..random.usize(1..6) {
                let name = texts[random.usize(..texts.len())].replace('\n', " ");
                let text = texts[random.usize(..texts.len())];
                let value = match random.usize(..6) {
                    0 => json!(text),
                    1 => json!({ "k": text, "e": {} }),
                    2 => json!([text, { "n": text }, []]),
                    3 => json!(random.i32(..)),
                    4 => json!({}),
                    _ => json!({ "deep": { text: [text] } }),
                };
                let servers = tree["extensions"]
                    .as_object()
                    .map(|all| all.keys().cloned().collect::<Vec<_>>())
                    .unwrap_or_default();
                let path: Vec<&str> = match servers.as_slice() {
                    [_, ..] if random.bool() => {
                        let server = &servers[random.usize(..servers.len())];
                        match tree["extensions"][server].is_object() {
                            true => vec!["extensions", server.as_str()],
                            false => vec!["extensions"],
                        }
                    }
                    _ => vec!["extensions"],
                };
                let mut at = &mut tree;
                for name in &path {
                    at = &mut at[*name];
                }
                let Some(members) = at.as_object_mut() else {
                    continue;
                };
                match random.usize(..4) {
                    0 if members.len() > 1 => {
                        let key = members
                            .keys()
                            .nth(random.usize(..members.len()))
                            .cloned()
                            .expect("there");
                        members.remove(&key);
                        editor.remove(&path, &key);
                    }
                    1 if !members.contains_key(&name) && !members.is_empty() => {
                        let key = members.keys().next().cloned().expect("there");
                        *members = std::mem::take(members)
                            .into_iter()
                            .map(|(known, value)| {
                                (if known == key { name.clone() } else { known }, value)
                            })
                            .collect();
                        editor.rename(&path, &key, &name);
                    }
                    _ => {
                        members.insert(name.clone(), value.clone());
                        editor.set(&path, &name, &value);
                    }
                }
                let now = editor.document();
                assert_eq!(now.errors, [], "round {round}: {}", editor.text);
                assert_eq!(
                    json_of(now.root.as_ref().expect("a root")),
                    tree,
                    "round {round}:\n{}",
                    editor.text
                );
            }
            assert!(
                editor.text.starts_with(
                    "# Written by hand.\nGOOSE_MODEL: gpt-5 # the model\n\nextensions:"
                ),
                "{}",
                editor.text
            );
        }
    }

    const CONTINUE: &str = "\
name: Main
x-defaults: &defaults
  provider: o
models:
  - <<: *defaults
mcpServers:
  - name: files # first
    # a program
    command: npx
    args:
      - -y
  # between
  -
    command: second
    name: 'b'
  - {name: c, command: third}
";

    fn continue_editor(text: &str) -> YamlEditor {
        YamlEditor::new(text.to_owned()).with_named_list(vec!["mcpServers".into()])
    }

    #[test]
    fn elements_of_a_list_are_found_and_changed_by_their_names() {
        let list = ["mcpServers"];
        let mut editor = continue_editor(CONTINUE);
        editor.set(&["mcpServers", "files"], "command", &json!("uvx"));
        editor.set(&["mcpServers", "files"], "cwd", &json!("/x"));
        editor.remove(&["mcpServers", "b"], "command");
        editor.set(&["mcpServers", "c"], "command", &json!("other"));
        editor.rename(&list, "b", "renamed");
        editor.set(
            &list,
            "new",
            &json!({ "command": "nine", "env": { "A": "1" } }),
        );
        assert_eq!(
            editor.into_text(),
            CONTINUE
                .replace("npx", "uvx")
                .replace("      - -y\n", "      - -y\n    cwd: /x\n")
                .replace("    command: second\n    name: 'b'", "    name: renamed")
                .replace("{name: c, command: third}", "name: c\n    command: other")
                + "  - name: new\n    command: nine\n    env:\n      A: \"1\"\n"
        );
        let mut editor = continue_editor(CONTINUE);
        editor.remove(&list, "b");
        editor.remove(&list, "c");
        let text = editor.into_text();
        assert_eq!(text, CONTINUE[..CONTINUE.find("  -\n").expect("there")]);
        let mut editor = continue_editor(&text);
        editor.remove(&list, "files");
        let text = editor.into_text();
        assert!(text.ends_with("mcpServers: []\n  # between\n"), "{text}");
        let mut editor = continue_editor(&text);
        editor.set(&list, "a", &json!({ "command": "x" }));
        let text = editor.into_text();
        assert!(
            text.contains("mcpServers:\n  - name: a\n    command: x\n"),
            "{text}"
        );
    }

    #[test]
    fn a_list_in_brackets_keeps_what_has_no_name() {
        let text = "mcpServers: [{uses: a/b}, {uses: c/d}, {name: x, command: y}]\nz: 1\n";
        for text in [
            text.to_owned(),
            format!("{{{}}}", text.trim().replace('\n', ", ")),
        ] {
            let mut editor = continue_editor(&text);
            editor.set(&["mcpServers", "x"], "command", &json!("new"));
            assert_eq!(
                value_of(&editor.into_text()),
                json!({
                    "mcpServers": [
                        { "uses": "a/b" },
                        { "uses": "c/d" },
                        { "name": "x", "command": "new" },
                    ],
                    "z": 1,
                })
            );
        }
    }
}
