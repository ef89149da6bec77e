//! The frontmatter of a `SKILL.md`, held against that of its entry.

use serde_json::Value;
use sightglass_area_core::view::FrontmatterField;
use sightglass_config::yaml_as_json;
use sightglass_model::Finding;
use sightglass_requests::{is_same, read_exact, shown};

use super::{
    entry::{MAX_FRONTMATTER_BYTES, beginning},
    rules::finding,
};

/// Fields that are compared.
const MAX_FIELDS: usize = 200;

/// Bytes of a field's value that are shown.
const MAX_SHOWN_BYTES: usize = 4_096;

/// A `SKILL.md`, in two parts.
pub(super) struct SkillMarkdown<'a> {
    /// YAML between the two lines of hyphens.
    pub frontmatter: &'a str,
    /// The text after them.
    pub instructions: &'a str,
}

/// Comparison of a `SKILL.md` with its entry.
#[derive(Default)]
pub(super) struct FrontmatterComparison {
    pub fields: Vec<FrontmatterField>,
    pub findings: Vec<Finding<()>>,
}

/// Parts a `SKILL.md`; nothing when it does not begin with frontmatter.
pub(super) fn parts(text: &str) -> Option<SkillMarkdown<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    let rest = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))?;
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end_matches(['\r', '\n']) == "---" {
            return Some(SkillMarkdown {
                frontmatter: &rest[..end],
                instructions: &rest[end + line.len()..],
            });
        }
        end += line.len();
    }
    None
}

/// Compares the frontmatter of a `SKILL.md` with that of its entry, JSON text, field by field.
pub(super) fn compare(declared: &str, skill_md: &str) -> FrontmatterComparison {
    let unreadable = |message: String| FrontmatterComparison {
        fields: Vec::new(),
        findings: vec![finding("frontmatter-form", message)],
    };
    let Some(parts) = parts(skill_md) else {
        return unreadable("SKILL.md does not begin with frontmatter.".to_owned());
    };
    if parts.frontmatter.len() > MAX_FRONTMATTER_BYTES {
        return unreadable(format!(
            "The frontmatter is longer than {MAX_FRONTMATTER_BYTES} bytes."
        ));
    }
    let found = yaml_as_json(parts.frontmatter)
        .and_then(|json| read_exact(&json).map_err(|error| error.to_string()));
    let found = match found {
        Ok(Value::Object(found)) => found,
        Ok(_) => return unreadable("The frontmatter is not a mapping.".to_owned()),
        Err(message) => return unreadable(format!("The frontmatter cannot be read: {message}")),
    };
    let Ok(Value::Object(declared)) = read_exact(declared) else {
        // The entry has that finding itself.
        return FrontmatterComparison::default();
    };
    let json = |value: &Value| beginning(&shown(value), MAX_SHOWN_BYTES).to_owned();
    let names = declared
        .keys()
        .chain(found.keys().filter(|name| !declared.contains_key(*name)));
    let mut comparison = FrontmatterComparison::default();
    for name in names.take(MAX_FIELDS) {
        let (sent, read) = (declared.get(name), found.get(name));
        let is_equal = match (sent, read) {
            (Some(sent), Some(read)) => is_same(sent, read),
            _ => false,
        };
        let shown_name = beginning(name, MAX_SHOWN_BYTES);
        if !is_equal {
            let message = match (sent, read) {
                (Some(_), None) => format!("SKILL.md has no {shown_name}."),
                (None, _) => format!("The entry has no {shown_name}."),
                _ => format!("{shown_name} differs."),
            };
            comparison
                .findings
                .push(finding("frontmatter-differs", message));
        }
        comparison.fields.push(FrontmatterField {
            name: shown_name.to_owned(),
            declared: sent.map(json),
            found: read.map(json),
            is_equal,
        });
    }
    if declared.len().max(found.len()) > MAX_FIELDS {
        let message = format!("Only {MAX_FIELDS} fields of the frontmatter are compared.");
        comparison.findings.push(finding("cut-short", message));
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differing(declared: &str, yaml: &str) -> Vec<String> {
        let comparison = compare(declared, &format!("---\n{yaml}---\n# Text\n"));
        let messages = comparison.findings.into_iter();
        messages.map(|finding| finding.words().to_owned()).collect()
    }

    #[test]
    fn fields_are_compared_by_what_they_mean() {
        let declared =
            r#"{"name":"a","metadata":{"version":"1.0","n":12345678901234567890},"license":null}"#;
        let yaml = "license: ~\nmetadata: {n: 12345678901234567890, version: \"1.0\"}\nname: a\n";
        assert_eq!(differing(declared, yaml), [""; 0]);
        let other = yaml.replace("67890,", "67891,");
        assert_eq!(differing(declared, &other), ["metadata differs."]);
        let number = yaml.replace("\"1.0\"", "1.0");
        assert_eq!(differing(declared, &number), ["metadata differs."]);
        assert_eq!(
            differing(r#"{"name":"a","b":1}"#, "name: a\nc: 2\n"),
            ["SKILL.md has no b.", "The entry has no c."]
        );
    }

    #[test]
    fn what_is_no_frontmatter_is_told() {
        for text in [
            "",
            "# Text",
            "--\nname: a\n",
            "---\nname: a\n",
            "---\n- a\n---\n",
            "---\na: *b\n---\n",
        ] {
            let findings = compare("{}", text).findings;
            assert_eq!(findings[0].rule, "frontmatter-form", "{text}");
        }
        let crlf = "---\r\nname: a\r\n---\r\nText";
        assert!(compare(r#"{"name":"a"}"#, crlf).findings.is_empty());
        let parts = parts(crlf).expect("parts");
        assert_eq!(parts.instructions, "Text");
    }
}
