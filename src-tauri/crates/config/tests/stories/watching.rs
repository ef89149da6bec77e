use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use sightglass_config::{Scope, Watcher, watch};

use crate::World;

/// Long enough for any machine; a passing test does not wait for it.
const PATIENCE: Duration = Duration::from_secs(30);

fn watched(world: &World) -> (Watcher, mpsc::Receiver<Vec<PathBuf>>) {
    let (sender, receiver) = mpsc::channel();
    let watcher = watch(&world.machine(), move |files| {
        // The test may be over.
        let _ = sender.send(files);
    })
    .expect("files can be watched here");
    (watcher, receiver)
}

/// Waits until the scope was told of, whatever else is.
fn expect(world: &World, receiver: &mpsc::Receiver<Vec<PathBuf>>, scope: Scope) {
    loop {
        let files = receiver
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("a change of {scope:?} is told"));
        if files.contains(&world.path(scope)) {
            return;
        }
    }
}

fn replace(path: &Path, content: &str) {
    let beside = path.with_extension("new");
    fs::write(&beside, content).expect("the directory is writable");
    fs::rename(&beside, path).expect("the file can be replaced");
}

#[test]
fn a_file_is_seen_from_its_creation_in_a_new_directory_to_its_removal() {
    let world = World::new();
    let (_watcher, receiver) = watched(&world);
    let path = world.put(Scope::Local, "{}");
    expect(&world, &receiver, Scope::Local);
    fs::write(&path, "{ }").expect("the file is writable");
    expect(&world, &receiver, Scope::Local);
    replace(&path, "{  }");
    expect(&world, &receiver, Scope::Local);
    fs::remove_file(&path).expect("the file can be removed");
    expect(&world, &receiver, Scope::Local);
}

#[test]
fn a_directory_that_is_removed_and_made_again_is_still_watched() {
    let world = World::new();
    world.put(Scope::User, "{}");
    let (_watcher, receiver) = watched(&world);
    for content in ["{ }", "{  }"] {
        fs::remove_dir_all(world.places().home.join(".claude")).expect("it can be removed");
        expect(&world, &receiver, Scope::User);
        world.put(Scope::User, content);
        expect(&world, &receiver, Scope::User);
    }
}

#[test]
fn a_home_that_does_not_exist_yet_is_watched_for() {
    let world = World::new();
    fs::remove_dir(world.places().home).expect("it can be removed");
    let (_watcher, receiver) = watched(&world);
    world.put(Scope::Chimera, "{}");
    expect(&world, &receiver, Scope::Chimera);
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_watched() {
    let world = World::new();
    let elsewhere = world.root().join("elsewhere");
    fs::create_dir(&elsewhere).expect("it can be made");
    let target = elsewhere.join("mcp.json");
    fs::write(&target, "{}").expect("the directory is writable");
    std::os::unix::fs::symlink(&target, world.path(Scope::ProjectRoot)).expect("links can be made");
    let (_watcher, receiver) = watched(&world);
    replace(&target, "{ }");
    expect(&world, &receiver, Scope::ProjectRoot);
}

#[test]
fn other_files_and_equal_contents_are_not_told() {
    let world = World::new();
    let path = world.put(Scope::ProjectRoot, "{}");
    let (_watcher, receiver) = watched(&world);
    fs::write(world.places().project.join("main.rs"), "").expect("the project is writable");
    replace(&path, "{}");
    // What is told next is the change that comes after both.
    world.put(Scope::Chimera, "{}");
    let first = receiver.recv_timeout(PATIENCE).expect("a change is told");
    assert_eq!(first, [world.path(Scope::Chimera)]);
}

#[test]
fn of_a_large_state_the_members_that_count_are_told() {
    let world = World::new();
    let path = world.places().home.join(".claude.json");
    let state = |history: &str, command: &str| {
        format!(
            "{{\"history\": \"{}\", \"mcpServers\": {{\"a\": {{\"command\": \"{command}\"}}}}}}",
            history.repeat(17 << 20)
        )
    };
    replace(&path, &state("x", "one"));
    let (_watcher, receiver) = watched(&world);
    // What is told next is the change of another file that comes after that of the history.
    replace(&path, &state("y", "one"));
    world.put(Scope::Chimera, "{}");
    let first = receiver.recv_timeout(PATIENCE).expect("a change is told");
    assert_eq!(first, [world.path(Scope::Chimera)]);
    replace(&path, &state("y", "two"));
    let second = receiver.recv_timeout(PATIENCE).expect("a change is told");
    assert_eq!(second, [path]);
}

#[test]
fn a_dropped_watcher_is_silent() {
    let world = World::new();
    let (watcher, receiver) = watched(&world);
    drop(watcher);
    world.put(Scope::Local, "{}");
    // The callback, and the sender with it, goes away with the thread.
    assert_eq!(
        receiver.recv_timeout(PATIENCE),
        Err(mpsc::RecvTimeoutError::Disconnected)
    );
}

/// A change may come at any moment of a turn of the watcher, whatever else made it turn.
#[test]
fn a_change_is_told_at_whatever_moment_it_comes() {
    let world = World::new();
    let path = world.put(Scope::Local, "{}");
    let other = world.put(Scope::User, "{}");
    let (_watcher, receiver) = watched(&world);
    for round in 0..120 {
        fs::write(&other, format!("{{{}}}", " ".repeat(round + 1))).expect("the file is writable");
        expect(&world, &receiver, Scope::User);
        // The next turn comes within the interval, and each round meets it a little later.
        fs::write(&other, format!("{{{}}}", "\n".repeat(round + 1))).expect("the file is writable");
        std::thread::sleep(Duration::from_micros(20_000 + 250 * round as u64));
        fs::write(&path, format!("{{{}}}", " ".repeat(round + 1))).expect("the file is writable");
        expect(&world, &receiver, Scope::Local);
    }
}
