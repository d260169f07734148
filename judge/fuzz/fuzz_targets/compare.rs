//! The default output validator: whatever the bytes, it ends, and what it says does not depend on
//! how they come.
#![no_main]

use std::io::BufReader;

use judge_grading::{CompareOptions, compare};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<u8>, Vec<u8>)| {
    let (flags, answer, output) = input;
    let options = CompareOptions {
        case_sensitive: flags & 1 != 0,
        space_change_sensitive: flags & 2 != 0,
        float_relative: (flags & 4 != 0).then_some(1e-6),
        float_absolute: (flags & 8 != 0).then_some(1e-6),
    };
    let whole = compare(&options, answer.as_slice(), output.as_slice()).expect("slices can be read");
    let pieces = 1 + usize::from(flags >> 4);
    let parted = compare(
        &options,
        BufReader::with_capacity(pieces, answer.as_slice()),
        BufReader::with_capacity(pieces + 1, output.as_slice()),
    );
    assert_eq!(parted.expect("slices can be read"), whole);
    if answer == output {
        assert_eq!(whole, judge_grading::Comparison::Accepted);
    }
});
