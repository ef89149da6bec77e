//! What a window manager does when a person closes a window.

use x11rb::{
    connection::Connection,
    errors::ReplyError,
    protocol::xproto::{Atom, AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, Window},
    rust_connection::RustConnection,
};

use super::WindowError;

/// Asks the window of a process to close, as its title bar's button does (ICCCM 4.2.8.1,
/// `WM_DELETE_WINDOW`).
pub(super) fn ask_to_close(process: u32) -> Result<(), WindowError> {
    let display = |error: &dyn std::fmt::Display| WindowError::Display(error.to_string());
    let (connection, screen) = x11rb::connect(None).map_err(|error| display(&error))?;
    let root = connection.setup().roots[screen].root;
    let desk = Desk::new(connection).map_err(|error| display(&error))?;
    let window = desk
        .window_of(process, root)
        .map_err(|error| display(&error))?
        .ok_or(WindowError::NoWindow(process))?;
    desk.close(window).map_err(|error| display(&error))
}

struct Desk {
    connection: RustConnection,
    process_id: Atom,
    protocols: Atom,
    delete_window: Atom,
}

impl Desk {
    fn new(connection: RustConnection) -> Result<Self, ReplyError> {
        let atom = |name: &str| -> Result<Atom, ReplyError> {
            Ok(connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        let (process_id, protocols, delete_window) =
            (atom("_NET_WM_PID")?, atom("WM_PROTOCOLS")?, atom("WM_DELETE_WINDOW")?);
        Ok(Self { connection, process_id, protocols, delete_window })
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
        let mapped = self.connection.get_window_attributes(window)?.reply()?.map_state
            != x11rb::protocol::xproto::MapState::UNMAPPED;
        let protocols = self.values(window, self.protocols, AtomEnum::ATOM)?;
        Ok(mapped && protocols.contains(&self.delete_window))
    }

    fn values(&self, window: Window, property: Atom, kind: AtomEnum) -> Result<Vec<u32>, ReplyError> {
        let reply = self.connection.get_property(false, window, property, kind, 0, 64)?.reply()?;
        Ok(reply.value32().into_iter().flatten().collect())
    }

    fn close(&self, window: Window) -> Result<(), ReplyError> {
        let message = ClientMessageEvent::new(
            32,
            window,
            self.protocols,
            [self.delete_window, x11rb::CURRENT_TIME, 0, 0, 0],
        );
        self.connection.send_event(false, window, EventMask::NO_EVENT, message)?.check()
    }
}
