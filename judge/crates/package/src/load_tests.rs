//! Tests of whole packages: the combination of their parts, validators, and that no directory tree
//! makes loading panic.

use judge_model::{FormatVersion, OutputValidator, Scripts};
use proptest::prelude::*;

use crate::PackageErrors;
use crate::fixture::Tree;

#[test]
fn minimal_packages_of_each_format_load() {
    let tree = Tree::new();
    tree.package("current", "");
    let loaded = tree.load("current").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
    let problem = loaded.problem;
    assert_eq!(
        (problem.name.as_str(), problem.title.as_str()),
        ("current", "A Problem")
    );
    assert_eq!(
        (problem.format, &problem.directory),
        (FormatVersion::V2025_09, &tree.path("current"))
    );
    assert_eq!(
        (
            problem.test_cases.len(),
            problem.submissions.len(),
            problem.input_validators.len()
        ),
        (3, 1, 1)
    );
    assert_eq!(problem.output_validator, OutputValidator::Default);

    tree.legacy_package("legacy", "name: legacy\n");
    tree.write("legacy/.timelimit", "2\n");
    let loaded = tree.load("legacy").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
    assert_eq!(
        (loaded.problem.title.as_str(), loaded.problem.format),
        ("legacy", FormatVersion::Legacy)
    );
    assert_eq!(
        loaded.problem.limits.time_limit,
        Some(std::time::Duration::from_secs(2))
    );
    assert!(loaded.problem.allow_file_writing);
}

#[test]
fn all_mistakes_are_reported_together() {
    let tree = Tree::new();
    tree.package(
        "x",
        "limits: {memory: 0}\ntype: interactive\nlanguages: [cpp, klingon]\n",
    );
    tree.write("x/data/secret/lonely.in", "");
    tree.write("x/output_validator/a.txt", "");

    assert_eq!(
        tree.errors("x"),
        [
            "x/problem.yaml:4: `limits.memory`: expected an integer of at least 4, in MiB, found the number `0`",
            "x/output_validator: output validator: no file of a known language",
            "x/data/secret/lonely.in: test case `secret/lonely` has no `.ans` file\nhint: `judge generate --review x/secret/lonely` writes it if all accepted solutions agree",
        ]
    );
}

#[test]
fn directories_without_a_package_are_errors() {
    let tree = Tree::new();
    tree.make_directory("x");
    assert_eq!(
        tree.errors("x"),
        ["x: expected a problem package, found no `problem.yaml` in it"]
    );
    assert_eq!(
        tree.errors("y"),
        ["y: expected a problem package, found no `problem.yaml` in it"]
    );
    tree.package("z", "\tbad");
    assert_eq!(tree.errors("z").len(), 1);
}

fn output_validator(tree: &Tree) -> Option<(String, Vec<String>)> {
    match tree
        .load("x")
        .unwrap_or_else(|errors| panic!("{errors}"))
        .problem
        .output_validator
    {
        OutputValidator::Default => None,
        OutputValidator::Custom(programs) => {
            let [program] = &programs[..] else {
                panic!("{programs:?}")
            };
            let path = program
                .path
                .strip_prefix(tree.path("x"))
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            Some((
                path,
                program
                    .sources
                    .iter()
                    .map(|source| source.to_str().unwrap().to_owned())
                    .collect(),
            ))
        }
    }
}

fn found(path: &str, sources: &[&str]) -> Option<(String, Vec<String>)> {
    Some((
        path.to_owned(),
        sources.iter().map(|source| (*source).to_owned()).collect(),
    ))
}

#[test]
fn output_validator_may_be_or_contain_the_program() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.make_directory("x/output_validator");
    assert_eq!(
        tree.warnings("x"),
        ["x/output_validator: an empty directory, without any output validator"]
    );
    tree.write("x/output_validator/inner/validate.cc", "");
    tree.write("x/output_validator/inner/validate.h", "");
    assert_eq!(
        output_validator(&tree),
        found("output_validator/inner", &["validate.cc"])
    );
    tree.make_directory("x/output_validator/other");
    assert_eq!(
        tree.errors("x"),
        ["x/output_validator: expected one output validator, found 2 directories"]
    );
    tree.write("x/output_validator/main.cc", "");
    assert_eq!(
        output_validator(&tree),
        found("output_validator", &["main.cc", "inner/validate.cc"])
    );
    tree.write("x/output_validator/run", "");
    assert_eq!(
        tree.warnings("x"),
        [
            "x/output_validator/run: not executable, so it is not treated as a script\nhint: make it executable: `chmod +x run`"
        ]
    );
}

