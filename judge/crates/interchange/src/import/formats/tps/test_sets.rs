//! The sets of test cases of a TPS task, in `gen/data`.
//!
//! Responsible for the lines of that file. Must not know subtasks.

use std::collections::{BTreeMap, BTreeSet};

use judge_event::Part;

use crate::import::draft::Draft;
use crate::import::source::Source;
use crate::import::subtasks::Test;
use crate::{InterchangeError, Result};

/// The file with the sets.
pub(super) const COMMANDS: &str = "gen/data";
/// The maximum number of test cases in all sets of a problem.
const MAX_TESTS: usize = 20_000;

/// The sets of test cases in `gen/data`.
#[derive(Debug, Default)]
pub(super) struct TestSets {
    /// The test cases of each set, including those of included sets.
    pub(super) tests: BTreeMap<String, Vec<Test>>,
    /// The names of the sets that other sets include.
    pub(super) included: BTreeSet<String>,
}

/// Reads the sets of `gen/data`.
pub(super) fn commands(source: &Source, draft: &mut Draft) -> Result<TestSets> {
    let listing = match source.has(COMMANDS) {
        true => source.text(COMMANDS)?,
        false => String::new(),
    };
    let mut sets = TestSets::default();
    let mut current: Option<String> = None;
    let mut total = 0;
    for (index, line) in listing.lines().enumerate() {
        let place = format!("{COMMANDS}:{}", index + 1);
        let malformed = |why: String| InterchangeError::malformed(&place, why);
        let too_many = || {
            malformed(format!(
                "expected at most {MAX_TESTS} test cases, found more"
            ))
        };
        let line = line.trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else {
            continue;
        };
        if let "@subtask" | "@testset" = first {
            let name = words
                .next()
                .ok_or_else(|| malformed(format!("expected a name after `{first}`")))?;
            sets.tests.entry(name.to_owned()).or_default();
            current = Some(name.to_owned());
            continue;
        }
        let Some(name) = &current else {
            return Err(malformed(
                "expected `@subtask NAME` before any test".to_owned(),
            ));
        };
        let tests = match first {
            "@include" => {
                let mut included = Vec::new();
                for word in words {
                    let set = sets.tests.get(word).ok_or_else(|| {
                        malformed(format!("unknown set `{word}`; expected an earlier one"))
                    })?;
                    // Repeated inclusion could make sets grow exponentially.
                    if included.len() + set.len() > MAX_TESTS {
                        return Err(too_many());
                    }
                    included.extend(set.clone());
                    sets.included.insert(word.to_owned());
                }
                included
            }
            "manual" => vec![Test::from_files(
                format!("gen/manual/{}", words.next().unwrap_or_default()),
                None,
            )],
            "copy" => vec![Test::from_files(
                format!("gen/{}", words.next().unwrap_or_default()),
                None,
            )],
            _ if first.starts_with('@') => {
                draft.lost_at(Part::Tests, &place, format!("`{first}` is unknown"));
                Vec::new()
            }
            _ => vec![Test::from_command(
                line.split_whitespace().collect::<Vec<_>>().join(" "),
            )],
        };
        let added = tests.len();
        sets.tests.entry(name.clone()).or_default().extend(tests);
        total += added;
        if total > MAX_TESTS {
            return Err(too_many());
        }
    }
    Ok(sets)
}
