//! Sets a case up on a machine of its own, and looks at it.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use sightglass_tests::{
    certificates::Authority,
    forward_proxy::ForwardProxy,
    programs,
    responder::Responder,
    scripted::{Fault, Scripted, Secured},
};

use crate::command_line::{Machine, Ran};

use super::case::{Case, File, Shown, SignIn};

/// Variables that would lead elsewhere.
const OF_PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];

/// Names that stand for what is known only now, each with its value.
struct Placeholders(Vec<(&'static str, String)>);

impl Placeholders {
    fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(name, value)
        })
    }

    fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push((name, value.into()));
    }
}

/// Returns what the command line says of the case, and how it ends.
pub(super) async fn look(case: &Case) -> Ran {
    let machine = Machine::new();
    let support = programs::repository().join("tests/support");
    let mut names = Placeholders(Vec::new());
    names.add("{scripted}", path(&support.join("scripted.mjs")));
    names.add("{home}", path(&machine.path("home")));
    names.add("{project}", path(&machine.path("project")));
    names.add("{bin}", path(&machine.path("bin")));
    names.add("{free_port}", programs::free_port().to_string());

    let authority = Authority::new();
    names.add("{authority}", path(&authority.file()));
    let secured = case.certificate.map(|shown| secured(&authority, shown));
    let serves = !case.http.is_empty() || secured.is_some();
    let responder = match serves {
        true => Some(Responder::start(case.http.clone(), secured.as_ref()).await),
        false => None,
    };
    if let Some(responder) = &responder {
        names.add("{url}", format!("{}/mcp", responder.origin()));
        names.add("{origin}", responder.origin());
        names.add("{port}", responder.port().to_string());
        names.add("{proxy}", ForwardProxy::to(responder.port()).url());
    }
    let scripted = match &case.sign_in {
        Some(_) => {
            let scripted = Scripted::start().await;
            names.add("{url}", scripted.url());
            names.add("{issuer}", scripted.issuer());
            Some(scripted)
        }
        None => None,
    };
    for (name, file) in &case.files {
        write(&machine.path(name), file, &names);
    }
    for words in &case.before {
        let ran = sees(&machine, case, words, &names).await;
        assert_eq!(ran.code, Some(0), "{}: {words:?}: {}", case.id, ran.stderr);
    }
    if let (Some(scripted), Some(fault)) = (&scripted, &case.sign_in) {
        if matches!(fault, SignIn::ForgottenClients) {
            scripted.forget_clients();
        }
        scripted.arm(armed(fault, &names));
    }
    let ran = sees(&machine, case, &case.look, &names).await;
    drop((machine, responder, scripted, authority));
    ran
}

/// Runs a command in the case's environment.
async fn sees(machine: &Machine, case: &Case, words: &[String], names: &Placeholders) -> Ran {
    let words: Vec<String> = words.iter().map(|word| names.fill(word)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = machine.command(&words);
    for name in OF_PROXIES {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    let inherited = env::var("PATH").unwrap_or_default();
    command.env(
        "PATH",
        format!("{}:{inherited}", path(&machine.path("bin"))),
    );
    for (name, value) in &case.environment {
        command.env(name, names.fill(value));
    }
    let output = machine.path("temporary");
    let patience = Duration::from_secs(case.patience);
    let ran = tokio::task::spawn_blocking(move || run(command, &output, patience));
    ran.await.expect("no panic")
}

fn path(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn secured(authority: &Authority, shown: Shown) -> Secured {
    let name = "localhost";
    let certificate = match shown {
        Shown::SelfSigned => authority.self_signed(name),
        Shown::Expired => authority.issue_expired(name),
        Shown::UnknownAuthority => authority.issue(name),
        Shown::OtherName => authority.issue("mcp.elsewhere.example"),
    };
    Secured::named(name, certificate)
}

fn armed(fault: &SignIn, names: &Placeholders) -> Option<Fault> {
    let patch = |text: &str| -> Value { serde_json::from_str(&names.fill(text)).expect("JSON") };
    Some(match fault {
        SignIn::Metadata(text) => Fault::Metadata(patch(text)),
        SignIn::Resource(text) => Fault::Resource(patch(text)),
        SignIn::Callback(text) => Fault::Callback(patch(text)),
        SignIn::Token(text) => Fault::TokenAnswer(patch(text)),
        SignIn::Claims(text) => Fault::Claims(patch(text)),
        SignIn::Answer { path, status, body } => Fault::Answer {
            path: path.clone(),
            status: *status,
            body: names.fill(body),
        },
        SignIn::Registration(text) => Fault::Registration(patch(text)),
        SignIn::EmptyResource => Fault::EmptyResource,
        SignIn::NoResource => Fault::NoResource,
        SignIn::NeverEnough => Fault::NeverEnough,
        SignIn::Closed => Fault::Closed,
        SignIn::ForgottenClients => return None,
    })
}

fn write(path: &Path, file: &File, names: &Placeholders) {
    let bytes = match file {
        File::Utf8(text) => names.fill(text).into_bytes(),
        File::Utf16 { utf16 } => {
            let text = format!("\u{feff}{}", names.fill(utf16));
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        File::Filled { utf8, fill } => {
            let text = names.fill(utf8).replace("{fill}", &"x".repeat(*fill));
            text.into_bytes()
        }
    };
    fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("created");
    fs::write(path, &bytes).expect("written");
    if bytes.starts_with(b"#!") {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
    }
}

/// Runs a command for so long, and then interrupts it as a person does.
fn run(mut command: Command, output: &Path, patience: Duration) -> Ran {
    let file = |name: &str| fs::File::create(output.join(name)).expect("created");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file("exam.stdout"))
        .stderr(file("exam.stderr"))
        .spawn()
        .expect("it starts");
    let until = Instant::now() + patience;
    let mut is_interrupted = false;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if Instant::now() > until + Duration::from_secs(10) {
            child.kill().expect("it ends");
        } else if Instant::now() > until && !is_interrupted {
            is_interrupted = true;
            let id = i32::try_from(child.id()).expect("a process id");
            // SAFETY: the child was not waited for, so that the id is its own.
            unsafe { libc::kill(id, libc::SIGINT) };
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let read = |name: &str| {
        let bytes = fs::read(output.join(name)).expect("readable");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ran {
        code: status.code(),
        stdout: read("exam.stdout"),
        stderr: read("exam.stderr"),
    }
}
