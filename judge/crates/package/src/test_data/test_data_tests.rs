//! Tests of test data, in both layouts.

use crate::fixture::Tree;
use crate::{InputValidatorArgs, LoadedPackage};

fn ids(loaded: &LoadedPackage) -> Vec<&str> {
    loaded
        .problem
        .test_cases
        .iter()
        .map(|case| case.id.as_str())
        .collect()
}

pub(super) fn args<'l>(loaded: &'l LoadedPackage, id: &str) -> &'l [String] {
    &loaded
        .problem
        .test_case(id)
        .unwrap()
        .output_validator_args
        .all
}

#[test]
fn samples_come_first_then_names_in_byte_order() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.cases(
        "x",
        &[
            "secret/10",
            "secret/1-a",
            "secret/1",
            "secret/02.b",
            "secret/a/2",
            "secret/a/1",
            "secret/B",
        ],
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        ids(&loaded),
        [
            "sample/1",
            "secret/01",
            "secret/02",
            "secret/02.b",
            "secret/1",
            "secret/1-a",
            "secret/10",
            "secret/B",
            "secret/a/1",
            "secret/a/2"
        ]
    );
    let first = &loaded.problem.test_cases[0];
    assert_eq!(
        (&first.input, &first.answer),
        (
            &tree.path("x/data/sample/1.in"),
            &tree.path("x/data/sample/1.ans")
        )
    );
    assert!(first.is_sample());
}

#[test]
fn directories_in_place_of_files_are_reported() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/data/secret/1.in/input.txt", "");
    tree.write("x/data/secret/1.ans", "");
    tree.write("x/data/secret/2.in", "");
    tree.write("x/data/secret/2.ans/answer.txt", "");
    let message = |name: &str, base: &str| {
        format!(
            "x/data/secret/{name}: expected a file of the test case `{base}`, found a directory"
        )
    };
    assert_eq!(
        tree.errors("x"),
        [message("1.in", "1"), message("2.ans", "2")]
    );
}

#[test]
fn incomplete_test_cases_are_errors() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/data/secret/a.in", "");
    tree.write("x/data/secret/b.ans", "");
    tree.write("x/data/secret/c.yaml", "");
    tree.write("x/data/secret/d.IN", "");
    tree.write("x/data/secret/d.ans", "");
    tree.write("x/data/secret/e.in.in", "");
    tree.write("x/data/secret/e.ans", "");
    tree.write("x/data/secret/f.in.txt", "");
    tree.write("x/data/secret/f.ans", "");
    tree.write("x/data/secret/test_group.in", "");
    tree.write("x/data/secret/test_group.ans", "");
    tree.write("x/data/secret/01/y.txt", "");
    assert_eq!(
        tree.errors("x"),
        [
            "x/data/secret/01: a directory must not have the name of a test case next to it, `01`",
            "x/data/secret/a.in: test case `secret/a` has no `.ans` file\nhint: `judge generate --review x/secret/a` writes it if all accepted solutions agree",
            "x/data/secret/b.ans: its input `b.in` is missing",
            "x/data/secret/c.yaml: its input `c.in` is missing",
            "x/data/secret/d.ans: its input `d.in` is missing\nhint: rename `d.IN` to `d.in`",
            "x/data/secret/e.ans: its input `e.in` is missing\nhint: rename `e.in.in` to `e.in`",
            "x/data/secret/e.in.in: test case `secret/e.in` has no `.ans` file\nhint: rename `e.in.in` to `e.in`",
            "x/data/secret/f.ans: its input `f.in` is missing\nhint: rename `f.in.txt` to `f.in`",
            "x/data/secret/test_group.in: a test case must not be named `test_group`, because of `test_group.yaml`",
        ]
    );
}

#[test]
fn files_with_names_of_other_systems_are_recognised() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/data/secret/a.in", "");
    tree.write("x/data/secret/a.out", "");
    tree.write("x/data/secret/testdata.yaml", "");
    assert_eq!(
        tree.errors("x"),
        [
            "x/data/secret/a.in: test case `secret/a` has no `.ans` file\nhint: answers are named `.ans`: rename `a.out` to `a.ans`",
            "x/data/secret/testdata.yaml: `testdata.yaml` is its legacy name; in format 2025-09 it is `test_group.yaml`",
        ]
    );
}

