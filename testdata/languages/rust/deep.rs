fn down(n: i32) -> i32 { if std::hint::black_box(n) == 0 { 0 } else { 1 + down(n - 1) } }
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i32 = text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    println!("{}", sum + down(100_000) - 100_000);
}
