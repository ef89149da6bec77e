//! Prints a list of a server, as JSON or as a table.

use anstyle::Style;
use sightglass_inspector::ListKind;

use crate::{
    error::CliError,
    host::{ConnectedServer, Host},
    outcome::Outcome,
    style::{FAINT, NAME, WARNING, harmless, styled},
    table::Table,
    target::Target,
};

/// Lists what a server offers.
pub(crate) async fn list(
    host: &Host,
    target: &Target,
    kind: ListKind,
) -> Result<Outcome, CliError> {
    let server = host.connect(target).await?;
    match server.list(kind).await {
        Ok(result) => Ok(Outcome::new(result, text(&server, kind)?)),
        Err(error) => match server.inspector().calls.lists.list_so_far(&server.id, kind) {
            Some(result) => Ok(Outcome::new(result, text(&server, kind)?).with_error(error)),
            None => Err(error),
        },
    }
}

fn text(server: &ConnectedServer<'_>, kind: ListKind) -> Result<String, CliError> {
    let calls = &server.inspector().calls;
    let items = calls.lists.items(&server.id, kind, "", 0, u32::MAX)?;
    let lists = calls.lists.lists(&server.id);
    let warning = lists
        .into_iter()
        .find(|change| change.list == kind)
        .and_then(|change| change.warning)
        .map(|warning| format!("{}\n", styled(WARNING, &harmless(&warning))))
        .unwrap_or_default();
    if items.rows.is_empty() {
        return Ok(format!("The server has no {}.\n{warning}", kind.plural()));
    }
    let mut table = Table::default();
    let mut problems = String::new();
    for row in items.rows {
        if let Some(problem) = &row.problem {
            let name = if row.name.is_empty() {
                format!("Number {}", row.index + 1)
            } else {
                row.name.clone()
            };
            let line = harmless(&format!("{name}: {problem}"));
            problems.push_str(&format!("{}\n", styled(WARNING, &line)));
        }
        let style = if row.problem.is_some() { FAINT } else { NAME };
        let described = match (row.title, row.description) {
            (Some(title), Some(description)) if title != description => {
                format!("{title}: {description}")
            }
            (Some(text), _) | (None, Some(text)) => text,
            (None, None) => String::new(),
        };
        table.row([(row.name, style), (described, Style::new())]);
    }
    Ok(table.render() + &problems + &warning)
}
