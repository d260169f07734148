//! Generates an input of The Mean: `generate --n N [--most MOST] [--kind any|equal|distinct] SEED`.

use testlib::generate::{distinct_integers, integers};

fn main() {
    testlib::generate(|args, out| {
        let n: usize = args.int("n", 1..=50);
        let most: i32 = args.int_or("most", 0..=1000, 1000);
        let kind = args.text_or("kind", "any");
        let mut random = args.random();
        let a = match kind.as_str() {
            "equal" => vec![random.int(-most..=most); n],
            "distinct" => distinct_integers(&mut random, n, -most..=most),
            _ => integers(&mut random, n, -most..=most),
        };
        out.line(&[n]);
        out.line(&a);
    });
}
