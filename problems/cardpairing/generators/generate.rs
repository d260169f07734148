//! Generator of "Card Pairing Solitaire".
//!
//! Prints one input on standard output: `generate STRATEGY COUNT ARGUMENTS... SEED`,
//! see `USAGE`. The same arguments give the same bytes everywhere. The bounds of
//! the problem are not enforced, so that invalid inputs can be generated as well.
//!
//! About 69 % of random layouts can be won, most of them by almost any play, so
//! the strategies search: they draw layouts until one has the wanted property,
//! or climb from a random one to an extreme one by swapping cards.

use std::collections::HashSet;
use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: generate STRATEGY COUNT ARGUMENTS... SEED

random COUNT SEED        drawn at random
won COUNT SEED           can be won
lost COUNT SEED          cannot be won
dead COUNT SEED          no pair is open at the start
rootless COUNT SEED      nine ranks at the bottoms, so that the last two cards never match
patient COUNT SEED       can be won, but not by a player who always takes the pair of a rank
                         that shows exactly two cards
base-four COUNT SEED     can be won, but not by a search that remembers lost positions by the
                         heights of the stacks as digits in base 4
open-cards COUNT SEED    can be won, but not by a search that remembers lost positions by the
                         cards that are open
stacked COUNT SEED       cannot be won, unless two cards may be taken from the same stack
nearly COUNT CARDS SEED  cannot be won, but played until only CARDS cards remain
knotted COUNT SEED       cannot be won, though there are pairings in which no two pairs wait
                         for each other: only longer cycles tell
rare COUNT STEPS SEED    can be won, but with as little luck as STEPS swaps find
bushy COUNT STEPS SEED   cannot be won, and as many ways to play as STEPS swaps find: searching
                         without memory takes ages
wide COUNT STEPS SEED    as many reachable positions as STEPS swaps find";

/// The maximum number of layouts that a search examines.
const ATTEMPTS: usize = 100_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match layouts(&arguments) {
        Ok(layouts) => {
            println!("{}", layouts.len());
            layouts.iter().for_each(print_layout);
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}\n\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn layouts(arguments: &[&str]) -> Result<Vec<Layout>, String> {
    let (strategy, numbers) = arguments.split_first().ok_or("no strategy")?;
    let numbers = numbers.iter().map(|&word| number(word)).collect::<Result<Vec<_>, _>>()?;
    let (&seed, numbers) = numbers.split_last().ok_or("no seed")?;
    let mut search = Search::new(seed);
    match (*strategy, numbers) {
        ("random", &[count]) => search.find(count, |_, _| true),
        ("won", &[count]) => search.find(count, |_, facts| facts.won),
        ("lost", &[count]) => search.find(count, |_, facts| !facts.won),
        ("dead", &[count]) => Ok(search.draw(count, |random| all_ranks_at(HEIGHT - 1, random))),
        ("rootless", &[count]) => Ok(search.draw(count, |random| all_ranks_at(0, random))),
        ("patient", &[count]) => search.find(count, |_, facts| facts.won && !facts.won_greedily),
        ("base-four", &[count]) => {
            let key = |_: &Layout, heights: &Heights| heights.iter().fold(0, |key, &height| key * 4 + height as u64);
            search.find_confused(count, key)
        }
        ("open-cards", &[count]) => {
            let key = |layout: &Layout, heights: &Heights| {
                (0..STACKS).fold(0, |key, stack| key * 10 + top(layout, heights, stack).map_or(9, u64::from))
            };
            search.find_confused(count, key)
        }
        ("stacked", &[count]) => {
            search.find(count, |layout, facts| !facts.won && wins_within_stacks(layout, &mut [HEIGHT; STACKS]))
        }
        ("nearly", &[count, cards]) => search.find(count, |_, facts| facts.fewest_cards == cards && cards > 0),
        ("knotted", &[count]) => search.find(count, |layout, facts| !facts.won && seems_won(layout)),
        ("rare", &[count, steps]) => search.climb(count, steps, |facts| facts.won.then_some(!facts.luck)),
        ("bushy", &[count, steps]) => search.climb(count, steps, |facts| (!facts.won).then_some(facts.plays)),
        ("wide", &[count, steps]) => search.climb(count, steps, |facts| Some(facts.positions)),
        _ => Err("an unknown strategy, or wrong arguments for it".into()),
    }
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("'{word}' is not a number"))
}

