//! A screen of its own, and a user at its keyboard, for programs that are not ours.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use x11rb::{
    connection::Connection,
    errors::ReplyError,
    protocol::{
        xproto::{
            ConnectionExt as _, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keysym, MapState,
            Window,
        },
        xtest::ConnectionExt as _,
    },
    rust_connection::RustConnection,
};

/// Keys are named as in `X11/keysymdef.h`; those of Latin letters are the letters themselves.
pub const RETURN: Keysym = 0xff0d;
pub const ESCAPE: Keysym = 0xff1b;

/// Windows that are not meant to be seen are smaller.
const MIN_WINDOW_SIZE: u16 = 50;

/// A display in memory, for as long as this value lives.
pub struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    /// Starts one on the first free number.
    ///
    /// # Panics
    /// When Xvfb is not installed.
    pub fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "800x600x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("piped"))
            .read_line(&mut number)
            .expect("a number");
        Self {
            server,
            name: format!(":{}", number.trim()),
        }
    }

    /// Value of `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Turns the keyboard to the one window on the screen, once there is one.
///
/// # Panics
/// When there is no screen.
pub fn focus_dialog() -> Option<()> {
    let (connection, root) = screen();
    let focused = || -> Result<Option<()>, ReplyError> {
        for window in connection.query_tree(root)?.reply()?.children {
            if is_seen(&connection, window)? {
                connection.set_input_focus(InputFocus::PARENT, window, 0u32)?;
                connection.get_input_focus()?.reply()?;
                return Ok(Some(()));
            }
        }
        Ok(None)
    };
    // It may go away while it is looked at.
    focused().unwrap_or_default()
}

fn is_seen(connection: &RustConnection, window: Window) -> Result<bool, ReplyError> {
    let attributes = connection.get_window_attributes(window)?.reply()?;
    let size = connection.get_geometry(window)?.reply()?;
    Ok(attributes.map_state == MapState::VIEWABLE && size.width > MIN_WINDOW_SIZE)
}

/// Types Latin letters in lower case.
///
/// # Panics
/// When there is no screen, or no such key.
pub fn types(text: &str) {
    for letter in text.chars() {
        presses(u32::from(letter));
    }
}

/// Presses a key and lets it go.
///
/// # Panics
/// When there is no screen, or no such key.
pub fn presses(key: Keysym) {
    let (connection, root) = screen();
    let code = code(&connection, key).expect("a keyboard");
    let code = code.expect("a key of the keyboard");
    for event in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
        connection
            .xtest_fake_input(event, code, 0, root, 0, 0, 0)
            .expect("sent");
    }
    connection
        .get_input_focus()
        .expect("sent")
        .reply()
        .expect("done");
}

/// The key of the keyboard on which it stands.
fn code(connection: &RustConnection, key: Keysym) -> Result<Option<u8>, ReplyError> {
    let (first, last) = (
        connection.setup().min_keycode,
        connection.setup().max_keycode,
    );
    let map = connection
        .get_keyboard_mapping(first, last - first + 1)?
        .reply()?;
    let per_key = usize::from(map.keysyms_per_keycode);
    let keys = map.keysyms.chunks(per_key);
    Ok((first..=last)
        .zip(keys)
        .find(|(_, symbols)| symbols.first() == Some(&key))
        .map(|(code, _)| code))
}

fn screen() -> (RustConnection, Window) {
    let (connection, number) = x11rb::connect(None).expect("a screen");
    let root = connection.setup().roots[number].root;
    (connection, root)
}
