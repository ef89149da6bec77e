//! Searches the record for the rows that match a query, incrementally.
//!
//! A search begins at the newest row and goes back, block by block, in slices of time. Its
//! matches are kept; rows are checked as they come, and again when they change. So a query
//! that is repeated costs what is new.

mod name_matches;
mod scan;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender},
    },
    time::{Duration, Instant},
};

use roaring::RoaringBitmap;
use sightglass_model::{ServerId, lock};

use crate::{
    ExchangeKind, FilterProblem, RecordError, TrafficQuery,
    filter::{CompiledFilter, TextMatches},
    query::view::View,
    queue::SharedRecord,
    store::StoreReader,
};
use name_matches::NameMatches;
use scan::{Scan, ScanPosition};

/// The most searches that are remembered.
const MAX_SEARCHES: usize = 6;

/// The background thread works on a search for this long before it publishes the progress.
const BACKGROUND_SLICE: Duration = Duration::from_millis(30);

/// A search without a query for this long is paused until the next one.
const ABANDONED_SEARCH_TIMEOUT: Duration = Duration::from_secs(3);

/// Key by which two queries are the same search.
#[derive(Debug, PartialEq, Eq)]
struct SearchKey {
    filter: String,
    kinds: Vec<ExchangeKind>,
    invert: bool,
    server: Option<ServerId>,
    tool: Option<String>,
    project: Option<Arc<str>>,
    quiet: bool,
    without_checks: bool,
}

impl SearchKey {
    fn of(query: &TrafficQuery, project: Option<&Arc<str>>) -> Self {
        Self {
            filter: query.filter.clone(),
            kinds: query.kinds.clone(),
            invert: query.invert,
            server: query.server.clone(),
            tool: query.tool.clone(),
            project: project.filter(|_| query.server.is_some()).cloned(),
            quiet: query.quiet,
            without_checks: query.without_checks,
        }
    }
}

/// One search and what it found.
pub(crate) struct Search {
    key: SearchKey,
    filter: CompiledFilter,
    pub problem: Option<FilterProblem>,
    progress: Mutex<SearchProgress>,
    asked: Mutex<Instant>,
    in_background: AtomicBool,
}

#[derive(Default)]
pub(crate) struct SearchProgress {
    matches: RoaringBitmap,
    position: Option<ScanPosition>,
    /// Matches in responses whose requests are older than what was looked at.
    carried: HashMap<u32, TextMatches>,
    /// True when everything was looked at, up to the newest row.
    pub complete: bool,
}

impl SearchProgress {
    /// The rows that match, as far as is known.
    pub fn matches(&self) -> &RoaringBitmap {
        &self.matches
    }

    /// Returns the number of rows up to `last` that match.
    pub fn count_until(&self, last: u32) -> u32 {
        u32::try_from(self.matches.rank(last)).unwrap_or(u32::MAX)
    }

    /// The matching rows up to `last`, without the newest `offset`, in ascending order.
    pub fn positions(&self, last: u32, offset: u32, limit: u32) -> Vec<u32> {
        let end = self.count_until(last).saturating_sub(offset);
        let start = end.saturating_sub(limit);
        (start..end)
            .filter_map(|index| self.matches.select(index))
            .collect()
    }
}

impl Search {
    pub fn progress(&self) -> MutexGuard<'_, SearchProgress> {
        lock(&self.progress)
    }

    /// Goes on searching until everything was looked at, `enough` says so, or time is up.
    pub fn advance(
        &self,
        shared: &SharedRecord,
        reader: &StoreReader,
        deadline: Instant,
        enough: impl Fn(&SearchProgress) -> bool,
    ) -> Result<(), RecordError> {
        let mut progress = self.progress();
        let view = View::of(shared, reader);
        let names = NameMatches::of(&self.filter, &view);
        let mut scan = Scan {
            filter: &self.filter,
            view: &view,
            names: &names,
            progress: &mut progress,
        };
        scan.begin();
        let caught_up = scan.follow(deadline)?;
        let at_oldest = caught_up
            && loop {
                if !scan.step_back()? {
                    break true;
                }
                if enough(scan.progress) || Instant::now() >= deadline {
                    break false;
                }
            };
        progress.complete = at_oldest;
        Ok(())
    }
}

/// The searches that were asked for lately, the latest last.
pub(crate) struct Searches {
    recent: Mutex<Vec<Arc<Search>>>,
    background: Sender<Weak<Search>>,
}

impl Searches {
    pub fn new(background: Sender<Weak<Search>>) -> Self {
        Self {
            recent: Mutex::default(),
            background,
        }
    }

    /// Returns the search for a query. Without one every row matches; the error is then the
    /// problem of the filter.
    pub fn get(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
    ) -> Result<Arc<Search>, Option<FilterProblem>> {
        let key = SearchKey::of(query, project);
        let mut recent = lock(&self.recent);
        let search = match recent.iter().position(|search| search.key == key) {
            Some(index) => recent.remove(index),
            None => {
                let (filter, problem) = CompiledFilter::of(query, project);
                if filter.is_everything() {
                    return Err(problem);
                }
                Arc::new(Search {
                    key,
                    filter,
                    problem,
                    progress: Mutex::default(),
                    asked: Mutex::new(Instant::now()),
                    in_background: AtomicBool::new(false),
                })
            }
        };
        *lock(&search.asked) = Instant::now();
        if recent.len() >= MAX_SEARCHES {
            recent.remove(0);
        }
        recent.push(search.clone());
        Ok(search)
    }

    /// Continues a search on the background thread.
    pub fn go_on(&self, search: &Arc<Search>) {
        if !search.in_background.swap(true, Ordering::AcqRel) {
            // Without the thread, each question goes on by itself.
            let _ = self.background.send(Arc::downgrade(search));
        }
    }
}

/// Continues searches in the background, until the recorder closes.
pub(crate) fn work(shared: &SharedRecord, reader: &StoreReader, searches: &Receiver<Weak<Search>>) {
    let mut open: Vec<Weak<Search>> = Vec::new();
    loop {
        if open.is_empty() {
            match searches.recv() {
                Ok(search) => open.push(search),
                Err(_) => return,
            }
        }
        open.extend(searches.try_iter());
        // The latest is the one that is on screen.
        let Some(search) = open.pop().and_then(|search| search.upgrade()) else {
            continue;
        };
        if shared.queue().stopping {
            return;
        }
        let asked = *lock(&search.asked);
        let ended = asked.elapsed() > ABANDONED_SEARCH_TIMEOUT || {
            let advanced =
                search.advance(shared, reader, Instant::now() + BACKGROUND_SLICE, |_| false);
            shared.change(|queue| queue.revision = queue.revision.wrapping_add(1));
            advanced.is_err() || search.progress().complete
        };
        if ended {
            search.in_background.store(false, Ordering::Release);
        } else {
            open.push(Arc::downgrade(&search));
        }
    }
}
