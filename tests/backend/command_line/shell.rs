//! The shell, at a terminal of its own.

use std::{
    ffi::OsStr,
    io::{Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use sightglass_inspector::shell_quoted;
use sightglass_tests::programs;

use super::Machine;

/// Time that a shell may take to show what is awaited.
const LIMIT: Duration = Duration::from_secs(60);

/// A command at a terminal, which util-linux's `script` makes for it.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    shown: Receiver<String>,
    /// What it has shown, and nothing has waited for yet.
    unread: String,
}

impl Terminal {
    fn open(machine: &Machine, words: &[&str]) -> Self {
        let command = machine.command(words);
        let program = std::iter::once(command.get_program()).chain(command.get_args());
        let line: Vec<String> = program
            .map(|word| shell_quoted(&word.to_string_lossy()))
            .collect();
        let mut child = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--command",
                &line.join(" "),
                "/dev/null",
            ])
            .current_dir(machine.path("project"))
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .env_remove("XDG_RUNTIME_DIR")
            .env("TERM", OsStr::new("xterm"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script is there");
        let keys = child.stdin.take().expect("piped");
        let mut output = child.stdout.take().expect("piped");
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            keys,
            shown,
            unread: String::new(),
        }
    }

    /// Waits until a text is shown, after all that was waited for before.
    fn shows(&mut self, text: &str) {
        loop {
            if let Some(place) = self.unread.find(text) {
                self.unread.drain(..place + text.len());
                return;
            }
            let more = self.shown.recv_timeout(LIMIT);
            let more = more.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.unread));
            self.unread.push_str(&more);
        }
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it reads");
        self.keys.flush().expect("it reads");
    }
}

#[test]
fn a_server_is_tried_out_in_a_shell() {
    let machine = Machine::new();
    let program = programs::own("sightglass-demo-server");
    let program = program.to_str().expect("a path in UTF-8");
    let mut shell = Terminal::open(&machine, &["shell", "--", program]);
    shell.shows("Tab completes");
    shell.shows("> ");
    // The names of the server's tools, and the arguments of one.
    shell.type_keys("tools call ec\t");
    shell.shows("tools call echo");
    shell.type_keys(" m\t");
    shell.shows("message:=");
    shell.type_keys("typed\r");
    shell.shows("\r\ntyped\r\n");
    // JSON goes on until it is whole.
    shell.type_keys("tools call echo {\"message\":\r");
    shell.type_keys("\"of two lines\"}\r");
    shell.shows("\r\nof two lines\r\n");
    shell.type_keys("tools call nothing\r");
    shell.shows("error:");
    shell.shows("> ");
    shell.type_keys("exit\r");
    shell.shows("is closed");
    assert!(shell.child.wait().expect("it ends").success());
    let sessions = machine.run(&["sessions"]);
    assert!(
        sessions.stdout.contains("There are no sessions"),
        "{}",
        sessions.stdout
    );
    machine.run(&["close", "--all"]);
}

#[test]
fn a_shell_needs_a_terminal() {
    let ran = Machine::new().run(&["shell"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("needs a terminal"), "{}", ran.stderr);
}
