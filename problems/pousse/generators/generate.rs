//! Generates one input file: `generate STRATEGY ARGS... SEED`, written to standard output.
//!
//! Everything is drawn from a SplitMix64 sequence, so that the same arguments give the same bytes
//! on every platform.

use std::env;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "\
usage: generate STRATEGY ARGS... SEED
  random GAMES N MOVES
      any moves, also after a win
  fair GAMES N MOVES
      random moves that do not decide the game: it ends undecided, after MOVES moves or earlier
  decided GAMES N MOVES
      up to MOVES moves that do not decide the game, then one that makes the mover win, or one
      that makes the other player win, if there is such a move, then some moves in vain
  race GAMES N WASTE
      each player fills a row (or column) of his own and wastes up to WASTE moves elsewhere
  even GAMES N MOVES
      one move makes a straight of either colour; the game goes on as with `decided` (N >= 4)
  halves N MOVES
      one half of the board becomes X and the other O, with a gap in each row, then two players
      push into the same full row: against slow counting (N even, N >= 4)
  blank GAMES N
      games without a move";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

use Side::*;

const SIDES: [Side; 4] = [Left, Right, Top, Bottom];

/// A move; lines are counted from 0.
#[derive(Clone, Copy)]
struct Move {
    side: Side,
    line: usize,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = match self.side {
            Left => 'L',
            Right => 'R',
            Top => 'T',
            Bottom => 'B',
        };
        write!(f, "{}{}", letter, self.line + 1)
    }
}

/// A square is empty (0) or holds a marker of X (1) or O (-1).
type Square = i8;

#[derive(Clone)]
struct Game {
    n: usize,
    squares: Vec<Square>,
    /// Sums of the squares of all rows, then of all columns: n or -n is a straight.
    sums: Vec<isize>,
    /// Straights of X minus straights of O.
    lead: isize,
    moves: Vec<Move>,
}

impl Game {
    fn new(n: usize) -> Game {
        Game { n, squares: vec![0; n * n], sums: vec![0; 2 * n], lead: 0, moves: Vec::new() }
    }

    fn replace(&mut self, square: usize, marker: Square) -> Square {
        let old = std::mem::replace(&mut self.squares[square], marker);
        let n = self.n as isize;
        for line in [square / self.n, self.n + square % self.n].iter().copied() {
            self.lead -= self.sums[line] / n;
            self.sums[line] += isize::from(marker) - isize::from(old);
            self.lead += self.sums[line] / n;
        }
        old
    }

    fn square(&self, a_move: Move, step: usize) -> usize {
        let (line, back) = (a_move.line, self.n - 1 - step);
        match a_move.side {
            Left => line * self.n + step,
            Right => line * self.n + back,
            Top => step * self.n + line,
            Bottom => back * self.n + line,
        }
    }

    /// The player whose turn it is.
    fn mover(&self) -> Square {
        if self.moves.len() % 2 == 0 { 1 } else { -1 }
    }

    /// Inserts a marker without counting it as a move; returns the squares to restore.
    fn push(&mut self, a_move: Move) -> Vec<Square> {
        let mut hand = self.mover();
        let mut old = Vec::new();
        for step in 0..self.n {
            hand = self.replace(self.square(a_move, step), hand);
            old.push(hand);
            if hand == 0 {
                break;
            }
        }
        old
    }

    /// The lead that a move would bring.
    fn lead_after(&mut self, a_move: Move) -> isize {
        let old = self.push(a_move);
        let lead = self.lead;
        for (step, &marker) in old.iter().enumerate() {
            self.replace(self.square(a_move, step), marker);
        }
        lead
    }

    fn play(&mut self, side: Side, line: usize) {
        let a_move = Move { side, line };
        self.push(a_move);
        self.moves.push(a_move);
    }

    fn random_move(&self, random: &mut Random) -> Move {
        Move { side: SIDES[random.below(4)], line: random.below(self.n) }
    }

    /// A random move after which the sign of the lead is `sign`, if one is found.
    fn find(&mut self, sign: isize, random: &mut Random) -> Option<Move> {
        for _ in 0..16 * self.n {
            let a_move = self.random_move(random);
            if self.lead_after(a_move).signum() == sign {
                return Some(a_move);
            }
        }
        None
    }

    fn play_random(&mut self, moves: usize, random: &mut Random) {
        for _ in 0..moves {
            let Move { side, line } = self.random_move(random);
            self.play(side, line);
        }
    }

    /// Plays up to `moves` moves that leave the game undecided.
    fn play_fair(&mut self, moves: usize, random: &mut Random) {
        for _ in 0..moves {
            let Some(Move { side, line }) = self.find(0, random) else {
                break;
            };
            self.play(side, line);
        }
    }

    /// Plays on, undecided, and then until the player that has been drawn has won, then a bit more.
    fn play_to_the_end(&mut self, moves: usize, random: &mut Random) {
        let suicide = random.below(2) == 0;
        let undecided = random.below(moves + 1);
        self.play_fair(undecided, random);
        for _ in 0..moves {
            let winner = isize::from(if suicide { -self.mover() } else { self.mover() });
            if let Some(Move { side, line }) = self.find(winner, random) {
                self.play(side, line);
                let in_vain = random.below(6);
                return self.play_random(in_vain, random);
            }
            self.play_fair(1, random);
        }
    }

