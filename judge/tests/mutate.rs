//! `judge mutate`: which mistakes are noticed, what is known from before, and what is argued.

use judge_mutation::{Mutation, Status};

use crate::workspace::{Said, Workspace, has};

/// The larger of two numbers. Of its nine mutants two do the same whatever the input is: `>=`, and the arguments of
/// `larger` the other way round.
const LARGER: &str = "use std::io;

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!(\"{}\", larger(numbers[0], numbers[1]));
}

fn larger(a: i64, b: i64) -> i64 {
    if a > b { a } else { b }
}
";

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    if !has("rust") {
        return None;
    }
    workspace.problem("larger", "limits:\n  time_limit: 4\n  memory: 256\n");
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    // What is known of a program's mutants is kept for whoever has the same program, another test for example.
    let text = format!("{LARGER}// {}\n", workspace.path("").display());
    workspace.write("solutions/larger/accepted/compare.rs", text);
    Some(workspace)
}

#[track_caller]
fn document(said: &Said) -> Mutation {
    Mutation::parse(&said.stdout).unwrap_or_else(|error| panic!("{error} in {said:?}"))
}

/// What was replaced, and with what, of those that survived.
fn survivors(mutation: &Mutation) -> Vec<(&str, &str)> {
    mutation.survivors().map(|mutant| (mutant.was.as_str(), mutant.becomes.as_str())).collect()
}

#[test]
fn mistakes_that_nothing_notices_are_told_and_a_new_case_runs_only_what_is_open() {
    let Some(workspace) = workspace() else { return };
    let first = document(&workspace.judge(["mutate", "larger", "--json"]).exits(0));
    let swapped = ("numbers[0], numbers[1]", "numbers[1], numbers[0]");
    assert_eq!(survivors(&first), [("i64", "i32"), swapped, (">", ">=")]);
    assert_eq!((first.score.totals.killed, first.score.totals.of), (6, 9));
    // Another type cannot be chosen when the program runs; everything else can.
    assert_eq!((first.method.together, first.method.apart, first.method.known), (8, 1, 0));
    let reached =
        |was: &str| first.mutants.iter().find(|mutant| mutant.was == was && mutant.status == Status::Survived);
    assert_eq!(reached(">").unwrap().reached.as_deref(), Some(&[][..]), "the numbers are never the same");
    assert_eq!(reached(swapped.0).unwrap().reached.as_ref().map(Vec::len), Some(2));
    let groups: Vec<_> = first.groups.iter().map(|group| (group.group.as_str(), group.totals.killed)).collect();
    // `0` for `1` gives the right answer where the second number is the larger one: the sample's 3 are `1` for `0`, `2` for
    // `1` and a condition that never holds; the secret case's 4 are `0` and `2` for `1`, `!=`, and one that always holds.
    assert_eq!(groups, [("sample", 3), ("secret", 4)]);

    workspace.case("larger", "secret/02-large", "3000000000 1\n", "3000000000\n");
    let second = document(&workspace.judge(["mutate", "larger", "--json"]).exits(0));
    assert_eq!(survivors(&second), [swapped, (">", ">=")]);
    let kill = second.mutants.iter().find(|mutant| mutant.was == "i64").unwrap();
    assert_eq!(kill.kills[0].test_case, "secret/02-large");
    assert!(second.method.known > 0 && second.method.runs < first.method.runs, "{:?}", second.method);
    // Nothing has changed: nothing is run.
    let third = document(&workspace.judge(["mutate", "larger", "--json"]).exits(0));
    assert_eq!((third.method.runs, third.score), (0, second.score));
    let full = document(&workspace.judge(["mutate", "larger", "--full", "--json"]).exits(0));
    // The first kill of a group decides about the group.
    assert_eq!((&full.score, &full.groups), (&second.score, &second.groups));
    let groups: Vec<_> = second.groups.iter().map(|group| group.totals.killed).collect();
    assert_eq!(groups, [3, 7]);
    assert!(full.mutants.iter().map(|mutant| mutant.kills.len()).sum::<usize>() > 7);
}