// Layouts.

const STACKS: usize = 9;
const HEIGHT: usize = 4;
const RANKS: &[u8; 9] = b"6789TJQKA";

/// Ranks by stack and height; the top card of a stack is its last one.
type Layout = [[u8; HEIGHT]; STACKS];

fn print_layout(layout: &Layout) {
    let letters = |stack: &[u8; HEIGHT]| stack.iter().map(|&rank| RANKS[usize::from(rank)] as char).collect();
    let stacks: Vec<String> = layout.iter().map(letters).collect();
    println!("{}", stacks.join(" "));
}

fn random_layout(random: &mut Random) -> Layout {
    let mut layout = [[0; HEIGHT]; STACKS];
    for (i, card) in layout.as_flattened_mut().iter_mut().enumerate() {
        *card = (i / HEIGHT) as u8;
    }
    random.shuffle(layout.as_flattened_mut());
    layout
}

/// A random layout with nine different ranks at one height.
fn all_ranks_at(height: usize, random: &mut Random) -> Layout {
    let mut ranks: [u8; STACKS] = std::array::from_fn(|rank| rank as u8);
    let mut others = [ranks; HEIGHT - 1];
    random.shuffle(&mut ranks);
    random.shuffle(others.as_flattened_mut());
    std::array::from_fn(|stack| {
        let mut others = others.iter().map(|ranks| ranks[stack]);
        std::array::from_fn(|i| if i == height { ranks[stack] } else { others.next().unwrap_or_default() })
    })
}

// Searching for layouts.

struct Search {
    random: Random,
    player: Player,
}

impl Search {
    fn new(seed: u64) -> Self {
        Search { random: Random { state: seed }, player: Player::new() }
    }

    fn draw(&mut self, count: u64, layout: impl Fn(&mut Random) -> Layout) -> Vec<Layout> {
        (0..count).map(|_| layout(&mut self.random)).collect()
    }

    /// `count` random layouts with a property.
    fn find(&mut self, count: u64, wanted: impl Fn(&Layout, &Facts) -> bool) -> Result<Vec<Layout>, String> {
        let mut attempt = || {
            let layout = random_layout(&mut self.random);
            let facts = self.player.play(&layout);
            wanted(&layout, &facts).then_some(layout)
        };
        let mut layout = || (0..ATTEMPTS).find_map(|_| attempt());
        (0..count).map(|_| layout().ok_or("no such layout found".into())).collect()
    }

    /// `count` random layouts that can be won, but not by a search that confuses positions.
    fn find_confused(&mut self, count: u64, key: impl Fn(&Layout, &Heights) -> u64) -> Result<Vec<Layout>, String> {
        let mut attempt = || {
            let layout = random_layout(&mut self.random);
            // Most layouts are won even by such a search, and soon, so it comes first.
            (is_confused(&layout, &key) && self.player.play(&layout).won).then_some(layout)
        };
        let mut layout = || (0..ATTEMPTS).find_map(|_| attempt());
        (0..count).map(|_| layout().ok_or("no such layout found".into())).collect()
    }

    /// `count` layouts with a high score, each after `steps` tries to swap two cards.
    fn climb(&mut self, count: u64, steps: u64, score: impl Fn(&Facts) -> Option<u64>) -> Result<Vec<Layout>, String> {
        let starts = self.find(count, |_, facts| score(facts).is_some())?;
        Ok(starts.into_iter().map(|start| self.climb_from(start, steps, &score)).collect())
    }

    fn climb_from(&mut self, start: Layout, steps: u64, score: impl Fn(&Facts) -> Option<u64>) -> Layout {
        let mut best = start;
        let mut best_score = score(&self.player.play(&best));
        for _ in 0..steps {
            let mut layout = best;
            let cards = layout.as_flattened_mut();
            cards.swap(self.random.below(cards.len()), self.random.below(cards.len()));
            let score = score(&self.player.play(&layout));
            if score >= best_score {
                (best, best_score) = (layout, score);
            }
        }
        best
    }
}