#[test]
fn legacy_output_validators_are_found() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom\n");
    assert_eq!(
        tree.errors("x"),
        [
            "x/output_validators: problem.yaml sets `validation: custom`, but the package has no output validator\nhint: put it into \
          `output_validators/`, or set `validation: default`"
        ]
    );
    tree.write("x/output_validator/new.py", "");
    assert_eq!(
        output_validator(&tree),
        found("output_validator", &["new.py"])
    );
    tree.write("x/output_validators/a/check.cpp", "");
    tree.write("x/output_validators/testlib.h", "");
    assert_eq!(
        output_validator(&tree),
        found("output_validators/a", &["check.cpp"])
    );
    tree.write("x/output_validators/b.py", "");
    let OutputValidator::Custom(programs) = tree.load("x").unwrap().problem.output_validator else {
        panic!()
    };
    let names: Vec<&str> = programs
        .iter()
        .map(|program| program.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b.py"]);
    tree.write("x/problem.yaml", "validation: default\n");
    assert_eq!(output_validator(&tree), None);
    assert_eq!(
        tree.warnings("x"),
        ["x/output_validators: not used: problem.yaml does not set `validation: custom`"]
    );
}

#[test]
fn non_executable_legacy_scripts_are_not_input_validators() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/input_validators/check_all.sh", "exit 0\n");
    let names = |tree: &Tree| -> Vec<String> {
        tree.load("x")
            .unwrap()
            .problem
            .input_validators
            .into_iter()
            .map(|validator| validator.name)
            .collect()
    };
    assert_eq!(
        names(&tree),
        ["check_all.sh", "validate.py"],
        "2025-09 has the language"
    );
    tree.write("x/problem.yaml", "name: X\n");
    assert_eq!(names(&tree), ["validate.py"]);
    tree.script("x/input_validators/check_all.sh");
    assert_eq!(names(&tree), ["check_all.sh", "validate.py"]);
}

#[test]
fn unusable_input_validators_are_reported() {
    let tree = Tree::new();
    tree.package("x", "");
    for file in [
        "b/check.cpp",
        "a.rs",
        "x.ctd",
        "old.viva",
        "scripted/notes",
        "shared.h",
        "notes.txt",
    ] {
        tree.write(&format!("x/input_validators/{file}"), "");
    }
    let loaded = tree.load("x").unwrap();
    let programs = loaded.problem.input_validators.iter();
    let programs: Vec<_> = programs
        .map(|p| (p.name.as_str(), p.language.0.as_str()))
        .collect();
    assert_eq!(
        programs,
        [
            ("a.rs", "rust"),
            ("b", "cpp"),
            ("validate.py", "python3"),
            ("x.ctd", "checktestdata")
        ]
    );
    assert_eq!(
        tree.warning_lines(&loaded.warnings),
        [
            "x/input_validators/notes.txt: this input validator cannot be run: no file of a known language",
            "x/input_validators/old.viva: this input validator is not run: no VIVA interpreter is available",
            "x/input_validators/scripted: this input validator cannot be run: no file of a known language",
        ]
    );
    std::fs::remove_dir_all(tree.path("x/input_validators")).unwrap();
    assert_eq!(tree.warnings("x").len(), 1);
}

