//! Generates one input file: `generate STRATEGY ARGS... SEED`, written to standard output.
//!
//! Everything is drawn from a SplitMix64 sequence, so that the same arguments give the same bytes
//! on every platform. The ends of all bones are written in random order.

use std::collections::{BTreeSet, VecDeque};
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::str::FromStr;

const USAGE: &str = "\
usage: generate STRATEGY ARGS... SEED
  play GAMES BONES VALUES DOUBLES LABELS
      legal games found by playing; of 100 bones about DOUBLES are doubles;
      LABELS (small, close, huge, spread) says which numbers stand for the values
  swapped GAMES BONES VALUES DOUBLES LABELS
      the same with up to BONES bones, but in most games two bones have changed places
      or one bone has been replaced: against mistakes in the rules
  deck GAMES N
      the whole double-N set: played on for as long as possible, then the bones left over;
      in half of the games a bone of the second half is brought forward
  gadgets GAMES K legal|illegal
      K independent bones that fit in two places each; which place was right shows only
      after the last of them, the first one first: against backtracking and lists of positions
  chains GAMES CHAINS LENGTH legal|illegal
      a bone at the end forces LENGTH earlier bones to change over, one after the other:
      against greedy choices and repairs that stop too early
  layers LAYERS WIDTH DEMANDS
      LAYERS times WIDTH * WIDTH bones between neighbouring layers of values, DEMANDS bones
      that force changes through all the layers (legal up to WIDTH * WIDTH of
      them when WIDTH is even)
  orders BONE...
      all orders of the given bones, one game each";

type Bone = (u64, u64);

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn sorted((a, b): Bone) -> Bone {
    (a.min(b), a.max(b))
}

/// A game that is being played: its bones, and the sides that are open in the play chosen.
#[derive(Default)]
struct Table {
    bones: Vec<Bone>,
    played: BTreeSet<Bone>,
    open: Vec<u64>,
}

impl Table {
    fn start(a: u64, b: u64) -> Table {
        let mut table = Table::default();
        table.record(a, b);
        table.open = if a == b { vec![a; 4] } else { vec![a, b] };
        table
    }

    fn record(&mut self, a: u64, b: u64) {
        self.bones.push((a, b));
        self.played.insert(sorted((a, b)));
    }

    /// Joins a bone to the open side number `side`.
    fn join(&mut self, side: usize, other: u64) {
        let used = self.open.swap_remove(side);
        self.record(used, other);
        let sides = if used == other { 3 } else { 1 };
        self.open.extend((0..sides).map(|_| other));
    }

    fn is_new(&self, side: usize, other: u64) -> bool {
        !self.played.contains(&sorted((self.open[side], other)))
    }
}

/// The shape of random games.
#[derive(Clone, Copy)]
struct Style {
    values: usize,
    doubles: usize,
}

/// Plays a random bone; half of the bones other than doubles would fit in a second place, too.
fn play_one(table: &mut Table, style: Style, random: &mut Random) -> bool {
    for _ in 0..50 {
        let side = random.below(table.open.len());
        let other = if random.percent(style.doubles) {
            table.open[side]
        } else if random.percent(50) {
            table.open[random.below(table.open.len())]
        } else {
            random.below(style.values) as u64
        };
        let unwanted = other == table.open[side] && style.doubles == 0;
        if !unwanted && table.is_new(side, other) {
            table.join(side, other);
            return true;
        }
    }
    play_any(table, style, random)
}

/// Plays a random bone that fits, if any.
fn play_any(table: &mut Table, style: Style, random: &mut Random) -> bool {
    let mut fitting = Vec::new();
    for side in 0..table.open.len() {
        let others = (0..style.values as u64).filter(|&other| table.is_new(side, other));
        fitting.extend(others.map(|other| (side, other)));
    }
    if fitting.is_empty() {
        return false;
    }
    let (side, other) = fitting[random.below(fitting.len())];
    table.join(side, other);
    true
}

fn play(bones: usize, style: Style, random: &mut Random) -> Table {
    let first = random.below(style.values) as u64;
    let second = random.below(style.values) as u64;
    let mut table = Table::start(first, second);
    while table.bones.len() < bones && play_one(&mut table, style, random) {}
    table
}

fn swapped(bones: usize, style: Style, random: &mut Random) -> Vec<Bone> {
    let length = bones - random.below(bones / 2 + 1);
    let mut game = play(length, style, random).bones;
    let first = random.below(game.len());
    let second = random.below(game.len());
    match random.below(10) {
        0..=5 => game.swap(first, second),
        6..=7 => game[first].0 = random.below(style.values) as u64,
        _ => {}
    }
    game
}

