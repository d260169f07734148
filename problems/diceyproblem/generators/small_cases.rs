//! Compares programs with a brute force on every small case: `small_cases VALIDATOR SOLUTION...`, see `ci/small-cases`.
//!
//! The cases are all mazes of the sizes in `SIZES`: every filling, every start square, and one orientation of the die.
//! Renaming the faces, of the die and on the squares, turns this orientation into any other one without
//! changing the walks, so the others add no cases; they are drawn at random to vary the input of the programs.
//!
//! The brute force counts the walks that repeat no state, by following each of them; it turns back where no way to the
//! start square is left, and stops at the second walk.
//!
//! Mazes with two walks or more are not allowed. The validator must reject each of them (of the larger ones, each
//! fiftieth is tried), and accept all others. Every solution must print the walk, or that none exists. Ends with 1
//! at the first difference.

use std::env;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const MAZES: usize = 200;
const SIZES: [(usize, usize); 9] = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (2, 3), (3, 2)];
/// Mazes of more squares that the validator must reject are only tried now and then.
const ALL_REJECTED: usize = 4;
const WILD: i8 = -1;

/// The faces, by where they are: top, front, right; the others are on the opposite sides.
type Die = [i8; 3];
/// An orientation of the die, as the source gives it.
const FIRST: Die = [5, 1, 3];

/// Row, column and die.
type State = (usize, usize, Die);

