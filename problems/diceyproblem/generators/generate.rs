//! Generator of dice mazes: `generate STRATEGY ARGUMENTS… SEED` prints one input.
//!
//! Every maze that leaves this program has at most one walk that repeats no state (row, column,
//! top, front). There are two ways to get one, both bounded and driven by the seed alone:
//!
//! * `draw` fills a grid at random and, while there is a second walk, changes a square of the
//!   first one;
//! * `carve` lets the die wander, writes on each square the number that was on top before it was
//!   entered, and closes the walk by numbering the start square. `stretch` lengthens such a walk by
//!   wandering again from a random point of it; `furnish` fills the squares that are still holes
//!   with decoys, as long as no second walk appears.
//!
//! The same arguments give the same bytes everywhere: the pseudo-random numbers are splitmix64, and
//! nothing depends on hashing, time or the platform.
//!
//! It is one file, because BAPCtools passes every Rust file of a program to rustc, which accepts
//! one. Its parts are ordered from the command line down: strategies, the making of mazes,
//! properties, die and maze, pseudo-random numbers; each uses only the parts below it and the
//! constants.

use std::env;
use std::fmt::Write;
use std::process::ExitCode;

const USAGE: &str = "\
usage: generate STRATEGY ARGUMENTS… SEED
  random COUNT ROWS COLUMNS WILD% HOLE%  mazes drawn at random (ROWS or COLUMNS 0: any from 1 to 10)
  long COUNT ROWS COLUMNS WILD%          walks that are as long as a short search can make them
  exact COUNT POSITIONS                  walks that list exactly POSITIONS positions
  with COUNT PROPERTY                    mazes with a property that a wrong solution overlooks:
                                         crossing, same-top, new-orientation, old-orientation,
                                         near-miss, wild-start
  garden COUNT WILD%                     no way back, but a garden of WILD% wild squares to wander in
  maze-garden COUNT                      one walk, beside squares as wild as uniqueness allows
  full COUNT                             10 times 10 mazes of all kinds, names of 20 characters
COUNT is 1 to 200, ROWS and COLUMNS are 0 to 10, POSITIONS is odd and at least 3";

/// The number of rounds of a search; longer searches have a multiple.
const ROUNDS: usize = 400;
/// The number of mazes from which the liveliest is chosen.
const DRAWS: usize = 40;
/// Numbers of ids of squares and of states (square, top, front).
const SQUARES: usize = 100;
const STATES: usize = SQUARES * 36;
const WILD: i8 = -1;
const HOLE: i8 = 0;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((strategy, count, seed)) = parse(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let rng = &mut Rng(seed);
    let Some(mut mazes) = (0..count).map(|index| strategy.maze(rng, index)).collect::<Option<Vec<Maze>>>() else {
        eprintln!("the search found no such maze, perhaps there is none");
        return ExitCode::FAILURE;
    };
    for (index, maze) in mazes.iter_mut().enumerate() {
        maze.name = match strategy {
            Strategy::Full => random_name(rng),
            _ => format!("{}-{}", words[0].to_uppercase(), index + 1),
        };
    }
    print!("{}", render(&mazes));
    ExitCode::SUCCESS
}

enum Strategy {
    Random { rows: usize, columns: usize, mix: Mix },
    Long { rows: usize, columns: usize, wild: u64 },
    Exact { positions: usize },
    With { property: Property },
    Garden { wild: u64 },
    MazeGarden,
    Full,
}

/// The strategy, the number of mazes and the seed that the command line asks for.
fn parse(words: &[&str]) -> Option<(Strategy, u64, u64)> {
    let (seed, words) = words.split_last()?;
    let (name, words) = words.split_first()?;
    let (count, words) = words.split_first()?;
    let side = |word| number(word, 0, 10).map(|side| side as usize);
    let percent = |word| number(word, 0, 100);
    let strategy = match (*name, words) {
        ("random", &[rows, columns, wild, hole]) => {
            let mix = Mix { wild: percent(wild)?, hole: percent(hole)? };
            if mix.wild + mix.hole > 100 {
                return None;
            }
            Strategy::Random { rows: side(rows)?, columns: side(columns)?, mix }
        }
        ("long", &[rows, columns, wild]) => {
            Strategy::Long { rows: side(rows)?, columns: side(columns)?, wild: percent(wild)? }
        }
        ("exact", &[positions]) => {
            let positions = number(positions, 3, 201).filter(|positions| positions % 2 == 1)?;
            Strategy::Exact { positions: positions as usize }
        }
        ("with", &[property]) => Strategy::With { property: Property::named(property)? },
        ("garden", &[wild]) => Strategy::Garden { wild: percent(wild)? },
        ("maze-garden", &[]) => Strategy::MazeGarden,
        ("full", &[]) => Strategy::Full,
        _ => return None,
    };
    Some((strategy, number(count, 1, 200)?, number(seed, 0, u64::MAX)?))
}

