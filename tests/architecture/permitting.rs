//! The managed policy is asked in one place.

use crate::source::modules;

#[test]
fn one_function_permits_servers_and_one_set_of_rules_judges_them() {
    let mut crates = crate::crates();
    crates.push((
        "sightglass".to_owned(),
        crate::repository().join("src-tauri"),
    ));
    let (mut gates, mut rules) = (Vec::new(), Vec::new());
    for (name, path) in crates {
        for (module, text) in modules(&path.join("src")) {
            let place = format!("{name}: {}", module.join("::"));
            let permits = text.matches("PermittedSpec::judged").count();
            gates.extend(std::iter::repeat_n(place.clone(), permits));
            if text.contains("ServerRules for ") {
                rules.push(place);
            }
        }
    }
    assert_eq!(gates, ["inspector: trust"]);
    assert_eq!(rules, ["config: load::policy"]);
}
