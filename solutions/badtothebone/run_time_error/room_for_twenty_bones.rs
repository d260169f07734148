//! Run-time error: has room for twenty bones in a row, though all 28 may be drawn.
//!
//! Crashes on longer rows, and is correct on all others.

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
    let mut rows = Vec::new();
    let mut row = [None; 20];
    let mut length = 0;
    for line in input.lines() {
        let (id, orientation) = line.split_once(' ').expect("two fields");
        let id: usize = id.parse().expect("a number");
        if id == 0 {
            rows.push(row[..length].iter().flatten().copied().collect());
            length = 0;
            continue;
        }
        let (low, high) = bones[id - 1];
        let (left, right) = if orientation == "F" { (low, high) } else { (high, low) };
        row[length] = Some(Bone { id, left, right });
        length += 1;
    }
    rows
}

fn eliminate(row: &mut Vec<Bone>) {
    let mut i = 1;
    while i < row.len() {
        if row[i - 1].right == row[i].left {
            row.drain(i - 1..=i);
            i = 1;
        } else {
            i += 1;
        }
    }
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