/// A decimal number from `low` to `high`.
fn number(word: &str, low: u64, high: u64) -> Option<u64> {
    let value = word.parse().ok()?;
    (low..=high).contains(&value).then_some(value)
}

// ---------------------------------------------------------------------------------- strategies

impl Strategy {
    /// The next maze, still without a name; `None` if a search fails.
    fn maze(&self, rng: &mut Rng, index: u64) -> Option<Maze> {
        match *self {
            Strategy::Random { rows, columns, mix } => {
                let (rows, columns) = (rng.side(rows), rng.side(columns));
                random(rng, rows, columns, mix)
            }
            Strategy::Long { rows, columns, wild } => {
                let (rows, columns) = (rng.side(rows), rng.side(columns));
                long(rng, rows, columns, wild)
            }
            Strategy::Exact { positions } => exact(rng, positions),
            Strategy::With { property } => with(rng, property),
            Strategy::Garden { wild } => garden(rng, wild),
            Strategy::MazeGarden => maze_garden(rng),
            Strategy::Full => full(rng, index),
        }
    }
}

/// The liveliest of some random mazes.
fn random(rng: &mut Rng, rows: usize, columns: usize, mix: Mix) -> Option<Maze> {
    liveliest((0..DRAWS).filter_map(|_| draw(rng, rows, columns, mix)))
}

/// A carved maze whose walk was stretched.
fn long(rng: &mut Rng, rows: usize, columns: usize, wild: u64) -> Option<Maze> {
    let maze = carve(rng, rows, columns, wild, 2)?;
    let maze = stretch(rng, maze, wild, 5 * ROUNDS, usize::MAX);
    Some(refine(rng, maze, wild, 100 * ROUNDS))
}

/// A maze whose walk lists exactly this many positions. Colouring the squares like a chess board
/// shows that a closed walk has an even number of moves, so an odd number of positions.
fn exact(rng: &mut Rng, positions: usize) -> Option<Maze> {
    for _ in 0..ROUNDS {
        let (rows, columns) = match positions {
            0..=30 => (3 + rng.below(4), 3 + rng.below(4)),
            _ => (10, 10),
        };
        let Some(maze) = carve(rng, rows, columns, 5, 2) else {
            continue;
        };
        let mut maze = stretch(rng, maze, 5, ROUNDS, positions);
        furnish(rng, &mut maze, 10);
        if maze.length() == positions {
            return Some(maze);
        }
    }
    None
}

/// A maze with the property, with decoys if they do not take it away.
fn with(rng: &mut Rng, property: Property) -> Option<Maze> {
    for _ in 0..100 * ROUNDS {
        let (rows, columns) = (1 + rng.below(8), 1 + rng.below(8));
        let moves = 2 + rng.below(16);
        let made = match rng.below(2) {
            0 => draw(rng, rows, columns, Mix { wild: 20, hole: 5 }),
            _ => carve(rng, rows, columns, 10, moves),
        };
        let Some(mut maze) = made else {
            continue;
        };
        if property == Property::WildStart {
            maze.cells[maze.start] = WILD;
        }
        if !property.holds(&maze) {
            continue;
        }
        let mut furnished = maze.clone();
        furnish(rng, &mut furnished, 10);
        return match property.holds(&furnished) {
            true => Some(furnished),
            false => Some(maze),
        };
    }
    None
}

/// The die leaves a corner for a garden without dead ends and can never come back: the number of
/// the start square is the one that was on top, and the only neighbour of the start square carries
/// it too, so that on that neighbour this number is always on a side.
fn garden(rng: &mut Rng, wild: u64) -> Option<Maze> {
    liveliest((0..DRAWS).map(|_| sealed_garden(rng, wild)))
}