#[test]
fn scripts_make_a_directory_a_program() {
    let tree = Tree::new();
    tree.package("x", "type: interactive\n");
    tree.script("x/output_validator/build");
    tree.write("x/output_validator/src/validate.cc", "");
    tree.write("x/output_validator/src/validate.h", "");
    tree.script("x/static_validator/inner/run");
    tree.script("x/input_validators/both/run");
    tree.script("x/input_validators/both/build");
    let problem = tree.load("x").unwrap().problem;
    let OutputValidator::Custom(programs) = problem.output_validator else {
        panic!()
    };
    assert_eq!(
        programs[0].scripts,
        Some(Scripts {
            build: true,
            run: false
        })
    );
    assert_eq!(programs[0].language.0, "cpp");
    let sources = ["build", "src/validate.cc", "src/validate.h"].map(std::path::PathBuf::from);
    assert_eq!(programs[0].sources, sources);
    let validator = problem.static_validator.unwrap();
    assert_eq!(
        (validator.name.as_str(), validator.scripts),
        (
            "inner",
            Some(Scripts {
                build: false,
                run: true
            })
        )
    );
    assert_eq!(
        problem.input_validators[0].scripts,
        Some(Scripts {
            build: true,
            run: true
        })
    );
    assert!(problem.interactive);

    tree.legacy_package("y", "validation: custom interactive\n");
    tree.script("y/output_validators/v/run");
    let problem = tree.load("y").unwrap().problem;
    let OutputValidator::Custom(programs) = problem.output_validator else {
        panic!()
    };
    assert_eq!(
        programs[0].scripts,
        Some(Scripts {
            build: false,
            run: true
        })
    );
}

#[test]
fn interactive_problems_need_an_output_validator() {
    let tree = Tree::new();
    tree.package("x", "type: [interactive, multi-pass]\n");
    assert_eq!(
        tree.errors("x"),
        [
            "x/output_validator: expected an output validator, which interactive problems need, found none\nhint: put the \
          program that acts as the judge into `output_validator/`"
        ]
    );
    tree.package("y", "type: multi-pass\n");
    assert!(tree.errors("y")[0].contains("which multi-pass problems need"));
    tree.write("y/output_validators/v.py", "");
    assert_eq!(
        tree.warnings("y"),
        [
            "y/output_validators: `output_validators` is its name in format legacy; read as `output_validator`"
        ]
    );
    assert_eq!(tree.load("y").unwrap().problem.passes, 2);
    tree.package("z", "type: submit-answer\n");
    assert!(tree.load("z").unwrap().problem.submit_answer);
    tree.write("z/static_validator/v.py", "");
    assert_eq!(
        tree.errors("z"),
        ["z/static_validator: problems of type `submit-answer` have no static validator"]
    );
}

#[test]
fn missing_headers_prevent_only_judging() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/input_validators/v/v.cpp", "");
    std::os::unix::fs::symlink("../../../lib/v.h", tree.path("x/input_validators/v/v.h")).unwrap();
    let warnings = tree.warnings("x");
    assert!(
        warnings[0].starts_with("x/input_validators/v/v.h: the link leads nowhere"),
        "{warnings:?}"
    );
    tree.write("x/output_validator/v.cpp", "");
    std::os::unix::fs::symlink("../../lib/v.h", tree.path("x/output_validator/v.h")).unwrap();
    assert_eq!(tree.errors("x").len(), 1);
    // A directory next to the package is not in the package.
    tree.write("lib/v.h", "");
    assert_eq!(tree.errors("x").len(), 2);
    for link in ["x/input_validators/v/v.h", "x/output_validator/v.h"] {
        std::fs::remove_file(tree.path(link)).unwrap();
        tree.write("x/include_for_validators/v.h", "");
        std::os::unix::fs::symlink(tree.path("x/include_for_validators/v.h"), tree.path(link))
            .unwrap();
    }
    assert!(tree.load("x").is_ok());
}

