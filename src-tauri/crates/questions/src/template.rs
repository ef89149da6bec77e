//! `{{name}}` in the values of a rule.

use sightglass_requests::{TemplatePiece, template_pieces};

/// Values that a text can refer to.
pub(crate) struct TemplateValues<'a> {
    pub server: &'a str,
    pub message: &'a str,
    pub field: Option<TemplateField<'a>>,
}

/// A field of the form.
#[derive(Clone, Copy)]
pub(crate) struct TemplateField<'a> {
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
    template_pieces(text, Some).into_iter().find_map(|piece| {
        let TemplatePiece::Reference(name, _) = piece else {
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
pub(crate) fn filled(text: &str, values: &TemplateValues<'_>) -> Result<String, String> {
    let mut filled = String::new();
    for piece in template_pieces(text, Some) {
        match (piece, values.field) {
            (TemplatePiece::Text(text), _) => filled.push_str(text),
            (TemplatePiece::Reference("server", _), _) => filled.push_str(values.server),
            (TemplatePiece::Reference("message", _), _) => filled.push_str(values.message),
            (TemplatePiece::Reference("field.name", _), Some(field)) => filled.push_str(field.name),
            (TemplatePiece::Reference("field.default", _), Some(field)) => {
                let default = default_of(field)?;
                match serde_json::from_str::<String>(default) {
                    Ok(text) => filled.push_str(&text),
                    Err(_) => filled.push_str(default),
                }
            }
            (TemplatePiece::Reference(name, _), _) => {
                return Err(format!("{{{{{name}}}}} is not known."));
            }
        }
    }
    Ok(filled)
}

/// The default of a field, as JSON text.
///
/// # Errors
/// That it has none, as a sentence.
pub(crate) fn default_of<'a>(field: TemplateField<'a>) -> Result<&'a str, String> {
    let missing = || format!("The field {} has no default.", field.name);
    field.default.ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_once() {
        let values = TemplateValues {
            server: "demo",
            message: "{{server}}",
            field: Some(TemplateField {
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
