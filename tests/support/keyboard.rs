//! A user at the keyboard of a display, for programs that are not ours.

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
