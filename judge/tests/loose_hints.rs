//! Hints for loose files: a missing part of a command is named with a complete command.

use crate::loose::directory;
use crate::workspace::Workspace;

#[test]
fn missing_programs_are_named() {
    let workspace = Workspace::new();
    workspace.write("a.sh", "echo 1\n");
    workspace.write("gen.sh", "echo $1\n");
    let search = |program: &str, reference: &str| {
        let options = ["--reference", reference, "--generator", "gen.sh"];
        workspace.judge(["stress", program].iter().chain(&options))
    };
    search("a.sh", "brute.sh")
        .exits(2)
        .stderr_has(&["cannot read `brute.sh`"]);
    search("b.sh", "a.sh")
        .exits(5)
        .stderr_has(&["there is no file `b.sh`, and no package in"]);
}

#[test]
fn missing_parts_of_a_search_have_a_hint_with_a_complete_command() {
    let Some(workspace) = directory() else { return };
    let refused = |args: &str, words: &[&str]| {
        let words: Vec<&str> = words.to_vec();
        workspace.judge(args.split(' ')).exits(2).stderr_has(&words);
    };
    let both = "hint: `judge stress mine.c --reference brute.py --generator gen.py`";
    refused(
        "stress mine.c",
        &[
            "`mine.c` belongs to no problem",
            "`--reference` and `--generator` are required",
            both,
        ],
    );
    refused(
        "stress mine.c brute.c gen.c",
        &["hint: `judge stress mine.c --reference brute.c --generator gen.c`"],
    );
    workspace
        .judge("stress mine.c --reference brute.c --generator gen.c 9 2".split(' '))
        .exits(5)
        .stderr_has(&[
            "`9` names no submission",
            "hint: quote a generator with its arguments: `--generator 'gen.c 9 2'`",
        ]);
    refused(
        "stress mine.c --reference brute.c",
        &[
            "`--generator` is required",
            "--reference brute.c --generator gen.py`",
        ],
    );
    refused(
        "stress mine.c --generator gen.c",
        &[
            "`--reference` is required",
            "--generator gen.c --reference brute.py`",
        ],
    );
    refused("stress mine.c brute.c", &["`--generator` is required"]);
    let twice = "`mine.c` cannot be its own reference";
    refused(
        "stress mine.c --reference mine.c --generator gen.c",
        &[twice],
    );
    refused(
        "stress mine.c --reference brute.c --generator absent.py",
        &["no such file or generator: `absent.py`"],
    );
    refused(
        "stress mine.c --reference brute.c --generator gen.c --checker absent.py",
        &["cannot read `absent.py` of --checker"],
    );
    refused(
        "stress mine.c --reference brute.c --generator gen.c --add secret/1",
        &["`--add` needs a package", "--save DIR"],
    );
    refused(
        "stress mine.c --reference brute.c --generator gen.c -p sum --checker brute.c",
        &["cannot be used with"],
    );
}

#[test]
fn missing_inputs_of_comparisons_and_trials_have_hints() {
    let Some(workspace) = directory() else { return };
    let refused = |args: &str, words: &[&str]| {
        workspace.judge(args.split(' ')).exits(2).stderr_has(words);
    };
    refused(
        "compare mine.c brute.c",
        &[
            "`--input` is required",
            "hint: `judge compare mine.c brute.c --input FILE`",
        ],
    );
    refused(
        "compare mine.c",
        &[
            "`--input` is required",
            "hint: `judge compare mine.c OTHER.cpp --input FILE`",
        ],
    );
    refused(
        "compare mine.c --input gen.c",
        &[
            "at least two programs",
            "found 1: `mine.c`",
            "hint: `judge compare mine.c",
        ],
    );
    refused(
        "compare mine.c brute.c --input absent.in",
        &["cannot read `absent.in`"],
    );
    workspace.write("none/readme", "");
    let none = [
        "the directory `none` has no input",
        "hint: expected a file, or a directory with files such as `1.in`",
    ];
    refused("compare mine.c brute.c --input none", &none);
    workspace.write("none/1.in/readme", "");
    refused(
        "compare mine.c brute.c --input none",
        &["`none/1.in`: expected a file, found a directory"],
    );
    refused(
        "try mine.c -i none",
        &["`none/1.in`: expected a file, found a directory"],
    );
    refused(
        "try mine.c none",
        &[
            "unexpected argument `none`",
            "hint: for an input",
            "`judge try mine.c -i none`",
        ],
    );
}
