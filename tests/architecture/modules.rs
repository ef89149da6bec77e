//! The direction of imports inside each crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::uses;

#[test]
fn the_modules_of_a_crate_import_one_another_in_one_direction() {
    let circles: Vec<String> = crate::crates()
        .into_iter()
        .filter_map(|(name, path)| {
            let circle = circle(&uses(&path.join("src")))?;
            Some(format!("{name}: {}", circle.join(" → ")))
        })
        .collect();
    assert!(
        circles.is_empty(),
        "these modules import one another in a circle:\n{}",
        circles.join("\n")
    );
}

/// Layers of crates, from the top down: the folders, and a file that stands for one.
const LAYERS: [(&str, &[&str]); 1] = [(
    "connection",
    &[
        "connections",
        "doctor",
        "supervisor",
        "session",
        "rpc",
        "transport",
        "status",
    ],
)];

#[test]
fn the_layers_of_a_crate_import_downward_only() {
    let mut upward = Vec::new();
    let crates = crate::crates();
    for (name, layers) in LAYERS {
        let (_, path) = crates
            .iter()
            .find(|(crate_name, _)| crate_name == name)
            .unwrap_or_else(|| panic!("{name} is no crate"));
        let uses = uses(&path.join("src"));
        for layer in layers {
            assert!(uses.contains_key(*layer), "{name} has no layer {layer}");
        }
        let found = upward_imports(&uses, layers);
        upward.extend(found.into_iter().map(|import| format!("{name}: {import}")));
    }
    assert!(
        upward.is_empty(),
        "these layers import from one above them:\n{}",
        upward.join("\n")
    );
}

/// The imports of a layer from one above it.
fn upward_imports(uses: &BTreeMap<String, BTreeSet<String>>, layers: &[&str]) -> Vec<String> {
    let mut upward = Vec::new();
    for (height, layer) in layers.iter().enumerate() {
        let above = layers[..height]
            .iter()
            .filter(|above| uses[*layer].contains(**above));
        upward.extend(above.map(|above| format!("{layer} → {above}")));
    }
    upward
}

/// A shortest way from some module back to itself, if there is one.
fn circle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    uses.keys()
        .filter_map(|start| way_back(uses, start))
        .min_by_key(Vec::len)
}

/// A shortest way from one module back to itself, if there is one.
pub fn way_back(uses: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in &uses[way.last().expect("begins with start")] {
                let mut way = way.clone();
                way.push(next.clone());
                if next == start {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

fn graph(edges: &[(&str, &[&str])]) -> BTreeMap<String, BTreeSet<String>> {
    edges
        .iter()
        .map(|(from, to)| {
            (
                (*from).to_owned(),
                to.iter().map(|to| (*to).to_owned()).collect(),
            )
        })
        .collect()
}

#[test]
fn an_upward_import_is_found() {
    let uses = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(upward_imports(&uses, &["a", "b", "c"]), ["c → a"]);
    assert!(upward_imports(&uses, &["a", "b"]).is_empty());
}

#[test]
fn a_circle_is_found() {
    let straight = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(circle(&straight), None);
    let round = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert_eq!(circle(&round).expect("found"), ["b", "c", "b"]);
}