fn deck(n: usize, random: &mut Random) -> Vec<Bone> {
    let style = Style { values: n + 1, doubles: 10 };
    let mut table = play(usize::MAX, style, random);
    let values = 0..=n as u64;
    let all = values.flat_map(|a| (a..=n as u64).map(move |b| (a, b)));
    let mut left: Vec<Bone> = all.filter(|bone| !table.played.contains(bone)).collect();
    random.shuffle(&mut left);
    table.bones.append(&mut left);
    if random.percent(50) {
        bring_forward(&mut table.bones, random);
    }
    table.bones
}

/// Moves a bone of the second half to one of the first six places.
fn bring_forward(bones: &mut Vec<Bone>, random: &mut Random) {
    let half = bones.len() / 2;
    let bone = bones.remove(half + random.below(bones.len() - half));
    bones.insert(random.below(half.min(6) + 1), bone);
}

/// Builds games in which the places of most bones are fixed.
struct Builder {
    bones: Vec<Bone>,
    /// Open sides of values that serve only for opening sides of other values.
    hubs: VecDeque<u64>,
    next_value: u64,
}

impl Builder {
    fn new() -> Builder {
        Builder { bones: vec![(0, 0)], hubs: VecDeque::from(vec![0; 4]), next_value: 1 }
    }

    fn fresh(&mut self) -> u64 {
        self.next_value += 1;
        self.next_value - 1
    }

    /// A side of a new hub for every side of an old one, and two more.
    fn grow(&mut self) {
        let (old, new) = (self.hubs.pop_front().unwrap(), self.fresh());
        self.bones.extend([(old, new), (new, new)].iter());
        self.hubs.extend([new; 3].iter());
    }

    /// Opens `sides` sides of a value, each at a different hub (a bone exists only once).
    fn supply(&mut self, value: u64, sides: usize) {
        let mut used = BTreeSet::new();
        while used.len() < sides {
            match self.hubs.iter().position(|hub| !used.contains(hub)) {
                Some(place) if self.hubs.len() > 4 => {
                    let hub = self.hubs.remove(place).unwrap();
                    self.bones.push((hub, value));
                    used.insert(hub);
                }
                _ => self.grow(),
            }
        }
    }

    fn supplied(&mut self, sides: usize) -> u64 {
        let value = self.fresh();
        self.supply(value, sides);
        value
    }

    /// A bone that fits only where `value` is open.
    fn demand(&mut self, value: u64) {
        let other = self.fresh();
        self.bones.push((value, other));
    }
}

fn gadgets(count: usize, legal: bool, random: &mut Random) -> Vec<Bone> {
    let mut builder = Builder::new();
    let pairs: Vec<Bone> = (0..count).map(|_| (builder.supplied(1), builder.supplied(1))).collect();
    builder.bones.extend_from_slice(&pairs);
    let mut kept = 0;
    for &(a, b) in &pairs {
        kept = if random.percent(50) { a } else { b };
        builder.demand(kept);
        builder.demand(kept);
    }
    if !legal {
        builder.demand(kept);
    }
    builder.bones
}

/// Pairs of neighbours in rows of values with an open side each, then demands at one end of each
/// row. Every row can meet two demands at an end, and not one more.
fn chains(rows: usize, length: usize, legal: bool, random: &mut Random) -> Vec<Bone> {
    let mut builder = Builder::new();
    let mut ends = Vec::new();
    for _ in 0..rows {
        let row: Vec<u64> = (0..=length).map(|_| builder.supplied(1)).collect();
        let mut pairs: Vec<Bone> = row.windows(2).map(|pair| (pair[0], pair[1])).collect();
        random.shuffle(&mut pairs);
        builder.bones.append(&mut pairs);
        ends.push(if random.percent(50) { row[0] } else { row[length] });
    }
    for &end in &ends {
        builder.demand(end);
        builder.demand(end);
    }
    if !legal {
        builder.demand(ends[random.below(rows)]);
    }
    builder.bones
}

/// All bones between neighbouring layers of `width` values. The values between the first and the
/// last layer have no side to spare, so that each demand on the first goes through all of them.
fn layers(count: usize, width: usize, demands: usize, random: &mut Random) -> Vec<Bone> {
    let mut builder = Builder::new();
    let mut layer: Vec<u64> = (0..width).map(|_| builder.supplied(width)).collect();
    let first = layer.clone();
    for depth in 0..count {
        let next: Vec<u64> = (0..width).map(|_| builder.supplied(1)).collect();
        let pairs = |&a: &u64| next.iter().map(move |&b| (a, b));
        builder.bones.extend(layer.iter().flat_map(pairs));
        if depth > 0 {
            layer.iter().for_each(|&value| builder.demand(value));
        }
        layer = next;
    }
    let mut asked: Vec<u64> = first.iter().cycle().take(demands).copied().collect();
    random.shuffle(&mut asked);
    asked.iter().for_each(|&value| builder.demand(value));
    builder.bones
}

