#![allow(long_running_const_eval)]

const fn slow(n: u64) -> u64 {
    let mut sum = 0_u64;
    let mut i = 0;
    while i < n {
        sum = sum.wrapping_add(i ^ (sum << 1));
        i += 1;
    }
    sum
}

const SUM: u64 = slow(10_000_000_000);

fn main() {
    println!("{SUM}");
}
