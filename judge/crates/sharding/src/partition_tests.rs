//! Tests of the partition, most of them for arbitrary costs.

use proptest::prelude::*;

use super::*;

fn loads(costs: &[u64], parts: &[Vec<usize>]) -> Vec<u64> {
    parts
        .iter()
        .map(|part| part.iter().map(|place| costs[*place].max(1)).sum())
        .collect()
}

/// The largest shard over the mean.
fn balance(costs: &[u64], parts: &[Vec<usize>]) -> f64 {
    let loads = loads(costs, parts);
    *loads.iter().max().unwrap() as f64 * loads.len() as f64 / loads.iter().sum::<u64>() as f64
}

fn is_contiguous(parts: &[Vec<usize>]) -> bool {
    let order: Vec<usize> = parts.iter().flatten().copied().collect();
    order.is_sorted()
}

/// Pseudorandom numbers that are the same on every host (xorshift).
fn random_numbers(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

proptest! {
    #[test]
    fn every_submission_is_in_exactly_one_shard(costs: Vec<u32>, shards in 1_usize..70) {
        let costs: Vec<u64> = costs.into_iter().map(u64::from).collect();
        let parts = partition(&costs, shards);
        prop_assert_eq!(parts.len(), shards);
        let mut places: Vec<usize> = parts.iter().flatten().copied().collect();
        places.sort_unstable();
        prop_assert_eq!(places, (0..costs.len()).collect::<Vec<_>>());
        prop_assert!(parts.iter().all(|part| part.is_sorted()));
        prop_assert_eq!(parts, partition(&costs, shards));
    }

    #[test]
    fn small_submissions_are_kept_together(costs in prop::collection::vec(900_u64..1100, 400..800), shards in 1_usize..8) {
        let parts = partition(&costs, shards);
        prop_assert!(is_contiguous(&parts));
        prop_assert!(balance(&costs, &parts) <= 1.1);
    }

    /// No shard exceeds the mean by more than a tenth, unless large submissions force it: a single
    /// one, or two that must share a shard.
    #[test]
    fn only_indivisible_submissions_make_a_shard_large(
        small in prop::collection::vec(1_u64..50, 200..400),
        large in prop::collection::vec(200_u64..1500, 0..12),
        shards in 1_usize..12,
    ) {
        let costs: Vec<u64> = large.iter().chain(&small).copied().collect();
        let parts = partition(&costs, shards);
        let mean = costs.iter().sum::<u64>() as f64 / shards as f64;
        let largest = loads(&costs, &parts).into_iter().max().unwrap() as f64;
        let mut alone = vec![0_u64; shards];
        let mut sorted = large;
        sorted.sort_unstable_by_key(|cost| Reverse(*cost));
        for cost in sorted {
            *alone.iter_mut().min().unwrap() += cost;
        }
        let indivisible = *alone.iter().max().unwrap() as f64;
        let largest_small = *small.iter().max().unwrap() as f64;
        prop_assert!(largest <= (mean * 1.1).max(indivisible) + largest_small, "{largest} over {mean}");
    }
}

/// A skewed archive: a few submissions take a hundred times as long as most others.
#[test]
fn skewed_archives_are_balanced_with_known_durations() {
    for seed in 1..=40 {
        for (submissions, shards) in [(2000, 16), (500, 16), (10_000, 64), (300, 7)] {
            // Pareto with a heavy tail, in the order of the plan; none larger than the mean of a
            // shard.
            let mut costs: Vec<f64> = random_numbers(seed * 7919)
                .take(submissions)
                .map(|uniform| (1.0 - uniform).powf(-0.8))
                .collect();
            for _ in 0..100 {
                let mean = costs.iter().sum::<f64>() / shards as f64;
                costs.iter_mut().for_each(|cost| *cost = cost.min(mean));
            }
            let costs: Vec<u64> = costs.iter().map(|cost| (cost * 1e4) as u64).collect();
            let parts = partition(&costs, shards);
            let balance = balance(&costs, &parts);
            assert!(
                balance <= 1.1,
                "seed {seed}, {submissions} in {shards}: {balance}"
            );
        }
    }
}

#[test]
fn neighbours_are_separated_only_if_it_helps() {
    // Six large ones of equal size in four shards: in any partition, two of them share one.
    let parts = partition(&[100; 6], 4);
    assert!(is_contiguous(&parts), "{parts:?}");
    assert_eq!(loads(&[100; 6], &parts).into_iter().max(), Some(200));
    // Two large ones side by side, and small ones: they go to different shards.
    let costs: Vec<u64> = [90, 90].into_iter().chain([1; 60]).collect();
    let parts = partition(&costs, 2);
    assert_eq!(loads(&costs, &parts), [120, 120]);
}

#[test]
fn surplus_shards_are_empty() {
    assert_eq!(partition(&[5, 5], 4).iter().map(Vec::len).sum::<usize>(), 2);
    assert_eq!(partition(&[], 3), vec![Vec::<usize>::new(); 3]);
    assert_eq!(partition(&[0, 0], 1), [[0, 1]]);
}
