//! Problems packed for online judges (Hydro, DMOJ): read back, they give the verdicts and scores of
//! the packages.

use std::fs;
use std::path::Path;

use crate::workspace::{SUM, Workspace, has};

fn with_package(name: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3") && has("cpp"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/packages")
        .join(name);
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(
            &format!(
                "problems/{name}/{}",
                path.strip_prefix(&from).unwrap().display()
            ),
            bytes,
        );
    }
    Some(workspace)
}

/// Verdict and score of a program on the problem that a word names.
fn result(workspace: &Workspace, file: &str, problem: &str) -> (String, Option<String>) {
    let args = [
        "submit",
        file,
        "-p",
        problem,
        "--no-fail-fast",
        "--time-limit",
        "10",
        "--report=json",
    ];
    let state = workspace.judge(args).state();
    let finished = state.problems[0].submissions[0].finished.as_ref().unwrap();
    (
        finished.verdict.code().to_owned(),
        finished.score.map(|score| score.to_string()),
    )
}

/// Packs a problem for a judge and imports it again under another name.
fn round_trip(workspace: &Workspace, problem: &str, judge: &str) -> String {
    let (archive, name) = (
        format!("{problem}-{judge}.zip"),
        format!("{problem}{judge}"),
    );
    workspace
        .judge(["pack", problem, "--for", judge, "--output", &archive])
        .exits(0);
    workspace
        .judge(["import", &archive, "--from", judge, "--name", &name])
        .exits(0);
    name
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn scores_and_dependencies_are_read_back_from_hydro_and_dmoj() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    // Required groups are all or nothing in every format; sums with requirements are not.
    let group = "problems/scoringgroups/data/secret/2parts/test_group.yaml";
    let text = fs::read_to_string(workspace.path(group)).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("require_pass"))
        .collect();
    workspace.write(group, lines.join("\n") + "\n");
    let programs = [
        "accepted/all",
        "partly/fails_small",
        "partly/misses_13",
        "partly/only_negative",
    ]
    .map(|name| {
        let file = format!("problems/scoringgroups/submissions/{name}.py");
        assert!(workspace.path(&file).is_file(), "{file}");
        file
    });
    for judge in ["hydro", "dmoj"] {
        let packed = round_trip(&workspace, "scoringgroups", judge);
        for file in &programs {
            let (before, after) = (
                result(&workspace, file, "scoringgroups"),
                result(&workspace, file, &packed),
            );
            assert!(before.1.is_some());
            assert_eq!(before.1, after.1, "{judge}: {file}");
        }
    }
    // Hydro's archive is not a package, despite its `problem.yaml`.
    let output = workspace
        .judge(["run", "scoringgroups-hydro.zip", "--time-limit", "10"])
        .exits(0);
    output.stderr_has(&["`scoringgroups-hydro.zip` is a problem in the format `hydro`"]);
}

#[test]
fn dmoj_dependencies_are_batch_numbers() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("groups", "limits: {time_limit: 1}\n");
    let yaml = workspace.path("problems/groups/problem.yaml");
    let text = fs::read_to_string(&yaml)
        .unwrap()
        .replace("type: pass-fail", "type: scoring");
    fs::write(&yaml, text).unwrap();
    workspace.write(
        "problems/groups/data/secret/test_group.yaml",
        "score_aggregation: sum\nmax_score: 100\n",
    );
    for (group, keys) in [
        ("1", "score_aggregation: sum\nmax_score: 20\n"),
        ("2", "score_aggregation: pass-fail\nmax_score: 30\n"),
        (
            "3",
            "score_aggregation: pass-fail\nmax_score: 50\nrequire_pass: [sample, secret/2]\n",
        ),
    ] {
        workspace.write(
            &format!("problems/groups/data/secret/{group}/test_group.yaml"),
            keys,
        );
        for case in ["a", "b"] {
            workspace.case("groups", &format!("secret/{group}/{case}"), "1 2\n", "3\n");
        }
    }
    workspace.case("groups", "sample/1", "1 2\n", "3\n");
    workspace.write(
        "problems/groups/statement/problem.en.md",
        "Add two numbers.\n",
    );
    workspace.write("problems/groups/submissions/accepted/sum.c", SUM);
    let output = workspace
        .judge(["pack", "groups", "--for", "dmoj", "--output", "dmoj.zip"])
        .exits(0);
    output.stdout_has(&["skips everything after a failed one"]);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("dmoj.zip")).unwrap()).unwrap();
    let init = std::io::read_to_string(archive.by_name("init.yml").unwrap()).unwrap();
    // The samples and the groups 2 and 3 are batches; the two test cases of the group 1 are
    // separate.
    let dependencies: Vec<&str> = init
        .lines()
        .skip_while(|line| !line.contains("dependencies"))
        .skip(1)
        .take(2)
        .collect();
    assert_eq!(
        dependencies
            .iter()
            .map(|line| line.trim())
            .collect::<Vec<_>>(),
        ["- 1", "- 2"],
        "{init}"
    );
    workspace
        .judge(["import", "dmoj.zip", "--from", "dmoj", "--name", "back"])
        .exits(0);
    let output = workspace
        .judge([
            "pack",
            "groups",
            "--for",
            "domjudge",
            "--output",
            "domjudge.zip",
        ])
        .exits(0);
    output.stdout_has(&[
        "DOMjudge counts `accept_score` once",
        "fail only the samples",
    ]);
}

