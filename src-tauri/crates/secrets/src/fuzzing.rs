//! Checks that `tests/fuzz` makes. Compiled by cargo-fuzz alone, which sets `cfg(fuzzing)`.

use std::borrow::Cow;

use crate::{MASK, Redactor, Secret, mask_url, mask_urls, url_secrets};

/// A secret is not in what is left of a text that held it, and masking it again changes
/// nothing. The first byte says how long the secret is.
pub fn redactor(input: &str) {
    let Some((length, rest)) = input.split_at_checked(1) else {
        return;
    };
    let length = usize::from(length.as_bytes()[0]) % 32;
    let (secret, text) = rest.split_at(rest.floor_char_boundary(length));
    let secret = secret.trim();
    if secret.len() < 8 || secret.contains('•') {
        return;
    }
    let redactor = Redactor::new([Secret::new(secret.to_owned())]);
    let quoted = serde_json::Value::from(secret).to_string();
    for spelt in [secret, &quoted[1..quoted.len() - 1]] {
        let text = format!("{text}{spelt}{text}");
        let masked = redactor.text(Cow::Borrowed(&text));
        assert!(masked.contains(MASK));
        assert!(!masked.contains(spelt));
    }
    mask_urls(text);
    mask_url(text);
    url_secrets(text);
}
