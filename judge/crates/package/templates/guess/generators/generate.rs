//! Generates one number.
//!
//! usage: generate --low L --high H SEED

fn main() {
    testlib::generate(|args, out| {
        let low: u32 = args.int("low", 1..=1_000);
        let high: u32 = args.int("high", low..=1_000);
        let mut random = args.random();
        writeln!(out, "{}", random.int(low..=high));
    })
}
