//! Puts bars on as few lanes as possible, so that none covers another.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use crate::TimeSpan;

/// Lanes of bars.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lanes {
    /// The lane of each bar, from 0, in the order in which the bars were given.
    pub lanes: Vec<u32>,
    /// Number of lanes.
    pub count: u32,
}

/// A lane that is taken until some moment, in milliseconds.
#[derive(Debug, PartialEq)]
struct Taken {
    until: f64,
    lane: u32,
}

impl Eq for Taken {}

impl Ord for Taken {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.until.total_cmp(&other.until);
        by_time.then(self.lane.cmp(&other.lane))
    }
}

impl PartialOrd for Taken {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Puts each bar on the lowest lane that is free when it begins. A bar may begin at the moment at
/// which another on its lane ends.
pub fn pack(bars: &[TimeSpan]) -> Lanes {
    let mut order: Vec<usize> = (0..bars.len()).collect();
    let began = |index: &usize| bars.get(*index).map_or(0.0, |bar| bar.from.as_millis());
    order.sort_by(|one, other| began(one).total_cmp(&began(other)));
    let mut packed = Lanes {
        lanes: vec![0; bars.len()],
        count: 0,
    };
    let mut taken: BinaryHeap<Reverse<Taken>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    for index in order {
        let Some(bar) = bars.get(index) else {
            continue;
        };
        while taken
            .peek()
            .is_some_and(|Reverse(taken)| taken.until <= bar.from.as_millis())
        {
            free.extend(taken.pop().map(|Reverse(taken)| Reverse(taken.lane)));
        }
        let lane = free.pop().map_or_else(
            || {
                packed.count += 1;
                packed.count - 1
            },
            |Reverse(lane)| lane,
        );
        taken.push(Reverse(Taken {
            until: bar.to.as_millis(),
            lane,
        }));
        if let Some(place) = packed.lanes.get_mut(index) {
            *place = lane;
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use sightglass_model::Timestamp;

    use super::*;

    fn bars(times: &[(f64, f64)]) -> Vec<TimeSpan> {
        times
            .iter()
            .map(|(from, to)| TimeSpan {
                from: Timestamp::from_millis(*from),
                to: Timestamp::from_millis(*to),
            })
            .collect()
    }

    #[test]
    fn a_bar_takes_the_lowest_lane_that_is_free() {
        let bars = bars(&[
            (50.0, 60.0),
            (0.0, 10.0),
            (5.0, 30.0),
            (10.0, 20.0),
            (12.0, 14.0),
            (14.0, 15.0),
        ]);
        let packed = pack(&bars);
        assert_eq!(packed.lanes, [0, 0, 1, 0, 2, 2]);
        assert_eq!(packed.count, 3);
        assert_eq!(pack(&[]), Lanes::default());
    }

    #[test]
    fn no_bar_covers_another_and_no_lane_is_wasted() {
        let times: Vec<(f64, f64)> = (0..20_000u32)
            .map(|index| {
                let from = f64::from(index * 7919 % 10_007);
                (from, from + f64::from(index % 37))
            })
            .collect();
        let bars = bars(&times);
        let packed = pack(&bars);
        let mut by_lane: Vec<Vec<TimeSpan>> = vec![Vec::new(); packed.count as usize];
        for (bar, lane) in bars.iter().zip(&packed.lanes) {
            by_lane[*lane as usize].push(*bar);
        }
        for lane in &mut by_lane {
            lane.sort_by(|one, other| one.from.as_millis().total_cmp(&other.from.as_millis()));
            assert!(lane.windows(2).all(|pair| pair[0].to <= pair[1].from));
        }
        // As many lanes as bars are there at once, at some moment.
        let most = bars
            .iter()
            .map(|bar| {
                let at_once = |other: &&TimeSpan| other.from <= bar.from && bar.from < other.to;
                bars.iter().filter(at_once).count()
            })
            .max()
            .unwrap_or(0);
        assert!(packed.count as usize <= most + 1, "{} {most}", packed.count);
    }
}