#[test]
fn a_survivor_is_shown_by_its_difference_and_a_score_can_be_demanded() {
    let Some(workspace) = workspace() else { return };
    let said = workspace.judge(["mutate", "larger", "--min-score", "66"]).exits(0);
    said.tells(&["larger mutants of accepted/compare.rs", "66.6 %", "6 of 9 mutants killed", "3 survived"]);
    said.tells(&["survived", "integer-width", "- let numbers: Vec<i64>", "+ let numbers: Vec<i32>"]);
    said.tells(&["comparison", "line 10, in larger", "- if a > b { a } else { b }", "+ if a >= b { a } else { b }"]);
    said.tells(&["no test case gets there with a value that would differ"]);
    let said = workspace.judge(["mutate", "larger/accepted/compare.rs", "--min-score", "67", "-q"]).exits(1);
    said.tells(&["66.6 %", "expected 67 % or more"]).is_silent_of(&["survived  "]);
    workspace.judge(["mutate", "larger", "--min-score", "101"]).exits(2).complains(&["expected percent from 0 to 100"]);
    let sample = document(&workspace.judge(["mutate", "larger", "--limit", "4", "--seed", "3", "--json"]).exits(0));
    assert_eq!((sample.mutants.len(), sample.method.possible, sample.method.seed), (4, 9, Some(3)));
}

#[test]
fn what_is_argued_to_be_equivalent_does_not_count_until_it_is_killed() {
    let Some(workspace) = workspace() else { return };
    let first = document(&workspace.judge(["mutate", "larger", "--json"]).exits(0));
    let file = "problems/larger/equivalent_mutants.txt";
    let argued: String = first
        .survivors()
        .map(|mutant| format!("accepted/compare.rs {}: the same\n  whatever the numbers are\n", mutant.id))
        .collect();
    workspace.write(file, &argued);
    let said = workspace.judge(["mutate", "larger", "--min-score", "100"]).exits(0);
    said.tells(&["100.0 %", "6 of 6 mutants killed", "3 argued to be equivalent"]).is_silent_of(&["warning"]);
    // One of the arguments is wrong, and another one is about nothing.
    workspace.case("larger", "secret/02-large", "3000000000 1\n", "3000000000\n");
    workspace.write(file, format!("{argued}accepted/compare.rs 0123456789: of old\n"));
    let said = workspace.judge(["mutate", "larger"]).exits(0);
    said.tells(&["7 of 7 mutants killed", "argued to be equivalent, but `secret/02-large` kills it (RTE)"]);
    said.tells(&["`0123456789` is argued to be equivalent, but there is no such mutant any more"]);
    workspace.write(file, "accepted/compare.rs: why\n");
    let said = workspace.judge(["mutate", "larger"]).exits(3);
    said.complains(&["problems/larger/equivalent_mutants.txt:1: expected a solution, a mutant", "hint: write"]);
}

#[test]
fn mutants_that_never_end_are_killed_by_the_time_limit() {
    let Some(workspace) = workspace() else { return };
    let counting =
        LARGER.replace("if a > b { a } else { b }", "let mut c = a;\n    while c < b {\n        c += 1;\n    }\n    c");
    workspace.write("solutions/larger/accepted/compare.rs", counting);
    let said = workspace.judge(["mutate", "larger", "--time-limit", "0.5", "--json"]).exits(0);
    let mutation = document(&said);
    let endless = mutation.mutants.iter().find(|mutant| mutant.was == "+=" && mutant.becomes == "-=").unwrap();
    assert_eq!(endless.status, Status::Killed);
    let without = mutation.mutants.iter().find(|mutant| mutant.was == "c += 1;").unwrap();
    assert_eq!(without.kills[0].verdict.code(), "TLE");
}

#[test]
fn what_cannot_be_mutated_is_told_with_its_reason() {
    let Some(workspace) = workspace() else { return };
    workspace.write("solutions/larger/accepted/compare.rs", LARGER.replace("a > b", "a < b"));
    let said = workspace.judge(["mutate", "larger"]).exits(1);
    said.complains(&["expected a solution that is accepted, found WA on `"]);
    workspace.write("solutions/larger/accepted/compare.rs", "fn main() {");
    workspace.judge(["mutate", "larger"]).exits(2).complains(&["accepted/compare.rs: line 1 is not Rust"]);
    workspace.remove("solutions/larger/accepted/compare.rs");
    workspace.write("solutions/larger/accepted/compare.c", crate::workspace::SUM);
    let said = workspace.judge(["mutate", "larger"]).exits(5);
    said.complains(&["`larger` has no accepted solution in Rust"]);
    workspace.problem("larger", "");
    workspace.judge(["mutate", "larger"]).exits(2).complains(&["`larger` states no time limit", "--time-limit"]);
}
