//! Files in which servers are written although their client reads none there.

use crate::{
    definition::misplaced::holds_servers,
    scopes::MistakenFile,
    text::{
        file::decode,
        format::FileFormat,
        json_edit::object_at,
        problem::{Problem, ProblemKind},
        source::Source,
    },
};

/// Returns a warning when such a file holds servers. It is about the scope that they belong into, and
/// names its place in that file.
pub(super) fn mistaken_servers(file: &MistakenFile) -> Option<Problem> {
    let text = decode(sightglass_files::read(&file.path).ok()?).ok()?;
    let document = FileFormat::Jsonc.parse(&text);
    let (range, servers) = object_at(&document, file.section)?;
    holds_servers(servers).then(|| {
        let at = Source::new(&text).position(range.start);
        let message = format!(
            "{} has servers under {} (line {}), {}",
            file.label,
            file.section.join("."),
            at.line,
            file.advice
        );
        Problem {
            file: Some(file.path.display().to_string()),
            ..Problem::warning(ProblemKind::RefusedByClient, at, message)
        }
    })
}
