//! Generates one number.
//!
//! usage: generate [PREFIX] LOW HIGH SEED
//!
//! A number from LOW to HIGH, both included, on a line of its own; a line with PREFIX comes before it. The same arguments
//! give the same bytes on every machine: the random number is made here, not taken from a library that may change.

use std::process::exit;

/// The first number of SplitMix64, a small generator of random numbers whose definition is fixed.
fn random(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let prefix = if words.len() == 4 { words.remove(0) + "\n" } else { String::new() };
    let numbers: Vec<u64> = words.iter().map_while(|word| word.parse().ok()).collect();
    let [low, high, seed] = numbers[..] else {
        eprintln!("usage: generate [PREFIX] LOW HIGH SEED");
        exit(1);
    };
    println!("{prefix}{}", low + random(seed) % (high - low + 1));
}
