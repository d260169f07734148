//! Counting instructions. Where the host has no counter, or keeps it to itself, only that this is said.

use std::time::Duration;

use judge_model::{Instructions, IsolationLevel, Limit, NotCounted, Termination};
use judge_sandbox::{Execution, can_count_instructions};

use crate::bench::{Bench, Case, Ran};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("instructions_are_counted_only_when_wanted", when_wanted),
    ("instructions_are_nearly_the_same_every_time", repeatable),
    ("twice_the_steps_are_twice_the_instructions", doubled),
    ("instructions_of_threads_and_children_count", of_all),
    ("instructions_of_a_killed_run_count", killed),
    ("programs_can_open_no_counter", refused),
    ("a_counter_is_not_in_a_programs_hands", descriptors),
    ("a_slot_counts_one_run_and_not_the_next", one_and_not_the_next),
];

/// Enough that what starting a program takes is less than a hundredth.
const STEPS: u64 = 2_000_000;

fn counted(execution: &mut Execution) {
    execution.count_instructions = true;
    execution.limits.cpu_time = Duration::from_secs(5);
    execution.limits.wall_time = Duration::from_secs(60);
}

fn instructions(ran: &Ran) -> Instructions {
    ran.finished.outcome.usage.instructions
}

/// Counts a run of so many steps; `None` where nothing can be counted, which is printed with the reason.
#[track_caller]
fn count(bench: &mut Bench, args: &[&str]) -> Option<u64> {
    for _ in 0..20 {
        let ran = bench.run_with(args, |execution| {
            counted(execution);
            execution.proc_mounted = true;
        });
        match (instructions(&ran.exited()), can_count_instructions()) {
            (Instructions::Counted(count), _) => return Some(count),
            // Somebody else counts for a moment.
            (Instructions::NotCounted(NotCounted::Shared), _) => {}
            (Instructions::NotCounted(why), Err(expected)) if why == expected => {
                println!("SKIPPED: counting instructions: {why}");
                return None;
            }
            (other, expected) => panic!("{other:?}, while counting here should be {expected:?}"),
        }
    }
    println!("SKIPPED: counting instructions: {}", NotCounted::Shared);
    None
}

fn steps(bench: &mut Bench, number: u64) -> Option<u64> {
    count(bench, &["steps", &number.to_string()])
}

fn when_wanted(bench: &mut Bench) {
    assert_eq!(instructions(&bench.run(&["exit", "0"]).exited()), Instructions::NotWanted);
    let wanted = instructions(&bench.run_with(&["exit", "0"], counted).exited());
    if bench.level == IsolationLevel::None {
        assert_eq!(wanted, Instructions::NotCounted(NotCounted::Level));
    } else {
        assert_ne!(wanted, Instructions::NotWanted);
    }
}

fn repeatable(bench: &mut Bench) {
    let Some(first) = steps(bench, STEPS) else { return };
    assert!((3 * STEPS..20 * STEPS).contains(&first), "{first}");
    for _ in 0..5 {
        let Some(again) = steps(bench, STEPS) else { return };
        assert!(again.abs_diff(first) < first / 100, "{first}, then {again}");
    }
}

fn doubled(bench: &mut Bench) {
    let (Some(once), Some(twice)) = (steps(bench, STEPS), steps(bench, 2 * STEPS)) else { return };
    assert!(twice * 10 >= once * 19 && twice * 10 <= once * 21, "{once}, then {twice}");
}

fn of_all(bench: &mut Bench) {
    let Some(once) = steps(bench, STEPS) else { return };
    let number = STEPS.to_string();
    let Some(all) = count(bench, &["steps_of_all", &number]) else { return };
    assert!(all * 10 >= once * 29 && all * 10 <= once * 32, "{once}, then {all}");
}

fn killed(bench: &mut Bench) {
    if steps(bench, STEPS).is_none() {
        return;
    }
    let ran = bench.run_with(&["spin"], |execution| {
        counted(execution);
        execution.limits.cpu_time = Duration::from_millis(100);
    });
    assert_eq!(ran.termination(), Termination::Killed { limit: Limit::CpuTime });
    match instructions(&ran) {
        Instructions::Counted(count) => assert!(count > 1_000_000, "{count}"),
        other => assert_eq!(other, Instructions::NotCounted(NotCounted::Shared)),
    }
}

fn refused(bench: &mut Bench) {
    for counting in [false, true] {
        let ran = bench.run_with(&["counter"], |execution| execution.count_instructions = counting).exited();
        assert_eq!(ran.stdout, "hardware EPERM\nsoftware EPERM\nprocessor EPERM\n");
    }
}

fn descriptors(bench: &mut Bench) {
    assert_eq!(bench.run_with(&["fds"], counted).exited().stdout, "0 1 2 ");
}

fn one_and_not_the_next(bench: &mut Bench) {
    let Some(small) = steps(bench, STEPS) else { return };
    // What runs between two counted runs leaves no trace in the second.
    assert_eq!(instructions(&bench.run(&["steps", "4000000"]).exited()), Instructions::NotWanted);
    let Some(again) = steps(bench, STEPS) else { return };
    assert!(again.abs_diff(small) < small / 100, "{small}, then {again}");
}
