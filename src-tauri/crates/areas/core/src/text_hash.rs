//! Hashes of texts, to tell whether one is still the same.

use sha2::{Digest, Sha256};

/// The SHA-256 of a text, in hexadecimal digits.
pub fn hash_of(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}
