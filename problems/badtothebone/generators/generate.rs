//! Generator of "Bad to the Bone".
//!
//! Prints one input on standard output: `generate STRATEGY ARGUMENTS...`, see
//! `USAGE`. The same arguments give the same bytes everywhere. Bounds of the
//! problem are not enforced, so that invalid inputs can be generated as well.

use std::env;
use std::ops::RangeInclusive;
use std::process::ExitCode;

const USAGE: &str = "\
usage: generate STRATEGY ARGUMENTS...

pairs FIRST LAST              every pair of bones in all four orientations, the left bone's
                              ID from FIRST to LAST
random ROWS MIN MAX SEED      rows of MIN to MAX bones, drawn and laid at random
pips ROWS LIMIT SEED          all bones with less than LIMIT pips at both ends, shuffled:
                              many bones touch
doubles ROWS SEED             the seven doubles and a few other bones
apart ROWS LENGTH SEED        no neighbours touch: nothing to eliminate
train ROWS LENGTH SEED        all neighbours touch: the order of elimination decides what stays
runs ROWS LENGTH RUN SEED     runs of RUN bones that touch, and no two runs touch: against taking
                              away more than a pair
lone ROWS LENGTH PLACE SEED   no neighbours touch but the bones PLACE and PLACE + 1, counted from 1
orders ID...                  the bones, all forward, in all orders, the first one given first
tower ROWS DEPTH SEED         DEPTH bones, then their partners in reverse order: each
                              elimination lets the next pair touch, and the row is cleared
cleared ROWS PAIRS SEED       PAIRS nested and joined at random, a row that is cleared
order ROWS LENGTH SEED        random rows whose result changes when touching pairs are taken
                              from the right, or in passes from left to right";