#[test]
fn missing_secret_data_is_reported() {
    let tree = Tree::new();
    tree.package("x", "");
    std::fs::remove_dir_all(tree.path("x/data/secret")).unwrap();
    let samples_alone = "x/data: no complete test case in `secret`: only the samples are judged";
    assert_eq!(tree.warnings("x"), [samples_alone]);
    tree.write("x/problem.yaml", "name: A\n");
    assert_eq!(tree.warnings("x"), [samples_alone]);
    std::fs::remove_file(tree.path("x/data/sample/1.in")).unwrap();
    std::fs::remove_file(tree.path("x/data/sample/1.ans")).unwrap();
    assert_eq!(
        tree.errors("x"),
        ["x/data/secret: expected at least one complete test case, found none"]
    );
    std::fs::remove_dir_all(tree.path("x/data")).unwrap();
    tree.write("x/generators/generators.yaml", "");
    assert_eq!(
        tree.errors("x"),
        [
            "x/data: expected a directory with test data, found none\nhint: `generators/generators.yaml` exists: generate the test data first"
        ]
    );
    tree.write("x/Data/secret/1.in", "");
    assert_eq!(
        tree.errors("x"),
        ["x/data: expected a directory with test data, found none\nhint: rename `Data` to `data`"]
    );
    tree.write("x/data", "");
    assert!(tree.errors("x")[0].ends_with("generate the test data first"));
}

#[test]
fn files_without_a_test_case_are_reported() {
    let tree = Tree::new();
    tree.package("x", "");
    for file in [
        "secret/README",
        "secret/01.png",
        "secret/01.in.statement",
        "secret/.gitkeep",
        "secret/a b.in",
        "secret/01.in~",
        "notes.txt",
        "secert/1.in",
        "sample/9.interaction",
    ] {
        tree.write(&format!("x/data/{file}"), "");
    }
    assert_eq!(
        tree.warnings("x"),
        [
            "x/data/notes.txt: ignored: test data belong in `data/sample` and `data/secret`",
            "x/data/secert: ignored: expected one of `sample`, `secret`, `invalid_input`, `invalid_output`, `valid_output`\nhint: did you mean `secret`?",
            "x/data/secret/README: ignored: it belongs to no test case",
            "x/data/secret/a b.in: ignored: its name is not allowed\nhint: names have letters, digits, `_`, `.` and `-`, and start with a letter, a digit or `_`",
        ]
    );
}

