//! The real window of the application, driven over WebDriver.
//!
//! Parts of the window are [`Locator`] by role and accessible name. What is not there yet is
//! waited for, up to [`ELEMENT_TIMEOUT`].

pub mod accessibility;
mod directories;
mod display;
mod driver;
mod error;
mod locator;
pub mod notifications;
pub mod processes;
mod session_bus;
mod story;

use std::{path::Path, sync::Arc, time::Duration};

use fantoccini::{
    Client,
    actions::{InputSource, KeyAction, KeyActions},
    elements::{Element, ElementRef},
    error::{CmdError, ErrorStatus},
    wd::TimeoutConfiguration,
};
use serde_json::{Value, json};

pub use directories::Directories;
pub use driver::settle;
pub use error::WindowError;
pub use fantoccini::key::Key;
pub use locator::{Locator, button, option, region, tab};
pub use processes::Process;
pub use story::{Story, tell};

use crate::programs;
use driver::Driver;

/// Longer than anything takes on a busy machine; reaching it is a failure.
pub const ELEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Between two looks at the page.
const POLL_INTERVAL: Duration = Duration::from_millis(30);

/// Time limit for a script of a measurement.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(180);

/// The key by which an element travels (WebDriver, section 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Functions for scripts: `find(wanted)`, `findAll(wanted)`, `nameOf(element)`, `outline()`.
pub const FINDER: &str = include_str!("window/finder.js");

/// An open window. It, its application and every server of that end with this value.
pub struct AppWindow {
    client: Client,
    application: Process,
    // What the driver started ends with it, and only then can its directories go.
    _driver: Driver,
    directories: Arc<Directories>,
}

impl AppWindow {
    /// Opens the window on the project in `directories`, and waits until it has drawn itself.
    pub async fn open(directories: Arc<Directories>) -> Result<Self, WindowError> {
        let project = directories.project().display().to_string();
        Self::open_with(directories, &[project], &button("Add server")).await
    }

    /// Starts the application with these arguments, and waits until it shows `shown`.
    pub async fn open_with(
        directories: Arc<Directories>,
        arguments: &[String],
        shown: &Locator,
    ) -> Result<Self, WindowError> {
        let program = programs::own("sightglass");
        let driver = Driver::start(&directories).await?;
        let client = driver.open(&program, arguments).await?;
        let application = driver
            .application(&program)
            .ok_or(WindowError::NotRunning)?;
        let window = Self {
            client,
            application,
            directories,
            _driver: driver,
        };
        let limits = TimeoutConfiguration::new(Some(SCRIPT_TIMEOUT), Some(ELEMENT_TIMEOUT), None);
        window.client.update_timeouts(limits).await?;
        window.find(shown).await?;
        Ok(window)
    }

    pub fn directories(&self) -> &Directories {
        &self.directories
    }

    /// The application's own process.
    pub fn application(&self) -> &Process {
        &self.application
    }

    /// Every process of the application: itself, WebKit's, and the servers that it started.
    pub fn processes(&self) -> Vec<Process> {
        let mut all = vec![self.application.clone()];
        all.extend(processes::descendants(self.application.id));
        all
    }

    /// Closes the window as its title bar's button does, and waits for the end of the
    /// application.
    ///
    /// # Errors
    /// When it stays open.
    pub async fn close(self) -> Result<(), WindowError> {
        display::ask_to_close(self.directories.display(), self.application.id)?;
        gone(std::slice::from_ref(&self.application)).await
    }

    /// Ends the application without giving it a chance to clean up.
    pub async fn kill(self) -> Result<(), WindowError> {
        self.application.kill();
        gone(std::slice::from_ref(&self.application)).await
    }

    /// The part that is wanted, as soon as it is there.
    pub async fn find(&self, wanted: &Locator) -> Result<Element, WindowError> {
        self.eventually(&format!("{wanted} appearing"), async || {
            self.look(wanted).await
        })
        .await
    }

    /// Returns true when a part is there now.
    pub async fn has(&self, wanted: &Locator) -> Result<bool, WindowError> {
        Ok(self.look(wanted).await?.is_some())
    }

    /// Waits until a part is no longer there.
    ///
    /// # Errors
    /// When it stays.
    pub async fn is_gone(&self, wanted: &Locator) -> Result<(), WindowError> {
        self.eventually(&format!("{wanted} going away"), async || {
            Ok(self.look(wanted).await?.is_none().then_some(()))
        })
        .await
    }

