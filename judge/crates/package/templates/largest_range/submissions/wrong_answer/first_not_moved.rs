//! Wrong: the sum is right, but the first position is always 1.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut best = (i64::MIN, 1);
    let mut ending_here = 0;
    for (last, word) in (1..).zip(text.split_whitespace().skip(1)) {
        let number: i64 = word.parse().unwrap();
        ending_here = number + ending_here.max(0);
        if ending_here > best.0 {
            best = (ending_here, last);
        }
    }
    println!("{}\n1 {}", best.0, best.1);
}