#[test]
fn settings_of_other_tools_are_read_in_legacy_packages() {
    let tree = Tree::new();
    tree.legacy_package("x", "author: Ada\n");
    tree.write(
        "x/domjudge-problem.ini",
        "timelimit=3\nname=A Name\nspecial_compare=cmp_floats\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(loaded.problem.title, "A Name");
    assert_eq!(
        loaded.problem.limits.time_limit,
        Some(std::time::Duration::from_secs(3))
    );
    assert_eq!(
        tree.warning_lines(&loaded.warnings),
        [
            "x/domjudge-problem.ini: `special_compare` names the program `cmp_floats`, which the package does not have\n\
          hint: problem.yaml sets `validation: default`, so the default output validator is used"
        ]
    );
    tree.write("x/problem.yaml", "name: Another\nlimits: {time_limit: 4}\n");
    let problem = tree.load("x").unwrap().problem;
    assert_eq!(
        (
            problem.title.as_str(),
            problem.limits.time_limit.unwrap().as_secs()
        ),
        ("Another", 4)
    );
}

#[test]
fn odd_names_and_languages_are_warnings() {
    let tree = Tree::new();
    tree.package("Five-Up", "languages: [rust, klingon]\n");
    assert_eq!(
        tree.warnings("Five-Up"),
        [
            "Five-Up: invalid name: expected only lower-case letters and digits",
            "Five-Up/problem.yaml:4: unknown language `klingon`",
        ]
    );
}

/// A path in a package.
fn a_place() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "problem.yaml",
        "data",
        "sample",
        "secret",
        "invalid_output",
        "1.in",
        "1.ans",
        "1.yaml",
        "01.files",
        "g",
        "test_group.yaml",
        "testdata.yaml",
        "submissions",
        "accepted",
        "submissions.yaml",
        "a.py",
        "b.java",
        "run",
        "output_validator",
        "output_validators",
        "input_validators",
        "include",
        ".timelimit",
        "domjudge-problem.ini",
        "a b",
        "é.in",
        ".in",
        "x.",
    ]);
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

#[derive(Clone, Debug)]
enum Change {
    Write(String, Vec<u8>),
    MakeDirectory(String),
    Remove(String),
    Link(String, String),
}

fn a_change() -> impl Strategy<Value = Change> {
    let text = prop::sample::select(vec![
        "",
        "problem_format_version: 2025-09\nname: x\nuuid: u\n",
        "validation: custom\n",
        "args: [a]\n",
        "max_score: 5\n",
        "timelimit=1e999\n",
        "- [\n",
        "class Main { void main(",
        "#!/usr/bin/python2\n",
        "output_validator_flags: {a: [1]}\n",
    ]);
    let bytes = prop_oneof![
        text.prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..30)
    ];
    prop_oneof![
        4 => (a_place(), bytes).prop_map(|(place, bytes)| Change::Write(place, bytes)),
        1 => a_place().prop_map(Change::MakeDirectory),
        2 => a_place().prop_map(Change::Remove),
        1 => (a_place(), a_place()).prop_map(|(from, to)| Change::Link(from, to)),
    ]
}

/// Makes the change as far as possible.
fn apply(tree: &Tree, change: &Change) {
    let at = |place: &String| tree.path("x").join(place);
    match change {
        Change::Write(place, bytes) => {
            let _ = std::fs::create_dir_all(at(place).parent().unwrap());
            let _ = std::fs::write(at(place), bytes);
        }
        Change::MakeDirectory(place) => {
            let _ = std::fs::create_dir_all(at(place));
        }
        Change::Remove(place) => {
            let _ = std::fs::remove_dir_all(at(place)).or_else(|_| std::fs::remove_file(at(place)));
        }
        Change::Link(from, to) => {
            let _ = std::os::unix::fs::symlink(at(to), at(from));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_tree_is_loaded_or_refused(changes in prop::collection::vec(a_change(), 1..12), legacy in any::<bool>()) {
        let tree = Tree::new();
        if legacy { tree.legacy_package("x", "") } else { tree.package("x", "") }
        changes.iter().for_each(|change| apply(&tree, change));
        match tree.load("x") {
            Ok(loaded) => {
                let mut ids: Vec<_> = loaded.problem.test_cases.iter().map(|case| &case.id).collect();
                let count = ids.len();
                ids.sort();
                ids.dedup();
                prop_assert_eq!(ids.len(), count, "test case ids are unique");
                prop_assert!(loaded.problem.test_cases.iter().all(|case| case.input.is_file() && case.answer.is_file()));
            }
            Err(errors) => prop_assert!(PackageErrors::len(&errors) > 0),
        }
    }
}

#[test]
fn an_empty_description_is_reported_wherever_the_package_is_read() {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/problem.yaml", "# nothing yet\n");
    let warnings = tree.warnings("x");
    let reported =
        "x/problem.yaml: the file is empty, so the package is read as one of the legacy format";
    assert_eq!(
        warnings
            .iter()
            .filter(|warning| warning.starts_with(reported))
            .count(),
        1,
        "{warnings:?}"
    );
    tree.write("x/problem.yaml", "name: A\n");
    assert!(
        !tree
            .warnings("x")
            .iter()
            .any(|warning| warning.contains("the file is empty"))
    );
}
