//! Tests of the flags of the default grader, and of the protocol of custom graders.

use Verdict::{
    Accepted as AC, JudgeError as JE, MemoryLimitExceeded as MLE, OutputLimitExceeded as OLE,
    RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
};

use super::*;

fn results(pairs: &[(Verdict, f64)]) -> Vec<Graded> {
    pairs
        .iter()
        .map(|(verdict, score)| Graded {
            verdict: *verdict,
            score: Score(*score),
        })
        .collect()
}

fn flags(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[track_caller]
fn grades(text: &str, pairs: &[(Verdict, f64)], verdict: Verdict, score: f64) {
    assert_eq!(
        default_grader(&flags(text), &results(pairs)),
        Ok(Graded {
            verdict,
            score: Score(score)
        }),
        "{text}"
    );
}

#[test]
fn verdict_modes() {
    let mixed = [(AC, 1.0), (WA, 0.0), (TLE, 0.0), (RTE, 0.0)];
    grades("", &mixed, RTE, 1.0);
    grades("worst_error", &mixed, RTE, 1.0);
    grades("first_error", &mixed, WA, 1.0);
    grades("always_accept", &mixed, AC, 1.0);
    grades("no_errors", &mixed, RTE, 1.0);
    grades("always_accept no_errors", &mixed, RTE, 1.0);
    grades("no_errors always_accept", &mixed, AC, 1.0);
    grades("accept_if_any_accepted", &mixed, AC, 1.0);
    grades(
        "accept_if_any_accepted first_error",
        &[(TLE, 0.0), (RTE, 0.0)],
        TLE,
        0.0,
    );
    grades("", &[(AC, 1.0), (AC, 2.0)], AC, 3.0);
    grades("first_error", &[(AC, 1.0), (AC, 2.0)], AC, 3.0);
    let order = [WA, OLE, TLE, MLE, RTE, JE];
    for worst in 0..order.len() {
        let pairs: Vec<(Verdict, f64)> = order[..=worst]
            .iter()
            .map(|verdict| (*verdict, 0.0))
            .collect();
        grades("worst_error", &pairs, order[worst], 0.0);
    }
}

#[test]
fn score_modes() {
    let scores = [(AC, 5.0), (WA, -1.0), (AC, 2.0)];
    grades("sum", &scores, WA, 6.0);
    grades("avg", &scores, WA, 2.0);
    grades("min", &scores, WA, -1.0);
    grades("max", &scores, WA, 5.0);
    grades("", &[(AC, 0.1), (AC, 0.2)], AC, 0.3);
}

#[test]
fn the_last_conflicting_flag_applies() {
    let scores = [(AC, 5.0), (WA, 1.0), (RTE, 0.0)];
    grades("sum max first_error min worst_error max", &scores, RTE, 5.0);
    grades("always_accept worst_error first_error", &scores, WA, 6.0);
}

#[test]
fn the_sample_can_be_ignored() {
    grades("ignore_sample", &[(WA, 0.0), (AC, 40.0)], AC, 40.0);
    grades("ignore_sample", &[(AC, 1.0), (TLE, 7.0)], TLE, 7.0);
    grades("ignore_sample min", &[(AC, 40.0)], AC, 40.0);
    grades(
        "ignore_sample always_accept",
        &[(AC, 1.0), (WA, 7.0)],
        AC,
        7.0,
    );
    assert_eq!(
        default_grader(&flags("ignore_sample"), &results(&[(AC, 1.0); 3])),
        Err(
            "`ignore_sample` expects the results of `sample` and `secret`, found 3 results"
                .to_owned()
        )
    );
}

#[test]
fn a_grader_needs_results_and_known_flags() {
    assert_eq!(
        default_grader(&flags("sum of"), &results(&[(AC, 1.0)])),
        Err("the default grader does not know the flag `of`".to_owned())
    );
    assert!(default_grader(&[], &[]).is_err());
}

#[test]
fn grader_input_has_verdicts_and_scores() {
    let rendered = grader_input(&results(&[(AC, 12.5), (MLE, 0.0), (OLE, 0.0), (TLE, -1.0)]));
    assert_eq!(
        rendered,
        "AC 12.500000\nRTE 0.000000\nRTE 0.000000\nTLE -1.000000\n"
    );
}

#[test]
fn grader_answers_are_a_verdict_and_a_score() {
    assert_eq!(
        grader_answer(b"AC 12.5\n"),
        Ok(Graded {
            verdict: AC,
            score: Score(12.5)
        })
    );
    assert_eq!(
        grader_answer(b" WA\t-3 \n"),
        Ok(Graded {
            verdict: WA,
            score: Score(-3.0)
        })
    );
    for wrong in [
        "",
        "AC",
        "AC 1 2",
        "12 AC",
        "ac 1",
        "JE 0",
        "MLE 0",
        "CE 0",
        "AC inf",
        "AC nan",
        "AC 1,5",
        "AC 1\nAC 1\n",
    ] {
        let error = grader_answer(wrong.as_bytes()).unwrap_err();
        assert!(
            error.contains("expected a verdict (AC, WA, TLE or RTE) and a score"),
            "{error}"
        );
    }
    assert!(grader_answer(&[0xff, 0xfe, b' ', b'1']).is_err());
}
