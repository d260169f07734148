//! Time limit exceeded: tracks every multiset of open sides that some choice of ends reaches.
//!
//! Correct, and equal multisets are merged (the list stays free of duplicates), but k independent
//! bones that fit in two places still lead to 2^k different multisets.

use std::collections::{HashMap, HashSet};
use std::io;

type Bone = (u64, u64);
/// The values of the open sides in ascending order, as often as they are open.
type Open = Vec<u16>;

fn has_repetition(bones: &[Bone]) -> bool {
    let mut seen = HashSet::new();
    !bones.iter().all(|&(a, b)| seen.insert((a.min(b), a.max(b))))
}

/// The bones with their values numbered in the order of appearance.
fn numbered(bones: &[Bone]) -> Vec<(u16, u16)> {
    let mut ids = HashMap::new();
    let mut id = |value| {
        let next = ids.len() as u16;
        *ids.entry(value).or_insert(next)
    };
    bones.iter().map(|&(a, b)| (id(a), id(b))).collect()
}

/// The position after a bone has been joined by its end `used`, if such a side is open.
fn after(open: &Open, used: u16, other: u16) -> Option<Open> {
    let place = open.binary_search(&used).ok()?;
    let mut open = open.clone();
    open.remove(place);
    for _ in 0..if used == other { 3 } else { 1 } {
        let place = open.partition_point(|&side| side < other);
        open.insert(place, other);
    }
    Some(open)
}

fn is_legal(bones: &[Bone]) -> bool {
    if has_repetition(bones) {
        return false;
    }
    let bones = numbered(bones);
    let (a, b) = bones[0];
    let mut positions = vec![if a == b { vec![a; 4] } else { vec![a, b] }];
    for &(a, b) in &bones[1..] {
        let mut next = Vec::new();
        for position in &positions {
            for (used, other) in [(a, b), (b, a)].iter() {
                if let Some(open) = after(position, *used, *other) {
                    if !next.contains(&open) {
                        next.push(open);
                    }
                }
            }
        }
        positions = next;
    }
    !positions.is_empty()
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
