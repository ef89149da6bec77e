use std::io::Write as _;

use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

/// Writes an archive. A content of `None` makes a directory.
fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
    pack_with(files, SimpleFileOptions::default())
}

fn pack_with(files: &[(&str, &[u8])], options: SimpleFileOptions) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, options).expect("room");
        archive.write_all(content).expect("room");
    }
    archive.finish().expect("written").into_inner()
}

/// Puts bytes in the place of all those, which have the same length.
fn forge(archive: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    let mut found = 0;
    for at in 0..archive.len() - from.len() {
        if archive[at..].starts_with(from) {
            archive[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0, "nothing to forge");
}

fn refusal(bytes: Vec<u8>) -> String {
    refusal_within(bytes, LIMITS)
}

fn refusal_within(bytes: Vec<u8>, limits: ArchiveLimits) -> String {
    let Err(error) = Archive::read(bytes, limits) else {
        panic!("it is taken");
    };
    error.to_string()
}

#[test]
fn a_name_that_leads_out_of_the_directory_is_refused() {
    for (name, reason) in [
        ("../evil", "leads out"),
        ("a/../../evil", "leads out"),
        ("./a", "leads out"),
        ("a//b", "leads out"),
        ("/etc/passwd", "absolute"),
        ("C:/evil", "colon"),
        ("a/file:stream", "colon"),
        ("..\\evil", "backslash"),
        ("a\\..\\..\\evil", "backslash"),
        ("a\u{7}", "control"),
        ("a\0b", "control"),
    ] {
        // The writer refuses some of these itself.
        let mut bytes = pack(&[(&"x".repeat(name.len()), b"evil")]);
        forge(
            &mut bytes,
            "x".repeat(name.len()).as_bytes(),
            name.as_bytes(),
        );
        let refusal = refusal(bytes);
        assert!(refusal.contains(reason), "{name:?}: {refusal}");
    }
    let deep = vec!["d"; 65].join("/");
    assert!(refusal(pack(&[(&deep, b"")])).contains("too many directories"));
    let long = "n".repeat(1025);
    assert!(refusal(pack(&[(&long, b"")])).contains("too long"));
}

#[test]
fn links_and_other_special_files_are_refused() {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .add_symlink("link", "/etc/passwd", SimpleFileOptions::default())
        .expect("room");
    let bytes = archive.finish().expect("written").into_inner();
    assert!(refusal(bytes).contains("special file"));
    for kind in [0o010_000_u32, 0o020_000, 0o060_000, 0o120_000, 0o140_000] {
        let mut bytes = pack_with(
            &[("device", b"")],
            SimpleFileOptions::default().unix_permissions(0o644),
        );
        forge(
            &mut bytes,
            &(0o100_644_u32 << 16).to_le_bytes(),
            &((kind | 0o644) << 16).to_le_bytes(),
        );
        let refusal = refusal(bytes);
        assert!(refusal.contains("special file"), "{kind:o}: {refusal}");
    }
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    let mut bytes = pack(&[("manifest.json", b"{}"), ("manifest.jsox", b"{1}")]);
    forge(&mut bytes, b"manifest.jsox", b"manifest.json");
    assert!(refusal(bytes).contains("same name"));
    // A file and a directory.
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    archive.start_file("a", options).expect("room");
    archive.add_directory("a/", options).expect("room");
    let bytes = archive.finish().expect("written").into_inner();
    assert!(refusal(bytes).contains("twice"));
}

#[test]
fn more_than_the_limits_is_refused_by_what_is_declared() {
    let limits = ArchiveLimits {
        entries: 2,
        file: 3 << 20,
        total: 4 << 20,
        ..LIMITS
    };
    let many = pack(&[("a", b""), ("b", b""), ("c", b"")]);
    assert!(refusal_within(many, limits).contains("more than 2 files"));
    // A list that is never read to its end.
    let mut list = b"PK\x01\x02".repeat(9);
    list.extend(pack(&[]));
    assert!(refusal_within(list, limits).contains("more than 2 files"));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let four = vec![0; (3 << 20) + 1];
    let large = pack_with(&[("a", &four)], stored);
    assert!(refusal_within(large, limits).contains("larger than 3 MiB"));
    let two = vec![0; (2 << 20) + 1];
    let together = pack_with(&[("a", &two), ("b", &two)], stored);
    assert!(refusal_within(together, limits).contains("larger than 4 MiB"));
    let bomb = pack(&[("zeros", &vec![0; 2 << 20])]);
    assert!(refusal_within(bomb, LIMITS).contains("more than 200 times"));
}

#[test]
fn a_file_that_is_larger_than_it_declares_is_refused_and_nothing_stays() {
    let directory = TempDir::new().expect("a directory");
    let content = vec![7_u8; 5000];
    let mut bytes = pack(&[("first", b"fine"), ("lie", &content)]);
    forge(&mut bytes, &5000_u32.to_le_bytes(), &50_u32.to_le_bytes());
    let mut archive = Archive::read(bytes, LIMITS).expect("it looks fine");
    let error = archive
        .unpack(directory.path(), "bundle", None)
        .expect_err("it lies");
    assert!(error.to_string().contains("declare"), "{error}");
    let left = fs::read_dir(directory.path()).expect("readable").count();
    assert_eq!(left, 0);
}

#[test]
fn a_file_whose_bytes_are_damaged_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut bytes = pack_with(&[("a", b"sentinel")], stored);
    forge(&mut bytes, b"sentinel", b"exchange");
    let mut archive = Archive::read(bytes, LIMITS).expect("it looks fine");
    let error = archive
        .unpack(directory.path(), "bundle", None)
        .expect_err("damaged");
    assert!(error.to_string().contains("cannot be read"), "{error}");
    assert!(!directory.path().join("bundle").exists());
}

#[test]
fn an_archive_within_the_limits_is_unpacked_once() {
    let parent = TempDir::new().expect("a directory");
    let parent = parent.path().join("bundles");
    let bytes = pack(&[
        ("manifest.json", b"{}"),
        ("server/index.js", b"1"),
        ("bin/tool", b"2"),
    ]);
    let mut archive = Archive::read(bytes, LIMITS).expect("fine");
    assert!(archive.names().contains("server"));
    assert!(
        archive
            .unpack(&parent, "a", Some("bin/tool"))
            .expect("unpacked")
    );
    let read = |name: &str| fs::read_to_string(parent.join("a").join(name)).expect("there");
    assert_eq!(
        (read("server/index.js"), read("bin/tool")),
        ("1".into(), "2".into())
    );
    assert!(!parent.join(STAGING).exists());
    assert!(!archive.unpack(&parent, "a", None).expect("there"));
    // One that lost a file is unpacked anew.
    fs::remove_file(parent.join("a/server/index.js")).expect("removed");
    assert!(archive.unpack(&parent, "a", None).expect("unpacked"));
    assert_eq!(read("server/index.js"), "1");
}

#[cfg(unix)]
#[test]
fn what_is_unpacked_is_the_owners_alone_and_programs_stay_programs() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().expect("a directory");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mode) in [
        ("plain", 0o666),
        ("program", 0o755),
        ("setuid", 0o4777),
        ("bin/tool", 0o644),
        ("others", 0o011),
    ] {
        let options = SimpleFileOptions::default().unix_permissions(mode);
        archive.start_file(name, options).expect("room");
    }
    let mut bytes = archive.finish().expect("written").into_inner();
    forge(
        &mut bytes,
        &(0o100_777_u32 << 16).to_le_bytes(),
        &(0o104_777_u32 << 16).to_le_bytes(),
    );
    let mut archive = Archive::read(bytes, LIMITS).expect("fine");
    archive
        .unpack(directory.path(), "a", Some("bin/tool"))
        .expect("unpacked");
    let mode = |name: &str| {
        let path = directory.path().join("a").join(name);
        fs::metadata(path).expect("there").permissions().mode() & 0o7777
    };
    assert_eq!(mode(""), 0o700);
    assert_eq!(mode("bin"), 0o700);
    assert_eq!(mode("plain"), 0o600);
    assert_eq!(mode("program"), 0o700);
    assert_eq!(mode("setuid"), 0o700);
    assert_eq!(mode("bin/tool"), 0o700);
    assert_eq!(mode("others"), 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_not_followed() {
    let directory = TempDir::new().expect("a directory");
    let elsewhere = TempDir::new().expect("a directory");
    fs::File::create(elsewhere.path().join("kept")).expect("made");
    let parent = directory.path();
    for name in [STAGING, "a"] {
        std::os::unix::fs::symlink(elsewhere.path(), parent.join(name)).expect("made");
    }
    let mut archive = Archive::read(pack(&[("x", b"1")]), LIMITS).expect("fine");
    archive.unpack(parent, "a", None).expect("unpacked");
    assert!(elsewhere.path().join("kept").exists());
    assert!(!elsewhere.path().join("x").exists());
    let found = fs::symlink_metadata(parent.join("a")).expect("there");
    assert!(found.is_dir());
}
