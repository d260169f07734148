//! Wrong answer: always takes the first open pair, and never takes a move back.
//!
//! Exposed by every other layout.

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

fn can_win(stacks: &[Stack]) -> bool {
    let mut heights = [4; 9];
    while let Some((a, b)) = open_pair(stacks, &heights) {
        heights[a] -= 1;
        heights[b] -= 1;
    }
    heights == [0; 9]
}

fn open_pair(stacks: &[Stack], heights: &Heights) -> Option<(usize, usize)> {
    for a in 0..9 {
        for b in a + 1..9 {
            let rank = top(stacks, heights, a);
            if rank.is_some() && rank == top(stacks, heights, b) {
                return Some((a, b));
            }
        }
    }
    None
}
