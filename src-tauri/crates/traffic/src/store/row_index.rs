//! Indexes the rows on record by position.
//!
//! Positions only count up. Retention removes the oldest, and a failing disk may have lost some in
//! the middle.

use roaring::RoaringBitmap;

/// The positions of the rows on record. Pages count rows from the newest; the index turns such a
/// count into a position without reading any row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowIndex {
    /// The oldest row.
    pub first: u32,
    /// The row after the newest.
    pub next: u32,
    /// Rows between those two that were lost, as first and last, in order.
    pub gaps: Vec<(u32, u32)>,
}

impl RowIndex {
    pub fn starting_at(first: u32) -> Self {
        Self {
            first,
            next: first,
            gaps: Vec::new(),
        }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> u32 {
        let lost: u32 = self.gaps.iter().map(|(first, last)| last - first + 1).sum();
        (self.next - self.first).saturating_sub(lost)
    }

    /// The position of the row that `offset` newer ones follow.
    pub fn nth_newest(&self, offset: u32) -> Option<u32> {
        let mut position = self.next.checked_sub(1)?.checked_sub(offset)?;
        for (first, last) in self.gaps.iter().rev() {
            if position > *last {
                break;
            }
            position = position.checked_sub(last - first + 1)?;
        }
        (position >= self.first).then_some(position)
    }

    /// The same rows without those after `last`.
    pub fn until(&self, last: u32) -> Self {
        let mut row_index = self.clone();
        row_index.next = row_index
            .next
            .min(last.saturating_add(1))
            .max(row_index.first);
        row_index.gaps.retain(|gap| gap.0 < row_index.next);
        if let Some(gap) = row_index.gaps.last_mut() {
            gap.1 = gap.1.min(row_index.next - 1);
        }
        row_index
    }

    /// Forgets the rows before `first`.
    pub fn advance(&mut self, first: u32) {
        self.first = self.first.max(first).min(self.next);
        self.gaps.retain(|gap| gap.1 >= self.first);
        if let Some(gap) = self.gaps.first_mut() {
            gap.0 = gap.0.max(self.first);
            if gap.0 == self.first {
                self.first = gap.1 + 1;
                self.gaps.remove(0);
            }
        }
    }

    /// Takes rows out, wherever they stand.
    pub fn remove(&mut self, rows: &RoaringBitmap) {
        let mut gone = rows.clone();
        for (first, last) in &self.gaps {
            gone.insert_range(*first..=*last);
        }
        gone.remove_range(..self.first);
        gone.remove_range(self.next..);
        self.gaps.clear();
        for row in gone {
            match self.gaps.last_mut() {
                Some(gap) if gap.1 + 1 == row => gap.1 = row,
                _ => self.gaps.push((row, row)),
            }
        }
        self.advance(self.first);
    }

    /// Says that the rows from `first` to `last` are lost.
    pub fn lose(&mut self, first: u32, last: u32) {
        if first > last {
            return;
        }
        match self.gaps.last_mut() {
            Some(gap) if gap.1 + 1 >= first => gap.1 = gap.1.max(last),
            _ => self.gaps.push((first, last)),
        }
        self.advance(self.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(row_index: &RowIndex) -> Vec<u32> {
        (0..row_index.count())
            .filter_map(|offset| row_index.nth_newest(offset))
            .collect()
    }

    #[test]
    fn rows_are_counted_from_the_newest() {
        let row_index = RowIndex {
            first: 5,
            next: 9,
            gaps: Vec::new(),
        };
        assert_eq!(listed(&row_index), [8, 7, 6, 5]);
        assert_eq!(row_index.nth_newest(4), None);
        assert_eq!(listed(&row_index.until(6)), [6, 5]);
        assert_eq!(listed(&row_index.until(3)), [0; 0]);
    }

    #[test]
    fn rows_are_taken_out_wherever_they_stand() {
        let mut row_index = RowIndex {
            first: 1,
            next: 11,
            gaps: vec![(4, 5)],
        };
        row_index.remove(&[1, 3, 6, 9, 40].into());
        assert_eq!(listed(&row_index), [10, 8, 7, 2]);
        assert_eq!(row_index.first, 2);
    }

    #[test]
    fn lost_rows_are_stepped_over() {
        let mut row_index = RowIndex {
            first: 1,
            next: 11,
            gaps: Vec::new(),
        };
        row_index.lose(3, 4);
        row_index.lose(5, 5);
        row_index.lose(8, 8);
        assert_eq!(listed(&row_index), [10, 9, 7, 6, 2, 1]);
        assert_eq!(listed(&row_index.until(8)), [7, 6, 2, 1]);
        assert_eq!(listed(&row_index.until(4)), [2, 1]);
        row_index.advance(4);
        assert_eq!(listed(&row_index), [10, 9, 7, 6]);
        row_index.advance(99);
        assert_eq!(row_index.count(), 0);
    }
}
