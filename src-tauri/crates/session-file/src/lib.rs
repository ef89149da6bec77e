//! Session files: recorded traffic as a file to hand on, and such a file read again.
//!
//! Values in, values out: nothing here connects, and nothing here is shown. What is written was
//! masked before it came here.
//!
//! ```text
//! checks                   what recorded traffic shows that the protocol does not allow
//! mock                     a recording that answers requests
//! replay                   requests of a recording to send again
//! ndjson_reader            the format of our own from a stranger, read line by line
//! ndjson                   the same, written
//! har otlp markdown html   the formats of others, written row by row
//! surface                  what a server showed of itself
//! exchanges                the requests of a recording with their answers
//! message                  messages of a recording, taken apart
//! text                     what the formats share
//! ```

pub mod checks;
mod exchanges;
mod har;
mod html;
mod markdown;
mod message;
pub mod mock;
mod ndjson;
mod ndjson_reader;
mod otlp;
pub mod replay;
#[cfg(test)]
mod sample;
mod surface;
mod text;

pub use har::{HarEntry, HarWriter};
pub use html::{HtmlWriter, MAX_PAGE_ROWS, PageHead};
pub use markdown::MarkdownReport;
pub use ndjson::{SessionServer, SessionWriter, VERSION};
pub use ndjson_reader::{
    MAX_LINE_BYTES, SessionEntry, SessionError, SessionHead, SessionReader, Unreadable,
};
pub use otlp::{OtlpWriter, Span, SpanOptions, Spans, rejected};
pub use surface::SurfaceBuilder;
