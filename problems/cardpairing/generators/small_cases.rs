//! Compares programs with a brute force on every small case: `small_cases VALIDATOR SOLUTION...`, see `ci/small-cases`.
//!
//! All layouts have 36 cards, so a small case is a layout most of which is easy: some ranks fill as many stacks among
//! themselves in every possible way, the others lie so that they can always be removed. The two parts have no rank in
//! common and can't hinder one another. Checked are three ranks in three stacks, in all 12! / 4!^3 = 34,650 ways, and
//! four ranks in four stacks, one for each class of the 16! / 4!^4 = 63,063,000 ways that differ only by the names of
//! the ranks and the order of the stacks. The brute force plays every sequence of moves, without memory.
//!
//! The last cases are random deals of all cards, which are too large for that: there it remembers visited positions.
//!
//! The validator must accept each input, and every solution must print the answers. Ends with 1 at the first
//! difference.

use std::collections::HashMap;
use std::env;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const LAYOUTS: usize = 100;
const DEALS: usize = 10_000;
const NAMES: &[u8; 9] = b"6789TJQKA";
/// Five ranks in five stacks, and six in six: all of them can be removed, from the last column to the first.
const FIVE: [&[u8; 4]; 5] = [b"0123", b"0124", b"0134", b"0234", b"1234"];
const SIX: [&[u8; 4]; 6] = [b"0123", b"0123", b"2345", b"2345", b"4501", b"4501"];

type Stack = Vec<u8>;

fn main() -> ExitCode {
    let programs: Vec<String> = env::args().skip(1).collect();
    if programs.len() < 2 {
        eprintln!("usage: small_cases VALIDATOR SOLUTION...");
        return ExitCode::from(2);
    }
    match check(&mut Check { programs, layouts: Vec::new(), answers: Vec::new(), random: Random(1), total: 0, won: 0 })
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(difference) => {
            println!("{difference}");
            ExitCode::FAILURE
        }
    }
}

fn check(check: &mut Check) -> Result<(), String> {
    for (ranks, easy, what) in
        [(3, &SIX[..], "three ranks in three stacks"), (4, &FIVE[..], "four ranks in four stacks")]
    {
        arrange(ranks, &mut Vec::new(), &mut |cards| {
            // Three ranks in every way, four up to symmetry.
            if ranks == 4 && !is_first_of_its_class(cards) {
                return Ok(());
            }
            let stacks: Vec<Stack> = cards.chunks(4).map(<[u8]>::to_vec).collect();
            let won = can_win(&stacks, &mut None);
            let easy = easy.iter().map(|stack| stack.iter().map(|&rank| rank - b'0' + ranks).collect());
            check.take(stacks.iter().cloned().chain(easy).collect(), won)
        })?;
        check.report(&format!("layouts of {what}"))?;
    }
    for _ in 0..DEALS {
        let mut cards: Vec<u8> = (0..36).map(|card| card / 4).collect();
        check.random.shuffle(&mut cards);
        let stacks: Vec<Stack> = cards.chunks(4).map(<[u8]>::to_vec).collect();
        let won = can_win(&stacks, &mut Some(HashMap::new()));
        check.take(stacks, won)?;
    }
    check.report("random deals")
}

/// Every way to fill stacks with four cards of each rank. With four ranks or more, only those in which the ranks
/// appear in the order of their numbers.
fn arrange(ranks: u8, cards: &mut Vec<u8>, found: &mut impl FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
    if cards.len() == usize::from(4 * ranks) {
        return found(cards);
    }
    let new = cards.iter().max().map_or(0, |&rank| rank + 1);
    for rank in 0..ranks.min(if ranks > 3 { new + 1 } else { ranks }) {
        if cards.iter().filter(|&&card| card == rank).count() < 4 {
            cards.push(rank);
            arrange(ranks, cards, found)?;
            cards.pop();
        }
    }
    Ok(())
}