    /// Clicks with the mouse, once the part stands still.
    ///
    /// # Errors
    /// When the part is not there, never stands still, or something always covers it.
    pub async fn click(&self, wanted: &Locator) -> Result<(), WindowError> {
        // A click at a part that is switched off does nothing, and no error says so.
        let is_enabled = "const part = find(arguments[0]); return !!part && \
                          !part.matches(':disabled, [aria-disabled=true]');";
        self.until(wanted, "switched on", is_enabled).await?;
        self.eventually(&format!("{wanted} standing still, uncovered"), async || {
            let script = "settle(arguments[0], arguments[arguments.length - 1]);";
            let settled = self.run_async(script, vec![json!(wanted)]).await?;
            Ok((settled == Value::Bool(true)).then_some(()))
        })
        .await?;
        self.act(wanted, "taking a click", Element::click).await
    }

    /// Replaces what stands in a text field.
    ///
    /// # Errors
    /// When there is no such field, or it keeps the focus or its text from a person who clicks it.
    pub async fn fill(&self, field: &Locator, text: &str) -> Result<(), WindowError> {
        self.click(field).await?;
        let is_focused = "return !!find(arguments[0])?.contains(document.activeElement);";
        self.until(field, "with the focus", is_focused).await?;
        self.press(&[Key::Control.into()], 'a').await?;
        // An editor that is no text field of HTML tells neither.
        let is_selected = "const part = find(arguments[0]); return typeof part.selectionStart !== \
                           'number' || part.selectionEnd - part.selectionStart === part.value.length;";
        self.until(field, "selected", is_selected).await?;
        self.press(&[], Key::Backspace.into()).await?;
        let is_empty = "return !find(arguments[0]).value;";
        self.until(field, "empty", is_empty).await?;
        let typing = async |element: &Element| element.send_keys(text).await;
        self.act(field, "taking text", typing).await
    }

    /// Presses a key while holding others.
    pub async fn press(&self, holding: &[char], key: char) -> Result<(), WindowError> {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in holding.iter().copied().chain([key]) {
            actions = actions.then(KeyAction::Down { value });
        }
        for value in [key].into_iter().chain(holding.iter().rev().copied()) {
            actions = actions.then(KeyAction::Up { value });
        }
        Ok(self.client.perform_actions(actions).await?)
    }

    /// The visible text of a part.
    pub async fn text(&self, wanted: &Locator) -> Result<String, WindowError> {
        self.eventually(&format!("the text of {wanted}"), async || {
            let script = "const part = find(arguments[0]); return part && part.innerText;";
            let text = self.run(script, vec![json!(wanted)]).await?;
            Ok(text.as_str().map(str::to_owned))
        })
        .await
    }

    /// Waits until a part shows a text.
    pub async fn shows(&self, wanted: &Locator, text: &str) -> Result<(), WindowError> {
        self.eventually(&format!("{wanted} showing {text:?}"), async || {
            let script = "return findAll(arguments[0]).some((part) => \
                          part.innerText.replace(/\\s+/g, ' ').includes(arguments[1]));";
            let shown = self.run(script, vec![json!(wanted), json!(text)]).await?;
            Ok((shown == Value::Bool(true)).then_some(()))
        })
        .await
    }

    /// The accessible names of everything that is wanted, in order.
    pub async fn names(&self, wanted: &Locator) -> Result<Vec<String>, WindowError> {
        let names = self
            .run(
                "return findAll(arguments[0]).map(nameOf);",
                vec![json!(wanted)],
            )
            .await?;
        serde_json::from_value(names.clone()).map_err(|_| WindowError::Answer(names))
    }

