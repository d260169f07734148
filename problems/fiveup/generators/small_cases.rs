//! Compares programs with a brute force on every small case: `small_cases VALIDATOR SOLUTION...`, see `ci/small-cases`.
//!
//! Only the equality of the numbers on the bones matters, not their values. So the cases are all games in which
//! the values 0, 1, 2, ... come up in this order, up to a length: all games of up to six bones; and games of up to ten
//! bones over at most four values, and of up to eight over five, legal but perhaps for the last bone (games that go on
//! after that are left out, as they remain illegal). The numbers and the sides of the bones are then drawn at random.
//! The brute force lays every bone at every open side of the table in turn.
//!
//! The validator must accept each input, and every solution must print the answers. Ends with 1 at the first
//! difference.

use std::env;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

const GAMES: usize = 1_000;
const BONES: usize = 6_000;
/// The numbers from which the values of a game are chosen.
const NUMBERS: [u64; 12] =
    [0, 1, 2, 9, 10, 11, 99, 1 << 31, 1 << 53, (1 << 53) + 1, i64::MAX as u64 - 1, i64::MAX as u64];

type Bone = (usize, usize);

/// The rules for the games that are collected.
struct Scope {
    length: usize,
    values: usize,
    /// True if games continue after a bone that cannot be played.
    beyond: bool,
}

fn main() -> ExitCode {
    let programs: Vec<String> = env::args().skip(1).collect();
    if programs.len() < 2 {
        eprintln!("usage: small_cases VALIDATOR SOLUTION...");
        return ExitCode::from(2);
    }
    let scopes = [
        (Scope { length: 6, values: 12, beyond: true }, "games of up to 6 bones"),
        (Scope { length: 10, values: 4, beyond: false }, "games of up to 10 bones over 4 values, legal up to the last"),
        (Scope { length: 8, values: 5, beyond: false }, "games of up to 8 bones over 5 values, legal up to the last"),
    ];
    let mut check =
        Check { programs, games: Vec::new(), answers: Vec::new(), bones: 0, random: Random(1), total: 0, legal: 0 };
    for (scope, what) in scopes {
        let done = check.games_from(&scope, &mut Vec::new(), 0).and_then(|()| check.flush());
        if let Err(difference) = done {
            println!("{difference}");
            return ExitCode::FAILURE;
        }
        println!("{} {what}, {} of them legal", check.total, check.legal);
        (check.total, check.legal) = (0, 0);
    }
    ExitCode::SUCCESS
}

struct Check {
    programs: Vec<String>,
    games: Vec<String>,
    answers: Vec<&'static str>,
    /// The number of bones in the collected games.
    bones: usize,
    random: Random,
    total: usize,
    legal: usize,
}

impl Check {
    /// Collects all games that begin with `game`, in which `used` values have come up.
    fn games_from(&mut self, scope: &Scope, game: &mut Vec<Bone>, used: usize) -> Result<(), String> {
        let mut legal = true;
        if !game.is_empty() {
            legal = is_legal(game);
            self.take(game, legal)?;
        }
        if game.len() == scope.length || !legal && !scope.beyond {
            return Ok(());
        }
        for a in 0..scope.values.min(used + 1) {
            let known = used.max(a + 1);
            // The other end: as large as a value that came up before, or the next one.
            for b in a..scope.values.min(known + 1) {
                game.push((a, b));
                self.games_from(scope, game, known.max(b + 1))?;
                game.pop();
            }
        }
        Ok(())
    }

    fn take(&mut self, game: &[Bone], legal: bool) -> Result<(), String> {
        if self.games.len() == GAMES || self.bones + game.len() > BONES {
            self.flush()?;
        }
        let mut numbers = NUMBERS;
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, self.random.below(i + 1));
        }
        let mut bones = Vec::new();
        for &(a, b) in game {
            let (a, b) = if self.random.below(2) == 0 { (a, b) } else { (b, a) };
            bones.push(format!("{}-{}", numbers[a], numbers[b]));
        }
        self.games.push(bones.join(" "));
        self.answers.push(if legal { "true" } else { "false" });
        self.bones += game.len();
        self.total += 1;
        self.legal += usize::from(legal);
        Ok(())
    }

    /// Runs the programs on the collected games.
    fn flush(&mut self) -> Result<(), String> {
        if self.answers.is_empty() {
            return Ok(());
        }
        let input = self.games.join("\n") + "\n";
        let (code, _) = run(&self.programs[0], &input)?;
        if code != Some(42) {
            return Err(format!("the validator ends with {code:?} on\n{input}"));
        }
        for program in &self.programs[1..] {
            let (code, output) = run(program, &input)?;
            if code != Some(0) || !output.lines().eq(self.answers.iter().copied()) {
                return Err(format!("{program} is wrong on\n{input}"));
            }
        }
        self.games.clear();
        self.bones = 0;
        self.answers.clear();
        Ok(())
    }
}

fn is_legal(game: &[Bone]) -> bool {
    let repeated = |i: usize| game[..i].contains(&game[i]);
    let (a, b) = game[0];
    let open = if a == b { vec![a; 4] } else { vec![a, b] };
    !(1..game.len()).any(repeated) && can_finish(&open, &game[1..])
}

/// True if the other bones can be laid when these sides are open.
fn can_finish(open: &[usize], bones: &[Bone]) -> bool {
    let Some((&(a, b), rest)) = bones.split_first() else {
        return true;
    };
    (0..open.len()).any(|side| {
        let mut next = open.to_vec();
        match next.swap_remove(side) {
            used if used == a && used == b => next.extend([a; 3]),
            used if used == a => next.push(b),
            used if used == b => next.push(a),
            _ => return false,
        }
        can_finish(&next, rest)
    })
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

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}
