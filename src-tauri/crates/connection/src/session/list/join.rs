//! Joins the pages of a list into one result.

use bytes::Bytes;
use sightglass_json_text::{Members, object};

/// The result of the first page with the items of all pages in its array `member`, and
/// without `nextCursor`. Items and other members are the texts that the server sent; a single
/// page is its result as it came.
pub(crate) fn joined(pages: &[Bytes], member: &str) -> Option<String> {
    let results = pages.iter().map(|page| result(page));
    let results: Vec<&str> = results.collect::<Option<_>>()?;
    let (first, rest) = results.split_first()?;
    if rest.is_empty() {
        return Some((*first).to_owned());
    }
    let members = Members::parse(first).ok()?;
    let mut array = String::from("[");
    for result in &results {
        let items = Members::parse(result).ok()?.text(member)?;
        let items = items.strip_prefix('[')?.strip_suffix(']')?.trim();
        if array.len() > 1 && !items.is_empty() {
            array.push(',');
        }
        array.push_str(items);
    }
    array.push(']');
    let kept = members.iter().filter(|(name, _)| *name != "nextCursor");
    Some(object(kept.map(|(name, text)| {
        let text = if name == member { &array } else { text };
        (name, text)
    })))
}

/// The `result` of a response.
fn result(response: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(response).ok()?;
    Members::parse(text).ok()?.text("result")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(result: &'static str) -> Bytes {
        Bytes::from(format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#))
    }

    #[test]
    fn a_single_page_is_its_result_as_it_came() {
        let result = r#"{ "tools": [ {"name":"a", "x": 1.0} ] , "ttlMs": 5 }"#;
        assert_eq!(joined(&[page(result)], "tools").as_deref(), Some(result));
    }

    #[test]
    fn the_items_of_all_pages_are_joined_as_they_were_written() {
        let pages = [
            page(r#"{"tools":[ {"n": 12345678901234567890} ],"_meta":{"b":1},"nextCursor":"2"}"#),
            page(r#"{"tools":[],"nextCursor":"3"}"#),
            page(r#"{"tools":[{"a":1},{"b":2}],"_meta":{}}"#),
        ];
        assert_eq!(
            joined(&pages, "tools").as_deref(),
            Some(r#"{"tools":[{"n": 12345678901234567890},{"a":1},{"b":2}],"_meta":{"b":1}}"#)
        );
    }

    #[test]
    fn without_a_page_there_is_no_result() {
        assert_eq!(joined(&[], "tools"), None);
    }
}
