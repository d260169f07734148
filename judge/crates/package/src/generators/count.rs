//! The key `count`: the number of test cases that a rule generates, and their numbers.
//!
//! Must not know how the numbers are used.

use crate::error::Findings;
use crate::yaml::{Node, Value};

/// The maximum number of copies of a rule. More are a mistake (BAPCtools has the same limit).
const MAX_COPIES: usize = 100;

/// Reads the numbers: `3` means 1, 2, 3; a list, or a range such as `10..=12`, gives them
/// explicitly.
pub(super) fn count(node: &Node<'_>, findings: &mut Findings) -> Option<Vec<i64>> {
    let numbers: Option<Vec<i64>> = match node.value() {
        Value::Integer(last) => i64::try_from(*last)
            .ok()
            .filter(|last| *last <= MAX_COPIES as i64)
            .map(|last| (1..=last).collect()),
        Value::List(items) => items.iter().map(integer).collect(),
        Value::Text(text) => range(text),
        _ => None,
    };
    let is_allowed = |numbers: &Vec<i64>| {
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == numbers.len() && (1..=MAX_COPIES).contains(&numbers.len())
    };
    numbers.filter(is_allowed).or_else(|| {
        let hint =
            format!("such as `3`, `[7, -3]` or `10..=12`; at most {MAX_COPIES}, and none twice");
        let error = node.expected("a number, a list of numbers, or a range");
        findings.fail(error.hint(Some(hint)))
    })
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => i64::try_from(*value).ok(),
        _ => None,
    }
}

fn range(text: &str) -> Option<Vec<i64>> {
    let (first, last) = text.split_once("..=")?;
    let (first, last): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
    let length = usize::try_from(last.checked_sub(first)?).ok()?;
    (length < MAX_COPIES).then(|| (first..=last).collect())
}
