//! Starts processes on one thread that never ends.
//!
//! One thread starts them all and never ends. Linux sends the parent-death signal when the
//! *thread* that forked ends, and threads of a runtime come and go. A process also takes its
//! priority from the thread that forked it, and a host may have set the threads of its runtime
//! back: servers and browsers are not to be slowed down with them. And it passes on the whole
//! environment, in which a program may have set variables for its own libraries.

use std::{
    ffi::OsStr,
    panic::{AssertUnwindSafe, catch_unwind},
    process::Command,
    sync::{OnceLock, mpsc},
};

use sightglass_secrets::{CLIENT_SECRET_VARIABLE, Secret, inherited_value_secrets};

type Work = Box<dyn FnOnce() + Send>;

/// Starts the thread, unless it runs, with the priority of the thread that calls. All that is
/// started later takes that priority: a host that sets its runtime back calls this before.
/// The environment variables in `own` are ones that the host set for itself: no child process
/// inherits them.
pub fn prepare_to_start_processes(own: Vec<&'static str>) {
    let _ = OWN.set(own);
    let _ = spawner();
}

static OWN: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Makes the command of a child process. It inherits the environment of this process, without the
/// variables that are for this process alone: the host's own, and the client secret.
///
/// Each process that is started comes from here, which a test holds.
#[allow(
    clippy::disallowed_methods,
    reason = "this is where commands of child processes are made"
)]
pub(crate) fn child_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in own_variables() {
        command.env_remove(name);
    }
    command
}

/// The environment variables that no child process inherits.
fn own_variables() -> impl Iterator<Item = &'static str> {
    let set = OWN.get().into_iter().flatten().copied();
    set.chain([CLIENT_SECRET_VARIABLE])
}

/// Returns the secrets in the environment that servers inherit. One that prints it would put those
/// of other servers on record.
pub(crate) fn inherited_secrets() -> Vec<Secret<String>> {
    // The environment is the same for each attempt to connect.
    static FOUND: OnceLock<Vec<Secret<String>>> = OnceLock::new();
    let find = || {
        let own: Vec<&str> = own_variables().collect();
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| !own.contains(&name.as_str()));
        inherited_value_secrets(variables)
    };
    FOUND.get_or_init(find).clone()
}

/// Does `work`, which starts a process, on that thread. When there is no such thread, `work`
/// is dropped without having been done.
pub(crate) fn on_spawner(work: impl FnOnce() + Send + 'static) {
    // A refusal drops the work, and with it the sender that its caller waits for.
    let _ = spawner().send(Box::new(work));
}

fn spawner() -> &'static mpsc::Sender<Work> {
    static SPAWNER: OnceLock<mpsc::Sender<Work>> = OnceLock::new();
    SPAWNER.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Work>();
        // Without the thread the receiver is dropped, and starting a process reports that.
        let _ = std::thread::Builder::new()
            .name("process-spawner".to_owned())
            .spawn(move || {
                for work in jobs {
                    // A panic ends the one start that it belongs to: its caller sees that the
                    // work was dropped.
                    let _ = catch_unwind(AssertUnwindSafe(work));
                }
            });
        sender
    })
}
