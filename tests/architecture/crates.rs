//! Dependencies between crates.

use std::fs;

#[test]
fn no_crate_but_the_shell_depends_on_tauri() {
    for (name, path) in crate::crates() {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        for line in text.lines().map(str::trim_start) {
            assert!(!line.starts_with("tauri"), "{name} depends on {line}");
        }
    }
}

/// The areas, from below. Each may name the core and those before it.
const AREAS: [&str; 8] = [
    "servers", "sign-in", "calls", "record", "setup", "clients", "checks", "tests",
];

#[test]
fn an_area_names_the_core_and_areas_below_it_alone() {
    let core = "sightglass-area-core".to_owned();
    let packages = AREAS.map(|area| format!("sightglass-area-{area}"));
    let mut wrong = Vec::new();
    for (name, path) in crate::crates() {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        let height = match name.as_str() {
            "inspector" => AREAS.len(),
            "areas/core" => 0,
            name => AREAS
                .iter()
                .position(|area| name == format!("areas/{area}"))
                .unwrap_or_default(),
        };
        let below = packages[..height].iter();
        let may = match name.starts_with("areas/") && name != "areas/core" || name == "inspector" {
            true => below.chain([&core]).collect(),
            false => Vec::new(),
        };
        for package in dependencies(&text).filter_map(|line| line.split('.').next()) {
            if package.starts_with("sightglass-area-") && !may.iter().any(|one| *one == package) {
                wrong.push(format!("{name} names {package}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let others = ["src-tauri", "tests", "tests/browser_host"].map(|path| {
        let directory = crate::repository().join(path);
        (path.to_owned(), directory)
    });
    for (name, path) in crate::crates().into_iter().chain(others) {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        assert!(
            text.contains("[lints]\nworkspace = true"),
            "{name} does not take the lints of the workspace"
        );
    }
}

#[test]
fn one_crate_makes_http_clients() {
    let mut clients = Vec::new();
    for (name, path) in crate::crates_and_shell() {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        if dependencies(&text).any(|line| line.starts_with("reqwest")) {
            clients.push(name);
        }
    }
    assert_eq!(clients, ["http"], "these ask others past its rules");
}

/// The lines of a manifest that name what the crate is built of; what its tests need is left out.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    manifest
        .split("\n[")
        .filter_map(|section| section.split_once("]\n"))
        .filter(|(head, _)| head.ends_with("dependencies") && !head.ends_with("dev-dependencies"))
        .flat_map(|(_, lines)| lines.lines())
}

#[test]
fn dependencies_are_read_without_those_of_tests() {
    let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nb = 1\n\n\
                    [target.'cfg(unix)'.dependencies]\nc = 1\n\n[dev-dependencies]\nd = 1\n";
    let found: Vec<&str> = dependencies(manifest)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(found, ["b = 1", "c = 1"]);
}
