//! Entries of `tests/fuzz` into the readers. cargo-fuzz sets `cfg(fuzzing)`; the tests below keep
//! what only it runs compiling.

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use serde_json::json;
use sightglass_model::is_invisible;
use url::Url;

use crate::{
    Client, Machine, Places, Platform, Policy,
    definition::{Definition, read_definitions},
    definition::{
        launch_plan::LaunchPlan,
        layout::Layout,
        show::{fields, masked_text, summary},
    },
    entry::{expand::expand, variable::variables},
    load::url_pattern::{PolicyVerdict, UrlPattern},
    scopes::scopes,
    text::{
        file::FileState,
        format::{FileFormat, TextEditor},
        source::Source,
    },
};

/// Expanding ends, and a text without references stays as it is.
pub fn expansion(text: &str) {
    let environment = |name: &str| match name {
        "SET" => Some("${SET}".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    };
    let expanded = expand(text, &environment);
    if !text.contains("${") {
        assert_eq!(expanded.as_deref(), Ok(text));
    }
}

/// Every layout that some client uses. Made once: looking for the places takes longer than
/// reading a file.
static LAYOUTS: LazyLock<Vec<(Client, Layout)>> = LazyLock::new(|| {
    Client::ALL
        .into_iter()
        .flat_map(|client| scopes(client, &MACHINE))
        .map(|place| (place.target.client, place.layout))
        .collect()
});

static MACHINE: LazyLock<Machine> = LazyLock::new(|| Machine {
    places: Places {
        home: "/home/person".into(),
        project: "/work".into(),
    },
    platform: Platform::Linux,
    system_root: "/".into(),
    environment: Arc::new(|_| None),
});

/// A file of the layout that its last byte chooses: all that is shown of its entries before they
/// are approved.
pub fn approval(input: &[u8]) {
    let Some((choice, text)) = input.split_last() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let (client, layout) = &LAYOUTS[usize::from(*choice) % LAYOUTS.len()];
    for definition in read_definitions(layout, text).definitions {
        let entry = definition.common.expose();
        let line = summary(entry);
        assert!(
            line.len() <= 8 * text.len() + 64,
            "a summary outgrew its entry"
        );
        fields(entry);
        masked_text(&definition);
        variables(*client, entry, &MACHINE);
        launch_plan(&definition);
    }
}

/// Checks that what is shown of a plan cannot pose as something else, and is hashed the same each
/// time.
fn launch_plan(definition: &Definition) {
    let plan = LaunchPlan::of(definition);
    let rows = plan.rows();
    for row in &rows {
        assert!(!row.values.is_empty(), "a row without a value");
    }
    let texts = rows
        .iter()
        .flat_map(|row| std::iter::once(&row.label).chain(&row.values));
    for text in texts.chain(&plan.consequences()) {
        assert!(!text.contains(is_invisible), "{text:?} is shown");
    }
    let raw = plan.raw_text();
    let shown = |character: char| matches!(character, '\n' | '\t') || !is_invisible(character);
    assert!(raw.chars().all(shown), "{raw:?} is shown");
    assert_eq!(plan.fingerprint(), LaunchPlan::of(definition).fingerprint());
    plan.sign_in(&|_| None);
}

/// An address in the first line, and managed settings in the others.
pub fn policy(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (address, settings) = text.split_once('\n').unwrap_or((text, ""));
    let hosts = UrlPattern::parse("https://*.example.org/*");
    if hosts.is_some_and(|hosts| hosts.matches(address, PolicyVerdict::Allow) == Some(true)) {
        let host = Url::parse(address.trim())
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default();
        let host = host.trim_end_matches('.');
        assert!(host.ends_with(".example.org"), "{host} was allowed");
    }
    let Ok(settings) = serde_json::from_str(settings) else {
        return;
    };
    let mut policy = Policy::default();
    policy.add(&settings, Path::new("/etc/managed-settings.json"), true);
    let entry = json!({ "url": address });
    if let Some(entry) = entry.as_object() {
        policy.refusal("a", entry, false);
    }
    policy.rules();
}

/// A file of the layout, and under an edit in the format, that its last byte chooses.
pub fn file(input: &[u8]) {
    let Some((choice, text)) = input.split_last() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let choice = usize::from(*choice);
    let (_, layout) = &LAYOUTS[choice % LAYOUTS.len()];
    if let FileState::Broken { problems } = read_definitions(layout, text).state {
        assert!(!problems.is_empty(), "broken for no reason");
    }
    let formats = [
        FileFormat::Json,
        FileFormat::Jsonc,
        FileFormat::Toml,
        FileFormat::Yaml,
    ];
    edit(formats[choice % formats.len()], text);
}

/// An edit of an intact document leaves an intact document, and taking it back leaves what
/// the member was added to.
fn edit(format: FileFormat, text: &str) {
    let intact = |text: &str| {
        let document = format.parse(text);
        format.problems(&Source::new(text), &document).is_empty()
    };
    let mut editor = TextEditor::new(format, text.to_owned());
    if !intact(text) || editor.with_object(&[], |_| ()).is_none() {
        return;
    }
    editor.set(&[], "sightglass fuzz", &json!({ "command": "x" }));
    editor.set(&["sightglass fuzz"], "args", &json!(["\u{1}\"\\"]));
    assert!(
        editor.with_object(&["sightglass fuzz"], |_| ()).is_some(),
        "what was set is there"
    );
    editor.remove(&[], "sightglass fuzz");
    assert!(intact(&editor.into_text()), "an edit broke the file");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Members as entries have them, with values of any type.
    fn entries() -> impl Strategy<Value = serde_json::Value> {
        let text = prop_oneof!["\\PC{0,8}", "\\$\\{[A-Z]{0,3}(:-[a-z$]{0,3})?\\}?"];
        let leaf = prop_oneof![
            text.prop_map(serde_json::Value::from),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<f64>().prop_map(serde_json::Value::from),
        ];
        let names = "type|command|args|env|cwd|url|headers|oauth|tools|disabled|[a-z]{1,3}";
        leaf.prop_recursive(3, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map(names, inner, 0..6)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_entry_can_be_shown_for_approval(entry in entries(), choice in any::<u8>()) {
            for section in ["mcpServers", "servers", "mcp", "context_servers"] {
                let mut input = json!({ section: { "a": entry } }).to_string().into_bytes();
                input.push(choice);
                approval(&input);
                file(&input);
            }
        }

        #[test]
        fn managed_settings_of_any_shape_are_judged(
            address in "(https://)?[a-z.@:/%]{0,20}",
            rules in prop::collection::vec(entries(), 0..3),
        ) {
            let settings = json!({ "deniedMcpServers": rules, "allowedMcpServers": rules });
            policy(format!("{address}\n{settings}").as_bytes());
            expansion(&address);
        }
    }
}
