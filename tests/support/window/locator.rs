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
