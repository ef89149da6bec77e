//! Names of lent tools, prompts and resources, of which each leads to one server alone.
//!
//! `SERVER__NAME` is read up to the first `__`. The part of the server has none in it and does not
//! end in `_`, so that no name of one server can be taken for a name of another, however a server
//! calls its tools.

use std::collections::HashSet;

/// Stands between the part of the server and the name that the server uses.
pub const SEPARATOR: &str = "__";
/// The same in the address of a resource: the scheme begins with the part of the server.
const IN_ADDRESS: char = '+';
/// Characters of the part of a server. Many models take names of 64 characters at most.
const MAX_PART: usize = 24;

/// Names by which an agent reaches one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LentName {
    /// Part in front of its names.
    pub part: String,
}

/// Returns the part for each of these servers. Of several that would have the same, those that come
/// later have a number.
pub fn distinct(names: &[&str]) -> Vec<LentName> {
    let mut taken = HashSet::new();
    names
        .iter()
        .map(|name| {
            let part = name_part(name);
            let numbered = (2u32..).map(|number| format!("{part}-{number}"));
            let free = std::iter::once(part.clone())
                .chain(numbered)
                .find(|part| taken.insert(in_address(part)));
            LentName {
                part: free.unwrap_or(part),
            }
        })
        .collect()
}

/// Returns the name of a server as a part of other names: letters, digits, `-` and single `_`.
pub fn name_part(name: &str) -> String {
    let mut part = String::new();
    for character in name.chars() {
        let character = match character {
            '_' => '_',
            character if character.is_ascii_alphanumeric() => character,
            _ => '-',
        };
        if !(matches!(character, '_' | '-') && part.ends_with(['_', '-'])) {
            part.push(character);
        }
        if part.len() == MAX_PART {
            break;
        }
    }
    let part = part.trim_matches(['_', '-']);
    // A scheme begins with a letter (RFC 3986, section 3.1).
    match part.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => part.to_owned(),
        _ => format!("server-{part}").trim_matches('-').to_owned(),
    }
}

/// Returns a part as the begin of a scheme, which has no `_` and no upper case (RFC 3986, section
/// 3.1).
fn in_address(part: &str) -> String {
    part.replace('_', "-").to_ascii_lowercase()
}

impl LentName {
    /// Returns the name under which a tool or prompt of the server is lent.
    pub fn name(&self, name: &str) -> String {
        format!("{}{SEPARATOR}{name}", self.part)
    }

    /// Returns the name that the server uses; nothing for one of another server.
    pub fn name_at_server<'n>(&self, lent: &'n str) -> Option<&'n str> {
        let (part, name) = lent.split_once(SEPARATOR)?;
        (part == self.part).then_some(name)
    }

    /// Returns the address, or the template of addresses, under which a resource of the server is
    /// lent.
    pub fn address(&self, address: &str) -> String {
        format!("{}{IN_ADDRESS}{address}", in_address(&self.part))
    }

    /// Returns the address that the server uses; nothing for one of another server.
    pub fn address_at_server<'n>(&self, lent: &'n str) -> Option<&'n str> {
        let (part, address) = lent.split_once(IN_ADDRESS)?;
        part.eq_ignore_ascii_case(&in_address(&self.part))
            .then_some(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(names: &[&str]) -> Vec<String> {
        distinct(names).into_iter().map(|lent| lent.part).collect()
    }

    #[test]
    fn no_two_servers_have_the_same_part() {
        assert_eq!(parts(&["a", "a", "a-2"]), ["a", "a-2", "a-2-2"]);
        assert_eq!(parts(&["my_files", "my-files"]), ["my_files", "my-files-2"]);
        assert_eq!(parts(&["A", "a"]), ["A", "a-2"]);
        assert_eq!(parts(&["é", "漢", ""]), ["server", "server-2", "server-3"]);
    }

    #[test]
    fn a_part_cannot_reach_into_the_name_behind_it() {
        for name in ["a__b", "a___", "_a_", "a--b__c", "7", "a b/c"] {
            let part = name_part(name);
            assert!(!part.contains(SEPARATOR), "{name}: {part}");
            assert!(
                !part.ends_with('_') && !part.starts_with('_'),
                "{name}: {part}"
            );
        }
        let [a, other] = [&distinct(&["a", "a-b"])[0], &distinct(&["a", "a-b"])[1]];
        for tool in ["b__c", "__b", "_b", "c"] {
            let lent = a.name(tool);
            assert_eq!(a.name_at_server(&lent), Some(tool));
            assert_eq!(other.name_at_server(&lent), None);
        }
    }

    #[test]
    fn an_address_leads_back_to_its_server() {
        let lent = &distinct(&["My_Docs"])[0];
        let address = lent.address("file:///a+b/{path}");
        assert_eq!(address, "my-docs+file:///a+b/{path}");
        assert_eq!(lent.address_at_server(&address), Some("file:///a+b/{path}"));
        assert_eq!(lent.address_at_server("other+file:///a"), None);
    }
}
