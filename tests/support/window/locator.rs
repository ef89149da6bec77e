//! Saying which part of the window is meant: by role and accessible name, as a user who
//! cannot see it would.

use std::fmt;

use serde::Serialize;

/// A part of the window, by its role and its accessible name.
#[derive(Debug, Clone, Serialize)]
pub struct Locator {
    role: &'static str,
    name: Option<Name>,
    inside: Option<Box<Locator>>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    Is(String),
    StartsWith(String),
    Contains(String),
}

impl Locator {
    /// The first one with this role.
    pub fn role(role: &'static str) -> Self {
        Self {
            role,
            name: None,
            inside: None,
        }
    }

    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(Name::Is(name.into()));
        self
    }

    pub fn starting(mut self, beginning: impl Into<String>) -> Self {
        self.name = Some(Name::StartsWith(beginning.into()));
        self
    }

    pub fn containing(mut self, part: impl Into<String>) -> Self {
        self.name = Some(Name::Contains(part.into()));
        self
    }

    /// Only within another part.
    pub fn inside(mut self, outer: Locator) -> Self {
        self.inside = Some(Box::new(outer));
        self
    }

    /// Returns true for a part with this role and name, wherever it is.
    pub(super) fn fits(&self, role: &str, name: &str) -> bool {
        let is_named = match &self.name {
            Some(Name::Is(wanted)) => name == wanted,
            Some(Name::StartsWith(beginning)) => name.starts_with(beginning),
            Some(Name::Contains(part)) => name.contains(part),
            None => true,
        };
        self.role == role && is_named
    }

    /// The part that it is inside of, if that is said.
    pub(super) fn outer(&self) -> Option<&Locator> {
        self.inside.as_deref()
    }
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.role)?;
        match &self.name {
            Some(Name::Is(name)) => write!(f, " {name:?}")?,
            Some(Name::StartsWith(name)) => write!(f, " {name:?}…")?,
            Some(Name::Contains(name)) => write!(f, " …{name:?}…")?,
            None => {}
        }
        match &self.inside {
            Some(outer) => write!(f, " inside {outer}"),
            None => Ok(()),
        }
    }
}

/// A button with this name.
pub fn button(name: &str) -> Locator {
    Locator::role("button").named(name)
}

/// A tab whose name starts so: a count may follow.
pub fn tab(name: &str) -> Locator {
    Locator::role("tab").starting(name)
}

/// A server's row in the sidebar, or an entry's in any other list.
pub fn option(beginning: &str) -> Locator {
    Locator::role("option").starting(beginning)
}

/// A named part of the window.
pub fn region(name: &str) -> Locator {
    Locator::role("region").named(name)
}
