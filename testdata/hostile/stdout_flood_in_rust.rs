fn main() {
    for number in 0..20_000_000_u64 {
        println!("{number}");
    }
}
