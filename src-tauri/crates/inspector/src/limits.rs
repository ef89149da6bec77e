//! Time limits of a server: what its entry says, completed by the environment and by what
//! is known of its command.

use sightglass_model::{Endpoint, EnvironmentLimits, Phase, TimeLimits, package_runner};

use crate::{Inspector, view::LimitView};

impl Inspector {
    /// The limits of an entry, with all that counts where it says nothing.
    pub(crate) fn complete_limits(&self, limits: &TimeLimits, endpoint: &Endpoint) -> TimeLimits {
        TimeLimits {
            environment: EnvironmentLimits::read(&*self.options.environment),
            package_runner: match endpoint {
                Endpoint::Stdio {
                    command, arguments, ..
                } => package_runner(command, arguments),
                Endpoint::Remote(_) => None,
            },
            ..limits.clone()
        }
    }
}

/// The limits as they are shown.
pub(crate) fn view(limits: &TimeLimits) -> Vec<LimitView> {
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
