fn main() {
    let mut numbers: Vec<u64> = Vec::new();
    while numbers.len() * 8 < 256 << 20 {
        numbers.push(numbers.len() as u64);
    }
    println!("{}", numbers[numbers.len() / 2]);
}
