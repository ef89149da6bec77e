//! Changes configuration files as a user does, through the façade.

use sightglass_inspector::{
    ConfigAction, Draft, DraftEndpoint, Inspector, OutsideWrites, view::ApplyOutcome,
};

/// Plans a change and makes it, without anything in its way.
pub fn change(inspector: &Inspector, action: &ConfigAction) {
    let plan = inspector
        .setup
        .changes
        .plan_configuration(action)
        .expect("possible");
    apply(inspector, plan.plan);
}

/// Makes a change that was planned.
pub fn apply(inspector: &Inspector, plan: u32) {
    let outcome = inspector
        .setup
        .changes
        .apply_configuration(plan, OutsideWrites::Refused)
        .expect("written");
    assert!(
        matches!(outcome, ApplyOutcome::Applied { .. }),
        "{outcome:?}"
    );
}

/// Returns the draft of a program, with nothing but its arguments.
pub fn program(name: &str, command: &str, arguments: &[&str]) -> Draft {
    Draft {
        name: name.into(),
        endpoint: DraftEndpoint::Stdio {
            command: command.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            environment: Vec::new(),
            working_directory: None,
        },
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}
