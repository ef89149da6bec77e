use std::{fs, path::Path};

use sightglass_config::{ConfigError, Draft, FileChange, Scope, plan_action, write};

use crate::{World, add_to, program, remote};

/// Plans adding a server to one of the scopes' files.
fn plan_at(world: &World, path: &Path, draft: Draft) -> Result<FileChange, ConfigError> {
    let scope = Scope::ALL
        .into_iter()
        .find(|scope| world.path(*scope) == path)
        .expect("it is the file of a scope");
    let plan = plan_action(&add_to(scope, draft), &world.machine())?;
    let file = plan.files.into_iter().next().expect("something changes");
    Ok(file.change)
}

fn addition(world: &World, path: &Path, name: &str) -> FileChange {
    plan_at(world, path, program(name, "x", &[])).expect("the edit is possible")
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

/// The names in a directory: nothing half-written may stay behind.
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .expect("the directory can be read")
        .map(|entry| {
            let entry = entry.expect("the entry can be read");
            entry.file_name().to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn what_a_killed_writer_left_is_removed_and_nothing_else() {
    let world = World::new();
    let path = world.put(Scope::User, "{}");
    let directory = path.parent().expect("it has a directory");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(48 * 60 * 60);
    for (name, is_old) in [
        (".mcp-aB3dE9.new", true),
        // Another writer may be about to rename it.
        (".mcp-young1.new", false),
        (".mcp-mine.new", true),
        (".mcp-aB3dE9.new.keep", true),
        ("mcp-aB3dE9.new", true),
    ] {
        let file = fs::File::create(directory.join(name)).expect("made");
        if is_old {
            file.set_modified(long_ago).expect("the time can be set");
        }
    }
    write(&addition(&world, &path, "a")).expect("written");
    assert_eq!(
        names(directory),
        [
            ".mcp-aB3dE9.new.keep",
            ".mcp-mine.new",
            ".mcp-young1.new",
            ".mcp.json",
            "mcp-aB3dE9.new",
        ]
    );
}

#[test]
fn a_new_file_comes_with_its_directories() {
    let world = World::new();
    let path = world.path(Scope::Local);
    let change = addition(&world, &path, "a");
    write(&change).expect("nothing is in the way");
    assert_eq!(Some(content(&path).as_str()), change.after());
    assert_eq!(
        names(path.parent().expect("it has a directory")),
        [".mcp.local.json"]
    );
}

#[test]
fn a_file_that_changed_underneath_is_left_alone() {
    let world = World::new();
    let path = world.put(Scope::User, "{}");
    let change = addition(&world, &path, "a");
    fs::write(&path, "{ }").expect("the file is writable");
    let error = write(&change).expect_err("it is not what it was");
    assert!(
        matches!(error, ConfigError::ChangedUnderneath { .. }),
        "{error}"
    );
    assert_eq!(content(&path), "{ }");
    fs::write(&path, b"\xff").expect("the file is writable");
    assert!(matches!(
        write(&change),
        Err(ConfigError::ChangedUnderneath { .. })
    ));
}

#[test]
fn a_file_that_appeared_or_vanished_meanwhile_is_noticed() {
    let world = World::new();
    let path = world.path(Scope::ProjectRoot);
    let new = addition(&world, &path, "a");
    fs::write(&path, "{}").expect("the file is writable");
    assert!(matches!(
        write(&new),
        Err(ConfigError::ChangedUnderneath { .. })
    ));
    let change = addition(&world, &path, "a");
    fs::remove_file(&path).expect("the file can be removed");
    assert!(matches!(
        write(&change),
        Err(ConfigError::ChangedUnderneath { .. })
    ));
    assert!(!path.exists());
}

#[test]
fn of_two_changes_planned_on_the_same_text_one_is_written() {
    let world = World::new();
    let path = world.put(Scope::User, "{}");
    let changes: Vec<_> = (0..8)
        .map(|index| addition(&world, &path, &format!("s{index}")))
        .collect();
    let written: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = changes
            .iter()
            .map(|change| scope.spawn(|| write(change).is_ok()))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("writing does not panic"))
            .collect()
    });
    assert_eq!(written.iter().filter(|written| **written).count(), 1);
    let winner = written.iter().position(|written| *written);
    assert_eq!(
        Some(content(&path).as_str()),
        changes[winner.expect("one was written")].after()
    );
}

#[test]
fn a_path_through_a_file_is_refused_with_advice() {
    let world = World::new();
    fs::write(world.places().project.join(".claude"), "").expect("the project is writable");
    let path = world.path(Scope::Local);
    let draft = program("a", "x", &[]);
    let error = plan_at(&world, &path, draft).expect_err("the path leads through a file");
    assert!(error.to_string().contains("not a directory"), "{error}");
}

