//! Wrong answer: continues only from the ten best positions after each move, those
//! with the most open pairs.
//!
//! Exposed by layouts whose wins lead through positions with few open pairs.

use std::collections::BTreeSet;
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

const KEPT: usize = 10;

fn can_win(stacks: &[Stack]) -> bool {
    let mut positions = vec![[4; 9]];
    for _ in 0..18 {
        let mut next = BTreeSet::new();
        for heights in positions {
            for (a, b) in open_pairs(stacks, &heights) {
                let mut heights = heights;
                heights[a] -= 1;
                heights[b] -= 1;
                next.insert(heights);
            }
        }
        positions = next.into_iter().collect();
        positions.sort_by_key(|heights| std::cmp::Reverse(open_pairs(stacks, heights).len()));
        positions.truncate(KEPT);
    }
    !positions.is_empty()
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
