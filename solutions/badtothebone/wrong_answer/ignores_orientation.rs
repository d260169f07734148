//! Wrong answer: lays every bone forward, regardless of its record.
//!
//! Exposed by nearly every row with a backward bone that is not a double.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    println!("RESULTS OF ELIMINATIONS\n\n");
    for (i, mut row) in read_rows(&input).into_iter().enumerate() {
        if i > 0 {
            println!();
        }
        eliminate(&mut row);
        print_row(&row);
    }
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

fn read_rows(input: &str) -> Vec<Vec<Bone>> {
    let bones = bones();
    let mut rows = vec![Vec::new()];
    for line in input.lines() {
        let (id, _orientation) = line.split_once(' ').expect("two fields");
        let id: usize = id.parse().expect("a number");
        if id == 0 {
            rows.push(Vec::new());
            continue;
        }
        let (low, high) = bones[id - 1];
        let bone = Bone { id, left: low, right: high };
        rows.last_mut().expect("a row").push(bone);
    }
    rows.pop();
    rows
}

fn eliminate(row: &mut Vec<Bone>) {
    while let Some(i) = first_touching(row) {
        row.drain(i..i + 2);
    }
}

fn first_touching(row: &[Bone]) -> Option<usize> {
    row.windows(2).position(|pair| pair[0].right == pair[1].left)
}

fn print_row(row: &[Bone]) {
    if row.is_empty() {
        println!("DATASET CLEARED");
        return;
    }
    for bone in row {
        print!("{} ", bone.id);
    }
    println!();
}
