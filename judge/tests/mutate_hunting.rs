//! `judge mutate --hunt`: inputs that kill survivors.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use judge_event::{HuntResult, Mutation, SearchEnd};
use judge_model::Verdict;
use rustix::process::{Pid, Signal, kill_process};

use crate::mutate::{document, workspace};
use crate::workspace::{CommandOutput, Workspace};

/// A number up to the first argument, by the seed, and one below 10.
const TWO_NUMBERS: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {\n\
    long long most = atoll(v[1]); unsigned s = atoi(v[2]); if (c != 3) return 1;\n\
    printf(\"%lld %d\\n\", most, (int)(s * 2654435761u >> 28) % 10); }\n";

/// The workspace of `mutate`, with a generator and a validator that allow numbers beyond 32 bits.
fn workspace_for_hunts() -> Option<Workspace> {
    let workspace = workspace()?;
    workspace.write(
        "problems/larger/input_validators/v.ctd",
        "INT(0,5000000000) SPACE INT(0,5000000000) NEWLINE EOF\n",
    );
    workspace.write("problems/larger/generators/two.c", TWO_NUMBERS);
    let rules = "data:\n  secret:\n    data:\n      - large: two.c 4000000000 {seed}\n";
    workspace.write("problems/larger/generators/generators.yaml", rules);
    Some(workspace)
}

const HUNT: [&str; 7] = [
    "mutate", "larger", "--hunt", "--inputs", "60", "--seed", "5",
];

#[track_caller]
fn hunted(mutation: &Mutation) -> &HuntResult {
    mutation.hunt.as_ref().expect("a hunt")
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn hunts_find_the_same_inputs_with_any_number_of_jobs() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    let output = workspace
        .judge(HUNT.iter().chain(&["--report=json=one.json", "-j", "1"]))
        .exits(0);
    output.stdout_has(&[
        "survived",
        "integer-width",
        "killed by input 1 below: RTE: exit code 101",
    ]);
    output.stdout_has(&[
        "survived",
        "comparison",
        "likely equivalent: it was correct on all",
    ]);
    output.stdout_has(&[
        "input 1 ",
        "minimal: no line or word can be removed",
        "found",
        " of seed 5 ",
        "answer",
    ]);
    output.stdout_has(&[
        "add it",
        "judge add judge-hunt/larger/mutant-",
        ".in -p larger",
    ]);
    output.stdout_has(&[
        "hunted",
        " inputs in",
        "made of",
        "1 kind of generator call",
        "seed",
        "5; other inputs",
    ]);
    let one = Mutation::parse(&fs::read_to_string(workspace.path("one.json")).unwrap()).unwrap();
    let result = hunted(&one);
    let id = |was: &str| &one.survivors().find(|mutant| mutant.was == was).unwrap().id;
    let [found] = &result.found[..] else {
        panic!("{result:?}")
    };
    assert_eq!((found.kills.len(), &found.kills[0].mutant), (1, id("i64")));
    assert_eq!(
        (found.kills[0].verdict, found.is_minimal),
        (Verdict::RunTimeError, true)
    );
    let input = String::from_utf8(found.input.0.clone()).unwrap();
    let numbers: Vec<i64> = input
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert!(
        numbers.iter().any(|number| *number > i64::from(i32::MAX)),
        "{input}"
    );
    assert_eq!(
        found.answer.as_ref().unwrap().0,
        format!("{}\n", numbers.iter().max().unwrap()).as_bytes()
    );
    assert_eq!(
        &result.likely_equivalent,
        &[id("numbers[0], numbers[1]").clone(), id(">").clone()]
    );
    assert_eq!(
        (result.end, result.next, result.seed),
        (SearchEnd::Inputs, 60, 5)
    );
    assert!(
        result.tally.judged_inputs > 10 && result.tally.kinds_reached == 1,
        "{result:?}"
    );
    // The score is that of the test data as it is.
    assert_eq!((one.score.totals.killed, one.score.survived), (6, 3));
    let file = workspace.path(&format!("judge-hunt/larger/mutant-{}.in", id("i64")));
    assert_eq!(
        (fs::read(&file).unwrap(), found.file.as_deref()),
        (found.input.0.clone(), file.to_str())
    );
    // An existing file is left unchanged.
    fs::write(&file, "mine").unwrap();
    let three = document(
        &workspace
            .judge(HUNT.iter().chain(&["--report=json", "-j", "3"]))
            .exits(0),
    );
    let again = &hunted(&three).found[0];
    assert!(again.file.as_ref().unwrap().ends_with("-2.in"), "{again:?}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(
        (&again.input, &again.kills, again.number),
        (&found.input, &found.kills, found.number)
    );
    assert_eq!(hunted(&three).likely_equivalent, result.likely_equivalent);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn inputs_found_by_a_hunt_become_test_cases_and_survivors_are_declared() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    // The findings are in the document even if they cannot be added.
    let add = [
        "--add",
        "nowhere/mutant",
        "--report=json=failed.json",
        "--save",
        "other",
    ];
    workspace.judge(HUNT.iter().chain(&add)).exits(2);
    assert!(workspace.path("failed.json").is_file());
    let page = ["--report", "html=page.html"];
    let add = [
        "--add",
        "secret/mutant",
        "--report=json=hunt.json",
        "--save",
        "found",
    ];
    let output = workspace
        .judge(HUNT.iter().chain(&add).chain(&page))
        .exits(0);
    output.stdout_has(&["secret/mutant-01", "added"]);
    assert!(!workspace.files("found/larger").is_empty());
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    for fact in [
        "66.6 %",
        "integer-width",
        "likely equivalent",
        "An input that kills",
        "judge add found/larger/mutant-",
    ] {
        assert!(page.contains(fact), "{fact} in {page}");
    }
    let mutation =
        Mutation::parse(&fs::read_to_string(workspace.path("hunt.json")).unwrap()).unwrap();
    let argued = hunted(&mutation)
        .likely_equivalent
        .iter()
        .map(|id| format!("accepted/compare.rs {id}: the same\n"));
    workspace.write(
        "problems/larger/equivalent_mutants.txt",
        argued.collect::<String>(),
    );
    let output = workspace
        .judge(["mutate", "larger", "--min-score", "100", "--hunt"])
        .exits(0);
    output
        .stdout_has(&[
            "100.0 %",
            "7 of 7 mutants killed",
            "2 argued to be equivalent",
        ])
        .stdout_lacks(&["hunted", "warning"]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn interrupted_hunts_report_their_findings() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    let log = workspace.path("log");
    let mut command = workspace.command(["mutate", "larger", "--hunt=600", "--report=json"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let give_up = Instant::now() + Duration::from_secs(100);
    while !fs::read_to_string(&log).unwrap().contains("inputs, ") {
        assert!(Instant::now() < give_up, "no word of a search");
        sleep(Duration::from_millis(50));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mutation = document(&CommandOutput::from_child(child).exits(130));
    let result = hunted(&mutation);
    assert_eq!(
        (result.end, &result.likely_equivalent),
        (SearchEnd::Interrupted, &Vec::new())
    );
    assert!(result.tally.inputs > 0);
}

#[test]
fn hunts_without_sources_of_inputs_are_reported() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.judge(["mutate", "larger", "--hunt"]).exits(0);
    output.stdout_has(&[
        "no search: none of the inputs",
        "warning: no source of inputs",
    ]);
    workspace
        .judge(["mutate", "larger", "--inputs", "5"])
        .exits(2)
        .stderr_has(&["--hunt"]);
    let both = ["mutate", "larger", "--hunt", "--report=json", "--add", "x"];
    workspace
        .judge(both)
        .exits(2)
        .stderr_has(&["both write to standard output"]);
}
