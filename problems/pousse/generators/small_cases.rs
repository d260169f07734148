//! Compares programs with a brute force on every small case: `small_cases VALIDATOR SOLUTION...`, see `ci/small-cases`.
//!
//! The cases are all games of up to six moves on boards of sizes 1 and 2, and of up to four moves on boards of size 3;
//! then every move in every undecided position that can be reached on boards of up to size 3, for either player's turn,
//! each at the end of a shortest game that leads there. The brute force keeps a line as a list from which it takes the
//! first gap, or the last marker, and to which it adds the new one in front.
//!
//! The validator must accept each input, and every solution must print the answers. Ends with 1 at the first
//! difference.

use std::collections::{HashSet, VecDeque};
use std::env;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const GAMES: usize = 400;
const LINES: usize = 30_000;

/// Rows of `.`, `X` and `O`.
type Board = Vec<Vec<char>>;
/// A letter and a line, counted from 0.
type Move = (char, usize);

fn main() -> ExitCode {
    let programs: Vec<String> = env::args().skip(1).collect();
    if programs.len() < 2 {
        eprintln!("usage: small_cases VALIDATOR SOLUTION...");
        return ExitCode::from(2);
    }
    match check(&mut Check { programs, games: Vec::new(), answers: Vec::new(), lines: 1, total: 0 }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(difference) => {
            println!("{difference}");
            ExitCode::FAILURE
        }
    }
}

fn check(check: &mut Check) -> Result<(), String> {
    for (n, length) in [(1, 6), (2, 6), (3, 4)] {
        all_games(n, length, &mut Vec::new(), check)?;
        check.report(&format!("games of up to {length} moves on a board of size {n}"))?;
    }
    for n in 1..=3 {
        all_positions(n, check)?;
        check.report(&format!("pairs of a position and a move on a board of size {n}"))?;
    }
    Ok(())
}

/// Collects all games that begin with `moves`.
fn all_games(n: usize, length: usize, moves: &mut Vec<Move>, check: &mut Check) -> Result<(), String> {
    check.take(n, moves)?;
    if moves.len() == length {
        return Ok(());
    }
    for a_move in all_moves(n) {
        moves.push(a_move);
        all_games(n, length, moves, check)?;
        moves.pop();
    }
    Ok(())
}

/// Collects a game for each move in each position.
fn all_positions(n: usize, check: &mut Check) -> Result<(), String> {
    let empty = vec![vec!['.'; n]; n];
    let mut seen = HashSet::from([(empty.clone(), 'X')]);
    let mut queue = VecDeque::from([(empty, Vec::new())]);
    while let Some((board, moves)) = queue.pop_front() {
        for a_move in all_moves(n) {
            let mut board: Board = board.clone();
            let mut moves: Vec<Move> = moves.clone();
            play(&mut board, a_move, player(moves.len()));
            moves.push(a_move);
            check.take(n, &moves)?;
            if winner(&board).is_none() && seen.insert((board.clone(), player(moves.len()))) {
                queue.push_back((board, moves));
            }
        }
    }
    Ok(())
}

fn all_moves(n: usize) -> Vec<Move> {
    "LRTB".chars().flat_map(|side| (0..n).map(move |line| (side, line))).collect()
}

fn player(moves: usize) -> char {
    ['X', 'O'][moves % 2]
}

fn play(board: &mut Board, (side, line): Move, player: char) {
    let n = board.len();
    let across = side == 'L' || side == 'R';
    let back = side == 'R' || side == 'B';
    let place = |i: usize| if back { n - 1 - i } else { i };
    let square = |i: usize| if across { (line, place(i)) } else { (place(i), line) };
    let mut markers: Vec<char> = (0..n).map(|i| board[square(i).0][square(i).1]).collect();
    let gap = markers.iter().position(|&marker| marker == '.').unwrap_or(n - 1);
    markers.remove(gap);
    markers.insert(0, player);
    for (i, marker) in markers.into_iter().enumerate() {
        board[square(i).0][square(i).1] = marker;
    }
}

fn winner(board: &Board) -> Option<char> {
    let straights = |player: char| {
        let columns = (0..board.len()).map(|c| board.iter().map(|row| row[c]).collect());
        let lines: Vec<Vec<char>> = board.iter().cloned().chain(columns).collect();
        lines.iter().filter(|line| line.iter().all(|&marker| marker == player)).count()
    };
    match straights('X').cmp(&straights('O')) {
        std::cmp::Ordering::Less => Some('O'),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some('X'),
    }
}

fn answer(n: usize, moves: &[Move]) -> &'static str {
    let mut board = vec![vec!['.'; n]; n];
    for (turn, &a_move) in moves.iter().enumerate() {
        play(&mut board, a_move, player(turn));
        if let Some(winner) = winner(&board) {
            return if winner == 'X' { "X WINS" } else { "O WINS" };
        }
    }
    "TIE GAME"
}

struct Check {
    programs: Vec<String>,
    games: Vec<String>,
    answers: Vec<&'static str>,
    /// The number of lines of the input, including the line with the number of games.
    lines: usize,
    total: usize,
}

impl Check {
    fn take(&mut self, n: usize, moves: &[Move]) -> Result<(), String> {
        if self.games.len() == GAMES || self.lines + moves.len() + 2 > LINES {
            self.flush()?;
        }
        let text: String = moves.iter().map(|(side, line)| format!("{side}{}\n", line + 1)).collect();
        self.games.push(format!("{n}\n{text}QUIT\n"));
        self.answers.push(answer(n, moves));
        self.lines += moves.len() + 2;
        self.total += 1;
        Ok(())
    }

    fn report(&mut self, what: &str) -> Result<(), String> {
        self.flush()?;
        println!("{} {what}", std::mem::take(&mut self.total));
        Ok(())
    }

    /// Runs the programs on the collected games.
    fn flush(&mut self) -> Result<(), String> {
        if self.answers.is_empty() {
            return Ok(());
        }
        let input = format!("{}\n{}", self.games.len(), self.games.concat());
        let (code, _) = run(&self.programs[0], &input)?;
        if code != Some(42) {
            return Err(format!("the validator ends with {code:?} on\n{input}"));
        }
        for program in &self.programs[1..] {
            let (code, output) = run(program, &input)?;
            if code != Some(0) || !output.lines().eq(self.answers.iter().copied()) {
                return Err(format!("{program} is wrong on\n{input}"));
            }
        }
        self.games.clear();
        self.lines = 1;
        self.answers.clear();
        Ok(())
    }
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
