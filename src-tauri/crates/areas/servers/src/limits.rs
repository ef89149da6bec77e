//! Time limits of a server: what its entry says, completed by the environment, by the user's
//! settings and by what is known of its command.

use std::time::Duration;

use sightglass_area_core::{
    options::Environment,
    view::{ConnectionDefaults, LimitView, ServerSettings},
};
use sightglass_model::{
    Endpoint, EnvironmentLimits, MAX_TIME_LIMIT, Phase, SetLimits, TimeLimits, package_runner,
};

/// Completes the limits of an entry with all that counts where it says nothing. `own` are the
/// settings of the server, `general` those for all servers.
pub fn completed(
    limits: &TimeLimits,
    endpoint: &Endpoint,
    own: &ServerSettings,
    general: &ConnectionDefaults,
    environment: &Environment,
) -> TimeLimits {
    let shared = EnvironmentLimits::read(&**environment);
    TimeLimits {
        chosen: set_limits(own.startup_limit, own.call_limit),
        general: set_limits(general.startup_limit, general.call_limit),
        environment: EnvironmentLimits {
            startup: of_application(shared.startup)
                .or(limits.environment.startup)
                .or(shared.startup),
            tool: of_application(shared.tool)
                .or(limits.environment.tool)
                .or(shared.tool),
        },
        package_runner: match endpoint {
            Endpoint::Stdio {
                command, arguments, ..
            } => package_runner(command, arguments),
            Endpoint::Remote(_) => None,
        },
        ..limits.clone()
    }
}

/// A limit that a variable of the application's own sets, which counts before those of clients.
fn of_application(limit: Option<(&'static str, Duration)>) -> Option<(&'static str, Duration)> {
    limit.filter(|(name, _)| name.starts_with("SIGHTGLASS_"))
}

/// Limits in seconds.
fn set_limits(startup: Option<u32>, tool: Option<u32>) -> SetLimits {
    let limit = |seconds: u32| Duration::from_secs(seconds.into()).min(MAX_TIME_LIMIT);
    SetLimits {
        startup: startup.map(limit),
        tool: tool.map(limit),
    }
}

/// The limits as they are shown.
pub fn view(limits: &TimeLimits) -> Vec<LimitView> {
    let start = limits.startup_limit().map(|limit| (None, limit));
    let phases = Phase::ALL
        .into_iter()
        .filter_map(|phase| Some((Some(phase), limits.limit(phase)?)));
    start
        .into_iter()
        .chain(phases)
        .map(|(phase, limit)| LimitView {
            phase,
            limit: limit.duration.into(),
            set_by: limit.source,
        })
        .collect()
}
