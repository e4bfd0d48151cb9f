//! Sorting, compiled once. The standard sort is generic in what it sorts, and each type costs kilobytes of the page; from here
//! it sorts places alone.

use std::cmp::Ordering;

/// Sorts by a key; items with the same key stay in the order in which they were.
pub fn by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let sorted = places(items.len(), &|a, b| key(&items[a]).cmp(&key(&items[b])));
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(sorted.into_iter().filter_map(|place| taken[place].take()));
}

fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_same_keys_stay_in_order() {
        let mut words = vec!["pear", "fig", "plum", "kiwi", "nut", "apple"];
        super::by_key(&mut words, |word| word.len());
        assert_eq!(words, ["fig", "nut", "pear", "plum", "kiwi", "apple"]);
    }
}
