//! Masks what is exported, once more and more strictly than the record, and counts the places.
//!
//! The record masks what was known as a secret when it was recorded. By now more may be known; and
//! what is handed on to others is also masked by names and forms.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeMap};

use bytes::Bytes;
use serde_json::Value;
use sightglass_area_core::view::MaskedPlace;
use sightglass_model::brief;
use sightglass_secrets::{
    MASK, Redactor, is_secret_header, mask_header, mask_message, mask_url_parameters,
};
use sightglass_traffic::{
    ExchangeKind, ExchangeRow, RecordedExchange, RecordedFrame, RecordedHttp, RecordedText,
};

/// Places that are told apart. Their names are a stranger's.
const MAX_PLACES: usize = 100;
/// Characters of a place.
const MAX_PLACE_CHARACTERS: usize = 120;
/// Levels of a message that are looked at.
const MAX_DEPTH: usize = 64;

/// Masks texts and counts what it masked.
pub(super) struct Masking {
    redactor: Redactor,
    /// False when the texts of messages are left out.
    keeps_texts: bool,
    before: Places,
    now: Places,
}

/// Number of masked values in each place.
#[derive(Default)]
struct Places(BTreeMap<String, u32>);

impl Places {
    fn add(&mut self, place: String, count: u32) {
        if count == 0 {
            return;
        }
        let is_known = self.0.contains_key(&place);
        let place = match is_known || self.0.len() < MAX_PLACES {
            true => place,
            false => "other places".to_owned(),
        };
        let counted = self.0.entry(place).or_default();
        *counted = counted.saturating_add(count);
    }

    fn into_list(self) -> Vec<MaskedPlace> {
        let mut list: Vec<MaskedPlace> = self
            .0
            .into_iter()
            .map(|(place, count)| MaskedPlace { place, count })
            .collect();
        list.sort_by_key(|place| Reverse(place.count));
        list
    }
}

impl Masking {
    pub fn new(redactor: Redactor, keeps_texts: bool) -> Self {
        Self {
            redactor,
            keeps_texts,
            before: Places::default(),
            now: Places::default(),
        }
    }

    /// Returns the places masked before, and those masked now.
    pub fn into_places(self) -> (Vec<MaskedPlace>, Vec<MaskedPlace>) {
        (self.before.into_list(), self.now.into_list())
    }

    /// Masks a row and its texts.
    pub fn exchange(&mut self, exchange: RecordedExchange) -> RecordedExchange {
        let keeps_texts = self.keeps_texts;
        self.exchange_with(exchange, keeps_texts)
    }

    /// Masks a row and its texts, which the caller reads without writing them.
    pub fn exchange_to_read(&mut self, exchange: RecordedExchange) -> RecordedExchange {
        self.exchange_with(exchange, true)
    }

    fn exchange_with(&mut self, exchange: RecordedExchange, keeps_texts: bool) -> RecordedExchange {
        let row = self.row(exchange.row, keeps_texts);
        let of_http = matches!(row.kind, ExchangeKind::Http | ExchangeKind::Oauth);
        let mut text = |text: RecordedText, what: &str| match keeps_texts && !of_http {
            true => self.text(text, &format!("{} {what}", row.method)),
            false => RecordedText {
                payload: None,
                ..text
            },
        };
        let request = text(
            exchange.request,
            match row.kind {
                ExchangeKind::Request => "request",
                _ => "message",
            },
        );
        let response = exchange.response.map(|one| text(one, "response"));
        RecordedExchange {
            row,
            request,
            response,
        }
    }

    /// Masks what a row tells of its messages. The messages are counted, not this.
    fn row(&self, mut row: ExchangeRow, keeps_texts: bool) -> ExchangeRow {
        let holds_text = matches!(
            row.kind,
            ExchangeKind::Log
                | ExchangeKind::Stderr
                | ExchangeKind::Phase
                | ExchangeKind::Notification
        );
        if holds_text && !keeps_texts {
            row.target.clear();
        }
        row.bookmark = row.bookmark.filter(|_| keeps_texts);
        let texts = [&mut row.target, &mut row.method, &mut row.server];
        for text in texts.into_iter().chain(&mut row.bookmark) {
            if let Some(masked) = self.masked(text) {
                *text = masked;
            }
        }
        row
    }

    fn masked(&self, text: &str) -> Option<String> {
        let known = self.redactor.text(Cow::Borrowed(text));
        match mask_message(&known) {
            Some(masked) => Some(masked),
            None => (known != text).then(|| known.into_owned()),
        }
    }

    /// Masks a message.
    pub fn text(&mut self, text: RecordedText, place: &str) -> RecordedText {
        let payload = text
            .payload
            .filter(|_| self.keeps_texts)
            .map(|payload| self.payload(payload, place));
        RecordedText { payload, ..text }
    }

    /// Masks a frame.
    pub fn frame(&mut self, frame: RecordedFrame) -> RecordedFrame {
        let place = match (frame.kind, frame.method.is_empty()) {
            (ExchangeKind::Http | ExchangeKind::Oauth, _) => "HTTP request".to_owned(),
            (_, true) => "response".to_owned(),
            (_, false) => frame.method.clone(),
        };
        let of_http = matches!(frame.kind, ExchangeKind::Http | ExchangeKind::Oauth);
        let keeps = self.keeps_texts || of_http;
        let payload = frame
            .payload
            .filter(|_| keeps)
            .map(|payload| self.payload(payload, &place));
        let bookmark = frame
            .bookmark
            .filter(|_| self.keeps_texts)
            .map(|note| self.masked(&note).unwrap_or(note));
        RecordedFrame {
            payload,
            bookmark,
            ..frame
        }
    }