// Playing a layout in all ways.

/// Facts about a position, or about a layout, whose first position it is.
#[derive(Clone, Copy)]
struct Facts {
    won: bool,
    /// Won by a player who may choose only between pairs of ranks that show
    /// exactly two cards, as long as there are any.
    won_greedily: bool,
    /// The fewest cards that can remain.
    fewest_cards: u64,
    /// The probability that a random player wins, in units of 2^-60.
    luck: u64,
    /// The number of ways to play to the end, at most `u64::MAX`.
    plays: u64,
    /// The number of positions that were reached so far.
    positions: u64,
}

/// The number of cards that remain in each stack.
type Heights = [usize; STACKS];

const CERTAIN: u64 = 1 << 60;
const UNKNOWN: u32 = u32::MAX;

struct Player {
    /// The place of each position in `facts`, by its number.
    index: Vec<u32>,
    /// The positions that are in `index`.
    seen: Vec<usize>,
    facts: Vec<Facts>,
}

impl Player {
    fn new() -> Self {
        let positions = (HEIGHT + 1).pow(STACKS as u32);
        Player { index: vec![UNKNOWN; positions], seen: Vec::new(), facts: Vec::new() }
    }

    fn play(&mut self, layout: &Layout) -> Facts {
        let mut heights = [HEIGHT; STACKS];
        let mut facts = self.play_on(layout, &mut heights);
        facts.positions = self.seen.len() as u64;
        for position in self.seen.drain(..) {
            self.index[position] = UNKNOWN;
        }
        self.facts.clear();
        facts
    }

    fn play_on(&mut self, layout: &Layout, heights: &mut Heights) -> Facts {
        let position = heights.iter().fold(0, |number, &height| number * (HEIGHT + 1) + height);
        if self.index[position] != UNKNOWN {
            return self.facts[self.index[position] as usize];
        }
        let facts = self.try_all_pairs(layout, heights);
        self.index[position] = self.facts.len() as u32;
        self.facts.push(facts);
        self.seen.push(position);
        facts
    }

    fn try_all_pairs(&mut self, layout: &Layout, heights: &mut Heights) -> Facts {
        let cards = heights.iter().sum::<usize>() as u64;
        let over = cards == 0;
        let luck = if over { CERTAIN } else { 0 };
        let mut all = Facts { won: over, won_greedily: over, fewest_cards: cards, luck, plays: 0, positions: 0 };
        let pairs = open_pairs(layout, heights);
        let greedy = pairs.iter().any(|pair| pair.only);
        for pair in &pairs {
            heights[pair.a] -= 1;
            heights[pair.b] -= 1;
            let one = self.play_on(layout, heights);
            heights[pair.a] += 1;
            heights[pair.b] += 1;
            all.won |= one.won;
            all.won_greedily |= one.won_greedily && (pair.only || !greedy);
            all.fewest_cards = all.fewest_cards.min(one.fewest_cards);
            all.luck += one.luck / pairs.len() as u64;
            all.plays = all.plays.saturating_add(one.plays);
        }
        all.plays = all.plays.max(1);
        all
    }
}

/// Two stacks whose top cards have the same rank.
struct Pair {
    a: usize,
    b: usize,
    /// No third stack shows that rank.
    only: bool,
}

fn top(layout: &Layout, heights: &Heights, stack: usize) -> Option<u8> {
    heights[stack].checked_sub(1).map(|card| layout[stack][card])
}

fn open_pairs(layout: &Layout, heights: &Heights) -> Vec<Pair> {
    let top = |stack| top(layout, heights, stack);
    let mut pairs = Vec::new();
    for b in 0..STACKS {
        for a in (0..b).filter(|&a| top(a).is_some() && top(a) == top(b)) {
            let showing = (0..STACKS).filter(|&stack| top(stack) == top(a)).count();
            pairs.push(Pair { a, b, only: showing == 2 });
        }
    }
    pairs
}

// Searches that go wrong.

