//! URIs of skills and of their files. They are compared as texts; nothing in them is ever resolved.

use percent_encoding::percent_decode_str;

const SKILL_MD: &str = "/SKILL.md";

/// Returns the URI of a skill's directory, of that of its `SKILL.md`.
pub(super) fn root_of(uri: &str) -> Option<&str> {
    let root = uri.strip_suffix(SKILL_MD)?;
    let (scheme, path) = root.split_once("://")?;
    let is_plain = !scheme.is_empty() && !uri.contains(['?', '#', '\\']) && are_plain(path);
    is_plain.then_some(root)
}

/// Returns the last segment of a directory, decoded.
pub(super) fn name_of(root: &str) -> String {
    let last = root.rsplit('/').next().unwrap_or_default();
    percent_decode_str(last).decode_utf8_lossy().into_owned()
}

/// Returns the first segment, in the place of a URI's authority.
pub(super) fn authority_of(root: &str) -> &str {
    let path = root.split_once("://").map_or(root, |(_, path)| path);
    path.split('/').next().unwrap_or_default()
}

/// Returns whether a segment is a registered name (RFC 3986, section 3.2.2), without a user or a
/// port.
pub(super) fn is_registered_name(segment: &str) -> bool {
    segment
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%".contains(&byte))
}

/// Returns the path of a file in a directory; nothing when it is not inside, or its path is one
/// that leads elsewhere.
pub(super) fn path_in<'a>(root: &str, file: &'a str) -> Option<&'a str> {
    let path = file.strip_prefix(root)?.strip_prefix('/')?;
    let is_plain = !path.contains(['?', '#', '\\']) && are_plain(path);
    is_plain.then_some(path)
}

/// Returns true when no segment is empty, names the directory itself or the one above it, or hides
/// a separator.
fn are_plain(path: &str) -> bool {
    path.split('/').all(|segment| {
        let decoded = percent_decode_str(segment).decode_utf8();
        decoded.is_ok_and(|decoded| {
            !decoded.is_empty()
                && decoded != "."
                && decoded != ".."
                && !decoded.contains(['/', '\\'])
                && !decoded.chars().any(char::is_control)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_leads_out_of_its_directory() {
        let root = root_of("skill://acme/billing/refunds/SKILL.md").expect("a root");
        assert_eq!(name_of(root), "refunds");
        assert_eq!(authority_of(root), "acme");
        let inside = |path: &str| path_in(root, &format!("{root}/{path}")).is_some();
        assert!(inside("SKILL.md") && inside("templates/a%20b.md") && inside("a..b/...c"));
        for outside in [
            "../other/SKILL.md",
            "a/../../b",
            "%2e%2e/b",
            "a/%2E%2e/%2e./b",
            "a//b",
            "a/./b",
            "a%2f..%2fb",
            "a\\..\\b",
            "a%5c..",
            "a%00b",
            "%ff",
            "a?b",
            "a#b",
            "",
            "a/",
        ] {
            assert!(!inside(outside), "{outside}");
        }
        assert_eq!(path_in(root, "skill://acme/billing/refunds-2/x"), None);
        assert_eq!(path_in(root, "file:///etc/passwd"), None);
    }

    #[test]
    fn a_skill_is_where_its_skill_md_is() {
        for wrong in [
            "skill://a/skill.md",
            "skill://a",
            "SKILL.md",
            "skill:///SKILL.md",
            "skill://a/../b/SKILL.md",
            "skill://a/SKILL.md?x",
            "://a/SKILL.md",
        ] {
            assert_eq!(root_of(wrong), None, "{wrong}");
        }
        assert!(!is_registered_name("user@host") && !is_registered_name("host:80"));
        assert!(is_registered_name("git-workflow") && is_registered_name("example.com"));
    }
}