/// All orders, the first one given first.
fn orders(bones: &[Bone]) -> Vec<Vec<Bone>> {
    if bones.is_empty() {
        return vec![Vec::new()];
    }
    let mut games = Vec::new();
    for first in 0..bones.len() {
        let mut rest = bones.to_vec();
        let bone = rest.remove(first);
        for mut game in orders(&rest) {
            game.insert(0, bone);
            games.push(game);
        }
    }
    games
}

/// Replaces the values 0, 1, 2, ... by other numbers.
fn relabel(game: &mut [Bone], labels: &str, random: &mut Random) -> Option<()> {
    let salt = random.next();
    let label = |value: u64| match labels {
        "small" => Some(value),
        "close" => Some((1 << 53) + value),
        "huge" => Some(i64::MAX as u64 - value),
        "spread" => Some(Random(salt ^ value).next() >> 1),
        _ => None,
    };
    for bone in game {
        *bone = (label(bone.0)?, label(bone.1)?);
    }
    Some(())
}

/// The arguments of a strategy; every method returns `None` if they are invalid.
struct Arguments<'a> {
    rest: &'a [String],
}

impl<'a> Arguments<'a> {
    fn text(&mut self) -> Option<&'a str> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.text()?.parse().ok()
    }

    fn positive(&mut self) -> Option<usize> {
        self.number().filter(|&number| number > 0)
    }

    fn style(&mut self) -> Option<Style> {
        Some(Style { values: self.positive()?, doubles: self.number()? })
    }

    fn legal(&mut self) -> Option<bool> {
        match self.text()? {
            "legal" => Some(true),
            "illegal" => Some(false),
            _ => None,
        }
    }

    fn bone(&mut self) -> Option<Bone> {
        let (a, b) = self.text()?.split_once('-')?;
        Some((a.parse().ok()?, b.parse().ok()?))
    }
}

fn games(arguments: &mut Arguments, random: &mut Random) -> Option<Vec<Vec<Bone>>> {
    let strategy = arguments.text()?;
    if strategy == "orders" {
        let mut bones = Vec::new();
        while !arguments.rest.is_empty() {
            bones.push(arguments.bone()?);
        }
        return Some(orders(&bones));
    }
    if strategy == "layers" {
        let (count, width) = (arguments.positive()?, arguments.positive()?);
        return Some(vec![layers(count, width, arguments.number()?, random)]);
    }
    let count = arguments.positive()?;
    let mut make: Box<dyn FnMut() -> Option<Vec<Bone>>> = match strategy {
        "play" | "swapped" => {
            let (bones, style) = (arguments.positive()?, arguments.style()?);
            let labels = arguments.text()?;
            let exact = strategy == "play";
            Box::new(move || {
                let mut game = if exact { play(bones, style, random).bones } else { swapped(bones, style, random) };
                relabel(&mut game, labels, random)?;
                Some(game)
            })
        }
        "deck" => {
            let n = arguments.number()?;
            Box::new(move || Some(deck(n, random)))
        }
        "gadgets" => {
            let (bones, legal) = (arguments.positive()?, arguments.legal()?);
            Box::new(move || Some(gadgets(bones, legal, random)))
        }
        "chains" => {
            let (rows, length) = (arguments.positive()?, arguments.positive()?);
            let legal = arguments.legal()?;
            Box::new(move || Some(chains(rows, length, legal, random)))
        }
        _ => return None,
    };
    (0..count).map(|_| make()).collect()
}

fn print(games: &[Vec<Bone>], random: &mut Random) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for game in games {
        for (place, &(a, b)) in game.iter().enumerate() {
            let (a, b) = if random.percent(50) { (a, b) } else { (b, a) };
            let blank = if place > 0 { " " } else { "" };
            write!(out, "{}{}-{}", blank, a, b)?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// The games that the command line requests, or `None` if it is invalid.
fn generate(arguments: &[String]) -> Option<(Vec<Vec<Bone>>, Random)> {
    let (seed, rest) = arguments.split_last()?;
    let mut random = Random(seed.parse().ok()?);
    let mut arguments = Arguments { rest };
    let games = games(&mut arguments, &mut random)?;
    Some((games, random)).filter(|_| arguments.rest.is_empty())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match generate(&arguments) {
        Some((games, mut random)) => match print(&games, &mut random) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        None => {
            eprintln!("{}", USAGE);
            ExitCode::from(2)
        }
    }
}
