//! Too slow: depth-first search that bars only the states of the current walk, and frees a state again when it
//! goes back from it. So a state without a way back is tried again on each of the many walks that lead to it.
//! Exposed by gardens of wild squares from which there is no way back.

use std::io::{self, Read};

/// Top, front and right-hand face.
type Die = [i32; 3];

/// The ways to tip a die: up (to the row above), right, down, left.
fn tipped([top, front, right]: Die) -> [(isize, isize, Die); 4] {
    [
        (-1, 0, [front, 7 - top, right]),
        (0, 1, [7 - right, front, top]),
        (1, 0, [7 - front, top, right]),
        (0, -1, [right, front, 7 - top]),
    ]
}

/// Tips a die back and forth until it shows the two faces.
fn showing(top: i32, front: i32) -> Die {
    let mut dice = vec![[1, 2, 3]];
    loop {
        if let Some(&die) = dice.iter().find(|die| die[..2] == [top, front]) {
            return die;
        }
        dice = dice.into_iter().flat_map(tipped).map(|(_, _, die)| die).collect();
    }
}

struct Search {
    cells: Vec<Vec<i32>>,
    start: (usize, usize),
    /// The faces seen on each square, on the present walk.
    barred: Vec<Vec<Vec<Die>>>,
    walk: Vec<(usize, usize)>,
}

impl Search {
    fn read(number: &mut impl FnMut() -> i32) -> (Search, Die) {
        let (rows, columns) = (number() as usize, number() as usize);
        let start = (number() as usize - 1, number() as usize - 1);
        let die = showing(number(), number());
        let cells = (0..rows).map(|_| (0..columns).map(|_| number()).collect()).collect();
        let barred = vec![vec![Vec::new(); columns]; rows];
        (Search { cells, start, barred, walk: vec![start] }, die)
    }

    /// Returns true if the walk can be finished with this die at its end.
    fn finish(&mut self, die: Die) -> bool {
        let (row, column) = *self.walk.last().unwrap();
        for (down, right, next) in tipped(die) {
            let (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
            let cell = self.cells.get(row).and_then(|line| line.get(column)).copied().unwrap_or(0);
            if cell != -1 && cell != die[0] || self.barred[row][column].contains(&next) {
                continue;
            }
            self.walk.push((row, column));
            if (row, column) == self.start {
                return true;
            }
            self.barred[row][column].push(next);
            if self.finish(next) {
                return true;
            }
            self.barred[row][column].pop();
            self.walk.pop();
        }
        false
    }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut words = input.split_ascii_whitespace();
    while let Some(name) = words.next().filter(|&name| name != "END") {
        println!("{name}");
        let (mut search, die) = Search::read(&mut || words.next().unwrap().parse().unwrap());
        if !search.finish(die) {
            println!("  No Solution Possible");
            continue;
        }
        let show = |(row, column): &(usize, usize)| format!("({},{})", row + 1, column + 1);
        let positions: Vec<String> = search.walk.iter().map(show).collect();
        let lines: Vec<String> = positions.chunks(9).map(|nine| nine.join(",")).collect();
        println!("  {}", lines.join(",\n  "));
    }
}
