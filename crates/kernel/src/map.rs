//! Ordered maps that are lists within. What machines remember is small, and so is the code of a list: the standard's trees cost
//! the page kilobytes for each pair of types.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, DerefMut, Index};

use litemap::LiteMap;

/// A map in the order of its keys, with the methods of [`LiteMap`]. As text it is what the standard's maps are.
#[derive(Clone, PartialEq, Eq)]
pub struct Map<K, V>(LiteMap<K, V>);

impl<K, V> Map<K, V> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(LiteMap::new_vec())
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> Deref for Map<K, V> {
    type Target = LiteMap<K, V>;
    fn deref(&self) -> &LiteMap<K, V> {
        &self.0
    }
}

impl<K, V> DerefMut for Map<K, V> {
    fn deref_mut(&mut self) -> &mut LiteMap<K, V> {
        &mut self.0
    }
}

/// What is at a key that is known to be there.
impl<K: Borrow<Q> + Ord, V, Q: Ord + ?Sized> Index<&Q> for Map<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.0.get(key).expect("the key is in the map")
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = <&'a LiteMap<K, V> as IntoIterator>::IntoIter;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut Map<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = <&'a mut LiteMap<K, V> as IntoIterator>::IntoIter;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Traces have maps in them, and their digests are of that text.
    #[test]
    fn its_order_and_its_text_are_those_of_a_tree() {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        for (key, value) in [(3, "c"), (1, "a"), (2, "b"), (1, "again"), (9, "z")] {
            assert_eq!(map.insert(key, value), tree.insert(key, value));
        }
        assert_eq!(map.remove(&2), tree.remove(&2));
        assert_eq!(format!("{map:?} {map:#?}"), format!("{tree:?} {tree:#?}"));
    }
}
