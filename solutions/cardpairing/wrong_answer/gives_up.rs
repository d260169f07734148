//! Wrong answer: searches without memory, and says no when it has seen 20,000
//! positions without a win.
//!
//! Exposed by layouts that can be won, with a win that comes late in the search.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let answers: Vec<&str> = read_layouts(&input)
        .iter()
        .map(|stacks| if can_win(stacks, &mut [4; 9], &mut 20_000) { "yes" } else { "no" })
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

/// Returns true if `budget` steps suffice to find that all cards can be removed.
fn can_win(stacks: &[Stack], heights: &mut Heights, budget: &mut u32) -> bool {
    if heights.iter().sum::<usize>() == 0 {
        return true;
    }
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    for (a, b) in open_pairs(stacks, heights) {
        heights[a] -= 1;
        heights[b] -= 1;
        let won = can_win(stacks, heights, budget);
        heights[a] += 1;
        heights[b] += 1;
        if won {
            return true;
        }
    }
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
