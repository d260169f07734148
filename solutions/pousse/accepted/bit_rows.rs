//! Accepted, O(n) word operations per move: every row is a pair of 128-bit masks.
//!
//! One mask per player holds the positions of its markers. Inserting into a row shifts the bits below the
//! first empty square; inserting into a column carries one bit from row to row. A column is a
//! straight where the conjunction of all rows has a 1.

use std::io::{self, Read};

#[derive(Clone, Copy, Default)]
struct Row {
    /// Bit c: there is a marker of X (of O) in column c.
    masks: [u128; 2],
}

struct Board {
    rows: Vec<Row>,
    full: u128,
}

/// Moves the bits of `mask` below `gap` one up, and puts `bit` into the place at the bottom.
fn shift_in(mask: u128, gap: u32, bit: bool) -> u128 {
    let moving = (1u128 << gap) - 1;
    let staying = !(moving << 1 | 1);
    (mask & staying) | (mask & moving) << 1 | u128::from(bit)
}

impl Board {
    fn new(size: usize) -> Board {
        Board { rows: vec![Row::default(); size], full: (1 << size) - 1 }
    }

    fn mirror(&self, mask: u128) -> u128 {
        mask.reverse_bits() >> self.full.leading_zeros()
    }

    fn insert_into_row(&mut self, row: usize, from_right: bool, player: usize) {
        let [mut x, mut o] = self.rows[row].masks;
        if from_right {
            x = self.mirror(x);
            o = self.mirror(o);
        }
        let gap = (x | o).trailing_ones();
        x = shift_in(x, gap, player == 0) & self.full;
        o = shift_in(o, gap, player == 1) & self.full;
        if from_right {
            x = self.mirror(x);
            o = self.mirror(o);
        }
        self.rows[row].masks = [x, o];
    }

    fn insert_into_column(&mut self, column: usize, from_bottom: bool, player: usize) {
        let bit = 1 << column;
        let mut hand = [0; 2];
        hand[player] = bit;
        let size = self.rows.len();
        for step in 0..size {
            let row = if from_bottom { size - 1 - step } else { step };
            let masks = &mut self.rows[row].masks;
            let old = [masks[0] & bit, masks[1] & bit];
            *masks = [masks[0] & !bit | hand[0], masks[1] & !bit | hand[1]];
            hand = old;
            if hand == [0, 0] {
                break;
            }
        }
    }

    fn straights(&self, player: usize) -> u32 {
        let masks = || self.rows.iter().map(|row| row.masks[player]);
        let rows = masks().filter(|&mask| mask == self.full).count();
        let columns = masks().fold(self.full, |all, mask| all & mask);
        rows as u32 + columns.count_ones()
    }
}

fn result(size: usize, moves: &[&str]) -> &'static str {
    let mut board = Board::new(size);
    for (turn, text) in moves.iter().enumerate() {
        let (side, number) = text.split_at(1);
        let line = number.parse::<usize>().unwrap() - 1;
        match side {
            "L" | "R" => board.insert_into_row(line, side == "R", turn % 2),
            _ => board.insert_into_column(line, side == "B", turn % 2),
        }
        let (x, o) = (board.straights(0), board.straights(1));
        if x != o {
            return if x > o { "X WINS" } else { "O WINS" };
        }
    }
    "TIE GAME"
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let words: Vec<&str> = input.split_whitespace().collect();
    for game in words[1..].split(|&word| word == "QUIT") {
        if let Some((size, moves)) = game.split_first() {
            println!("{}", result(size.parse().unwrap(), moves));
        }
    }
}
