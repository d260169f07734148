//! Wrong answer: a player who repeats an earlier position loses, as in the game of the ICFP contest.
//!
//! The statement has no such rule: markers that are pushed around a full board repeat positions.

use std::collections::HashSet;
use std::io;

const EMPTY: usize = 2;
const WINS: [&str; 2] = ["X WINS", "O WINS"];

struct Board {
    size: usize,
    squares: Vec<usize>,
    /// Markers per line, for each player: the rows, then the columns.
    markers: [Vec<usize>; 2],
    straights: [usize; 2],
    /// Stands for the position: the exclusive or of a random number for each marker on its square.
    hash: u64,
}

/// The random number of a marker on a square.
fn hash_of(square: usize, marker: usize) -> u64 {
    let z = (3 * square + marker + 1) as u64;
    let z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Board {
    fn new(size: usize) -> Board {
        Board {
            size,
            squares: vec![EMPTY; size * size],
            markers: [vec![0; 2 * size], vec![0; 2 * size]],
            straights: [0; 2],
            hash: 0,
        }
    }

    /// Puts a marker on a square and returns what was there before.
    fn replace(&mut self, square: usize, marker: usize) -> usize {
        let old = std::mem::replace(&mut self.squares[square], marker);
        if old != EMPTY {
            self.hash ^= hash_of(square, old);
        }
        self.hash ^= hash_of(square, marker);
        let lines = [square / self.size, self.size + square % self.size];
        for line in lines.iter().copied() {
            if old != EMPTY {
                self.straights[old] -= usize::from(self.markers[old][line] == self.size);
                self.markers[old][line] -= 1;
            }
            self.markers[marker][line] += 1;
            self.straights[marker] += usize::from(self.markers[marker][line] == self.size);
        }
        old
    }

    fn insert(&mut self, side: char, line: usize, player: usize) {
        let last = self.size - 1;
        let mut hand = player;
        for step in 0..self.size {
            let (row, column) = match side {
                'L' => (line, step),
                'R' => (line, last - step),
                'T' => (step, line),
                _ => (last - step, line),
            };
            hand = self.replace(row * self.size + column, hand);
            if hand == EMPTY {
                break;
            }
        }
    }

    fn winner(&self) -> Option<usize> {
        let [x, o] = self.straights;
        if x == o { None } else { Some(usize::from(o > x)) }
    }
}

/// Reads a game up to its QUIT, even if it is decided earlier.
fn play(lines: &mut impl Iterator<Item = String>) -> &'static str {
    let mut board = Board::new(lines.next().unwrap().parse().unwrap());
    let mut result = "TIE GAME";
    let mut seen = HashSet::from([board.hash]);
    let moves = lines.take_while(|line| line != "QUIT");
    for (turn, text) in moves.enumerate() {
        if result == "TIE GAME" {
            let line: usize = text[1..].parse().unwrap();
            let side = text.chars().next().unwrap();
            board.insert(side, line - 1, turn % 2);
            let repeated = !seen.insert(board.hash);
            let winner = board.winner().or(repeated.then_some(1 - turn % 2));
            result = winner.map_or(result, |player| WINS[player]);
        }
    }
    result
}

fn main() {
    let mut lines = io::stdin().lines().map(|line| line.unwrap());
    let games: usize = lines.next().unwrap().parse().unwrap();
    for _ in 0..games {
        println!("{}", play(&mut lines));
    }
}
