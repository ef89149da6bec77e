//! The direction of imports inside each crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::uses;

/// Crates whose modules still import one another in circles. A crate that is rid of them leaves
/// this list for good.
const WITH_CIRCLES: [&str; 1] = ["connection"];

#[test]
fn the_modules_of_a_crate_import_one_another_in_one_direction() {
    let mut circles = Vec::new();
    for (name, path) in crate::crates() {
        let circle = circle(&uses(&path.join("src")));
        let is_known = WITH_CIRCLES.contains(&name.as_str());
        match circle {
            Some(circle) if !is_known => {
                circles.push(format!("{name}: {}", circle.join(" → ")));
            }
            None if is_known => panic!("{name} has no circle any more: take it off the list"),
            _ => {}
        }
    }
    assert!(
        circles.is_empty(),
        "these modules import one another in a circle:\n{}",
        circles.join("\n")
    );
}

/// A shortest way from some module back to itself, if there is one.
fn circle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    uses.keys()
        .filter_map(|start| way_back(uses, start))
        .min_by_key(Vec::len)
}

fn way_back(uses: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
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

#[test]
fn a_circle_is_found() {
    let graph = |edges: &[(&str, &[&str])]| {
        edges
            .iter()
            .map(|(from, to)| {
                (
                    (*from).to_owned(),
                    to.iter().map(|to| (*to).to_owned()).collect(),
                )
            })
            .collect::<BTreeMap<String, BTreeSet<String>>>()
    };
    let straight = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(circle(&straight), None);
    let round = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert_eq!(circle(&round).expect("found"), ["b", "c", "b"]);
}
