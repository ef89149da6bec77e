//! Closes windows and takes their pictures, as a window manager and a camera do.

use std::{fs::File, io::BufWriter, path::Path};

use x11rb::{
    connection::Connection,
    errors::ReplyError,
    protocol::xproto::{
        Atom, AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, ImageFormat, MapState, Window,
    },
    rust_connection::RustConnection,
};

use super::WindowError;

/// Asks the window of a process to close, as its title bar's button does (ICCCM 4.2.8.1,
/// `WM_DELETE_WINDOW`).
pub(super) fn ask_to_close(display: Option<&str>, process: u32) -> Result<(), WindowError> {
    let (desk, window) = Desk::with_window_of(display, process)?;
    desk.close(window).map_err(unusable)
}

/// Saves what the window of a process shows, as PNG. WebKitWebDriver's own screenshots never
/// come back when there is no graphics card.
pub(super) fn take_picture(
    display: Option<&str>,
    process: u32,
    path: &Path,
) -> Result<(), WindowError> {
    let (desk, window) = Desk::with_window_of(display, process)?;
    let picture = desk.picture(window).map_err(unusable)?;
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.width.into(), picture.height.into());
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(unusable)?;
    writer.write_image_data(&picture.pixels).map_err(unusable)
}

fn unusable(error: impl std::fmt::Display) -> WindowError {
    WindowError::Display(error.to_string())
}

/// Red, green and blue of every pixel, from the top left.
struct Picture {
    width: u16,
    height: u16,
    pixels: Vec<u8>,
}

struct Desk {
    connection: RustConnection,
    root: Window,
    process_id: Atom,
    protocols: Atom,
    delete_window: Atom,
}

impl Desk {
    /// A display, the environment's without a name, and the one window of a process on it.
    fn with_window_of(display: Option<&str>, process: u32) -> Result<(Self, Window), WindowError> {
        let (connection, screen) = x11rb::connect(display).map_err(unusable)?;
        let root = connection.setup().roots[screen].root;
        let desk = Self::new(connection, root).map_err(unusable)?;
        let window = desk.window_of(process, root).map_err(unusable)?;
        Ok((desk, window.ok_or(WindowError::NoWindow(process))?))
    }

    fn new(connection: RustConnection, root: Window) -> Result<Self, ReplyError> {
        let atom = |name: &str| -> Result<Atom, ReplyError> {
            Ok(connection
                .intern_atom(false, name.as_bytes())?
                .reply()?
                .atom)
        };
        let (process_id, protocols, delete_window) = (
            atom("_NET_WM_PID")?,
            atom("WM_PROTOCOLS")?,
            atom("WM_DELETE_WINDOW")?,
        );
        Ok(Self {
            connection,
            root,
            process_id,
            protocols,
            delete_window,
        })
    }

    /// The window below `parent` that belongs to the process and can be asked to close. A
    /// window manager may have put it inside a frame of its own.
    fn window_of(&self, process: u32, parent: Window) -> Result<Option<Window>, ReplyError> {
        for child in self.connection.query_tree(parent)?.reply()?.children {
            if self.belongs_to(child, process)? && self.can_be_closed(child)? {
                return Ok(Some(child));
            }
            if let Some(window) = self.window_of(process, child)? {
                return Ok(Some(window));
            }
        }
        Ok(None)
    }

    fn belongs_to(&self, window: Window, process: u32) -> Result<bool, ReplyError> {
        let owner = self.values(window, self.process_id, AtomEnum::CARDINAL)?;
        Ok(owner.first() == Some(&process))
    }

    fn can_be_closed(&self, window: Window) -> Result<bool, ReplyError> {
        let mapped = self
            .connection
            .get_window_attributes(window)?
            .reply()?
            .map_state
            != MapState::UNMAPPED;
        let protocols = self.values(window, self.protocols, AtomEnum::ATOM)?;
        Ok(mapped && protocols.contains(&self.delete_window))
    }

    fn values(
        &self,
        window: Window,
        property: Atom,
        kind: AtomEnum,
    ) -> Result<Vec<u32>, ReplyError> {
        let reply = self
            .connection
            .get_property(false, window, property, kind, 0, 64)?
            .reply()?;
        Ok(reply.value32().into_iter().flatten().collect())
    }

    /// Returns the visible part of a window on the screen.
    fn picture(&self, window: Window) -> Result<Picture, ReplyError> {
        let screen = self.connection.get_geometry(self.root)?.reply()?;
        let size = self.connection.get_geometry(window)?.reply()?;
        let corner = self
            .connection
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        let (left, top) = (corner.dst_x.max(0), corner.dst_y.max(0));
        let width = size
            .width
            .min(screen.width.saturating_sub(left.unsigned_abs()));
        let height = size
            .height
            .min(screen.height.saturating_sub(top.unsigned_abs()));
        let image = self
            .connection
            .get_image(
                ImageFormat::Z_PIXMAP,
                self.root,
                left,
                top,
                width,
                height,
                !0,
            )?
            .reply()?;
        // A screen of 24 bits is sent as blue, green, red and a byte of padding.
        let pixels = image
            .data
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect();
        Ok(Picture {
            width,
            height,
            pixels,
        })
    }

    fn close(&self, window: Window) -> Result<(), ReplyError> {
        let message = ClientMessageEvent::new(
            32,
            window,
            self.protocols,
            [self.delete_window, x11rb::CURRENT_TIME, 0, 0, 0],
        );
        self.connection
            .send_event(false, window, EventMask::NO_EVENT, message)?
            .check()
    }
}
