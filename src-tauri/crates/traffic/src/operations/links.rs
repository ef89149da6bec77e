//! Keeps links by child and by parent, in bounded memory.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use roaring::RoaringBitmap;

use super::{Certainty, Edge, EdgeKind};

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
#[derive(Debug, Default)]
pub(crate) struct Links {
    links: Vec<Linked>,
    by_child: RowMap<u32>,
    parts: RowMap<Parts>,
    /// All rows that are part of another.
    pub children: RoaringBitmap,
    /// Links between operations.
    side: Vec<Link>,
}

/// A map by the positions of rows. Those are numbered on by the record, so that nobody can choose
/// them to collide.
type RowMap<T> = HashMap<u32, T, BuildHasherDefault<RowHasher>>;

/// Spreads numbers that follow one another (Fibonacci hashing).
#[derive(Debug, Default)]
struct RowHasher(u64);

impl Hasher for RowHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[derive(Debug, Clone, Copy)]
struct Linked {
    child: u32,
    parent: u32,
    /// Index of the next part of the same parent.
    next: u32,
    kind: EdgeKind,
    certainty: Certainty,
}

/// The first and the last part of a row, by their indexes.
#[derive(Debug, Clone, Copy)]
struct Parts {
    first: u32,
    last: u32,
    count: u32,
}

impl Linked {
    fn link(&self) -> Link {
        Link {
            child: self.child,
            parent: self.parent,
            edge: Edge {
                kind: self.kind,
                certainty: self.certainty,
            },
        }
    }
}

impl Links {
    /// Returns the number of links.
    pub fn len(&self) -> usize {
        self.links.len() + self.side.len()
    }

    /// Adds a part of a row. The first link of a row counts, and none may lead back to itself.
    pub fn add(&mut self, link: Link) {
        let is_new = !self.by_child.contains_key(&link.child);
        if !is_new || self.root(link.parent) == link.child {
            return;
        }
        let Ok(index) = u32::try_from(self.links.len()) else {
            return;
        };
        match self.parts.get_mut(&link.parent) {
            Some(parts) => {
                if let Some(last) = self.links.get_mut(parts.last as usize) {
                    last.next = index;
                }
                parts.last = index;
                parts.count += 1;
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
        self.links.push(Linked {
            child: link.child,
            parent: link.parent,
            next: END,
            kind: link.edge.kind,
            certainty: link.edge.certainty,
        });
        self.by_child.insert(link.child, index);
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
        let index = self.by_child.get(&child)?;
        self.links.get(*index as usize).map(Linked::link)
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
        let linked = |index: u32| self.links.get(index as usize);
        let first = self.parts.get(&row).and_then(|parts| linked(parts.first));
        std::iter::successors(first, move |link| linked(link.next)).map(Linked::link)
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
        for link in self.links.iter().map(Linked::link).filter(is_kept) {
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
    fn a_row_is_part_of_one_other_and_never_of_itself() {
        let mut links = links(&[(2, 1), (3, 2), (3, 1), (1, 3), (5, 5)]);
        assert_eq!(links.above(3).map(|link| link.parent), Some(2));
        assert_eq!((links.root(1), links.above(5)), (1, None));
        links.forget_before(2);
        assert_eq!((links.above(2), links.root(3)), (None, 2));
        assert_eq!(links.children.iter().collect::<Vec<_>>(), [3]);
    }
}
