//! Finds beginnings that the names of a list share.
//!
//! Only neighbours make a group: the server's order stays as it is.

use crate::ItemGroup;

/// The fewest items that make a group.
const MIN_GROUP: u32 = 3;

/// The fewest characters of a shared URI that are worth showing apart.
const MIN_PREFIX: usize = 4;

/// Characters after which the name of a group ends.
const SEPARATORS: [char; 4] = ['_', '-', '.', '/'];

/// Returns the groups of a list of names. One that would hold the whole list says nothing and is
/// left out.
pub(super) fn groups<'a>(names: impl Iterator<Item = &'a str>) -> Vec<ItemGroup> {
    let mut groups: Vec<ItemGroup> = Vec::new();
    let mut run: Option<(&str, u32)> = None;
    let mut total = 0;
    let mut end = |run: Option<(&str, u32)>, end: u32| {
        if let Some((prefix, first)) = run
            && end - first >= MIN_GROUP
        {
            groups.push(ItemGroup {
                prefix: prefix.to_owned(),
                first,
                count: end - first,
            });
        }
    };
    for (index, name) in (0..).zip(names) {
        let prefix = prefix_of(name);
        if run.map(|(prefix, _)| prefix) != prefix {
            end(run, index);
            run = prefix.map(|prefix| (prefix, index));
        }
        total = index + 1;
    }
    end(run, total);
    groups.retain(|group| group.count < total);
    groups
}

/// The beginning of a name with its first separator, where something follows it.
fn prefix_of(name: &str) -> Option<&str> {
    let (at, separator) = name
        .char_indices()
        .find(|(at, character)| *at > 0 && SEPARATORS.contains(character))?;
    let end = at + separator.len_utf8();
    (end < name.len()).then(|| &name[..end])
}

/// Returns the beginning that all URIs share, up to a `/` or `:`; empty where there is none.
pub(super) fn common_prefix<'a>(mut uris: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = uris.next() else {
        return "";
    };
    let mut shared = up_to_separator(first, first.len().saturating_sub(1));
    let mut others = 0;
    for uri in uris {
        if shared.is_empty() {
            return "";
        }
        shared = up_to_separator(shared, shared_length(shared, uri));
        others += 1;
    }
    let is_cut = shared.ends_with(":/");
    if others == 0 || is_cut || shared.chars().count() < MIN_PREFIX {
        return "";
    }
    shared
}

/// Bytes at the beginning of `other` that are as in `one`, but not all of it.
fn shared_length(one: &str, other: &str) -> usize {
    let alike = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    alike.min(other.len().saturating_sub(1))
}

fn up_to_separator(text: &str, length: usize) -> &str {
    let end = text.as_bytes()[..length]
        .iter()
        .rposition(|byte| matches!(byte, b'/' | b':'))
        .map_or(0, |at| at + 1);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<(String, u32, u32)> {
        groups(names.iter().copied())
            .into_iter()
            .map(|group| (group.prefix, group.first, group.count))
            .collect()
    }

    #[test]
    fn three_neighbours_that_begin_alike_are_a_group() {
        let names = [
            "echo", "schema_a", "schema_b", "schema_c", "sum", "git-x", "git-y", "fs.a", "fs.b",
            "fs.c", "fs.d",
        ];
        assert_eq!(
            found(&names),
            [("schema_".to_owned(), 1, 3), ("fs.".to_owned(), 7, 4)]
        );
    }

    #[test]
    fn a_group_of_everything_is_none() {
        assert_eq!(found(&["tool_1", "tool_2", "tool_3"]), []);
        assert_eq!(found(&[]), []);
    }

    #[test]
    fn a_separator_at_either_end_names_no_group() {
        assert_eq!(found(&["_a", "_b", "_c", "x"]), []);
        assert_eq!(found(&["a_", "a_", "a_", "x"]), []);
    }

    #[test]
    fn uris_share_whole_segments() {
        let shared = |uris: &[&'static str]| common_prefix(uris.iter().copied());
        assert_eq!(shared(&["demo://a/x", "demo://a/y"]), "demo://a/");
        assert_eq!(shared(&["demo://ax", "demo://ay", "demo://b"]), "demo://");
        assert_eq!(shared(&["demo://", "demo://b"]), "");
        assert_eq!(shared(&["demo://b/", "demo://"]), "");
        assert_eq!(shared(&["file:///a", "http://b"]), "");
        assert_eq!(shared(&["demo://only"]), "");
        assert_eq!(shared(&["a:é", "a:ê"]), "");
        assert_eq!(shared(&["test:é", "test:ê"]), "test:");
    }
}
