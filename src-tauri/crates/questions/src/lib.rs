//! Questions that servers ask of the user, as values: rules that answer them, and the check of an
//! answer to a sampling request.
//!
//! ```text
//! read        text of the rules file → RuleFile, or its problems with their places
//! draft       a question and its answer → a rule that answers the next one like it
//! describe    a rule in words
//! rule        RuleFile: a question → RuleDecision
//! template    {{name}} in the values of a rule
//! pattern     conditions on the text of a message
//! sampling    what is wrong with an answer to a sampling request
//! ```
//!
//! Modules use those below them.
//!
//! # The rules file
//!
//! The user's own file, plain TOML. The first rule that is about a question decides; without one
//! the user is asked.
//!
//! ```toml
//! [[rule]]
//! name    = "Introduce me"          # each rule has a name of its own
//! server  = "demo"                  # name or id of a server; * stands for any text
//! # folder = "/home/ada/web"        # only of the project in this folder
//! kind    = "form"                  # form, url, sampling
//! message = "introduce yourself"    # optional: the message contains this
//! # message_matches = "^Please "    # or matches this regular expression
//! schema  = { name = "string", age = "any" }   # optional: the form has these fields
//! # era   = "modern"                # optional: modern, legacy
//! then    = "accept"                # accept, decline, cancel, ask
//! values  = { name = "Ada", "*" = "{{field.default}}" }
//!
//! [[rule]]
//! name   = "Log in"
//! server = "github"
//! kind   = "url"
//! host   = "github.com"             # an address is accepted only on this host
//! then   = "accept"
//!
//! [[rule]]
//! name   = "A short reply"
//! server = "*"
//! kind   = "sampling"
//! then   = "accept"
//! text   = "Reply to {{server}}"    # the reply that is sent
//! model  = "by a rule"              # optional: the model that is named
//! ```
//!
//! A project chooses the names of its servers, so a rule without `folder` accepts nothing of a
//! server that a project defines; it may decline, cancel and ask. The same is true of a server that
//! is connected without being saved, for which no rule accepts. An address that a rule accepts is
//! not opened.
//!
//! In place of `text`, `ask_model = "NAME"` has a model of the settings reply.
//!
//! `values` has the answers by field; `"*"` stands for every other field of the form, where it has
//! a default. `{{server}}`, `{{message}}`, `{{field.name}}` and `{{field.default}}` are filled in;
//! a text that is `{{field.default}}` alone becomes the default as it is, whatever its type. What
//! is filled in is not filled in again. Only fields that the form has are sent.

mod describe;
mod draft;
mod pattern;
mod read;
mod rule;
mod sampling;
mod template;

pub use draft::{NO_RULE, RuleDraft, rule_for};
pub use read::MAX_FILE_BYTES;
pub use rule::{Asked, QuestionKind, Reply, Rule, RuleDecision, RuleFile};
pub use sampling::sampling_problem;
