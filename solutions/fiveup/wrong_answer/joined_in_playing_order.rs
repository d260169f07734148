//! Wrong answer: joins each bone to the one that was played just before, as in the example `6-6 6-5 5-3 3-0`.
//!
//! A bone may be joined to any open side of the table.

use std::collections::HashSet;
use std::io;

type Bone = (u64, u64);

/// Returns true if the bones form a chain that begins with an open end of this value.
fn is_chain(mut end: u64, bones: &[Bone]) -> bool {
    bones.iter().all(|&(a, b)| {
        let fits = a == end || b == end;
        end = if a == end { b } else { a };
        fits
    })
}

fn is_legal(bones: &[Bone]) -> bool {
    let mut seen = HashSet::new();
    let different = bones.iter().all(|&(a, b)| seen.insert((a.min(b), a.max(b))));
    different && (is_chain(bones[0].0, &bones[1..]) || is_chain(bones[0].1, &bones[1..]))
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
