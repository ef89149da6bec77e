//! Changes configuration files as a user does, through the façade.

use sightglass_inspector::{ConfigAction, Inspector, view::ApplyOutcome};

/// Plans a change and makes it, without anything in its way.
pub fn change(inspector: &Inspector, action: &ConfigAction) {
    let plan = inspector.plan_configuration(action).expect("possible");
    apply(inspector, plan.plan);
}

/// Makes a change that was planned.
pub fn apply(inspector: &Inspector, plan: u32) {
    let outcome = inspector.apply_configuration(plan).expect("written");
    assert!(
        matches!(outcome, ApplyOutcome::Applied { .. }),
        "{outcome:?}"
    );
}
