//! The files of each template, as they are built into the program.
//!
//! Responsible for the tables. A test compares them with the directory.

use super::SkeletonKind;

/// Paths in the package, with the texts.
type Files = &'static [(&'static str, &'static str)];

/// The files that lie in a directory below `templates/`.
macro_rules! files {
    ($directory:literal: $($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../templates/", $directory, "/", $path)))),*]
    };
}

/// The files of a kind, in the order in which they are written.
pub(super) fn of(kind: SkeletonKind) -> Vec<(&'static str, &'static str)> {
    let parts: &[Files] = match kind {
        SkeletonKind::PassFail => &[LARGEST_SUM_ALONE, NUMBERS, LARGEST_SUM_VALIDATOR, LARGEST_SUM],
        SkeletonKind::Float => &[AVERAGE, NUMBERS, LARGEST_SUM_VALIDATOR],
        SkeletonKind::Interactive => &[GUESS],
        SkeletonKind::MultiPass => &[TELEPHONE],
        SkeletonKind::Scoring => &[SCORING, NUMBERS, LARGEST_SUM],
    };
    parts.concat()
}

/// Lists of numbers.
const NUMBERS: Files = files!("largest_sum":
    "generators/generate.rs"
);

/// Submissions to the problem of the largest sum.
const LARGEST_SUM: Files = files!("largest_sum":
    "submissions/accepted/all_pairs.rs"
    "submissions/accepted/best_ending_here.rs"
    "submissions/wrong_answer/32_bits.rs"
    "submissions/wrong_answer/none_chosen.rs"
);

/// The input validator of the largest sum: it checks lists of numbers.
const LARGEST_SUM_VALIDATOR: Files = files!("largest_sum":
    "input_validators/validate.rs"
);

/// The problem of the largest sum, without points.
const LARGEST_SUM_ALONE: Files = files!("largest_sum":
    "data/invalid_input/blank-at-the-end.in"
    "data/invalid_input/no-number.in"
    "data/invalid_input/number-missing.in"
    "data/invalid_input/number-too-large.in"
    "data/invalid_input/number-too-small.in"
    "data/invalid_input/too-many.in"
    "data/sample/1.ans"
    "data/sample/1.in"
    "data/sample/2.ans"
    "data/sample/2.in"
    "data/secret/01-one-number.ans"
    "data/secret/01-one-number.in"
    "data/secret/02-all-negative.ans"
    "data/secret/02-all-negative.in"
    "data/secret/03-all-largest.ans"
    "data/secret/03-all-largest.in"
    "data/secret/04-small.ans"
    "data/secret/04-small.in"
    "data/secret/05-small-numbers.ans"
    "data/secret/05-small-numbers.in"
    "data/secret/06-random.ans"
    "data/secret/06-random.in"
    "data/secret/07-more-negative.ans"
    "data/secret/07-more-negative.in"
    "generators/generators.yaml"
    "generators/lock.json"
    "problem.yaml"
    "statement/problem.en.md"
);

/// The same with points.
const SCORING: Files = files!("scoring":
    "data/invalid_input/blank-at-the-end.in"
    "data/invalid_input/no-number.in"
    "data/invalid_input/number-missing.in"
    "data/invalid_input/number-too-large.in"
    "data/invalid_input/number-too-small.in"
    "data/invalid_input/too-many.in"
    "data/sample/1.ans"
    "data/sample/1.in"
    "data/sample/2.ans"
    "data/sample/2.in"
    "data/secret/group1/01-one-number.ans"
    "data/secret/group1/01-one-number.in"
    "data/secret/group1/02-all-negative.ans"
    "data/secret/group1/02-all-negative.in"
    "data/secret/group1/03-all-largest.ans"
    "data/secret/group1/03-all-largest.in"
    "data/secret/group1/04-small-numbers.ans"
    "data/secret/group1/04-small-numbers.in"
    "data/secret/group1/05-large.ans"
    "data/secret/group1/05-large.in"
    "data/secret/group1/test_group.yaml"
    "data/secret/group2/01-all-negative.ans"
    "data/secret/group2/01-all-negative.in"
    "data/secret/group2/02-all-largest.ans"
    "data/secret/group2/02-all-largest.in"
    "data/secret/group2/03-small-numbers.ans"
    "data/secret/group2/03-small-numbers.in"
    "data/secret/group2/04-random.ans"
    "data/secret/group2/04-random.in"
    "data/secret/group2/05-more-negative.ans"
    "data/secret/group2/05-more-negative.in"
    "data/secret/group2/test_group.yaml"
    "data/secret/test_group.yaml"
    "generators/generators.yaml"
    "generators/lock.json"
    "input_validators/validate.rs"
    "problem.yaml"
    "statement/problem.en.md"
    "submissions/run_time_error/ten_at_most.rs"
);

/// The problem of the average.
const AVERAGE: Files = files!("average":
    "data/invalid_input/blank-at-the-end.in"
    "data/invalid_input/no-number.in"
    "data/invalid_input/number-missing.in"
    "data/invalid_input/number-too-large.in"
    "data/invalid_input/number-too-small.in"
    "data/invalid_input/too-many.in"
    "data/sample/1.ans"
    "data/sample/1.in"
    "data/sample/2.ans"
    "data/sample/2.in"
    "data/sample/test_group.yaml"
    "data/secret/01-one-number.ans"
    "data/secret/01-one-number.in"
    "data/secret/02-zero.ans"
    "data/secret/02-zero.in"
    "data/secret/03-all-largest.ans"
    "data/secret/03-all-largest.in"
    "data/secret/04-small.ans"
    "data/secret/04-small.in"
    "data/secret/05-small-numbers.ans"
    "data/secret/05-small-numbers.in"
    "data/secret/06-random.ans"
    "data/secret/06-random.in"
    "data/secret/07-negative.ans"
    "data/secret/07-negative.in"
    "data/secret/test_group.yaml"
    "generators/generators.yaml"
    "generators/lock.json"
    "problem.yaml"
    "statement/problem.en.md"
    "submissions/accepted/running_average.rs"
    "submissions/accepted/exact_sum.rs"
    "submissions/wrong_answer/integer_division.rs"
    "submissions/wrong_answer/two_decimals.rs"
);

/// The problem of guessing a number.
const GUESS: Files = files!("guess":
    "data/invalid_input/blank-at-the-end.in"
    "data/invalid_input/leading-zero.in"
    "data/invalid_input/too-large.in"
    "data/invalid_input/two-numbers.in"
    "data/invalid_input/zero.in"
    "data/sample/1.ans"
    "data/sample/1.in"
    "data/sample/1.interaction"
    "data/secret/01-smallest.ans"
    "data/secret/01-smallest.in"
    "data/secret/02-largest.ans"
    "data/secret/02-largest.in"
    "data/secret/03-middle.ans"
    "data/secret/03-middle.in"
    "data/secret/04-after-the-middle.ans"
    "data/secret/04-after-the-middle.in"
    "data/secret/05-random.ans"
    "data/secret/05-random.in"
    "data/secret/06-random.ans"
    "data/secret/06-random.in"
    "data/secret/07-random.ans"
    "data/secret/07-random.in"
    "generators/generate.rs"
    "generators/generators.yaml"
    "generators/lock.json"
    "input_validators/validate.rs"
    "output_validator/validate.rs"
    "problem.yaml"
    "statement/problem.en.md"
    "submissions/accepted/halves.rs"
    "submissions/wrong_answer/one_by_one.rs"
    "submissions/wrong_answer/steps_too_small.rs"
);

/// The problem of sending a number.
const TELEPHONE: Files = files!("telephone":
    "data/invalid_input/blank-at-the-end.in"
    "data/invalid_input/leading-zero.in"
    "data/invalid_input/second-run.in"
    "data/invalid_input/too-large.in"
    "data/invalid_input/two-numbers.in"
    "data/invalid_input/zero.in"
    "data/sample/1.ans"
    "data/sample/1.in"
    "data/sample/1.interaction"
    "data/secret/01-smallest.ans"
    "data/secret/01-smallest.in"
    "data/secret/02-largest.ans"
    "data/secret/02-largest.in"
    "data/secret/03-four-letters.ans"
    "data/secret/03-four-letters.in"
    "data/secret/04-five-letters.ans"
    "data/secret/04-five-letters.in"
    "data/secret/05-random.ans"
    "data/secret/05-random.in"
    "data/secret/06-random.ans"
    "data/secret/06-random.in"
    "data/secret/07-random.ans"
    "data/secret/07-random.in"
    "generators/generate.rs"
    "generators/generators.yaml"
    "generators/lock.json"
    "input_validators/validate.rs"
    "output_validator/validate.rs"
    "problem.yaml"
    "statement/problem.en.md"
    "submissions/accepted/base_26.rs"
    "submissions/wrong_answer/four_letters.rs"
    "submissions/wrong_answer/remembers.rs"
);
