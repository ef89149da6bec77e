//! The managed policy is asked in one place.

use crate::source::modules;

#[test]
fn one_function_permits_servers_and_one_set_of_rules_judges_them() {
    let (mut gates, mut rules) = (Vec::new(), Vec::new());
    for (name, path) in crate::crates_and_shell() {
        for (module, text) in modules(&path.join("src")) {
            let place = format!("{name}: {}", module.join("::"));
            for way in ["PermittedSpec::judged", "PermittedSpec::built_in"] {
                let permits = text.matches(way).count();
                gates.extend(std::iter::repeat_n(format!("{place}: {way}"), permits));
            }
            if text.contains("ServerRules for ") {
                rules.push(place);
            }
        }
    }
    let of_trust =
        ["judged", "built_in"].map(|way| format!("areas/servers: trust: PermittedSpec::{way}"));
    assert_eq!(gates, of_trust);
    assert_eq!(rules, ["config: load::policy"]);
}
