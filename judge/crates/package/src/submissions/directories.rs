//! The expectations that come from the directory of a submission.
//!
//! Responsible for the directories of each format, and for those in archives. Must not know how
//! `submissions.yaml` changes them.

use judge_model::{Expectation, TimeLimitUse, Verdict};

use super::rules::VERDICTS;
use super::tags::verdicts_of_word;

/// A rule that every result meets.
pub(super) fn anything() -> Expectation {
    Expectation {
        permitted: VERDICTS.to_vec(),
        ..Expectation::default()
    }
}

/// A rule about the verdict of the submission as a whole, regardless of single test cases.
pub(super) fn whole(origin: String, verdicts: Vec<Verdict>) -> Expectation {
    Expectation {
        origin,
        whole: verdicts,
        ..anything()
    }
}

/// The rule of a directory in a legacy package; `None` for one without an expectation.
///
/// Judges of this format compare the verdict of the submission as a whole with the directory, and
/// stop at the first test case that is rejected; archives are written for them. Therefore a
/// `wrong_answer` that also crashes later is fine here, but not in 2025-09. With graders
/// (`graded`), a submission can be accepted as a whole although single test cases reject it.
///
/// Source: legacy, "Example submissions". The other directories are not part of the format:
/// `rejected` and `brute_force` mean what they mean in 2025-09, `slow_accepted` may be too slow,
/// and the rest are named after verdicts.
pub(super) fn legacy_expectation(name: &str, graded: bool) -> Option<Expectation> {
    use Verdict::{
        Accepted as AC, MemoryLimitExceeded as MLE, OutputLimitExceeded as OLE,
        RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
    };
    let origin = format!("directory `{name}`");
    let rule = match name {
        "accepted" if graded => Expectation {
            time_limit: Some(TimeLimitUse::Lower),
            ..whole(origin, vec![AC])
        },
        "accepted" => Expectation {
            permitted: vec![AC],
            origin,
            ..Expectation::default()
        },
        "partially_accepted" => whole(origin, vec![AC]),
        "rejected" => whole(origin, vec![WA, TLE, RTE, MLE, OLE]),
        "brute_force" => whole(origin, vec![TLE, RTE, MLE, OLE]),
        "slow_accepted" => Expectation {
            permitted: vec![AC, TLE],
            origin,
            ..Expectation::default()
        },
        _ => whole(origin, verdicts_of_word(name)?),
    };
    Some(rule)
}

/// True for directories of archives that are known to mix submissions: these have no expectations.
pub(super) fn is_mixed(name: &str) -> bool {
    matches!(
        name,
        "mixed"
            | "mixed_verdicts"
            | "mixed-verdicts"
            | "multiple"
            | "partial"
            | "check_manually"
            | "misc"
            | "other"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole_of(name: &str) -> Vec<&'static str> {
        legacy_expectation(name, false)
            .unwrap()
            .whole
            .into_iter()
            .map(Verdict::code)
            .collect()
    }

    #[test]
    fn legacy_directories_set_an_overall_verdict() {
        assert_eq!(whole_of("wrong_answer"), ["WA"]);
        assert_eq!(whole_of("time_limit_exceeded"), ["TLE"]);
        assert_eq!(whole_of("run_time_error"), ["RTE", "MLE", "OLE"]);
        assert_eq!(whole_of("runtime_error"), ["RTE", "MLE", "OLE"]);
        assert_eq!(whole_of("compiler_error"), ["CE"]);
        assert_eq!(whole_of("no_output"), ["WA"]);
        assert_eq!(whole_of("output_limit"), ["OLE"]);
        assert_eq!(whole_of("partially_accepted"), ["AC"]);
        assert!(
            legacy_expectation("mixed", false).is_none()
                && legacy_expectation("sl_wrong", false).is_none()
        );
        assert!(legacy_expectation("check_manually", false).is_none());
    }

    #[test]
    fn accepted_covers_every_test_case_without_graders() {
        let plain = legacy_expectation("accepted", false).unwrap();
        assert_eq!(
            (plain.permitted, plain.whole),
            (vec![Verdict::Accepted], vec![])
        );
        let graded = legacy_expectation("accepted", true).unwrap();
        assert_eq!(
            (graded.permitted, graded.whole),
            (VERDICTS.to_vec(), vec![Verdict::Accepted])
        );
        // The time limit is still inferred from the submission.
        assert_eq!(graded.time_limit, Some(TimeLimitUse::Lower));
        let slow = legacy_expectation("slow_accepted", false).unwrap();
        assert_eq!(
            slow.permitted,
            [Verdict::Accepted, Verdict::TimeLimitExceeded]
        );
    }
}
