//! Problems that consist only of inputs and outputs: directories and archives of tests.
//!
//! Responsible for the names and the order of test cases. Must not know how files are paired.

use std::collections::BTreeSet;

use judge_event::Part;
use judge_model::natural;

use super::ImportFormat;
use crate::Result;
use crate::examples::pairing::Pair;
use crate::import::data::TestFiles;
use crate::import::detect::check_single;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, listed, numbered, plural, safe_name};
use crate::import::signs::by_names;
use crate::import::source::Source;
use crate::import::subtasks::paired;

pub(super) const FORMAT: ImportFormat = ImportFormat {
    is_bare: true,
    ..ImportFormat::new(
        "plain",
        "inputs and outputs such as `1.in` and `1.out`",
        by_names,
        convert,
    )
};

/// Converts files with matching names to test cases.
fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    // Detection checks this too, but is skipped if the user names the format.
    check_single(source)?;
    draft.name = source.stem();
    let found = paired(source, &source.names_below(""))?;
    let unanswered = found
        .unanswered
        .iter()
        .cloned()
        .map(|(key, input)| (key, input, None));
    let answered = found
        .pairs
        .into_iter()
        .map(|Pair { key, input, output }| (key, input, Some(output)));
    let mut cases: Vec<(String, String, Option<String>)> = answered.chain(unanswered).collect();
    cases.sort_by(|one, other| natural(&one.0, &other.0));
    let (samples, secret): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|(key, ..)| is_sample(key));
    let mut files = TestFiles::default();
    for (directory, cases) in [("sample", samples), ("secret", secret)] {
        let keys: Vec<&str> = cases.iter().map(|(key, ..)| key.as_str()).collect();
        for (place, (_, input, output)) in places(&keys).into_iter().zip(&cases) {
            let answer = output
                .as_ref()
                .map(|output| files.content(source, output))
                .transpose()?;
            draft.put_test(
                &format!("{directory}/{place}"),
                files.content(source, input)?,
                answer,
            );
        }
    }
    draft.carried(Part::Tests, counted(draft.inputs(), "test case"));
    files.report(draft);
    let unanswered: Vec<String> = found
        .unanswered
        .iter()
        .map(|(_, input)| input.clone())
        .collect();
    if let Some(first) = unanswered.first() {
        let count = unanswered.len();
        let text = format!(
            "{} {} no output: the test {} no answer until a solution generates it",
            listed(&unanswered),
            plural(count, "has", "have"),
            plural(count, "case has", "cases have")
        );
        draft.lost_at(Part::Answers, first, text);
    }
    draft.lost(
        Part::Limits,
        "inputs and outputs state no limits: add `limits.time_limit` to problem.yaml",
    );
    Ok(())
}

/// True for a test case that is called a sample or example.
fn is_sample(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower
        .split('/')
        .any(|part| part.starts_with("sample") || part.starts_with("example"))
}

/// Returns the names of test cases with these keys, which are in natural order. The byte order of
/// the names is the same.
fn places(keys: &[&str]) -> Vec<String> {
    // `2-1` and `2_1`: the first test case of group 2.
    let in_group = |key: &str| {
        let (group, test) = key.split_once(['-', '_'])?;
        Some((group.parse::<usize>().ok()?, test.parse::<usize>().ok()?))
    };
    let groups: Option<Vec<(usize, usize)>> = keys.iter().map(|key| in_group(key)).collect();
    // `1-1` and `1_1` would have the same name, so keys must be unique.
    let are_unique =
        |groups: &Vec<(usize, usize)>| groups.iter().collect::<BTreeSet<_>>().len() == groups.len();
    if let Some(groups) = groups
        .filter(|groups| {
            groups
                .iter()
                .map(|(group, _)| group)
                .collect::<BTreeSet<_>>()
                .len()
                > 1
        })
        .filter(are_unique)
    {
        let max = |part: fn(&(usize, usize)) -> usize| groups.iter().map(part).max().unwrap_or(0);
        let (max_group, max_test) = (max(|numbers| numbers.0), max(|numbers| numbers.1));
        let place = |(group, test): &(usize, usize)| {
            format!(
                "{}/{}",
                numbered(*group, max_group),
                numbered(*test, max_test)
            )
        };
        return groups.iter().map(place).collect();
    }
    // Packages sort names by bytes, which must give the natural order.
    let flat: Vec<String> = keys
        .iter()
        .map(|key| safe_name(&key.replace('/', "-")))
        .collect();
    let numbers: Option<Vec<usize>> = flat.iter().map(|key| key.parse().ok()).collect();
    if let Some(numbers) = numbers.filter(|numbers| numbers.is_sorted_by(|one, other| one < other))
    {
        let max = numbers.last().copied().unwrap_or(0);
        return numbers
            .into_iter()
            .map(|number| numbered(number, max))
            .collect();
    }
    if flat.is_sorted_by(|one, other| one < other) {
        return flat;
    }
    flat.iter()
        .enumerate()
        .map(|(index, key)| format!("{}-{key}", numbered(index + 1, keys.len())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_natural_order() {
        assert_eq!(places(&["1", "2", "10"]), ["01", "02", "10"]);
        assert_eq!(places(&["a", "b/1"]), ["a", "b-1"]);
        assert_eq!(places(&["t2", "t10"]), ["01-t2", "02-t10"]);
        assert_eq!(places(&["1-1", "1-2", "2-1"]), ["01/01", "01/02", "02/01"]);
        assert_eq!(places(&["1-1", "1-2"]), ["1-1", "1-2"]);
        assert_eq!(places(&["1", "01"]), ["01-1", "02-01"]);
        assert_eq!(
            places(&["1-1", "1_1", "2-1"]),
            ["1-1", "1_1", "2-1"],
            "none takes the place of another"
        );
        assert_eq!(
            places(&["01-1", "1-1", "2-1"])
                .iter()
                .collect::<BTreeSet<_>>()
                .len(),
            3
        );
    }

    #[test]
    fn samples_are_recognised_by_name() {
        assert!(
            is_sample("sample-1")
                && is_sample("Examples/2")
                && !is_sample("1")
                && !is_sample("resample")
        );
    }
}
