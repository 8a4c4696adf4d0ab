//! Sorting, compiled once: the standard library's sorts are several kilobytes of WASM for every type.

use std::cmp::Ordering;

/// Puts a list in order. What compares equal stays in the order in which it stood.
pub(crate) fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..list.len()).collect();
    positions(&mut order, &|a, b| compare(&list[a], &list[b]));
    let mut goes_to = vec![0; order.len()];
    for (to, from) in order.into_iter().enumerate() {
        goes_to[from] = to;
    }
    for i in 0..list.len() {
        while goes_to[i] != i {
            let to = goes_to[i];
            list.swap(i, to);
            goes_to.swap(i, to);
        }
    }
}

/// As [`sort_by`], by a key.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// The positions of some keys, in the keys' order.
pub(crate) fn sorted(keys: impl Iterator<Item = (u64, u64)>) -> Vec<usize> {
    let keys: Vec<_> = keys.collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    positions(&mut order, &|a, b| keys[a].cmp(&keys[b]));
    order
}

#[inline(never)]
fn positions(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut seed = 7u64;
        for n in 0..60 {
            let mut list: Vec<(u64, usize)> = (0..n)
                .map(|i| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                    (seed >> 61, i)
                })
                .collect();
            let by_position = sorted(list.iter().map(|(k, _)| (*k, 0)));
            let mut want = list.clone();
            want.sort_by_key(|(k, _)| *k);
            assert_eq!(
                by_position,
                want.iter().map(|(_, i)| *i).collect::<Vec<_>>()
            );
            sort_by_key(&mut list, |(k, _)| *k);
            assert_eq!(list, want);
        }
    }
}
