//! Host: the powers that areas need of the program around them.

use sightglass_connection::open_in_browser;

/// Program around an `Inspector`, with the powers that it needs of it.
pub trait Host: Send + Sync {
    /// Opens an address in the user's browser.
    ///
    /// # Errors
    /// When no browser could be started, in words.
    fn open_address(&self, address: &str) -> Result<(), String>;
}

/// A program without a window: `$BROWSER`, then what the platform opens addresses with.
pub struct Headless {
    browser: Option<String>,
}

impl Headless {
    /// `browser` is the value of `$BROWSER`.
    pub fn new(browser: Option<String>) -> Self {
        Self { browser }
    }
}

impl Host for Headless {
    fn open_address(&self, address: &str) -> Result<(), String> {
        open_in_browser(address, self.browser.as_deref())
    }
}
