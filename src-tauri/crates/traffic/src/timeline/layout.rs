//! Lays operations out on lanes, and answers for the part of them that is drawn.

use std::collections::{BTreeMap, HashSet};

use sightglass_model::{ExchangeId, Timestamp};

use super::{TimelineBin, TimelineBucket, TimelineStep, pack};
use crate::{Outcome, TimeSpan};

/// The most lanes of one track. What runs beside so many is drawn on the last, in bins.
const MAX_LANES: u32 = 32;

/// The width of a bin in pixels; what is narrower than this is no bar.
const BIN_PIXELS: u32 = 2;

/// One operation, by its time in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bar {
    /// Position of the row at its root.
    pub row: u32,
    pub operation: ExchangeId,
    pub from: f64,
    /// The end, not before `from`; infinite while it goes on.
    pub to: f64,
    pub track: u32,
    /// Index of its label.
    pub label: u32,
    pub outcome: Outcome,
    /// True when a person took part of its time.
    pub has_person: bool,
}

impl Bar {
    /// The end; nothing while it goes on.
    pub fn end(&self) -> Option<Timestamp> {
        self.to.is_finite().then(|| Timestamp::from_millis(self.to))
    }
}

/// Bars of one lane, by their beginnings.
#[derive(Debug, Default)]
struct Lane {
    bars: Vec<Bar>,
    /// True when they overlap.
    is_crowded: bool,
}

/// Lanes of a track, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedTrack {
    pub track: u32,
    pub first: u32,
    pub count: u32,
    pub operations: u32,
}

/// All bars on their lanes.
#[derive(Debug, Default)]
pub(crate) struct TimelineLayout {
    pub tracks: Vec<PackedTrack>,
    lanes: Vec<Lane>,
    pub total: u32,
}

/// The part of a layout that is drawn.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    /// Bars with their lanes.
    pub bars: Vec<(u32, Bar)>,
    pub bins: Vec<TimelineBin>,
}

/// The part to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VisiblePart {
    pub from: f64,
    pub to: f64,
    pub width: u32,
    pub first_lane: u32,
    pub lanes: u32,
    pub now: f64,
}

impl TimelineLayout {
    /// Puts bars on the lanes of their tracks, which stand in the order of `rank`.
    pub fn of<K: Ord>(bars: Vec<Bar>, rank: impl Fn(u32) -> K) -> Self {
        let mut layout = Self {
            total: count(bars.len()),
            ..Self::default()
        };
        let mut by_track: BTreeMap<u32, Vec<Bar>> = BTreeMap::new();
        for bar in bars {
            by_track.entry(bar.track).or_default().push(bar);
        }
        let mut tracks: Vec<(u32, Vec<Bar>)> = by_track.into_iter().collect();
        tracks.sort_by_cached_key(|(track, _)| rank(*track));
        for (track, mut bars) in tracks {
            bars.sort_by(|one, other| one.from.total_cmp(&other.from));
            let spans: Vec<TimeSpan> = bars.iter().map(span).collect();
            let packed = pack(&spans);
            let lanes = packed.count.min(MAX_LANES);
            let first = count(layout.lanes.len());
            layout.tracks.push(PackedTrack {
                track,
                first,
                count: lanes,
                operations: count(bars.len()),
            });
            let mut new: Vec<Lane> = (0..lanes).map(|_| Lane::default()).collect();
            for (bar, lane) in bars.into_iter().zip(packed.lanes) {
                if let Some(lane) = new.get_mut(lane.min(MAX_LANES - 1) as usize) {
                    lane.bars.push(bar);
                }
            }
            if packed.count > MAX_LANES
                && let Some(last) = new.last_mut()
            {
                last.is_crowded = true;
            }
            layout.lanes.append(&mut new);
        }
        layout
    }

    /// The first moment and the last; nothing without bars. What goes on reaches until `now`.
    pub fn whole(&self, now: f64) -> Option<TimeSpan> {
        let mut whole: Option<(f64, f64)> = None;
        for bar in self.all() {
            let to = end(bar, now);
            whole = Some(match whole {
                Some((first, last)) => (first.min(bar.from), last.max(to)),
                None => (bar.from, to),
            });
        }
        whole.map(|(from, to)| TimeSpan {
            from: Timestamp::from_millis(from),
            to: Timestamp::from_millis(to),
        })
    }

