//! Keeps links by child and by parent, in bounded memory.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::Edge;

/// Marks the end of a list of parts.
const END: u32 = u32::MAX;

/// The longest way from a row to its root. Rules link to the first of many, so that none is long.
const MAX_DEPTH: usize = 64;

/// A link between two rows, by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub child: u32,
    pub parent: u32,
    pub edge: Edge,
}

/// Rows by their parents and the other way round. Each row is part of one other at most.
///
/// Rows that follow one another are often part of the same one: a call can bring a million log
/// messages. So links are kept in runs, and those of a flood take no memory.
#[derive(Debug, Default)]
pub(crate) struct Links {
    runs: Vec<LinkRun>,
    /// Indexes of the runs by their first children. No two runs hold the same row.
    by_first: BTreeMap<u32, u32>,
    parts: BTreeMap<u32, Parts>,
    /// All rows that are part of another.
    pub children: RoaringBitmap,
    /// Links between operations.
    side: Vec<Link>,
}

/// Links of rows that follow one another, to one parent.
#[derive(Debug)]
struct LinkRun {
    first: u32,
    count: u32,
    parent: u32,
    /// Index of the next run of the same parent.
    next: u32,
    edge: Edge,
}

/// The first and the last run of a row's parts, by their indexes.
#[derive(Debug, Clone, Copy)]
struct Parts {
    first: u32,
    last: u32,
    count: u32,
}

impl LinkRun {
    /// Returns true when a link to the same parent is the next one of the run.
    fn goes_on_with(&self, link: &Link) -> bool {
        self.first.checked_add(self.count) == Some(link.child) && self.edge == link.edge
    }

    fn link(&self, child: u32) -> Link {
        Link {
            child,
            parent: self.parent,
            edge: self.edge,
        }
    }

    fn links(&self) -> impl Iterator<Item = Link> {
        (0..self.count).map(move |place| self.link(self.first + place))
    }
}

impl Links {
    /// Returns the number of links.
    pub fn len(&self) -> usize {
        let parts = usize::try_from(self.children.len()).unwrap_or(usize::MAX);
        parts.saturating_add(self.side.len())
    }

    /// Adds a part of a row. The first link of a row counts, and none may lead back to itself.
    pub fn add(&mut self, link: Link) {
        let is_new = self.above(link.child).is_none();
        if !is_new || self.root(link.parent) == link.child {
            return;
        }
        let Ok(index) = u32::try_from(self.runs.len()) else {
            return;
        };
        match self.parts.get_mut(&link.parent) {
            Some(parts) => {
                parts.count += 1;
                if let Some(last) = self.runs.get_mut(parts.last as usize) {
                    if last.goes_on_with(&link) {
                        last.count += 1;
                        self.children.insert(link.child);
                        return;
                    }
                    last.next = index;
                }
                parts.last = index;
            }
            None => {
                let parts = Parts {
                    first: index,
                    last: index,
                    count: 1,
                };
                self.parts.insert(link.parent, parts);
            }
        }
        self.runs.push(LinkRun {
            first: link.child,
            count: 1,
            parent: link.parent,
            next: END,
            edge: link.edge,
        });
        self.by_first.insert(link.child, index);
        self.children.insert(link.child);
    }

    /// Adds a link between two operations.
    pub fn add_side(&mut self, link: Link) {
        if link.child != link.parent {
            self.side.push(link);
        }
    }

    /// The link to the row that `child` is a part of.
    pub fn above(&self, child: u32) -> Option<Link> {
        let (first, index) = self.by_first.range(..=child).next_back()?;
        let run = self.runs.get(*index as usize)?;
        (child - first < run.count).then(|| run.link(child))
    }

    /// The links to the rows above one, the nearest first.
    pub fn ancestors(&self, row: u32) -> impl Iterator<Item = Link> {
        std::iter::successors(self.above(row), |link| self.above(link.parent)).take(MAX_DEPTH)
    }

    /// The row at the root of the operation that `row` is a part of.
    pub fn root(&self, row: u32) -> u32 {
        self.ancestors(row).last().map_or(row, |link| link.parent)
    }

    /// The parts of a row, in the order in which they were linked.
    pub fn parts(&self, row: u32) -> impl Iterator<Item = Link> {
        let run = |index: u32| self.runs.get(index as usize);
        let first = self.parts.get(&row).and_then(|parts| run(parts.first));
        std::iter::successors(first, move |before| run(before.next)).flat_map(LinkRun::links)
    }

    /// Returns the number of parts of a row.
    pub fn part_count(&self, row: u32) -> u32 {
        self.parts.get(&row).map_or(0, |parts| parts.count)
    }

