//! Compares programs with a brute force on every small case: `small_cases VALIDATOR SOLUTION...`, see `ci/small-cases`.
//!
//! The cases are all rows of up to four bones, and all rows of up to six bones without pips above 2. The brute force
//! plays by the rules, on the numbers of the statement's table. The cases are fed in inputs of as many
//! rows as the statement allows; the validator must accept each of them, and every solution must print the answers.
//! Ends with 1 at the first difference.

use std::env;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const ROWS: usize = 500;

/// The table of the statement: the pips of the bones 1 to 28.
#[rustfmt::skip]
const PIPS: [(u8, u8); 28] = [
    (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6),
    (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6),
    (2, 2), (2, 3), (2, 4), (2, 5), (2, 6),
    (3, 3), (3, 4), (3, 5), (3, 6),
    (4, 4), (4, 5), (4, 6),
    (5, 5), (5, 6),
    (6, 6),
];

/// The number of a bone, and true if it lies forward.
type Bone = (usize, bool);

fn main() -> ExitCode {
    let programs: Vec<String> = env::args().skip(1).collect();
    if programs.len() < 2 {
        eprintln!("usage: small_cases VALIDATOR SOLUTION...");
        return ExitCode::from(2);
    }
    let all: Vec<usize> = (1..=28).collect();
    let low: Vec<usize> = (1..=28).filter(|&id| PIPS[id - 1].1 <= 2).collect();
    let mut check = Check { programs, rows: Vec::new(), total: 0 };
    for (bones, length, what) in [(low, 6, "up to 6 bones with up to 2 pips"), (all, 4, "up to 4 bones")] {
        let done = check.all_rows(&bones, length, &mut Vec::new()).and_then(|()| check.flush());
        if let Err(difference) = done {
            println!("{difference}");
            return ExitCode::FAILURE;
        }
        println!("{} rows of {what}", std::mem::take(&mut check.total));
    }
    ExitCode::SUCCESS
}

struct Check {
    programs: Vec<String>,
    rows: Vec<Vec<Bone>>,
    total: usize,
}

impl Check {
    /// Collects every row that begins with `row` and has up to `length` of the bones.
    fn all_rows(&mut self, bones: &[usize], length: usize, row: &mut Vec<Bone>) -> Result<(), String> {
        if !row.is_empty() {
            self.rows.push(row.clone());
            self.total += 1;
        }
        if self.rows.len() == ROWS {
            self.flush()?;
        }
        if row.len() == length {
            return Ok(());
        }
        for &id in bones {
            if row.iter().any(|&(other, _)| other == id) {
                continue;
            }
            for forward in [true, false] {
                row.push((id, forward));
                self.all_rows(bones, length, row)?;
                row.pop();
            }
        }
        Ok(())
    }

    /// Runs the programs on the collected rows.
    fn flush(&mut self) -> Result<(), String> {
        let mut input = String::new();
        let mut answers = Vec::new();
        for row in self.rows.drain(..) {
            for &(id, forward) in &row {
                input += &format!("{id} {}\n", if forward { 'F' } else { 'B' });
            }
            input += "0 F\n";
            answers.push(answer(row));
        }
        let (code, _) = run(&self.programs[0], &input)?;
        if code != Some(42) {
            return Err(format!("the validator ends with {code:?} on\n{input}"));
        }
        for program in &self.programs[1..] {
            let (code, output) = run(program, &input)?;
            let mut lines = output.lines().map(str::trim_end);
            let header: Vec<&str> = lines.by_ref().take(3).collect();
            let found: Vec<&str> = lines.step_by(2).take(answers.len()).collect();
            if code != Some(0) || header != ["RESULTS OF ELIMINATIONS", "", ""] || found != answers {
                return Err(format!("{program} is wrong on\n{input}"));
            }
        }
        Ok(())
    }
}

/// Plays by the rules: always the left-most pair, and from the left end again.
fn answer(mut row: Vec<Bone>) -> String {
    let left = |(id, forward): Bone| if forward { PIPS[id - 1].0 } else { PIPS[id - 1].1 };
    let right = |(id, forward): Bone| left((id, !forward));
    'play: loop {
        for i in 1..row.len() {
            if right(row[i - 1]) == left(row[i]) {
                row.remove(i);
                row.remove(i - 1);
                continue 'play;
            }
        }
        break;
    }
    let ids: Vec<String> = row.iter().map(|(id, _)| id.to_string()).collect();
    if ids.is_empty() { "DATASET CLEARED".into() } else { ids.join(" ") }
}

/// Runs a program; returns its exit code and its output.
fn run(program: &str, input: &str) -> Result<(Option<i32>, String), String> {
    let mut command = Command::new(program);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let mut stdin = child.stdin.take().expect("it was piped");
    thread::scope(|scope| {
        // A program that stops reading early is judged by its exit code and its output.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
        Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    })
}