fn sealed_garden(rng: &mut Rng, wild: u64) -> Maze {
    let mix = Mix { wild, hole: 0 };
    let (rows, columns) = (10, 10);
    let mut maze = Maze::new(rng, rows, columns);
    for cell in &mut maze.cells {
        *cell = mix.cell(rng);
    }
    let (row, column) = (rng.pick(&[0, rows - 1]), rng.pick(&[0, columns - 1]));
    let inward = |line: usize| if line == 0 { 1 } else { line - 1 };
    let beside = row * columns + inward(column);
    let below = inward(row) * columns + column;
    let (door, wall) = rng.pick(&[(beside, below), (below, beside)]);
    maze.start = row * columns + column;
    maze.cells[maze.start] = maze.die.top;
    maze.cells[door] = maze.die.top;
    maze.cells[wall] = HOLE;
    maze
}

/// A walk, and every other square wild if it can be, so that most choices lead into a garden from
/// which there is no way back.
fn maze_garden(rng: &mut Rng) -> Option<Maze> {
    liveliest((0..DRAWS).filter_map(|_| {
        let moves = 6 + rng.below(30);
        let mut maze = carve(rng, 10, 10, 0, moves)?;
        furnish(rng, &mut maze, 100);
        Some(maze)
    }))
}

/// The maze in which the die can get to the most states.
fn liveliest(mazes: impl Iterator<Item = Maze>) -> Option<Maze> {
    mazes.max_by_key(|maze| maze.explore().states.len())
}

/// A maze of the greatest size, the kinds taking turns.
fn full(rng: &mut Rng, index: u64) -> Option<Maze> {
    match index % 4 {
        0 => {
            let maze = carve(rng, 10, 10, 5, 2)?;
            let mut maze = stretch(rng, maze, 5, ROUNDS, usize::MAX);
            furnish(rng, &mut maze, 20);
            Some(maze)
        }
        1 => garden(rng, 90),
        2 => maze_garden(rng),
        _ => random(rng, 10, 10, Mix { wild: 25, hole: 5 }),
    }
}

/// A name of 20 printable characters, beginning with `END` now and then.
fn random_name(rng: &mut Rng) -> String {
    let mut name = String::new();
    if rng.below(10) == 0 {
        name.push_str("END");
    }
    while name.len() < 20 {
        name.push((b'!' + rng.below(94) as u8) as char);
    }
    name
}

// ------------------------------------------------------------------------- making unique mazes

/// A random maze, repaired until it has at most one walk; `None` if that takes too long.
fn draw(rng: &mut Rng, rows: usize, columns: usize, mix: Mix) -> Option<Maze> {
    let mut maze = Maze::new(rng, rows, columns);
    for cell in &mut maze.cells {
        *cell = mix.cell(rng);
    }
    if maze.cells[maze.start] == HOLE {
        maze.cells[maze.start] = rng.face();
    }
    for _ in 0..ROUNDS {
        let Walks::Many(walk) = maze.walks() else {
            return Some(maze);
        };
        let square = walk[rng.below(walk.len())].square;
        let cell = mix.cell(rng);
        if square != maze.start || cell != HOLE {
            maze.cells[square] = cell;
        }
    }
    None
}

/// A maze in which the die wandered from the start square back to it in at least `moves` moves;
/// `None` if no such wandering is found, on a single square for instance.
fn carve(rng: &mut Rng, rows: usize, columns: usize, wild: u64, moves: usize) -> Option<Maze> {
    for _ in 0..ROUNDS {
        let maze = Maze::new(rng, rows, columns);
        let carved = wander(rng, &maze, &[maze.first()], wild, moves);
        if carved.is_some() {
            return carved;
        }
    }
    None
}

/// Tries to lengthen the only walk of a maze to at most `most` positions, keeping a random part of
/// its beginning each time.
fn stretch(rng: &mut Rng, mut maze: Maze, wild: u64, rounds: usize, most: usize) -> Maze {
    let mut walk = maze.walk().expect("a carved maze has a walk");
    for _ in 0..rounds {
        if walk.len() >= most {
            break;
        }
        let kept = &walk[..1 + rng.below(walk.len() - 1)];
        let moves = walk.len() - 1 + rng.below(12).min(most - walk.len());
        let carved = wander(rng, &maze, kept, wild, moves);
        if let Some(carved) = carved.filter(|carved| carved.length() <= most) {
            walk = carved.walk().expect("a carved maze has a walk");
            maze = carved;
        }
    }
    maze
}