    /// The bars and bins of a part. Bars in `marked` are never merged.
    pub fn draw(&self, part: VisiblePart, marked: &HashSet<ExchangeId>) -> Drawn {
        let mut drawn = Drawn::default();
        let per_pixel = (part.to - part.from) / f64::from(part.width.max(1));
        let shown = self
            .lanes
            .iter()
            .zip(0u32..)
            .skip(part.first_lane as usize)
            .take(part.lanes as usize);
        for (lane, number) in shown {
            // Without overlap, bars in the order of their beginnings end in that order too.
            let first = match lane.is_crowded {
                true => 0,
                false => lane
                    .bars
                    .partition_point(|bar| end(bar, part.now) < part.from),
            };
            let mut bin: Option<TimelineBin> = None;
            for bar in lane.bars.iter().skip(first) {
                if bar.from > part.to {
                    break;
                }
                let to = end(bar, part.now);
                if to < part.from {
                    continue;
                }
                let is_wide = (to - bar.from) >= per_pixel * f64::from(BIN_PIXELS);
                if marked.contains(&bar.operation) || (is_wide && !lane.is_crowded) {
                    drawn.bars.push((number, *bar));
                    continue;
                }
                let at = pixel((bar.from - part.from) / per_pixel, part.width);
                let at = at - at % BIN_PIXELS;
                match &mut bin {
                    Some(bin) if bin.at == at => add(bin, bar),
                    _ => drawn.bins.extend(bin.replace(TimelineBin {
                        lane: number,
                        at,
                        count: 1,
                        outcome: bar.outcome,
                        operation: bar.operation,
                    })),
                }
            }
            drawn.bins.extend(bin);
        }
        drawn
    }

    /// The number of bars that begin in each of so many parts of the whole.
    pub fn overview(&self, whole: TimeSpan, buckets: u32) -> Vec<TimelineBucket> {
        let empty = TimelineBucket {
            count: 0,
            outcome: Outcome::None,
        };
        let mut overview = vec![empty; buckets as usize];
        let from = whole.from.as_millis();
        let length = (whole.to.as_millis() - from) / f64::from(buckets.max(1));
        for bar in self.all() {
            let at = pixel((bar.from - from) / length, buckets);
            if let Some(bucket) = overview.get_mut(at as usize) {
                bucket.count += 1;
                if severity(bar.outcome) > severity(bucket.outcome) {
                    bucket.outcome = bar.outcome;
                }
            }
        }
        overview
    }

    /// The bar that a step leads to, with its lane; the same where there is no further one, and the
    /// newest without one to begin at.
    pub fn step(&self, from: Option<ExchangeId>, step: TimelineStep) -> Option<(u32, Bar)> {
        let found = from.and_then(|operation| self.find(operation));
        let Some((number, index)) = found else {
            return self.newest();
        };
        let lane = self.lanes.get(number)?;
        let here = *lane.bars.get(index)?;
        let beside = |number: usize| {
            let lane = self.lanes.get(number)?;
            let after = lane.bars.partition_point(|bar| bar.from < here.from);
            let candidates = [after.checked_sub(1), Some(after)];
            let bars = candidates
                .into_iter()
                .flatten()
                .filter_map(|index| lane.bars.get(index));
            let distance = |bar: &&Bar| (bar.from - here.from).abs();
            let nearest = bars.min_by(|one, other| distance(one).total_cmp(&distance(other)));
            nearest.map(|bar| (count(number), *bar))
        };
        let on_lane = |index: usize| lane.bars.get(index).map(|bar| (count(number), *bar));
        let there = match step {
            TimelineStep::Previous => index.checked_sub(1).and_then(on_lane),
            TimelineStep::Next => on_lane(index + 1),
            TimelineStep::First => on_lane(0),
            TimelineStep::Last => on_lane(lane.bars.len() - 1),
            TimelineStep::Above => number.checked_sub(1).and_then(beside),
            TimelineStep::Below => beside(number + 1),
        };
        there.or(Some((count(number), here)))
    }

    fn find(&self, operation: ExchangeId) -> Option<(usize, usize)> {
        self.lanes.iter().enumerate().find_map(|(number, lane)| {
            let index = lane.bars.iter().position(|bar| bar.operation == operation);
            index.map(|index| (number, index))
        })
    }

    fn newest(&self) -> Option<(u32, Bar)> {
        let last = |(lane, number): (&Lane, u32)| lane.bars.last().map(|bar| (number, *bar));
        let all = self.lanes.iter().zip(0u32..).filter_map(last);
        all.max_by(|(_, one), (_, other)| one.from.total_cmp(&other.from))
    }

    fn all(&self) -> impl Iterator<Item = &Bar> {
        self.lanes.iter().flat_map(|lane| &lane.bars)
    }
}

