//! Time limits and their sources.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;

use crate::Phase;

/// Time limit for the first answer of a package runner: its first run downloads the
/// server and all that it needs.
const PACKAGE_RUNNER_TIMEOUT: Duration = Duration::from_secs(120);

/// The longest limit that can be configured, thirty days. A longer one means the same to a user,
/// and the clock of the operating system cannot count every number that a file can hold.
pub const MAX_TIME_LIMIT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The limits for one server: what its entry says, what the environment says, and what is
/// known of its command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimeLimits {
    /// Overrides [`Phase::default_limit`].
    pub phases: BTreeMap<&'static str, Duration>,
    /// Caps everything up to [`Phase::Ready`].
    pub startup: Option<Duration>,
    /// Limit for one call; starts again with each progress notification.
    pub tool: Option<Duration>,
    /// Limits that the user set for this server; they win over the entry.
    pub chosen: SetLimits,
    /// Limits that count where the entry says nothing.
    pub environment: EnvironmentLimits,
    /// Limits that the user set for all servers; they count where nothing else says one.
    pub general: SetLimits,
    /// Limits that the client has whose server it is; they count before the built-in ones.
    pub client: ClientLimits,
    /// The program that downloads the server before it starts, where the command is one.
    pub package_runner: Option<&'static str>,
}

/// Limits that the user set in the application.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SetLimits {
    pub startup: Option<Duration>,
    pub tool: Option<Duration>,
}

/// Limits that a client has where nothing says one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientLimits {
    /// The client as it calls itself.
    pub client: &'static str,
    /// Its own field for the limit of a start, in seconds; `startup_timeout` where it has that.
    pub startup_field: Option<&'static str>,
    pub startup: Option<Duration>,
    pub tool: Option<Duration>,
}

/// Limits from environment variables, each with the variable's name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentLimits {
    pub startup: Option<(&'static str, Duration)>,
    pub tool: Option<(&'static str, Duration)>,
}

/// A limit and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    pub duration: Duration,
    pub source: LimitSource,
}

/// Source of a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum LimitSource {
    /// The default.
    Default,
    /// The one built in for commands that download before they start.
    PackageRunner { program: String },
    /// A field of the server's entry, such as `phase_timeouts.initializing`.
    Entry { field: String },
    /// An environment variable, in milliseconds.
    Variable { name: String },
    /// The user, for this server.
    ServerSetting,
    /// The user, for all servers.
    Setting,
    /// The client whose server it is, where nothing else says one.
    Client { client: String },
}

impl TimeLimits {
    /// Time limit of `phase`; `None` means that the phase has no limit
    /// of its own.
    ///
    /// A limit for the whole start that is set replaces the built-in limits of its
    /// phases: who allows a start two minutes does not want it ended after thirty seconds.
    pub fn limit(&self, phase: Phase) -> Option<Limit> {
        let is_chosen = phase == Phase::Executing && self.chosen.tool.is_some();
        if !is_chosen && let Some(duration) = self.phases.get(phase.name()) {
            return Some(Limit {
                duration: *duration,
                source: LimitSource::Entry {
                    field: format!("phase_timeouts.{}", phase.name()),
                },
            });
        }
        if phase == Phase::Executing {
            let candidates = Candidates {
                chosen: self.chosen.tool,
                entry: self.tool.map(|limit| ("tool_timeout", limit)),
                variable: self.environment.tool,
                general: self.general.tool,
                client: self.client.tool.map(|limit| (self.client.client, limit)),
            };
            if let Some(limit) = candidates.first() {
                return Some(limit);
            }
        }
        if phase.is_start() && self.startup_limit().is_some() {
            return None;
        }
        match self.package_runner {
            Some(program) if phase == Phase::Initializing => Some(Limit {
                duration: PACKAGE_RUNNER_TIMEOUT,
                source: LimitSource::PackageRunner {
                    program: program.to_owned(),
                },
            }),
            _ => phase.default_limit().map(|duration| Limit {
                duration,
                source: LimitSource::Default,
            }),
        }
    }

