//! The access of the fuzz targets to the records of cached results.
//!
//! Compiled for them alone (feature `fuzzing`). Must not know more about a record than its readers
//! do.

use crate::store::checksum::with_sum;
use crate::store::results::{read_all, read_line};

/// Reads bytes as the record of this name, and returns the number of results in it. With `summed`,
/// each line first gets a valid sum, which random lines do not have.
///
/// # Panics
/// When a result differs after it was written and read again.
#[must_use]
pub fn read_kept_results(record: &str, bytes: &[u8], summed: bool) -> usize {
    let lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(with_sum).collect();
    let summed = summed.then(|| lines.join(&b'\n'));
    let results = read_all(record, summed.as_deref().unwrap_or(bytes));
    for (case, result) in &results {
        let line = result.to_line(record, case);
        let again = read_line(
            record,
            line.strip_suffix(b"\n").expect("a line ends as one"),
        );
        assert_eq!(again.as_ref(), Some(&(case.clone(), result.clone())));
    }
    results.len()
}
