//! A map that holds a bounded number of entries and forgets the oldest.

use std::{
    borrow::Borrow,
    hash::{Hash, RandomState},
};

use hashlink::LinkedHashMap;

/// Entries by key, the newest of them, in the order of their first insertion.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    // The hasher of the standard library, since keys may be chosen by a server.
    entries: LinkedHashMap<K, V, RandomState>,
    limit: usize,
}

impl<K: Eq + Hash, V> Recent<K, V> {
    /// Makes a map of at most `limit` entries.
    pub fn new(limit: usize) -> Self {
        Self {
            entries: LinkedHashMap::with_hasher(RandomState::new()),
            limit,
        }
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.entries.replace(key, value);
        if self.entries.len() > self.limit {
            self.entries.pop_front();
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
        assert_eq!((recent.get(&3), recent.len()), (Some(&1), 3));
    }
}