/// True if a search that confuses positions with the same key misses the win,
/// regardless of the order in which it tries open pairs.
fn is_confused(layout: &Layout, key: impl Fn(&Layout, &Heights) -> u64) -> bool {
    [false, true].iter().all(|&backwards| {
        let mut lost = HashSet::new();
        !wins_by_key(layout, &mut [HEIGHT; STACKS], &mut lost, &key, backwards)
    })
}

fn wins_by_key(
    layout: &Layout,
    heights: &mut Heights,
    lost: &mut HashSet<u64>,
    key: &impl Fn(&Layout, &Heights) -> u64,
    backwards: bool,
) -> bool {
    if *heights == [0; STACKS] {
        return true;
    }
    if lost.contains(&key(layout, heights)) {
        return false;
    }
    let mut pairs = open_pairs(layout, heights);
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    if backwards {
        pairs.reverse();
    }
    for pair in pairs {
        heights[pair.a] -= 1;
        heights[pair.b] -= 1;
        let won = wins_by_key(layout, heights, lost, key, backwards);
        heights[pair.a] += 1;
        heights[pair.b] += 1;
        if won {
            return true;
        }
    }
    lost.insert(key(layout, heights));
    false
}

/// True if the layout can be won when two equal cards, one on the other, may be
/// taken together. They are always taken when open, which finds enough wins.
fn wins_within_stacks(layout: &Layout, heights: &mut Heights) -> bool {
    let double = (0..STACKS).find(|&stack| {
        let height = heights[stack];
        height > 1 && layout[stack][height - 1] == layout[stack][height - 2]
    });
    if let Some(stack) = double {
        heights[stack] -= 2;
        let won = wins_within_stacks(layout, heights);
        heights[stack] += 2;
        return won;
    }
    match open_pairs(layout, heights).first() {
        None => *heights == [0; STACKS],
        Some(pair) => {
            heights[pair.a] -= 1;
            heights[pair.b] -= 1;
            let won = wins_within_stacks(layout, heights);
            heights[pair.a] += 1;
            heights[pair.b] += 1;
            won
        }
    }
}

// Pairings whose pairs do not wait for each other two by two.

/// A card: its stack and its height there.
type Card = (usize, usize);

/// True if all cards can be paired so that no pair lies in one stack and no two
/// pairs wait for each other. Necessary for a win, but not sufficient.
fn seems_won(layout: &Layout) -> bool {
    let mut cards = vec![Vec::new(); RANKS.len()];
    for (stack, ranks) in layout.iter().enumerate() {
        for (height, &rank) in ranks.iter().enumerate() {
            cards[usize::from(rank)].push((stack, height));
        }
    }
    pair_up(&cards, &mut Vec::new())
}

fn pair_up(ranks: &[Vec<Card>], pairs: &mut Vec<[Card; 2]>) -> bool {
    let Some((cards, ranks)) = ranks.split_first() else {
        return true;
    };
    (1..4).any(|partner| {
        let mut others = (1..4).filter(|&i| i != partner).map(|i| cards[i]);
        let before = pairs.len();
        pairs.push([cards[0], cards[partner]]);
        pairs.extend(others.next().zip(others.next()).map(|(a, b)| [a, b]));
        let fits = (before..pairs.len()).all(|i| (0..=i).all(|j| !blocked(&pairs[i], &pairs[j])));
        let found = fits && pair_up(ranks, pairs);
        pairs.truncate(before);
        found
    })
}

/// True if each pair has a card below one of the other pair; a pair blocks
/// itself if it lies in one stack.
fn blocked(p: &[Card; 2], q: &[Card; 2]) -> bool {
    waits(p, q) && waits(q, p)
}

fn waits(p: &[Card; 2], q: &[Card; 2]) -> bool {
    p.iter().any(|low| q.iter().any(|high| low.0 == high.0 && low.1 < high.1))
}

/// The generator splitmix64.
struct Random {
    state: u64,
}

impl Random {
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

    fn shuffle(&mut self, cards: &mut [u8]) {
        for i in (1..cards.len()).rev() {
            cards.swap(i, self.below(i + 1));
        }
    }
}
