//! Time of an operation: when its requests began and ended, and for how long a person was asked.

use std::{collections::HashMap, time::Duration};

use sightglass_model::Timestamp;

use super::{TaskStatus, TimeSpan};

/// The most tasks, and results that asked for input, whose state is kept.
const MAX_NOTED: usize = 100_000;

/// Times of the requests that are parts of operations.
#[derive(Debug, Default)]
pub(crate) struct Times {
    requests: HashMap<u32, RequestTime>,
    /// Since when a person had been asked when a request brought the answers.
    asked: HashMap<u32, Timestamp>,
    /// The last known status of a task, by the row that created it.
    tasks: HashMap<u32, TaskStatus>,
    /// Rows whose results asked for input that did not come yet, and since when a person is asked
    /// for it.
    waiting: HashMap<u32, Option<Timestamp>>,
}

/// Time of one request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RequestTime {
    pub at: Timestamp,
    /// The moment of its answer.
    pub end: Option<Timestamp>,
    /// True when a person answers it.
    pub asks_person: bool,
}

impl Times {
    pub(super) fn begin(&mut self, row: u32, at: Timestamp, asks_person: bool) {
        let time = RequestTime {
            at,
            end: None,
            asks_person,
        };
        self.requests.entry(row).or_insert(time);
    }

    pub(super) fn end(&mut self, row: u32, at: Timestamp) {
        if let Some(time) = self.requests.get_mut(&row) {
            time.end = Some(at);
        }
    }

    pub(super) fn asked(&mut self, row: u32, since: Timestamp) {
        self.asked.insert(row, since);
    }

    pub(super) fn task(&mut self, row: u32, status: TaskStatus) {
        if self.tasks.len() < MAX_NOTED || self.tasks.contains_key(&row) {
            self.tasks.insert(row, status);
        }
    }

    pub(super) fn input_required(&mut self, row: u32, asked_since: Option<Timestamp>) {
        if self.waiting.len() < MAX_NOTED {
            self.waiting.insert(row, asked_since);
        }
    }

    pub(super) fn continued(&mut self, row: u32) {
        self.waiting.remove(&row);
    }

    /// Returns true when the result of a row asked for input that did not come yet.
    pub fn is_waiting(&self, row: u32) -> bool {
        self.waiting.contains_key(&row)
    }

    /// The moment since which a person is asked for the input that a result wants.
    pub fn asked_since(&self, row: u32) -> Option<Timestamp> {
        self.waiting.get(&row).copied().flatten()
    }

    /// The time of a request that is part of an operation.
    pub fn request(&self, row: u32) -> Option<RequestTime> {
        self.requests.get(&row).copied()
    }

    /// The last known status of the task that a request created.
    pub fn task_of(&self, row: u32) -> Option<TaskStatus> {
        self.tasks.get(&row).copied()
    }

    /// The time in which a person was asked for what the request of `row`, sent at `at`, brought.
    pub fn asked_before(&self, row: u32, at: Timestamp) -> Option<TimeSpan> {
        let from = *self.asked.get(&row)?;
        Some(TimeSpan { from, to: at })
    }

    /// Forgets the rows before `first`.
    pub fn forget_before(&mut self, first: u32) {
        self.requests.retain(|row, _| *row >= first);
        self.asked.retain(|row, _| *row >= first);
        self.tasks.retain(|row, _| *row >= first);
        self.waiting.retain(|row, _| *row >= first);
    }
}

/// Joins intervals that touch, and cuts off what is outside of `within`.
pub(crate) fn merged(mut intervals: Vec<TimeSpan>, within: TimeSpan) -> Vec<TimeSpan> {
    for interval in &mut intervals {
        *interval = interval.within(within);
    }
    intervals.retain(|interval| interval.from < interval.to);
    intervals
        .sort_unstable_by(|one, other| one.from.as_millis().total_cmp(&other.from.as_millis()));
    let mut joined: Vec<TimeSpan> = Vec::with_capacity(intervals.len());
    for interval in intervals {
        match joined.last_mut() {
            Some(last) if interval.from <= last.to => {
                if last.to < interval.to {
                    last.to = interval.to;
                }
            }
            _ => joined.push(interval),
        }
    }
    joined
}

/// The time that intervals take which [`merged`] joined.
pub(crate) fn total(intervals: &[TimeSpan]) -> Duration {
    intervals
        .iter()
        .map(|interval| interval.to.since(interval.from))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(from: f64, to: f64) -> TimeSpan {
        TimeSpan {
            from: Timestamp::from_millis(from),
            to: Timestamp::from_millis(to),
        }
    }

    #[test]
    fn time_that_two_questions_share_counts_once_and_none_before_the_call() {
        let asked = vec![
            interval(50.0, 60.0),
            interval(0.0, 20.0),
            interval(15.0, 30.0),
            interval(90.0, 200.0),
            interval(70.0, 65.0),
        ];
        let joined = merged(asked, interval(10.0, 100.0));
        assert_eq!(
            joined,
            [
                interval(10.0, 30.0),
                interval(50.0, 60.0),
                interval(90.0, 100.0)
            ]
        );
        assert_eq!(total(&joined), Duration::from_millis(40));
    }
}
