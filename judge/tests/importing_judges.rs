//! Test data of online judges (DMOJ, Hydro, SYZOJ, UOJ): their subtasks, points and comparisons,
//! tested by judging programs on it.

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::importing_olympiads::{imported, says, text};
use crate::workspace::{SUM, Workspace};

/// A sum of two numbers that is wrong for large ones.
const SMALL: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a > 99 ? 0 : a + b); }\n";

/// Writes test cases: two small ones, two large ones.
fn write_data(
    workspace: &Workspace,
    input: impl Fn(usize) -> String,
    output: impl Fn(usize) -> String,
) {
    for (index, (a, b)) in [(1, 2), (3, 4), (100, 200), (300, 400)]
        .into_iter()
        .enumerate()
    {
        workspace.write(&input(index + 1), format!("{a} {b}\n"));
        workspace.write(&output(index + 1), format!("{}\n", a + b));
    }
}

/// The score of a program on the problem that was imported as `name`.
fn score(workspace: &Workspace, name: &str, source: &str) -> Option<String> {
    workspace.write("mine/program.c", source);
    // The sources state no limit, or one that a busy host may exceed.
    let args = [
        "submit",
        "mine/program.c",
        "-p",
        name,
        "--no-fail-fast",
        "--time-limit",
        "10",
        "--report=json",
    ];
    let state = workspace.judge(args).state();
    state.problems[0].submissions[0]
        .finished
        .as_ref()
        .unwrap()
        .score
        .map(|score| score.to_string())
}

#[test]
fn dmoj_batches_are_groups_and_may_use_archived_data() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "dmoj/init.yml",
        "archive: data.zip\nchecker: {name: floats, args: {precision: 4}}\ntest_cases:\n- {in: 1.in, out: 1.out, points: 5}\n\
         - points: 10\n  batched:\n  - {in: 2.in, out: 2.out}\n  - {in: 3.in, out: 3.out}\n- points: 85\n  dependencies: [1]\n  \
         batched:\n  - {in: 4.in, out: 4.out}\n",
    );
    // Only batches are numbered: the first one is the second entry.
    write_data(
        &workspace,
        |number| format!("data/{number}.in"),
        |number| format!("data/{number}.out"),
    );
    let mut writer =
        zip::ZipWriter::new(fs::File::create(workspace.path("dmoj/data.zip")).unwrap());
    for (path, bytes) in workspace.files("data") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap();
    let document = imported(&workspace, "dmoj", "batches");
    assert_eq!(
        (&document["format"], &document["confidence"]),
        (&Value::from("dmoj"), &Value::from("certain"))
    );
    assert!(says(
        &document,
        "JI303",
        "limits are not in the files of DMOJ"
    ));
    assert!(
        text(&workspace, "batches/data/secret/03/test_group.yaml")
            .contains("require_pass:\n- secret/02\n")
    );
    let of_all = text(&workspace, "batches/data/secret/test_group.yaml");
    assert!(
        of_all.contains("max_score: 100") && of_all.contains("- float_tolerance\n- '1e-4'"),
        "{of_all}"
    );
    assert_eq!(score(&workspace, "batches", SUM).as_deref(), Some("100"));
    assert_eq!(score(&workspace, "batches", SMALL).as_deref(), Some("5"));
    // Within the tolerance of DMOJ's `floats`.
    let near = SUM.replace("\"%d\\n\"", "\"%d.00001\\n\"");
    assert_eq!(score(&workspace, "batches", &near).as_deref(), Some("100"));
    // Without the archive there is no data.
    fs::remove_file(workspace.path("dmoj/data.zip")).unwrap();
    workspace
        .judge(["import", "dmoj", "--name", "x"])
        .exits(3)
        .stderr_has(&["expected `data.zip` in the source"]);
    workspace.write("dmoj/init.yml", "checker: [\n");
    workspace
        .judge(["import", "dmoj", "--name", "x"])
        .exits(3)
        .stderr_has(&["init.yml"]);
}

#[test]
fn dmoj_test_cases_without_points_are_reported() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_data(
        &workspace,
        |number| format!("dmoj/{number}.in"),
        |number| format!("dmoj/{number}.out"),
    );
    let cases =
        "test_cases:\n- {in: 1.in, out: 1.out, points: 0}\n- {in: 2.in, out: 2.out, points: 100}\n";
    workspace.write("dmoj/init.yml", cases);
    let document = imported(&workspace, "dmoj", "worthless");
    assert!(
        says(&document, "JI306", "test case 1: has 0 points"),
        "{document}"
    );
}