#[test]
fn a_directory_that_became_a_file_meanwhile_is_refused_with_advice() {
    let world = World::new();
    let path = world.path(Scope::Local);
    let change = addition(&world, &path, "a");
    fs::write(world.places().project.join(".claude"), "mine").expect("the project is writable");
    let error = write(&change).expect_err("there is no directory");
    assert!(
        error.to_string().contains("Rename or remove that file"),
        "{error}"
    );
    assert_eq!(content(&world.places().project.join(".claude")), "mine");
}

#[test]
fn a_read_only_file_is_respected() {
    let world = World::new();
    let path = world.put(Scope::User, "{}");
    let mut permissions = fs::metadata(&path).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("the owner may change the permissions");
    let error = write(&addition(&world, &path, "a")).expect_err("it is read-only");
    assert!(matches!(error, ConfigError::ReadOnly { .. }), "{error}");
    assert_eq!(content(&path), "{}");
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it is there").mode() & 0o7777
    }

    #[test]
    fn a_link_stays_a_link_and_its_target_is_replaced() {
        let world = World::new();
        let target = world.root().join("dotfiles.json");
        fs::write(&target, "{}").expect("the directory is writable");
        let path = world.path(Scope::ProjectRoot);
        let middle = world.places().project.join("middle.json");
        symlink("../dotfiles.json", &middle).expect("links can be made");
        symlink("middle.json", &path).expect("links can be made");
        let change = addition(&world, &path, "a");
        write(&change).expect("nothing is in the way");
        assert!(path.is_symlink() && middle.is_symlink());
        assert!(!target.is_symlink());
        assert_eq!(Some(content(&target).as_str()), change.after());
    }

    #[test]
    fn a_link_to_nothing_yet_creates_its_target() {
        let world = World::new();
        let target = world.root().join("new/dotfiles.json");
        let path = world.path(Scope::ProjectRoot);
        symlink(&target, &path).expect("links can be made");
        let change = addition(&world, &path, "a");
        write(&change).expect("nothing is in the way");
        assert!(path.is_symlink());
        assert_eq!(Some(content(&target).as_str()), change.after());
    }

    #[test]
    fn a_circle_of_links_is_refused() {
        let world = World::new();
        let path = world.path(Scope::ProjectRoot);
        let change = addition(&world, &path, "a");
        symlink(".mcp.json", &path).expect("links can be made");
        assert!(matches!(write(&change), Err(ConfigError::LinkLoop { .. })));
    }

    #[test]
    fn permissions_stay_as_they_are() {
        for kept in [0o600, 0o644, 0o640, 0o755] {
            let world = World::new();
            let path = world.put(Scope::User, "{}");
            fs::set_permissions(&path, fs::Permissions::from_mode(kept))
                .expect("the owner may change the permissions");
            let draft = remote("a", "https://y", &[("Authorization", "secret")]);
            let change = plan_at(&world, &path, draft).expect("the edit is possible");
            write(&change).expect("nothing is in the way");
            assert_eq!(mode(&path), kept);
        }
    }

    #[test]
    fn a_new_file_with_a_secret_is_for_its_owner_alone() {
        let world = World::new();
        let draft = remote("a", "https://y", &[("Authorization", "secret")]);
        let path = world.path(Scope::User);
        write(&plan_at(&world, &path, draft).expect("the edit is possible"))
            .expect("nothing is in the way");
        assert_eq!(mode(&path), 0o600);

        let usual = world.root().join("usual");
        fs::write(&usual, "").expect("the directory is writable");
        let path = world.path(Scope::Local);
        write(&addition(&world, &path, "a")).expect("nothing is in the way");
        assert_eq!(mode(&path), mode(&usual));
    }

    #[test]
    fn the_owner_stays_where_that_can_be_tried() {
        let world = World::new();
        let path = world.put(Scope::User, "{}");
        if std::os::unix::fs::chown(&path, Some(4242), Some(4242)).is_err() {
            // Only the superuser gives files away.
            return;
        }
        write(&addition(&world, &path, "a")).expect("the superuser can keep the owner");
        let metadata = fs::metadata(&path).expect("it is there");
        assert_eq!((metadata.uid(), metadata.gid()), (4242, 4242));
    }

    #[test]
    fn a_directory_without_write_permission_is_refused_with_advice() {
        let world = World::new();
        let path = world.put(Scope::User, "{}");
        let directory = path.parent().expect("it has a directory");
        fs::set_permissions(directory, fs::Permissions::from_mode(0o500))
            .expect("the owner may change the permissions");
        if fs::write(directory.join("probe"), "").is_ok() {
            // The superuser writes everywhere; there is nothing to see then.
            return;
        }
        let error = write(&addition(&world, &path, "a")).expect_err("nothing can be made there");
        assert!(error.to_string().contains("no permission"), "{error}");
        assert_eq!(content(&path), "{}");
    }
}
