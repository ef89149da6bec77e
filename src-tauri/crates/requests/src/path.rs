//! JSONPaths (RFC 9535) whose work is bounded.
//!
//! A path comes from a file of a project and is applied to what a server answers. Each `..` after
//! another one, each list of selectors and each query in a filter multiplies the work, and it
//! cannot be stopped once it is begun. So it is counted before.

use serde_json::Value;
use serde_json_path::JsonPath;

/// Length of a path, in bytes.
const MAX_BYTES: usize = 1000;

/// Levels of brackets and parentheses: each is a level of the reader's stack.
const MAX_NESTING: usize = 8;

/// Values that one query visits or copies.
const MAX_VISITS: u64 = 10_000_000;

/// A JSONPath with its text.
#[derive(Debug, Clone)]
pub struct Path {
    pub(crate) text: String,
    path: JsonPath,
    shape: PathShape,
}

impl Path {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!(
                "This JSONPath is longer than {MAX_BYTES} bytes. Write a shorter one."
            ));
        }
        let shape = PathShape::of(text);
        if shape.nesting > MAX_NESTING {
            return Err(format!(
                "This JSONPath has more than {MAX_NESTING} levels of brackets. Write a flatter one."
            ));
        }
        let path = JsonPath::parse(text).map_err(|error| {
            format!(
                "{text} is not a JSONPath (RFC 9535): at character {}, {}.",
                error.position(),
                error.message().trim_end_matches('.')
            )
        })?;
        Ok(Self {
            text: text.to_owned(),
            path,
            shape,
        })
    }

    /// Returns the value that the path stands for: that of its one place, or the list of all that
    /// it selects where it can select several (RFC 9535, section 2.3.5.1).
    ///
    /// # Errors
    /// When the path would visit too much of a value of this size, as a sentence.
    pub(crate) fn value(&self, within: &Value) -> Result<Option<Value>, String> {
        self.afford(within)?;
        let nodes = self.path.query(within);
        if self.shape.is_singular {
            return Ok(nodes.first().cloned());
        }
        let all = || nodes.iter().map(|node| (*node).clone()).collect();
        Ok((!nodes.is_empty()).then(all))
    }

    /// Returns JSON pointers (RFC 6901) to the places that the path selects.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub(crate) fn places(&self, within: &Value) -> Result<Vec<String>, String> {
        self.afford(within)?;
        let nodes = self.path.query_located(within);
        Ok(nodes
            .iter()
            .map(|node| node.location().to_json_pointer())
            .collect())
    }

    fn afford(&self, within: &Value) -> Result<(), String> {
        if self.shape.is_singular {
            return Ok(());
        }
        let (values, depth) = size(within);
        match self.shape.visits(values, depth) <= MAX_VISITS {
            true => Ok(()),
            false => Err(format!(
                "{} would visit too many places of an answer with {values} values. Write a more \
                 exact path.",
                self.text
            )),
        }
    }
}

/// Steps that multiply the work of a path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct PathShape {
    /// True where it selects one place at most.
    is_singular: bool,
    /// Number of `..` outside of filters, and of all that selects several values in them.
    descents: u32,
    /// Product of the numbers of selectors in the brackets.
    selectors: u64,
    /// Number of queries from the root in filters.
    root_queries: u32,
    nesting: usize,
}

impl PathShape {
    fn of(text: &str) -> Self {
        let mut shape = Self {
            is_singular: true,
            selectors: 1,
            ..Self::default()
        };
        let mut quote = None;
        let mut before = '\0';
        let mut open = 0_usize;
        // The brackets that are open where the outermost filter begins.
        let mut filter: Option<usize> = None;
        let mut commas = 0_u64;
        for character in text.chars() {
            match (quote, character) {
                (Some(end), close) if end == close && before != '\\' => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(character),
                (None, '[' | '(') => {
                    open += 1;
                    shape.nesting = shape.nesting.max(open);
                }
                (None, ']' | ')') => {
                    if filter == Some(open) {
                        filter = None;
                    }
                    open = open.saturating_sub(1);
                    if open == 0 {
                        shape.selectors = shape.selectors.saturating_mul(commas + 1);
                        commas = 0;
                    }
                }
                (None, ',') => {
                    shape.is_singular = false;
                    commas += 1;
                }
                (None, '?') => {
                    shape.is_singular = false;
                    match filter {
                        Some(_) => shape.descents += 1,
                        None => filter = Some(open),
                    }
                }
                (None, '*' | ':') => {
                    shape.is_singular = false;
                    shape.descents += u32::from(filter.is_some());
                }
                (None, '.') if before == '.' => {
                    shape.is_singular = false;
                    shape.descents += 1;
                }
                (None, '$') => shape.root_queries += u32::from(filter.is_some()),
                (None, _) => {}
            }
            // An escaped backslash escapes nothing.
            before = if before == '\\' { '\0' } else { character };
        }
        shape
    }

