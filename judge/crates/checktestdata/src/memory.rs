//! Variables: a name holds values under any number of indices, and a plain variable is the one
//! without an index.
//!
//! Must not know programs, except for the values that they compute.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::number::Integer;
use crate::syntax::Value;

/// The index of an element. An index has only one representation, so equal indices are equal
/// values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Index {
    Plain,
    One(i64),
    Two(i64, i64),
    Many(Vec<Integer>),
}

impl Index {
    pub(crate) fn new(parts: Vec<Integer>) -> Index {
        match parts.as_slice() {
            [] => Index::Plain,
            [Integer::Small(a)] => Index::One(*a),
            [Integer::Small(a), Integer::Small(b)] => Index::Two(*a, *b),
            _ => Index::Many(parts),
        }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Index::Plain => Ok(()),
            Index::One(a) => write!(f, "[{a}]"),
            Index::Two(a, b) => write!(f, "[{a},{b}]"),
            Index::Many(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", parts.join(","))
            }
        }
    }
}

/// The array of values that a name holds.
#[derive(Debug, Default)]
pub(crate) struct Array {
    elements: HashMap<Index, Value>,
    /// The number of elements with each value, for names that `INARRAY` searches.
    counts: Option<HashMap<Value, usize>>,
}

impl Array {
    pub(crate) fn new(is_searched: bool) -> Array {
        Array {
            elements: HashMap::new(),
            counts: is_searched.then(HashMap::new),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(crate) fn get(&self, index: &Index) -> Option<&Value> {
        self.elements.get(index)
    }

    pub(crate) fn set(&mut self, index: Index, value: Value) {
        if let Some(counts) = &mut self.counts {
            *counts.entry(value.canonical()).or_insert(0) += 1;
        }
        // The new value is counted before the old one is removed, so that replacing a value with
        // itself never empties its entry.
        let Some(before) = self.elements.insert(index, value) else {
            return;
        };
        let Some(counts) = &mut self.counts else {
            return;
        };
        let before = before.canonical();
        match counts.get_mut(&before) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                counts.remove(&before);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Array::new(self.counts.is_some());
    }

    /// True if an element has this value. Works only for arrays that were created with
    /// `is_searched`.
    pub(crate) fn contains(&self, value: &Value) -> bool {
        self.counts
            .as_ref()
            .is_some_and(|counts| counts.contains_key(&value.canonical()))
    }
}

/// Checks that the tuples of elements with the same index are unique: all different. The error
/// describes the first violation.
///
/// Arrays that do not have the same indices are not unique either.
///
/// Source: checktestdata, `UNIQUE`.
pub(crate) fn unique(arrays: &[&Array]) -> Result<(), String> {
    let Some(first) = arrays.first() else {
        return Ok(());
    };
    let tuple = |index: &Index| -> Option<Vec<Value>> {
        arrays
            .iter()
            .map(|array| array.get(index).map(Value::canonical))
            .collect()
    };
    // With equal sizes it is enough that every index of the first array exists in the others.
    if arrays.iter().any(|array| array.len() != first.len()) {
        return Err("the variables do not have the same indices".to_owned());
    }
    let mut seen = HashSet::with_capacity(first.len());
    let mut is_unique = true;
    for index in first.elements.keys() {
        let tuple = tuple(index).ok_or("the variables do not have the same indices")?;
        // The loop continues after a duplicate: missing indices take precedence, so that the error
        // does not depend on the order of the hash map.
        is_unique &= seen.insert(tuple);
    }
    if is_unique {
        return Ok(());
    }
    // The first two in order of index, so that the message is always the same.
    let mut indices: Vec<&Index> = first.elements.keys().collect();
    indices.sort_unstable();
    let mut seen = HashMap::with_capacity(indices.len());
    for index in indices {
        if let Some(before) = seen.insert(tuple(index), index) {
            return Err(match (before, index) {
                (Index::Plain, _) => {
                    format!("{index} has the same value as the variable without an index")
                }
                _ => format!("{before} and {index} have the same value"),
            });
        }
    }
    Ok(())
}
