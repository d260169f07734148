//! Time limit exceeded: makes a new board for every marker that is put on a square.
//!
//! Correct, but an insertion into a full row of a board of 100 x 100 copies 100 boards.

use std::io::{self, BufRead};

type Board = Vec<Vec<char>>;
type Square = (usize, usize);

/// The squares of a row or column, beginning where the marker is inserted.
fn squares(side: char, line: usize, n: usize) -> Vec<Square> {
    let mut squares: Vec<Square> = match side {
        'L' | 'R' => (0..n).map(|column| (line, column)).collect(),
        _ => (0..n).map(|row| (row, line)).collect(),
    };
    if side == 'R' || side == 'B' {
        squares.reverse();
    }
    squares
}

/// The board with a different marker on a square.
fn with_marker(board: &Board, square: Square, marker: char) -> Board {
    let mut board = board.clone();
    board[square.0][square.1] = marker;
    board
}

/// The board after an insertion.
fn insert(mut board: Board, squares: &[Square], player: char) -> Board {
    let mut marker = player;
    for &(row, column) in squares {
        let next = board[row][column];
        board = with_marker(&board, (row, column), marker);
        marker = next;
        if marker == '.' {
            break;
        }
    }
    board
}

fn straights(board: &Board, player: char) -> usize {
    let n = board.len();
    let rows = (0..n).filter(|&row| (0..n).all(|column| board[row][column] == player));
    let columns = (0..n).filter(|&column| (0..n).all(|row| board[row][column] == player));
    rows.count() + columns.count()
}

fn result(n: usize, moves: &[String]) -> &'static str {
    let mut board = vec![vec!['.'; n]; n];
    for (turn, text) in moves.iter().enumerate() {
        let side = text.chars().next().unwrap();
        let line: usize = text[1..].parse().unwrap();
        let player = if turn % 2 == 0 { 'X' } else { 'O' };
        board = insert(board, &squares(side, line - 1, n), player);
        let (x, o) = (straights(&board, 'X'), straights(&board, 'O'));
        if x > o {
            return "X WINS";
        }
        if o > x {
            return "O WINS";
        }
    }
    "TIE GAME"
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let games = lines.next().unwrap().parse().unwrap();
    for _ in 0..games {
        let n = lines.next().unwrap().parse().unwrap();
        let moves: Vec<String> = lines.by_ref().take_while(|line| line != "QUIT").collect();
        println!("{}", result(n, &moves));
    }
}
