//! A result as a line of a record.
//!
//! Responsible for what of a result is kept, and for telling a damaged line from a whole one. Must not know where
//! records are, nor what they are known by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::store::checksum::{checked, with_sum};
use crate::testcase::result::TestResult;

/// Grows when results that an older version has kept must not be used any more.
pub(crate) const VERSION: &[u8] = b"results, 4";

/// The result that is kept of a test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredResult {
    /// It was judged.
    TestResult(Box<TestResult>),
    /// It was judged more than once, and not always alike.
    Varies,
}

impl StoredResult {
    pub(crate) fn of(result: &TestResult) -> Self {
        Self::TestResult(Box::new(result.clone()))
    }

    /// The result, marked as one that was kept; `None` when it is not always the same.
    pub(crate) fn result(&self) -> Option<TestResult> {
        let Self::TestResult(result) = self else { return None };
        Some(TestResult { cached: true, ..TestResult::clone(result) })
    }

    /// True when both cannot come from a submission that is always judged alike.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::TestResult(one), Self::TestResult(other)) => one.verdict != other.verdict,
            _ => true,
        }
    }

    /// The line for a test case in the record with this name, its line break included.
    pub(crate) fn to_line(&self, record: &str, case: &str) -> Vec<u8> {
        let body = serde_json::to_string(&(record, case, self)).expect("a result has string keys only");
        let mut line = with_sum(body.as_bytes());
        line.push(b'\n');
        line
    }
}

/// Everything in the record with this name that is whole, by test case; of several lines the last one counts. A line of
/// another record is none: a file that took its place, as after a repair of the disk, says nothing here.
pub(crate) fn read_all(record: &str, bytes: &[u8]) -> BTreeMap<String, StoredResult> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| read_line(record, line)).collect()
}

pub(crate) fn read_line(record: &str, line: &[u8]) -> Option<(String, StoredResult)> {
    let (of, case, result): (String, String, StoredResult) = serde_json::from_slice(checked(line)?).ok()?;
    (of == record).then_some((case, result))
}
