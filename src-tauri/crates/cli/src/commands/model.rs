//! `model`: what a client's model sees of a server, and what it may call.

use clap::{Args, Subcommand};
use serde_json::json;
use sightglass_inspector::{
    CLAUDE_CONTEXT_WINDOW, CandidateBasis, ChangeKind, Client, Effect, ListKind, NamingScheme,
    PermissionRule, Precision, Provider, ServerId, naming_scheme,
    view::{TokenCostView, TokenQuestion},
};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, HEADING, NAME, WARNING, harmless, styled},
    table::Table,
};

/// Rows of a table.
const MAX_ROWS: usize = 200;

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Show the names under which clients put what a server offers before a model
    Names(Names),
    /// Show what the tools of a server cost in tokens, the heaviest first
    Tokens(CountTokens),
    /// Show the tools of a server as model interfaces get them, and what was changed
    Schema(Schema),
    /// Show the rules of a client about calls, or which of them decides on a call
    Rules(ModelRules),
}

#[derive(Debug, Args)]
pub(crate) struct Names {
    #[command(flatten)]
    addressed: Addressed,
    /// The client; all whose rules are known by default
    #[arg(long)]
    client: Option<Client>,
    /// Tell what this name out of a log means, rather than list the names
    #[arg(long, value_name = "NAME")]
    find: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CountTokens {
    #[command(flatten)]
    addressed: Addressed,
    /// The client by whose names the tools are sent; those of the server by default
    #[arg(long)]
    client: Option<Client>,
    /// The model; figures are exact for those with the vocabulary o200k
    #[arg(long, value_name = "MODEL", default_value = "")]
    model: String,
    /// The size of the context window in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = CLAUDE_CONTEXT_WINDOW)]
    window: u32,
    /// The value of ENABLE_TOOL_SEARCH, instead of that of the environment
    #[arg(long, value_name = "VALUE")]
    tool_search: Option<String>,
    /// Show what this query of tool search finds, rather than the figures
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    #[command(flatten)]
    addressed: Addressed,
    /// The interface: anthropic, openai-responses, openai-chat, gemini, bedrock; all by default
    #[arg(long, value_parser = provider)]
    provider: Option<Provider>,
    /// The client by whose names the tools are sent; those of the server by default
    #[arg(long)]
    client: Option<Client>,
}

#[derive(Debug, Args)]
pub(crate) struct ModelRules {
    /// The client
    client: Client,
    /// The server of the call
    server: Option<String>,
    /// The tool that is called; without one the server asks the user
    tool: Option<String>,
}

fn provider(text: &str) -> Result<Provider, String> {
    Provider::ALL
        .into_iter()
        .find(|provider| provider.id() == text)
        .ok_or_else(|| {
            let ids = Provider::ALL.map(Provider::id).join(", ");
            format!("there is no interface {text}; there are {ids}")
        })
}

/// Returns the scheme of a client.
fn scheme(client: Client) -> Result<NamingScheme, CliError> {
    naming_scheme(client).ok_or_else(|| {
        CliError::usage(
            &format!("The names of {} are not known.", client.title()),
            "Leave `--client` out to see those of all clients that are known.",
        )
    })
}

impl Model {
    /// The lists that it needs loaded.
    pub(crate) fn lists(&self) -> &'static [ListKind] {
        match self {
            Self::Names(_) => &ListKind::ALL,
            Self::Tokens(_) | Self::Schema(_) => &[ListKind::Tools],
            Self::Rules(_) => &[],
        }
    }

    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::Names(names) => names.run(host).await,
            Self::Tokens(tokens) => tokens.run(host).await,
            Self::Schema(schema) => schema.run(host).await,
            Self::Rules(rules) => rules.run(host),
        }
    }
}

