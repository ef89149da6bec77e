//! Limits of clients on the result of a call, in tokens.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Tokens from which Claude Code warns, and caliban by default
/// (<https://code.claude.com/docs/en/mcp>; caliban's design of its MCP client, version 2).
const WARNING: u32 = 10_000;

/// Tokens after which Claude Code cuts a result by default (<https://code.claude.com/docs/en/mcp>).
const CUT: u32 = 25_000;

/// Limits on a result, with their source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultLimits {
    pub warning: u32,
    /// `None` where nothing is cut by tokens.
    pub cut: Option<u32>,
    /// Variable that gave a limit another value.
    pub variable: Option<String>,
    pub source: String,
}

/// Judgement on a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ResultVerdict {
    Within,
    /// The client warns.
    Warned,
    /// The client cuts the result, or keeps it in a file.
    Cut,
}

impl ResultLimits {
    /// Returns the limits of Claude Code: `MAX_MCP_OUTPUT_TOKENS` replaces the length after which it
    /// cuts. A value that does not begin with a positive number is disregarded (observed in 2.1.197).
    pub fn claude_code(variable: impl Fn(&str) -> Option<String>) -> Self {
        Self::with_cut(
            "MAX_MCP_OUTPUT_TOKENS",
            variable,
            "https://code.claude.com/docs/en/mcp",
        )
    }

    /// Returns the limits of caliban: `CALIBAN_MAX_MCP_OUTPUT_TOKENS` replaces the length from which
    /// it warns. It disregards `MAX_MCP_OUTPUT_TOKENS`, which a server may set itself (ADR 0023), and
    /// cuts by bytes.
    pub fn caliban(variable: impl Fn(&str) -> Option<String>) -> Self {
        const VARIABLE: &str = "CALIBAN_MAX_MCP_OUTPUT_TOKENS";
        let set = variable(VARIABLE).and_then(|value| leading_number(&value));
        Self {
            warning: set.unwrap_or(WARNING),
            cut: None,
            variable: set.map(|_| VARIABLE.to_owned()),
            source: "https://github.com/caliban-ai/caliban, \
                     docs/adr/0023-mcp-v2-transports-and-oauth.md"
                .to_owned(),
        }
    }

    /// Returns Sightglass's own limits, which are those of Claude Code:
    /// `SIGHTGLASS_MAX_MCP_OUTPUT_TOKENS` replaces the length after which a result counts as cut.
    pub fn sightglass(variable: impl Fn(&str) -> Option<String>) -> Self {
        Self::with_cut("SIGHTGLASS_MAX_MCP_OUTPUT_TOKENS", variable, "Sightglass")
    }

    fn with_cut(name: &str, variable: impl Fn(&str) -> Option<String>, source: &str) -> Self {
        let set = variable(name).and_then(|value| leading_number(&value));
        Self {
            warning: WARNING,
            cut: Some(set.unwrap_or(CUT)),
            variable: set.map(|_| name.to_owned()),
            source: source.to_owned(),
        }
    }

    /// Judges a result by its tokens.
    pub fn judge(&self, tokens: u32) -> ResultVerdict {
        if self.cut.is_some_and(|cut| tokens > cut) {
            ResultVerdict::Cut
        } else if tokens > self.warning {
            ResultVerdict::Warned
        } else {
            ResultVerdict::Within
        }
    }
}

/// Reads the digits that a text begins with, as `parseInt` of JavaScript; `None` for none, and for
/// 0.
fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let digits = text.get(..end)?;
    if digits.is_empty() {
        return None;
    }
    let number = digits.parse().unwrap_or(u32::MAX);
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{ResultLimits, ResultVerdict};

    fn set(name: &'static str, value: &'static str) -> impl Fn(&str) -> Option<String> {
        move |asked| (asked == name).then(|| value.to_owned())
    }

    #[test]
    fn a_result_is_judged_by_its_tokens() {
        let limits = ResultLimits::claude_code(|_| None);
        for (tokens, verdict) in [
            (0, ResultVerdict::Within),
            (10_000, ResultVerdict::Within),
            (10_001, ResultVerdict::Warned),
            (25_000, ResultVerdict::Warned),
            (25_001, ResultVerdict::Cut),
        ] {
            assert_eq!(limits.judge(tokens), verdict, "{tokens}");
        }
    }

    #[test]
    fn a_variable_replaces_the_length_after_which_claude_code_cuts() {
        for (value, cut) in [
            ("50000", 50_000),
            ("50000 tokens", 50_000),
            ("", 25_000),
            ("many", 25_000),
            ("0", 25_000),
            ("-5", 25_000),
            ("99999999999999", u32::MAX),
        ] {
            let limits = ResultLimits::claude_code(set("MAX_MCP_OUTPUT_TOKENS", value));
            assert_eq!(limits.cut, Some(cut), "{value}");
            assert_eq!(limits.warning, 10_000, "{value}");
            assert_eq!(limits.variable.is_some(), cut != 25_000, "{value}");
        }
    }

    #[test]
    fn caliban_and_sightglass_disregard_the_variable_without_their_prefix() {
        let plain = || set("MAX_MCP_OUTPUT_TOKENS", "50000");
        assert_eq!(ResultLimits::caliban(plain()).warning, 10_000);
        assert_eq!(ResultLimits::sightglass(plain()).cut, Some(25_000));
        let limits = ResultLimits::caliban(set("CALIBAN_MAX_MCP_OUTPUT_TOKENS", "50000"));
        assert_eq!(limits.warning, 50_000);
        assert_eq!(limits.judge(1_000_000), ResultVerdict::Warned);
        let limits = ResultLimits::sightglass(set("SIGHTGLASS_MAX_MCP_OUTPUT_TOKENS", "50000"));
        assert_eq!(limits.cut, Some(50_000));
    }
}
