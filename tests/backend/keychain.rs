//! The keychain of the system, on a real Secret Service: GNOME Keyring, on a session bus and
//! with files of its own, so that the keychain of whoever runs the tests is left alone.

use std::{
    os::unix::fs::PermissionsExt,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_inspector::{
    AuthStatus, Failure, Phase, ServerId, SignInState, TokenKind, VaultKind,
};
use sightglass_tests::{
    Environment, TestHost, keyboard, leaks::leaks, screen::Screen, scripted::Scripted, text_of,
    user::User,
};
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

/// Set for a story that runs in a session of its own.
const IN_SESSION: &str = "SIGHTGLASS_STORY_IN_SESSION";

const SERVICE: &str = "org.freedesktop.secrets";
const PASSWORD: &str = "test";

/// Time that the entry allows for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Environment of the story.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// A bus of its own, and a keychain that is unlocked.
    Keychain,
    /// The same, and a screen on which it can ask for its password.
    Screen,
    /// No bus at all.
    Nothing,
}

/// Runs the story of this name in environment of its own. Says whether this is where that
/// happens.
fn in_session(story: &str, around: Around) -> bool {
    if std::env::var_os(IN_SESSION).is_some() {
        return true;
    }
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["run", "data"] {
        let path = directory.path().join(name);
        std::fs::create_dir(&path).expect("created");
        let own = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(&path, own).expect("its owner's alone");
    }
    let begin = format!(
        "printf {PASSWORD} | gnome-keyring-daemon --unlock --components=secrets >&2; exec timeout 300 \"$@\""
    );
    let test = std::env::current_exe().expect("a running test has an executable");
    let screen = (around == Around::Screen).then(|| Screen::start(800, 600));
    let mut command = match around {
        Around::Keychain | Around::Screen => {
            let mut command = Command::new("dbus-run-session");
            command.args(["--", "sh", "-c", &begin, "sh"]).arg(test);
            command
        }
        Around::Nothing => {
            let mut command = Command::new(test);
            command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
            command
        }
    };
    // Without a screen nothing can ask the user for the password.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    if let Some(screen) = &screen {
        command
            .env("DISPLAY", screen.name())
            .env("GDK_BACKEND", "x11")
            .env("NO_AT_BRIDGE", "1");
    }
    let ended = command
        .args(["--exact", &format!("keychain::{story}"), "--nocapture"])
        .env(IN_SESSION, "1")
        .env("HOME", directory.path())
        .env("XDG_RUNTIME_DIR", directory.path().join("run"))
        .env("XDG_DATA_HOME", directory.path().join("data"))
        .output()
        .expect("it starts");
    let text = [ended.stdout, ended.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(
        ended.status.success() && text.contains("1 passed"),
        "{text}"
    );
    false
}

/// A user signed in to a guarded server.
struct Scene {
    host: TestHost,
    scripted: Scripted,
    server: ServerId,
}

impl Scene {
    async fn signed_in() -> Self {
        let scripted = Scripted::start().await;
        let mut servers = TestHost::remote(scripted.url());
        servers["guarded"]["startup_timeout"] = json!(CONNECT_TIMEOUT.as_secs());
        let host = TestHost::with_user(servers, environment());
        let server = TestHost::id("guarded");
        host.signs_in(&server).await;
        Self {
            host,
            scripted,
            server,
        }
    }

    /// The program ends and starts again.
    async fn restarted(self) -> Self {
        let host = self.host.restart_in(environment()).await;
        Self { host, ..self }
    }

