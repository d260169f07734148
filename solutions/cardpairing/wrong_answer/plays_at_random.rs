//! Wrong answer: plays each layout 300 times at random, and says no if none of the
//! plays wins.
//!
//! Exposed by layouts that can be won, but only by few of the ways to play.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let answers: Vec<&str> =
        read_layouts(&input).iter().map(|stacks| if can_win(stacks) { "yes" } else { "no" }).collect();
    println!("{}", answers.join(" "));
    Ok(())
}

/// A stack's cards from the bottom to the top.
type Stack<'a> = &'a [u8];

fn read_layouts(input: &str) -> Vec<Vec<Stack<'_>>> {
    let lines = input.lines().skip(1);
    lines.map(|line| line.split(' ').map(str::as_bytes).collect()).collect()
}

/// The number of cards left in each stack.
type Heights = [usize; 9];

fn top(stacks: &[Stack], heights: &Heights, stack: usize) -> Option<u8> {
    let height = heights[stack];
    if height > 0 { Some(stacks[stack][height - 1]) } else { None }
}

const PLAYS: usize = 300;

fn can_win(stacks: &[Stack]) -> bool {
    let mut random = 88_172_645_463_325_252;
    (0..PLAYS).any(|_| play(stacks, &mut random) == [0; 9])
}

/// Plays randomly, and returns the cards that remain.
fn play(stacks: &[Stack], random: &mut u64) -> Heights {
    let mut heights = [4; 9];
    loop {
        let pairs = open_pairs(stacks, &heights);
        if pairs.is_empty() {
            return heights;
        }
        let (a, b) = pairs[next(random) as usize % pairs.len()];
        heights[a] -= 1;
        heights[b] -= 1;
    }
}

/// Xorshift.
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// All pairs of stacks that show the same rank.
fn open_pairs(stacks: &[Stack], heights: &Heights) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for a in 0..9 {
        for b in a + 1..9 {
            let rank = top(stacks, heights, a);
            if rank.is_some() && rank == top(stacks, heights, b) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}
