//! Name of a session.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Characters of a name after its `@`.
const MAX_NAME_LENGTH: usize = 64;

/// Name of a session, with the `@` before it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct SessionName(String);

impl SessionName {
    /// Reads a word; `None` for one that names no session.
    pub(crate) fn read(word: &str) -> Option<Self> {
        let name = word.strip_prefix('@')?;
        let is_name = !name.is_empty()
            && name.len() <= MAX_NAME_LENGTH
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || "._-".contains(one));
        is_name.then(|| Self(word.to_owned()))
    }

    /// Makes the name of the session that a shell of this process has for itself.
    pub(crate) fn of_shell() -> Self {
        Self(format!("@shell-{}", std::process::id()))
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_begins_with_its_sign() {
        for word in ["@a", "@files-2", "@a.b_c", &format!("@{}", "x".repeat(64))] {
            assert!(SessionName::read(word).is_some(), "{word}");
        }
        for word in [
            "a",
            "@",
            "@scope/package",
            "@a b",
            "@é",
            &format!("@{}", "x".repeat(65)),
        ] {
            assert!(SessionName::read(word).is_none(), "{word}");
        }
    }
}