#[test]
fn dmoj_specific_keys_are_reported() {
    let workspace = Workspace::new();
    write_data(
        &workspace,
        |number| format!("dmoj/a.{number}.in"),
        |number| format!("dmoj/a.{number}.out"),
    );
    workspace.write(
        "dmoj/init.yml",
        "custom_judge: judge.py\nchecker: linecount\n",
    );
    let document = imported(&workspace, "dmoj", "plain");
    assert!(
        says(&document, "JI307", "`custom_judge`") && says(&document, "JI307", "`linecount`"),
        "{document}"
    );
    assert_eq!(workspace.files("problems/plain/data/secret").len(), 8);
}

#[test]
fn hydro_subtasks_share_the_remaining_points() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_data(
        &workspace,
        |number| format!("hydro/testdata/{number}.in"),
        |number| format!("hydro/testdata/{number}.out"),
    );
    workspace.write(
        "hydro/problem.yaml",
        "pid: P1000\ntitle: The Sum\ntag: [math]\n",
    );
    workspace.write("hydro/problem_zh.md", "# 和\n");
    workspace.write("hydro/std/std.c", SUM);
    workspace.write(
        "hydro/testdata/config.yaml",
        "time: 2s\nmemory: 64m\nsubtasks:\n- {id: 7, score: 31, type: sum, cases: [{input: 1.in, output: 1.out}, {input: 3.in, output: \
         3.out}]}\n- {id: 8, cases: [{input: 2.in, output: 2.out}]}\n- {id: 9, if: [8], cases: [{input: 4.in, output: 4.out}]}\n",
    );
    let document = imported(&workspace, "hydro", "shared");
    assert_eq!(document["format"], "hydro");
    assert!(
        says(&document, "JI206", "points are multiplied") || says(&document, "JI106", "100 points"),
        "{document}"
    );
    let metadata = text(&workspace, "shared/problem.yaml");
    assert!(
        metadata.contains("time_limit: 2.0")
            && metadata.contains("memory: 64")
            && metadata.contains("The Sum"),
        "{metadata}"
    );
    // Hydro shares 31 points among two test cases as 15 and 16.
    assert!(
        says(
            &document,
            "JI206",
            "subtask 1 has test cases with different points"
        ),
        "{document}"
    );
    assert!(
        text(&workspace, "shared/data/secret/02_1_2/test_group.yaml").contains("max_score: 16")
    );
    assert!(text(&workspace, "shared/data/secret/03/test_group.yaml").contains("max_score: 34"));
    assert!(
        text(&workspace, "shared/data/secret/04/test_group.yaml")
            .contains("max_score: 35\nscore_aggregation: pass-fail\nrequire_pass:\n- secret/03")
    );
    assert!(
        workspace
            .path("problems/shared/statement/problem.zh.md")
            .exists()
    );
    assert!(
        workspace
            .path("problems/shared/submissions/accepted/std.c")
            .exists()
    );
    assert_eq!(score(&workspace, "shared", SUM).as_deref(), Some("100"));
    assert_eq!(score(&workspace, "shared", SMALL).as_deref(), Some("49"));
}

/// Users download the test data of a Hydro problem separately.
#[test]
fn hydro_test_data_is_recognized_without_other_files() {
    let workspace = Workspace::new();
    write_data(
        &workspace,
        |number| format!("data/{number}.in"),
        |number| format!("data/{number}.out"),
    );
    let subtasks = "subtasks:\n- {score: 30, cases: [{input: 1.in, output: 1.out}]}\n- {score: 70, cases: [{input: 3.in, output: 3.out}]}\n";
    workspace.write("data/config.yaml", subtasks);
    let document = imported(&workspace, "data", "known");
    assert_eq!(
        (&document["format"], &document["confidence"]),
        (&Value::from("hydro"), &Value::from("certain"))
    );
    assert!(
        says(&document, "JI106", "2 groups, 100 points in all"),
        "{document}"
    );
    assert!(says(&document, "JI315", "`2.in`, `2.out`"), "{document}");
    // A source without any mark of Hydro is imported as such when the format is named.
    for (settings, name) in [("time: 3s\n", "timed"), ("", "bare")] {
        workspace.write("data/config.yaml", settings);
        assert_eq!(
            imported(&workspace, "data", &format!("plain{name}"))["format"],
            "plain"
        );
        workspace
            .judge(["import", "data", "--from", "hydro", "--name", name])
            .exits(0);
        let found = workspace
            .files(&format!("problems/{name}/data/secret"))
            .len();
        assert_eq!(found, 9, "4 test cases, and what they are worth");
    }
    assert!(text(&workspace, "timed/problem.yaml").contains("time_limit: 3.0"));
}

