//! Suggests the term that was meant, where one was written that there is not.

/// Names that people bring from elsewhere, and the term that means the same here.
const SYNONYMS: [(&str, &str); 24] = [
    ("code", "status"),
    ("outcome", "status"),
    ("result", "status"),
    ("severity", "level"),
    ("log", "level"),
    ("loglevel", "level"),
    ("name", "tool"),
    ("target", "tool"),
    ("dir", "from"),
    ("direction", "from"),
    ("sender", "from"),
    ("since", "time"),
    ("before", "time"),
    ("after", "time"),
    ("at", "time"),
    ("took", "dur"),
    ("length", "size"),
    ("type", "kind"),
    ("host", "server"),
    ("folder", "project"),
    ("workspace", "project"),
    ("bookmark", "is"),
    ("check", "is"),
    ("comment", "note"),
];

/// Returns true when `key:value` is meant as a term, and not an address that was pasted.
pub(super) fn looks_like_term(key: &str, value: &str) -> bool {
    !key.is_empty()
        && key.chars().all(|character| character.is_ascii_lowercase())
        && !value.starts_with("//")
        && key != "localhost"
}

/// Says that there is no term `key`, and which one may be meant.
pub(super) fn unknown(key: &str) -> String {
    let synonym = SYNONYMS.iter().find(|(name, _)| *name == key);
    let meant = synonym.map(|(_, term)| *term).or_else(|| nearest(key));
    match meant {
        Some(term) => format!("There is no {key}:. Did you mean {term}:?"),
        None => format!(
            "There is no {key}:. There is method:, tool:, status:, server:, project:, kind:, level:, from:, \
             time:, dur:, size:, is:, note: and id:. Put text in quotes."
        ),
    }
}

fn nearest(key: &str) -> Option<&'static str> {
    super::TERMS
        .into_iter()
        .map(|term| (strsim::osa_distance(key, term), term))
        // Of a short name nearly nothing would be left.
        .filter(|(edits, term)| *edits <= if term.len() > 4 { 2 } else { 1 })
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, term)| term)
}
