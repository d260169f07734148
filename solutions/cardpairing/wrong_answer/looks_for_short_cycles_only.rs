//! Wrong answer: pairs up the cards rank by rank, and gives a pairing up when a pair
//! lies in one stack or when two pairs wait for each other.
//!
//! Three or more pairs can wait for one another in a circle. Exposed by layouts
//! that can't be won, though some pairing has no short cycle.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let answers: Vec<&str> = read_layouts(&input)
        .iter()
        .map(|stacks| if can_pair(&ranks(stacks), &mut Vec::new()) { "yes" } else { "no" })
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

/// The four cards of each rank: their stacks and heights.
fn ranks(stacks: &[Stack]) -> Vec<Vec<(usize, usize)>> {
    let mut ranks = vec![Vec::new(); 9];
    for (s, stack) in stacks.iter().enumerate() {
        for (height, card) in stack.iter().enumerate() {
            let rank = b"6789TJQKA".iter().position(|rank| rank == card);
            ranks[rank.expect("a rank")].push((s, height));
        }
    }
    ranks
}

type Pair = [(usize, usize); 2];

fn can_pair(ranks: &[Vec<(usize, usize)>], pairs: &mut Vec<Pair>) -> bool {
    let Some((cards, rest)) = ranks.split_first() else {
        return true;
    };
    for [a, b, c, d] in [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]] {
        let two = [[cards[a], cards[b]], [cards[c], cards[d]]];
        let before = pairs.len();
        pairs.extend(two);
        let blocked = two.iter().any(|p| pairs.iter().any(|q| waits(p, q) && waits(q, p)));
        if !blocked && can_pair(rest, pairs) {
            return true;
        }
        pairs.truncate(before);
    }
    false
}

/// Returns true if a card of `p` lies under a card of `q`.
fn waits(p: &Pair, q: &Pair) -> bool {
    p.iter().any(|low| q.iter().any(|high| low.0 == high.0 && low.1 < high.1))
}
