//! Reads lines into a `String`, which fails if they are not UTF-8.
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
