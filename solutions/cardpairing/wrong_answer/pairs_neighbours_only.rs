//! Wrong answer: searches, with memory, but when three or four cards of a rank are
//! open, tries only neighbours among them and not the first with the third.
//!
//! Exposed by layouts that need just that choice.

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
    if heights.iter().sum::<usize>() == 0 {
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

/// Pairs of stacks that show the same rank.
fn open_pairs(stacks: &[Stack], heights: &Heights) -> Vec<(usize, usize)> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    for stack in 0..9 {
        if let Some(rank) = top(stacks, heights, stack) {
            open.push((rank, stack));
        }
    }
    open.sort_unstable();
    let neighbours = open.windows(2).filter(|two| two[0].0 == two[1].0);
    neighbours.map(|two| (two[0].1, two[1].1)).collect()
}