    /// Gives the window another size, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), WindowError> {
        self.resize_zoomed(width, height, 1).await
    }

    /// Gives the window another size, in CSS pixels of this zoom.
    pub async fn resize_zoomed(
        &self,
        width: u32,
        height: u32,
        zoom: u32,
    ) -> Result<(), WindowError> {
        self.client
            .set_window_size(width * zoom, height * zoom)
            .await?;
        self.eventually(&format!("a size of {width} × {height}"), async || {
            let size = self
                .run("return [innerWidth, innerHeight];", vec![])
                .await?;
            Ok((size == json!([width, height])).then_some(()))
        })
        .await
    }

    /// Runs a script that returns its answer, with the [`FINDER`]'s functions at hand.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Result<Value, WindowError> {
        Ok(self
            .client
            .execute(&format!("{FINDER}\n{script}"), arguments)
            .await?)
    }

    /// Runs a script that gives its answer to the last of its `arguments`, a function.
    pub async fn run_async(
        &self,
        script: &str,
        arguments: Vec<Value>,
    ) -> Result<Value, WindowError> {
        Ok(self
            .client
            .execute_async(&format!("{FINDER}\n{script}"), arguments)
            .await?)
    }

    /// Returns what the page offers, for the message of a failure.
    pub async fn outline(&self) -> Result<String, WindowError> {
        let outline = self.run("return outline();", vec![]).await?;
        outline
            .as_str()
            .map(str::to_owned)
            .ok_or(WindowError::Answer(outline))
    }

    /// Saves a picture of the window as PNG.
    pub fn screenshot(&self, path: &Path) -> Result<(), WindowError> {
        display::take_picture(self.directories.display(), self.application.id, path)
    }

    /// Asks again and again until there is an answer.
    pub async fn eventually<T>(
        &self,
        what: &str,
        ask: impl AsyncFn() -> Result<Option<T>, WindowError>,
    ) -> Result<T, WindowError> {
        let asking = async {
            loop {
                if let Some(answer) = ask().await? {
                    return Ok(answer);
                }
                if !self.application.is_running() {
                    return Err(WindowError::NotRunning);
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        tokio::time::timeout(ELEMENT_TIMEOUT, asking)
            .await
            .unwrap_or_else(|_| {
                Err(WindowError::Patience {
                    what: what.to_owned(),
                    patience: ELEMENT_TIMEOUT,
                })
            })
    }

    /// Waits until a script says `true` of a part.
    async fn until(&self, part: &Locator, what: &str, script: &str) -> Result<(), WindowError> {
        self.eventually(&format!("{part} {what}"), async || {
            let is_so = self.run(script, vec![json!(part)]).await?;
            Ok((is_so == Value::Bool(true)).then_some(()))
        })
        .await
    }

    /// Does something to a part as soon as it is there and takes it.
    async fn act(
        &self,
        wanted: &Locator,
        what: &str,
        action: impl AsyncFn(&Element) -> Result<(), CmdError>,
    ) -> Result<(), WindowError> {
        self.eventually(&format!("{wanted} {what}"), async || {
            let Some(element) = self.look(wanted).await? else {
                return Ok(None);
            };
            // The driver leaves a part that is cut off where it is, and its middle may be covered.
            let scroll = "const part = find(arguments[0]); if (!part) return; \
                          part.scrollIntoView({ block: 'nearest' }); aimAt(part);";
            self.run(scroll, vec![json!(wanted)]).await?;
            match action(&element).await {
                Ok(()) => Ok(Some(())),
                Err(error) if is_passing(&error) => Ok(None),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    async fn look(&self, wanted: &Locator) -> Result<Option<Element>, WindowError> {
        let script = "return find(arguments[0]);";
        let found = match self.run(script, vec![json!(wanted)]).await {
            // The page took the part away between finding it and telling of it.
            Err(WindowError::Command(error)) if error.is_stale_element_reference() => {
                return Ok(None);
            }
            found => found?,
        };
        Ok(found.get(ELEMENT).and_then(Value::as_str).map(|id| {
            Element::from_element_id(self.client.clone(), ElementRef::from(id.to_owned()))
        }))
    }
}

/// Waits until none of these processes runs.
///
/// # Errors
/// With those that do, when they never end.
pub async fn gone(processes: &[Process]) -> Result<(), WindowError> {
    let ending = async {
        while processes.iter().any(Process::is_running) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    tokio::time::timeout(ELEMENT_TIMEOUT, ending)
        .await
        .map_err(|_| {
            let left: Vec<String> = processes
                .iter()
                .filter(|process| process.is_running())
                .map(|process| format!("{} ({})", process.command_line, process.id))
                .collect();
            WindowError::Patience {
                what: format!("the end of {}", left.join(", ")),
                patience: ELEMENT_TIMEOUT,
            }
        })
}

/// Returns true for an error of the kind that goes away when the page has settled.
fn is_passing(error: &CmdError) -> bool {
    error.is_stale_element_reference()
        || error.is_element_not_interactable()
        || matches!(error, CmdError::Standard(error) if error.error == ErrorStatus::ElementClickIntercepted)
}
