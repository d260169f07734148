//! The partition: which submissions belong to which shard.
//!
//! Responsible for one pure function of costs and a number of shards, so that every host computes
//! the same partition without communication. Must not know how costs are determined.
//!
//! If it is balanced well enough, each shard is a contiguous part of the plan, so that a host needs
//! few problems. If single submissions are too large for that, the large ones are distributed
//! first, and the others then fill the shards in the order of the plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum cost of a shard, in percent of the mean, up to which neighbours stay together.
const BALANCED_PERCENT: u128 = 110;

/// A submission is large if it costs more than the mean of a shard divided by this number.
const LARGE_DIVISOR: u128 = 10;

/// A function that divides costs into a number of parts.
type Partitioner = fn(&[u128], usize) -> Vec<Vec<usize>>;

/// Returns for each shard the places of its submissions in the plan, in ascending order. Every
/// place is in exactly one shard; with more shards than submissions, some are empty. `shards` is at
/// least 1.
#[must_use]
pub fn partition(costs: &[u64], shards: usize) -> Vec<Vec<usize>> {
    // A submission that costs nothing still has to be started.
    let costs: Vec<u128> = costs
        .iter()
        .map(|cost| u128::from((*cost).max(1)))
        .collect();
    let shards = shards.max(1);
    let total: u128 = costs.iter().sum();
    // The first two keep neighbours together, the third one balances best. The first result that is
    // balanced well enough is used.
    let candidates: [Partitioner; 3] = [by_midpoint, by_min_maximum, large_ones_first];
    let mut best: Option<(u128, Vec<Vec<usize>>)> = None;
    for candidate in candidates {
        let parts = candidate(&costs, shards);
        let largest = largest(&costs, &parts);
        // Integers, because the rounding of fractions could differ between hosts, and every host
        // must compute the same partition.
        if largest * 100 * shards as u128 <= BALANCED_PERCENT * total {
            return parts;
        }
        if best
            .as_ref()
            .is_none_or(|(smallest, _)| largest < *smallest)
        {
            best = Some((largest, parts));
        }
    }
    best.map(|(_, parts)| parts).unwrap_or_default()
}

fn largest(costs: &[u128], parts: &[Vec<usize>]) -> u128 {
    parts
        .iter()
        .map(|part| part.iter().map(|place| costs[*place]).sum())
        .max()
        .unwrap_or(0)
}

/// Contiguous parts of the plan: a submission belongs to the shard whose share of the total
/// contains its middle.
fn by_midpoint(costs: &[u128], shards: usize) -> Vec<Vec<usize>> {
    let total: u128 = costs.iter().sum();
    let mut parts = vec![Vec::new(); shards];
    let mut before = 0;
    for (place, cost) in costs.iter().enumerate() {
        // Doubled, so that the middle of a submission is an integer.
        let shard = (2 * before + cost) * shards as u128 / (2 * total);
        parts[(shard as usize).min(shards - 1)].push(place);
        before += cost;
    }
    parts
}

/// Contiguous parts of the plan, such that the largest one costs as little as possible.
fn by_min_maximum(costs: &[u128], shards: usize) -> Vec<Vec<usize>> {
    let within = |max: u128| {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new()];
        let mut load = 0;
        for (place, cost) in costs.iter().enumerate() {
            if load + cost > max {
                parts.push(Vec::new());
                load = 0;
            }
            load += cost;
            parts.last_mut().expect("at least one part").push(place);
        }
        parts
    };
    // Bisection over the largest cost of a shard: one scan of the plan decides whether a maximum
    // suffices.
    let (mut low, mut high) = (costs.iter().copied().max().unwrap_or(0), costs.iter().sum());
    while low < high {
        let middle = low + (high - low) / 2;
        if within(middle).len() <= shards {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let mut parts = within(low);
    parts.resize(shards, Vec::new());
    parts
}

/// Puts each large submission, from the largest to the smallest, into the shard with the lowest
/// load; then the others in the order of the plan, so that every shard is filled up to the same
/// level.
fn large_ones_first(costs: &[u128], shards: usize) -> Vec<Vec<usize>> {
    let total: u128 = costs.iter().sum();
    let is_large = |place: &usize| costs[*place] * LARGE_DIVISOR * shards as u128 > total;
    let (mut large, small): (Vec<usize>, Vec<usize>) = (0..costs.len()).partition(is_large);
    // The place decides between equal costs, so that the order is the same on every host.
    large.sort_by_key(|place| (Reverse(costs[*place]), *place));
    let mut parts = vec![Vec::new(); shards];
    let mut loads: BinaryHeap<_> = (0..shards).map(|shard| Reverse((0_u128, shard))).collect();
    for place in large {
        let Reverse((load, shard)) = loads.pop().expect("at least one shard");
        parts[shard].push(place);
        loads.push(Reverse((load + costs[place], shard)));
    }
    let mut room = vec![0; shards];
    for Reverse((load, shard)) in loads {
        room[shard] = load;
    }
    // The large ones leave uneven loads. The small ones fill every shard up to the same level, in
    // the order of the plan.
    let rooms = rooms_below_level(&room, small.iter().map(|place| costs[*place]).sum());
    let (mut shard, mut end, mut before) = (0, rooms[0], 0);
    for place in small {
        while 2 * before + costs[place] > 2 * end && shard + 1 < shards {
            shard += 1;
            end += rooms[shard];
        }
        parts[shard].push(place);
        before += costs[place];
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts
}

/// The room of each shard below the common level up to which `amount` fills the shards. The rooms
/// add up to `amount`, except for rounding.
fn rooms_below_level(loads: &[u128], amount: u128) -> Vec<u128> {
    let mut sorted = loads.to_vec();
    sorted.sort_unstable();
    let (mut level, mut sum) = (0, 0);
    for (count, load) in (1..).zip(&sorted) {
        sum += load;
        level = (sum + amount) / count;
        if sorted
            .get(usize::try_from(count).unwrap_or(usize::MAX))
            .is_none_or(|next| level <= *next)
        {
            break;
        }
    }
    loads
        .iter()
        .map(|load| level.saturating_sub(*load))
        .collect()
}

#[cfg(test)]
#[path = "partition_tests.rs"]
mod tests;
