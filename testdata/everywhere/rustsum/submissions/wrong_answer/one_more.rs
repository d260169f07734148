fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let numbers: Vec<i32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!("{}", numbers[0] + numbers[1] + 1);
}
