//! Reads the members of a JSON object as the texts they were written with.
//!
//! Keeps what typed deserialization would lose: unknown members, numbers of any size, the order of
//! members, and members that are repeated.

use std::{borrow::Cow, collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::scan::{skip_space, string_end, value_end};

/// The most names of which each is compared with each: sets of so few take longer.
const MAX_COMPARED: usize = 16;

/// The members of an object in their order, each as the text it was written with.
pub struct Members<'a>(Vec<(Cow<'a, str>, &'a str)>);

/// An element of a list as the text it was written with, and its members where it is an object.
pub struct Element<'a> {
    pub text: &'a str,
    pub members: Option<Members<'a>>,
}

/// A member's name, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(Cow<'de, str>, &'de str)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) =
                    map.next_entry::<Name<'de>, &'de RawValue>()?
                {
                    members.push((name, value.get()));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(InOrder).map(Members)
    }
}

impl<'a> Members<'a> {
    /// Reads an object.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Reads an object within a text that was parsed before, and the elements of the list that its
    /// member `list` is, all in one pass and without another check: what is inside may be of many
    /// megabytes. `None` for what is no object.
    pub fn with_list(text: &'a str, list: &str) -> Option<(Self, Option<Vec<Element<'a>>>)> {
        let bytes = text.as_bytes();
        let mut elements = None;
        let (members, _) = object_at(text, skip_space(bytes, 0), |name, at| {
            if name != list {
                return value_end(bytes, at).ok();
            }
            let (listed, end) = array_at(text, at).unzip();
            elements = listed;
            end.or_else(|| value_end(bytes, at).ok())
        })?;
        Some((members, elements))
    }

    /// The text of one member; of one that is there twice the last counts.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.iter()
            .rfind(|(member, _)| *member == name)
            .map(|(_, text)| text)
    }

    /// The same of a member that says something: `null` is as good as none.
    pub fn given(&self, name: &str) -> Option<&'a str> {
        self.text(name).filter(|text| *text != "null")
    }

    /// The names that are there more than once, in the order of their second time.
    pub fn repeated(&self) -> Vec<&str> {
        let is_repeated = |at: usize| {
            let (name, _) = &self.0[at];
            self.0[..at].iter().any(|(before, _)| before == name)
        };
        // Most objects have few members, none of them twice.
        if self.0.len() <= MAX_COMPARED && !(0..self.0.len()).any(is_repeated) {
            return Vec::new();
        }
        let (mut seen, mut told) = (HashSet::new(), HashSet::new());
        self.iter()
            .map(|(name, _)| name)
            .filter(|name| !seen.insert(*name) && told.insert(*name))
            .collect()
    }

    /// The names and texts of all members, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, text)| (&**name, *text))
    }

    /// One member that is a string, unescaped; `None` where another member could be taken for it. Of
    /// one that is there twice some readers take the first and others the last (RFC 8259, section
    /// 4), and some do not tell `Name` from `name`, such as `encoding/json` of Go.
    pub fn only_string(&self, name: &str) -> Option<String> {
        match self.count_alike(name) {
            1 => self.string(name),
            _ => None,
        }
    }

    /// Returns the number of members that some readers could take for this one.
    pub fn count_alike(&self, name: &str) -> usize {
        self.iter()
            .filter(|(member, _)| member.eq_ignore_ascii_case(name))
            .count()
    }

    /// One member that is a string, unescaped.
    pub fn string(&self, name: &str) -> Option<String> {
        self.text(name)
            .and_then(|text| serde_json::from_str(text).ok())
    }

    /// One member that is an object.
    pub fn object(&self, name: &str) -> Option<Self> {
        Self::parse(self.text(name)?).ok()
    }
}

impl<'a> Element<'a> {
    /// Reads a value that was read from a text that was parsed before.
    pub fn within(text: &'a str) -> Self {
        let plain = Self {
            text,
            members: None,
        };
        Self::at(text, 0).map_or(plain, |(element, _)| element)
    }

    /// Reads the value at `at`, and returns its end with it.
    fn at(text: &'a str, at: usize) -> Option<(Self, usize)> {
        let end_of = |at| value_end(text.as_bytes(), at).ok();
        let (members, end) = match object_at(text, at, |_, at| end_of(at)) {
            Some((members, end)) => (Some(members), end),
            None => (None, end_of(at)?),
        };
        let text = text.get(at..end)?;
        Some((Self { text, members }, end))
    }
}

