//! Accepted, another algorithm: decides about partners instead of moves.
//!
//! A layout can be won exactly when its cards can be split into pairs of equal rank
//! so that the relation "this pair has a card under a card of that pair" has no
//! cycle. The search pairs up one rank after the other, three ways each, and keeps
//! the transitive closure of the relation as bit sets of cards; a pairing that
//! closes a cycle is given up at once.

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

/// `above[card]`: the cards that have to go before this one does, itself
/// included, as bits.
type Above = [u64; 36];

fn can_win(stacks: &[Stack]) -> bool {
    let in_stack = |card: usize| card..(card / 4 + 1) * 4;
    let above = std::array::from_fn(|card| in_stack(card).map(|higher| 1 << higher).sum());
    can_pair(&ranks(stacks), &above)
}

/// The four cards of each rank; card `4 * s + h` is in stack `s` at height `h`.
fn ranks(stacks: &[Stack]) -> Vec<Vec<usize>> {
    let ranks = b"6789TJQKA".iter();
    ranks.map(|&rank| (0..36).filter(|card| stacks[card / 4][card % 4] == rank).collect()).collect()
}

fn can_pair(ranks: &[Vec<usize>], above: &Above) -> bool {
    let Some((cards, rest)) = ranks.split_first() else {
        return true;
    };
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]].iter().any(|order| {
        let [a, b, c, d] = order.map(|i| cards[i]);
        let paired = join(above, a, b).and_then(|above| join(&above, c, d));
        paired.is_some_and(|above| can_pair(rest, &above))
    })
}

/// Makes partners of two cards; `None` if one has to go before the other does.
fn join(above: &Above, a: usize, b: usize) -> Option<Above> {
    let pair = 1 << a | 1 << b;
    if above[a] & pair != 1 << a || above[b] & pair != 1 << b {
        return None;
    }
    let both = above[a] | above[b];
    Some(above.map(|cards| if cards & pair != 0 { cards | both } else { cards }))
}