/// True if no other order of the four stacks, with the ranks renamed, comes before this one.
fn is_first_of_its_class(cards: &[u8]) -> bool {
    for order in 0..256 {
        let stacks = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6];
        if (0..4).any(|i| (0..i).any(|j| stacks[i] == stacks[j])) {
            continue;
        }
        let mut names = [u8::MAX; 4];
        let mut new = 0;
        for (place, &card) in cards.iter().enumerate() {
            let other = usize::from(cards[4 * stacks[place / 4] + place % 4]);
            if names[other] == u8::MAX {
                names[other] = new;
                new += 1;
            }
            if names[other] < card {
                return false;
            }
            if names[other] > card {
                break;
            }
        }
    }
    true
}

/// Tries all sequences of moves; with `seen` it looks at each position once.
fn can_win(stacks: &[Stack], seen: &mut Option<HashMap<Vec<Stack>, bool>>) -> bool {
    if stacks.iter().all(Vec::is_empty) {
        return true;
    }
    if let Some(&won) = seen.as_ref().and_then(|seen| seen.get(stacks)) {
        return won;
    }
    let mut won = false;
    for a in 0..stacks.len() {
        for b in 0..a {
            if !won && stacks[a].last().is_some() && stacks[a].last() == stacks[b].last() {
                let mut rest = stacks.to_vec();
                rest[a].pop();
                rest[b].pop();
                won = can_win(&rest, seen);
            }
        }
    }
    if let Some(seen) = seen {
        seen.insert(stacks.to_vec(), won);
    }
    won
}

struct Check {
    programs: Vec<String>,
    layouts: Vec<String>,
    answers: Vec<&'static str>,
    random: Random,
    total: usize,
    won: usize,
}

impl Check {
    /// Collects a layout, its stacks in a random order and its ranks with random names.
    fn take(&mut self, mut stacks: Vec<Stack>, won: bool) -> Result<(), String> {
        let mut names = *NAMES;
        self.random.shuffle(&mut names);
        self.random.shuffle(&mut stacks);
        let letters = |stack: &Stack| stack.iter().map(|&rank| char::from(names[usize::from(rank)])).collect();
        let stacks: Vec<String> = stacks.iter().map(letters).collect();
        self.layouts.push(stacks.join(" "));
        self.answers.push(if won { "yes" } else { "no" });
        self.total += 1;
        self.won += usize::from(won);
        if self.layouts.len() == LAYOUTS { self.flush() } else { Ok(()) }
    }

    fn report(&mut self, what: &str) -> Result<(), String> {
        self.flush()?;
        println!("{} {what}, {} of them can be won", self.total, self.won);
        (self.total, self.won) = (0, 0);
        Ok(())
    }

    /// Runs the programs on the collected layouts.
    fn flush(&mut self) -> Result<(), String> {
        if self.layouts.is_empty() {
            return Ok(());
        }
        let input = format!("{}\n{}\n", self.layouts.len(), self.layouts.join("\n"));
        let (code, _) = run(&self.programs[0], &input)?;
        if code != Some(42) {
            return Err(format!("the validator ends with {code:?} on\n{input}"));
        }
        for program in &self.programs[1..] {
            let (code, output) = run(program, &input)?;
            let found: Vec<&str> = output.split_whitespace().collect();
            if code != Some(0) || found != self.answers {
                return Err(format!("{program} is wrong on\n{input}"));
            }
        }
        self.layouts.clear();
        self.answers.clear();
        Ok(())
    }
}

/// Runs a program; returns its exit code and its output.
fn run(program: &str, input: &str) -> Result<(Option<i32>, String), String> {
    let mut command = Command::new(program);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let mut stdin = child.stdin.take().expect("it was piped");
    thread::scope(|scope| {
        // A program that stops reading early is judged by its exit code and its output.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
        Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    })
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, ((u128::from(self.next()) * (i as u128 + 1)) >> 64) as usize);
        }
    }
}