impl Names {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let schemes = match self.client {
            Some(client) => vec![scheme(client)?],
            None => NamingScheme::ALL.to_vec(),
        };
        let server = host.connect(&self.addressed.alone()?).await?;
        let servers = [server.id.clone()];
        let llm_tools = &server.inspector().clients.llm_tools;
        if let Some(name) = &self.find {
            let found = llm_tools.resolve_model_name(&schemes, &servers, name)?;
            let mut table = Table::default();
            for one in &found {
                table.row([
                    (one.scheme.id().to_owned(), FAINT),
                    (harmless(&one.server), NAME),
                    (harmless(&one.item), HEADING),
                    (basis(one.basis).to_owned(), FAINT),
                ]);
            }
            let text = match found.is_empty() {
                true => "No client names something of this server so.\n".to_owned(),
                false => table.render(),
            };
            return Ok(Outcome::new(json!({"candidates": found}).to_string(), text));
        }
        let mut views = Vec::new();
        let mut text = String::new();
        for scheme in schemes {
            let view = llm_tools.model_names(scheme, &servers)?;
            text.push_str(&format!("{}\n", styled(HEADING, &view.id)));
            let mut table = Table::default();
            for name in view.names.iter().take(MAX_ROWS) {
                let warnings: Vec<&str> =
                    name.warnings.iter().map(|one| one.text.as_str()).collect();
                table.row([
                    (harmless(&name.name), NAME),
                    (harmless(&warnings.join(" ")), WARNING),
                ]);
            }
            text.push_str(&table.render());
            text.push('\n');
            views.push(view);
        }
        let result = json!({"server": server.spec.name, "clients": views});
        Ok(Outcome::new(result.to_string(), text))
    }
}

/// Returns the words for the ground on which a candidate stands, those of the window.
fn basis(basis: CandidateBasis) -> &'static str {
    match basis {
        CandidateBasis::Listed => "listed",
        CandidateBasis::KnownServer => "the server does not list it",
        CandidateBasis::Form => "by its form alone",
    }
}

impl CountTokens {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let scheme = self.client.map(scheme).transpose()?;
        let server = host.connect(&self.addressed.alone()?).await?;
        let servers = vec![server.id.clone()];
        let llm_tools = &server.inspector().clients.llm_tools;
        if let Some(query) = &self.query {
            let view = llm_tools.search_model_tools(&servers, query)?;
            let mut table = Table::default();
            for found in &view.found {
                let score = found.score.map(|score| score.to_string());
                table.row([
                    (score.unwrap_or_default(), FAINT),
                    (harmless(&found.name), NAME),
                ]);
            }
            let text = match view.found.is_empty() {
                true => format!("None of {} tools is found.\n", view.searched),
                false => table.render(),
            };
            return Outcome::of(&view, text);
        }
        let view = llm_tools.token_cost(&TokenQuestion {
            servers,
            scheme,
            model: self.model,
            window: self.window,
            tool_search: self.tool_search,
            with_unsent: false,
        })?;
        Outcome::of(&view, cost_text(&view))
    }
}

fn cost_text(view: &TokenCostView) -> String {
    let about = match view.precision {
        Precision::Exact => "",
        Precision::Estimate => "≈ ",
    };
    let mut figures = Table::default();
    let total = view.cost.total;
    for (title, cost, permille) in [
        ("as the server sends it", total.whole, view.whole_permille),
        ("as a client sends it", total.sent, view.sent_permille),
        ("names alone", total.names, view.names_permille),
    ] {
        figures.row([
            (title.to_owned(), HEADING),
            (format!("{about}{} tokens", cost.tokens), NAME),
            (format!("{} bytes", cost.bytes), FAINT),
            (format!("{}.{} %", permille / 10, permille % 10), FAINT),
        ]);
    }
    let mut tools = Table::default();
    for tool in view.cost.tools.iter().take(MAX_ROWS) {
        tools.row([
            (format!("{about}{}", tool.figures.sent.tokens), NAME),
            (harmless(&tool.name), HEADING),
            (
                format!(
                    "description {}, schema {}",
                    tool.description.tokens, tool.schema.tokens
                ),
                FAINT,
            ),
        ]);
    }
    let state = match view.tool_search.is_on {
        true => styled(GOOD, "Tool search is on."),
        false => styled(FAINT, "Tool search is off."),
    };
    format!(
        "{}\n{}\n{state} {}\n",
        figures.render(),
        tools.render(),
        view.tool_search.reason
    )
}

