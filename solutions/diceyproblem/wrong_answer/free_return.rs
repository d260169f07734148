//! Wrong: the last move needs no matching number, because the test for the start square comes before the
//! test of the move. Exposed by mazes in which the die gets beside the start square with a wrong top.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead};

/// For the tops 1 to 6, the faces around the die, each to the right of the one before it when that
/// one is in front.
const AROUND: [&str; 6] = ["2354", "1463", "1265", "1562", "1364", "2453"];

/// Row, column, top, front.
type State = (i32, i32, i32, i32);

fn right(top: i32, front: i32) -> i32 {
    let around: Vec<i32> = AROUND[top as usize - 1].bytes().map(|face| i32::from(face - b'0')).collect();
    let at = around.iter().position(|&face| face == front).unwrap();
    around[(at + 1) % 4]
}

fn walk(maze: &[Vec<i32>], start: State) -> Option<Vec<State>> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([vec![start]]);
    let is_home = |state: State| (state.0, state.1) == (start.0, start.1);
    while let Some(walk) = queue.pop_front() {
        let (row, column, top, front) = walk[walk.len() - 1];
        if walk.len() > 1 && is_home((row, column, top, front)) {
            return Some(walk);
        }
        let side = right(top, front);
        for next in [
            (row - 1, column, front, 7 - top),
            (row + 1, column, 7 - front, top),
            (row, column - 1, side, front),
            (row, column + 1, 7 - side, front),
        ] {
            let line = maze.get(next.0 as usize);
            let square = line.and_then(|line| line.get(next.1 as usize));
            if square.is_some_and(|&n| n == -1 || n == top || is_home(next)) && seen.insert(next) {
                let mut longer = walk.clone();
                longer.push(next);
                queue.push_back(longer);
            }
        }
    }
    None
}

fn print(walk: &[State]) {
    for (i, (row, column, ..)) in walk.iter().enumerate() {
        if i % 9 == 0 {
            print!("  ");
        }
        print!("({},{})", row + 1, column + 1);
        if i + 1 < walk.len() {
            print!(",");
        }
        if i % 9 == 8 || i + 1 == walk.len() {
            println!();
        }
    }
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(Result::unwrap);
    while let Some(name) = lines.next().filter(|name| name != "END") {
        let mut numbers = || -> Vec<i32> {
            let line = lines.next().unwrap();
            line.split(' ').map(|word| word.parse().unwrap()).collect()
        };
        let head = numbers();
        let maze: Vec<Vec<i32>> = (0..head[0]).map(|_| numbers()).collect();
        println!("{name}");
        match walk(&maze, (head[2] - 1, head[3] - 1, head[4], head[5])) {
            Some(walk) => print(&walk),
            None => println!("  No Solution Possible"),
        }
    }
}
