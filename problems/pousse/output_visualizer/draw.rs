//! Output visualizer of "Pousse".
//!
//! Called as `draw INPUT ANSWER FEEDBACK_DIR < team_output`. Draws the first
//! game for which the output is wrong (or the first of all): the boards after
//! the last moves before it is decided, with straights marked, and the line of
//! the output. Writes `judgeimage.svg`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of boards that are drawn; of large ones only the last.
const BOARDS: usize = 6;
/// The largest board of which several are drawn.
const SMALL: usize = 12;
const MARGIN: i32 = 16;
/// The maximum length of a line of output in the drawing.
const SHOWN: usize = 60;

type Board = Vec<Vec<char>>;

struct Game<'a> {
    size: usize,
    moves: Vec<&'a str>,
}

/// The course of the game: each move with the board after it, up to the deciding one.
struct Course<'a> {
    boards: Vec<(String, Board)>,
    /// Moves after the decision, which have no meaning.
    rest: &'a [&'a str],
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [input, answer, feedback, ..] = arguments.as_slice() else {
        return Err("usage: draw INPUT ANSWER FEEDBACK_DIR < team_output".into());
    };
    let input = fs::read_to_string(input)?;
    let games = games(&input)?;
    let answer = fs::read_to_string(answer)?;
    let mut output = Vec::new();
    io::stdin().lock().take(8 << 20).read_to_end(&mut output)?;
    let output = String::from_utf8_lossy(&output).into_owned();
    let [expected, found] = [&answer, &output].map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>());
    let wrong = (0..games.len()).find(|&index| expected.get(index) != found.get(index));
    let index = wrong.unwrap_or(0);
    let game = games.get(index).ok_or("no game in the input")?;
    let words = [expected.get(index), found.get(index)];
    let drawing = draw(game, index, wrong.is_some(), words)?;
    fs::write(Path::new(feedback).join("judgeimage.svg"), drawing)?;
    Ok(())
}

fn games(input: &str) -> Result<Vec<Game<'_>>, Box<dyn Error>> {
    let mut lines = input.lines();
    let number: usize = lines.next().ok_or("expected the number of games")?.parse()?;
    (0..number)
        .map(|_| {
            let size = lines.next().ok_or("expected a size")?.parse()?;
            Ok(Game { size, moves: lines.by_ref().take_while(|line| *line != "QUIT").collect() })
        })
        .collect()
}

/// The squares of the line that a move inserts into, from the end where it does.
fn line_of(place: &str, size: usize) -> Result<Vec<(usize, usize)>, Box<dyn Error>> {
    let number: usize = place.get(1..).ok_or("expected a move")?.parse()?;
    let index = number.checked_sub(1).filter(|index| *index < size).ok_or("no such line")?;
    Ok((0..size)
        .map(|step| match &place[..1] {
            "L" => (index, step),
            "R" => (index, size - 1 - step),
            "T" => (step, index),
            _ => (size - 1 - step, index),
        })
        .collect())
}

fn insert(board: &mut Board, line: &[(usize, usize)], marker: char) {
    let mut carried = marker;
    for &(row, column) in line {
        carried = std::mem::replace(&mut board[row][column], carried);
        if carried == ' ' {
            break;
        }
    }
}

/// The straights of a player: rows, then columns.
fn straights(board: &Board, player: char) -> [Vec<usize>; 2] {
    let size = board.len();
    let row = |row: &usize| (0..size).all(|column| board[*row][column] == player);
    let column = |column: &usize| (0..size).all(|row| board[row][*column] == player);
    [(0..size).filter(row).collect(), (0..size).filter(column).collect()]
}

fn course<'a>(game: &'a Game<'_>) -> Result<Course<'a>, Box<dyn Error>> {
    let mut board = vec![vec![' '; game.size]; game.size];
    let mut boards = vec![("the beginning".to_owned(), board.clone())];
    for (turn, place) in game.moves.iter().enumerate() {
        let player = if turn % 2 == 0 { 'X' } else { 'O' };
        insert(&mut board, &line_of(place, game.size)?, player);
        boards.push((format!("{}. {player} at {place}", turn + 1), board.clone()));
        // Only the last boards are drawn, and boards are large.
        if boards.len() > BOARDS {
            boards.remove(0);
        }
        let [x, o] = ['X', 'O'].map(|player| straights(&board, player).iter().map(Vec::len).sum::<usize>());
        if x != o {
            return Ok(Course { boards, rest: &game.moves[turn + 1..] });
        }
    }
    Ok(Course { boards, rest: &[] })
}

