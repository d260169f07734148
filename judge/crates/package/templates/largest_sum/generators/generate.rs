//! Generates lists of numbers.
//!
//! usage: generate COUNT LOW HIGH SEED
//!
//! COUNT numbers from LOW to HIGH, both included. The same arguments give the same bytes on every machine: the random
//! numbers are made here, not taken from a library that may change.

use std::process::exit;

/// SplitMix64, a small generator of random numbers whose definition is fixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        let range = high.abs_diff(low) + 1;
        low + (self.next() % range) as i64
    }
}

fn main() {
    let args: Vec<i64> = std::env::args().skip(1).map_while(|word| word.parse().ok()).collect();
    let [count, low, high, seed] = args[..] else {
        eprintln!("usage: generate COUNT LOW HIGH SEED");
        exit(1);
    };
    let mut random = Random(seed as u64);
    let numbers: Vec<String> = (0..count).map(|_| random.between(low, high).to_string()).collect();
    println!("{count}\n{}", numbers.join(" "));
}