/// Rank of an outcome: of several, the worst is told.
fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::None => 0,
        Outcome::Ok => 1,
        Outcome::Pending => 2,
        Outcome::Cancelled => 3,
        Outcome::Unanswered => 4,
        Outcome::Error => 5,
    }
}

fn add(bin: &mut TimelineBin, bar: &Bar) {
    bin.count = bin.count.saturating_add(1);
    if severity(bar.outcome) > severity(bin.outcome) {
        bin.outcome = bar.outcome;
        bin.operation = bar.operation;
    }
}

fn span(bar: &Bar) -> TimeSpan {
    TimeSpan {
        from: Timestamp::from_millis(bar.from),
        to: Timestamp::from_millis(bar.to),
    }
}

fn end(bar: &Bar, now: f64) -> f64 {
    match bar.to.is_finite() {
        true => bar.to,
        false => now.max(bar.from),
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The whole number of a distance, within the width.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is cut off at both ends, and no number becomes 0"
)]
fn pixel(distance: f64, width: u32) -> u32 {
    (distance.max(0.0) as u32).min(width.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(id: u32, from: f64, to: f64) -> Bar {
        Bar {
            row: id,
            operation: ExchangeId(id),
            from,
            to,
            track: 0,
            label: 0,
            outcome: Outcome::Ok,
            has_person: false,
        }
    }

    fn part(from: f64, to: f64, width: u32) -> VisiblePart {
        VisiblePart {
            from,
            to,
            width,
            first_lane: 0,
            lanes: 100,
            now: 1000.0,
        }
    }

    fn drawn(layout: &TimelineLayout, part: VisiblePart) -> Drawn {
        layout.draw(part, &HashSet::new())
    }

    #[test]
    fn bars_that_overlap_stand_on_lanes_of_their_own_and_tracks_in_their_order() {
        let mut received = bar(4, 0.0, 5.0);
        received.track = 7;
        let bars = vec![
            bar(1, 0.0, 50.0),
            bar(2, 10.0, 20.0),
            bar(3, 50.0, 90.0),
            received,
        ];
        let layout = TimelineLayout::of(bars, std::cmp::Reverse);
        let tracks: Vec<_> = layout
            .tracks
            .iter()
            .map(|track| (track.track, track.first, track.count, track.operations))
            .collect();
        assert_eq!(tracks, [(7, 0, 1, 1), (0, 1, 2, 3)]);
        let drawn = drawn(&layout, part(0.0, 100.0, 100));
        let lanes: Vec<_> = drawn
            .bars
            .iter()
            .map(|(lane, bar)| (*lane, bar.operation.0))
            .collect();
        assert_eq!(lanes, [(0, 4), (1, 1), (1, 3), (2, 2)]);
        assert_eq!(drawn.bins, []);
    }

    #[test]
    fn what_is_narrower_than_two_pixels_is_counted_with_the_worst_outcome() {
        let mut failed = bar(2, 1.2, 1.3);
        failed.outcome = Outcome::Error;
        let bars = vec![
            bar(1, 1.0, 1.1),
            failed,
            bar(3, 1.4, 1.5),
            bar(4, 50.0, 50.0),
            bar(5, 60.0, 70.0),
        ];
        let layout = TimelineLayout::of(bars, |track| track);
        let all = drawn(&layout, part(0.0, 100.0, 100));
        let bins: Vec<_> = all
            .bins
            .iter()
            .map(|bin| (bin.at, bin.count, bin.outcome, bin.operation.0))
            .collect();
        assert_eq!(bins, [(0, 3, Outcome::Error, 2), (50, 1, Outcome::Ok, 4)]);
        assert_eq!(all.bars.len(), 1);
        // Marked, it is a bar; zoomed in, all of them are.
        let marked = HashSet::from([ExchangeId(3)]);
        let with_mark = layout.draw(part(0.0, 100.0, 100), &marked);
        assert_eq!((with_mark.bars.len(), with_mark.bins.len()), (2, 2));
        let near = drawn(&layout, part(1.0, 2.0, 100));
        assert_eq!((near.bars.len(), near.bins.len()), (3, 0));
    }

    #[test]
    fn an_answer_is_bounded_by_its_pixels() {
        let bars: Vec<Bar> = (0..100_000u32)
            .map(|id| {
                let from = f64::from(id * 7919 % 100_003);
                bar(id + 1, from, from + f64::from(id % 9))
            })
            .collect();
        let layout = TimelineLayout::of(bars, |track| track);
        let lanes: usize = layout.tracks.iter().map(|track| track.count as usize).sum();
        for (from, to) in [(0.0, 100_003.0), (400.0, 9_000.0), (5_000.0, 5_100.0)] {
            let drawn = drawn(&layout, part(from, to, 800));
            // Half a pixel more may hang over at either end.
            assert!(drawn.bars.len() + drawn.bins.len() <= lanes * 802);
        }
        let whole = layout.whole(0.0).expect("bars");
        let overview = layout.overview(whole, 200);
        let counted: u32 = overview.iter().map(|bucket| bucket.count).sum();
        assert_eq!(counted, 100_000);
    }

    #[test]
    fn nothing_one_instant_and_a_clock_that_goes_back_are_no_trouble() {
        let empty = TimelineLayout::of(Vec::new(), |track| track);
        assert_eq!(empty.whole(5.0), None);
        assert!(drawn(&empty, part(0.0, 1.0, 10)).bins.is_empty());
        assert_eq!(empty.step(None, TimelineStep::Next), None);

        let instant = TimelineLayout::of(vec![bar(1, 7.0, 7.0), bar(2, 7.0, 7.0)], |track| track);
        let whole = instant.whole(5.0).expect("bars");
        assert_eq!((whole.from, whole.to), (whole.to, whole.from));
        let overview = instant.overview(whole, 4);
        assert_eq!(overview.iter().map(|bucket| bucket.count).sum::<u32>(), 2);
        let drawn_at = drawn(&instant, part(7.0, 7.0, 10));
        assert_eq!(drawn_at.bars.len() + drawn_at.bins.len(), 2);

        // Recorded in this order, while the clock was set back in between.
        let back = TimelineLayout::of(
            vec![
                bar(1, 100.0, 120.0),
                bar(2, 50.0, 90.0),
                bar(3, 80.0, 110.0),
            ],
            |track| track,
        );
        let drawn = drawn(&back, part(0.0, 200.0, 200));
        let order: Vec<_> = drawn
            .bars
            .iter()
            .map(|(lane, bar)| (*lane, bar.operation.0))
            .collect();
        assert_eq!(order, [(0, 2), (0, 1), (1, 3)]);
    }

    #[test]
    fn what_goes_on_reaches_until_now_and_nothing_is_put_after_it() {
        let bars = vec![bar(1, 0.0, f64::INFINITY), bar(2, 500.0, 510.0)];
        let layout = TimelineLayout::of(bars, |track| track);
        let whole = layout.whole(1000.0).expect("bars");
        assert_eq!(whole.to.as_millis(), 1000.0);
        let drawn = drawn(&layout, part(900.0, 1000.0, 100));
        assert_eq!(drawn.bars.len(), 1);
        assert_eq!(drawn.bars.first().and_then(|(_, bar)| bar.end()), None);
        assert_eq!(layout.tracks.first().map(|track| track.count), Some(2));
    }

    #[test]
    fn more_than_fit_at_once_share_the_last_lane() {
        let bars: Vec<Bar> = (1..=100).map(|id| bar(id, 0.0, 100.0)).collect();
        let layout = TimelineLayout::of(bars, |track| track);
        assert_eq!(layout.tracks.first().map(|track| track.count), Some(32));
        let drawn = drawn(&layout, part(0.0, 100.0, 100));
        assert_eq!(drawn.bars.len(), 31);
        assert_eq!(drawn.bins.first().map(|bin| bin.count), Some(69));
    }

    #[test]
    fn steps_go_along_a_lane_and_to_the_nearest_beside_it() {
        let bars = vec![
            bar(1, 0.0, 10.0),
            bar(2, 20.0, 30.0),
            bar(3, 21.0, 25.0),
            bar(4, 40.0, 50.0),
        ];
        let layout = TimelineLayout::of(bars, |track| track);
        let step = |from, step| {
            let found = layout.step(Some(ExchangeId(from)), step);
            found.map(|(lane, bar)| (lane, bar.operation.0))
        };
        assert_eq!(step(1, TimelineStep::Next), Some((0, 2)));
        assert_eq!(step(1, TimelineStep::Previous), Some((0, 1)));
        assert_eq!(step(4, TimelineStep::Below), Some((1, 3)));
        assert_eq!(step(3, TimelineStep::Above), Some((0, 2)));
        assert_eq!(step(2, TimelineStep::First), Some((0, 1)));
        assert_eq!(step(2, TimelineStep::Last), Some((0, 4)));
        assert_eq!(step(99, TimelineStep::Next), Some((0, 4)));
    }
}