#[test]
fn settings_come_from_the_nearest_file() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/output_validator/validate.py", "");
    std::fs::remove_dir_all(tree.path("x/data/secret")).unwrap();
    tree.cases("x", &["secret/g1/a", "secret/g1/deep/b", "secret/g2/c"]);
    tree.write(
        "x/data/secret/test_group.yaml",
        "output_validator_args: [from, secret]\nargs: [s]\n",
    );
    tree.write(
        "x/data/secret/g1/test_group.yaml",
        "output_validator_args: [from, g1]\ninput_validator_args: [i]\n",
    );
    tree.write("x/data/secret/g2/test_group.yaml", "full_feedback: true\n");
    tree.write(
        "x/data/secret/g1/deep/b.yaml",
        "output_validator_args: []\nargs: [x, y z]\nhint: H\ninput_validator_args: {validate.py: [b]}\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(args(&loaded, "secret/g1/a"), ["from", "g1"]);
    assert_eq!(args(&loaded, "secret/g1/deep/b"), [""; 0]);
    assert_eq!(args(&loaded, "secret/g2/c"), ["from", "secret"]);
    assert_eq!(args(&loaded, "sample/1"), [""; 0]);
    assert_eq!(
        loaded.problem.test_case("secret/g1/deep/b").unwrap().args,
        ["x", "y z"]
    );
    assert_eq!(loaded.problem.test_case("secret/g2/c").unwrap().args, ["s"]);
    assert_eq!(
        loaded.input_validator_args["secret/g1/a"],
        InputValidatorArgs::All(vec!["i".to_owned()])
    );
    assert_eq!(
        loaded.input_validator_args["secret/g1/deep/b"].for_validator("validate.py"),
        ["b"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/g1/deep/b"].for_validator("other.py"),
        [""; 0]
    );
    assert!(!loaded.input_validator_args.contains_key("secret/g2/c"));
    let groups: Vec<&str> = loaded
        .problem
        .test_groups
        .iter()
        .map(|group| group.id.as_str())
        .collect();
    assert_eq!(groups, ["sample", "secret", "secret/g1", "secret/g2"]);
}

#[test]
fn faulty_arguments_of_the_default_validator_are_reported_with_their_line() {
    let origin = "of the default output validator";
    let expected =
        "expected a decimal number of at least 0 in the range of binary64, such as `1e-6`";
    let tree = Tree::new();
    tree.package("x", "");
    tree.write(
        "x/data/secret/test_group.yaml",
        "args: [s]\noutput_validator_args: [float_tolerance, abc]\n",
    );
    let reported =
        format!("invalid tolerance `abc` for argument `float_tolerance` {origin}; {expected}");
    assert_eq!(
        tree.errors("x"),
        [format!("x/data/secret/test_group.yaml:2: {reported}")],
        "once for all test cases"
    );
    // Legacy: the arguments of the package come first, and a group's own may end them.
    let tree = Tree::new();
    tree.legacy_package("x", "validator_flags: case_sensitive float_tolerance\n");
    let missing =
        format!("argument `float_tolerance` {origin} needs a tolerance after it, such as `1e-6`");
    let [reported] = &tree.errors("x")[..] else {
        panic!("{:?}", tree.errors("x"))
    };
    assert!(
        reported.starts_with("x/problem.yaml:") && reported.ends_with(&format!(": {missing}")),
        "{reported}"
    );
    tree.write("x/data/testdata.yaml", "output_validator_flags: 1e-6\n");
    assert_eq!(tree.load("x").unwrap().warnings.len(), 0);
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_flags: 1e-6 tolerant\n",
    );
    let [reported] = &tree.errors("x")[..] else {
        panic!("{:?}", tree.errors("x"))
    };
    assert!(
        reported.starts_with(&format!(
            "x/data/secret/testdata.yaml:1: unknown argument `tolerant` {origin}"
        )),
        "{reported}"
    );
    // The arguments of the package's own validator are unknown here.
    tree.legacy_package(
        "y",
        "validation: custom\nvalidator_flags: float_tolerance abc\n",
    );
    tree.write("y/output_validators/v/validate.py", "");
    assert!(tree.load("y").is_ok());
}

#[test]
fn settings_are_checked() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write(
        "x/data/secret/test_group.yaml",
        "max_score: 5\nargz: []\nstatic_validation_score: 5\n",
    );
    tree.write("x/data/sample/test_group.yaml", "max_score: 5\n");
    tree.write("x/data/secret/01.yaml", "args: [1]\nmax_score: 2\n");
    tree.write("x/data/secret/02.yaml", "]\n");
    tree.write("x/data/secret/d/e/test_group.yaml", "");
    let reported = tree.errors("x");
    for part in [
        "x/data/secret/test_group.yaml:1: `max_score`: only problems of type `scoring` have it",
        "x/data/secret/test_group.yaml:2: unknown key `argz`; expected one of `args`,",
        "x/data/secret/test_group.yaml:3: `static_validation_score`: the package has no static validator",
        "x/data/sample/test_group.yaml:1: unknown key `max_score`; expected one of",
        "x/data/secret/01.yaml:1: `args[0]`: expected a string, found the number `1`",
        "x/data/secret/01.yaml:2: unknown key `max_score`; expected one of",
        "x/data/secret/02.yaml:1: not valid YAML: ",
    ] {
        assert!(
            reported.iter().any(|error| error.starts_with(part)),
            "{part}\n{reported:#?}"
        );
    }
    assert_eq!(reported.len(), 7, "{reported:#?}");
}

