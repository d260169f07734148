//! Prints the throughput of the default output validator, in GB of output per second:
//! `cargo run --release -p judge-grading --example compare_throughput [MIB]`.
//!
//! Responsible for figures that can be compared within one run. Not a test: nothing here fails.

#![expect(clippy::print_stdout, reason = "an example prints its results")]
#![expect(
    clippy::disallowed_methods,
    reason = "an example may use the clock and its arguments"
)]

use std::fmt::Write as _;
use std::io::BufReader;
use std::time::Instant;

use judge_grading::{CompareOptions, compare};

/// The size of the readers' buffers in bytes, as for a file.
const BUFFER: usize = 64 << 10;
/// The number of runs, of which the best counts.
const RUNS: usize = 7;

fn main() {
    let mib = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(64_usize);
    let size = mib << 20;
    let exact = CompareOptions::default();
    let strict = CompareOptions {
        case_sensitive: true,
        space_change_sensitive: true,
        ..exact
    };
    let close = CompareOptions {
        float_relative: Some(1e-6),
        float_absolute: Some(1e-6),
        ..exact
    };

    let lines = integers(size, 10);
    let one_line = integers(size, usize::MAX);
    let floats = decimals(size, 0.0);
    println!("{mib} MiB of output, best of {RUNS} runs");
    measure(
        "memcmp of the same buffers (floor)",
        &lines,
        &lines.clone(),
        None,
    );
    measure(
        "identical, ten tokens a line",
        &lines,
        &lines.clone(),
        Some(&exact),
    );
    measure("identical, strict", &lines, &lines.clone(), Some(&strict));
    measure(
        "identical, all on one line",
        &one_line,
        &one_line.clone(),
        Some(&exact),
    );
    measure(
        "identical, one token",
        &vec![b'x'; size],
        &vec![b'x'; size],
        Some(&exact),
    );
    measure(
        "identical floats, tolerance",
        &floats,
        &floats.clone(),
        Some(&close),
    );
    measure(
        "CR LF for LF, ten tokens a line",
        &lines,
        &replaced(&lines, b'\n', b"\r\n"),
        Some(&exact),
    );
    measure(
        "two spaces for one",
        &lines,
        &replaced(&lines, b' ', b"  "),
        Some(&exact),
    );
    measure(
        "line feed for every space",
        &lines,
        &replaced(&lines, b' ', b"\n"),
        Some(&exact),
    );
    let words = b"Yes No Maybe Impossible ".repeat(size / 24);
    measure(
        "other case",
        &words,
        &words.to_ascii_uppercase(),
        Some(&exact),
    );
    measure(
        "floats that differ in every token",
        &floats,
        &decimals(size, 1e-9),
        Some(&close),
    );
}

/// Integers of up to seven digits.
fn integers(size: usize, per_line: usize) -> Vec<u8> {
    let mut text = String::with_capacity(size + 16);
    let mut state = 1_u64;
    let mut count = 0;
    while text.len() < size {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        count += 1;
        let end = if count % per_line == 0 { '\n' } else { ' ' };
        let _ = write!(text, "{}{end}", state >> 44 & 0xf_ffff);
    }
    text.into_bytes()
}

/// Numbers with ten decimals, each off by `error`.
fn decimals(size: usize, error: f64) -> Vec<u8> {
    let mut text = String::with_capacity(size + 32);
    let mut state = 1_u64;
    while text.len() < size {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let value = (state >> 40) as f64 / 1000.0 + 0.5;
        let _ = writeln!(text, "{:.10}", value + error);
    }
    text.into_bytes()
}

fn replaced(text: &[u8], byte: u8, by: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len() * 2);
    for &each in text {
        if each == byte {
            result.extend_from_slice(by);
        } else {
            result.push(each);
        }
    }
    result
}

fn measure(name: &str, answer: &[u8], output: &[u8], options: Option<&CompareOptions>) {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let accepted = match options {
            Some(options) => {
                let (answer, output) = (
                    BufReader::with_capacity(BUFFER, answer),
                    BufReader::with_capacity(BUFFER, output),
                );
                compare(options, answer, output).is_ok_and(|comparison| comparison.is_accepted())
            }
            None => std::hint::black_box(answer) == std::hint::black_box(output),
        };
        best = best.min(start.elapsed().as_secs_f64());
        assert!(accepted, "{name}: the two sides should agree");
    }
    println!(
        "{:<40} {:>7.2} GB/s",
        name,
        output.len() as f64 / best / 1e9
    );
}