    /// Turns and reflects a game; its course remains the same.
    fn transform(mut self, random: &mut Random) -> Game {
        let symmetry = random.below(8);
        let last = self.n - 1;
        for Move { side, line } in &mut self.moves {
            if symmetry & 1 != 0 {
                *side = SIDES[(*side as usize + 2) % 4];
            }
            let flip_rows = symmetry & 2 != 0;
            let flip_columns = symmetry & 4 != 0;
            let (flip_line, flip_side) = match side {
                Left | Right => (flip_rows, flip_columns),
                Top | Bottom => (flip_columns, flip_rows),
            };
            if flip_line {
                *line = last - *line;
            }
            if flip_side {
                *side = SIDES[*side as usize ^ 1];
            }
        }
        self
    }
}

fn random_game(n: usize, moves: usize, random: &mut Random) -> Game {
    let mut game = Game::new(n);
    game.play_random(moves, random);
    game
}

fn fair(n: usize, moves: usize, random: &mut Random) -> Game {
    let mut game = Game::new(n);
    game.play_fair(moves, random);
    game
}

fn decided(n: usize, moves: usize, random: &mut Random) -> Game {
    let mut game = Game::new(n);
    game.play_to_the_end(moves, random);
    game
}

/// Player 0 fills row 0 from both ends, player 1 the last row.
fn race(n: usize, waste: usize, random: &mut Random) -> Game {
    let mut game = Game::new(n);
    let own = [0, n - 1];
    let mut left = [n, n];
    let mut wasted = [random.below(waste + 1), random.below(waste + 1)];
    while left[0] + left[1] > 0 {
        let player = game.moves.len() % 2;
        let side = [Left, Right][random.below(2)];
        let to_do = left[player] + wasted[player];
        if to_do > 0 && random.below(to_do) < left[player] {
            left[player] -= 1;
            game.play(side, own[player]);
        } else {
            wasted[player] = wasted[player].saturating_sub(1);
            game.play(side, if n > 2 { 1 + random.below(n - 2) } else { 0 });
        }
    }
    game.transform(random)
}

/// Rows 1 and 2 lack one marker each, in the same column, into which O, X, O are pushed: with the
/// last of them X is in row 1 and O in row 2.
fn even(n: usize, moves: usize, random: &mut Random) -> Game {
    let mut game = Game::new(n);
    for _ in 1..n {
        game.play(Left, 1);
        game.play(Left, 2);
    }
    game.play(Left, 3);
    for _ in 0..3 {
        game.play(Top, n - 1);
    }
    game.play_to_the_end(moves, random);
    game.transform(random)
}

fn halves(n: usize, moves: usize) -> Game {
    let mut game = Game::new(n);
    for row in 0..n / 2 {
        for _ in 1..n {
            game.play(Left, row);
            game.play(Left, row + n / 2);
        }
    }
    while game.moves.len() < moves {
        game.play(Left, n / 2);
    }
    game
}

/// The games that the arguments request, or `None` if they are invalid.
fn generate(arguments: &[String]) -> Option<Vec<Game>> {
    let (strategy, numbers) = arguments.split_first()?;
    let numbers: Option<Vec<u64>> = numbers.iter().map(|text| text.parse().ok()).collect();
    let numbers = numbers?;
    let (&seed, numbers) = numbers.split_last()?;
    let numbers: Vec<usize> = numbers.iter().map(|&number| number as usize).collect();
    let random = &mut Random(seed);
    let repeat = |count: usize, game: &mut dyn FnMut() -> Game| (0..count).map(|_| game()).collect();
    match (strategy.as_str(), numbers.as_slice()) {
        (_, [_, 0, ..]) | ("halves", [0, ..]) => None,
        ("random", &[games, n, moves]) => Some(repeat(games, &mut || random_game(n, moves, random))),
        ("fair", &[games, n, moves]) => Some(repeat(games, &mut || fair(n, moves, random))),
        ("decided", &[games, n, moves]) => Some(repeat(games, &mut || decided(n, moves, random))),
        ("race", &[games, n, waste]) => Some(repeat(games, &mut || race(n, waste, random))),
        ("even", &[games, n, moves]) if n >= 4 => Some(repeat(games, &mut || even(n, moves, random))),
        ("halves", &[n, moves]) if n >= 4 && n % 2 == 0 => Some(vec![halves(n, moves).transform(random)]),
        ("blank", &[games, n]) => Some(repeat(games, &mut || Game::new(n))),
        _ => None,
    }
}

fn print(games: &[Game]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "{}", games.len())?;
    for game in games {
        writeln!(out, "{}", game.n)?;
        for a_move in &game.moves {
            writeln!(out, "{}", a_move)?;
        }
        writeln!(out, "QUIT")?;
    }
    out.flush()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match generate(&arguments) {
        Some(games) => match print(&games) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        None => {
            eprintln!("{}", USAGE);
            ExitCode::from(2)
        }
    }
}
