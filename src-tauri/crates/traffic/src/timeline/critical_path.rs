//! Finds the parts of a tree of spans that its duration hangs on.
//!
//! The way goes back from the end: into the child that finished last, at its start back to the
//! parent, into the child that had finished last by then, and so on. What lies between the children
//! is the parent's own. The rule is that of Jaeger
//! (`packages/jaeger-ui/src/components/TracePage/CriticalPath` of `jaegertracing/jaeger-ui`,
//! Apache-2.0).

use std::collections::HashMap;

use crate::TimeSpan;

/// One span of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSpan {
    /// Index of the span that it is a part of, which stands before it; none for the root.
    pub parent: Option<usize>,
    pub time: TimeSpan,
}

/// Part of a span that the duration of the whole hangs on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CriticalSection {
    /// Index of the span.
    pub span: usize,
    pub time: TimeSpan,
}

/// Returns the critical path of the tree whose root is the first span, the latest section first.
///
/// A span that reaches beyond the one it is a part of is cut off there; one wholly outside of it,
/// or before its parent in `spans`, is left out with all its parts. So is one that ends before it
/// begins.
pub fn critical_path(spans: &[TreeSpan]) -> Vec<CriticalSection> {
    let times = within_parents(spans);
    let mut children = by_end(spans, &times);
    let mut path = Vec::new();
    let Some(Some(root)) = times.first() else {
        return path;
    };
    let (mut current, mut limit) = (0, root.to);
    while let Some(Some(time)) = times.get(current) {
        // Those that ended later ran beside what is on the path already.
        let last = children.get_mut(&current).and_then(|ends| {
            while let Some(child) = ends.pop() {
                let to = times.get(child).copied().flatten()?.to;
                if to <= limit {
                    return Some((child, to));
                }
            }
            None
        });
        let from = last.map_or(time.from, |(_, to)| to);
        if from < limit {
            path.push(CriticalSection {
                span: current,
                time: TimeSpan { from, to: limit },
            });
        }
        match last {
            Some((child, to)) => (current, limit) = (child, to),
            None => match spans.get(current).and_then(|span| span.parent) {
                Some(parent) => (current, limit) = (parent, time.from),
                None => break,
            },
        }
    }
    path
}

/// The times of the spans, cut off at those of their parents; none for those that are left out.
fn within_parents(spans: &[TreeSpan]) -> Vec<Option<TimeSpan>> {
    let mut times: Vec<Option<TimeSpan>> = Vec::with_capacity(spans.len());
    for (index, span) in spans.iter().enumerate() {
        let time = match span.parent {
            Some(parent) => times
                .get(parent)
                .copied()
                .flatten()
                .map(|within| span.time.within(within)),
            None if index == 0 => Some(span.time),
            None => None,
        };
        times.push(time.filter(|time| time.from <= time.to));
    }
    times
}

/// The children of each span that are not left out, the one that ends last at the end.
fn by_end(spans: &[TreeSpan], times: &[Option<TimeSpan>]) -> HashMap<usize, Vec<usize>> {
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, (span, time)) in spans.iter().zip(times).enumerate() {
        if let (Some(parent), Some(_)) = (span.parent, time) {
            children.entry(parent).or_default().push(index);
        }
    }
    let end = |index: &usize| {
        let time = times.get(*index).copied().flatten();
        time.map_or(f64::MIN, |time| time.to.as_millis())
    };
    for ends in children.values_mut() {
        ends.sort_by(|one, other| end(one).total_cmp(&end(other)));
    }
    children
}

#[cfg(test)]
mod tests {
    use sightglass_model::Timestamp;

    use super::*;

    fn span(parent: Option<usize>, from: f64, to: f64) -> TreeSpan {
        let time = TimeSpan {
            from: Timestamp::from_millis(from),
            to: Timestamp::from_millis(to),
        };
        TreeSpan { parent, time }
    }

    fn path(spans: &[TreeSpan]) -> Vec<(usize, f64, f64)> {
        critical_path(spans)
            .iter()
            .map(|section| {
                let time = section.time;
                (section.span, time.from.as_millis(), time.to.as_millis())
            })
            .collect()
    }

    #[test]
    fn the_way_goes_through_the_child_that_finished_last() {
        let spans = [
            span(None, 0.0, 100.0),
            span(Some(0), 10.0, 40.0),
            span(Some(0), 50.0, 90.0),
            span(Some(2), 60.0, 80.0),
            // Beside the one that is on the path.
            span(Some(0), 20.0, 70.0),
        ];
        assert_eq!(
            path(&spans),
            [
                (0, 90.0, 100.0),
                (2, 80.0, 90.0),
                (3, 60.0, 80.0),
                (2, 50.0, 60.0),
                (0, 40.0, 50.0),
                (1, 10.0, 40.0),
                (0, 0.0, 10.0),
            ]
        );
    }

    #[test]
    fn what_reaches_beyond_its_parent_is_cut_and_what_is_outside_is_left_out() {
        let spans = [
            span(None, 10.0, 50.0),
            span(Some(0), 40.0, 90.0),
            span(Some(0), 60.0, 70.0),
            span(Some(2), 61.0, 62.0),
            span(Some(9), 20.0, 30.0),
            span(Some(0), 30.0, 20.0),
            span(None, 0.0, 99.0),
        ];
        assert_eq!(path(&spans), [(1, 40.0, 50.0), (0, 10.0, 40.0)]);
        assert_eq!(path(&[]), []);
    }

    #[test]
    fn sections_add_up_to_the_whole_of_a_deep_and_wide_tree() {
        let mut spans = vec![span(None, 0.0, 100_000.0)];
        for index in 1..50_000usize {
            let parent = if index % 2 == 0 { index - 1 } else { 0 };
            let from = f64::from(u32::try_from(index * 7919 % 99_000).expect("small"));
            spans.push(span(Some(parent), from, from + 500.0));
        }
        let path = critical_path(&spans);
        let sum: f64 = path
            .iter()
            .map(|section| section.time.to.as_millis() - section.time.from.as_millis())
            .sum();
        assert!((sum - 100_000.0).abs() < 1e-6, "{sum}");
        let follows = path
            .windows(2)
            .all(|pair| pair[0].time.from == pair[1].time.to);
        assert!(follows);
    }
}
