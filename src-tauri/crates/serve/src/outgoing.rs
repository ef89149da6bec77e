//! Prepares what goes out to an agent: secrets are masked first, what is too long is cut after.

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use sightglass_inspector::{Inspector, ServerId};
use sightglass_json_text::{Members, elements, object, quoted};
use sightglass_model::lock;
use sightglass_secrets::Redactor;

/// Characters of an answer of Sightglass's own tools, unless the user says otherwise.
pub const DEFAULT_MAX_CHARACTERS: usize = 20_000;

/// Masks and cuts what goes out.
pub struct Outgoing {
    inspector: Arc<Inspector>,
    /// Characters of an answer; the default of the own tools where absent.
    max_characters: Option<usize>,
    /// Number of times that more could be known as a secret.
    changes: AtomicU64,
    /// Made anew where that number went up.
    redactor: Mutex<Option<(u64, Redactor)>>,
}

impl Outgoing {
    pub fn new(inspector: Arc<Inspector>, max_characters: Option<usize>) -> Self {
        Self {
            inspector,
            max_characters,
            changes: AtomicU64::new(0),
            redactor: Mutex::default(),
        }
    }

    /// Notes that a server was connected or signed in to, so that more is known as a secret.
    pub fn secrets_changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a text with the secrets of all servers masked.
    pub fn masked<'a>(&self, text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        self.redactor().text(text.into())
    }

    /// Returns a text about a server, with what its record masks besides.
    pub fn masked_of(&self, server: &ServerId, text: &str) -> String {
        let of_server = self.inspector.core.connections.masked(server, text);
        let text = of_server.map_or(Cow::Borrowed(text), Cow::Owned);
        self.masked(text).into_owned()
    }

    fn redactor(&self) -> Redactor {
        let changes = self.changes.load(Ordering::Relaxed);
        let mut kept = lock(&self.redactor);
        if let Some((of, redactor)) = &*kept
            && *of == changes
        {
            return redactor.clone();
        }
        let redactor = Redactor::new(self.inspector.record.exports.known_secrets());
        *kept = Some((changes, redactor.clone()));
        redactor
    }

    /// Returns the answer of one of Sightglass's own tools, masked and then cut.
    pub fn own_answer(&self, text: &str) -> String {
        let masked = self.masked(text);
        let most = self.max_characters.unwrap_or(DEFAULT_MAX_CHARACTERS);
        cut(&masked, most)
    }

    /// Returns whether results of servers may be cut, so that they need not keep to a schema.
    pub fn cuts_results(&self) -> bool {
        self.max_characters.is_some()
    }

    /// Returns the result of a server's tool, masked; where it is too long with its texts alone, cut.
    pub fn lent_result(&self, result: &str) -> String {
        let masked = self.masked(result);
        match self.max_characters {
            Some(most) if masked.chars().count() > most => cut_result(&masked, most),
            _ => masked.into_owned(),
        }
    }
}

/// Returns the beginning of a text, and how much is left out.
pub fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let left = text[end..].chars().count();
    format!(
        "{}\n… {left} more characters. Ask for less at a time: a narrower filter, a smaller limit, \
         a byte range.",
        &text[..end]
    )
}

/// Returns a result of a tool with its texts alone, together of `most` characters.
fn cut_result(result: &str, most: usize) -> String {
    let Ok(members) = Members::parse(result) else {
        return result.to_owned();
    };
    let blocks = members.text("content").and_then(elements);
    let texts: Vec<String> = blocks
        .unwrap_or_default()
        .into_iter()
        .filter_map(|block| Members::parse(block).ok()?.string("text"))
        .collect();
    let whole = match texts.is_empty() {
        true => members
            .text("structuredContent")
            .unwrap_or(result)
            .to_owned(),
        false => texts.join("\n"),
    };
    let shown: String = whole.chars().take(most).collect();
    let left = result.chars().count().saturating_sub(most);
    let remark = format!(
        "… {left} more characters of this result were left out, since `--max-chars {most}` was set."
    );
    let block = |text: &str| object([("type", "\"text\""), ("text", &quoted(text))]);
    let content = format!("[{},{}]", block(&shown), block(&remark));
    let is_error = members.given("isError").unwrap_or("false");
    object([("content", content.as_str()), ("isError", is_error)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_says_how_much_is_left() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert!(cut("äöüß", 3).starts_with("äöü\n… 1 more characters."));
    }

    #[test]
    fn a_result_that_is_too_long_keeps_its_texts() {
        let result = r#"{"content":[{"type":"text","text":"abcdef"},{"type":"image","data":"AAAA"}],"structuredContent":{"a":1},"isError":true}"#;
        let cut = cut_result(result, 4);
        let value: serde_json::Value = serde_json::from_str(&cut).expect("JSON");
        assert_eq!(value["content"][0]["text"], "abcd");
        assert_eq!(value["isError"], true);
        assert!(value.get("structuredContent").is_none());
    }
}