    /// All links beneath a row: each before those beneath it, parts in the order of their rows.
    /// Those beneath the rows for which `is_folded` returns true are left out. The second number
    /// is the distance from the row.
    pub fn beneath(&self, row: u32, is_folded: impl Fn(u32) -> bool) -> Vec<(Link, u32)> {
        let mut all = Vec::new();
        let mut waiting: Vec<(Link, u32)> = Vec::new();
        let mut current = Some((row, 0));
        while let Some((row, depth)) = current {
            if !is_folded(row) {
                let from = waiting.len();
                waiting.extend(self.parts(row).map(|link| (link, depth + 1)));
                // The last one waiting comes next.
                if let Some(new) = waiting.get_mut(from..) {
                    new.sort_unstable_by_key(|(link, _)| std::cmp::Reverse(link.child));
                }
            }
            current = waiting.pop().map(|(link, depth)| {
                all.push((link, depth));
                (link.child, depth)
            });
        }
        all
    }

    /// The links from other operations to `row`.
    pub fn side_causes(&self, row: u32) -> impl Iterator<Item = Link> {
        self.side
            .iter()
            .filter(move |link| link.child == row)
            .copied()
    }

    /// The links from `row` to other operations.
    pub fn side_effects(&self, row: u32) -> impl Iterator<Item = Link> {
        self.side
            .iter()
            .filter(move |link| link.parent == row)
            .copied()
    }

    /// The links between one of `rows` and another operation.
    pub fn sides_of(&self, rows: &RoaringBitmap) -> impl Iterator<Item = Link> {
        self.side
            .iter()
            .filter(|link| rows.contains(link.child) != rows.contains(link.parent))
            .copied()
    }

    /// Forgets the rows before `first`. What was part of one of them stands at a root from now on.
    pub fn forget_before(&mut self, first: u32) {
        let is_kept = |link: &Link| link.child >= first && link.parent >= first;
        let mut kept = Self::default();
        for link in self.runs.iter().flat_map(LinkRun::links).filter(is_kept) {
            kept.add(link);
        }
        kept.side = std::mem::take(&mut self.side);
        kept.side.retain(is_kept);
        *self = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::{Certainty, EdgeKind};

    fn link(child: u32, parent: u32) -> Link {
        Link {
            child,
            parent,
            edge: Edge {
                kind: EdgeKind::Progress,
                certainty: Certainty::Sure,
            },
        }
    }

    fn links(pairs: &[(u32, u32)]) -> Links {
        let mut links = Links::default();
        for (child, parent) in pairs {
            links.add(link(*child, *parent));
        }
        links
    }

    fn rows(links: &Links, row: u32) -> Vec<(u32, u32)> {
        let all = links.beneath(row, |row| row == 4);
        all.iter()
            .map(|(link, depth)| (link.child, *depth))
            .collect()
    }

    #[test]
    fn a_tree_is_in_the_order_of_the_wire() {
        // The carrier of row 2 came before it.
        let links = links(&[(1, 2), (4, 2), (3, 2), (6, 4), (7, 3), (8, 9)]);
        assert_eq!(rows(&links, 2), [(1, 1), (3, 1), (7, 2), (4, 1)]);
        assert_eq!((links.root(7), links.root(2), links.root(50)), (2, 2, 50));
        assert_eq!(links.part_count(2), 3);
    }

    #[test]
    fn rows_that_follow_one_another_take_no_memory_each() {
        let pairs: Vec<(u32, u32)> = (10..1010).map(|child| (child, 1)).collect();
        let mut links = links(&pairs);
        assert_eq!((links.runs.len(), links.len()), (1, 1000));
        let log = Edge {
            kind: EdgeKind::Log,
            certainty: Certainty::Sure,
        };
        links.add(Link {
            edge: log,
            ..link(1010, 1)
        });
        links.add(link(1011, 2));
        links.add(link(1012, 1));
        assert_eq!((links.runs.len(), links.part_count(1)), (4, 1002));
        let parts: Vec<u32> = links.parts(1).map(|link| link.child).collect();
        assert_eq!(parts, (10..1011).chain([1012]).collect::<Vec<_>>());
        for (child, parent) in [(10, 1), (1009, 1), (1010, 1), (1011, 2), (1012, 1)] {
            assert_eq!(links.above(child).map(|link| link.parent), Some(parent));
        }
        assert_eq!(links.above(1010).map(|link| link.edge), Some(log));
        assert_eq!((links.above(9), links.above(1013)), (None, None));
        links.add(link(500, 3));
        assert_eq!(links.root(500), 1, "the first link counts");
    }

    #[test]
    fn a_row_is_part_of_one_other_and_never_of_itself() {
        let mut links = links(&[(2, 1), (3, 2), (3, 1), (1, 3), (5, 5)]);
        assert_eq!(links.above(3).map(|link| link.parent), Some(2));
        assert_eq!((links.root(1), links.above(5)), (1, None));
        links.forget_before(2);
        assert_eq!((links.above(2), links.root(3)), (None, 2));
        assert_eq!(links.children.iter().collect::<Vec<_>>(), [3]);
    }
}