#[test]
fn groups_are_not_mixed_with_test_cases() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.cases("x", &["secret/g1/a", "secret/g2/b"]);
    assert!(tree.load("x").is_ok(), "plain directories are only folders");
    tree.write("x/data/secret/g1/test_group.yaml", "");
    let reported = [
        "x/data/secret/g2: expected a `test_group.yaml`, because its neighbour `g1` has one",
        "x/data/secret: `01` is next to the test data group `g1`; expected it in one of the groups",
    ];
    assert_eq!(
        tree.warnings("x"),
        reported,
        "without scores, groups decide nothing"
    );
    tree.package("x", "type: scoring\n");
    let errors = tree.errors("x");
    assert!(
        reported
            .iter()
            .all(|error| errors.iter().any(|reported| reported == error)),
        "{errors:#?}"
    );
}

#[test]
fn arguments_are_inherited_from_any_directory() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.cases("x", &["secret/g/deep/a"]);
    tree.write(
        "x/data/test_group.yaml",
        "output_validator_args: [case_sensitive]\n",
    );
    tree.write("x/data/secret/g/deep/test_group.yaml", "args: [deep]\n");
    let loaded = tree.load("x").unwrap();
    let case = loaded.problem.test_case("secret/g/deep/a").unwrap();
    assert_eq!(
        (&case.args[..], &case.output_validator_args.all[..]),
        (&["deep".to_owned()][..], &["case_sensitive".to_owned()][..])
    );
    assert_eq!(loaded.warnings.len(), 2, "{:?}", loaded.warnings);
    tree.package("x", "type: scoring\n");
    let place = "x/data/secret/g/deep/test_group.yaml: only `sample`, `secret` and the directories directly in `secret` are groups";
    assert!(tree.errors("x").iter().any(|error| error == place));
}

#[test]
fn validator_cases_are_listed_separately() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/data/invalid_input/empty.in", "");
    tree.write(
        "x/data/invalid_input/test_group.yaml",
        "input_validator_args: [strict]\n",
    );
    for (part, extensions) in [
        ("valid_output", &["in", "ans", "out"][..]),
        ("invalid_output", &["in", "ans"]),
    ] {
        extensions
            .iter()
            .for_each(|extension| tree.write(&format!("x/data/{part}/a.{extension}"), ""));
    }
    assert_eq!(
        tree.errors("x"),
        ["x/data/invalid_output/a.in: test case `invalid_output/a` has no `.out` file"]
    );
    tree.write("x/data/invalid_output/a.out", "");
    let loaded = tree.load("x").unwrap();
    assert_eq!(ids(&loaded), ["sample/1", "secret/01", "secret/02"]);
    let extra = &loaded.extra_cases;
    assert_eq!(
        (
            extra.invalid_input.len(),
            extra.invalid_output.len(),
            extra.valid_output.len()
        ),
        (1, 1, 1)
    );
    assert_eq!(extra.invalid_input[0].answer, None);
    assert_eq!(
        extra.invalid_input[0]
            .input_validator_args
            .for_validator("any"),
        ["strict"]
    );
    assert_eq!(
        extra.valid_output[0].output,
        Some(tree.path("x/data/valid_output/a.out"))
    );
}

