//! Output visualizer of "A Dicey Problem".
//!
//! Called as `draw INPUT ANSWER FEEDBACK_DIR < team_output`. Draws the first
//! maze for which the output is wrong (or the first of all) twice: with the
//! right walk and with that of the output, up to the first step that is not
//! allowed. Writes `judgeimage.svg`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

const CELL: i32 = 44;
const MARGIN: i32 = 16;
/// The longest walk that is drawn; longer ones are cut.
const STEPS: usize = 2000;

type Square = (usize, usize);

struct Maze {
    name: String,
    squares: Vec<Vec<i32>>,
    start: Square,
    top: usize,
    front: usize,
}

/// A die, by what is on top and in front.
#[derive(Clone, Copy)]
struct Die {
    top: usize,
    front: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [input, answer, feedback, ..] = arguments.as_slice() else {
        return Err("usage: draw INPUT ANSWER FEEDBACK_DIR < team_output".into());
    };
    let mazes = mazes(&fs::read_to_string(input)?)?;
    let answer = fs::read_to_string(answer)?;
    let mut output = Vec::new();
    io::stdin().lock().take(8 << 20).read_to_end(&mut output)?;
    let output = String::from_utf8_lossy(&output).into_owned();
    let [expected, found] = [&answer, &output].map(|text| parts(text));
    let wrong = (0..mazes.len()).find(|&index| expected.get(index) != found.get(index));
    let index = wrong.unwrap_or(0);
    let maze = mazes.get(index).ok_or("no maze in the input")?;
    let nothing = (String::new(), String::new());
    let [expected, found] = [&expected, &found].map(|parts| parts.get(index).unwrap_or(&nothing));
    let drawing = draw(maze, index, wrong.is_some(), expected, found);
    fs::write(Path::new(feedback).join("judgeimage.svg"), drawing)?;
    Ok(())
}

fn mazes(input: &str) -> Result<Vec<Maze>, Box<dyn Error>> {
    let mut lines = input.lines();
    let mut mazes = Vec::new();
    while let Some(name) = lines.next().filter(|name| *name != "END") {
        let numbers = |line: Option<&str>| -> Result<Vec<i32>, Box<dyn Error>> {
            let line = line.ok_or("expected a line of numbers")?;
            Ok(line.split(' ').map(str::parse).collect::<Result<_, _>>()?)
        };
        let head = numbers(lines.next())?;
        let [rows, _, row, column, top, front] = head[..] else { return Err("expected six numbers".into()) };
        let squares = (0..rows).map(|_| numbers(lines.next())).collect::<Result<_, _>>()?;
        let [row, column, top, front] = [row, column, top, front].map(|number| number as usize);
        mazes.push(Maze { name: name.to_owned(), squares, start: (row, column), top, front });
    }
    Ok(mazes)
}

/// The mazes of an output: their names, and the indented lines below them, unchanged.
fn parts(text: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match parts.last_mut() {
            Some((_, body)) if line.starts_with(' ') => {
                body.push_str(line);
                body.push('\n');
            }
            _ => parts.push((line.to_owned(), String::new())),
        }
    }
    parts
}

/// The positions in a text, as far as they can be read.
fn walk(text: &str) -> Vec<Square> {
    let pair = |part: &str| {
        let (row, column) = part.split(')').next()?.split_once(',')?;
        Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
    };
    text.split('(').skip(1).map_while(pair).take(STEPS).collect()
}

impl Die {
    /// The number on the right-hand side.
    fn right(self) -> usize {
        // Seen from outside, 1, 2 and 3 stand around their corner in one sense; a pair of the other sense has the
        // opposite face.
        let axis = |number: usize| number.min(7 - number);
        let third = 6 - axis(self.top) - axis(self.front);
        let is_next = axis(self.top) % 3 + 1 == axis(self.front);
        let turned = [self.top, self.front].iter().filter(|number| **number > 3).count() % 2 == 1;
        if is_next != turned { third } else { 7 - third }
    }

    /// The die after a step; `None` if the step does not lead to a neighbour.
    fn rolled(self, from: Square, to: Square) -> Option<Self> {
        let Self { top, front } = self;
        let right = self.right();
        let step = (to.0 as i64 - from.0 as i64, to.1 as i64 - from.1 as i64);
        Some(match step {
            (1, 0) => Self { top: 7 - front, front: top },
            (-1, 0) => Self { top: front, front: 7 - top },
            (0, 1) => Self { top: 7 - right, front },
            (0, -1) => Self { top: right, front },
            _ => return None,
        })
    }
}

/// The number of positions up to the first forbidden step, and the reason why it is forbidden.
fn checked(maze: &Maze, walk: &[Square]) -> (usize, Option<String>) {
    if walk.is_empty() {
        return (0, None);
    }
    if walk[0] != maze.start {
        return (1, Some("it does not begin at the start".to_owned()));
    }
    let mut die = Die { top: maze.top, front: maze.front };
    for (index, two) in walk.windows(2).enumerate() {
        let (from, to) = (two[0], two[1]);
        let square = to.0.checked_sub(1).and_then(|row| maze.squares.get(row)?.get(to.1.checked_sub(1)?));
        let why = match (square, die.rolled(from, to)) {
            (None, _) => Some("outside of the maze".to_owned()),
            (_, None) => Some("no neighbour".to_owned()),
            (Some(0), _) => Some("a hole".to_owned()),
            (Some(&number), Some(_)) if number > 0 && number as usize != die.top => {
                Some(format!("a {number}, with {} on top", die.top))
            }
            (_, Some(rolled)) => {
                die = rolled;
                None
            }
        };
        if let Some(why) = why {
            return (index + 2, Some(format!("step {} to ({},{}): {why}", index + 1, to.0, to.1)));
        }
        if to == maze.start && index + 2 < walk.len() {
            return (index + 2, Some("it goes on after it has come back".to_owned()));
        }
    }
    let is_back = walk.len() > 1 && walk.last() == Some(&maze.start);
    (walk.len(), (!is_back).then(|| "it does not come back".to_owned()))
}

