//! One story of the window, with a picture of where it went wrong.

use std::{panic::AssertUnwindSafe, path::PathBuf, sync::Arc};

use futures::FutureExt;

use super::{AppWindow, Directories, Locator, WindowError};
use crate::{programs, screen::Screen};

/// A story's directories, and the window while it is open.
pub struct Story {
    // Closed before its directories go, and before its display.
    window: Option<AppWindow>,
    pub directories: Arc<Directories>,
    // The windows of one display share the keyboard focus: stories beside each other have one each.
    _screen: Screen,
}

impl Story {
    /// Opens the window.
    pub async fn open(&mut self) -> Result<(), WindowError> {
        self.window = Some(AppWindow::open(self.directories.clone()).await?);
        Ok(())
    }

    /// Starts the application with these arguments, and waits until it shows `shown`.
    pub async fn open_with(
        &mut self,
        arguments: &[String],
        shown: &Locator,
    ) -> Result<(), WindowError> {
        let opening = AppWindow::open_with(self.directories.clone(), arguments, shown);
        self.window = Some(opening.await?);
        Ok(())
    }

    /// The open window.
    ///
    /// # Panics
    /// Before [`open`](Self::open) and after [`leave`](Self::leave).
    pub fn window(&self) -> &AppWindow {
        self.window
            .as_ref()
            .expect("the story has opened the window")
    }

    /// Gives the window out of hand, to close or to kill it.
    ///
    /// # Panics
    /// Before [`open`](Self::open).
    pub fn leave(&mut self) -> AppWindow {
        self.window.take().expect("the story has opened the window")
    }
}

/// Tells a story on a display of its own. When it fails, `tests/results/<name>.png` shows the
/// window at that moment, and `<name>.txt` says what it offered and what was logged.
///
/// # Panics
/// When the story fails.
pub async fn tell(name: &str, play: impl AsyncFnOnce(&mut Story) -> Result<(), WindowError>) {
    let screen = Screen::start(1920, 1200);
    let directories = Arc::new(Directories::new().expect("room for temporary directories"));
    directories.use_display(screen.name());
    let mut story = Story {
        directories,
        window: None,
        _screen: screen,
    };
    let ending = AssertUnwindSafe(play(&mut story)).catch_unwind().await;
    if matches!(ending, Ok(Ok(()))) {
        return;
    }
    let report = testify(name, &story).await;
    drop(story);
    match ending {
        Ok(Ok(())) => {}
        Ok(Err(error)) => panic!("{error}\n{report}"),
        Err(panic) => {
            eprintln!("{report}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// Saves what can be seen, and says where.
async fn testify(name: &str, story: &Story) -> String {
    let results: PathBuf = programs::repository().join("tests/results");
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let log = read(story.directories.log()) + &read(story.directories.browser_log());
    let Some(window) = &story.window else {
        return format!("The window was not open. It logged:\n{log}");
    };
    let picture = results.join(format!("{name}.png"));
    let saved = std::fs::create_dir_all(&results).map_err(WindowError::from);
    let taken = match saved.and_then(|()| window.screenshot(&picture)) {
        Ok(()) => format!("The window is shown in {}.", picture.display()),
        Err(error) => format!("There is no picture of the window: {error}."),
    };
    let outline = window
        .outline()
        .await
        .unwrap_or_else(|error| error.to_string());
    let text = results.join(format!("{name}.txt"));
    match std::fs::write(&text, format!("{outline}\n\nLog:\n{log}\n")) {
        Ok(()) => format!("{taken} What it offered is in {}.", text.display()),
        Err(error) => format!("{taken} It offered ({error}):\n{outline}"),
    }
}
