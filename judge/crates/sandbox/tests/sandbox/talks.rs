//! Conversations between two programs.

use std::time::{Duration, Instant};

use judge_model::{IsolationLevel, Limit, Outcome, Termination};
use judge_sandbox::{
    CancelToken, Capture, Conversation, First, Listener, Partner, Sandbox as _, SandboxError, Side,
    SlotSpec, converse,
};

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("talk_goes_both_ways", both_ways),
    ("talk_can_be_long", long),
    ("talk_the_end_of_output_is_passed_on", end_of_output),
    ("talk_the_end_of_a_process_is_passed_on", end_of_process),
    ("talk_to_a_closed_side_is_harmless", to_closed_side),
    ("talk_full_pipes_do_not_block", full_pipes),
    ("talk_over_the_limit_ends", over_the_limit),
    ("talk_deadlocks_are_ended", deadlock),
    ("talk_sleeping_and_computing_are_not_deadlocks", no_deadlock),
    ("talk_waiting_does_not_count_as_own_time", own_time),
    ("talk_the_first_end_is_deterministic", first_end),
    ("talk_a_remaining_side_has_a_grace_time", grace),
    ("talk_can_be_cancelled", cancelled),
    ("talk_a_fault_of_one_side_ends_the_other", fault),
];

/// The arguments of each side, which are its actions.
type Does<'a> = [&'a [&'a str]; 2];

const MILLISECOND: Duration = Duration::from_millis(1);

#[derive(Default)]
struct Transcript {
    output: [Vec<u8>; 2],
    ends: Vec<usize>,
    /// The side whose end kills the other one too, and the time after which that happens.
    leader: Option<(usize, Duration)>,
}

impl Listener for Transcript {
    fn wrote(&mut self, side: usize, bytes: &[u8], _elapsed: Duration) {
        self.output[side].extend_from_slice(bytes);
    }

    fn ended(&mut self, side: usize, _outcome: &Outcome) -> Partner {
        self.ends.push(side);
        match self.leader {
            Some((leader, Duration::ZERO)) if leader == side => Partner::Killed,
            Some((leader, grace)) if leader == side => Partner::KilledAfter(grace),
            _ => Partner::Continues,
        }
    }
}

fn talk_of(
    bench: &mut Bench,
    does: [&[&str]; 2],
    transcript: &mut Transcript,
    cancel: &CancelToken,
    change: impl Fn(&mut judge_sandbox::Execution),
) -> Result<Conversation, SandboxError> {
    let mut slot = bench
        .sandbox
        .slot(&SlotSpec {
            depots: vec![bench.depot.clone()],
            ..SlotSpec::default()
        })
        .unwrap();
    let executions = does.map(|does| {
        let mut execution = bench.execution(&[&["talk"], does].concat());
        execution.limits.wall_time = Duration::from_secs(60);
        change(&mut execution);
        execution
    });
    let [mut capture, mut other_capture] = [Capture::default(), Capture::default()];
    let [one, other] = executions;
    let sides = [
        Side {
            slot: bench.slot.as_mut(),
            execution: one,
            capture: &mut capture,
        },
        Side {
            slot: slot.as_mut(),
            execution: other,
            capture: &mut other_capture,
        },
    ];
    converse(sides, cancel, transcript)
}

#[track_caller]
fn talk(bench: &mut Bench, one: &[&str], other: &[&str]) -> (Conversation, Transcript) {
    let mut transcript = Transcript::default();
    let conversation = talk_of(
        bench,
        [one, other],
        &mut transcript,
        &CancelToken::new().unwrap(),
        |_| {},
    )
    .unwrap();
    (conversation, transcript)
}

fn ends(conversation: &Conversation) -> [Termination; 2] {
    conversation
        .sides
        .each_ref()
        .map(|side| side.outcome.termination)
}

fn exits(one: i32, other: i32) -> [Termination; 2] {
    [
        Termination::Exited { code: one },
        Termination::Exited { code: other },
    ]
}

const TOO_LONG: Termination = Termination::Killed {
    limit: Limit::WallTime,
};

fn both_ways(bench: &mut Bench) {
    let (conversation, transcript) = talk(
        bench,
        &["say=a", "hear=b", "say=c"],
        &["hear=a", "say=b", "hear=c", "eof"],
    );
    assert_eq!(ends(&conversation), exits(0, 0));
    assert_eq!(transcript.output, [b"a\nc\n".to_vec(), b"b\n".to_vec()]);
    assert_eq!(
        (conversation.first, transcript.ends),
        (First::Side(0), vec![0])
    );
    assert_eq!(
        conversation
            .sides
            .each_ref()
            .map(|side| side.outcome.usage.stdout_bytes),
        [4, 2]
    );
    assert!(!conversation.deadlock);
}

fn long(bench: &mut Bench) {
    let begun = Instant::now();
    let (conversation, _) = talk(bench, &["ask=1000"], &["echo=1000"]);
    assert_eq!(ends(&conversation), exits(0, 0));
    println!("    1000 questions and answers in {:?}", begun.elapsed());
}

fn end_of_output(bench: &mut Bench) {
    // The other side lives on, and receives more.
    let (conversation, _) = talk(bench, &["eof", "say=x"], &["close=1", "hear=x", "exit=7"]);
    assert_eq!(ends(&conversation), exits(0, 7));
    let (conversation, _) = talk(bench, &["close=1", "hear=x"], &["eof", "say=x"]);
    assert_eq!(ends(&conversation), exits(0, 0));
}

fn end_of_process(bench: &mut Bench) {
    let (conversation, _) = talk(bench, &["eof", "exit=1"], &["exit=42"]);
    assert_eq!(
        (ends(&conversation), conversation.first),
        (exits(1, 42), First::Side(1))
    );
    let (conversation, _) = talk(bench, &["say=x", "abort"], &["hear=x", "eof", "exit=43"]);
    let [one, other] = ends(&conversation);
    assert_eq!(
        (one, other),
        (
            Termination::Signaled { signal: 6 },
            Termination::Exited { code: 43 }
        )
    );
    assert_eq!(conversation.first, First::Side(0));
}

/// Neither side gets a SIGPIPE, whether the other one has ended or has closed its input.
fn to_closed_side(bench: &mut Bench) {
    let (conversation, _) = talk(bench, &["eof", "write=500000", "exit=3"], &["exit=42"]);
    assert_eq!(ends(&conversation), exits(3, 42));
    let (conversation, _) = talk(
        bench,
        &["close=0", "say=x", "hear"],
        &["hear", "write=500000", "exit=42"],
    );
    assert_eq!(ends(&conversation), exits(4, 42));
}

fn full_pipes(bench: &mut Bench) {
    let (conversation, _) = talk(
        bench,
        &["write=900000", "read=900000"],
        &["write=900000", "read=900000"],
    );
    assert_eq!(ends(&conversation), exits(0, 0));
}

fn over_the_limit(bench: &mut Bench) {
    let (conversation, transcript) = talk(
        bench,
        &["write=2000000"],
        &["sleep=10", "read=1048576", "eof", "exit=43"],
    );
    let [one, other] = ends(&conversation);
    assert_eq!(
        one,
        Termination::Killed {
            limit: Limit::Output
        },
        "{conversation:?}"
    );
    assert_eq!(other, Termination::Exited { code: 43 });
    assert_eq!(
        transcript.output[0].len(),
        1 << 20,
        "the limit's bytes and no more are passed on"
    );
}

fn deadlock(bench: &mut Bench) {
    let (conversation, _) = talk(bench, &["hear"], &["hear", "exit=43"]);
    assert_eq!(
        ends(&conversation),
        [TOO_LONG, Termination::Exited { code: 4 }]
    );
    assert!(conversation.deadlock && conversation.first == First::Side(0));
    assert!(
        conversation.sides[0].outcome.usage.wall_time < 50_000 * MILLISECOND,
        "{conversation:?}"
    );
    let (conversation, _) = talk(
        bench,
        &["say=x", "burn=50", "hear"],
        &["hear=x", "sleep=50", "hear"],
    );
    assert!(conversation.deadlock);
}

fn no_deadlock(bench: &mut Bench) {
    let slow: [Does<'_>; 3] = [
        [
            &["sleep=700", "say=x", "hear=y"],
            &["hear=x", "sleep=700", "say=y"],
        ],
        [
            &["burn=280", "say=x", "hear=y"],
            &["hear=x", "burn=280", "say=y"],
        ],
        // A timer wakes a side that waits for input.
        [&["later=1500", "hear=y"], &["hear=x", "say=y"]],
    ];
    talk_at_once(
        bench,
        60_000 * MILLISECOND,
        &slow.map(|does| (does, exits(0, 0).map(Some))),
    );
}

/// At a level that cannot observe programs, the turn is assumed to belong to the side that last
/// received bytes.
fn own_time(bench: &mut Bench) {
    // Each side sleeps for less than its time; together they sleep for more.
    let slowly = ["sleep=2000", "say=x", "hear=y", "say=z", "hear=x"];
    let other = ["hear=x", "sleep=2000", "say=y", "hear=z", "say=x"];
    let talks: [(Does<'_>, [Option<Termination>; 2]); 4] = [
        ([&slowly, &other], exits(0, 0).map(Some)),
        (
            [&["say=x", "hear"], &["hear", "sleep=10000"]],
            [None, Some(TOO_LONG)],
        ),
        (
            [&["say=x", "sleep=10000"], &["hear=x", "hear"]],
            [Some(TOO_LONG), None],
        ),
        // Unread bytes do not make the time count for the other side either.
        (
            [&["sleep=10000"], &["say=x", "hear"]],
            [Some(TOO_LONG), None],
        ),
    ];
    talk_at_once(bench, 3800 * MILLISECOND, &talks);
}

/// Concurrent conversations, since sleeping needs no processor, each with its expected ends. None
/// of them is a deadlock.
fn talk_at_once(
    bench: &Bench,
    wall_time: Duration,
    talks: &[(Does<'_>, [Option<Termination>; 2])],
) {
    std::thread::scope(|scope| {
        for &(does, expected) in talks {
            let sides = does.map(|does| {
                let spec = SlotSpec {
                    depots: vec![bench.depot.clone()],
                    ..SlotSpec::default()
                };
                let mut execution = bench.execution(&[&["talk"], does].concat());
                execution.limits.wall_time = wall_time;
                (
                    bench.sandbox.slot(&spec).unwrap(),
                    execution,
                    Capture::default(),
                )
            });
            scope.spawn(move || {
                let mut sides = sides;
                let sides = sides.each_mut().map(|(slot, execution, capture)| Side {
                    slot: slot.as_mut(),
                    execution: execution.clone(),
                    capture,
                });
                let conversation = converse(
                    sides,
                    &CancelToken::new().unwrap(),
                    &mut Transcript::default(),
                )
                .unwrap();
                assert!(!conversation.deadlock, "{does:?}");
                for (found, expected) in ends(&conversation).into_iter().zip(expected) {
                    assert!(
                        expected.is_none_or(|expected| expected == found),
                        "{does:?}: {conversation:?}"
                    );
                }
            });
        }
    });
}

fn first_end(bench: &mut Bench) {
    let mut overtaken = 0;
    for _ in 0..20 {
        // One side rejects immediately, and the other one crashes when it is notified: their order
        // by the clock is chance.
        let (conversation, _) = talk(
            bench,
            &["say=x", "hear=no", "abort"],
            &["hear", "say=no", "exit=43"],
        );
        // On a busy host, the rejecting side may lose its processor between its last output and its
        // end.
        overtaken += u32::from(conversation.first == First::Side(0));
        assert!(overtaken <= 15, "{overtaken} times: {conversation:?}");
        // One side crashes, and the other one ends because of that.
        let (conversation, _) = talk(bench, &["say=x", "abort"], &["hear", "say=y", "hear"]);
        assert_eq!(conversation.first, First::Side(0));
    }
    // It is busy before it crashes, but that does not describe it once its output is closed.
    for pause in ["burn=100", "sleep=100"] {
        let (conversation, _) = talk(
            bench,
            &["say=x", pause, "abort"],
            &["hear", "eof", "exit=43"],
        );
        assert_eq!(conversation.first, First::Side(0), "{conversation:?}");
    }
    // One side closes its output long before it ends.
    let (conversation, _) = talk(bench, &["close=1", "sleep=1000"], &["eof", "exit=43"]);
    assert_eq!(ends(&conversation), exits(0, 43));
    assert!(
        matches!(conversation.first, First::Side(1) | First::ByChance(1)),
        "{conversation:?}"
    );
    let mut transcript = Transcript {
        leader: Some((1, Duration::ZERO)),
        ..Transcript::default()
    };
    let cancel = CancelToken::new().unwrap();
    let conversation = talk_of(
        bench,
        [&["say=x", "spin"], &["hear", "exit=43"]],
        &mut transcript,
        &cancel,
        |_| {},
    )
    .unwrap();
    assert_eq!(
        ends(&conversation),
        [Termination::Cancelled, Termination::Exited { code: 43 }]
    );
    assert_eq!(conversation.first, First::Side(1));
}

/// A remaining side may still decide on its own. Input that it has not read does not delay its end.
fn grace(bench: &mut Bench) {
    let cancel = CancelToken::new().unwrap();
    let mut talk = |grace, other: &[&str]| {
        let mut transcript = Transcript {
            leader: Some((0, grace)),
            ..Transcript::default()
        };
        talk_of(
            bench,
            [&["write=900000", "abort"], other],
            &mut transcript,
            &cancel,
            |_| {},
        )
        .unwrap()
    };
    let conversation = talk(10_000 * MILLISECOND, &["read=1000", "sleep=500", "exit=43"]);
    assert_eq!(ends(&conversation)[1], Termination::Exited { code: 43 });
    assert_eq!(
        conversation.first,
        First::ByChance(0),
        "it was never notified"
    );
    let conversation = talk(100 * MILLISECOND, &["read=1000", "sleep=15000", "exit=43"]);
    assert_eq!(ends(&conversation)[1], Termination::Cancelled);
    assert_eq!(conversation.first, First::Side(0));
    // A side that has read everything is given no more time.
    let conversation = talk(500 * MILLISECOND, &["read=900000", "sleep=1000", "exit=43"]);
    assert_eq!(ends(&conversation)[1], Termination::Exited { code: 43 });
}

fn cancelled(bench: &mut Bench) {
    let cancel = CancelToken::new().unwrap();
    let setter = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(100 * MILLISECOND);
        setter.cancel();
    });
    let conversation = talk_of(
        bench,
        [&["sleep=10000"], &["sleep=10000"]],
        &mut Transcript::default(),
        &cancel,
        |_| {},
    )
    .unwrap();
    assert_eq!(ends(&conversation), [Termination::Cancelled; 2]);
    thread.join().unwrap();
    let conversation = talk_of(
        bench,
        [&["spin"], &["spin"]],
        &mut Transcript::default(),
        &cancel,
        |_| {},
    )
    .unwrap();
    assert_eq!(ends(&conversation), [Termination::Cancelled; 2]);
}

fn fault(bench: &mut Bench) {
    if bench.level == IsolationLevel::None {
        return;
    }
    let mut nowhere = bench.execution(&[]);
    nowhere.program = "/program/nowhere".into();
    let waits = bench.execution(&["talk", "hear", "spin"]);
    let mut slot = bench
        .sandbox
        .slot(&SlotSpec {
            depots: vec![bench.depot.clone()],
            ..SlotSpec::default()
        })
        .unwrap();
    let [mut capture, mut other_capture] = [Capture::default(), Capture::default()];
    let sides = [
        Side {
            slot: bench.slot.as_mut(),
            execution: nowhere,
            capture: &mut capture,
        },
        Side {
            slot: slot.as_mut(),
            execution: waits,
            capture: &mut other_capture,
        },
    ];
    let result = converse(
        sides,
        &CancelToken::new().unwrap(),
        &mut Transcript::default(),
    );
    assert!(
        matches!(result, Err(SandboxError::Program { .. })),
        "{result:?}"
    );
}