fn main() -> ExitCode {
    let programs: Vec<String> = env::args().skip(1).collect();
    if programs.len() < 2 {
        eprintln!("usage: small_cases VALIDATOR SOLUTION...");
        return ExitCode::from(2);
    }
    let mut check = Check { programs, mazes: String::new(), answers: String::new(), count: 0 };
    for (rows, columns) in SIZES {
        if let Err(difference) = check.size(rows, columns) {
            println!("{difference}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

struct Maze {
    cells: Vec<Vec<i8>>,
    start: State,
}

impl Maze {
    /// The `index`-th maze of its size; `None` if its start square is a hole.
    fn new(rows: usize, columns: usize, index: usize, dice: &[Die]) -> Option<Maze> {
        let mut rest = index;
        let mut digit = |base| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let (row, column) = (digit(rows), digit(columns));
        let cells: Vec<Vec<i8>> = (0..rows).map(|_| (0..columns).map(|_| digit(8) as i8 - 1).collect()).collect();
        if cells[row][column] == 0 {
            return None;
        }
        let die = dice[(index.wrapping_mul(0x9E37_79B9) >> 12) % dice.len()];
        let cells = cells.into_iter().map(|line| line.into_iter().map(|cell| renamed(cell, die)).collect()).collect();
        Some(Maze { cells, start: (row, column, die) })
    }

    fn moves(&self, (row, column, die): State) -> Vec<State> {
        let [top, front, right] = die;
        let steps = [
            (row.wrapping_sub(1), column, [front, 7 - top, right]),
            (row + 1, column, [7 - front, top, right]),
            (row, column.wrapping_sub(1), [right, front, 7 - top]),
            (row, column + 1, [7 - right, front, top]),
        ];
        let square = |row: usize, column: usize| self.cells.get(row).and_then(|line| line.get(column));
        let allowed = |&(row, column, _): &State| square(row, column).is_some_and(|&n| n == WILD || n == top);
        steps.iter().copied().filter(allowed).collect()
    }

    fn is_home(&self, state: State) -> bool {
        (state.0, state.1) == (self.start.0, self.start.1)
    }

    /// Follows all walks that begin with `walk`, and keeps the first two that get home.
    fn follow(&self, walk: &mut Vec<State>, found: &mut Vec<Vec<State>>) {
        for next in self.moves(walk[walk.len() - 1]) {
            if found.len() > 1 {
                return;
            }
            if self.is_home(next) {
                found.push([walk.as_slice(), &[next]].concat());
            } else if !walk.contains(&next) {
                walk.push(next);
                if self.can_get_home(walk) {
                    self.follow(walk, found);
                }
                walk.pop();
            }
        }
    }

    /// True if a way home is left from the end of a walk, without the states of the walk.
    fn can_get_home(&self, walk: &[State]) -> bool {
        let mut seen = walk.to_vec();
        let mut open = vec![walk[walk.len() - 1]];
        while let Some(state) = open.pop() {
            for next in self.moves(state) {
                if self.is_home(next) {
                    return true;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        false
    }
}

struct Check {
    programs: Vec<String>,
    mazes: String,
    answers: String,
    count: usize,
}

impl Check {
    /// All mazes of a size.
    fn size(&mut self, rows: usize, columns: usize) -> Result<(), String> {
        let dice = all_dice();
        let (mut valid, mut with_walk, mut invalid, mut rejected) = (0, 0, 0, 0);
        for index in 0..rows * columns * 8usize.pow((rows * columns) as u32) {
            let Some(maze) = Maze::new(rows, columns, index, &dice) else {
                continue;
            };
            let mut found = Vec::new();
            maze.follow(&mut vec![maze.start], &mut found);
            if found.len() > 1 {
                invalid += 1;
                if rows * columns <= ALL_REJECTED || invalid % 50 == 0 {
                    rejected += 1;
                    self.expect_exit_code(43, &format!("{}END\n", text(&maze, 0)))?;
                }
                continue;
            }
            valid += 1;
            with_walk += found.len();
            self.take(&maze, found.first())?;
        }
        self.flush()?;
        println!(
            "{rows} x {columns}: {valid} mazes, {with_walk} of them with a walk; \
             {invalid} with more than one, {rejected} of these shown to the validator"
        );
        Ok(())
    }

    fn take(&mut self, maze: &Maze, walk: Option<&Vec<State>>) -> Result<(), String> {
        self.count += 1;
        self.mazes += &text(maze, self.count);
        self.answers += &format!("MAZE-{}\n", self.count);
        match walk {
            None => self.answers += "  No Solution Possible\n",
            Some(walk) => {
                let positions: Vec<String> = walk.iter().map(|s| format!("({},{})", s.0 + 1, s.1 + 1)).collect();
                for (line, nine) in positions.chunks(9).enumerate() {
                    let more = 9 * line + nine.len() < positions.len();
                    self.answers += &format!("  {}{}\n", nine.join(","), if more { "," } else { "" });
                }
            }
        }
        if self.count == MAZES { self.flush() } else { Ok(()) }
    }

    fn expect_exit_code(&self, expected: i32, input: &str) -> Result<(), String> {
        match run(&self.programs[0], input)? {
            (Some(code), _) if code == expected => Ok(()),
            (code, _) => Err(format!("the validator ends with {code:?}, not with {expected}, on\n{input}")),
        }
    }

    /// Runs the programs on the collected mazes.
    fn flush(&mut self) -> Result<(), String> {
        if self.count == 0 {
            return Ok(());
        }
        let input = format!("{}END\n", self.mazes);
        self.expect_exit_code(42, &input)?;
        for program in &self.programs[1..] {
            let (code, output) = run(program, &input)?;
            if code != Some(0) || output != self.answers {
                return Err(format!("{program} is wrong on\n{input}"));
            }
        }
        (self.mazes, self.answers, self.count) = (String::new(), String::new(), 0);
        Ok(())
    }
}

fn text(maze: &Maze, number: usize) -> String {
    let (row, column, [top, front, _]) = maze.start;
    let (rows, columns) = (maze.cells.len(), maze.cells[0].len());
    let mut text = format!("MAZE-{number}\n{rows} {columns} {} {} {top} {front}\n", row + 1, column + 1);
    for line in &maze.cells {
        let line: Vec<String> = line.iter().map(i8::to_string).collect();
        text += &format!("{}\n", line.join(" "));
    }
    text
}

/// The name of a face once the die `FIRST` has become this one.
fn renamed(cell: i8, [top, front, right]: Die) -> i8 {
    let names = [(FIRST[0], top), (FIRST[1], front), (FIRST[2], right)];
    for (from, to) in names {
        if cell == from {
            return to;
        }
        if cell == 7 - from {
            return 7 - to;
        }
    }
    cell
}

/// The 24 orientations of the die.
fn all_dice() -> Vec<Die> {
    let mut dice = vec![FIRST];
    let mut at = 0;
    while at < dice.len() {
        let [top, front, right] = dice[at];
        // Tipped upwards, and turned on the spot.
        for die in [[front, 7 - top, right], [top, right, 7 - front]] {
            if !dice.contains(&die) {
                dice.push(die);
            }
        }
        at += 1;
    }
    dice
}

/// Runs a program; returns its exit code and its output.
fn run(program: &str, input: &str) -> Result<(Option<i32>, String), String> {
    let mut command = Command::new(program);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let mut stdin = child.stdin.take().expect("it was piped");
    thread::scope(|scope| {
        // A program that stops reading early is judged by its exit code and its output.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
        Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    })
}
