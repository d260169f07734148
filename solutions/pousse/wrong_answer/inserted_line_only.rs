//! Wrong answer: after a move, looks for new straights only in the row or column of the insertion.
//!
//! The move also changes all the lines across; the straights there are seen too late or never.

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

fn insert(board: &mut Board, squares: &[Square], player: char) {
    let mut marker = player;
    for &(row, column) in squares {
        std::mem::swap(&mut marker, &mut board[row][column]);
        if marker == '.' {
            return;
        }
    }
}

/// The owner of the straight in a line, if it is one.
fn owner(board: &Board, squares: &[Square]) -> char {
    let (row, column) = squares[0];
    let first = board[row][column];
    let same = squares.iter().all(|&(row, column)| board[row][column] == first);
    if same { first } else { '.' }
}

fn result(n: usize, moves: &[String]) -> &'static str {
    let mut board = vec![vec!['.'; n]; n];
    let mut rows = vec!['.'; n];
    let mut columns = vec!['.'; n];
    for (turn, text) in moves.iter().enumerate() {
        let side = text.chars().next().unwrap();
        let line: usize = text[1..].parse().unwrap();
        let player = if turn % 2 == 0 { 'X' } else { 'O' };
        let changed = squares(side, line - 1, n);
        insert(&mut board, &changed, player);
        match side {
            'L' | 'R' => rows[line - 1] = owner(&board, &changed),
            _ => columns[line - 1] = owner(&board, &changed),
        }
        let lines = || rows.iter().chain(&columns);
        let x = lines().filter(|&&owner| owner == 'X').count();
        let o = lines().filter(|&&owner| owner == 'O').count();
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
