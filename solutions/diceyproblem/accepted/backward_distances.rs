//! Works backwards instead of searching: `left` is the number of moves that each state still needs
//! to get back. It starts at infinity and is lowered by sweeps over all states until nothing
//! changes; then the walk goes downhill from the start. Going downhill never repeats a state.

use std::io::{self, Read};

const FAR: usize = usize::MAX;
/// Sides of a maze with a border of holes on all sides.
const SIDE: usize = 12;
/// The squares above, below, left, right.
const OFFSETS: [isize; 4] = [-(SIDE as isize), SIDE as isize, -1, 1];

/// The 24 orientations as (top, front, right), and for each one those after tipping up, down, left
/// and right.
struct Dice {
    faces: Vec<[i32; 3]>,
    tipped: Vec<[usize; 4]>,
}

impl Dice {
    fn new() -> Dice {
        let mut faces = vec![[1, 2, 3]];
        let mut tipped = Vec::new();
        while tipped.len() < faces.len() {
            let [top, front, right] = faces[tipped.len()];
            let after =
                [[front, 7 - top, right], [7 - front, top, right], [right, front, 7 - top], [7 - right, front, top]];
            tipped.push(after.map(|die| match faces.iter().position(|&known| known == die) {
                Some(index) => index,
                None => {
                    faces.push(die);
                    faces.len() - 1
                }
            }));
        }
        Dice { faces, tipped }
    }
}

struct Maze<'a> {
    dice: &'a Dice,
    cells: Vec<i32>,
    start: usize,
    die: usize,
}

impl Maze<'_> {
    /// The squares and orientations that one move leads to.
    fn moves(&self, square: usize, die: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let top = self.dice.faces[die][0];
        (0..4).filter_map(move |tip| {
            let next = square.checked_add_signed(OFFSETS[tip])?;
            let allowed = self.cells[next] == -1 || self.cells[next] == top;
            allowed.then_some((next, self.dice.tipped[die][tip]))
        })
    }

    /// The best next step: the moves left after it, its square and its orientation.
    fn best(&self, left: &[[usize; 24]], square: usize, die: usize) -> (usize, usize, usize) {
        let moves = self.moves(square, die);
        let steps = moves.map(|(square, die)| (left[square][die], square, die));
        steps.min().unwrap_or((FAR, 0, 0))
    }

    fn moves_left(&self) -> Vec<[usize; 24]> {
        let mut left = vec![[FAR; 24]; SIDE * SIDE];
        left[self.start] = [0; 24];
        let mut inner: Vec<usize> = (0..SIDE * SIDE).collect();
        inner.retain(|&square| self.cells[square] != 0 && square != self.start);
        let mut changed = true;
        while changed {
            changed = false;
            for &square in &inner {
                for die in 0..24 {
                    let nearest = self.moves(square, die).map(|(square, die)| left[square][die]).min();
                    let through = nearest.unwrap_or(FAR).saturating_add(1);
                    if through < left[square][die] {
                        left[square][die] = through;
                        changed = true;
                    }
                }
            }
            // The next sweep runs the other way.
            inner.reverse();
        }
        left
    }

    /// The squares of the walk; empty without a walk.
    fn walk(&self) -> Vec<usize> {
        let left = self.moves_left();
        let mut walk = vec![self.start];
        let (mut square, mut die) = (self.start, self.die);
        loop {
            let step = self.best(&left, square, die);
            match step.0 {
                FAR => return Vec::new(),
                _ => walk.push(step.1),
            }
            (square, die) = (step.1, step.2);
            if square == self.start {
                return walk;
            }
        }
    }
}

fn read<'a>(dice: &'a Dice, number: &mut impl FnMut() -> i32) -> Maze<'a> {
    let (rows, columns) = (number() as usize, number() as usize);
    let start = number() as usize * SIDE + number() as usize;
    let (top, front) = (number(), number());
    let mut cells = vec![0; SIDE * SIDE];
    for row in 1..=rows {
        for column in 1..=columns {
            cells[row * SIDE + column] = number();
        }
    }
    let shown = |faces: &[i32; 3]| faces[..2] == [top, front];
    Maze { dice, cells, start, die: dice.faces.iter().position(shown).unwrap() }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut words = input.split_ascii_whitespace();
    let dice = Dice::new();
    while let Some(name) = words.next().filter(|&name| name != "END") {
        println!("{name}");
        let maze = read(&dice, &mut || words.next().unwrap().parse().unwrap());
        let walk = maze.walk();
        if walk.is_empty() {
            println!("  No Solution Possible");
        }
        for (line, nine) in walk.chunks(9).enumerate() {
            let show = |square: &usize| format!("({},{})", square / SIDE, square % SIDE);
            let positions: Vec<String> = nine.iter().map(show).collect();
            let comma = if line * 9 + nine.len() < walk.len() { "," } else { "" };
            println!("  {}{comma}", positions.join(","));
        }
    }
}
