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

/// The most names of which each is compared with each: sets of so few take longer.
const MAX_COMPARED: usize = 16;

/// The members of an object in their order, each as the text it was written with.
pub struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// A member's name, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
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
        self.0.iter().map(|(name, raw)| (&**name, raw.get()))
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