#[test]
fn files_and_outputs_belong_to_their_test_case() {
    let tree = Tree::with(&[
        ("x/data/secret/01.files/a.txt", ""),
        ("x/data/invalid_input/e.files/b", ""),
    ]);
    tree.package("x", "");
    tree.write("x/data/secret/02.out", "");
    tree.write("x/data/invalid_input/e.in", "");
    let loaded = tree.load("x").unwrap();
    let case = |id: &str| loaded.problem.test_case(id).unwrap();
    assert_eq!(
        case("secret/01").files,
        Some(tree.path("x/data/secret/01.files"))
    );
    assert_eq!(
        (&case("secret/02").files, &case("secret/02").output),
        (&None, &Some(tree.path("x/data/secret/02.out")))
    );
    assert_eq!(case("secret/01").output, None);
    assert_eq!(
        loaded.extra_cases.invalid_input[0].files,
        Some(tree.path("x/data/invalid_input/e.files"))
    );
    assert_eq!(ids(&loaded), ["sample/1", "secret/01", "secret/02"]);
    tree.write("x/data/secret/02.files", "");
    tree.make_directory("x/data/secret/03.files");
    assert_eq!(
        tree.errors("x"),
        [
            "x/data/secret/02.files: expected a directory with files for a test case, found a file",
            "x/data/secret/03.files: its input `03.in` is missing",
        ]
    );
    // In legacy it is a directory like any other.
    tree.legacy_package("y", "name: A\n");
    tree.cases("y", &["secret/01.files/a"]);
    assert!(
        tree.load("y")
            .unwrap()
            .problem
            .test_case("secret/01.files/a")
            .is_some()
    );
}

#[test]
fn incomplete_test_cases_in_legacy_are_errors() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom interactive\n");
    tree.write("x/output_validators/v.py", "");
    tree.write("x/data/sample/2.interaction", "");
    tree.write("x/data/secret/c.hint", "");
    let loaded = tree.load("x").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), Vec::<String>::new());
    assert_eq!(ids(&loaded), ["sample/1", "secret/01", "secret/02"]);
    tree.write("x/data/sample/3.ans", "");
    tree.write("x/data/secret/a.in", "");
    tree.write("x/data/secret/b.ans", "");
    assert_eq!(
        tree.errors("x"),
        [
            "x/data/sample/3.ans: its input `3.in` is missing",
            "x/data/secret/a.in: test case `secret/a` has no `.ans` file\nhint: `judge generate --review x/secret/a` writes it if all accepted solutions agree",
            "x/data/secret/b.ans: its input `b.in` is missing",
        ]
    );
}

#[test]
fn draft_file_names_are_accepted() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write(
        "x/problem.yaml",
        "problem_format_version: 2023-07\nname: X\nvalidator_flags: [a b]\n",
    );
    tree.write("x/output_validator/validate.py", "");
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_args: [c]\n",
    );
    tree.write("x/data/secret/01.args", "one two\n");
    let loaded = tree.load("x").unwrap();
    assert_eq!(args(&loaded, "secret/01"), ["a b", "c"]);
    assert_eq!(
        loaded.problem.test_case("secret/01").unwrap().args,
        ["one", "two"]
    );
    tree.write("x/data/secret/01.args", "'one two'\n");
    assert_eq!(
        tree.load("x")
            .unwrap()
            .problem
            .test_case("secret/01")
            .unwrap()
            .args,
        ["one two"]
    );
    tree.write("x/data/secret/01.args", "'one two\n");
    let expected =
        "x/data/secret/01.args:1: expected arguments, found a quote or `\\` without its end";
    assert_eq!(tree.errors("x"), [expected]);
}

#[test]
fn linked_test_cases_are_test_cases() {
    use std::os::unix::fs::symlink;
    let tree = Tree::new();
    tree.package("x", "");
    for extension in ["in", "ans"] {
        symlink(
            format!("01.{extension}"),
            tree.path(&format!("x/data/secret/03.{extension}")),
        )
        .unwrap();
    }
    symlink("../sample", tree.path("x/data/secret/samples")).unwrap();
    assert_eq!(
        ids(&tree.load("x").unwrap()),
        [
            "sample/1",
            "secret/01",
            "secret/02",
            "secret/03",
            "secret/samples/1"
        ]
    );
    symlink("..", tree.path("x/data/secret/loop")).unwrap();
    symlink("nowhere.in", tree.path("x/data/secret/04.in")).unwrap();
    let reported = tree.errors("x");
    assert!(
        reported.contains(&"x/data/secret/loop: the link leads to a directory above it".to_owned()),
        "{reported:#?}"
    );
    assert!(
        reported
            .iter()
            .any(|error| error.starts_with("x/data/secret/04.in: the link leads nowhere")),
        "{reported:#?}"
    );
}
