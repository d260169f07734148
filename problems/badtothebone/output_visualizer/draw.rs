//! Output visualizer of "Bad to the Bone".
//!
//! Called as `draw INPUT ANSWER FEEDBACK_DIR < team_output`. Draws the first
//! row for which the output is wrong (or the first of all): the bones after
//! each elimination, with the next pair marked, and below them the result and
//! the line of the output. Writes `judgeimage.svg`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The maximum length of a line of output in the drawing.
const SHOWN: usize = 90;
const BONE: (i32, i32) = (44, 22);
const MARGIN: i32 = 16;
/// The left edge of the first bone.
const LEFT: i32 = 110;

#[derive(Clone, Copy)]
struct Bone {
    id: usize,
    left: usize,
    right: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [input, answer, feedback, ..] = arguments.as_slice() else {
        return Err("usage: draw INPUT ANSWER FEEDBACK_DIR < team_output".into());
    };
    let rows = rows(&fs::read_to_string(input)?)?;
    let answer = fs::read_to_string(answer)?;
    let expected = results(&answer);
    let mut output = Vec::new();
    io::stdin().lock().take(8 << 20).read_to_end(&mut output)?;
    let output = String::from_utf8_lossy(&output).into_owned();
    let found = results(&output);
    let wrong = (0..rows.len()).find(|&index| expected.get(index) != found.get(index));
    let index = wrong.unwrap_or(0);
    let row = rows.get(index).ok_or("no row in the input")?;
    let drawing = draw(row, index, wrong.is_some(), expected.get(index), found.get(index));
    fs::write(Path::new(feedback).join("judgeimage.svg"), drawing)?;
    Ok(())
}

/// The rows of the input.
fn rows(input: &str) -> Result<Vec<Vec<Bone>>, Box<dyn Error>> {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    for line in input.lines() {
        let (id, way) = line.split_once(' ').ok_or("expected an ID and an orientation")?;
        let id: usize = id.parse()?;
        if id == 0 {
            rows.push(std::mem::take(&mut row));
            continue;
        }
        let (small, large) = (0..7).flat_map(|a| (a..7).map(move |b| (a, b))).nth(id - 1).ok_or("no such bone")?;
        let (left, right) = if way == "F" { (small, large) } else { (large, small) };
        row.push(Bone { id, left, right });
    }
    Ok(rows)
}

/// The lines with results, without trailing spaces.
fn results(text: &str) -> Vec<&str> {
    text.lines().skip(1).map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

/// The left-most pair that matches, by the position of its left bone.
fn pair(row: &[Bone]) -> Option<usize> {
    row.windows(2).position(|two| two[0].right == two[1].left)
}

fn draw(row: &[Bone], index: usize, is_wrong: bool, expected: Option<&&str>, found: Option<&&str>) -> String {
    let (mut body, mut y) = (String::new(), 52);
    let mut current = row.to_vec();
    let mut step = 0;
    loop {
        let next = pair(&current);
        let label = if step == 0 { "the row".to_owned() } else { format!("after {step}") };
        text(&mut body, (MARGIN, y + 15), "#555", &label);
        for (place, bone) in current.iter().enumerate() {
            let goes = next.is_some_and(|left| place == left || place == left + 1);
            draw_bone(&mut body, LEFT + place as i32 * (BONE.0 + 5), y, bone, goes, next.is_none());
        }
        if current.is_empty() {
            text(&mut body, (LEFT, y + 15), "#2e7d32", "no bone is left");
        }
        y += BONE.1 + 30;
        let Some(left) = next else { break };
        current.drain(left..left + 2);
        step += 1;
    }
    let colour = if is_wrong { "#c62828" } else { "#2e7d32" };
    text(&mut body, (MARGIN, y + 8), "#2e7d32", &format!("right:   {}", said(expected)));
    text(&mut body, (MARGIN, y + 30), colour, &format!("output: {}", said(found)));
    let width = (LEFT + row.len() as i32 * (BONE.0 + 5) + MARGIN).max(560);
    let title = if is_wrong { format!("Row {}: the output is wrong", index + 1) } else { format!("Row {}", index + 1) };
    page(width, y + 46, &title, &body)
}

fn said(line: Option<&&str>) -> String {
    line.map_or("nothing".to_owned(), |line| line.chars().take(SHOWN).collect())
}

fn draw_bone(body: &mut String, x: i32, y: i32, bone: &Bone, goes: bool, stays: bool) {
    let (fill, line) = match (goes, stays) {
        (true, _) => ("#ffe0b2", "#e65100"),
        (_, true) => ("#e8f5e9", "#2e7d32"),
        _ => ("#fffdf5", "#555"),
    };
    let (width, height) = BONE;
    let middle = x + width / 2;
    let _ = write!(
        body,
        "<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='4' fill='{fill}' stroke='{line}' stroke-width='1.5'/>\
         <path d='M{middle} {}v{}' stroke='{line}'/>",
        y + 3,
        height - 6
    );
    for (pips, left) in [(bone.left, x), (bone.right, middle)] {
        draw_pips(body, pips, left + width / 4, y + height / 2);
    }
    let _ = write!(
        body,
        "<text x='{middle}' y='{}' font-size='11' text-anchor='middle' fill='#555'>{}</text>",
        y + height + 13,
        bone.id
    );
}

fn draw_pips(body: &mut String, pips: usize, x: i32, y: i32) {
    let corners = [(-5, -6), (5, 6), (5, -6), (-5, 6), (-5, 0), (5, 0)];
    let places = corners.iter().take(pips - pips % 2).chain((pips % 2 == 1).then_some(&(0, 0)));
    for (across, down) in places {
        let _ = write!(body, "<circle cx='{}' cy='{}' r='2' fill='#222'/>", x + across, y + down);
    }
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