/// Answers with differences that the default output validator ignores with some arguments.
const PRINTS: [(&str, &str); 8] = [
    ("same", "print('Yes 0.5')"),
    ("case", "print('yes 0.5')"),
    ("blanks", "print(' Yes\\n0.5')"),
    ("near", "print('Yes 0.5000009')"),
    ("far", "print('Yes 0.50001')"),
    ("word", "print('Yes half')"),
    ("more", "print('Yes 0.5 0.5')"),
    ("less", "print('Yes')"),
];

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn the_default_validator_is_packed_for_hydro() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3") && has("cpp")) else {
        return;
    };
    for (name, program) in PRINTS {
        workspace.write(&format!("mine/{name}.py"), format!("{program}\n"));
    }
    let sets = [
        "",
        "case_sensitive",
        "space_change_sensitive",
        "float_tolerance 1e-6",
        "float_absolute_tolerance 1e-3 case_sensitive",
    ];
    for (number, arguments) in sets.into_iter().enumerate() {
        let name = format!("words{number}");
        let package = format!("problems/{name}");
        workspace.write(
            &format!("{package}/problem.yaml"),
            "problem_format_version: 2025-09\nname: Words\nuuid: 0b7c0ef0-6b0c-4a52-8a40-6c1d9c4b5a11\nlicense: cc0\nsource: here\n\
             limits: {time_limit: 2}\n",
        );
        workspace.write(&format!("{package}/data/secret/1.in"), "1\n");
        workspace.write(&format!("{package}/data/secret/1.ans"), "Yes 0.5\n");
        if !arguments.is_empty() {
            let group = format!(
                "output_validator_args: ['{}']\n",
                arguments.replace(' ', "', '")
            );
            workspace.write(&format!("{package}/data/secret/test_group.yaml"), group);
        }
        workspace.write(
            &format!("{package}/submissions/accepted/same.py"),
            "print('Yes 0.5')\n",
        );
        workspace.write(&format!("{package}/statement/problem.en.md"), "Print.\n");
        workspace.write(
            &format!("{package}/input_validators/any.py"),
            "import sys\nsys.exit(42)\n",
        );
        let args = [
            "pack",
            &name,
            "--for",
            "hydro",
            "--force",
            "--output",
            "words.zip",
        ];
        workspace.judge(args).exits(0);
        workspace
            .judge(["import", "words.zip", "--name", &format!("back{number}")])
            .exits(0);
        for (program, _) in PRINTS {
            let file = format!("mine/{program}.py");
            let (before, after) = (
                result(&workspace, &file, &name),
                result(&workspace, &file, &format!("back{number}")),
            );
            assert_eq!(before.0, after.0, "{arguments}: {program}");
        }
    }
    // The features that DMOJ supports, and those that it lacks.
    workspace
        .judge(["pack", "words3", "--for", "dmoj", "--output", "floats.zip"])
        .exits(0);
    workspace
        .judge(["import", "floats.zip", "--name", "floats"])
        .exits(0);
    assert_eq!(result(&workspace, "mine/near.py", "floats").0, "AC");
    assert_eq!(result(&workspace, "mine/far.py", "floats").0, "WA");
    workspace.write(
        "problems/words3/data/secret/test_group.yaml",
        "output_validator_args: ['float_tolerance', '3e-6']\n",
    );
    let output = workspace
        .judge(["pack", "words3", "--for", "dmoj"])
        .exits(3);
    output.stdout_has(&["DMOJ's `floats` supports only powers of ten [JI407]"]);
}

#[test]
fn checkers_with_testlib_are_packed_and_unusable_ones_are_refused() {
    let Some(workspace) = with_package("testlibchecker") else {
        return;
    };
    for judge in ["hydro", "dmoj"] {
        let packed = round_trip(&workspace, "testlibchecker", judge);
        for (file, verdict) in [
            ("accepted/double.py", "AC"),
            ("wrong_answer/triple.py", "WA"),
        ] {
            let file = format!("problems/testlibchecker/submissions/{file}");
            assert_eq!(
                result(&workspace, &file, &packed).0,
                verdict,
                "{judge}: {file}"
            );
        }
    }
    let Some(other) = with_package("guess") else {
        return;
    };
    other
        .judge(["pack", "guess", "--for", "dmoj"])
        .exits(3)
        .stdout_has(&["not written", "JI407"]);
    assert!(!other.path("dmoj").exists());
    other
        .judge(["pack", "guess", "--for", "hydro"])
        .exits(3)
        .stdout_has(&["Hydro's interactors use that of testlib"]);
}