/// Changes one square after the other, keeping what does not shorten the only walk.
fn refine(rng: &mut Rng, mut maze: Maze, wild: u64, rounds: usize) -> Maze {
    let mut length = maze.length();
    for _ in 0..rounds {
        let square = rng.below(maze.cells.len());
        let cell = match rng.chance(wild) {
            true => WILD,
            false => rng.face(),
        };
        let old = std::mem::replace(&mut maze.cells[square], cell);
        match maze.length() {
            changed if changed >= length => length = changed,
            _ => maze.cells[square] = old,
        }
    }
    maze
}

/// Lets the die go on from the end of the walk `kept` until it can close the walk after `moves`
/// moves or more. Squares that the kept part does not use become holes first. Gives up in a dead
/// end, after too many moves, and when there is another walk in the end.
fn wander(rng: &mut Rng, old: &Maze, kept: &[State], wild: u64, moves: usize) -> Option<Maze> {
    let mut maze = old.clone();
    for (square, cell) in maze.cells.iter_mut().enumerate() {
        if kept.iter().all(|state| state.square != square) {
            *cell = HOLE;
        }
    }
    let mut seen = vec![false; STATES];
    for state in kept {
        seen[state.id()] = true;
    }
    let mut state = *kept.last()?;
    for made in kept.len()..moves + 60 {
        let mut next = Vec::new();
        for tip in 0..4 {
            let Some(square) = maze.neighbour(state.square, tip) else {
                continue;
            };
            if square == maze.start {
                if made >= moves {
                    maze.cells[square] = state.die.top;
                    return maze.length().gt(&moves).then_some(maze);
                }
                continue;
            }
            let cell = maze.cells[square];
            let after = state.tipped(square, tip);
            if (cell == HOLE || cell == WILD || cell == state.die.top) && !seen[after.id()] {
                next.push(after);
            }
        }
        if next.is_empty() {
            return None;
        }
        let after = rng.pick(&next);
        if maze.cells[after.square] == HOLE {
            maze.cells[after.square] = match rng.chance(wild) {
                true => WILD,
                false => state.die.top,
            };
        }
        seen[after.id()] = true;
        state = after;
    }
    None
}

/// Puts something on the holes, wild squares with the given probability first, as long as the walk
/// stays what it is and no other appears.
fn furnish(rng: &mut Rng, maze: &mut Maze, wild: u64) {
    let walk = maze.walk();
    let mut holes: Vec<usize> = (0..maze.cells.len()).collect();
    holes.retain(|&square| maze.cells[square] == HOLE);
    rng.shuffle(&mut holes);
    for square in holes {
        let wished = match rng.chance(wild) {
            true => WILD,
            false => rng.face(),
        };
        for cell in [wished, rng.face(), HOLE] {
            maze.cells[square] = cell;
            if !matches!(maze.walks(), Walks::Many(_)) && maze.walk() == walk {
                break;
            }
        }
    }
}

/// The content of random squares: wild and hole in percent, a face otherwise.
#[derive(Clone, Copy)]
struct Mix {
    wild: u64,
    hole: u64,
}

impl Mix {
    fn cell(self, rng: &mut Rng) -> i8 {
        let percent = rng.below(100) as u64;
        if percent < self.wild {
            WILD
        } else if percent < self.wild + self.hole {
            HOLE
        } else {
            rng.face()
        }
    }
}

/// A property that a wrong solution may overlook.
#[derive(Clone, Copy, PartialEq)]
enum Property {
    /// The walk enters a square again: marking squares is not enough.
    Crossing,
    /// The walk enters a square again with the same top: marking square and top is not enough.
    SameTop,
    /// The walk ends with an orientation different from the one at its start.
    NewOrientation,
    /// The walk ends with the orientation that it began with, but is longer than out and back.
    OldOrientation,
    /// The die gets beside the start square without being allowed to enter it.
    NearMiss,
    /// The start square is wild, and the die can wander.
    WildStart,
}

impl Property {
    fn named(name: &str) -> Option<Property> {
        Some(match name {
            "crossing" => Property::Crossing,
            "same-top" => Property::SameTop,
            "new-orientation" => Property::NewOrientation,
            "old-orientation" => Property::OldOrientation,
            "near-miss" => Property::NearMiss,
            "wild-start" => Property::WildStart,
            _ => return None,
        })
    }

