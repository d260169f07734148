fn main() {
    print!("{}", include_str!("@SECRET@"));
}
