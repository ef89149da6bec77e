//! Writes the fields of log events.

use sightglass_model::entirely_visible;
use tracing_subscriber::{
    field::MakeExt,
    fmt::{FormatFields, format::debug_fn},
};

/// Writes what may have come from a server without characters that begin a line or are not seen:
/// nobody else writes a line of the log.
pub fn log_fields() -> impl for<'writer> FormatFields<'writer> + Send + Sync + 'static {
    debug_fn(|writer, field, value| {
        let text = format!("{value:?}");
        let text = entirely_visible(&text);
        match field.name() {
            "message" => write!(writer, "{text}"),
            name => write!(writer, "{name}={text}"),
        }
    })
    .delimited(" ")
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(text)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_text_of_somebody_else_is_no_line_of_the_log() {
        let written = Written::default();
        let into = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(log_fields())
            .with_ansi(false)
            .with_writer(move || into.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(
                server = "a\u{2028}b",
                "refused: {}",
                "x\n2026 INFO forged\u{1b}[2J"
            );
        });
        let text = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("UTF-8");
        assert_eq!(text.lines().count(), 1, "{text:?}");
        assert!(text.contains(r"x\u{a}2026 INFO forged\u{1b}[2J"), "{text}");
        assert!(!text.contains('\u{2028}'), "{text:?}");
    }
}