    /// True if a maze has the property, and at most one walk.
    fn holds(self, maze: &Maze) -> bool {
        let walk = match maze.walks() {
            Walks::None => Vec::new(),
            Walks::One(walk) => walk,
            Walks::Many(_) => return false,
        };
        let last = walk.last();
        let inner = walk.len().saturating_sub(1);
        let pairs = || (0..inner).flat_map(|i| (0..i).map(move |j| (j, i)));
        match self {
            Property::Crossing => pairs().any(|(i, j)| walk[i].square == walk[j].square),
            Property::SameTop => {
                pairs().any(|(i, j)| walk[i].square == walk[j].square && walk[i].die.top == walk[j].die.top)
            }
            Property::NewOrientation => last.is_some_and(|last| last.die != maze.die),
            Property::OldOrientation => walk.len() > 3 && last.is_some_and(|last| last.die == maze.die),
            Property::NearMiss => maze.near_miss(&walk),
            Property::WildStart => maze.cells[maze.start] == WILD && maze.explore().states.len() > 5,
        }
    }
}

// ------------------------------------------------------------------------------- die and maze

/// The four ways to tip the die: up (to the row above), right, down, left.
const TIPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A die, seen from the lower edge of the maze. The faces on the other sides are 7 minus these.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Die {
    top: i8,
    front: i8,
    right: i8,
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

    fn random(rng: &mut Rng) -> Die {
        let mut die = Die { top: 1, front: 2, right: 3 };
        // An even number of tips reaches one half of the 24 orientations, an odd number the other one.
        for _ in 0..20 + rng.below(2) {
            die = die.tipped(rng.below(4));
        }
        die
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct State {
    square: usize,
    die: Die,
}

impl State {
    fn id(self) -> usize {
        let (top, front) = (self.die.top as usize, self.die.front as usize);
        (self.square * 6 + top - 1) * 6 + front - 1
    }

    fn tipped(self, square: usize, tip: usize) -> State {
        State { square, die: self.die.tipped(tip) }
    }
}

/// The number of walks of a maze that repeat no state.
#[derive(PartialEq)]
enum Walks {
    None,
    One(Vec<State>),
    Many(Vec<State>),
}

#[derive(Clone)]
struct Maze {
    name: String,
    rows: usize,
    columns: usize,
    start: usize,
    die: Die,
    cells: Vec<i8>,
}

impl Maze {
    /// A maze of holes with a random start.
    fn new(rng: &mut Rng, rows: usize, columns: usize) -> Maze {
        Maze {
            name: String::new(),
            rows,
            columns,
            start: rng.below(rows * columns),
            die: Die::random(rng),
            cells: vec![HOLE; rows * columns],
        }
    }

    fn first(&self) -> State {
        State { square: self.start, die: self.die }
    }

    fn neighbour(&self, square: usize, tip: usize) -> Option<usize> {
        let (down, right) = TIPS[tip];
        let row = (square / self.columns).checked_add_signed(down)?;
        let column = (square % self.columns).checked_add_signed(right)?;
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }

    /// The possible moves, each with the state that it leads to.
    fn moves(&self, state: State) -> impl Iterator<Item = (usize, State)> + '_ {
        (0..4).filter_map(move |tip| {
            let square = self.neighbour(state.square, tip)?;
            let cell = self.cells[square];
            (cell == WILD || cell == state.die.top).then(|| (tip, state.tipped(square, tip)))
        })
    }

    /// The only walk, if there is exactly one.
    fn walk(&self) -> Option<Vec<State>> {
        match self.walks() {
            Walks::One(walk) => Some(walk),
            _ => None,
        }
    }

    /// The number of positions of the only walk, 0 if none or a second one exists.
    fn length(&self) -> usize {
        self.walk().map_or(0, |walk| walk.len())
    }

    /// All states that the die can get to.
    fn explore(&self) -> Graph {
        let mut graph = Graph::default();
        let mut index = vec![0; STATES];
        graph.add(self.first(), 0);
        let mut at = 0;
        while at < graph.states.len() {
            let state = graph.states[at];
            if at == 0 || state.square != self.start {
                for (tip, after) in self.moves(state) {
                    let id = after.id();
                    if index[id] == 0 {
                        index[id] = graph.states.len();
                        graph.add(after, at);
                    }
                    graph.next[at][tip] = index[id];
                    graph.before[index[id]][tip] = at;
                }
            }
            at += 1;
        }
        graph
    }

    /// Finds a shortest walk and looks for a second one.
    fn walks(&self) -> Walks {
        let graph = self.explore();
        let home = |&at: &usize| graph.states[at].square == self.start;
        let ends: Vec<usize> = (1..graph.states.len()).filter(home).collect();
        let Some(&end) = ends.first() else {
            return Walks::None;
        };
        let mut steps = vec![end];
        let mut at = end;
        while at != 0 {
            at = graph.parents[at];
            steps.push(at);
        }
        steps.reverse();
        let walk = steps.iter().map(|&at| graph.states[at]).collect();
        match graph.has_second(&steps, ends) {
            true => Walks::Many(walk),
            false => Walks::One(walk),
        }
    }

    /// True if the die lies next to the start square at some step before the end of the walk, with
    /// another number on top than that of the start square.
    fn near_miss(&self, walk: &[State]) -> bool {
        let refused = |state: &State| {
            let beside = (0..4).any(|tip| self.neighbour(state.square, tip) == Some(self.start));
            let cell = self.cells[self.start];
            beside && cell != WILD && cell != state.die.top
        };
        match walk.len() {
            0 => self.explore().states.iter().skip(5).any(refused),
            length => walk[2..length - 1].iter().any(refused),
        }
    }
}

/// The states that the die can get to, in the order of breadth-first search. Those on the start
/// square have no next state, but for the first one. Nothing leads to the first one (the return to
/// it is a state of its own), so that its index 0 can stand for "none" below.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    /// The state before this one on a shortest way to it.
    parents: Vec<usize>,
    /// The states after and before this one, by the tip between them.
    next: Vec<[usize; 4]>,
    before: Vec<[usize; 4]>,
}

