//! Input validator of "A Dicey Problem".
//!
//! The difficult part is the promise that a maze has at most one walk that repeats no state (row, column, top,
//! front). A shortest walk repeats none. A second one leaves it at some step, for another next state from which the
//! start square can be reached without the states so far. The steps are looked at from the last to the first: the
//! fewer states are barred, the more states can get back, so that one set can grow all the while, and a maze is
//! checked in time linear in its number of states.

use testlib::{Chars, Reader};

const MAX_MAZES: usize = 200;
const WILD: i64 = -1;
const HOLE: i64 = 0;

fn main() {
    testlib::validate_input(|input, _| {
        let mut mazes = 0;
        while name(input) != "END" {
            mazes += 1;
            input.require(mazes <= MAX_MAZES, format_args!("more than {MAX_MAZES} mazes"));
            let maze = read_maze(input);
            if let Some(message) = second_walk(&maze) {
                input.reject(message);
            }
        }
        input.require(mazes > 0, "no maze before the line END");
    })
}

fn name(input: &mut Reader) -> String {
    let name = input.line("name", Chars::VISIBLE, 1..=20);
    input.newline();
    name
}

/// Reads a maze from the line after its name on.
fn read_maze(input: &mut Reader) -> Maze {
    let rows: usize = input.int("R", 1..=10);
    input.space();
    let columns: usize = input.int("C", 1..=10);
    input.space();
    let row: usize = input.int("r", 1..=rows);
    input.space();
    let column: usize = input.int("c", 1..=columns);
    input.space();
    let top: i64 = input.int("top", 1..=6);
    input.space();
    let front: i64 = input.int("front", 1..=6);
    input.require(front != top && front != 7 - top, format_args!("faces {top} and {front} are not adjacent"));
    input.newline();
    let mut cells = Vec::new();
    for _ in 0..rows {
        cells.extend(input.ints("square", columns, WILD..=6));
        input.newline();
    }
    let square = (row - 1) * columns + column - 1;
    input.require(cells[square] != HOLE, "the start square is a hole");
    Maze { rows, columns, start: State { square, die: Die { top, front } }, cells }
}

// --------------------------------------------------------------------------------- uniqueness

/// The four ways to tip the die: up (to the row above), right, down, left.
const TIPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
const STATES: usize = 100 * 36;

/// A die, seen from the lower edge of the maze; opposite faces add up to 7.
#[derive(Clone, Copy)]
struct Die {
    top: i64,
    front: i64,
}

impl Die {
    /// The face on the right. The faces 1, 2, 3 seen from their common corner run as top, front,
    /// right; replacing two adjacent faces by their opposites, or shifting the three, changes nothing.
    fn right(self) -> i64 {
        let Die { top, front } = self;
        let axis = |face: i64| face.min(7 - face);
        let third = 6 - axis(top) - axis(front);
        let in_order = axis(front) % 3 == (axis(top) + 1) % 3;
        let high_faces = usize::from(top > 3) + usize::from(front > 3);
        if in_order == (high_faces % 2 == 0) { third } else { 7 - third }
    }

    fn tipped(self, tip: usize) -> Die {
        let Die { top, front } = self;
        let (top, front) = match tip {
            0 => (front, 7 - top),
            1 => (7 - self.right(), front),
            2 => (7 - front, top),
            _ => (self.right(), front),
        };
        Die { top, front }
    }
}

#[derive(Clone, Copy)]
struct State {
    square: usize,
    die: Die,
}

impl State {
    fn id(self) -> usize {
        (self.square * 6 + self.die.top as usize - 1) * 6 + self.die.front as usize - 1
    }
}

struct Maze {
    rows: usize,
    columns: usize,
    start: State,
    cells: Vec<i64>,
}

impl Maze {
    fn neighbour(&self, square: usize, tip: usize) -> Option<usize> {
        let (down, right) = TIPS[tip];
        let row = (square / self.columns).checked_add_signed(down)?;
        let column = (square % self.columns).checked_add_signed(right)?;
        (row < self.rows && column < self.columns).then_some(row * self.columns + column)
    }

    /// The state after a move, if the move is allowed.
    fn moved(&self, state: State, tip: usize) -> Option<State> {
        let square = self.neighbour(state.square, tip)?;
        let allowed = [WILD, state.die.top].contains(&self.cells[square]);
        allowed.then_some(State { square, die: state.die.tipped(tip) })
    }

    fn position(&self, state: State) -> String {
        let (row, column) = (state.square / self.columns, state.square % self.columns);
        format!("({},{})", row + 1, column + 1)
    }
}

/// The states that the die can get to, in the order of breadth-first search: the first one has
/// index 0. Nothing follows the states that end a walk. Nothing precedes the first one, even if a
/// walk ends in the same state, so that the index 0 can mean "none" below.
struct Graph {
    states: Vec<State>,
    /// The state before each one on a shortest way to it.
    parent: Vec<usize>,
    /// The states after and before each one, by the tip between them.
    next: Vec<[usize; 4]>,
    before: Vec<[usize; 4]>,
    /// The states that end a walk.
    ends: Vec<usize>,
}

fn explore(maze: &Maze) -> Graph {
    let mut graph =
        Graph { states: vec![maze.start], parent: vec![0], next: vec![[0; 4]], before: vec![[0; 4]], ends: Vec::new() };
    let mut index = vec![0; STATES];
    let mut at = 0;
    while at < graph.states.len() {
        let state = graph.states[at];
        if at > 0 && state.square == maze.start.square {
            graph.ends.push(at);
            at += 1;
            continue;
        }
        for tip in 0..4 {
            let Some(after) = maze.moved(state, tip) else {
                continue;
            };
            let found = &mut index[after.id()];
            if *found == 0 {
                *found = graph.states.len();
                graph.states.push(after);
                graph.parent.push(at);
                graph.next.push([0; 4]);
                graph.before.push([0; 4]);
            }
            graph.next[at][tip] = *found;
            graph.before[*found][tip] = at;
        }
        at += 1;
    }
    graph
}

/// Finds the place where two walks that repeat no state part, if there are two.
fn second_walk(maze: &Maze) -> Option<String> {
    let graph = explore(maze);
    let mut walk = vec![*graph.ends.first()?];
    while let Some(&at @ 1..) = walk.last() {
        walk.push(graph.parent[at]);
    }
    let mut barred = vec![false; graph.states.len()];
    for &at in &walk {
        barred[at] = true;
    }
    let mut returns = vec![false; graph.states.len()];
    for &end in &graph.ends {
        returns[end] = true;
    }
    let mut new = graph.ends.clone();
    for (done, step) in walk.windows(2).enumerate() {
        let (after, at) = (step[0], step[1]);
        while let Some(grown) = new.pop() {
            for &previous in &graph.before[grown] {
                if !barred[previous] && !returns[previous] {
                    returns[previous] = true;
                    new.push(previous);
                }
            }
        }
        let other = |&&next: &&usize| next != after && returns[next];
        if let Some(&next) = graph.next[at].iter().find(other) {
            let moves = walk.len() - 1;
            return Some(format!(
                "the maze has more than one walk: one of {moves} moves, another one leaves it \
                 after {} moves, at {} for {}",
                moves - 1 - done,
                maze.position(graph.states[at]),
                maze.position(graph.states[next]),
            ));
        }
        returns[at] = true;
        new.push(at);
    }
    None
}
