//! Input validator of "A Dicey Problem": exit code 42 for a valid input on stdin, 43 otherwise,
//! with the reason and its place on stderr.
//!
//! The grammar is read byte by byte. What needs thought is the promise that a maze has at most one
//! walk that repeats no state (row, column, top, front). A shortest walk repeats none. A second one
//! leaves it at some step, for another next state from which the start square can be reached
//! without the states so far. The steps are looked at from the last to the first: the fewer states
//! are barred, the more states can get back, so that one set can grow all the while, and a maze is
//! checked in time linear in its number of states.

use std::io::{self, Read};
use std::process::ExitCode;

const MAX_MAZES: usize = 200;
const MAX_NAME: usize = 20;
const MAX_SIDE: i64 = 10;
/// More bytes than a valid input can have. What lies behind is not read.
const MAX_BYTES: u64 = 1 << 20;

/// The exit codes.
const VALID: u8 = 42;
const INVALID: u8 = 43;

const WILD: i64 = -1;
const HOLE: i64 = 0;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    if let Err(error) = io::stdin().take(MAX_BYTES).read_to_end(&mut bytes) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::FAILURE;
    }
    let Err(error) = validate(&bytes) else {
        return ExitCode::from(VALID);
    };
    let (line, column) = place(&bytes, error.at);
    eprintln!("line {line}, column {column}: {}", error.reason);
    ExitCode::from(INVALID)
}

/// The line and column (in bytes), counted from 1, of an offset.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n');
    (line + 1, column.count() + 1)
}

// ------------------------------------------------------------------------------------ grammar

/// Why an input is not valid, and the offset of the byte that shows it.
struct Error {
    at: usize,
    reason: String,
}

fn fail<T>(at: usize, reason: impl Into<String>) -> Result<T, Error> {
    Err(Error { at, reason: reason.into() })
}

/// Checks a whole input.
fn validate(bytes: &[u8]) -> Result<(), Error> {
    let mut reader = Reader { bytes, at: 0 };
    let mut mazes = 0;
    loop {
        let at = reader.at;
        if reader.name()? == b"END" {
            break;
        }
        if mazes == MAX_MAZES {
            return fail(at, format!("more than {MAX_MAZES} mazes"));
        }
        let maze = read_maze(&mut reader)?;
        mazes += 1;
        if let Some(message) = second_walk(&maze) {
            return fail(at, message);
        }
    }
    match (mazes, reader.peek()) {
        (0, _) => fail(0, "no maze before the line END"),
        (_, None) => Ok(()),
        _ => fail(reader.at, "something follows the line END"),
    }
}

/// Reads a maze from the line after its name on.
fn read_maze(reader: &mut Reader) -> Result<Maze, Error> {
    let rows = reader.number("the number of rows", 1, MAX_SIDE)?;
    reader.byte(b' ')?;
    let columns = reader.number("the number of columns", 1, MAX_SIDE)?;
    reader.byte(b' ')?;
    let start_row = reader.number("the start row", 1, rows)?;
    reader.byte(b' ')?;
    let start_column = reader.number("the start column", 1, columns)?;
    reader.byte(b' ')?;
    let top = reader.number("the top face", 1, 6)?;
    reader.byte(b' ')?;
    let at = reader.at;
    let front = reader.number("the front face", 1, 6)?;
    reader.byte(b'\n')?;
    if front == top || front == 7 - top {
        return fail(at, format!("faces {top} and {front} are not adjacent"));
    }
    let start = ((start_row - 1) * columns + start_column - 1) as usize;
    let mut cells = Vec::new();
    for _ in 0..rows {
        for column in 1..=columns {
            let at = reader.at;
            let cell = reader.number("a square", WILD, 6)?;
            reader.byte(if column < columns { b' ' } else { b'\n' })?;
            if cells.len() == start && cell == HOLE {
                return fail(at, "the start square is a hole");
            }
            cells.push(cell);
        }
    }
    Ok(Maze {
        rows: rows as usize,
        columns: columns as usize,
        start: State { square: start, die: Die { top, front } },
        cells,
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads a line of 1 to 20 printable ASCII characters other than the blank.
    fn name(&mut self) -> Result<&'a [u8], Error> {
        let start = self.at;
        while let Some(b'!'..=b'~') = self.peek() {
            if self.at - start == MAX_NAME {
                return fail(self.at, format!("a name of more than {MAX_NAME} characters"));
            }
            self.at += 1;
        }
        let name = &self.bytes[start..self.at];
        match self.peek() {
            None if name.is_empty() => fail(start, "the line END is missing"),
            Some(b'\n') if name.is_empty() => fail(start, "an empty name"),
            _ => self.byte(b'\n').map(|()| name),
        }
    }

    /// Reads a decimal number without plus sign, leading zeros or a negative zero.
    fn number(&mut self, what: &str, low: i64, high: i64) -> Result<i64, Error> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let digits = self.at;
        let mut value = 0_i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == digits {
            return fail(self.at, format!("expected {what}, found {}", self.found()));
        }
        if self.bytes[digits] == b'0' && (negative || self.at > digits + 1) {
            return fail(start, format!("{what} has a leading or negative zero"));
        }
        let value = if negative { -value } else { value };
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            fail(start, format!("{what} is not from {low} to {high}"))
        }
    }

    fn byte(&mut self, expected: u8) -> Result<(), Error> {
        if self.peek() == Some(expected) {
            self.at += 1;
            return Ok(());
        }
        let expected = describe(Some(expected));
        fail(self.at, format!("expected {expected}, found {}", self.found()))
    }

    fn found(&self) -> String {
        describe(self.peek())
    }
}

fn describe(byte: Option<u8>) -> String {
    match byte {
        None => "the end of the input".into(),
        Some(b'\n') => "the end of the line".into(),
        Some(b' ') => "a blank".into(),
        Some(byte @ b'!'..=b'~') => format!("`{}`", char::from(byte)),
        Some(byte) => format!("byte {byte:#04x}"),
    }
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

/// Says where two walks that repeat no state part, if there are two.
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
