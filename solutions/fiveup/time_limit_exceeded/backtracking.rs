//! Time limit exceeded: tries both ends of every bone, depth first.
//!
//! Correct, but k bones that fit in two places and a dead end after them cost 2^k steps.

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

fn can_finish(open: &mut Open, rest: &[Bone]) -> bool {
    let Some((&(a, b), rest)) = rest.split_first() else {
        return true;
    };
    (is_open(open, a) && can_finish_with(open, a, b, rest))
        || (a != b && is_open(open, b) && can_finish_with(open, b, a, rest))
}

/// Tries one end of a bone, and takes the bone back if that does not lead to a solution.
fn can_finish_with(open: &mut Open, used: u64, other: u64, rest: &[Bone]) -> bool {
    play(open, used, other);
    if can_finish(open, rest) {
        return true;
    }
    *open.entry(other).or_default() -= if used == other { 3 } else { 1 };
    *open.entry(used).or_default() += 1;
    false
}

fn is_legal(bones: &[Bone]) -> bool {
    !has_repetition(bones) && can_finish(&mut first_sides(bones[0]), &bones[1..])
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