fn draw(game: &Game<'_>, index: usize, is_wrong: bool, words: [Option<&&str>; 2]) -> Result<String, Box<dyn Error>> {
    let Course { boards, rest } = course(game)?;
    let (count, cell) = if game.size <= SMALL { (BOARDS, 22) } else { (1, (560 / game.size as i32).max(5)) };
    let shown = &boards[boards.len().saturating_sub(count)..];
    let side = game.size as i32 * cell;
    let step = side.max(120) + 24;
    let across = (shown.len() as i32).min((900 / step).max(1));
    let mut body = String::new();
    for (place, (label, board)) in shown.iter().enumerate() {
        let (row, column) = (place as i32 / across, place as i32 % across);
        let (x, y) = (MARGIN + column * step, 64 + row * (side + 40));
        text(&mut body, (x, y - 8), "#555", label);
        draw_board(&mut body, (x, y), cell, board);
    }
    let rows = (shown.len() as i32 + across - 1) / across;
    let mut y = 64 + rows * (side + 40);
    if !rest.is_empty() {
        text(&mut body, (MARGIN, y), "#555", &format!("{} more moves have no meaning: it is decided", rest.len()));
        y += 22;
    }
    let colour = if is_wrong { "#c62828" } else { "#2e7d32" };
    let said = |line: Option<&&str>| line.map_or("nothing".to_owned(), |line| line.chars().take(SHOWN).collect());
    text(&mut body, (MARGIN, y), "#2e7d32", &format!("right:   {}", said(words[0])));
    text(&mut body, (MARGIN, y + 22), colour, &format!("output: {}", said(words[1])));
    let wrong = if is_wrong { ": the output is wrong" } else { "" };
    let title = format!("Game {}, {} moves, board of {}{wrong}", index + 1, game.moves.len(), game.size);
    Ok(page((2 * MARGIN + across * step).max(520), y + 40, &title, &body))
}

fn draw_board(body: &mut String, (x, y): (i32, i32), cell: i32, board: &Board) {
    let side = board.len() as i32 * cell;
    let _ = write!(body, "<rect x='{x}' y='{y}' width='{side}' height='{side}' fill='#fafafa' stroke='#555'/>");
    for (player, fill) in [('X', "#bbdefb"), ('O', "#ffe0b2")] {
        let [rows, columns] = straights(board, player);
        for row in rows {
            let _ = write!(body, "<rect x='{x}' y='{}' width='{side}' height='{cell}' fill='{fill}'/>", y + row as i32 * cell);
        }
        for column in columns {
            let _ = write!(body, "<rect x='{}' y='{y}' width='{cell}' height='{side}' fill='{fill}'/>", x + column as i32 * cell);
        }
    }
    let mut lines = String::new();
    for line in 1..board.len() as i32 {
        let _ = write!(lines, "M{} {y}v{side}M{x} {}h{side}", x + line * cell, y + line * cell);
    }
    let _ = write!(body, "<path d='{lines}' stroke='#ccc' stroke-width='.7'/>");
    let (mut crosses, mut circles) = (String::new(), String::new());
    let gap = cell / 5;
    let inner = cell - 2 * gap;
    for (row, squares) in board.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            let (left, top) = (x + column as i32 * cell + gap, y + row as i32 * cell + gap);
            let half = inner as f32 / 2.0;
            let _ = match square {
                'X' => write!(crosses, "M{left} {top}l{inner} {inner}M{} {top}l-{inner} {inner}", left + inner),
                'O' => write!(
                    circles,
                    "M{left} {}a{half} {half} 0 1 0 {inner} 0a{half} {half} 0 1 0 -{inner} 0",
                    top as f32 + half
                ),
                _ => Ok(()),
            };
        }
    }
    let _ = write!(
        body,
        "<path d='{crosses}' stroke='#1565c0' stroke-width='2' fill='none'/>\
         <path d='{circles}' stroke='#e65100' stroke-width='2' fill='none'/>"
    );
}

fn text(body: &mut String, (x, y): (i32, i32), colour: &str, words: &str) {
    let words: String = words.chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(body, "<text x='{x}' y='{y}' fill='{colour}' xml:space='preserve'>{words}</text>");
}

fn page(width: i32, height: i32, title: &str, body: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' \
         font-family='sans-serif' font-size='14'><rect width='100%' height='100%' fill='#fff'/>\
         <text x='{MARGIN}' y='30' font-size='17' font-weight='bold' fill='#222'>{title}</text>{body}</svg>\n"
    )
}
