//! Wrong answer: joins every bone by the end written first if that fits, and never reconsiders.
//!
//! Fails when a bone fits in two places and the end written second is the one to use.

use std::collections::{HashMap, HashSet};
use std::io;

type Bone = (u64, u64);
type Open = HashMap<u64, u32>;

fn has_repetition(bones: &[Bone]) -> bool {
    let mut seen = HashSet::new();
    !bones.iter().all(|&(a, b)| seen.insert((a.min(b), a.max(b))))
}

fn first_sides((a, b): Bone) -> Open {
    if a == b {
        return Open::from([(a, 4)]);
    }
    Open::from([(a, 1), (b, 1)])
}

fn is_open(open: &Open, value: u64) -> bool {
    open.get(&value).is_some_and(|&sides| sides > 0)
}

/// Joins a bone by its end `used`; the caller has seen that such a side is open.
fn play(open: &mut Open, used: u64, other: u64) {
    *open.entry(used).or_default() -= 1;
    *open.entry(other).or_default() += if used == other { 3 } else { 1 };
}

fn is_legal(bones: &[Bone]) -> bool {
    if has_repetition(bones) {
        return false;
    }
    let mut open = first_sides(bones[0]);

    for &(a, b) in &bones[1..] {
        if is_open(&open, a) {
            play(&mut open, a, b);
        } else if is_open(&open, b) {
            play(&mut open, b, a);
        } else {
            return false;
        }
    }

    true
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
