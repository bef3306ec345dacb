//! A shuffled list may be longer than the given one: then it goes on with another order of all items, and so on, so that
//! no item is more than once ahead of another.

use crate::draw::Draw;

/// `count` items in a random order.
pub fn shuffled<T: Clone>(items: &[T], count: usize, draw: &mut impl Draw) -> Vec<T> {
    let mut results = Vec::new();
    while results.len() < count && !items.is_empty() {
        let order = draw.permutation(items.len()).into_iter().filter_map(|place| items.get(place).cloned());
        results.extend(order.take(count - results.len()));
    }
    results
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{entropy::Entropy, go_rand::Stream};

    /// The items and counts that [`NATIVE`] was made from.
    const LISTS: [(&str, usize); 4] = [("abc", 3), ("abcd", 2), ("abcde", 12), ("abcdefghij", 10)];

    /// What the native provider 4.22.0 created as `RandomShuffle` of each seed and list.
    const NATIVE: [(&str, [&str; 4]); 6] = [
        ("a", ["cba", "cb", "ebadcdbeacdc", "ebjdcahgfi"]),
        ("0", ["bac", "da", "decbaacdbebd", "decijbhfga"]),
        ("12345", ["bca", "dc", "ecabdabedcda", "efaghcijbd"]),
        ("my-seed", ["abc", "db", "dbcaebedaced", "dbciefjgah"]),
        ("Grüße", ["acb", "ac", "ecdbaaebcdbc", "fjibgeadhc"]),
        ("a much longer seed, with spaces and commas", ["abc", "ab", "abcdeaecbdbe", "abcfidjehg"]),
    ];

    #[test]
    fn seeds_give_what_the_native_provider_gives() {
        for (seed, results) in NATIVE {
            for ((items, count), expected) in LISTS.into_iter().zip(results) {
                let items: Vec<char> = items.chars().collect();
                let result: String = shuffled(&items, count, &mut Stream::new(seed)).into_iter().collect();
                assert_eq!(result, expected, "seed {seed:?}, {count} of {items:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_run_through_the_list_holds_every_item(length in 1_usize..20, count in 0_usize..60) {
            let items: Vec<usize> = (0..length).collect();
            let results = shuffled(&items, count, &mut Entropy::new().unwrap());
            prop_assert_eq!(results.len(), count);
            for run in results.chunks_exact(length) {
                let mut run = run.to_vec();
                run.sort_unstable();
                prop_assert_eq!(&run, &items);
            }
        }
    }

    #[test]
    fn nothing_can_be_drawn_from_an_empty_list() {
        assert_eq!(shuffled::<char>(&[], 4, &mut Stream::new("a")), []);
    }
}
