//! The small program in Rust.
//!
//! Responsible for adding two numbers.

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>());
}
