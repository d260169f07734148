//! The bounds that the numbers of an input reach, as its validator reports them.
//!
//! Responsible for requesting the bounds from validators that support this, and for reading their
//! reports. Must not know the consequences for a package.
//!
//! The request was introduced by BAPCtools. Its C++ header supports it, and so does testlib for
//! Rust: `--constraints_file PATH`. The file has a line for each number that has a name: `place
//! name reached_low reached_high min max low high`.

use std::path::Path;

use judge_sandbox::{Execution, Finished, Layout, read_file};

/// The word in a validator's sources that shows that it supports the request, as in BAPCtools.
pub(crate) const WORD: &str = "constraints_file";
/// The file's name in the validator's working directory.
const FILE: &str = "judge-bounds";
/// The maximum size of the file, in bytes. A larger file is not a list of bounds.
const MAX_FILE_BYTES: u64 = 256 << 10;

/// A bound: the range that a validator allows for the numbers of one name, and the part of it that
/// one input reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The place where the validator reads the numbers, as `FILE:LINE`, if it is known.
    pub place: String,
    /// The name of the numbers.
    pub name: String,
    /// True if the lower and the upper bound were reached.
    pub reached: [bool; 2],
    /// The smallest and the largest number.
    pub seen: [f64; 2],
    /// The smallest and the largest number that are allowed.
    pub allowed: [f64; 2],
}

/// Requests the bounds in addition.
pub(crate) fn ask(execution: &mut Execution, layout: &Layout) {
    execution.args.push(format!("--{WORD}").into());
    execution.args.push(layout.work.join(FILE).into_os_string());
    execution.keep_work = true;
}

/// Reads the bounds that a finished validator left. They are empty when it left nothing that can be
/// read: it may have rejected the input.
pub(crate) fn read(finished: &Finished) -> Vec<Bound> {
    let bytes = finished
        .work
        .as_ref()
        .and_then(|work| read_file(work, Path::new(FILE), MAX_FILE_BYTES).ok());
    let text = bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .unwrap_or_default();
    text.lines().filter_map(parse).collect()
}

fn parse(line: &str) -> Option<Bound> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Other lines are ignored: headers of other versions write more, and an unknown line must not
    // fail the input.
    let [place, name, low, high, numbers @ ..] = words.as_slice() else {
        return None;
    };
    let reached = |word: &str| match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    let numbers: Vec<f64> = numbers
        .iter()
        .map_while(|number| number.parse().ok())
        .collect();
    let [min, max, allowed_low, allowed_high] = *numbers.as_slice() else {
        return None;
    };
    Some(Bound {
        place: (*place).to_owned(),
        name: (*name).to_owned(),
        reached: [reached(low)?, reached(high)?],
        seen: [min, max],
        allowed: [allowed_low, allowed_high],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_lines_are_ignored() {
        let bound = parse("validate.rs:3 n 0 1 5 10 1 10").unwrap();
        let expected = Bound {
            place: "validate.rs:3".into(),
            name: "n".into(),
            reached: [false, true],
            seen: [5.0, 10.0],
            allowed: [1.0, 10.0],
        };
        assert_eq!(bound, expected);
        for line in [
            "",
            "a b",
            "a b 0 1 1 2 3",
            "a b 0 2 1 2 3 4",
            "a b 0 1 1 2 3 x",
            "a b 0 1 1 2 3 4 5",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
