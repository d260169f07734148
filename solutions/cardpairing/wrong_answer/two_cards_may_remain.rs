//! Wrong answer: counts the moves from zero and accepts seventeen of them.
//!
//! Exposed by lost layouts that can be played until two cards remain.

use std::collections::HashSet;
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let answers: Vec<&str> = read_layouts(&input)
        .iter()
        .map(|stacks| if can_win(stacks, &mut [4; 9], &mut HashSet::new()) { "yes" } else { "no" })
        .collect();
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

/// Returns true if all cards can be removed; `lost` holds positions that cannot be won.
fn can_win(stacks: &[Stack], heights: &mut Heights, lost: &mut HashSet<Heights>) -> bool {
    if heights.iter().sum::<usize>() <= 2 {
        return true;
    }
    if lost.contains(heights) {
        return false;
    }
    for (a, b) in open_pairs(stacks, heights) {
        heights[a] -= 1;
        heights[b] -= 1;
        let won = can_win(stacks, heights, lost);
        heights[a] += 1;
        heights[b] += 1;
        if won {
            return true;
        }
    }
    lost.insert(*heights);
    false
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
