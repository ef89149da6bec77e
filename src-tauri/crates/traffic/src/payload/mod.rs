//! Pages through a payload as lines of text.

pub(crate) mod lines;
mod search;

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use sightglass_json_text::{unescaped, value_range};
use sightglass_model::lock;

use crate::{LinePage, PayloadForm, PayloadMatches, PayloadQuery, RecordError};
use lines::{LineLayout, Lines};
use search::search;

/// The most payloads that are cached,
const MAX_CACHED_PAYLOADS: usize = 4;

/// and the most bytes of them together.
const MAX_CACHED_BYTES: usize = 128 << 20;

/// Cache of payloads that were laid out in lines.
#[derive(Default)]
pub(crate) struct Payloads {
    /// The latest last.
    kept: Mutex<Vec<(PayloadQuery, Arc<Lines>)>>,
}

impl Payloads {
    /// Returns a page of a payload, which `load` reads when it is not here yet. Asks `stop` now and
    /// then whether to give up.
    pub fn page(
        &self,
        query: &PayloadQuery,
        first_line: u32,
        count: u32,
        stop: &dyn Fn() -> bool,
        load: impl FnOnce() -> Result<Bytes, RecordError>,
    ) -> Result<LinePage, RecordError> {
        let lines = self.laid_out(query, stop, load)?;
        let page = lines.page(first_line, count).into_iter();
        let (texts, numbers) = page.map(|line| (line.text, line.number)).unzip();
        Ok(LinePage {
            lines: texts,
            numbers,
            first_line,
            total_lines: lines.total_lines,
            total_size: lines.total_size.into(),
        })
    }

    /// Finds the places of a text in a payload, whatever its case.
    pub fn search(
        &self,
        query: &PayloadQuery,
        text: &str,
        stop: &dyn Fn() -> bool,
        load: impl FnOnce() -> Result<Bytes, RecordError>,
    ) -> Result<PayloadMatches, RecordError> {
        search(&*self.laid_out(query, stop, load)?, text, stop)
    }

    fn laid_out(
        &self,
        query: &PayloadQuery,
        stop: &dyn Fn() -> bool,
        load: impl FnOnce() -> Result<Bytes, RecordError>,
    ) -> Result<Arc<Lines>, RecordError> {
        Ok(match self.known(query) {
            Some(lines) => lines,
            None => self.keep(query, Lines::of_form(query, load()?, stop)?),
        })
    }

    /// Forgets everything, since the record was cleared.
    pub fn forget(&self) {
        lock(&self.kept).clear();
    }

    fn known(&self, query: &PayloadQuery) -> Option<Arc<Lines>> {
        let mut kept = lock(&self.kept);
        let index = kept.iter().position(|(known, _)| known == query)?;
        let known = kept.remove(index);
        let lines = known.1.clone();
        kept.push(known);
        Some(lines)
    }

    fn keep(&self, query: &PayloadQuery, lines: Lines) -> Arc<Lines> {
        let lines = Arc::new(lines);
        let mut kept = lock(&self.kept);
        kept.push((query.clone(), lines.clone()));
        let weight = |kept: &[(PayloadQuery, Arc<Lines>)]| -> usize {
            kept.iter().map(|(_, lines)| lines.weight()).sum()
        };
        while kept.len() > MAX_CACHED_PAYLOADS
            || (weight(&kept) > MAX_CACHED_BYTES && !kept.is_empty())
        {
            kept.remove(0);
        }
        lines
    }
}

impl Lines {
    fn of_form(
        query: &PayloadQuery,
        payload: Bytes,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, RecordError> {
        let lines = |text, layout| Lines::of(text, layout, stop).map_err(|_| RecordError::Closed);
        if query.pointer.is_empty() && query.form != PayloadForm::Text {
            return lines(payload, layout(query.form));
        }
        let range = value_range(&payload, &query.pointer)
            .ok_or_else(|| RecordError::NoSuchValue(query.pointer.clone()))?;
        let value = payload.slice(range);
        match query.form {
            PayloadForm::Text if value.starts_with(b"\"") => {
                lines(unescaped(&value).into(), LineLayout::Plain)
            }
            form => lines(value, layout(form)),
        }
    }
}

fn layout(form: PayloadForm) -> LineLayout {
    match form {
        PayloadForm::Pretty => LineLayout::Pretty,
        PayloadForm::Raw | PayloadForm::Text => LineLayout::Plain,
    }
}
