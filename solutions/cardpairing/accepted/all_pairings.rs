//! Accepted, the simplest way: tries every way to split the cards into pairs.
//!
//! Each of the nine ranks can be paired up in three ways, which makes 3^9 = 19,683
//! pairings. Each of them is played as far as possible; the order doesn't matter,
//! because a pair that is open stays open until it is taken.

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

/// The three ways to make two pairs of four cards: who is whose partner.
const PARTNERS: [[usize; 4]; 3] = [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

fn can_win(stacks: &[Stack]) -> bool {
    can_win_with(&mut [0; 36], &ranks(stacks))
}

/// Returns true if the cards of these ranks can be paired as well, so that all pairs can be removed.
fn can_win_with(partners: &mut [usize; 36], ranks: &[Vec<usize>]) -> bool {
    let Some((cards, rest)) = ranks.split_first() else {
        return can_play(partners);
    };
    PARTNERS.iter().any(|partner| {
        for i in 0..4 {
            partners[cards[i]] = cards[partner[i]];
        }
        // Two cards of one stack can never go together.
        let apart = (0..4).all(|i| cards[i] / 4 != cards[partner[i]] / 4);
        apart && can_win_with(partners, rest)
    })
}

/// The four cards of each rank; card `4 * s + h` is in stack `s` at height `h`.
fn ranks(stacks: &[Stack]) -> Vec<Vec<usize>> {
    let ranks = b"6789TJQKA".iter();
    ranks.map(|&rank| (0..36).filter(|card| stacks[card / 4][card % 4] == rank).collect()).collect()
}

/// Removes pairs of open partners while there are any. True if all cards are gone.
fn can_play(partners: &[usize; 36]) -> bool {
    let mut heights = [4; 9];
    let mut stack = 0;
    let mut idle = 0;
    while idle < 9 {
        idle += 1;
        while heights[stack] > 0 {
            let partner = partners[4 * stack + heights[stack] - 1];
            if partner % 4 + 1 != heights[partner / 4] {
                break;
            }
            heights[stack] -= 1;
            heights[partner / 4] -= 1;
            idle = 0;
        }
        stack = (stack + 1) % 9;
    }
    heights == [0; 9]
}
