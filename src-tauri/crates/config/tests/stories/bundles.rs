//! Bundles: what their manifests mean on this machine, and unpacking the one that was shown.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sightglass_config::{
    Bundle, BundleHost, Candidate, Draft, ImportError, ImportInput, ImportSource, InputKind,
    Machine, Platform, draft_entry, unpack_bundle,
};

use crate::World;

fn pack(path: &Path, files: &[(&str, &str)]) {
    let mut archive = zip::ZipWriter::new(File::create(path).expect("made"));
    for (name, content) in files {
        archive
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .expect("room");
        archive.write_all(content.as_bytes()).expect("room");
    }
    archive.finish().expect("written");
}

/// A user, a file that is a bundle, and a place to unpack it.
struct Desk {
    world: World,
    machine: Machine,
    path: PathBuf,
    bundles: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let world = World::new();
        Self {
            machine: world.machine(),
            path: world.root().join("ada.mcpb"),
            bundles: world.root().join("data/bundles"),
            world,
        }
    }

    fn on(platform: Platform) -> Self {
        let mut desk = Self::new();
        desk.machine.platform = platform;
        desk
    }

    fn host(&self) -> BundleHost<'_> {
        BundleHost {
            directory: &self.bundles,
            machine: &self.machine,
        }
    }

    fn read(&self) -> Result<Bundle, ImportError> {
        sightglass_config::read_bundle(&self.path, &self.host())
    }

    /// Packs a server with this manifest and these files, and reads it.
    fn server(&self, server: &Value, settings: &Value, files: &[&str]) -> (Candidate, String) {
        let manifest = json!({
            "manifest_version": "0.3", "name": "notes", "version": "1.0.1", "server": server,
            "user_config": settings,
        });
        let text = manifest.to_string();
        let mut content = vec![("manifest.json", text.as_str())];
        content.extend(files.iter().map(|name| (*name, "")));
        pack(&self.path, &content);
        let mut bundle = self.read().expect("a bundle");
        (bundle.candidates.remove(0), bundle.directory)
    }

    fn entry(&self, server: &Value, files: &[&str]) -> (Value, String) {
        let (candidate, directory) = self.server(server, &json!({}), files);
        (entry(&candidate.draft), directory)
    }
}

/// The entry of a draft whose variables are all allowed.
fn entry(draft: &Draft) -> Value {
    let draft = Draft {
        variables: None,
        ..draft.clone()
    };
    draft_entry(&draft).into()
}

/// Name of a bundle's directory.
fn name_of(name: &str, bundle: &Bundle) -> String {
    let digits = bundle.sha256[..24].bytes();
    let letters = digits.map(|digit| match digit {
        b'0'..=b'9' => char::from(digit - b'0' + b'a'),
        _ => char::from(digit - b'a' + b'k'),
    });
    format!("{name}-{}", letters.collect::<String>())
}

#[test]
fn a_bundle_shows_its_manifest_and_nothing_is_run() {
    let desk = Desk::new();
    let manifest = json!({
        "manifest_version": "0.2", "name": "ada-notes", "display_name": "Ada's notes",
        "version": "1.0.1", "description": "Notes", "author": { "name": "Ada" },
        "tools": [{ "name": "find" }, { "name": "add" }],
        "compatibility": { "platforms": ["linux", "darwin"] },
        "user_config": { "vault": { "type": "directory", "title": "Vault", "required": true } },
        "server": {
            "type": "node", "entry_point": "server/index.js",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.js", "--vault=${user_config.vault}"],
                "env": { "MODE": "notes" },
            },
        },
    });
    pack(
        &desk.path,
        &[
            ("manifest.json", &manifest.to_string()),
            ("server/index.js", "throw 1"),
        ],
    );
    let bundle = desk.read().expect("it can be read");
    assert_eq!(
        (
            bundle.name.as_str(),
            bundle.title.as_deref(),
            bundle.author.as_deref()
        ),
        ("ada-notes", Some("Ada's notes"), Some("Ada"))
    );
    assert_eq!(bundle.tools, ["find", "add"]);
    assert_eq!(bundle.platforms, ["linux", "darwin"]);
    assert_eq!(bundle.files, 2);
    assert_eq!(
        serde_json::from_str::<Value>(&bundle.manifest).expect("JSON"),
        manifest
    );
    let directory = &bundle.directory;
    assert_eq!(
        Path::new(directory),
        desk.bundles.join(name_of("ada-notes-1.0.1", &bundle))
    );
    assert_eq!(
        entry(&bundle.candidates[0].draft),
        json!({
            "command": "node",
            "args": [format!("{directory}/server/index.js"), "--vault=${VAULT}"],
            "env": { "MODE": "notes" },
        })
    );
    assert!(!desk.bundles.exists(), "nothing is unpacked");
    let source = ImportSource::Bundle {
        path: desk.path.display().to_string(),
    };
    let found = sightglass_config::read_import(&source, &desk.host());
    assert_eq!(found, Ok(bundle.candidates));
}

