//! Wrong answer: a later double leaves two more sides open instead of three.
//!
//! The side by which it is joined is subtracted twice, as if the double lay in the line and could not
//! fork to both sides. Everything else is the accepted matching.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read};

type Bone = (u64, u64);

/// A bone that is not a double, with its position in the event list of each of its two values.
struct Choice {
    value: [usize; 2],
    position: [usize; 2],
    charged: Option<usize>,
}

/// The state of one value during the game.
#[derive(Default)]
struct Value {
    /// Choices that involve this value, in playing order, and which side of the choice it is.
    events: Vec<(usize, usize)>,
    /// `bound[k]`: how many of the events `0..=k` may be charged to this value.
    bound: Vec<i64>,
    /// `used[k]`: how many of the events `0..=k` are charged to this value.
    used: Vec<i64>,
    /// Sides of this value that would be open if nothing had been charged to it.
    supply: i64,
}

impl Value {
    /// Lowers the latest bound; false if the value needs a side that it never had.
    fn restrict(&mut self, bound: i64) -> bool {
        if let Some(last) = self.bound.last_mut() {
            *last = (*last).min(bound);
        }
        bound >= 0
    }

    /// A bound on a prefix also holds for every shorter prefix.
    fn close_bounds(&mut self) {
        for k in (1..self.bound.len()).rev() {
            self.bound[k - 1] = self.bound[k - 1].min(self.bound[k]);
        }
        self.used = vec![0; self.bound.len()];
    }
}

struct Game {
    values: Vec<Value>,
    choices: Vec<Choice>,
}

impl Game {
    /// Collects the events and bounds of all values; `None` if some double never finds a side.
    fn new(bones: &[Bone]) -> Option<Game> {
        let mut ids = HashMap::new();
        let mut game = Game { values: Vec::new(), choices: Vec::new() };
        for (time, &(a, b)) in bones.iter().enumerate() {
            let ends = [game.id(&mut ids, a), game.id(&mut ids, b)];
            if time == 0 {
                game.values[ends[0]].supply += if a == b { 4 } else { 1 };
                game.values[ends[1]].supply += if a == b { 0 } else { 1 };
            } else if a == b {
                let value = &mut game.values[ends[0]];
                if !value.restrict((value.supply - 1).div_euclid(2)) {
                    return None;
                }
                value.supply += 1;
            } else {
                game.add_choice(ends);
            }
        }
        game.values.iter_mut().for_each(Value::close_bounds);
        Some(game)
    }

    fn id(&mut self, ids: &mut HashMap<u64, usize>, value: u64) -> usize {
        let next = ids.len();
        let id = *ids.entry(value).or_insert(next);
        if id == next {
            self.values.push(Value::default());
        }
        id
    }

    /// A bone leaves a side of the value it is not charged to: +1 without the charge, -1 with it.
    fn add_choice(&mut self, value: [usize; 2]) {
        let mut position = [0; 2];
        for side in 0..2 {
            let of_side = &mut self.values[value[side]];
            position[side] = of_side.events.len();
            of_side.events.push((self.choices.len(), side));
            of_side.supply += 1;
            of_side.bound.push(of_side.supply / 2);
        }
        self.choices.push(Choice { value, position, charged: None });
    }

    /// Charges `root`, moving earlier charges if necessary. False if that is impossible.
    fn charge(&mut self, root: usize) -> bool {
        let mut parent = vec![[None; 2]; self.choices.len()];
        let mut explored = vec![0; self.values.len()];
        let mut queue = VecDeque::from(vec![(root, 0), (root, 1)]);
        while let Some((choice, side)) = queue.pop_front() {
            let v = self.choices[choice].value[side];
            let position = self.choices[choice].position[side];
            if position < explored[v] {
                continue;
            }
            let value = &self.values[v];
            let mut after = position..value.bound.len();
            let Some(tight) = after.find(|&k| value.used[k] == value.bound[k]) else {
                self.shift(&parent, (choice, side));
                return true;
            };
            for &(other, its_side) in &value.events[explored[v]..=tight] {
                if self.choices[other].charged == Some(its_side) {
                    parent[other][1 - its_side] = Some((choice, side));
                    queue.push_back((other, 1 - its_side));
                }
            }
            explored[v] = tight + 1;
        }
        false
    }

    /// Follows the chain back to the root, charging every bone on it to the side found.
    fn shift(&mut self, parent: &[[Option<(usize, usize)>; 2]], end: (usize, usize)) {
        let mut next = Some(end);
        let mut touched = Vec::new();
        while let Some((choice, side)) = next {
            self.choices[choice].charged = Some(side);
            touched.extend_from_slice(&self.choices[choice].value);
            next = parent[choice][side];
        }
        touched.sort_unstable();
        touched.dedup();
        for v in touched {
            self.recount(v);
        }
    }

    fn recount(&mut self, v: usize) {
        let value = &mut self.values[v];
        let mut total = 0;
        for (used, &(choice, side)) in value.used.iter_mut().zip(&value.events) {
            total += i64::from(self.choices[choice].charged == Some(side));
            *used = total;
        }
    }
}

fn has_repetition(bones: &[Bone]) -> bool {
    let mut seen = HashSet::new();
    !bones.iter().all(|&(a, b)| seen.insert((a.min(b), a.max(b))))
}

pub fn is_legal(bones: &[Bone]) -> bool {
    if has_repetition(bones) {
        return false;
    }
    match Game::new(bones) {
        Some(mut game) => (0..game.choices.len()).all(|choice| game.charge(choice)),
        None => false,
    }
}

fn parse(line: &str) -> Vec<Bone> {
    line.split_whitespace()
        .filter_map(|bone| bone.split_once('-'))
        .map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()))
        .collect()
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    for line in input.lines() {
        println!("{}", is_legal(&parse(line)));
    }
}