    async fn works(&self) {
        self.host
            .inspector
            .servers
            .open_connections
            .disconnect(&self.server)
            .await;
        self.host
            .inspector
            .servers
            .lifecycle
            .connect(&self.server)
            .expect("it starts");
        // The failure before it may still stand for a moment.
        self.host
            .wait_for(&self.server, |status| status.phase == Phase::Ready)
            .await;
        let report = self
            .host
            .call(&self.server, "echo", r#"{"message":"here"}"#)
            .await;
        assert!(text_of(&report).contains("here"), "{report:?}");
        self.host
            .inspector
            .servers
            .open_connections
            .disconnect(&self.server)
            .await;
    }

    /// Returns the vault's file with its permissions.
    fn file(&self) -> (String, u32) {
        let path = self.host.data().join("secrets.json");
        let text = std::fs::read_to_string(&path).expect("the file");
        let mode = std::fs::metadata(&path).expect("the file").permissions();
        (text, mode.mode() & 0o777)
    }

    /// Asserts that no file in the data directory holds a secret, the vault's own included.
    fn files_hold_nothing(&self) -> bool {
        let files = sightglass_tests::leaks::files(&self.host.data(), &[]);
        leaks(&self.scripted.secrets(), &files).is_empty()
    }
}

fn environment() -> Environment {
    Environment::with(&User::signs_in("ada")).and("SIGHTGLASS_KEYCHAIN", "on")
}

async fn bus() -> zbus::Connection {
    zbus::Connection::session().await.expect("a session bus")
}

async fn collection() -> OwnedObjectPath {
    let path = ObjectPath::try_from("/org/freedesktop/secrets/collection/login");
    path.expect("a path").into()
}

async fn lock() {
    let interface = Some("org.freedesktop.Secret.Service");
    let path = "/org/freedesktop/secrets";
    let all = (vec![collection().await],);
    let locked = bus().await;
    let locked = locked
        .call_method(Some(SERVICE), path, interface, "Lock", &all)
        .await;
    locked.expect("locked");
}

/// Unlocks it as the login does, without a dialog.
async fn unlock() {
    let bus = bus().await;
    let path = "/org/freedesktop/secrets";
    let interface = Some("org.freedesktop.Secret.Service");
    let plain = ("plain", Value::from(""));
    let opened = bus
        .call_method(Some(SERVICE), path, interface, "OpenSession", &plain)
        .await;
    let opened = opened.expect("a session").body();
    let (_, session): (OwnedValue, OwnedObjectPath) = opened.deserialize().expect("a session");
    let interface = Some("org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface");
    let secret = (session, Vec::<u8>::new(), PASSWORD.as_bytes(), "text/plain");
    let wanted = (collection().await, secret);
    let method = "UnlockWithMasterPassword";
    let unlocked = bus
        .call_method(Some(SERVICE), path, interface, method, &wanted)
        .await;
    unlocked.expect("unlocked");
}

/// While it lives, whoever answers for the keychain answers no more, as behind its dialog.
struct Held(libc::pid_t);

impl Drop for Held {
    fn drop(&mut self) {
        signal(self.0, libc::SIGCONT);
    }
}

fn signal(process: libc::pid_t, signal: libc::c_int) {
    // SAFETY: it sends a signal to a process of this very story.
    let sent = unsafe { libc::kill(process, signal) };
    assert_eq!(sent, 0);
}

async fn hold() -> Held {
    let bus = bus().await;
    let daemon = bus
        .call_method(
            Some("org.freedesktop.DBus"),
            "/org/freedesktop/DBus",
            Some("org.freedesktop.DBus"),
            "GetConnectionUnixProcessID",
            &SERVICE,
        )
        .await
        .expect("it is there")
        .body();
    let process: u32 = daemon.deserialize().expect("a process");
    let process = libc::pid_t::try_from(process).expect("a process");
    signal(process, libc::SIGSTOP);
    Held(process)
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_the_keychain_and_move_both_ways() {
    if !in_session(
        "secrets_are_in_the_keychain_and_move_both_ways",
        Around::Keychain,
    ) {
        return;
    }
    let scene = Scene::signed_in().await;
    let vault = scene.host.auth(&scene.server).await.vault;
    assert_eq!((vault.kind, vault.settled), (VaultKind::Keychain, true));
    assert_eq!(
        (vault.label.as_str(), vault.problem),
        ("Secret Service keyring", None)
    );
    assert!(scene.files_hold_nothing());
    scene.works().await;

    let vault = scene
        .host
        .inspector
        .sign_in
        .move_secrets(VaultKind::File)
        .await
        .expect("moved");
    assert_eq!(
        (vault.kind, vault.can_move_to),
        (VaultKind::File, Some(VaultKind::Keychain))
    );
    assert!(vault.path.expect("a file").ends_with("secrets.json"));
    let (text, mode) = scene.file();
    assert!(text.contains("refresh.") && mode == 0o600, "{mode:o}");
    scene.works().await;

    let vault = scene
        .host
        .inspector
        .sign_in
        .move_secrets(VaultKind::Keychain)
        .await
        .expect("moved");
    assert_eq!(vault.kind, VaultKind::Keychain);
    assert!(scene.files_hold_nothing());
    // Another start of the program finds them there.
    let scene = scene.restarted().await;
    scene.works().await;
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    assert!(out.expect("signed out").revoked);
    let token =
        scene
            .host
            .inspector
            .sign_in
            .reveal_token(&scene.server, "default", TokenKind::Access);
    assert!(token.await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_keychain_is_told_and_never_passed_by() {
    if !in_session(
        "a_locked_keychain_is_told_and_never_passed_by",
        Around::Keychain,
    ) {
        return;
    }
    let scene = Scene::signed_in().await.restarted().await;
    lock().await;
    // Nobody can be asked for the password here, which is as if the dialog were closed.
    let status = scene.host.try_connect(&scene.server).await;
    let failure = status.failure.expect("no token").failure;
    assert!(
        matches!(failure, Failure::TokenUnreadable { .. }),
        "{failure:?}"
    );
    let problem = scene
        .host
        .auth(&scene.server)
        .await
        .vault
        .problem
        .expect("words");
    assert!(problem.contains("keychain stayed locked"), "{problem}");
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Failed);
    let vault = scene.host.auth(&scene.server).await.vault;
    assert_eq!(vault.kind, VaultKind::Keychain);
    assert!(scene.files_hold_nothing());

    unlock().await;
    scene.works().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_waits_for_the_keychain_as_long_as_it_takes() {
    let story = "a_connection_waits_for_the_keychain_as_long_as_it_takes";
    if !in_session(story, Around::Keychain) {
        return;
    }
    let scene = Scene::signed_in().await.restarted().await;
    let held = hold().await;
    scene
        .host
        .inspector
        .servers
        .lifecycle
        .connect(&scene.server)
        .expect("it starts");
    let began = Instant::now();
    let mut waited = None;
    // Longer than the entry allows for connecting.
    while began.elapsed() < CONNECT_TIMEOUT + Duration::from_secs(2) {
        let view = scene.host.auth(&scene.server).await;
        if let AuthStatus::WaitingForKeychain { since } = view.status {
            waited = Some(since);
        }
        let status = scene
            .host
            .inspector
            .servers
            .open_connections
            .status(&scene.server);
        assert_ne!(status.phase, Phase::Failed, "{:?}", status.failure);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(waited.is_some(), "the user is told what is waited for");
    drop(held);
    scene
        .host
        .wait_for(&scene.server, |status| status.phase == Phase::Ready)
        .await;
    assert_eq!(
        scene.host.auth(&scene.server).await.status,
        AuthStatus::SignedIn
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keychain_asks_for_its_password_and_the_connection_goes_on_with_it() {
    let story = "the_keychain_asks_for_its_password_and_the_connection_goes_on_with_it";
    if !in_session(story, Around::Screen) {
        return;
    }
    let scene = Scene::signed_in().await.restarted().await;
    let inspector = &scene.host.inspector;
    lock().await;

    // Escape closes the dialog: that is an answer, and nothing is written elsewhere.
    inspector
        .servers
        .lifecycle
        .connect(&scene.server)
        .expect("it starts");
    asked_for_the_password(&scene).await;
    keyboard::presses(keyboard::ESCAPE);
    let status = scene
        .host
        .wait_for(&scene.server, |status| status.phase == Phase::Failed)
        .await;
    let failure = status.failure.expect("no token").failure;
    assert!(
        matches!(failure, Failure::TokenUnreadable { .. }),
        "{failure:?}"
    );
    assert!(scene.files_hold_nothing());

    // Longer than the entry allows for connecting, and then the password.
    inspector
        .servers
        .lifecycle
        .connect(&scene.server)
        .expect("it starts");
    asked_for_the_password(&scene).await;
    let began = Instant::now();
    while began.elapsed() < CONNECT_TIMEOUT + Duration::from_secs(2) {
        let standing = scene.host.auth(&scene.server).await.status;
        assert!(
            matches!(standing, AuthStatus::WaitingForKeychain { .. }),
            "{standing:?}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    keyboard::types(PASSWORD);
    keyboard::presses(keyboard::RETURN);
    scene
        .host
        .wait_for(&scene.server, |status| status.phase == Phase::Ready)
        .await;
    let view = scene.host.auth(&scene.server).await;
    assert_eq!(view.status, AuthStatus::SignedIn);
    assert_eq!(
        (view.vault.kind, view.vault.problem),
        (VaultKind::Keychain, None)
    );
    scene.works().await;
}

/// Waits until the keychain's own dialog is on the screen and the view shows the wait.
async fn asked_for_the_password(scene: &Scene) {
    scene
        .host
        .eventually("the keychain's dialog", keyboard::focus_dialog)
        .await;
    // What takes a moment is not told as waiting yet.
    let waits = async {
        loop {
            let standing = scene.host.auth(&scene.server).await.status;
            if matches!(standing, AuthStatus::WaitingForKeychain { .. }) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(30), waits).await;
    told.expect("the user is told what is waited for");
    let phase = scene
        .host
        .inspector
        .servers
        .open_connections
        .status(&scene.server)
        .phase;
    assert_ne!(phase, Phase::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_a_file_of_the_owners_is_used_and_the_view_says_why() {
    let story = "without_a_keychain_a_file_of_the_owners_is_used_and_the_view_says_why";
    if !in_session(story, Around::Nothing) {
        return;
    }
    let scene = Scene::signed_in().await;
    let vault = scene.host.auth(&scene.server).await.vault;
    assert_eq!(vault.kind, VaultKind::File);
    let problem = vault.problem.expect("the reason");
    assert!(problem.contains("file that only you can read"), "{problem}");
    let (text, mode) = scene.file();
    assert!(text.contains("refresh.") && mode == 0o600, "{mode:o}");
    // There is none to move to, and nothing is lost by trying.
    let moved = scene
        .host
        .inspector
        .sign_in
        .move_secrets(VaultKind::Keychain)
        .await;
    assert!(moved.is_err());
    scene.works().await;
}
