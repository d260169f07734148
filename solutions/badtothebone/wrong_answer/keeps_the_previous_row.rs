//! Wrong answer: forgets to empty the row before the next dataset, so bones that
//! remained are still there.
//!
//! Exposed by every input in which a dataset other than the last is not cleared.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let bones = bones();
    let mut row: Vec<Bone> = Vec::new();
    let mut results = Vec::new();
    for line in input.lines() {
        let (id, orientation) = line.split_once(' ').expect("two fields");
        let id: usize = id.parse().expect("a number");
        if id == 0 {
            eliminate(&mut row);
            results.push(result(&row));
            continue;
        }
        let (low, high) = bones[id - 1];
        let (left, right) = if orientation == "F" { (low, high) } else { (high, low) };
        row.push(Bone { id, left, right });
    }
    print!("RESULTS OF ELIMINATIONS\n\n\n{}", results.join("\n"));
    Ok(())
}

#[derive(Clone, Copy)]
struct Bone {
    id: usize,
    left: u8,
    right: u8,
}

/// The pips of every bone, the smaller number first; bone `id` is at `id - 1`.
fn bones() -> Vec<(u8, u8)> {
    let mut bones = Vec::new();
    for low in 0..=6 {
        for high in low..=6 {
            bones.push((low, high));
        }
    }
    bones
}

fn eliminate(row: &mut Vec<Bone>) {
    while let Some(i) = first_touching(row) {
        row.drain(i..i + 2);
    }
}

fn first_touching(row: &[Bone]) -> Option<usize> {
    row.windows(2).position(|pair| pair[0].right == pair[1].left)
}

fn result(row: &[Bone]) -> String {
    if row.is_empty() {
        return "DATASET CLEARED\n".into();
    }
    let ids: String = row.iter().map(|bone| format!("{} ", bone.id)).collect();
    ids + "\n"
}
