//! Text conditions of a rule.

use regex::{Regex, RegexBuilder};

/// Bytes of a compiled regular expression.
const MAX_REGEX_BYTES: usize = 1 << 20;

/// Condition on the message of a question.
#[derive(Debug, Clone)]
pub(crate) enum MessagePattern {
    Contains(String),
    /// Runs in linear time.
    Matches(Regex),
}

impl MessagePattern {
    /// # Errors
    /// The reason, as a sentence.
    pub fn regex(text: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(text).size_limit(MAX_REGEX_BYTES).build();
        let regex = built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "This expression is too large.".to_owned(),
            error => {
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default();
                let reason = reason.trim_start_matches("error: ");
                format!("This is no regular expression: {reason}.")
            }
        })?;
        if regex.is_match("") {
            return Err(
                "This matches every message, also an empty one. Remove the line if that is meant."
                    .to_owned(),
            );
        }
        Ok(Self::Matches(regex))
    }

    pub fn matches(&self, message: &str) -> bool {
        match self {
            Self::Contains(part) => message.contains(part),
            Self::Matches(regex) => regex.is_match(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_that_would_blow_up_is_refused_or_stays_linear() {
        assert!(MessagePattern::regex("(a{1000}){1000}").is_err());
        let nested = MessagePattern::regex("^(a+)+$").expect("an expression");
        assert!(!nested.matches(&format!("{}!", "a".repeat(60_000))));
    }

    #[test]
    fn an_expression_for_every_message_is_refused() {
        for text in ["", ".*", "a?", "(x|)"] {
            assert!(MessagePattern::regex(text).is_err(), "{text}");
        }
    }
}