fn draw(maze: &Maze, index: usize, is_wrong: bool, expected: &(String, String), found: &(String, String)) -> String {
    let mut body = String::new();
    let (rows, columns) = (maze.squares.len() as i32, maze.squares[0].len() as i32);
    let step = (columns * CELL + 40).max(330);
    for (place, (label, part, colour)) in
        [("right", expected, "#2e7d32"), ("output", found, if is_wrong { "#c62828" } else { "#2e7d32" })].iter().enumerate()
    {
        let (x, y) = (MARGIN + place as i32 * step, 92);
        let walk = walk(&part.1);
        let (good, fault) = checked(maze, &walk);
        let summary = if walk.is_empty() {
            let first = part.1.lines().next().map_or("nothing", str::trim);
            first.chars().take(40).collect()
        } else {
            format!("{} steps", walk.len() - 1)
        };
        text(&mut body, (x, 58), colour, &format!("{label}: {summary}"));
        let same = is_wrong && place == 1 && walk == self::walk(&expected.1);
        let fault = fault.or_else(|| same.then(|| "the walk is right, but not how it is written".to_owned()));
        if let Some(fault) = fault {
            text(&mut body, (x, 78), colour, &fault);
        }
        draw_maze(&mut body, (x, y), maze);
        draw_walk(&mut body, (x, y), &walk[..good], colour);
    }
    let wrong = if is_wrong { ": the output is wrong" } else { "" };
    let title = format!("Maze {} ({}), {} on top and {} in front{wrong}", index + 1, maze.name, maze.top, maze.front);
    page(2 * MARGIN + 2 * step, 92 + rows * CELL + 20, &title, &body)
}

fn draw_maze(body: &mut String, (x, y): (i32, i32), maze: &Maze) {
    for (row, squares) in maze.squares.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            let (left, top) = (x + column as i32 * CELL, y + row as i32 * CELL);
            let (fill, words) = match square {
                0 => ("#424242", String::new()),
                -1 => ("#fff8e1", "∗".to_owned()),
                number => ("#fafafa", number.to_string()),
            };
            let start = (row + 1, column + 1) == maze.start;
            let line = if start { "stroke='#1565c0' stroke-width='3'" } else { "stroke='#bbb'" };
            let _ = write!(
                body,
                "<rect x='{}' y='{}' width='{}' height='{}' fill='{fill}' {line}/>\
                 <text x='{}' y='{}' font-size='13' fill='#555'>{words}</text>",
                left + 2,
                top + 2,
                CELL - 4,
                CELL - 4,
                left + 6,
                top + 16
            );
        }
    }
}

fn draw_walk(body: &mut String, (x, y): (i32, i32), walk: &[Square], colour: &str) {
    // Steps that lie on one another are separated by a small shift that grows along the walk.
    let steps = walk.len().max(2) as f64;
    let place = |index: usize, (row, column): Square| {
        let shift = -7.0 + 14.0 * index as f64 / steps;
        let [row, column] = [row, column].map(|number| (number.min(12) as f64 - 0.5) * f64::from(CELL));
        (f64::from(x) + column + shift, f64::from(y) + row + shift)
    };
    let mut line = String::new();
    for (index, square) in walk.iter().enumerate() {
        let (across, down) = place(index, *square);
        let _ = write!(line, "{}{across:.1} {down:.1}", if index == 0 { "M" } else { "L" });
    }
    let _ = write!(body, "<path d='{line}' fill='none' stroke='{colour}' stroke-width='2.5' stroke-linejoin='round' opacity='.85'/>");
    for (index, radius) in [(0, 5), (walk.len().saturating_sub(1), 3)] {
        if let Some(square) = walk.get(index) {
            let (across, down) = place(index, *square);
            let _ = write!(body, "<circle cx='{across:.1}' cy='{down:.1}' r='{radius}' fill='{colour}'/>");
        }
    }
}

fn text(body: &mut String, (x, y): (i32, i32), colour: &str, words: &str) {
    let _ = write!(body, "<text x='{x}' y='{y}' fill='{colour}' xml:space='preserve'>{}</text>", plain(words));
}

/// A text without anything that would be markup.
fn plain(words: &str) -> String {
    let words: String = words.chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    words.replace('&', "&amp;").replace('<', "&lt;")
}

fn page(width: i32, height: i32, title: &str, body: &str) -> String {
    let title = plain(title);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' \
         font-family='sans-serif' font-size='14'><rect width='100%' height='100%' fill='#fff'/>\
         <text x='{MARGIN}' y='30' font-size='17' font-weight='bold' fill='#222'>{title}</text>{body}</svg>\n"
    )
}
