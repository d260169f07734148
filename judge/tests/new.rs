//! `judge new`: each kind of problem can be judged immediately, and its data is the output of its
//! generator.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::{Workspace, has};

const KINDS: [&str; 6] = [
    "pass-fail",
    "custom",
    "float",
    "interactive",
    "multi-pass",
    "scoring",
];

/// Every file below a directory with its bytes.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![directory.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                found.insert(
                    path.strip_prefix(directory).unwrap().to_owned(),
                    fs::read(&path).unwrap(),
                );
            }
        }
    }
    found
}

/// Creates a problem of each kind in a language, and runs every check on it.
fn assert_every_kind_is_valid(language: &str, tools: &str) {
    let Some(workspace) = Workspace::isolated().filter(|_| has(tools)) else {
        return;
    };
    assert_kinds_are_valid(&workspace, language, &KINDS);
    // Each has its own uuid: otherwise this is an error.
    workspace
        .judge(["check", "--static", "--strict"])
        .exits(0)
        .stdout_has(&["6 packages checked"]);
}

fn assert_kinds_are_valid(workspace: &Workspace, language: &str, kinds: &[&str]) {
    for (number, kind) in kinds.iter().enumerate() {
        let name = format!("new{number}");
        let output = [
            "--type",
            kind,
            "--language",
            language,
            "--title",
            "A Sum",
            "--author",
            "Ada Lovelace",
        ];
        let output = workspace
            .judge(["new", &name].into_iter().chain(output))
            .exits(0);
        output.stdout_has(&[
            &format!("files in problems/{name} and solutions/{name}"),
            &format!("judge verify {name}"),
        ]);
        assert_eq!(
            output.stdout.contains("JP601"),
            language == "rust",
            "{}",
            output.stdout
        );
        let output = workspace.judge(["verify", "--strict", &name]).exits(0);
        output
            .stdout_has(&["nothing found", "as expected"])
            .stdout_lacks(&["JP", "remark"]);
        workspace.judge(["check", "--data", &name]).exits(0);
        // Its data is the output of its generator, and recorded as generated.
        workspace
            .judge(["generate", "--check", &name])
            .exits(0)
            .stdout_has(&["up to date"]);
        workspace
            .judge(["run", "--matrix", &name, "--min-kills=2"])
            .exits(0);
        // Other systems accept packages in a language that all of them have. PyPy starts slowly, if
        // it is installed: `verify` has just run every validator.
        let extent = (language == "python").then_some("--static");
        for (profile, extent) in [
            ("kattis", extent),
            ("domjudge", Some("--static")),
            ("icpc", Some("--static")),
        ] {
            let output = workspace.judge(
                ["check", "--profile", profile, "--strict", &name]
                    .into_iter()
                    .chain(extent),
            );
            match language {
                "rust" => output.exits(3).stdout_has(&["JP601"]),
                _ => output.exits(0).stdout_has(&["nothing found"]),
            };
        }
    }
}

