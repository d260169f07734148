//! UOJ's `problem.conf`. Responsible for its keys. Must not know how they become groups.
//!
//! Source: UniversalOJ/UOJ-System, judger/uoj_judger.

use std::collections::BTreeMap;

use judge_event::{Fate, Part};

use super::ImportFormat;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::limits::{limit, positive, positive_integer, widen};
use crate::import::programs::{compare, put_judge, put_solutions};
use crate::import::signs::{by_file, contains};
use crate::import::source::Source;
use crate::import::subtasks::{Origin, Subtask, Test, Tests, put};
use crate::{InterchangeError, Result};

const FILE: &str = "problem.conf";

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "uoj",
    "`problem.conf`",
    |source| {
        source
            .has(FILE)
            .then(|| by_file(FILE, contains(source, FILE, &["n_tests", "use_builtin_"])))
    },
    convert,
);

/// The maximum number of test cases and of subtasks.
const MAX_TESTS: u32 = 10_000;
/// Keys of problems that are not solved by a program with standard input and output.
const OF_OTHER_TYPES: [&str; 3] = ["submit_answer", "with_implementer", "interaction_mode"];

/// The values of the file by their keys.
struct Words(BTreeMap<String, String>);

impl Words {
    fn parse(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        // A key without a value at the end of the file is ignored.
        Self(
            words
                .chunks_exact(2)
                .map(|pair| (pair[0].to_owned(), pair[1].to_owned()))
                .collect(),
        )
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// Returns points as written. Invalid numbers become NaN and are reported later.
    fn points(&self, key: &str) -> Option<f64> {
        self.text(key).map(|text| text.parse().unwrap_or(f64::NAN))
    }

    fn count(&self, key: &str, default: usize) -> usize {
        self.text(key)
            .and_then(|text| text.parse().ok())
            .map_or(default, |count: usize| count.min(MAX_TESTS as usize))
    }
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let words = Words::parse(&source.text(FILE)?);
    draft.mark_used(FILE);
    draft.name = source.stem();
    for key in ["n_tests", "n_ex_tests", "n_sample_tests", "n_subtasks"] {
        if let Some(number) = words
            .number(key)
            .filter(|number| *number > f64::from(MAX_TESTS))
        {
            let why = format!("expected `{key}` to be at most {MAX_TESTS}, found {number}");
            return Err(InterchangeError::malformed(FILE, why));
        }
    }
    let word = |key: &str| words.text(key).map(str::to_owned);
    let time = limit(word("time_limit"), "time_limit", positive, draft);
    draft.metadata.time_limit = time.or(Some(1.0));
    let mut size = |key: &str| limit(word(key), key, positive_integer, draft);
    let (memory, output) = (size("memory_limit"), size("output_limit"));
    draft.metadata.memory = memory.or(Some(256));
    draft.metadata.output = output;
    let tests = tests(source, &words, draft);
    put(source, tests, draft)?;
    match words.text("use_builtin_checker") {
        Some(name @ ("rcmp4" | "rcmp6" | "rcmp9")) => {
            compare(
                name,
                &["float_tolerance", &format!("1e-{}", &name[4..])],
                Fate::Carried,
                draft,
            );
        }
        Some(name @ ("ncmp" | "wcmp" | "icmp" | "lcmp")) => {
            compare(name, &["case_sensitive"], Fate::Changed, draft);
        }
        Some(name @ ("yesno" | "nyesno")) => compare(name, &[], Fate::Carried, draft),
        Some(other) => {
            let text = format!(
                "`{other}`: packages have no equivalent, so the default comparison is used"
            );
            draft.lost_at(Part::Checker, FILE, text);
        }
        // Without a built-in checker, the problem has its own checker under this name.
        None => put_judge(source, "chk.cpp", Protocol::TestlibChecker, draft)?,
    }
    put_solutions(
        source
            .files()
            .filter(|file| file.to_str() == Some("std.cpp")),
        draft,
    );
    for word in OF_OTHER_TYPES
        .into_iter()
        .filter(|word| words.text(word) == Some("on"))
    {
        draft.lost_at(Part::Metadata, FILE, format!("`{word}`: not supported"));
    }
    let of_tests =
        |word: &'static str| words.0.iter().filter(move |(key, _)| key.starts_with(word));
    widen(
        of_tests("time_limit_").map(|(_, value)| positive(value)),
        of_tests("memory_limit_").map(|(_, value)| positive_integer(value)),
        "limits of single test cases",
        draft,
    );
    if of_tests("output_limit_").next().is_some() {
        let text = "output limits of single test cases: a package has one for all";
        draft.lost_at(Part::Limits, FILE, text);
    }
    draft.lost(Part::Statement, "the statement is not in the files of UOJ");
    Ok(())
}

fn tests(source: &Source, words: &Words, draft: &mut Draft) -> Tests {
    let part = |key: &str, default: &str| words.text(key).unwrap_or(default).to_owned();
    let (before_in, after_in) = (part("input_pre", "input"), part("input_suf", "txt"));
    let (before_out, after_out) = (part("output_pre", "output"), part("output_suf", "txt"));
    let test = |prefix: &str, number: usize, points: Option<f64>| {
        let answer = format!("{prefix}{before_out}{number}.{after_out}");
        Test {
            points,
            ..Test::from_files(
                format!("{prefix}{before_in}{number}.{after_in}"),
                Some(answer),
            )
        }
    };
    // UOJ, `problem.conf`: by default there are 10 tests with 100 points in total.
    let total = words.count("n_tests", 10);
    #[expect(clippy::cast_precision_loss, reason = "it is at most 10,000")]
    let even = (100.0 / total.max(1) as f64).floor();
    let own = |number: usize| {
        words
            .points(&format!("point_score_{number}"))
            .unwrap_or(even)
    };
    let samples = words.count("n_sample_tests", 0);
    let extra = words.count("n_ex_tests", 0);
    let mut tests = match words.count("n_subtasks", 0) {
        0 => Tests::without_subtasks(
            (1..=total)
                .map(|number| test("", number, Some(own(number))))
                .collect(),
            true,
        ),
        count => {
            let mut first = 1;
            let mut tests = Tests {
                is_scoring: true,
                ..Tests::default()
            };
            for index in 1..=count {
                // Subtasks are consecutive ranges of tests.
                let last = words
                    .count(&format!("subtask_end_{index}"), total)
                    .min(total);
                let points = words
                    .points(&format!("subtask_score_{index}"))
                    .unwrap_or(0.0);
                let many =
                    |place: usize| words.text(&format!("subtask_dependence_{index}_{place}"));
                let named: Vec<&str> = match words.text(&format!("subtask_dependence_{index}")) {
                    Some("many") => (1..).map_while(many).collect(),
                    one => one.into_iter().collect(),
                };
                let requires = named
                    .iter()
                    .filter_map(|number| number.parse::<usize>().ok()?.checked_sub(1))
                    .collect();
                let inner = (first..=last)
                    .map(|number| test("", number, None))
                    .collect();
                tests.subtasks.push(Subtask {
                    points,
                    requires,
                    tests: inner,
                    ..Subtask::default()
                });
                first = last + 1;
            }
            tests
        }
    };
    // The first extra tests are the samples. Failing one of the others costs points.
    tests.samples = (1..=samples.min(extra))
        .map(|number| test("ex_", number, None))
        .collect();
    let others: Vec<Test> = (samples + 1..=extra)
        .map(|number| test("ex_", number, None))
        .collect();
    if !others.is_empty() {
        let count = others.len();
        let text = format!(
            "{count} extra tests, which cost 3 points if one is failed, become a group without points"
        );
        draft.changed_at(Part::Groups, FILE, text);
        let there = others
            .into_iter()
            .filter(|test| matches!(&test.input, Origin::File(file) if source.has(file)))
            .collect();
        tests.subtasks.push(Subtask {
            tests: there,
            ..Subtask::default()
        });
    }
    tests
}

#[cfg(test)]
mod tests_of_uoj {
    use super::*;
    use crate::fixture::Tree;

    fn converted(text: &str) -> Result<Draft, String> {
        let tree = Tree::with(&[(FILE, text)]);
        let mut draft = Draft::default();
        convert(
            &Source::open(&tree.path(""), &|| false).unwrap(),
            &mut draft,
        )
        .map_err(|error| error.to_string())?;
        Ok(draft)
    }

    #[test]
    fn numbers_of_tests_are_bounded_and_many_subtasks_are_fast() {
        let error = converted("n_tests 1000000000000").unwrap_err();
        assert!(
            error.contains("problem.conf") && error.contains("`n_tests` to be at most 10000"),
            "{error}"
        );
        let text: String = (1..=8000)
            .map(|index| format!("subtask_dependence_{index} {}\n", index + 1))
            .collect();
        let draft = converted(&format!(
            "use_builtin_checker wcmp\nn_tests 8000\nn_subtasks 8000\n{text}"
        ))
        .unwrap();
        assert_eq!(draft.inputs(), 0, "none of the files exists");
    }
}
