//! Wrong answer: tracks reachable multisets of open sides, but only the first 16 of them.
//!
//! Enough for family dominoes; five independent bones that fit in two places are too many.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

type Bone = (u64, u64);
/// The number of open sides of every value.
type Open = Vec<u16>;

const WIDTH: usize = 16;

fn has_repetition(bones: &[Bone]) -> bool {
    let mut seen = HashSet::new();
    !bones.iter().all(|&(a, b)| seen.insert((a.min(b), a.max(b))))
}

/// The bones with their values numbered in the order of appearance.
fn numbered(bones: &[Bone]) -> Vec<(usize, usize)> {
    let mut ids = HashMap::new();
    let mut id = |value| {
        let next = ids.len();
        *ids.entry(value).or_insert(next)
    };
    bones.iter().map(|&(a, b)| (id(a), id(b))).collect()
}

fn after(open: &Open, used: usize, other: usize) -> Option<Open> {
    if open[used] == 0 {
        return None;
    }
    let mut open = open.clone();
    open[used] -= 1;
    open[other] += if used == other { 3 } else { 1 };
    Some(open)
}

fn is_legal(bones: &[Bone]) -> bool {
    if has_repetition(bones) {
        return false;
    }
    let bones = numbered(bones);
    let size = bones.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
    let mut first = vec![0; size];
    first[bones[0].0] += if bones[0].0 == bones[0].1 { 3 } else { 1 };
    first[bones[0].1] += 1;
    let mut beam = BTreeSet::from([first]);
    for &(a, b) in &bones[1..] {
        let mut next = BTreeSet::new();
        for open in &beam {
            next.extend(after(open, a, b));
            next.extend(after(open, b, a));
        }
        beam = next.into_iter().take(WIDTH).collect();
    }
    !beam.is_empty()
}

fn parse(line: &str) -> Vec<Bone> {
    line.split(' ')
        .filter_map(|bone| bone.split_once('-'))
        .map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()))
        .collect()
}

fn main() {
    for line in io::stdin().lines() {
        println!("{}", is_legal(&parse(&line.unwrap())));
    }
}
