//! `--config FILE`: one entry of a file that no client of this machine reads, or of another project.
//!
//! The file may be a stranger's, so naming it is no approval of what stands there: the entry is shown
//! whole, and is used once the user agrees, or gave the fingerprint of the very entry that was shown.
//! Nothing else of its folder is read, and it counts as a server that is tried: it gets no variables
//! of the environment, no answers of the user's rules, and no folder that is not trusted.

use std::path::Path;

use serde_json::json;
use sightglass_inspector::{
    ImportSource, Inspector, ServerId, ServerSpec, TRIED, TriedServer, entirely_visible,
    shell_quoted,
};

use crate::{
    error::CliError,
    launch::{launch, refuse_missing_variables},
    next_step,
    options::CommonOptions,
    style::{HEADING, styled},
    terminal,
};

/// Returns the id and the endpoint of an entry of a file, once the user agreed to it.
pub(crate) fn entry_of(
    inspector: &Inspector,
    options: &CommonOptions,
    file: &Path,
    name: &str,
) -> Result<(ServerId, ServerSpec), CliError> {
    let source = ImportSource::Text { text: read(file)? };
    let mut candidates = inspector.setup.import_sources.import_candidates(&source)?;
    // What merely looks like a command line is no file of a client.
    candidates.retain(|candidate| !candidate.is_guessed() && candidate.bundle.is_none());
    let names: Vec<String> = candidates
        .iter()
        .map(|one| one.draft.name.clone())
        .collect();
    let Some(candidate) = candidates.into_iter().find(|one| one.draft.name == name) else {
        return Err(CliError::usage(
            &format!("{} has no server named {name}.", file.display()),
            &next_step::instead_of(name, &names, "servers there"),
        ));
    };
    let draft = candidate.with_defaults(&options.entry_variables);
    refuse_missing_variables(inspector, &draft, "--entry-variable")?;
    let view = inspector.setup.drafts.draft_launch(&draft).launch;
    let shown = format!(
        "{}\n{}\n{}",
        styled(HEADING, &entirely_visible(name)),
        entirely_visible(&file.display().to_string()),
        launch(&view.consequences, &view.rows)
    );
    let id = ServerId::new(TRIED, name);
    let tried = &inspector.servers.tried;
    tried.definitions.insert(TriedServer {
        id: id.clone(),
        draft,
    });
    let fingerprint = tried.definitions.fingerprint(&id).unwrap_or_default();
    let is_agreed = match &options.approve_entry {
        Some(approved) => *approved == fingerprint,
        None => terminal::is_there() && !options.json && terminal::ask(&shown, "Use this entry?"),
    };
    if !is_agreed {
        let message = match &options.approve_entry {
            Some(_) => "The entry is another than the one that was approved.",
            None => "The entry was not approved, and nothing of it was started or contacted.",
        };
        let hint = format!(
            "If it may be used as it is shown, add `--approve-entry {}`.",
            shell_quoted(&fingerprint)
        );
        // Where an error is printed, its lines have a style of their own.
        let shown = anstream::adapter::strip_str(&shown).to_string();
        return Err(shown.lines().fold(
            CliError::not_approved(message, &hint).with_data(&json!({
                "fingerprint": fingerprint,
                "kind": view.kind,
                "consequences": view.consequences,
                "rows": view.rows,
            })),
            |error, line| error.with_evidence(line),
        ));
    }
    match tried.tried_spec(&id) {
        Some(spec) => Ok((id, spec?)),
        None => Err(CliError::interrupted()),
    }
}

fn read(file: &Path) -> Result<String, CliError> {
    let unread = |reason: &str| {
        CliError::usage(
            &format!("{} cannot be read: {reason}", file.display()),
            "`--config` names a configuration file of a client, in JSON or TOML.",
        )
    };
    let bytes = sightglass_files::read(file).map_err(|error| unread(&error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| unread("it is not UTF-8."))
}
