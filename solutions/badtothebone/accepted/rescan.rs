//! Accepted, the simplest way: implements the rules literally.
//!
//! Looks for the first touching pair from the left end, removes it, and starts
//! again at the left end. Cubic in the length of a row at worst, which is 28.
//!
//! Prints no space at the end of a line and an empty line after every result, the
//! last one included: the output validator has to allow both.

use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    println!("RESULTS OF ELIMINATIONS\n\n");
    for mut row in read_rows(&input) {
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
        let (id, orientation) = line.split_once(' ').expect("two fields");
        let id: usize = id.parse().expect("a number");
        if id == 0 {
            rows.push(Vec::new());
            continue;
        }
        let (low, high) = bones[id - 1];
        let (left, right) = if orientation == "F" { (low, high) } else { (high, low) };
        rows.last_mut().expect("a row").push(Bone { id, left, right });
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
        println!("DATASET CLEARED\n");
        return;
    }
    let ids: Vec<String> = row.iter().map(|bone| bone.id.to_string()).collect();
    println!("{}\n", ids.join(" "));
}
