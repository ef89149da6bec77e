//! What `tests/fuzz` asks of the readers. Compiled by cargo-fuzz alone, which sets
//! `cfg(fuzzing)`.

use std::sync::{Arc, LazyLock};

use serde_json::json;

use crate::{
    Client, Machine, Places, Platform,
    definition::read_definitions,
    document::{FileFormat, TextEditor},
    expand::expand,
    file::FileState,
    layout::Layout,
    scopes::scopes,
    source::Source,
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
static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(|| {
    let machine = Machine {
        places: Places {
            home: "/home/person".into(),
            project: "/work".into(),
        },
        platform: Platform::Linux,
        system_root: "/".into(),
        environment: Arc::new(|_| None),
    };
    Client::ALL
        .into_iter()
        .flat_map(|client| scopes(client, &machine))
        .map(|place| place.layout)
        .collect()
});

/// A file of the layout, and under an edit in the format, that its last byte chooses.
pub fn file(input: &[u8]) {
    let Some((choice, text)) = input.split_last() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let choice = usize::from(*choice);
    let layout = &LAYOUTS[choice % LAYOUTS.len()];
    if let FileState::Broken { problems } = read_definitions(layout, text).state {
        assert!(!problems.is_empty(), "broken for no reason");
    }
    let formats = [FileFormat::Json, FileFormat::Jsonc, FileFormat::Toml];
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
