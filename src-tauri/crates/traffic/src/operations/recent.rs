//! A map that holds a bounded number of entries and forgets the oldest.

use std::{
    borrow::Borrow,
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// Entries by key, the newest of them.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    entries: HashMap<K, V>,
    /// Keys in the order of their first insertion.
    order: VecDeque<K>,
    limit: usize,
}

impl<K: Clone + Eq + Hash, V> Recent<K, V> {
    /// Makes a map of at most `limit` entries.
    pub fn new(limit: usize) -> Self {
        Self {
            entries: HashMap::new(),
            order: VecDeque::new(),
            limit,
        }
    }

    pub fn insert(&mut self, key: K, value: V) {
        if self.entries.insert(key.clone(), value).is_some() {
            return;
        }
        self.order.push_back(key);
        while self.entries.len() > self.limit {
            match self.order.pop_front() {
                Some(oldest) => self.entries.remove(&oldest),
                None => break,
            };
        }
    }

    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key)
    }

    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.entries.get_mut(key)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten() {
        let mut recent = Recent::new(3);
        for number in 0..5 {
            recent.insert(number, number * 10);
        }
        assert_eq!((recent.get(&1), recent.get(&2)), (None, Some(&20)));
        assert_eq!(recent.len(), 3);
        recent.insert(3, 1);
        assert_eq!((recent.get(&3), recent.order.len()), (Some(&1), 3));
    }
}