#[test]
fn a_manifest_without_its_bundle_asks_for_the_directory() {
    let manifest = json!({
        "manifest_version": "0.3", "name": "notes", "version": "1",
        "server": { "type": "node", "entry_point": "index.js", "mcp_config": {
            "command": "node", "args": ["${__dirname}/index.js", "${DOCUMENTS}"],
        } },
    });
    let text = manifest.to_string();
    let found = crate::read_import(&ImportSource::Text { text }).expect("understood");
    assert_eq!(
        entry(&found[0].draft)["args"],
        json!(["${BUNDLE_DIRECTORY}/index.js", "${HOME}/Documents"])
    );
    assert_eq!(found[0].inputs[0].name, "BUNDLE_DIRECTORY");
    assert_eq!(found[0].bundle, None);
}

#[test]
fn what_is_no_bundle_is_refused_with_the_reason() {
    let desk = Desk::new();
    let refusal = || desk.read().expect_err("it is none").to_string();
    let path = &desk.path;
    assert!(refusal().contains("No such file"), "{}", refusal());
    std::fs::write(path, "no archive").expect("written");
    assert!(
        refusal().contains("no bundle that can be read"),
        "{}",
        refusal()
    );
    pack(path, &[("other.json", "{}")]);
    assert!(refusal().contains("no manifest.json"), "{}", refusal());
    pack(path, &[("manifest.json", "{,}")]);
    assert!(refusal().contains("line 1"), "{}", refusal());
    pack(path, &[("manifest.json", r#"{"name":"x"}"#)]);
    assert!(refusal().contains("has no server"), "{}", refusal());
}

#[test]
fn a_server_is_started_by_its_type_where_the_manifest_has_no_command_line() {
    let desk = Desk::new();
    for (kind, file, command, arguments) in [
        (
            "node",
            "server/index.js",
            "node",
            vec!["{}/server/index.js"],
        ),
        ("python", "main.py", "python", vec!["{}/main.py"]),
        ("binary", "bin/tool", "{}/bin/tool", vec![]),
        (
            "uv",
            "src/server.py",
            "uv",
            vec!["run", "--directory", "{}", "{}/src/server.py"],
        ),
    ] {
        let (entry, directory) = desk.entry(&json!({ "type": kind, "entry_point": file }), &[file]);
        let in_place = |text: &str| text.replace("{}", &directory);
        assert_eq!(entry["command"], in_place(command), "{kind}");
        let arguments: Vec<String> = arguments.into_iter().map(in_place).collect();
        assert_eq!(
            entry.get("args").cloned().unwrap_or(json!([])),
            json!(arguments),
            "{kind}"
        );
    }
}

#[test]
fn paths_in_the_bundle_are_written_from_its_directory() {
    let desk = Desk::new();
    let server = json!({ "type": "binary", "entry_point": "bin/tool", "mcp_config": {
        "command": "bin/tool",
        "args": ["--config", "./server/config.json", "a/b", "server/none.json"],
        "env": { "LD_LIBRARY_PATH": "server/lib", "SEPARATOR": "${/}${pathSeparator}" },
    } });
    let files = ["bin/tool", "server/config.json", "server/lib/a.so"];
    let (entry, directory) = desk.entry(&server, &files);
    assert_eq!(
        entry,
        json!({
            "command": format!("{directory}/bin/tool"),
            "args": [
                "--config", format!("{directory}/server/config.json"), "a/b", "server/none.json",
            ],
            "env": { "LD_LIBRARY_PATH": format!("{directory}/server/lib"), "SEPARATOR": "//" },
        })
    );
}

#[test]
fn a_system_has_members_of_its_own() {
    let server = json!({ "type": "binary", "entry_point": "bin/tool", "mcp_config": {
        "command": "${__dirname}/bin/tool", "args": ["--all"], "env": { "A": "1" },
        "platform_overrides": {
            "win32": { "args": ["${/}"] },
            "darwin": { "command": "${__dirname}/bin/tool-mac", "env": { "B": "2" } },
        },
    } });
    let files = ["bin/tool.exe", "bin/tool-mac"];
    let of = |platform: Platform| Desk::on(platform).entry(&server, &files);
    let (linux, directory) = of(Platform::Linux);
    assert_eq!(
        linux,
        json!({ "command": format!("{directory}/bin/tool"), "args": ["--all"], "env": { "A": "1" } })
    );
    let (mac, directory) = of(Platform::MacOs);
    assert_eq!(
        mac,
        json!({ "command": format!("{directory}/bin/tool-mac"), "args": ["--all"], "env": { "B": "2" } })
    );
    let (windows, directory) = of(Platform::Windows);
    assert_eq!(
        windows,
        json!({ "command": format!("{directory}/bin/tool.exe"), "args": ["\\"], "env": { "A": "1" } })
    );
}

#[test]
fn a_bundle_for_other_systems_says_so() {
    let desk = Desk::new();
    let manifest = json!({
        "name": "notes", "version": "1", "compatibility": { "platforms": ["darwin", "win32"] },
        "server": { "type": "node", "entry_point": "index.js" },
    });
    pack(&desk.path, &[("manifest.json", &manifest.to_string())]);
    let bundle = desk.read().expect("a bundle");
    let notes = &bundle.candidates[0].notes;
    assert_eq!(
        notes,
        &["The bundle is for darwin, win32 and may not start here."]
    );
}

#[test]
fn the_fields_of_a_manifest_become_inputs() {
    let desk = Desk::new();
    let home = desk.world.places().home;
    let settings = home.join(".config/user-dirs.dirs");
    std::fs::create_dir_all(settings.parent().expect("a parent")).expect("made");
    std::fs::write(settings, "XDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\n").expect("written");
    let server = json!({ "type": "node", "entry_point": "index.js", "mcp_config": {
        "command": "node",
        "args": ["${user_config.folders}", "--limit=${user_config.limit}", "${user_config.extra}"],
        "env": {
            "KEY": "${user_config.api_key}", "SAFE": "${user_config.safe}",
            "WHERE": "${user_config.home}", "NONE": "${user_config.none}", "AT": "${DESKTOP}",
        },
    } });
    let fields = json!({
        "folders": {
            "type": "directory", "title": "Folders", "multiple": true, "required": true,
            "default": ["${HOME}/a", "${DOCUMENTS}/b"],
        },
        "limit": { "type": "number", "default": 30, "min": 1, "max": 300 },
        "extra": { "type": "file" },
        "api_key": { "type": "string", "sensitive": true, "required": true },
        "safe": { "type": "boolean", "default": true },
        "home": { "type": "string", "description": "Not the user's" },
    });
    let (candidate, _) = desk.server(&server, &fields, &[]);
    let home = home.display().to_string();
    assert_eq!(
        entry(&candidate.draft),
        json!({
            "command": "node",
            "args": ["${FOLDERS}", "--limit=${LIMIT}", "${EXTRA:-}"],
            "env": {
                "KEY": "${API_KEY}", "SAFE": "${SAFE}", "WHERE": "${HOME_2:-}", "NONE": "${NONE}",
                "AT": format!("{home}/Desktop"),
            },
        })
    );
    let input = |name: &str| -> ImportInput {
        let found = candidate.inputs.iter().find(|input| input.name == name);
        found.cloned().unwrap_or_else(|| panic!("no input {name}"))
    };
    let folders = input("FOLDERS");
    assert_eq!(
        (
            folders.kind,
            folders.multiple,
            folders.required,
            folders.title.as_str()
        ),
        (InputKind::Directory, true, true, "Folders")
    );
    let both = format!("{home}/a\n{home}/Dokumente/b");
    assert_eq!(folders.default, Some(both));
    let limit = input("LIMIT");
    assert_eq!(
        (
            limit.kind,
            limit.default.as_deref(),
            limit.minimum,
            limit.maximum
        ),
        (InputKind::Number, Some("30"), Some(1.0), Some(300.0))
    );
    assert_eq!(input("EXTRA").kind, InputKind::File);
    assert!(input("API_KEY").secret && input("API_KEY").required);
    assert_eq!(input("SAFE").choices, ["true", "false"]);
    assert_eq!(input("SAFE").default.as_deref(), Some("true"));
    assert_eq!(input("HOME_2").description, "Not the user's");
    // Several folders are as many arguments.
    assert_eq!(
        entry(&candidate.with_defaults(&[]))["args"],
        json!([
            format!("{home}/a"),
            format!("{home}/Dokumente/b"),
            "--limit=30",
            "${EXTRA:-}"
        ])
    );
}

#[test]
fn the_bundle_that_was_shown_is_unpacked_and_no_other() {
    let desk = Desk::new();
    let server = json!({ "type": "node", "entry_point": "index.js" });
    let (candidate, directory) = desk.server(&server, &json!({}), &["index.js"]);
    let shown = candidate.bundle.expect("of a bundle");
    // Another file takes its place, with the same manifest.
    let before = std::fs::read(&desk.path).expect("readable");
    desk.server(&server, &json!({}), &["index.js", "evil.js"]);
    let error = unpack_bundle(&shown, &desk.host()).expect_err("exchanged");
    assert!(matches!(error, ImportError::Exchanged { .. }), "{error}");
    assert!(!desk.bundles.exists(), "nothing is unpacked");

    std::fs::write(&desk.path, before).expect("written");
    let unpacked = unpack_bundle(&shown, &desk.host()).expect("unpacked");
    assert_eq!(unpacked.directory.display().to_string(), directory);
    assert!(unpacked.is_new && unpacked.directory.join("index.js").is_file());
    assert!(!unpack_bundle(&shown, &desk.host()).expect("there").is_new);
}

#[test]
fn a_name_and_a_version_lead_to_no_other_place() {
    let desk = Desk::new();
    let manifest = json!({
        "name": "../../evil", "version": "../1/..\\2\u{202e}",
        "server": { "type": "node", "entry_point": "index.js" },
    });
    pack(&desk.path, &[("manifest.json", &manifest.to_string())]);
    let bundle = desk.read().expect("a bundle");
    let directory = Path::new(&bundle.directory);
    assert_eq!(directory.parent(), Some(desk.bundles.as_path()));
    let name = name_of("evil-..1..2", &bundle);
    assert_eq!(directory.file_name(), Some(name.as_ref()));
}