/// The maximum number of attempts of a strategy that can fail.
const ATTEMPTS: usize = 100_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match rows(&arguments) {
        Ok(rows) => {
            print!("{}", rows.iter().map(|row| print_row(row)).collect::<String>());
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}\n\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn rows(arguments: &[&str]) -> Result<Vec<Row>, String> {
    let (strategy, numbers) = arguments.split_first().ok_or("no strategy")?;
    let numbers = numbers.iter().map(|&word| number(word)).collect::<Result<Vec<_>, _>>()?;
    match (*strategy, numbers.as_slice()) {
        ("pairs", &[first, last]) if 1 <= first && last <= 28 => Ok(pairs(first, last)),
        ("random", &[count, min, max, seed]) if 1 <= min && min <= max && max <= 28 => repeat(count, seed, |random| {
            let length = random.between(min, max);
            Some(random_row(ALL_IDS, length, random))
        }),
        ("pips", &[count, limit, seed]) if (1..=7).contains(&limit) => {
            let low = |id: &usize| pips(*id).1 < limit;
            repeat(count, seed, |random| Some(random_row(ALL_IDS.filter(low), 28, random)))
        }
        ("doubles", &[count, seed]) => repeat(count, seed, |random| Some(doubles(random))),
        ("apart", &[count, length, seed]) if length <= 28 => {
            repeat(count, seed, |random| chain(length, random, |_, touching| !touching))
        }
        ("train", &[count, length, seed]) if length <= 28 => {
            repeat(count, seed, |random| chain(length, random, |_, touching| touching))
        }
        ("runs", &[count, length, run, seed]) if length <= 28 && run > 0 => {
            repeat(count, seed, |random| chain(length, random, |place, touching| touching == (place % run > 0)))
        }
        ("lone", &[count, length, place, seed]) if length <= 28 => {
            repeat(count, seed, |random| chain(length, random, |at, touching| touching == (at == place)))
        }
        ("orders", ids) if ids.iter().all(|id| ALL_IDS.contains(id)) => {
            Ok(orders(&ids.iter().map(|&id| Bone::new(id, true)).collect::<Row>()))
        }
        ("tower", &[count, depth, seed]) if depth <= 14 => {
            repeat(count, seed, |random| nest(&[vec![true; depth], vec![false; depth]].concat(), random))
        }
        ("cleared", &[count, pairs, seed]) if pairs <= 14 => repeat(count, seed, |random| {
            let steps = balanced(pairs, random);
            nest(&steps, random)
        }),
        ("order", &[count, length, seed]) if length <= 28 => repeat(count, seed, |random| {
            let row = random_row(ALL_IDS, length, random);
            depends_on_order(&row).then_some(row)
        }),
        _ => Err("an unknown strategy, or wrong arguments for it".into()),
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("'{word}' is not a number"))
}

/// Makes `count` rows, each by the first attempt that succeeds.
fn repeat(count: usize, seed: usize, mut attempt: impl FnMut(&mut Random) -> Option<Row>) -> Result<Vec<Row>, String> {
    let mut random = Random::new(seed as u64);
    let mut row = || (0..ATTEMPTS).find_map(|_| attempt(&mut random));
    (0..count).map(|_| row().ok_or("no such row found".into())).collect()
}

// Bones and rows.

type Row = Vec<Bone>;

const ALL_IDS: RangeInclusive<usize> = 1..=28;

#[derive(Clone, Copy, PartialEq)]
struct Bone {
    id: usize,
    forward: bool,
    left: usize,
    right: usize,
}

impl Bone {
    fn new(id: usize, forward: bool) -> Self {
        let (low, high) = pips(id);
        let (left, right) = if forward { (low, high) } else { (high, low) };
        Bone { id, forward, left, right }
    }

    fn turned(self) -> Self {
        Bone::new(self.id, !self.forward)
    }
}

/// The pips of bone `id`, the smaller number first.
fn pips(id: usize) -> (usize, usize) {
    let mut low = 0;
    let mut first = 1;
    while id >= first + (7 - low) {
        first += 7 - low;
        low += 1;
    }
    (low, low + id - first)
}

fn print_row(row: &[Bone]) -> String {
    let orientation = |bone: &Bone| if bone.forward { 'F' } else { 'B' };
    let records = row.iter().map(|bone| format!("{} {}\n", bone.id, orientation(bone)));
    records.collect::<String>() + "0 F\n"
}

// Strategies.

fn pairs(first: usize, last: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for a in first..=last {
        for b in ALL_IDS.filter(|&b| b != a) {
            for (a_forward, b_forward) in [(true, true), (true, false), (false, true), (false, false)] {
                rows.push(vec![Bone::new(a, a_forward), Bone::new(b, b_forward)]);
            }
        }
    }
    rows
}

/// `length` of the bones, or all of them if there are fewer.
fn random_row(ids: impl Iterator<Item = usize>, length: usize, random: &mut Random) -> Row {
    let mut row: Row = ids.map(|id| Bone::new(id, random.coin())).collect();
    random.shuffle(&mut row);
    row.truncate(length);
    row
}

/// The seven doubles among a few other bones.
fn doubles(random: &mut Random) -> Row {
    let is_double = |id: &usize| pips(*id).0 == pips(*id).1;
    let (doubles, others): (Vec<_>, Vec<_>) = ALL_IDS.partition(is_double);
    let count = random.between(3, 10);
    let others = random_row(others.into_iter(), count, random);
    let ids = doubles.into_iter().chain(others.iter().map(|bone| bone.id));
    random_row(ids, 28, random)
}

/// All orders, the first one given first.
fn orders(bones: &[Bone]) -> Vec<Row> {
    if bones.is_empty() {
        return vec![Vec::new()];
    }
    let mut rows = Vec::new();
    for first in 0..bones.len() {
        let mut rest = bones.to_vec();
        let bone = rest.remove(first);
        rows.extend(orders(&rest).into_iter().map(|rest| [vec![bone], rest].concat()));
    }
    rows
}

/// A row in which it is `allowed` at each place that the bones before and after
/// it touch, or don't; extended at random until it is long enough; `None` if it
/// comes to a dead end.
fn chain(length: usize, random: &mut Random, allowed: impl Fn(usize, bool) -> bool) -> Option<Row> {
    let mut rest = random_row(ALL_IDS, 28, random);
    let mut row: Row = Vec::new();
    while row.len() < length {
        let fits = |bone: Bone| row.last().is_none_or(|&last| allowed(row.len(), last.right == bone.left));
        let i = rest.iter().position(|&bone| fits(bone) || fits(bone.turned()))?;
        let bone = rest.remove(i);
        row.push(if fits(bone) { bone } else { bone.turned() });
    }
    Some(row)
}

/// A random balanced sequence of `pairs` openings (true) and closings.
fn balanced(pairs: usize, random: &mut Random) -> Vec<bool> {
    let (mut opened, mut depth) = (0, 0);
    let mut steps = Vec::new();
    while steps.len() < 2 * pairs {
        let open = depth == 0 || opened < pairs && random.coin();
        opened += usize::from(open);
        depth = if open { depth + 1 } else { depth - 1 };
        steps.push(open);
    }
    steps
}

/// A row that is cleared: each opening lays a bone that does not touch the one
/// before, each closing the partner that touches the last bone still open.
fn nest(steps: &[bool], random: &mut Random) -> Option<Row> {
    let mut partners = partners(steps.len() / 2, random)?;
    let mut open: Vec<(Bone, Bone)> = Vec::new();
    let mut row = Vec::new();
    for &step in steps {
        if step {
            let apart = |bone: Bone| open.last().is_none_or(|(top, _)| top.right != bone.left);
            let i = partners.iter().position(|&(bone, _)| apart(bone))?;
            open.push(partners.remove(i));
            row.push(open.last()?.0);
        } else {
            row.push(open.pop()?.1);
        }
    }
    Some(row)
}

/// Disjoint pairs of bones that touch.
fn partners(count: usize, random: &mut Random) -> Option<Vec<(Bone, Bone)>> {
    let mut rest = random_row(ALL_IDS, 28, random);
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let a = rest.pop()?;
        let touches = |b: Bone| a.right == b.left;
        let i = rest.iter().position(|&b| touches(b) || touches(b.turned()))?;
        let b = rest.remove(i);
        pairs.push((a, if touches(b) { b } else { b.turned() }));
    }
    Some(pairs)
}

/// True if the row exposes both mistakes about the order: taking the right-most
/// pair first, and continuing to the right after an elimination.
fn depends_on_order(row: &[Bone]) -> bool {
    let expected = eliminate(row, |row, _| (0..row.len() - 1).find(|&i| touch(row, i)));
    let from_right = eliminate(row, |row, _| (0..row.len() - 1).rfind(|&i| touch(row, i)));
    let in_passes = eliminate(row, |row, last| {
        let mut places = (last..row.len() - 1).chain(0..row.len() - 1);
        places.find(|&i| touch(row, i))
    });
    expected != from_right && expected != in_passes
}

fn touch(row: &[Bone], i: usize) -> bool {
    row[i].right == row[i + 1].left
}

/// Eliminates the pairs that `choose` finds; it gets the place of the last one.
fn eliminate(row: &[Bone], choose: impl Fn(&[Bone], usize) -> Option<usize>) -> Row {
    let mut row = row.to_vec();
    let mut last = 0;
    while row.len() > 1 {
        match choose(&row, last) {
            Some(i) => {
                row.drain(i..i + 2);
                last = i;
            }
            None => break,
        }
    }
    row
}

/// The generator splitmix64.
struct Random {
    state: u64,
}

impl Random {
    fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn between(&mut self, min: usize, max: usize) -> usize {
        min + self.below(max - min + 1)
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