    fn payload(&mut self, payload: Bytes, place: &str) -> Bytes {
        let Ok(text) = std::str::from_utf8(&payload) else {
            return match self.redactor.bytes(&payload) {
                Some(masked) => {
                    self.now.add(format!("{place}: text"), 1);
                    masked.into()
                }
                None => payload,
            };
        };
        let masked = self.masked(text);
        let before = places_in(text, place);
        match masked {
            Some(masked) => {
                self.count(before, places_in(&masked, place));
                masked.into()
            }
            None => {
                self.count(before.clone(), before);
                payload
            }
        }
    }

    fn count(&mut self, before: BTreeMap<String, u32>, after: BTreeMap<String, u32>) {
        for (place, count) in after {
            let earlier = before.get(&place).copied().unwrap_or(0);
            self.now.add(place, count.saturating_sub(earlier));
        }
        for (place, count) in before {
            self.before.add(place, count);
        }
    }

    /// Masks an HTTP request.
    pub fn http(&mut self, mut http: RecordedHttp) -> RecordedHttp {
        let facts = &mut http.facts;
        let url = mask_url_parameters(&facts.url);
        self.value("URL".to_owned(), &mut facts.url, url);
        let headers = facts.request_headers.iter_mut();
        for (name, value) in headers.chain(&mut facts.response_headers) {
            // What a mask leaves of a secret is not to be masked once more.
            let masked = match is_secret_header(name) && value.contains(MASK) {
                true => value.clone(),
                false => mask_header(name, value),
            };
            let masked = match is_secret_header(name) {
                true => masked,
                false => self.masked(&masked).unwrap_or(masked),
            };
            self.value(format!("header {}", shortened(name)), value, masked);
        }
        if let Some(error) = &mut facts.error {
            let masked = self.masked(error).unwrap_or_else(|| error.clone());
            self.value("error of an HTTP request".to_owned(), error, masked);
        }
        for (place, body) in [
            ("body of a request", &mut http.request_body),
            ("body of a response", &mut http.response_body),
        ] {
            *body = body.take().filter(|_| self.keeps_texts).map(|body| {
                let masked = self.payload(Bytes::from(body), place);
                String::from_utf8_lossy(&masked).into_owned()
            });
        }
        http
    }

    fn value(&mut self, place: String, value: &mut String, masked: String) {
        let masked = self.redactor.text(Cow::Owned(masked)).into_owned();
        let (before, after) = (occurrences(value), occurrences(&masked));
        self.now.add(place.clone(), after.saturating_sub(before));
        self.before.add(place, before);
        *value = masked;
    }
}

fn occurrences(text: &str) -> u32 {
    u32::try_from(text.matches(MASK).count()).unwrap_or(u32::MAX)
}

fn shortened(text: &str) -> String {
    brief(text, MAX_PLACE_CHARACTERS).into_owned()
}

/// Returns the places of a text in which something is masked.
fn places_in(text: &str, what: &str) -> BTreeMap<String, u32> {
    let mut places = BTreeMap::new();
    if !text.contains(MASK) {
        return places;
    }
    let what = shortened(what);
    match serde_json::from_str::<Value>(text) {
        Ok(value) => walk(&value, &mut Vec::new(), &mut |path, count| {
            let path = shortened(&path.join("."));
            *places.entry(format!("{what}: {path}")).or_default() += count;
        }),
        Err(_) => {
            places.insert(format!("{what}: text"), occurrences(text));
        }
    }
    places
}

fn walk<'a>(value: &'a Value, path: &mut Vec<&'a str>, found: &mut impl FnMut(&[&str], u32)) {
    match value {
        Value::String(text) if text.contains(MASK) => found(path, occurrences(text)),
        Value::Array(elements) if path.len() < MAX_DEPTH => {
            path.push("*");
            elements
                .iter()
                .for_each(|element| walk(element, path, found));
            path.pop();
        }
        Value::Object(members) if path.len() < MAX_DEPTH => {
            for (name, member) in members {
                path.push(name);
                walk(member, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> (String, Vec<MaskedPlace>, Vec<MaskedPlace>) {
        let secret = sightglass_secrets::Secret::new("known-secret".to_owned());
        let mut masking = Masking::new(Redactor::new([secret]), true);
        let payload = masking.payload(Bytes::from(text.to_owned()), "tools/call request");
        let (before, now) = masking.into_places();
        (
            String::from_utf8(payload.to_vec()).expect("UTF-8"),
            before,
            now,
        )
    }

    #[test]
    fn what_is_masked_is_counted_by_its_place_and_time() {
        let text = format!(
            r#"{{"params":{{"a":"{MASK}","list":["known-secret","known-secret"],"password":"x"}}}}"#
        );
        let (text, before, now) = masked(&text);
        assert!(!text.contains("known-secret"), "{text}");
        let place = |place: &str, count| MaskedPlace {
            place: format!("tools/call request: {place}"),
            count,
        };
        assert_eq!(before, [place("params.a", 1)]);
        assert_eq!(
            now,
            [place("params.list.*", 2), place("params.password", 1)]
        );
    }

    #[test]
    fn names_of_places_are_bounded() {
        let members: Vec<String> = (0..1000)
            .map(|number| format!(r#""{number}{}":"{MASK}""#, "n".repeat(500)))
            .collect();
        let (_, before, _) = masked(&format!("{{{}}}", members.join(",")));
        assert!(before.len() <= MAX_PLACES + 1);
        assert!(before.iter().all(|place| place.place.len() < 200));
        assert_eq!(before.iter().map(|place| place.count).sum::<u32>(), 1000);
    }
}
