//! The verdict on a call, and the rule that decided.
//!
//! Rules stand in the settings of clients; reading these is done elsewhere, and each rule comes with
//! the file and line that it stands in. Three ways to decide:
//!
//! - By rules that deny, ask or allow: of Claude Code, Chimera and caliban. Their order is global
//!   deny, server deny, server ask, server allow, global ask, global allow, and else ask
//!   (ADR 0023 of caliban, <https://github.com/caliban-ai/caliban>). Claude Code and Chimera have no
//!   rules of servers, which leaves deny, ask, allow
//!   (<https://code.claude.com/docs/en/permissions>).
//! - By the last rule that matches: OpenCode.
//! - By settings of a server: those of Codex.
//!
//! ```text
//! rule       PermissionRule: one rule, and the calls that it matches
//! decision   rules → verdict
//! codex      settings of Codex → verdict
//! opencode   rules of OpenCode → verdict
//! ```

mod codex;
mod decision;
mod opencode;
mod rule;

pub use codex::{CodexApproval, CodexSettings, Placed, codex_rules, codex_verdict};
pub use decision::{IgnoredRule, PermissionStep, PermissionVerdict, verdict};
pub use opencode::{last_about, opencode_hiding_rule, opencode_verdict};
pub use rule::{
    Effect, PermissionCall, PermissionRule, RuleDialect, RuleLevel, RulePlace, ToolAnnotations,
};
