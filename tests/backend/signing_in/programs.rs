//! One grant and several programs of the operating system, which share a data directory: a
//! refresh token that is used twice costs the grant, so it is used once.

use std::{
    process::{Child, Stdio},
    time::Duration,
};

use sightglass_tests::{passing::let_pass, scripted::Scripted};

use crate::command_line::{Machine, ran};

const BROWSER: &str = "curl --silent --location --cookie login=ada --output /dev/null";

/// Runs several calls at the same time, each in a program of its own.
async fn all_at_once(machine: &Machine, words: &[&str], count: usize) {
    let start = |_| -> Child {
        let mut command = machine.command(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("it starts")
    };
    let children: Vec<Child> = (0..count).map(start).collect();
    for child in children {
        let ended = tokio::task::spawn_blocking(move || child.wait_with_output()).await;
        let ended = ran(ended.expect("no panic").expect("it ends"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stdout.contains("here"), "{}", ended.stdout);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_that_rotates_is_used_once_by_several_programs() {
    let scripted = Scripted::start().await;
    let machine = Machine::new();
    let url = scripted.url().to_owned();
    let login = {
        let mut command = machine.command(&["login", &url]);
        command.env("BROWSER", BROWSER);
        tokio::task::spawn_blocking(move || command.output()).await
    };
    let login = ran(login.expect("no panic").expect("it starts"));
    assert_eq!(login.code, Some(0), "{}", login.stderr);

    let call = ["tools", "call", &url, "echo", r#"{"message":"here"}"#];
    for round in 1..=3 {
        scripted.end_tokens();
        all_at_once(&machine, &call, 4).await;
        let asked = scripted.asked("/token");
        let refreshes = asked
            .iter()
            .filter(|asked| asked.get("grant_type") == "refresh_token");
        assert_eq!(refreshes.count(), round, "one refresh for all of them");
    }
    // Ahead of the end as well.
    scripted.lifetime(80);
    scripted.end_tokens();
    all_at_once(&machine, &call, 1).await;
    let before = scripted.asked("/token").len();
    scripted.lifetime(3600);
    let_pass(&machine.path("data"), Duration::from_secs(70));
    all_at_once(&machine, &call, 4).await;
    assert_eq!(scripted.asked("/token").len(), before + 1);
}
