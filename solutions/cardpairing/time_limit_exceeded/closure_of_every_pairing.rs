//! Time limit exceeded: for each of the 3^9 = 19,683 pairings, computes the transitive
//! closure of "this pair has a card under a card of that pair" by going through all
//! triples of pairs until nothing changes, and looks for a cycle.
//!
//! Correct, but this takes at least 19,683 * 2 * 18^3 steps, more than 2 * 10^8, for a layout
//! that can't be won, and there may be a hundred of them.

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

/// The three ways to make two pairs of four cards.
const PAIRS: [[usize; 4]; 3] = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]];

fn can_win(stacks: &[Stack]) -> bool {
    let ranks = ranks(stacks);
    (0..19_683).any(|pairing| {
        let mut pairing = pairing;
        let mut pair_of = [0; 36];
        for (rank, cards) in ranks.iter().enumerate() {
            for (i, &place) in PAIRS[pairing % 3].iter().enumerate() {
                pair_of[cards[place]] = 2 * rank + i / 2;
            }
            pairing /= 3;
        }
        !has_cycle(&pair_of)
    })
}

/// The four cards of each rank; card `4 * s + h` is in stack `s` at height `h`.
fn ranks(stacks: &[Stack]) -> Vec<Vec<usize>> {
    let ranks = b"6789TJQKA".iter();
    ranks.map(|&rank| (0..36).filter(|card| stacks[card / 4][card % 4] == rank).collect()).collect()
}

/// Returns true if some pair has to wait for itself.
fn has_cycle(pair_of: &[usize; 36]) -> bool {
    let mut waits = [[false; 18]; 18];
    for low in 0..36 {
        for high in low + 1..(low / 4 + 1) * 4 {
            waits[pair_of[low]][pair_of[high]] = true;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for from in 0..18 {
            for via in 0..18 {
                for to in 0..18 {
                    if waits[from][via] && waits[via][to] && !waits[from][to] {
                        waits[from][to] = true;
                        changed = true;
                    }
                }
            }
        }
    }
    (0..18).any(|pair| waits[pair][pair])
}