#[test]
fn new_problems_are_valid_in_every_language() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    for (language, tools) in [("rust", "rust"), ("cpp", "cpp"), ("python", "python3")] {
        if has(tools) {
            assert_kinds_are_valid(&workspace, language, &KINDS[..1]);
            fs::remove_dir_all(workspace.path("problems/new0")).unwrap();
            fs::remove_dir_all(workspace.path("solutions/new0")).unwrap();
        }
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_new_problem_type_is_valid_in_rust() {
    assert_every_kind_is_valid("rust", "rust");
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_new_problem_type_is_valid_in_cpp() {
    assert_every_kind_is_valid("cpp", "cpp");
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_new_problem_type_is_valid_in_python() {
    assert_every_kind_is_valid("python", "python3");
}

#[test]
fn the_testing_tool_agrees_with_the_interactor() {
    let workspace = Workspace::new();
    if !has("python3") {
        return;
    }
    for language in ["rust", "cpp", "python"] {
        workspace
            .judge([
                "new",
                language,
                "--type",
                "interactive",
                "--language",
                language,
            ])
            .exits(0);
        assert!(
            workspace
                .path(&format!("problems/{language}/attachments/testing_tool.py"))
                .is_file(),
            "{language}"
        );
    }
    let ended = |solution: &[&str]| {
        let mut command = std::process::Command::new("python3");
        command.arg(workspace.path("problems/python/attachments/testing_tool.py"));
        command
            .arg("-f")
            .arg(workspace.path("problems/python/data/sample/1.in"));
        let output = command.args(solution).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let submission = |path: &str| {
        workspace
            .path(&format!("solutions/python/{path}"))
            .display()
            .to_string()
    };
    let (code, text) = ended(&["python3", &submission("accepted/halves.py")]);
    assert!(code == Some(0) && text.ends_with("guesses\n"), "{text}");
    let (code, text) = ended(&["python3", &submission("wrong_answer/one_by_one.py")]);
    assert!(
        code == Some(1) && text.ends_with("not found with 10 guesses\n"),
        "{text}"
    );
    for (script, expected) in [
        ("print(0)", "no guess from 1 to 1000\n"),
        ("pass", "the solution has ended without another guess\n"),
        (
            "print(300); print(300)",
            "the solution continued after the correct guess\n",
        ),
        (
            "print(300, flush=True); raise SystemExit(3)",
            "the solution exited with code 3\n",
        ),
    ] {
        let (code, text) = ended(&["python3", "-c", script]);
        assert!(
            code == Some(1) && text.ends_with(expected),
            "{script}: {text}"
        );
    }
}

/// The header is not part of `judge`. Without it on this host, packages that need it cannot be run.
#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_new_problem_type_is_valid_in_cpp_with_testlib_h() {
    let Some(header) = testlib_on_host() else {
        eprintln!("skipped: no `testlib.h` in /usr/local/include or /usr/include");
        return;
    };
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp")) else {
        return;
    };
    fs::copy(header, workspace.path("testlib.h")).unwrap();
    assert_kinds_are_valid(&workspace, "cpp-testlib", &KINDS);
}

fn testlib_on_host() -> Option<PathBuf> {
    ["/usr/local/include", "/usr/include"]
        .iter()
        .map(|place| Path::new(place).join("testlib.h"))
        .find(|path| path.is_file())
}

#[test]
fn testlib_h_is_found_or_asked_for() {
    let workspace = Workspace::new();
    if testlib_on_host().is_none() {
        let output = workspace
            .judge(["new", "first", "--language", "cpp-testlib"])
            .exits(2);
        output.stderr_has(&[
            "no `testlib.h` was found",
            "hint: get `testlib.h` from",
            "next to `judge.yaml`",
        ]);
        assert!(!workspace.path("problems/first").exists());
    }
    let header = "#define OK_EXIT_CODE 0\n// registerValidation registerGen registerTestlibCmd registerInteraction\n";
    // An adapted header has other exit codes than the programs rely on.
    workspace.write("testlib.h", header.replace("CODE 0", "CODE 42"));
    workspace.write("problems/other/problem.yaml", "name: Other\n");
    workspace.write("problems/other/input_validators/v/testlib.h", header);
    let new = |name: &str| {
        workspace
            .judge(["new", name, "--language", "cpp-testlib", "--type", "custom"])
            .exits(0)
    };
    new("second");
    for directory in ["generators", "input_validators", "output_validator"] {
        let found =
            fs::read_to_string(workspace.path(&format!("problems/second/{directory}/testlib.h")))
                .unwrap();
        assert_eq!(found, header, "{directory}");
    }
    let mine = format!("// mine\n{header}");
    workspace.write("testlib.h", &mine);
    new("third");
    assert_eq!(
        fs::read_to_string(workspace.path("problems/third/generators/testlib.h")).unwrap(),
        mine
    );
}

#[test]
fn custom_packages_are_copied_and_filled() {
    let workspace = Workspace::new();
    workspace.write("own/problem.yaml", "problem_format_version: 2025-09\nname: {en: @TITLE@}\nuuid: @UUID@\ncredits: {authors: [@AUTHOR@]}\nlicense: @LICENSE@\n@RIGHTS@keywords: [our contest]\n");
    workspace.write(
        "own/statement/problem.en.tex",
        "\\problemname{@TEX_TITLE@}\n",
    );
    workspace.write("own/submissions/accepted/a.py", "print()\n");
    let output = [
        "new",
        "adder",
        "--from",
        "own",
        "--title",
        "50 % of it",
        "--author",
        "Ada",
    ];
    workspace
        .judge(output)
        .exits(0)
        .stdout_has(&["created 3 files"])
        .stdout_lacks(&["placeholder", "JP601"]);
    let read = |path: &str| fs::read_to_string(workspace.path(path)).unwrap();
    assert_eq!(
        read("problems/adder/statement/problem.en.tex"),
        "\\problemname{50 \\% of it}\n"
    );
    let settings = read("problems/adder/problem.yaml");
    assert!(
        settings.contains("name: {en: \"50 % of it\"}")
            && settings.contains("rights_owner: \"Ada\"\n"),
        "{settings}"
    );
    assert_eq!(read("solutions/adder/accepted/a.py"), "print()\n");
    workspace
        .judge(["new", "other", "--from", "own", "--type", "float"])
        .exits(2)
        .stderr_has(&["--from"]);
    workspace
        .judge(["new", "other", "--from", "nowhere"])
        .exits(2)
        .stderr_has(&["cannot read the template", "nowhere"]);
    workspace
        .judge(["new", "other", "--from", "own"])
        .exits(0)
        .stdout_has(&["has a placeholder for"]);
}

#[test]
fn placeholders_are_reported_and_found() {
    let workspace = Workspace::new();
    workspace
        .judge(["new", "adder"])
        .exits(0)
        .stdout_has(&["problem.yaml has a placeholder for the title or the author"]);
    let output = workspace.judge(["check", "--static", "adder"]).exits(0);
    output.stdout_has(&[
        "JP516",
        "`Untitled adder` is a placeholder",
        "`the author of adder` is a placeholder",
    ]);
    workspace
        .judge(["check", "--static", "--strict", "adder"])
        .exits(3);
    let output = [
        "new",
        "other",
        "--title",
        "Other",
        "--author",
        "Ada",
        "--license",
        "public domain",
    ];
    workspace
        .judge(output)
        .exits(0)
        .stdout_lacks(&["placeholder"]);
    workspace
        .judge(["check", "--static", "--strict", "other"])
        .exits(0);
    workspace
        .judge(["new", "third", "--license", "gpl"])
        .exits(2)
        .stderr_has(&["public domain", "cc by-sa"]);
    workspace
        .judge(["new", "third", "--language", "java"])
        .exits(2)
        .stderr_has(&["python"]);
    workspace
        .judge(["new", "third", "--title", ""])
        .exits(2)
        .stderr_has(&["expected a title or an author of one line"]);
    assert!(!workspace.path("problems/third").exists());
}

#[test]
fn existing_packages_are_refused_and_unchanged() {
    let workspace = Workspace::new();
    workspace.judge(["new", "adder"]).exits(0);
    workspace.write("problems/adder/problem.yaml", "mine\n");
    let before = files(&workspace.root());
    let output = workspace.judge(["new", "adder", "--type=float"]).exits(2);
    output.stderr_has(&["problems/adder` exists already; nothing was written"]);
    assert_eq!(files(&workspace.root()), before);
    // Nothing is written if only the solutions exist, either.
    workspace.write("solutions/other/accepted/mine.c", "mine\n");
    workspace
        .judge(["new", "other"])
        .exits(2)
        .stderr_has(&["solutions/other` exists already"]);
    assert!(!workspace.path("problems/other").exists());
}

#[test]
fn packages_are_created_in_the_given_directory() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("elsewhere")).unwrap();
    workspace
        .judge(["new", "elsewhere/adder"])
        .exits(0)
        .stdout_has(&["judge verify elsewhere/adder"]);
    assert!(
        workspace
            .path("elsewhere/adder/submissions/accepted/all_pairs.rs")
            .is_file()
    );
    assert!(!workspace.path("solutions").exists());
    workspace
        .judge(["new", "nowhere/adder"])
        .exits(2)
        .stderr_has(&["cannot enter `nowhere`"]);
    let output = workspace
        .judge(["new", "elsewhere/adder/data/inner"])
        .exits(2);
    output.stderr_has(&["elsewhere/adder` is a package; a package inside"]);
    // A directory without judge.yaml is its own workspace.
    workspace.remove("judge.yaml");
    workspace
        .judge(["-C", "problems", "new", "lone"])
        .exits(0)
        .stdout_has(&["files in lone"]);
    assert!(
        workspace
            .path("problems/lone/submissions/accepted/all_pairs.rs")
            .is_file()
    );
    workspace
        .judge(["-C", "problems", "list"])
        .exits(0)
        .stdout_has(&["lone"]);
}

#[test]
fn names_and_types_are_checked() {
    let workspace = Workspace::new();
    for name in ["Adder", "add-er", "problems/add-er", ".."] {
        workspace
            .judge(["new", name])
            .exits(2)
            .stderr_has(&["cannot be the name of a problem"]);
    }
    workspace
        .judge(["new", "adder", "--type", "easy"])
        .exits(2)
        .stderr_has(&["pass-fail", "multi-pass"]);
    workspace.judge(["new"]).exits(2);
    assert_eq!(files(&workspace.path("problems")), BTreeMap::new());
}
