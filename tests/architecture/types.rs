//! Where types are defined and where their methods stand.
//!
//! A type whose methods stand in many files cannot be read: the holder of a method is not where the
//! type is. The gauge counts the files with inherent `impl` blocks of one type; implementations of
//! traits do not count.
//!
//! A name that stands for several things has to be looked up each time. The gauge counts the names of
//! structs, enums and traits that several modules define, private ones too, over all crates.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use crate::{
    crates_and_shell, ratchet,
    source::{Modules, block, enclosed, identifier, modules, places, up_to, word},
};

/// The files in which the inherent `impl` blocks of one type may stand.
const MAX_FILES: usize = 3;

/// The types with more: crate, name and number of files.
const SPREAD: [(&str, &str, usize); 7] = [
    ("areas/checks", "EraSession", 4),
    ("auth", "Flow", 10),
    ("auth", "SignIns", 4),
    ("connection", "Connections", 5),
    ("connection", "Peer", 4),
    ("traffic", "Block", 4),
    ("traffic", "Queries", 6),
];

/// The names that stand for several types.
const HOMONYMS: usize = 147;

#[test]
fn the_methods_of_a_type_stand_in_few_files() {
    let mut spread = Vec::new();
    for (name, path) in crates_and_shell() {
        for ((_, of), files) in impl_files(&modules(&path.join("src"))) {
            if files > MAX_FILES {
                spread.push((name.clone(), of, files));
            }
        }
    }
    spread.sort();
    let listed = SPREAD.map(|(name, of, files)| (name.to_owned(), of.to_owned(), files));
    assert_eq!(
        spread, listed,
        "methods of these types stand in more than {MAX_FILES} files; move some where a number \
         rose, and lower it in the list where it fell"
    );
}

#[test]
fn one_name_stands_for_one_type() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, path) in crates_and_shell() {
        for (module, text) in modules(&path.join("src")) {
            let place = format!("{name} {}", module.join("::"));
            for of in type_names(&text) {
                places.entry(of.to_owned()).or_default().push(place.clone());
            }
        }
    }
    assert!(places.len() > 1_000, "only {} were found", places.len());
    let homonyms: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(of, places)| format!("{of}: {}", places.join(", ")))
        .collect();
    ratchet(
        homonyms.len(),
        HOMONYMS,
        "names stand for several types",
        &homonyms,
    );
}

/// An inherent `impl` block.
pub struct InherentImpl<'t> {
    /// The name of the type, without path and parameters.
    pub of: &'t str,
    /// The place of what it holds, braces and all.
    pub block: Range<usize>,
}

/// Finds the inherent `impl` blocks of a module.
pub fn inherent_impls(text: &str) -> Vec<InherentImpl<'_>> {
    places(text, "impl")
        .filter(|at| {
            // After anything else it is the type of an argument or of a result.
            let before = text[..*at].trim_end().chars().next_back();
            before.is_none_or(|before| "};]{".contains(before))
        })
        .filter_map(|at| {
            let mut head = word(&text[at..], "impl")?;
            if head.starts_with('<') {
                head = head[enclosed(head)..].trim_start();
            }
            let subject = up_to(head, &['{', ';']);
            if subject.split_whitespace().any(|word| word == "for") {
                return None;
            }
            let path = subject.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
            let path = &subject[..path.unwrap_or(subject.len())];
            let open = text.len() - head.len() + subject.len();
            Some(InherentImpl {
                of: path.rsplit(':').next().unwrap_or(path),
                block: open..open + block(&text[open..]),
            })
        })
        .collect()
}

/// The files with inherent `impl` blocks of each type of a crate. The module that defines it tells
/// types of one name apart: the block belongs to the nearest.
fn impl_files(texts: &Modules) -> BTreeMap<(Vec<String>, String), usize> {
    let mut homes: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
    for (module, text) in texts {
        for of in type_names(text) {
            homes.entry(of).or_default().push(module);
        }
    }
    let mut files = BTreeMap::new();
    for (module, text) in texts {
        let impls = inherent_impls(text);
        let types: BTreeSet<&str> = impls.iter().map(|found| found.of).collect();
        for of in types {
            let homes = homes.get(of).into_iter().flatten().copied();
            let nearest = homes.max_by_key(|home| (shared(home, module), Reverse(home.len())));
            let home = nearest.unwrap_or(module).clone();
            *files.entry((home, of.to_owned())).or_insert(0) += 1;
        }
    }
    files
}

/// The names of the structs, enums and traits that a module defines.
fn type_names(text: &str) -> BTreeSet<&str> {
    ["struct ", "enum ", "trait "]
        .into_iter()
        .flat_map(|keyword| {
            places(text, keyword).map(move |at| identifier(&text[at + keyword.len()..]))
        })
        // A macro's parameter is none.
        .filter(|name| !name.is_empty())
        .collect()
}

/// The length of the path that two modules share.
fn shared(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[test]
fn inherent_impls_are_found() {
    let text = "impl Display for A {} fn f(x: impl Fn() -> B) -> impl C { 0 }\n\
                #[derive(D)]\nimpl<T: Fn() -> E> crate::f::G<T>\nwhere\n    T: for<'a> H<'a>,\n{}\n\
                impl<'a> I<'a> {} unsafe impl Send for J {} pub implement!{}\nimpl K { impl_l! {} }";
    let found = inherent_impls(text);
    let names: Vec<&str> = found.iter().map(|found| found.of).collect();
    assert_eq!(names, ["G", "I", "K"]);
    for found in found {
        assert!(text[found.block].starts_with('{'), "{}", found.of);
    }
}

#[test]
fn types_of_one_name_are_told_apart() {
    let texts = [
        (
            "a",
            "struct Open { x: u8 } impl Open {} impl Open {} struct $name;",
        ),
        ("a::b", "impl Open {}"),
        (
            "c",
            "pub(crate) enum Open { A } trait Read {} impl Read for Open {}",
        ),
        ("c::d", "impl super::Open {}"),
        ("e", "use a::Shut; impl Shut {}"),
    ];
    let texts: Modules = texts
        .iter()
        .map(|(module, text)| {
            let path = module.split("::").map(str::to_owned).collect();
            (path, (*text).to_owned())
        })
        .collect();
    let files: Vec<String> = impl_files(&texts)
        .into_iter()
        .map(|((home, of), files)| format!("{}::{of} {files}", home.join("::")))
        .collect();
    assert_eq!(files, ["a::Open 2", "c::Open 1", "e::Shut 1"]);
    assert_eq!(
        type_names(&texts[&["c".to_owned()][..]]),
        BTreeSet::from(["Open", "Read"])
    );
}
