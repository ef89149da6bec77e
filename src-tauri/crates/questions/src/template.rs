//! `{{name}}` in the values of a rule.

/// Values that a text can refer to.
pub(crate) struct Values<'a> {
    pub server: &'a str,
    pub message: &'a str,
    pub field: Option<Field<'a>>,
}

/// A field of the form.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub name: &'a str,
    /// JSON text.
    pub default: Option<&'a str>,
}

/// The reference that yields a field's default as it is.
pub(crate) const DEFAULT: &str = "{{field.default}}";

/// Names that a text can refer to.
const OF_QUESTION: [&str; 2] = ["server", "message"];
const OF_FIELD: [&str; 2] = ["field.name", "field.default"];

/// Returns what is wrong with the references of a text, as a sentence.
pub(crate) fn problem(text: &str, has_field: bool) -> Option<String> {
    pieces(text).find_map(|piece| {
        let Piece::Reference(name) = piece else {
            return None;
        };
        let is_known = OF_QUESTION.contains(&name) || has_field && OF_FIELD.contains(&name);
        (!is_known).then(|| {
            let known: &[&str] = if has_field { &OF_FIELD } else { &[] };
            let known: Vec<String> = OF_QUESTION
                .iter()
                .chain(known)
                .map(|name| format!("{{{{{name}}}}}"))
                .collect();
            format!(
                "{{{{{name}}}}} is not known. There are {}.",
                known.join(", ")
            )
        })
    })
}

/// Fills a text in, once.
///
/// # Errors
/// The reason why a value is missing, as a sentence.
pub(crate) fn filled(text: &str, values: &Values<'_>) -> Result<String, String> {
    let mut filled = String::new();
    for piece in pieces(text) {
        match (piece, values.field) {
            (Piece::Text(text), _) => filled.push_str(text),
            (Piece::Reference("server"), _) => filled.push_str(values.server),
            (Piece::Reference("message"), _) => filled.push_str(values.message),
            (Piece::Reference("field.name"), Some(field)) => filled.push_str(field.name),
            (Piece::Reference("field.default"), Some(field)) => {
                let default = default_of(field)?;
                match serde_json::from_str::<String>(default) {
                    Ok(text) => filled.push_str(&text),
                    Err(_) => filled.push_str(default),
                }
            }
            (Piece::Reference(name), _) => return Err(format!("{{{{{name}}}}} is not known.")),
        }
    }
    Ok(filled)
}

/// The default of a field, as JSON text.
///
/// # Errors
/// That it has none, as a sentence.
pub(crate) fn default_of<'a>(field: Field<'a>) -> Result<&'a str, String> {
    let missing = || format!("The field {} has no default.", field.name);
    field.default.ok_or_else(missing)
}

enum Piece<'a> {
    Text(&'a str),
    Reference(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, after)) = rest
            .strip_prefix("{{")
            .and_then(|inner| inner.split_once("}}"))
        {
            rest = after;
            return Some(Piece::Reference(name.trim()));
        }
        // Braces that are never closed are text.
        let skipped = usize::from(rest.starts_with('{'));
        let end = rest[skipped..]
            .find("{{")
            .map_or(rest.len(), |at| at + skipped);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Text(piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_once() {
        let values = Values {
            server: "demo",
            message: "{{server}}",
            field: Some(Field {
                name: "age",
                default: Some("7"),
            }),
        };
        let fill = |text| filled(text, &values);
        assert_eq!(
            fill("{{server}}: {{message}} {{ field.name }}={{field.default}} {{x").as_deref(),
            Ok("demo: {{server}} age=7 {{x")
        );
        assert!(problem("{{secret.TOKEN}}", true).is_some());
        assert!(problem("{{field.name}}", false).is_some());
    }
}
