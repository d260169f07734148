//! Reads lines into a `String`, which they may not be.
fn main() {
    let secret = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let secret: i64 = secret.trim().parse().unwrap();
    for line in std::io::stdin().lines().take(10) {
        let Ok(guess) = line.unwrap().trim().parse::<i64>() else { break };
        println!("{}", if guess < secret { "higher" } else if guess > secret { "lower" } else { "correct" });
        if guess == secret {
            std::process::exit(42);
        }
    }
    std::process::exit(43);
}
