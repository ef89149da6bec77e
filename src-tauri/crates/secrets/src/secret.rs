//! A value that must never be shown, logged or recorded is kept in a [`Secret`]. It cannot
//! be serialised and prints masked, so that leaking one takes an explicit
//! [`Secret::expose`], which a reviewer can search for.

use std::fmt;

use serde::{Deserialize, Deserializer};
use specta::{Type, Types, datatype::DataType};

/// Stands in the place of a secret.
pub const MASK: &str = "•••";

/// A value that prints as `•••` and cannot be serialised.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself. Every call is a place where a secret leaves its wrapper.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

/// A secret comes in as its value, and never goes out.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self)
    }
}

impl<T: Type> Type for Secret<T> {
    fn definition(types: &mut Types) -> DataType {
        T::definition(types)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(MASK)
    }
}

impl<T> fmt::Display for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(MASK)
    }
}

/// The variable that holds the secret of a client out of the command line. It is for this
/// program alone: none that is started here inherits it.
pub const CLIENT_SECRET_VARIABLE: &str = "SIGHTGLASS_CLIENT_SECRET";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_prints_masked() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret} {secret:?}"), "••• •••");
        assert_eq!(secret.expose(), "hunter2");
    }
}
