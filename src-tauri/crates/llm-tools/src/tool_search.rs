//! Tool search of Claude Code: tools whose names alone stand in the prompt, and are loaded on demand.
//!
//! The setting is `ENABLE_TOOL_SEARCH` (<https://code.claude.com/docs/en/mcp>); what is not said
//! there is as observed in Claude Code 2.1.197.
//!
//! ```text
//! query    the tools that a query finds
//! ```

mod query;

use serde::{Deserialize, Serialize};
use specta::Type;

pub use query::{DEFAULT_MAX_RESULTS, FoundTool, SearchedTool, found_tools};

/// Share of the context window from which `auto` switches on, in percent.
const DEFAULT_PERCENT: u32 = 10;

/// Value of `ENABLE_TOOL_SEARCH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", tag = "mode")]
pub enum ToolSearchSetting {
    /// Not set, or a value that says nothing.
    Unset,
    /// On, whatever the tools weigh.
    On,
    /// Off: the whole list is in the prompt.
    Off,
    /// On from this share of the context window, in percent.
    Auto { percent: u32 },
}

impl ToolSearchSetting {
    /// Reads the value of `ENABLE_TOOL_SEARCH`; `None` where it is not set.
    ///
    /// `auto` stands for 10 %, `auto:N` for N, from 0 to 100. `auto:0` is always on and `auto:100`
    /// never; an N that is no number is 10. `1`, `true`, `yes` and `on` switch on, `0`, `false`, `no`
    /// and `off` switch off, whatever their case.
    pub fn parse(value: Option<&str>) -> Self {
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return Self::Unset;
        };
        if value == "auto" {
            return Self::Auto {
                percent: DEFAULT_PERCENT,
            };
        }
        if let Some(number) = value.strip_prefix("auto:") {
            return match percent(number) {
                Some(0) => Self::On,
                Some(100) => Self::Off,
                percent => Self::Auto {
                    percent: percent.unwrap_or(DEFAULT_PERCENT),
                },
            };
        }
        match value.trim().to_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Self::On,
            "0" | "false" | "no" | "off" => Self::Off,
            _ => Self::Unset,
        }
    }
}

/// Reads a number as `parseInt` of JavaScript, from 0 to 100.
fn percent(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let digits = digits.get(..end).filter(|digits| !digits.is_empty())?;
    let number = digits.parse().unwrap_or(u32::MAX);
    Some(if is_negative { 0 } else { number.min(100) })
}

/// Circumstances in which Claude Code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolSearchCase {
    pub setting: ToolSearchSetting,
    /// Tokens of the tools that would be loaded on demand, as a client sends them.
    pub tokens: u32,
    /// Size of the context window in tokens.
    pub window: u32,
    /// False where `ANTHROPIC_BASE_URL` names another host than Anthropic's, or on Vertex AI: without
    /// a setting it is off there.
    pub is_first_party: bool,
}

/// Answer to whether tool search is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolSearchVerdict {
    pub is_on: bool,
    /// Tokens from which it is on, where that decides.
    pub threshold: Option<u32>,
    pub reason: String,
}

/// Tells whether tool search is on. It is off for models before Claude 4 and where the tool
/// `ToolSearch` is denied, which is not looked at here.
pub fn tool_search(case: ToolSearchCase) -> ToolSearchVerdict {
    let verdict = |is_on, reason: &str| ToolSearchVerdict {
        is_on,
        threshold: None,
        reason: reason.to_owned(),
    };
    match case.setting {
        ToolSearchSetting::On => verdict(true, "ENABLE_TOOL_SEARCH switches it on."),
        ToolSearchSetting::Off => verdict(false, "ENABLE_TOOL_SEARCH switches it off."),
        ToolSearchSetting::Unset if case.is_first_party => {
            verdict(true, "It is on without a setting.")
        }
        ToolSearchSetting::Unset => verdict(
            false,
            "Without a setting it is off where requests go to another host than Anthropic's.",
        ),
        ToolSearchSetting::Auto { percent } => {
            let threshold = u64::from(case.window) * u64::from(percent) / 100;
            let threshold = u32::try_from(threshold).unwrap_or(u32::MAX);
            let is_on = case.tokens >= threshold;
            let relation = if is_on { "reach" } else { "are below" };
            ToolSearchVerdict {
                is_on,
                threshold: Some(threshold),
                reason: format!(
                    "The tools have {} tokens and {relation} {threshold}, {percent} % of the \
                     context window.",
                    case.tokens
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ToolSearchCase, ToolSearchSetting, tool_search};

    #[test]
    fn the_value_of_the_variable_is_read_as_claude_code_reads_it() {
        let auto = |percent| ToolSearchSetting::Auto { percent };
        for (value, setting) in [
            (None, ToolSearchSetting::Unset),
            (Some(""), ToolSearchSetting::Unset),
            (Some("sometimes"), ToolSearchSetting::Unset),
            (Some("auto"), auto(10)),
            (Some("auto:5"), auto(5)),
            (Some("auto: 7 %"), auto(7)),
            (Some("auto:0"), ToolSearchSetting::On),
            (Some("auto:-3"), ToolSearchSetting::On),
            (Some("auto:100"), ToolSearchSetting::Off),
            (Some("auto:9999999999999"), ToolSearchSetting::Off),
            (Some("auto:x"), auto(10)),
            (Some("auto:"), auto(10)),
            (Some("true"), ToolSearchSetting::On),
            (Some("TRUE"), ToolSearchSetting::On),
            (Some("1"), ToolSearchSetting::On),
            (Some("false"), ToolSearchSetting::Off),
            (Some("off"), ToolSearchSetting::Off),
        ] {
            assert_eq!(ToolSearchSetting::parse(value), setting, "{value:?}");
        }
    }

    #[test]
    fn a_share_of_the_context_window_switches_it_on() {
        let case = |setting, tokens, is_first_party| {
            let verdict = tool_search(ToolSearchCase {
                setting: ToolSearchSetting::parse(setting),
                tokens,
                window: 200_000,
                is_first_party,
            });
            (verdict.is_on, verdict.threshold)
        };
        for (setting, tokens, is_first_party, expected) in [
            (Some("auto"), 19_999, true, (false, Some(20_000))),
            (Some("auto"), 20_000, true, (true, Some(20_000))),
            (Some("auto:5"), 10_000, true, (true, Some(10_000))),
            (Some("auto:5"), 9_999, false, (false, Some(10_000))),
            (Some("true"), 0, false, (true, None)),
            (Some("false"), 100_000, true, (false, None)),
            (None, 0, true, (true, None)),
            (None, 100_000, false, (false, None)),
        ] {
            assert_eq!(
                case(setting, tokens, is_first_party),
                expected,
                "{setting:?} {tokens}"
            );
        }
    }
}