impl Graph {
    fn add(&mut self, state: State, parent: usize) {
        self.states.push(state);
        self.parents.push(parent);
        self.next.push([0; 4]);
        self.before.push([0; 4]);
    }

    /// True if there is a second walk. It leaves the first one at some step, for another state that
    /// gets to an end without the states so far. So go back along the first walk, keep the set of
    /// states that get to an end without the states before the current one, and extend it with
    /// each state that becomes free.
    fn has_second(&self, walk: &[usize], mut queue: Vec<usize>) -> bool {
        let mut barred = vec![false; self.states.len()];
        let mut returns = vec![false; self.states.len()];
        for &at in walk {
            barred[at] = true;
        }
        for &end in &queue {
            returns[end] = true;
        }
        for step in walk.windows(2).rev() {
            while let Some(at) = queue.pop() {
                for &previous in &self.before[at] {
                    if !barred[previous] && !returns[previous] {
                        returns[previous] = true;
                        queue.push(previous);
                    }
                }
            }
            let leaves = |&next: &usize| next != step[1] && returns[next];
            if self.next[step[0]].iter().any(leaves) {
                return true;
            }
            returns[step[0]] = true;
            queue.push(step[0]);
        }
        false
    }
}

/// The text of an input.
fn render(mazes: &[Maze]) -> String {
    let mut text = String::new();
    for maze in mazes {
        let (row, column) = (maze.start / maze.columns + 1, maze.start % maze.columns + 1);
        let Die { top, front, .. } = maze.die;
        let (rows, columns) = (maze.rows, maze.columns);
        let _ = writeln!(text, "{}", maze.name);
        let _ = writeln!(text, "{rows} {columns} {row} {column} {top} {front}");
        for line in maze.cells.chunks(columns) {
            let line: Vec<String> = line.iter().map(i8::to_string).collect();
            let _ = writeln!(text, "{}", line.join(" "));
        }
    }
    text + "END\n"
}

// ----------------------------------------------------------------------- pseudo-random numbers

/// The generator splitmix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound` - 1.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// The length of a side, a random one for 0.
    fn side(&mut self, side: usize) -> usize {
        match side {
            0 => 1 + self.below(10),
            _ => side,
        }
    }

    fn chance(&mut self, percent: u64) -> bool {
        (self.below(100) as u64) < percent
    }

    fn face(&mut self) -> i8 {
        1 + self.below(6) as i8
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
