//! Files in which servers are written although their client reads none there.

use crate::{
    definition::misplaced::holds_servers,
    scopes::MistakenFile,
    text::{
        file::decode,
        format::FileFormat,
        json_edit::object_at,
        problem::{Problem, ProblemKind},
        source::{Position, Source},
    },
};

/// Returns a warning when such a file holds servers. It is about the scope that they belong into.
pub(super) fn mistaken_servers(file: &MistakenFile) -> Option<Problem> {
    let text = decode(sightglass_files::read(&file.path).ok()?).ok()?;
    let document = FileFormat::Jsonc.parse(&text);
    let (range, servers) = object_at(&document, file.section)?;
    holds_servers(servers).then(|| {
        let line = Source::new(&text).position(range.start).line;
        Problem::warning(
            ProblemKind::RefusedByClient,
            Position::START,
            format!(
                "{} has servers under {} (line {line}), {}",
                file.label,
                file.section.join("."),
                file.advice
            ),
        )
    })
}
