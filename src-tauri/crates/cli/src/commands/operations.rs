//! `operations`: lists what the window recorded, one line for each operation, or shows the tree of
//! one.

use anstyle::Style;
use clap::Args;
use sightglass_inspector::{
    Certainty, Direction, EdgeKind, ExchangeId, ExchangeRow, Operation, OperationPage,
    OperationQuery, OperationTree, Outcome as RowOutcome, RecordQueries, TrafficQuery,
};

use super::export::server_id;
use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, NAME, WARNING, counted, duration, styled},
    table::Table,
};

/// Rows of a tree that are shown.
const MAX_NODES: u32 = 1_000;

#[derive(Debug, Args)]
pub(crate) struct ListOperations {
    /// Show all that belongs to this call, by the number of any row in it
    #[arg(value_name = "NUMBER", conflicts_with_all = ["server", "filter", "limit"])]
    row: Option<u32>,
    /// Only this server, by its name or its id
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Only calls with a row that matches, as in the window: `method:tools/call status:error`
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// The newest of them, at most 1000
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    limit: u32,
}

impl ListOperations {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let record = host.inspector.record.exports.exported_queries()?;
        if let Some(row) = self.row {
            let tree = tree(&record, ExchangeId(row)).await?;
            return Outcome::of(&tree, tree_text(&tree));
        }
        let server = match &self.server {
            Some(name) => Some(server_id(host, name)?),
            None => None,
        };
        let query = TrafficQuery {
            filter: self.filter.unwrap_or_default(),
            server,
            quiet: true,
            without_checks: true,
            ..TrafficQuery::default()
        };
        let page = loop {
            let page = record.operations(query.clone(), 0, self.limit).await?;
            if page.complete {
                break page;
            }
        };
        if let Some(problem) = &page.problem {
            return Err(CliError::usage(
                &problem.message,
                "For instance `--filter 'method:tools/call status:error'`.",
            ));
        }
        Outcome::of(&page, page_text(&page))
    }
}

async fn tree(record: &RecordQueries, id: ExchangeId) -> Result<OperationTree, CliError> {
    let query = OperationQuery {
        id,
        folded: Vec::new(),
    };
    loop {
        let tree = record.operation(query.clone(), 0, MAX_NODES).await?;
        if tree.complete {
            return Ok(tree);
        }
    }
}

fn page_text(page: &OperationPage) -> String {
    let mut table = Table::default();
    for operation in &page.operations {
        let parts = match operation.parts {
            0 => String::new(),
            parts => counted(parts, "part"),
        };
        let (outcome, style) = outcome(operation.outcome);
        table.row([
            (format!("#{}", operation.root.id), FAINT),
            (operation.root.server.clone(), Style::new()),
            (named(&operation.root), NAME),
            (outcome.to_owned(), style),
            (time(operation), Style::new()),
            (parts, FAINT),
        ]);
    }
    let shown = page.operations.len();
    let mut text = table.render();
    text.push_str(&match page.total as usize == shown {
        true => counted(shown, "call"),
        false => format!("{shown} of {} calls", page.total),
    });
    text.push('\n');
    if page.oldest.is_some() {
        let remark = "Older rows are on record; there are too many to tell what belongs to what.";
        text.push_str(&format!("{}\n", styled(WARNING, remark)));
    }
    text
}

fn tree_text(tree: &OperationTree) -> String {
    let mut table = Table::default();
    for node in &tree.nodes {
        let kind = node
            .edge
            .map_or(String::new(), |edge| match edge.certainty {
                Certainty::Sure => edge_name(edge.kind).to_owned(),
                Certainty::Inferred => format!("{} (inferred)", edge_name(edge.kind)),
            });
        let indent = "  ".repeat(node.depth as usize);
        let (outcome, style) = outcome(node.row.outcome);
        let taken = node.row.duration.map(duration).unwrap_or_default();
        table.row([
            (format!("#{}", node.row.id), FAINT),
            (format!("{indent}{}", named(&node.row)), NAME),
            (kind, FAINT),
            (outcome.to_owned(), style),
            (taken, Style::new()),
        ]);
    }
    let mut text = table.render();
    if tree.nodes.len() < tree.total as usize {
        text.push_str(&format!("… of {} rows\n", tree.total));
    }
    let whole = time(&tree.operation);
    if !whole.is_empty() {
        text.push_str(&format!("{whole} in all\n"));
    }
    text
}

fn named(row: &ExchangeRow) -> String {
    let arrow = match row.direction {
        Direction::Sent => "→",
        Direction::Received => "←",
    };
    match row.target.is_empty() {
        true => format!("{arrow} {}", row.method),
        false => format!("{arrow} {} {}", row.method, row.target),
    }
}

/// The duration, and the part of it that a person took.
fn time(operation: &Operation) -> String {
    let Some(whole) = operation.duration else {
        return String::new();
    };
    match operation.person_time.as_duration().is_zero() {
        true => duration(whole),
        false => format!(
            "{}, of which a person {}",
            duration(whole),
            duration(operation.person_time)
        ),
    }
}

fn outcome(outcome: RowOutcome) -> (&'static str, Style) {
    match outcome {
        RowOutcome::Pending => ("pending", WARNING),
        RowOutcome::Ok => ("ok", GOOD),
        RowOutcome::Error => ("error", BAD),
        RowOutcome::Cancelled => ("cancelled", WARNING),
        RowOutcome::Unanswered => ("unanswered", WARNING),
        RowOutcome::None => ("", FAINT),
    }
}

fn edge_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Carrier => "carrier",
        EdgeKind::Repetition => "sent again",
        EdgeKind::Progress => "progress",
        EdgeKind::Cancellation => "cancellation",
        EdgeKind::Round => "round",
        EdgeKind::Question => "question",
        EdgeKind::Log => "log",
        EdgeKind::Task => "task",
        EdgeKind::Subscription => "subscription",
        EdgeKind::SignIn => "sign-in",
        EdgeKind::ListRefresh => "list refresh",
        EdgeKind::ResourceLink => "resource link",
        EdgeKind::Trace => "trace",
    }
}
