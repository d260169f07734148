fn deeper(level: u64) -> u64 {
    let here = std::hint::black_box([level; 64]);
    if level > 1_000_000 { 0 } else { deeper(level + 1) + here[(level % 64) as usize] }
}

fn main() {
    println!("{}", deeper(0));
}
