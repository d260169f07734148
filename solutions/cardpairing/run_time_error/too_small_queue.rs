//! Run-time error: breadth-first search with room for 4,096 positions, because "there
//! are only a few of them".
//!
//! Correct as long as there is enough room. Crashes on layouts with more positions than
//! that, which are rare at random; the data has some with more than 6,000.

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

const ROOM: usize = 4096;

fn can_win(stacks: &[Stack]) -> bool {
    let mut seen = vec![false; 5usize.pow(9)];
    let mut queue = [[0; 9]; ROOM];
    queue[0] = [4; 9];
    let (mut head, mut tail) = (0, 1);
    while head < tail {
        let heights = queue[head];
        head += 1;
        if heights == [0; 9] {
            return true;
        }
        for (a, b) in open_pairs(stacks, &heights) {
            let mut next = heights;
            next[a] -= 1;
            next[b] -= 1;
            let number = next.iter().fold(0, |number, height| 5 * number + height);
            if !seen[number] {
                seen[number] = true;
                queue[tail] = next;
                tail += 1;
            }
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
