//! Shows what an entry starts or contacts, and what it reads, before it may.

use sightglass_inspector::{Draft, Inspector, PlanRow, entirely_visible, shell_quoted};

use crate::{
    error::CliError,
    style::{WARNING, styled},
};

/// Everything that a server does, a line for each value. The texts hold no line breaks or other
/// control characters, so that none can pose as another row.
pub(crate) fn launch(consequences: &[String], rows: &[PlanRow]) -> String {
    let mut shown = String::new();
    for sentence in consequences {
        shown.push_str(&format!("  {}\n", styled(WARNING, sentence)));
    }
    for row in rows {
        let mut label = row.label.as_str();
        for value in &row.values {
            shown.push_str(&format!("  {label:<22} {value}\n"));
            label = "";
        }
    }
    shown
}

/// Refuses a server that cannot do without variables that were not allowed, and says where their
/// values would go. `option` is the one that allows a variable.
pub(crate) fn refuse_missing_variables(
    inspector: &Inspector,
    draft: &Draft,
    option: &str,
) -> Result<(), CliError> {
    let needed = draft.missing_variables();
    if needed.is_empty() {
        return Ok(());
    }
    let uses = inspector.setup.drafts.draft_launch(draft).environment;
    let sentences: Vec<String> = uses
        .into_iter()
        .filter(|found| needed.contains(&found.name))
        .map(|found| found.sentence)
        .collect();
    let options: Vec<String> = needed
        .iter()
        .map(|name| format!("{option} {}", shell_quoted(name)))
        .collect();
    Err(CliError::usage(
        &format!(
            "{} needs variables of your environment that are not allowed. {}",
            entirely_visible(&draft.name),
            sentences.join(" ")
        ),
        &format!(
            "Write the values into the text, or add `{}` if it may read them.",
            entirely_visible(&options.join(" "))
        ),
    ))
}
