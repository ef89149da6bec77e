//! Hands the page its first picture as data, in the page itself.
//!
//! So it need not ask for it, and wait, before it can draw; and the window can be built before
//! there is anything to hand out.

use std::borrow::Cow;

use sightglass_inspector::view::Snapshot;
use tauri::http::{Response, header::CONTENT_TYPE};

/// Stands in `ui/index.html` where the snapshot belongs.
const PLACE: &str = "\"sightglass-snapshot\"";

/// Puts the snapshot into the page, and leaves its other files as they are. A page without one
/// asks for it.
pub(crate) fn put_snapshot(
    response: &mut Response<Cow<'static, [u8]>>,
    snapshot: impl FnOnce() -> Option<Snapshot>,
) {
    let kind = response.headers().get(CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        return;
    }
    let page = std::str::from_utf8(response.body())
        .ok()
        .and_then(|page| with_data(page, || data(&snapshot()?)));
    if let Some(page) = page {
        *response.body_mut() = Cow::Owned(page.into_bytes());
    }
}

fn data(snapshot: &Snapshot) -> Option<String> {
    serde_json::to_string(snapshot)
        .inspect_err(|error| tracing::warn!("the page has to ask for its snapshot: {error}"))
        .ok()
}

/// Puts JSON into the page; nothing where it has no place for it. No text in it means anything to
/// the language of the page.
fn with_data(page: &str, json: impl FnOnce() -> Option<String>) -> Option<String> {
    let (before, after) = page.split_once(PLACE)?;
    // Only strings have it.
    let json = json()?.replace('<', "\\u003c");
    Some(format!("{before}{json}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{PLACE, with_data};

    #[test]
    fn a_name_cannot_end_the_data_of_the_page() {
        let page = format!("<script type=\"application/json\">{PLACE}</script><p>");
        let json = || Some(r#"{"name":"</script><!--<script>"}"#.to_owned());
        let given = with_data(&page, json).expect("a place");
        assert_eq!(given.matches('<').count(), page.matches('<').count());
        let (_, given) = given.split_once('>').expect("a tag");
        let (data, _) = given.split_once('<').expect("an end tag");
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(data["name"], "</script><!--<script>");
    }

    #[test]
    fn the_page_of_the_window_has_a_place_for_its_snapshot() {
        let page = include_str!("../../ui/index.html");
        assert_eq!(page.matches(PLACE).count(), 1);
    }

    #[test]
    fn nothing_is_computed_for_a_page_without_a_place() {
        assert_eq!(with_data("<p>", || unreachable!("not asked for")), None);
    }
}
