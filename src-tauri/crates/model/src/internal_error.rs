//! Turns a panic into an error that can be shown, recorded and sent to the developers.
//!
//! A panic is contained where its damage ends: in the task of one connection, in one command of
//! the window, in one turn of the recorder's thread. What is caught there is only a payload; the
//! place in the source is known to the panic hook alone, so [`install_panic_hook`] keeps it for
//! the thread that panics.

use std::{
    any::Any,
    cell::RefCell,
    fmt,
    panic::{self, PanicHookInfo},
};

/// Beginnings of messages that the standard library writes. Their variable part is numbers, or
/// stands behind a colon.
const KNOWN_MESSAGES: [&str; 9] = [
    "called `Result::",
    "called `Option::",
    "index out of bounds",
    "range start index",
    "range end index",
    "slice index starts",
    "attempt to ",
    "already borrowed",
    "already mutably borrowed",
];

/// A panic: what it said, as far as that holds no values, and where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalError {
    message: String,
    /// File, line and column, where the hook is installed.
    location: Option<String>,
}

impl From<String> for InternalError {
    fn from(message: String) -> Self {
        Self {
            message,
            location: None,
        }
    }
}

thread_local! {
    static LATEST: RefCell<Option<InternalError>> = const { RefCell::new(None) };
}

impl InternalError {
    /// Describes a panic that was caught on the thread that calls.
    pub fn caught(payload: &(dyn Any + Send)) -> Self {
        LATEST
            .with_borrow_mut(Option::take)
            .unwrap_or_else(|| Self {
                message: message_of(payload),
                location: None,
            })
    }

    fn of_hook(information: &PanicHookInfo<'_>) -> Self {
        Self {
            message: message_of(information.payload()),
            location: information.location().map(ToString::to_string),
        }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.location {
            Some(location) => write!(formatter, " (at {location})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for InternalError {}

/// Replaces the panic hook of the process: `log` is told each panic, on the thread that panics.
/// The values in a panic's message are left out, since they may come from a server, a file or a
/// vault.
pub fn install_panic_hook(log: impl Fn(&InternalError) + Send + Sync + 'static) {
    panic::set_hook(Box::new(move |information| {
        let error = InternalError::of_hook(information);
        log(&error);
        LATEST.set(Some(error));
    }));
}

/// The words of a panic without values: a literal as it is, the fixed part of what the standard
/// library says, and nothing of other messages that were put together.
fn message_of(payload: &(dyn Any + Send)) -> String {
    if let Some(literal) = payload.downcast_ref::<&'static str>() {
        return (*literal).to_owned();
    }
    let formatted = payload.downcast_ref::<String>().map_or("", String::as_str);
    if KNOWN_MESSAGES
        .iter()
        .any(|known| formatted.starts_with(known))
    {
        let is_about_numbers = !formatted.starts_with("called");
        let fixed = match formatted.split_once(": ") {
            Some((fixed, _)) if !is_about_numbers => fixed,
            _ => formatted,
        };
        return fixed.lines().next().unwrap_or_default().to_owned();
    }
    "its message may hold values and is left out".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caught(panics: impl FnOnce() + panic::UnwindSafe) -> String {
        let payload = panic::catch_unwind(panics).expect_err("it panics");
        InternalError::caught(&*payload).to_string()
    }

    #[test]
    fn a_panic_is_told_without_the_values_in_its_message() {
        let secret = std::hint::black_box("hunter2");
        assert_eq!(caught(|| panic!("a literal")), "a literal");
        assert!(!caught(|| panic!("the token is {secret}")).contains(secret));
        let refused: Result<(), &str> = std::hint::black_box(Err(secret));
        let unwrapped = caught(move || refused.unwrap());
        assert!(unwrapped.contains("Result::unwrap"), "{unwrapped}");
        assert!(!unwrapped.contains(secret), "{unwrapped}");
        let empty: &[u8] = std::hint::black_box(&[]);
        let index = std::hint::black_box(3);
        assert!(caught(move || _ = empty[index]).contains("index is 3"));
    }
}
