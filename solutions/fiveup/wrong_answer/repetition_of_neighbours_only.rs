//! Wrong answer: compares each bone only with the one before it.
//!
//! A bone may be repeated later.

use std::collections::HashSet;
use std::io;

type Bone = (u64, u64);

/// For one value: the number of slots (as a bound on uses) after each bone that has this value.
fn slots_of(value: u64, bones: &[Bone]) -> Option<Vec<(usize, i64)>> {
    let mut slots: Vec<(usize, i64)> = Vec::new();
    let mut sides = 0;
    for (time, &(a, b)) in bones.iter().enumerate() {
        if a != value && b != value {
            continue;
        }
        match (time, a == b) {
            (0, true) => sides = 4,
            (0, false) => sides = 1,
            (_, true) if sides == 0 => return None,
            (_, true) => {
                slots.push((time, (sides - 1) / 2));
                sides += 2;
            }
            (_, false) => {
                sides += 1;
                slots.push((time, sides / 2));
            }
        }
    }
    for k in (1..slots.len()).rev() {
        slots[k - 1].1 = slots[k - 1].1.min(slots[k].1);
    }
    Some(slots)
}

struct Matching {
    /// The slots that each bone may take.
    choices: Vec<Vec<usize>>,
    owner: Vec<Option<usize>>,
    visited: Vec<bool>,
}

impl Matching {
    /// Finds a slot for the bone: a free one, or one whose owner can move.
    fn seat(&mut self, bone: usize) -> bool {
        let free = |&&slot: &&usize| self.owner[slot].is_none();
        if let Some(&slot) = self.choices[bone].iter().find(free) {
            self.owner[slot] = Some(bone);
            return true;
        }
        for i in 0..self.choices[bone].len() {
            let slot = self.choices[bone][i];
            let visited = std::mem::replace(&mut self.visited[slot], true);
            if !visited && self.owner[slot].is_some_and(|owner| self.seat(owner)) {
                self.owner[slot] = Some(bone);
                return true;
            }
        }
        false
    }
}

fn is_legal(bones: &[Bone]) -> bool {
    let sorted = |(a, b): Bone| (a.min(b), a.max(b));
    if bones.windows(2).any(|pair| sorted(pair[0]) == sorted(pair[1])) {
        return false;
    }
    let mut numbered = HashSet::new();
    let mut choices = vec![Vec::new(); bones.len()];
    let mut count = 0;
    for value in bones.iter().flat_map(|&(a, b)| vec![a, b]) {
        if !numbered.insert(value) {
            continue;
        }
        let Some(slots) = slots_of(value, bones) else {
            return false;
        };
        for &(time, available) in &slots {
            if bones[time].0 != bones[time].1 {
                choices[time].extend(count..count + available as usize);
            }
        }
        count += slots.last().map_or(0, |&(_, available)| available as usize);
    }
    let mut matching = Matching { choices, owner: vec![None; count], visited: Vec::new() };
    (1..bones.len()).all(|bone| {
        matching.visited = vec![false; count];
        bones[bone].0 == bones[bone].1 || matching.seat(bone)
    })
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
