//! Wrong answer: checks only whether each player has a straight, so that two straights against one
//! count as equal.
//!
//! The player with more straights wins.

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
        insert(&mut board, &squares(side, line - 1, n), player);
        let (x, o) = (straights(&board, 'X'), straights(&board, 'O'));
        if x > 0 && o == 0 {
            return "X WINS";
        }
        if o > 0 && x == 0 {
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
