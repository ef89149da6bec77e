//! The count of a text in o200k, the encoding of OpenAI's models since GPT-4o.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::number::count;

/// Longest text whose tokens are counted. A hostile text of one kind of character takes time that
/// grows faster than its length.
pub const MAX_COUNTED_BYTES: usize = 16 << 20;

/// Relation of a count to what a model counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Precision {
    /// The model has o200k.
    Exact,
    /// The model has another vocabulary, or it is not known.
    Estimate,
}

/// A count that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("The text is longer than {} MiB: its tokens are not counted.", MAX_COUNTED_BYTES >> 20)]
    TooLong,
    #[error("o200k is missing in this build.")]
    NoVocabulary,
}

/// Beginnings of the models that have o200k, by `MODEL_PREFIX_TO_ENCODING` and `MODEL_TO_ENCODING`
/// of `tiktoken/model.py` (<https://github.com/openai/tiktoken>). That of gpt-oss is o200k with more
/// special tokens, which no tool list has.
const O200K_MODELS: [&str; 9] = [
    "chatgpt-4o",
    "gpt-4.1",
    "gpt-4.5",
    "gpt-4o",
    "gpt-5",
    "gpt-oss",
    "o1",
    "o3",
    "o4-mini",
];

/// Tells whether counts are exact for a model. A provider before the name, as in
/// `openai/gpt-5`, is disregarded.
pub fn precision(model: &str) -> Precision {
    let name = model.rsplit('/').next().unwrap_or(model);
    let is_o200k = O200K_MODELS.iter().any(|known| {
        name.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', ':']))
    });
    if is_o200k {
        Precision::Exact
    } else {
        Precision::Estimate
    }
}

/// Counts the tokens of a text in o200k. Its vocabulary is loaded with the first text, which takes
/// a tenth of a second.
pub fn tokens_of(text: &str) -> Result<u32, TokenError> {
    if text.len() > MAX_COUNTED_BYTES {
        return Err(TokenError::TooLong);
    }
    let encoding = tiktoken::get_encoding("o200k_base").ok_or(TokenError::NoVocabulary)?;
    Ok(count(encoding.count(text)))
}

#[cfg(test)]
mod tests {
    use super::{MAX_COUNTED_BYTES, Precision, TokenError, precision, tokens_of};

    /// The last is of <https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken>.
    #[test]
    fn counts_are_those_of_the_published_encoding() {
        for (text, tokens) in PUBLISHED {
            assert_eq!(tokens_of(text), Ok(tokens), "{text}");
        }
    }

    const PUBLISHED: [(&str, u32); 3] = [("", 0), ("hello world", 2), ("tiktoken is great!", 6)];

    #[test]
    fn counts_are_exact_for_models_with_o200k() {
        for (model, expected) in [
            ("gpt-4o", Precision::Exact),
            ("gpt-4o-mini", Precision::Exact),
            ("gpt-5.2-codex", Precision::Exact),
            ("openai/gpt-5", Precision::Exact),
            ("gpt-oss:20b", Precision::Exact),
            ("o3-mini", Precision::Exact),
            ("gpt-4", Precision::Estimate),
            ("gpt-4-turbo", Precision::Estimate),
            ("claude-opus-4-6", Precision::Estimate),
            ("gemini-3-pro", Precision::Estimate),
            ("o10", Precision::Estimate),
            ("", Precision::Estimate),
        ] {
            assert_eq!(precision(model), expected, "{model}");
        }
    }

    #[test]
    fn a_text_beyond_the_limit_is_not_counted() {
        let text = "a".repeat(MAX_COUNTED_BYTES + 1);
        assert_eq!(tokens_of(&text), Err(TokenError::TooLong));
    }
}
