//! Session files: recorded traffic as a file to hand on, and such a file read again.
//!
//! Values in, values out: nothing here connects, and nothing here is shown. What is written was
//! masked before it came here.
//!
//! ```text
//! har otlp markdown html   the formats of others, written row by row
//! text                     what they share
//! ```

mod har;
mod html;
mod markdown;
mod otlp;
#[cfg(test)]
mod sample;
mod text;

pub use har::{HarEntry, HarWriter};
pub use html::{HtmlWriter, MAX_PAGE_ROWS, PageHead};
pub use markdown::MarkdownReport;
pub use otlp::{OtlpWriter, Span, SpanOptions, Spans, rejected};
