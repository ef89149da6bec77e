//! Measurements of a load run.

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;
use sightglass_area_core::view::{LatencyBucket, LatencySummary, LoadError};
use sightglass_model::{Millis, brief};

/// Longest duration that is told from longer ones, in microseconds: an hour.
const MAX_MICROS: u64 = 3_600_000_000;
/// Kinds of errors that are told apart.
const MAX_KINDS: usize = 20;
/// Characters of an example that are kept.
const MAX_EXAMPLE: usize = 300;
/// Ratio of the ends of a bucket.
const BUCKET_RATIO: f64 = 1.4;

/// Outcome of a call.
pub(super) enum CallEnd {
    Ok,
    Failed {
        kind: String,
        example: Option<String>,
    },
}

/// Measurements so far.
pub(super) struct Measured {
    response: Option<Histogram<u64>>,
    service: Option<Histogram<u64>>,
    pub succeeded: u32,
    pub failed: u32,
    pub not_sent: u32,
    errors: BTreeMap<String, (u32, Option<String>)>,
}

impl Measured {
    pub fn new() -> Self {
        Self {
            response: histogram(),
            service: histogram(),
            succeeded: 0,
            failed: 0,
            not_sent: 0,
            errors: BTreeMap::new(),
        }
    }

    /// Notes a call: the time since it was due, and since it was sent.
    pub fn note(&mut self, response: Duration, service: Duration, end: CallEnd) {
        record(&mut self.response, response);
        record(&mut self.service, service);
        match end {
            CallEnd::Ok => self.succeeded += 1,
            CallEnd::Failed { kind, example } => {
                self.failed += 1;
                let is_known = self.errors.contains_key(&kind);
                let kind = match is_known || self.errors.len() < MAX_KINDS {
                    true => kind,
                    false => "other errors".to_owned(),
                };
                let shortened = || {
                    let example = example.as_deref()?;
                    Some(brief(example, MAX_EXAMPLE).into_owned())
                };
                self.errors
                    .entry(kind)
                    .or_insert_with(|| (0, shortened()))
                    .0 += 1;
            }
        }
    }

    pub fn ended(&self) -> u32 {
        self.succeeded + self.failed
    }

    pub fn response(&self) -> LatencySummary {
        summary(self.response.as_ref())
    }

    pub fn service(&self) -> LatencySummary {
        summary(self.service.as_ref())
    }

    /// Returns the response times in buckets, from the one that has the quickest to the one that
    /// has the slowest.
    pub fn buckets(&self) -> Vec<LatencyBucket> {
        let Some(histogram) = self.response.as_ref().filter(|all| !all.is_empty()) else {
            return Vec::new();
        };
        let mut edges = vec![histogram.min().max(1)];
        while let Some(last) = edges
            .last()
            .copied()
            .filter(|last| *last <= histogram.max())
        {
            // At least one more.
            edges.push(((last as f64 * BUCKET_RATIO) as u64).max(last + 1));
        }
        let mut buckets: Vec<LatencyBucket> = edges
            .windows(2)
            .map(|ends| LatencyBucket {
                from: micros(ends[0]),
                to: micros(ends[1]),
                count: 0,
            })
            .collect();
        for step in histogram.iter_recorded() {
            let place = edges.partition_point(|edge| *edge <= step.value_iterated_to());
            if let Some(bucket) = buckets.get_mut(place.saturating_sub(1)) {
                let count = step.count_since_last_iteration();
                bucket.count += u32::try_from(count).unwrap_or(u32::MAX);
            }
        }
        buckets
    }

    /// Returns the errors, the most frequent first.
    pub fn errors(&self) -> Vec<LoadError> {
        let mut errors: Vec<LoadError> = self
            .errors
            .iter()
            .map(|(kind, (count, example))| LoadError {
                kind: kind.clone(),
                count: *count,
                example: example.clone(),
            })
            .collect();
        errors.sort_by_key(|error| std::cmp::Reverse(error.count));
        errors
    }
}

fn histogram() -> Option<Histogram<u64>> {
    // Its bounds are valid, and a histogram that were not there would leave the figures out.
    Histogram::new_with_bounds(1, MAX_MICROS, 3).ok()
}

fn record(histogram: &mut Option<Histogram<u64>>, duration: Duration) {
    if let Some(histogram) = histogram {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        histogram.saturating_record(micros.max(1));
    }
}

fn summary(histogram: Option<&Histogram<u64>>) -> LatencySummary {
    let Some(histogram) = histogram.filter(|all| !all.is_empty()) else {
        return LatencySummary::default();
    };
    LatencySummary {
        p50: micros(histogram.value_at_quantile(0.5)),
        p90: micros(histogram.value_at_quantile(0.9)),
        p99: micros(histogram.value_at_quantile(0.99)),
        max: micros(histogram.max()),
    }
}

fn micros(micros: u64) -> Millis {
    Duration::from_micros(micros).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(value: Millis) -> f64 {
        value.as_f64().round()
    }

    #[test]
    fn percentiles_and_buckets_are_those_of_what_was_noted() {
        let mut measured = Measured::new();
        assert_eq!(measured.response(), LatencySummary::default());
        assert_eq!(measured.buckets(), []);
        for number in 1..=100 {
            let duration = Duration::from_millis(number);
            measured.note(duration, duration / 2, CallEnd::Ok);
        }
        let summary = measured.response();
        let figures = [summary.p50, summary.p90, summary.p99, summary.max].map(millis);
        assert_eq!(figures, [50.0, 90.0, 99.0, 100.0]);
        assert_eq!(millis(measured.service().max), 50.0);
        let buckets = measured.buckets();
        assert_eq!(buckets.iter().map(|bucket| bucket.count).sum::<u32>(), 100);
        assert!(buckets.len() < 20, "{buckets:?}");
        for pair in buckets.windows(2) {
            assert_eq!(pair[0].to, pair[1].from);
        }
    }

    #[test]
    fn errors_of_a_stranger_are_bounded() {
        let mut measured = Measured::new();
        for number in 0..1000 {
            let end = CallEnd::Failed {
                kind: format!("error {number}"),
                example: Some("x".repeat(10_000)),
            };
            measured.note(Duration::ZERO, Duration::ZERO, end);
        }
        let errors = measured.errors();
        assert_eq!(errors.len(), MAX_KINDS + 1);
        assert_eq!(
            (errors[0].kind.as_str(), errors[0].count),
            ("other errors", 980)
        );
        let example = errors[0].example.as_ref().expect("the first");
        assert_eq!(example.chars().count(), MAX_EXAMPLE + 1);
    }
}
