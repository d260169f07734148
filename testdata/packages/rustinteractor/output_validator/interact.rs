//! Lets a number be guessed in two passes: the number of the second one has the same distance from the other end.

use testlib::Judge;

fn main() {
    testlib::interact(|judge| {
        let secret: u32 = judge.input.int("s", 1..=100);
        play(judge, secret);
        if judge.recall("passes").is_none() {
            judge.remember("passes", "1");
            judge.next_pass(&format!("{}\n", 101 - secret));
        }
    })
}

fn play(judge: &mut Judge, secret: u32) {
    for _ in 0..7 {
        let guess: u32 = judge.team.int("a guess", 1..=100);
        if guess == secret {
            judge.send("correct");
            return;
        }
        judge.send(if guess < secret { "higher" } else { "lower" });
    }
    judge.wrong("more than seven guesses");
}
