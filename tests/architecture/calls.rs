//! Calls between the parts of an area.
//!
//! A part is a struct that holds the parts whose methods it calls: `self.trust.permit()` leads from the
//! module that calls to the one that defines the method. No import has to show it, so that modules
//! whose imports have one direction could still need one another, through a `Weak`. Modules in such a
//! circle can be neither understood nor moved alone: the gauge is their number.
//!
//! A module is a file or folder right below the crate's root, and the root is one too. A call counts
//! wherever its receiver ends with the name of a field that holds a part (`self.trust.permit()`,
//! `trust.permit()`), and inside a part's inherent `impl` blocks with `self` or `this`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    modules::way_back,
    ratchet,
    source::{Modules, enclosed, identifier, modules, places},
    types::inherent_impls,
};

/// The modules of areas that call methods of one another in a circle.
const KNOT: usize = 0;

/// The methods that each module calls, by the module that defines them.
type Calls = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

#[test]
fn the_parts_of_an_area_call_one_another_in_one_direction() {
    let mut knotted = 0;
    let mut found = Vec::new();
    let mut counted = 0;
    for (name, path) in crate::crates() {
        if !name.starts_with("areas/") && name != "inspector" {
            continue;
        }
        let texts = modules(&path.join("src"));
        let calls = calls(&texts, &parts(&texts));
        counted += calls.values().map(BTreeMap::len).sum::<usize>();
        let knot = knot(&calls);
        knotted += knot.len();
        let within = calls_within(&calls, &knot).into_iter();
        found.extend(within.map(|line| format!("{name}: {line}")));
    }
    assert!(
        counted >= 50,
        "only {counted} ways between modules were found"
    );
    ratchet(
        knotted,
        KNOT,
        "modules call methods of one another in a circle",
        &found,
    );
}

/// The fields that hold shared values of types with inherent methods, and those types.
fn parts(texts: &Modules) -> BTreeMap<String, String> {
    let own: BTreeSet<&str> = texts
        .values()
        .flat_map(|text| inherent_impls(text))
        .map(|found| found.of)
        .collect();
    let mut parts = BTreeMap::new();
    for text in texts.values() {
        for holder in [": Arc<", ": Weak<"] {
            for (at, _) in text.match_indices(holder) {
                let before = &text[..at];
                let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
                let of = identifier(&text[at + holder.len()..]);
                if own.contains(of) {
                    parts.insert(before[name.len()..].to_owned(), of.to_owned());
                }
            }
        }
    }
    parts
}

/// The methods of `parts` that the modules call, without those of their own.
fn calls(texts: &Modules, parts: &BTreeMap<String, String>) -> Calls {
    let types: BTreeSet<&str> = parts.values().map(String::as_str).collect();
    let mut homes = BTreeMap::new();
    for (module, text) in texts {
        for found in inherent_impls(text) {
            if types.contains(found.of) {
                let body = &text[found.block];
                for at in places(body, "fn ") {
                    let method = identifier(&body[at + "fn ".len()..]);
                    homes.insert((found.of, method), top(module));
                }
            }
        }
    }
    let mut calls = Calls::new();
    for (module, text) in texts {
        let impls = inherent_impls(text);
        for call in method_calls(text) {
            let part = match call.receiver {
                "self" | "this" => impls
                    .iter()
                    .find(|found| found.block.contains(&call.at))
                    .map(|found| found.of),
                field => parts.get(field).map(String::as_str),
            };
            let home = part.and_then(|part| homes.get(&(part, call.method)));
            if let Some(home) = home
                && *home != top(module)
            {
                calls.entry((*home).to_owned()).or_default();
                calls
                    .entry(top(module).to_owned())
                    .or_default()
                    .entry((*home).to_owned())
                    .or_default()
                    .insert(call.method.to_owned());
            }
        }
    }
    calls
}

/// The first part of a module's path.
fn top(module: &[String]) -> &str {
    module.first().map_or("lib", String::as_str)
}

struct MethodCall<'t> {
    at: usize,
    /// The last name before the method: the field, where the receiver is a field.
    receiver: &'t str,
    method: &'t str,
}

fn method_calls(text: &str) -> impl Iterator<Item = MethodCall<'_>> {
    text.match_indices('.').filter_map(|(at, _)| {
        let before = text[..at].trim_end();
        let start = before
            .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
            .len();
        let after = text[at + 1..].trim_start();
        let method = identifier(after);
        let mut arguments = after[method.len()..].trim_start();
        if let Some(generics) = arguments.strip_prefix("::") {
            arguments = generics[enclosed(generics)..].trim_start();
        }
        let is_call = start < before.len() && !method.is_empty() && arguments.starts_with('(');
        is_call.then_some(MethodCall {
            at,
            receiver: &before[start..],
            method,
        })
    })
}

/// The modules from which calls lead back to themselves: those of the strongly connected components
/// with more than one.
fn knot(calls: &Calls) -> BTreeSet<&str> {
    let graph: BTreeMap<String, BTreeSet<String>> = calls
        .iter()
        .map(|(module, callees)| (module.clone(), callees.keys().cloned().collect()))
        .collect();
    calls
        .keys()
        .filter(|module| way_back(&graph, module).is_some())
        .map(String::as_str)
        .collect()
}

/// The calls from one of `knot` to another, a line each.
fn calls_within(calls: &Calls, knot: &BTreeSet<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    for (module, callees) in calls {
        for (callee, methods) in callees {
            if knot.contains(module.as_str()) && knot.contains(callee.as_str()) {
                let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
                lines.push(format!("{module} → {callee}: {}", methods.join(", ")));
            }
        }
    }
    lines
}

#[test]
fn a_circle_of_calls_is_found() {
    let texts = [
        (
            "servers",
            "impl Core { fn connect(&self) { self . sign_in::<u8>() } }",
        ),
        ("servers", "fn start(core: &Core) { core.open() }"),
        (
            "auth",
            "impl Core { pub fn sign_in(&self) { let this = self; this\n.connect() } }",
        ),
        (
            "data",
            "impl Core { fn open(&self) { self.files.connect(); open() } }",
        ),
        (
            "view",
            "impl Other { fn open(&self) { self.connect() } } fn f() { this.open() }",
        ),
        (
            "calls",
            "struct Calls { core: Arc<Core> } struct Tasks { calls: Arc<Calls> }
             impl<'a> Calls<'a> { fn call(&self) { self.core.connect(); self.call() } }",
        ),
        (
            "tasks",
            "impl Core { fn run(&self) { self.calls.call(); self.call() } }",
        ),
    ];
    let mut modules = Modules::new();
    for (module, text) in texts {
        modules
            .entry(vec![module.to_owned()])
            .or_default()
            .push_str(text);
    }
    let calls = calls(&modules, &parts(&modules));
    let all: BTreeSet<&str> = calls.keys().map(String::as_str).collect();
    assert_eq!(
        calls_within(&calls, &all),
        [
            "auth → servers: connect",
            "calls → servers: connect",
            "servers → auth: sign_in",
            "servers → data: open",
            "tasks → calls: call",
        ]
    );
    assert_eq!(knot(&calls), BTreeSet::from(["auth", "servers"]));
}
