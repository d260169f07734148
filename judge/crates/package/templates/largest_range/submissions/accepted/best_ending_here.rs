//! Computes the largest sum that ends at each place: the sum that ends before it is extended if
//! it is positive.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut best = (i64::MIN, 0, 0);
    let (mut ending_here, mut first) = (0, 1);
    for (last, word) in (1..).zip(text.split_whitespace().skip(1)) {
        let number: i64 = word.parse().unwrap();
        if ending_here < 0 {
            (ending_here, first) = (0, last);
        }
        ending_here += number;
        if ending_here > best.0 {
            best = (ending_here, first, last);
        }
    }
    println!("{}\n{} {}", best.0, best.1, best.2);
}
