//! Tests of the reports and exit codes of checkers.

use std::time::Duration;

use judge_model::Usage;
use proptest::prelude::*;

use super::*;

fn limits() -> TestLimits {
    let (cpu_time, wall_time) = (Duration::from_secs(1), Duration::from_secs(3));
    TestLimits {
        cpu_time,
        wall_time,
        memory_bytes: 1 << 20,
        output_bytes: 1 << 20,
    }
}

fn ended(code: i32) -> Outcome {
    Outcome {
        termination: Termination::Exited { code },
        usage: Usage::default(),
    }
}

fn report(result: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"windows-1251\"?><result {result}</result>\n")
}

#[track_caller]
fn decides(code: i32, result: &str, decision: &ValidatorDecision, score: Option<f64>) {
    let xml = report(result);
    assert_eq!(
        classify_testlib(&ended(code), &limits(), Some(xml.as_bytes())),
        (decision.clone(), score.map(Score))
    );
}

#[test]
fn reports_decide_the_verdict() {
    use ValidatorDecision::{Accepted, Rejected};
    decides(0, "outcome = \"accepted\">3 numbers", &Accepted, None);
    decides(1, "outcome = \"wrong-answer\">1st differ", &Rejected, None);
    decides(2, "outcome=\"presentation-error\">", &Rejected, None);
    decides(8, "outcome = \"unexpected-eof\">", &Rejected, None);
    decides(
        7,
        "outcome = \"points\" points = \"12.5\">good",
        &Accepted,
        Some(12.5),
    );
    decides(
        7,
        "outcome = \"points\" points = \"0\">",
        &Accepted,
        Some(0.0),
    );
    // Has the exit code of a wrong answer.
    decides(
        1,
        "outcome = \"partially-correct\" pctype = \"1\">",
        &Accepted,
        Some(1.0),
    );
    // Built with the exit codes of another judge.
    decides(5, "outcome = \"wrong-answer\">", &Rejected, None);
    let (decision, _) = classify_testlib(
        &ended(3),
        &limits(),
        Some(report("outcome = \"fail\">x").as_bytes()),
    );
    assert!(matches!(decision, ValidatorDecision::JudgeError { .. }));
}

#[test]
fn entities_in_comments_are_replaced() {
    let xml = report("outcome = \"wrong-answer\">a &lt;b&gt; &quot;c&quot; &amp;lt; &x;");
    assert_eq!(
        testlib_report(xml.as_bytes()).unwrap().message,
        b"a <b> \"c\" &lt; &x;"
    );
    let bytes = [
        b"<result outcome = \"accepted\">".as_slice(),
        &[0xcf, 0xf0],
        b"</result>",
    ]
    .concat();
    assert_eq!(
        testlib_report(&bytes).unwrap().message,
        [0xcf, 0xf0],
        "another encoding"
    );
}

#[test]
fn invalid_reports_are_judge_errors() {
    for wrong in [
        "<result>",
        "<result></result>",
        "<result outcome = accepted></result>",
        "<result outcome = \"accepted></result>",
        "<result outcome = \"good\"></result>",
        "<result outcome = \"points\"></result>",
        "<result outcome = \"points\" points = \"nan\"></result>",
        "<result outcome = \"partially-correct\" pctype = \"-1\"></result>",
        "<result outcome = \"accepted\">",
        "<result outcome = \"accepted\"><b></b></result>",
        "<result outcome = \"accepted\"></result><result outcome = \"fail\"></result>",
        "<?xml <result outcome = \"accepted\"></result>",
        "ok",
    ] {
        let error = testlib_report(wrong.as_bytes()).expect_err(wrong);
        assert!(
            error.starts_with("has ") || error.contains("<"),
            "{wrong}: {error}"
        );
        let (decision, score) = classify_testlib(&ended(0), &limits(), Some(wrong.as_bytes()));
        assert!(
            matches!(decision, ValidatorDecision::JudgeError { .. }) && score.is_none(),
            "{wrong}"
        );
    }
}

#[test]
fn without_a_report_the_exit_code_decides() {
    use ValidatorDecision::{Accepted, JudgeError, Rejected};
    for (code, expected) in [
        (0, Accepted),
        (1, Rejected),
        (2, Rejected),
        (4, Rejected),
        (8, Rejected),
    ] {
        for report in [None, Some(b" \n".as_slice())] {
            assert_eq!(
                classify_testlib(&ended(code), &limits(), report),
                (expected.clone(), None),
                "{code}"
            );
        }
    }
    for code in [3, 5, 7, 42, 43, 255] {
        assert!(
            matches!(
                classify_testlib(&ended(code), &limits(), None),
                (JudgeError { .. }, None)
            ),
            "{code}"
        );
    }
}

#[test]
fn crashed_checkers_are_judge_errors_despite_a_report() {
    let xml = report("outcome = \"accepted\">");
    let crashed = Outcome {
        termination: Termination::Signaled { signal: 11 },
        usage: Usage::default(),
    };
    let (decision, _) = classify_testlib(&crashed, &limits(), Some(xml.as_bytes()));
    assert!(matches!(decision, ValidatorDecision::JudgeError { .. }));
    let slow = Outcome {
        usage: Usage {
            cpu_time: Duration::from_secs(2),
            ..Usage::default()
        },
        ..ended(0)
    };
    let (decision, _) = classify_testlib(&slow, &limits(), Some(xml.as_bytes()));
    assert!(matches!(decision, ValidatorDecision::JudgeError { .. }));
    let cancelled = Outcome {
        termination: Termination::Cancelled,
        usage: Usage::default(),
    };
    assert_eq!(
        classify_testlib(&cancelled, &limits(), None),
        (ValidatorDecision::Cancelled, None)
    );
}

#[test]
fn behaviour_after_the_rejection_is_ignored() {
    for (code, without_scores) in [
        (0, false),
        (1, true),
        (2, true),
        (3, true),
        (4, true),
        (8, true),
        (7, false),
        (42, false),
    ] {
        assert_eq!(
            testlib_rejects(&ended(code), &limits(), false),
            without_scores,
            "{code}"
        );
        assert!(
            !testlib_rejects(&ended(code), &limits(), true),
            "{code} may be points"
        );
    }
    let crashed = Outcome {
        termination: Termination::Signaled { signal: 6 },
        usage: Usage::default(),
    };
    assert!(testlib_rejects(&crashed, &limits(), true));
}

proptest! {
    #[test]
    fn arbitrary_reports_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60), cut in 0_usize..90) {
        let _ = testlib_report(&bytes);
        let xml = report("outcome = \"points\" points = \"1\">a &lt; b");
        let cut = cut.min(xml.len());
        let mixed = [&xml.as_bytes()[..cut], &bytes, &xml.as_bytes()[cut..]].concat();
        let _ = testlib_report(&mixed);
    }
}
