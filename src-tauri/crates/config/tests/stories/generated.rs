//! Properties of every client's edits, on generated files.

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, FileFailurePersistence},
};
use sightglass_config::{
    Client, ConfigAction, Draft, DraftEndpoint, DraftRemote, NamedText, Target, parse_scope_file,
    plan_action, scope_place, write,
};

use crate::{
    World,
    dialects::{CAPTURED, fixture},
    form_action,
};

fn settings() -> Config {
    Config {
        cases: 300,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..Config::default()
    }
}

fn texts() -> impl Strategy<Value = String> {
    "[ -~äß💡]{0,12}".prop_map(|text| text.replace("${", "$"))
}

fn words() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9-]{0,8}"
}

fn endpoints() -> impl Strategy<Value = DraftEndpoint> {
    let named = || {
        vec((words(), texts()), 0..3).prop_map(|pairs| {
            let mut named: Vec<NamedText> = Vec::new();
            for (name, text) in pairs {
                if !named.iter().any(|earlier| earlier.name == name) {
                    named.push(NamedText { name, text });
                }
            }
            named
        })
    };
    let program =
        (words(), vec(texts(), 0..4), named()).prop_map(|(command, arguments, environment)| {
            DraftEndpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory: None,
            }
        });
    let remote = words().prop_map(|path| {
        DraftEndpoint::Remote(DraftRemote {
            transport: sightglass_model::RemoteTransport::Http,
            url: format!("https://example.org/{path}"),
            ..DraftRemote::default()
        })
    });
    prop_oneof![3 => program, 1 => remote]
}

fn drafts() -> impl Strategy<Value = Draft> {
    (words(), endpoints()).prop_map(|(name, endpoint)| Draft {
        name: format!("new-{name}"),
        endpoint,
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    })
}

/// Makes the ways in which a file may have been saved.
fn styles() -> impl Strategy<Value = (bool, bool)> {
    (any::<bool>(), any::<bool>())
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn an_edit_in_any_client_touches_its_server_alone_and_undo_restores_every_byte(
        captured in select(CAPTURED.to_vec()),
        (windows, marked) in styles(),
        draft in drafts(),
        other in drafts(),
    ) {
        let (client, scope, file, ..) = captured;
        let is_remote = |draft: &Draft| matches!(draft.endpoint, DraftEndpoint::Remote(_));
        let is_local = matches!(client, Client::ClaudeDesktop | Client::Junie);
        prop_assume!(!is_local || !(is_remote(&draft) || is_remote(&other)));
        let mut text = fixture(file);
        if windows {
            text = text.replace('\n', "\r\n");
        }
        if marked {
            text.insert(0, '\u{feff}');
        }
        let world = World::new();
        let path = world.place(client, scope, &text);
        let target = Target::new(client, scope);
        let place = || scope_place(&target, &world.machine()).expect("a scope");
        let before = parse_scope_file(place(), &text).definitions;

        let mut now = text.clone();
        let mut changes = Vec::new();
        let changed = Draft { name: draft.name.clone(), ..other };
        for step in 0..2 {
            let action = if step == 0 {
                ConfigAction::Add { target: target.clone(), draft: draft.clone() }
            } else {
                form_action(&world.machine(), &target, &now, &draft.name, &changed).expect("possible")
            };
            let plan = plan_action(&action, &world.machine()).expect("possible");
            for planned in plan.files {
                prop_assert_eq!(planned.change.before(), Some(now.as_str()));
                now = planned.change.after().expect("an edit leaves a file").to_owned();
                write(&planned.change).expect("written");
                changes.push(planned.change);
            }
            let read = parse_scope_file(place(), &now);
            prop_assert_eq!(read.state, sightglass_config::FileState::Loaded);
            for earlier in &before {
                let kept = read.definitions.iter().find(|found| found.name == earlier.name);
                prop_assert_eq!(kept.map(|kept| &kept.raw), Some(&earlier.raw));
            }
            prop_assert_eq!(read.definitions.len(), before.len() + 1);
        }
        for change in changes.iter().rev() {
            write(&change.reversed()).expect("taken back");
        }
        prop_assert_eq!(std::fs::read_to_string(path).expect("readable"), text);
    }
}