#[test]
fn syzoj_subtasks_are_groups() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_data(
        &workspace,
        |number| format!("syzoj/a{number}.in"),
        |number| format!("syzoj/a{number}.ans"),
    );
    workspace.write(
        "syzoj/data.yml",
        "subtasks:\n- {score: 30, type: sum, cases: [1, 2, 3]}\n- {score: 70, type: mul, cases: ['4']}\ninputFile: 'a#.in'\noutputFile: \
         'a#.ans'\nspecialJudge: {language: cpp, fileName: spj.cpp}\n",
    );
    let document = imported(&workspace, "syzoj", "syzoj");
    assert!(
        says(&document, "JI307", "`spj.cpp` is missing") && says(&document, "JI206", "multiplies"),
        "{document}"
    );
    // The checker reads files in its working directory, and prints a percentage: half for an answer
    // that is one too large.
    workspace.write(
        "syzoj/spj.cpp",
        "#include <cstdio>\nlong of(const char *name) { long n = -9; FILE *f = fopen(name, \"r\"); if (!f || fscanf(f, \"%ld\", &n) != 1) \
         n = -9; return n; }\nint main() { fopen(\"code\", \"r\") || fprintf(stderr, \"no code\"); long a = of(\"answer\"), u = \
         of(\"user_out\"), i = of(\"input\"); printf(\"%d\\n\", i == -9 ? 1000 : u == a ? 100 : u == a + 1 ? 50 : 0); }\n",
    );
    let document = imported(&workspace, "syzoj", "special");
    assert!(says(&document, "JI207", "`spj.cpp`"), "{document}");
    let near = SUM.replace("\"%d\\n\"", "\"%d1\\n\"");
    assert_eq!(score(&workspace, "special", SUM).as_deref(), Some("100"));
    assert_eq!(score(&workspace, "special", &near).as_deref(), Some("0"));
    let near = SUM.replace("a + b", "a + b + 1");
    assert_ne!(near, SUM);
    assert_eq!(score(&workspace, "special", &near).as_deref(), Some("50"));
    assert_eq!(score(&workspace, "syzoj", SUM).as_deref(), Some("100"));
    assert_eq!(score(&workspace, "syzoj", SMALL).as_deref(), Some("20"));
}

#[test]
fn uoj_settings_become_subtasks_samples_and_extra_tests() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_data(
        &workspace,
        |number| format!("uoj/in{number}.txt"),
        |number| format!("uoj/out{number}.txt"),
    );
    workspace.write("uoj/ex_in1.txt", "0 0\n");
    workspace.write("uoj/ex_out1.txt", "0\n");
    workspace.write("uoj/ex_in2.txt", "500 500\n");
    workspace.write("uoj/ex_out2.txt", "1000\n");
    workspace.write("uoj/std.cpp", SUM);
    workspace.write(
        "uoj/problem.conf",
        "use_builtin_judger on\nuse_builtin_checker wcmp\nn_tests 4\nn_ex_tests 2\nn_sample_tests 1\ninput_pre in\ninput_suf txt\n\
         output_pre out\noutput_suf txt\ntime_limit 2\nmemory_limit 128\nn_subtasks 2\nsubtask_end_1 2\nsubtask_score_1 40\n\
         subtask_end_2 4\nsubtask_score_2 60\nsubtask_dependence_2 1\n",
    );
    let document = imported(&workspace, "uoj", "words");
    assert!(
        says(&document, "JI206", "extra tests") && says(&document, "JI106", "3 groups, 100 points"),
        "{document}"
    );
    assert_eq!(workspace.files("problems/words/data/sample").len(), 3);
    assert!(
        text(&workspace, "words/data/secret/02/test_group.yaml")
            .contains("require_pass:\n- secret/01")
    );
    assert_eq!(score(&workspace, "words", SUM).as_deref(), Some("100"));
    assert_eq!(score(&workspace, "words", SMALL).as_deref(), Some("40"));
}