    /// Bounds the visits in a value of this many values and levels.
    fn visits(&self, values: u64, depth: u64) -> u64 {
        let all = depth
            .saturating_pow(self.descents)
            .saturating_mul(self.selectors);
        values
            .saturating_pow(self.root_queries.saturating_add(1))
            .saturating_mul(all)
    }
}

/// The number of values in a value, and of its levels.
fn size(value: &Value) -> (u64, u64) {
    let mut values = 0;
    let mut depth = 0;
    let mut unseen = vec![(value, 1_u64)];
    while let Some((value, level)) = unseen.pop() {
        values += 1;
        depth = depth.max(level);
        match value {
            Value::Array(items) => unseen.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => {
                unseen.extend(members.values().map(|member| (member, level + 1)));
            }
            _ => {}
        }
    }
    (values, depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(path: &str, within: &Value) -> Result<Option<Value>, String> {
        Path::parse(path).expect(path).value(within)
    }

    #[test]
    fn a_path_of_one_place_is_its_value_and_any_other_a_list() {
        let within = serde_json::json!({"items": [{"id": 1}], "a,b": 2, "x]": 3});
        for (path, expected) in [
            ("$.items[0].id", Some(1.into())),
            ("$.items[*].id", Some(serde_json::json!([1]))),
            ("$..id", Some(serde_json::json!([1]))),
            ("$.items[?@.id == 1].id", Some(serde_json::json!([1]))),
            ("$['a,b']", Some(2.into())),
            ("$['x]']", Some(3.into())),
            ("$.none", None),
        ] {
            assert_eq!(value(path, &within), Ok(expected), "{path}");
        }
    }

    #[test]
    fn a_path_that_would_never_end_is_refused() {
        let mut deep = Value::Null;
        for _ in 0..120 {
            deep = serde_json::json!({"a": deep, "b": 1});
        }
        let wide: Value = (0..20_000)
            .map(|id| serde_json::json!({"id": id}))
            .collect();
        for (path, within) in [
            ("$..*..*..*..*..*..*", &deep),
            (&format!("${}", "[*,*]".repeat(100)), &deep),
            ("$[?$..*]", &wide),
            ("$[?count($[*]) > 1]", &wide),
            ("$..*[?@..*[?@..*[?@..*]]]", &deep),
        ] {
            let refused = value(path, within).expect_err(path);
            assert!(refused.contains("too many places"), "{refused}");
        }
        for (path, within) in [
            ("$..a", &deep),
            ("$[*].id", &wide),
            ("$..id", &wide),
            ("$[?@.id > 19998].id", &wide),
        ] {
            assert!(matches!(value(path, within), Ok(Some(_))), "{path}");
        }
    }

    #[test]
    fn a_path_that_the_reader_would_drown_in_is_refused() {
        for path in [
            format!("$[?{}@.a{}]", "(".repeat(400), ")".repeat(400)),
            format!("$[?{}@.a]", "!(".repeat(20)),
            format!("$[?@{}", "[?@".repeat(20)),
            format!("$.{}", "a".repeat(2000)),
        ] {
            assert!(Path::parse(&path).is_err(), "{path}");
        }
        let nested = format!("$[?{}@.a{}]", "(".repeat(7), ")".repeat(7));
        assert!(Path::parse(&nested).is_ok(), "{nested}");
    }
}
