//! Accepted, the reference: one pass over the row with a stack.
//!
//! The bones left of the current one never touch with equal pips, so the only
//! candidate for elimination is the top of the stack with the next bone. Linear
//! in the number of bones. Prints exactly what the judges' answers contain.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let results: Vec<String> = read_rows(&input).iter().map(|row| result(row)).collect();
    print!("RESULTS OF ELIMINATIONS\n\n\n{}", results.join("\n"));
    Ok(())
}

#[derive(Clone, Copy)]
struct Bone {
    id: usize,
    left: u8,
    right: u8,
}

impl Bone {
    fn new(id: usize, orientation: &str) -> Self {
        let (low, high) = pips(id);
        match orientation {
            "F" => Bone { id, left: low, right: high },
            _ => Bone { id, left: high, right: low },
        }
    }
}

/// The pips of bone `id`, the smaller number first.
fn pips(id: usize) -> (u8, u8) {
    let mut set = (0..=6).flat_map(|low| (low..=6).map(move |high| (low, high)));
    set.nth(id - 1).expect("an ID is 1 to 28")
}

fn read_rows(input: &str) -> Vec<Vec<Bone>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut words = input.split_ascii_whitespace();
    while let (Some(id), Some(orientation)) = (words.next(), words.next()) {
        match id.parse().expect("an ID is a number") {
            0 => rows.push(std::mem::take(&mut row)),
            id => row.push(Bone::new(id, orientation)),
        }
    }
    rows
}

fn eliminate(row: &[Bone]) -> Vec<Bone> {
    let mut kept: Vec<Bone> = Vec::new();
    for &bone in row {
        if kept.last().is_some_and(|top| top.right == bone.left) {
            kept.pop();
        } else {
            kept.push(bone);
        }
    }
    kept
}

/// The result of one row, its newline included.
fn result(row: &[Bone]) -> String {
    let kept = eliminate(row);
    if kept.is_empty() {
        return "DATASET CLEARED\n".into();
    }
    let ids: String = kept.iter().map(|bone| format!("{} ", bone.id)).collect();
    ids + "\n"
}