/// Reads the object at `at`, and returns its end with it. `end_of` returns the end of the value of a
/// member.
fn object_at<'a>(
    text: &'a str,
    at: usize,
    mut end_of: impl FnMut(&str, usize) -> Option<usize>,
) -> Option<(Members<'a>, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut at = skip_space(bytes, at + 1);
    let mut members = Vec::new();
    while *bytes.get(at)? != b'}' {
        let end = string_end(bytes, at).ok()?;
        let Name(name) = serde_json::from_str(text.get(at..end)?).ok()?;
        let value = skip_space(bytes, skip_space(bytes, end) + 1);
        let end = end_of(&name, value)?;
        members.push((name, text.get(value..end)?));
        at = next_after(bytes, end);
    }
    Some((Members(members), at + 1))
}

/// Reads the array at `at`, and returns its end with it.
fn array_at(text: &str, at: usize) -> Option<(Vec<Element<'_>>, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let mut at = skip_space(bytes, at + 1);
    let mut elements = Vec::new();
    while *bytes.get(at)? != b']' {
        let (element, end) = Element::at(text, at)?;
        elements.push(element);
        at = next_after(bytes, end);
    }
    Some((elements, at + 1))
}

/// Returns the place of what follows after the value that ends at `at`, or of its container's end.
fn next_after(text: &[u8], at: usize) -> usize {
    let at = skip_space(text, at);
    match text.get(at) {
        Some(b',') => skip_space(text, at + 1),
        _ => at,
    }
}

/// Returns the elements of an array, as they were written; nothing for what is no array.
pub fn elements(text: &str) -> Option<Vec<&str>> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(elements.into_iter().map(RawValue::get).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_member_that_is_there_twice_the_last_counts_and_it_is_told() {
        let members =
            Members::parse(r#"{"a":1,"b":null,"\u0061":2.50,"b":3,"a":4}"#).expect("JSON");
        assert_eq!(members.text("a"), Some("4"));
        assert_eq!(members.repeated(), ["a", "b"]);
        assert_eq!(members.given("b"), Some("3"));
        let none = Members::parse(r#"{"b":null}"#).expect("JSON");
        assert_eq!((none.text("b"), none.given("b")), (Some("null"), None));
    }

    #[test]
    fn an_object_is_read_in_one_pass_with_the_list_in_it() {
        let text = r#" { "a" : "]}" ,"list":[ {"b":"x]}","c":[{}]} ,7,{"\u0062":1,"b":2 }, [1],
            {"\ud800":1} ] , "z":{"list":[0]}} "#;
        let (members, list) = Members::with_list(text, "list").expect("an object");
        let parsed = Members::parse(text).expect("JSON");
        assert!(members.iter().eq(parsed.iter()));
        let list = list.expect("a list");
        let texts: Vec<&str> = list.iter().map(|element| element.text).collect();
        assert_eq!(Some(texts), parsed.text("list").and_then(elements));
        for element in &list {
            let parsed = Members::parse(element.text).ok();
            let within = Element::within(element.text).members;
            for members in [&element.members, &within] {
                assert_eq!(members.is_some(), parsed.is_some(), "{}", element.text);
                let members = members.iter().flat_map(Members::iter);
                assert!(members.eq(parsed.iter().flat_map(Members::iter)));
            }
        }
    }

    #[test]
    fn of_lists_with_one_name_the_last_counts() {
        let list =
            |text| Members::with_list(text, "l").map(|(_, list)| list.map(|list| list.len()));
        assert_eq!(list(r#"{"l":[1,2],"l":[]}"#), Some(Some(0)));
        assert_eq!(list(r#"{"l":[1,2],"l":{"a":[]}}"#), Some(None));
        assert_eq!(list(r#"{"m":[1,2]}"#), Some(None));
        for none in ["[]", "7", "null", "", r#"{"l":[1"#, r#"{"l""#, r#"{"l":"#] {
            assert_eq!(list(none), None, "{none}");
        }
    }

    #[test]
    fn objects_and_arrays_inside_are_read_as_they_were_written() {
        let members =
            Members::parse(r#"{"a":{"b":1.50},"c":[1e400, "d"],"e":null}"#).expect("JSON");
        let inner = members.object("a").expect("an object");
        assert_eq!(inner.text("b"), Some("1.50"));
        let listed = members.text("c").and_then(elements);
        assert_eq!(listed, Some(vec!["1e400", "\"d\""]));
        for name in ["c", "e", "f"] {
            assert!(members.object(name).is_none(), "{name}");
        }
        assert_eq!(members.text("a").and_then(elements), None);
    }
}
