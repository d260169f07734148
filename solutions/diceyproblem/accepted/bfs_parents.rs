//! Breadth-first search over the states (row, column, top, front), at most 10 * 10 * 24 of them.
//! Each state remembers the one it was first reached from; the walk is read off backwards from the
//! first state on the start square.

use std::collections::VecDeque;
use std::io::{self, Read};

/// The four ways to tip the die: up (to the row above), right, down, left.
const TIPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
const STATES: usize = 100 * 36;
const WILD: i32 = -1;

#[derive(Clone, Copy)]
struct Die {
    top: i32,
    front: i32,
    right: i32,
}

impl Die {
    fn tipped(self, tip: usize) -> Die {
        let Die { top, front, right } = self;
        let (top, front, right) = match tip {
            0 => (front, 7 - top, right),
            1 => (7 - right, front, top),
            2 => (7 - front, top, right),
            _ => (right, front, 7 - top),
        };
        Die { top, front, right }
    }

    /// Turns a die until it shows the two faces.
    fn showing(top: i32, front: i32) -> Die {
        let mut die = Die { top: 1, front: 2, right: 3 };
        // Six times: bring the next face up, then turn it on the spot (up, right, down) four times.
        for side in 0..6 {
            for _ in 0..4 {
                if (die.top, die.front) == (top, front) {
                    return die;
                }
                die = die.tipped(0).tipped(1).tipped(2);
            }
            die = die.tipped(side % 2);
        }
        panic!("{top} and {front} are not adjacent faces");
    }
}

#[derive(Clone, Copy)]
struct State {
    row: usize,
    column: usize,
    die: Die,
}

impl State {
    fn id(self) -> usize {
        let (top, front) = (self.die.top as usize - 1, self.die.front as usize - 1);
        ((self.row * 10 + self.column) * 6 + top) * 6 + front
    }
}

struct Maze {
    cells: Vec<Vec<i32>>,
    start: State,
}

impl Maze {
    fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Maze {
        let mut number = || words.next().unwrap().parse::<i32>().unwrap();
        let (rows, columns) = (number(), number());
        let (row, column) = (number() as usize - 1, number() as usize - 1);
        let die = Die::showing(number(), number());
        let mut line = || (0..columns).map(|_| number()).collect();
        Maze { cells: (0..rows).map(|_| line()).collect(), start: State { row, column, die } }
    }

    /// The state after a move, if the move is allowed.
    fn moved(&self, state: State, tip: usize) -> Option<State> {
        let row = state.row.checked_add_signed(TIPS[tip].0)?;
        let column = state.column.checked_add_signed(TIPS[tip].1)?;
        let cell = *self.cells.get(row)?.get(column)?;
        let die = state.die.tipped(tip);
        (cell == WILD || cell == state.die.top).then_some(State { row, column, die })
    }

    fn is_home(&self, state: State) -> bool {
        (state.row, state.column) == (self.start.row, self.start.column)
    }

    /// The states of the walk, if there is a walk.
    fn walk(&self) -> Option<Vec<State>> {
        // The start has no parent, and is not marked: a walk may end in the same state.
        let mut parents: Vec<Option<State>> = vec![None; STATES];
        let mut queue = VecDeque::from([self.start]);
        while let Some(state) = queue.pop_front() {
            for next in (0..4).filter_map(|tip| self.moved(state, tip)) {
                if parents[next.id()].is_none() {
                    parents[next.id()] = Some(state);
                    if self.is_home(next) {
                        return Some(self.trace(next, &parents));
                    }
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn trace(&self, end: State, parents: &[Option<State>]) -> Vec<State> {
        let mut walk = vec![end];
        let mut state = end;
        while let Some(parent) = parents[state.id()] {
            walk.push(parent);
            state = parent;
            if self.is_home(state) {
                break;
            }
        }
        walk.reverse();
        walk
    }
}

/// The lines of the answer for a maze, without its name.
fn answer(walk: Option<Vec<State>>) -> String {
    let Some(walk) = walk else {
        return "  No Solution Possible\n".into();
    };
    let show = |state: &State| format!("({},{})", state.row + 1, state.column + 1);
    let positions: Vec<String> = walk.iter().map(show).collect();
    let lines: Vec<String> = positions.chunks(9).map(|nine| nine.join(",")).collect();
    format!("  {}\n", lines.join(",\n  "))
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut words = input.split_ascii_whitespace();
    let mut output = String::new();
    while let Some(name) = words.next().filter(|&name| name != "END") {
        let maze = Maze::read(&mut words);
        output += &format!("{name}\n{}", answer(maze.walk()));
    }
    print!("{output}");
}
