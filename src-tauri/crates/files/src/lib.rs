//! Reads, replaces and locks files that another user may have prepared or may hold.
//!
//! A project's files come from a stranger, and the machine has other users. So a read never
//! blocks and is bounded ([`read`]), a replacement is whole or absent after a crash
//! ([`Replacement`]), a lock has a deadline and lies where no other user can take it
//! ([`FileLock`]), and the data directory is the owner's alone ([`create_private_directory`]). A path
//! lies in a folder however it is written ([`leads_into`]).
//!
//! ```text
//! replace      a file by another one, beside it first, then in its place
//! read         regular files alone, up to a limit
//! lock         FileLock: between processes, with a deadline
//! location     where a path lies
//! directory    directories that are the owner's alone, and that keep what was renamed in them
//! ```
//!
//! Modules use those below them.

mod directory;
mod location;
mod lock;
mod read;
mod replace;

pub use directory::{create_private_directory, sync_directory};
pub use location::{NamedFolder, is_same_file, is_within, leads_into};
pub use lock::{FileLock, LockError};
pub use read::{MAX_FILE_SIZE, ReadError, open_regular, read, read_at_most};
pub use replace::{Replacement, Visibility, replace, replace_if};
