fn main() {
    let numbers: Vec<u32> = Vec::new();
    println!("{}", numbers[std::env::args().count()]);
}