impl Schema {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let scheme = self.client.map(scheme).transpose()?;
        let server = host.connect(&self.addressed.alone()?).await?;
        let providers = match self.provider {
            Some(provider) => vec![provider],
            None => Provider::ALL.to_vec(),
        };
        let mut views = Vec::new();
        let mut text = String::new();
        let llm_tools = &server.inspector().clients.llm_tools;
        for provider in providers {
            let view = llm_tools.sent_tools(&server.id, provider, scheme)?;
            text.push_str(&format!(
                "{}  {}\n",
                styled(HEADING, &view.title),
                styled(FAINT, &view.converter)
            ));
            if self.provider.is_some() {
                for tool in view.tools.iter().take(MAX_ROWS) {
                    text.push_str(&format!("{}\n", harmless_lines(&tool.sent)));
                }
            }
            let mut table = Table::default();
            let shown = view
                .changes
                .iter()
                .filter(|one| one.kind != ChangeKind::NotSent);
            for change in shown.take(MAX_ROWS) {
                let style = match change.kind {
                    ChangeKind::Refused | ChangeKind::LimitExceeded => BAD,
                    ChangeKind::Dropped => WARNING,
                    _ => FAINT,
                };
                let tool = change.tool.as_deref().unwrap_or("the list");
                table.row([
                    (harmless(tool), NAME),
                    (harmless(&change.path), FAINT),
                    (harmless(&change.reason), style),
                ]);
            }
            text.push_str(&table.render());
            text.push('\n');
            views.push(view);
        }
        let result = json!({"server": server.spec.name, "interfaces": views});
        Ok(Outcome::new(result.to_string(), text))
    }
}

fn harmless_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(harmless).collect();
    lines.join("\n")
}

impl ModelRules {
    fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let client_rules = &host.inspector.calls.client_rules;
        let Some(server) = self.server else {
            let view = client_rules.permission_rules(self.client);
            let mut table = Table::default();
            for rule in view.rules.iter().take(MAX_ROWS) {
                table.row([
                    (effect(rule.effect).to_owned(), effect_style(rule.effect)),
                    (harmless(&rule_text(rule)), NAME),
                    (
                        harmless(rule.server.as_deref().unwrap_or("all servers")),
                        FAINT,
                    ),
                    (place(&rule.place.file, rule.place.line), FAINT),
                ]);
            }
            let text = match (view.is_known, view.rules.is_empty()) {
                (false, _) => format!("No rules of {} are known.\n", self.client.title()),
                (true, true) => "There are no rules.\n".to_owned(),
                (true, false) => table.render(),
            };
            return Outcome::of(&view, text);
        };
        let id = ServerId::new(self.client.id(), &server);
        let tool = self.tool.as_deref();
        let verdict = client_rules.permission_verdict(self.client, &id, tool)?;
        let by = verdict.rule.as_ref().map_or_else(String::new, |rule| {
            format!(
                "{}  {}\n",
                styled(NAME, &harmless(&rule.text)),
                styled(FAINT, &place(&rule.place.file, rule.place.line))
            )
        });
        let ignored: String = verdict
            .ignored
            .iter()
            .map(|one| {
                let rule = harmless(&one.rule.text);
                let line = format!("{rule} is disregarded. {}", one.reason);
                format!("{}\n", styled(WARNING, &line))
            })
            .collect();
        let text = format!(
            "{}  {}\n{by}{ignored}",
            styled(effect_style(verdict.effect), effect(verdict.effect)),
            harmless(&verdict.reason)
        );
        Outcome::of(&verdict, text)
    }
}

/// A rule with the pattern of arguments beside it.
fn rule_text(rule: &PermissionRule) -> String {
    match &rule.arguments {
        Some(arguments) => format!("{} {arguments}", rule.text),
        None => rule.text.clone(),
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Deny => "deny",
        Effect::Ask => "ask",
        Effect::Allow => "allow",
    }
}

fn effect_style(effect: Effect) -> anstyle::Style {
    match effect {
        Effect::Deny => BAD,
        Effect::Ask => WARNING,
        Effect::Allow => GOOD,
    }
}

fn place(file: &str, line: Option<u32>) -> String {
    match line {
        Some(line) => format!("{}:{line}", harmless(file)),
        None => harmless(file),
    }
}