    /// The cap on everything up to [`Phase::Ready`], where one is set.
    pub fn startup_limit(&self) -> Option<Limit> {
        let candidates = Candidates {
            chosen: self.chosen.startup,
            entry: self.startup.map(|limit| {
                let field = self.client.startup_field.unwrap_or("startup_timeout");
                (field, limit)
            }),
            variable: self.environment.startup,
            general: self.general.startup,
            client: self.client.startup.map(|limit| (self.client.client, limit)),
        };
        candidates.first()
    }

    /// The duration of [`limit`](Self::limit).
    pub fn for_phase(&self, phase: Phase) -> Option<Duration> {
        self.limit(phase).map(|limit| limit.duration)
    }
}

/// The same limit from each source; the first that is there counts.
struct Candidates {
    chosen: Option<Duration>,
    /// With the field's name.
    entry: Option<(&'static str, Duration)>,
    /// With the variable's name.
    variable: Option<(&'static str, Duration)>,
    general: Option<Duration>,
    /// With the client's name.
    client: Option<(&'static str, Duration)>,
}

impl Candidates {
    fn first(self) -> Option<Limit> {
        let limit = |source: LimitSource| move |duration| Limit { duration, source };
        let named = |(name, duration): (&str, _), source: fn(String) -> LimitSource| Limit {
            duration,
            source: source(name.to_owned()),
        };
        let chosen = self.chosen.map(limit(LimitSource::ServerSetting));
        let entry = |entry| named(entry, |field| LimitSource::Entry { field });
        let variable = |variable| named(variable, |name| LimitSource::Variable { name });
        let client = |client| named(client, |client| LimitSource::Client { client });
        chosen
            .or_else(|| self.entry.map(entry))
            .or_else(|| self.variable.map(variable))
            .or_else(|| self.general.map(limit(LimitSource::Setting)))
            .or_else(|| self.client.map(client))
    }
}

impl EnvironmentLimits {
    /// Reads the variables, whole numbers of milliseconds greater than 0. The application's
    /// own names win over those that other clients share; a value that is no such number
    /// counts as not set, and one above [`MAX_TIME_LIMIT`] as that.
    pub fn read(environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: [&'static str; 2]| {
            names.into_iter().find_map(|name| {
                let milliseconds: u64 = environment(name)?.trim().parse().ok()?;
                let limit = Duration::from_millis(milliseconds).min(MAX_TIME_LIMIT);
                (milliseconds > 0).then_some((name, limit))
            })
        };
        Self {
            startup: first(["SIGHTGLASS_MCP_TIMEOUT", "MCP_TIMEOUT"]),
            tool: first(["SIGHTGLASS_MCP_TOOL_TIMEOUT", "MCP_TOOL_TIMEOUT"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(field: &str) -> LimitSource {
        LimitSource::Entry {
            field: field.to_owned(),
        }
    }

    #[test]
    fn a_limit_from_the_entry_wins_over_the_environment_and_the_default() {
        let limits = TimeLimits {
            phases: BTreeMap::from([("initializing", Duration::from_secs(2))]),
            tool: Some(Duration::from_secs(7)),
            environment: EnvironmentLimits {
                tool: Some(("MCP_TOOL_TIMEOUT", Duration::from_secs(8))),
                startup: None,
            },
            ..TimeLimits::default()
        };
        let initializing = limits.limit(Phase::Initializing).unwrap();
        assert_eq!(initializing.duration, Duration::from_secs(2));
        assert_eq!(initializing.source, entry("phase_timeouts.initializing"));
        let call = limits.limit(Phase::Executing).unwrap();
        assert_eq!(
            (call.duration, call.source),
            (Duration::from_secs(7), entry("tool_timeout"))
        );
        assert_eq!(
            limits.for_phase(Phase::Connecting),
            Phase::Connecting.default_limit()
        );
        assert_eq!(limits.for_phase(Phase::Ready), None);
    }

    #[test]
    fn a_limit_set_for_the_server_wins_over_all_and_one_for_all_servers_over_none() {
        let second = |seconds| Some(Duration::from_secs(seconds));
        let general = SetLimits {
            startup: second(3),
            tool: second(4),
        };
        let limits = TimeLimits {
            general,
            ..TimeLimits::default()
        };
        let call = limits.limit(Phase::Executing).unwrap();
        assert_eq!(
            (call.duration, call.source),
            (Duration::from_secs(4), LimitSource::Setting)
        );
        assert_eq!(limits.startup_limit().unwrap().source, LimitSource::Setting);
        let limits = TimeLimits {
            chosen: SetLimits {
                startup: None,
                tool: second(9),
            },
            startup: second(5),
            phases: BTreeMap::from([("executing", Duration::from_secs(2))]),
            ..limits
        };
        let call = limits.limit(Phase::Executing).unwrap();
        assert_eq!(
            (call.duration, call.source),
            (Duration::from_secs(9), LimitSource::ServerSetting)
        );
        assert_eq!(
            limits.startup_limit().unwrap().source,
            entry("startup_timeout")
        );
    }

    #[test]
    fn a_client_s_limit_counts_before_the_built_in_ones_and_after_what_was_set() {
        let second = Duration::from_secs;
        let client = ClientLimits {
            client: "Codex",
            startup_field: Some("startup_timeout_sec"),
            startup: Some(second(10)),
            tool: Some(second(60)),
        };
        let limits = TimeLimits {
            client,
            package_runner: Some("npx"),
            ..TimeLimits::default()
        };
        let set = TimeLimits {
            startup: Some(second(1)),
            ..limits.clone()
        };
        assert_eq!(
            set.startup_limit().unwrap().source,
            entry("startup_timeout_sec")
        );
        let of_client = LimitSource::Client {
            client: "Codex".to_owned(),
        };
        let startup = limits.startup_limit().unwrap();
        assert_eq!(
            (startup.duration, startup.source),
            (second(10), of_client.clone())
        );
        assert_eq!(limits.limit(Phase::Initializing), None);
        let call = limits.limit(Phase::Executing).unwrap();
        assert_eq!((call.duration, call.source), (second(60), of_client));
        let limits = TimeLimits {
            general: SetLimits {
                startup: Some(second(3)),
                tool: None,
            },
            tool: Some(second(7)),
            ..limits
        };
        assert_eq!(limits.startup_limit().unwrap().source, LimitSource::Setting);
        assert_eq!(
            limits.limit(Phase::Executing).unwrap().source,
            entry("tool_timeout")
        );
    }

    #[test]
    fn the_own_variables_win_over_the_shared_ones_and_nonsense_counts_as_unset() {
        let read = |own: Option<&str>, shared: Option<&str>| {
            EnvironmentLimits::read(&|name| match name {
                "SIGHTGLASS_MCP_TIMEOUT" => own.map(str::to_owned),
                "MCP_TIMEOUT" => shared.map(str::to_owned),
                _ => None,
            })
            .startup
        };
        let limit = |name, milliseconds| Some((name, Duration::from_millis(milliseconds)));
        assert_eq!(
            read(Some("1500"), Some("9")),
            limit("SIGHTGLASS_MCP_TIMEOUT", 1500)
        );
        assert_eq!(read(None, Some("90000")), limit("MCP_TIMEOUT", 90_000));
        assert_eq!(read(Some("soon"), Some("9")), limit("MCP_TIMEOUT", 9));
        assert_eq!(read(Some("0"), None), None);
        assert_eq!(
            read(None, Some("18446744073709551615")),
            Some(("MCP_TIMEOUT", MAX_TIME_LIMIT))
        );
    }

    #[test]
    fn a_limit_for_the_start_replaces_the_built_in_ones_of_its_phases() {
        let limits = TimeLimits {
            startup: Some(Duration::from_secs(300)),
            phases: BTreeMap::from([("listing_tools", Duration::from_secs(1))]),
            ..TimeLimits::default()
        };
        assert_eq!(limits.for_phase(Phase::Initializing), None);
        assert_eq!(
            limits.for_phase(Phase::ListingTools),
            Some(Duration::from_secs(1))
        );
        assert_eq!(
            limits.for_phase(Phase::Executing),
            Phase::Executing.default_limit()
        );
        assert_eq!(
            limits.startup_limit().unwrap().duration,
            Duration::from_secs(300)
        );
    }

    #[test]
    fn package_runners_get_time_to_download() {
        let limits = TimeLimits {
            package_runner: Some("npx"),
            ..TimeLimits::default()
        };
        assert_eq!(
            limits.for_phase(Phase::Initializing),
            Some(Duration::from_secs(120))
        );
        assert_eq!(
            limits.for_phase(Phase::ListingTools),
            Phase::ListingTools.default_limit()
        );
    }
}
