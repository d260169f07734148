//! Problems packed for other judges: archives give the same verdicts and have the same bytes on
//! every host, and the report lists the features that the other judge ignores.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::archives::pack;
use crate::printing::has_latex;
use crate::workspace::{CommandOutput, Workspace, has};

/// A workspace with a problem in C++ that every judge accepts.
pub(crate) fn with_adder() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp"))?;
    let args = [
        "new",
        "adder",
        "--language",
        "cpp",
        "--title",
        "The Adder",
        "--author",
        "Ada",
        "--license",
        "cc0",
    ];
    workspace.judge(args).exits(0);
    Some(workspace)
}

/// A workspace with a package of `testdata/packages`.
fn with_package(name: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
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

/// The verdicts, scores and deciding test cases of the submissions that are in the package and in
/// the archive.
fn results(output: &CommandOutput) -> BTreeMap<String, String> {
    let state = output.state();
    let submissions = state
        .problems
        .iter()
        .flat_map(|problem| &problem.submissions);
    let finished = submissions.filter_map(|submission| {
        Some((
            submission.started.submission.clone(),
            submission.finished.as_ref()?,
        ))
    });
    finished
        .map(|(id, submission)| {
            (
                id,
                format!(
                    "{:?} {:?} {:?}",
                    submission.verdict, submission.score, submission.deciding_test_case
                ),
            )
        })
        .collect()
}

#[test]
fn archives_give_the_same_verdicts() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let before = results(&workspace.judge(["run", "adder", "--report=json"]).exits(0));
    assert_eq!(before.len(), 4);
    for judge in ["kattis", "domjudge", "icpc"] {
        workspace
            .judge([
                "pack",
                "adder",
                "--for",
                judge,
                "--output",
                "out/adder.zip",
                "--force",
            ])
            .exits(0);
        let packed = results(
            &workspace
                .judge(["run", "out/adder.zip", "--report=json"])
                .exits(0),
        );
        assert_eq!(before, packed, "{judge}");
        // The archive passes the same check.
        workspace
            .judge(["check", "out/adder.zip", "--profile", judge])
            .exits(0);
    }
}

#[test]
fn scores_are_the_same_in_the_legacy_format() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    // Nothing in the legacy format adds up scores and requires other groups.
    let output = workspace
        .judge(["pack", "scoringgroups", "--for", "kattis"])
        .exits(3);
    output.stdout_has(&[
        "not written",
        "`data/secret/2parts` adds up scores and requires other groups [JI406]",
    ]);
    assert!(!workspace.path("kattis").exists());
    let group = "problems/scoringgroups/data/secret/2parts/test_group.yaml";
    let text = fs::read_to_string(workspace.path(group)).unwrap();
    assert!(text.contains("require_pass"), "{text}");
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("require_pass"))
        .collect();
    workspace.write(group, lines.join("\n") + "\n");
    workspace
        .judge(["pack", "scoringgroups", "--for", "kattis"])
        .exits(0)
        .stdout_has(&["also contains the test cases of `sample`", "JI206"]);
    // Kattis has no directory for most of them, but each can be judged on the packed problem.
    for name in ["fails_small", "misses_13", "only_negative"] {
        let file = format!("problems/scoringgroups/submissions/partly/{name}.py");
        let score = |problem: &str| {
            let state = workspace
                .judge(["submit", &file, "-p", problem, "--report=json"])
                .state();
            state.problems[0].submissions[0]
                .finished
                .as_ref()
                .unwrap()
                .score
                .map(|score| score.to_string())
        };
        let before = score("scoringgroups");
        assert!(before.is_some(), "{name}");
        assert_eq!(before, score("kattis/scoringgroups.zip"), "{name}");
    }
}

#[test]
fn archives_are_reproducible() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let bytes = |name: &str| {
        workspace
            .judge(["pack", "adder", "--for", "kattis", "--output", name])
            .exits(0);
        fs::read(workspace.path(name)).unwrap()
    };
    let first = bytes("a/adder.zip");
    for (path, bytes) in workspace.files("problems/adder") {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(first, bytes("b/adder.zip"));
    // Only archives that this command wrote are replaced.
    assert_eq!(first, bytes("a/adder.zip"));
    workspace.write("a/adder.zip", "precious");
    let output = workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "kattis",
            "--output",
            "a/adder.zip",
        ])
        .exits(2);
    output.stderr_has(&[
        "was not written by this command; nothing was written",
        "--force",
    ]);
    assert_eq!(
        fs::read(workspace.path("a/adder.zip")).unwrap(),
        b"precious"
    );
    workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "kattis",
            "--output",
            "a/adder.zip",
            "--force",
        ])
        .exits(0);
    assert_eq!(fs::read(workspace.path("a/adder.zip")).unwrap(), first);
}

#[test]
fn refused_packages_are_reported_before_anything_is_written() {
    let Some(workspace) = with_adder() else {
        return;
    };
    fs::remove_dir_all(workspace.path("problems/adder/input_validators")).unwrap();
    let output = workspace
        .judge(["pack", "adder", "--for", "kattis"])
        .exits(3);
    output.stderr_has(&["[JP", "for kattis: see `judge check --profile kattis`"]);
    assert!(!workspace.path("kattis").exists());
    let Some(workspace) = with_adder() else {
        return;
    };
    for copy in 1..=13 {
        workspace.write(
            &format!("problems/adder/data/secret/copy-{copy}.in"),
            "4 4\n",
        );
        workspace.write(
            &format!("problems/adder/data/secret/copy-{copy}.ans"),
            "8\n",
        );
    }
    let output = workspace.judge(["pack", "adder", "--for", "icpc"]).exits(3);
    output.stderr_has(&["[JP302]", "\nand 2 more\n", "12 errors for icpc"]);
    let Some(workspace) = with_package("answers") else {
        return;
    };
    workspace
        .judge(["pack", "answers", "--for", "domjudge"])
        .exits(3);
    assert!(!workspace.path("domjudge").exists());
}

#[test]
fn refused_problems_do_not_prevent_packing_others() {
    let Some(workspace) = with_adder() else {
        return;
    };
    for (path, bytes) in workspace.files("problems/adder") {
        let below = path
            .strip_prefix(workspace.path("problems/adder"))
            .unwrap_or(&path)
            .display()
            .to_string();
        if !below.starts_with("input_validators") && below != "problem.yaml" {
            workspace.write(&format!("problems/bare/{below}"), bytes);
        }
    }
    let yaml = fs::read_to_string(workspace.path("problems/adder/problem.yaml")).unwrap();
    let other = |line: &str| match line.starts_with("uuid:") {
        true => "uuid: 6f2bd54c-5f0f-4d8b-9c44-3d3b1f1d7a10".to_owned(),
        false => line.to_owned(),
    };
    workspace.write(
        "problems/bare/problem.yaml",
        yaml.lines().map(other).collect::<Vec<_>>().join("\n") + "\n",
    );
    let packed = workspace
        .judge([
            "pack", "adder", "bare", "--for", "kattis", "--output", "out",
        ])
        .exits(3);
    packed.stderr_has(&[
        "problems/bare",
        "[JP",
        "hint: ",
        "for kattis: see `judge check --profile kattis`",
    ]);
    assert!(workspace.path("out/adder.zip").is_file() && !workspace.path("out/bare.zip").exists());
}

/// A workspace with an archive of a problem of Polygon, whose programs are written for testlib.
fn with_polygon() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp") && has("python3"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/foreign/polygon");
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(
            &format!("polygon/{}", path.strip_prefix(&from).unwrap().display()),
            bytes,
        );
    }
    pack(&workspace, "polygon", "polygon.zip");
    Some(workspace)
}

#[test]
fn polygon_problems_get_the_same_verdicts() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    let output = workspace
        .judge([
            "pack",
            "polygon.zip",
            "--for",
            "icpc",
            "--output",
            "icpc.zip",
        ])
        .exits(0);
    output.stdout_has(&["sumoftwo  for icpc"]);
    // One solution counts to 10⁹, which takes about as long as the time limit of the problem on
    // present hosts.
    let verdicts = |archive| {
        results(
            &workspace
                .judge(["run", archive, "--report=json", "--time-limit", "0.5"])
                .exits(0),
        )
    };
    assert_eq!(verdicts("icpc.zip"), verdicts("polygon.zip"));
}

/// The exit code of a program that is called like a validator of packages, compiled by hand from
/// the packed sources.
fn exit_code_of(workspace: &Workspace, directory: &str, args: &[&str], input: &str) -> Option<i32> {
    let sources = workspace
        .files(directory)
        .into_keys()
        .filter(|file| file.extension().is_some_and(|extension| extension == "cpp"));
    let program = workspace.path("program");
    assert!(
        Command::new("g++")
            .arg("-o")
            .arg(&program)
            .args(sources)
            .status()
            .unwrap()
            .success()
    );
    workspace.write("input", input);
    let input = fs::File::open(workspace.path("input")).unwrap();
    Command::new(&program)
        .args(args)
        .current_dir(workspace.root())
        .stdin(input)
        .status()
        .unwrap()
        .code()
}

#[test]
fn testlib_programs_work_like_package_validators() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    workspace
        .judge([
            "import",
            "polygon.zip",
            "--name",
            "two",
            "--into",
            "problems",
        ])
        .exits(0);
    workspace
        .judge(["pack", "two", "--for", "icpc", "--output", "two.zip"])
        .exits(0)
        .stdout_has(&["uses testlib"]);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("two.zip")).unwrap()).unwrap();
    archive.extract(workspace.path("packed")).unwrap();
    let validators = "packed/two/input_validators/validator";
    assert_eq!(exit_code_of(&workspace, validators, &[], "1 2\n"), Some(42));
    assert_eq!(exit_code_of(&workspace, validators, &[], "1 2"), Some(43));
    workspace.write("in", "1 2\n");
    workspace.write("ans", "3\n");
    workspace.write("feedback/x", "");
    let args = ["in", "ans", "feedback/"];
    assert_eq!(
        exit_code_of(&workspace, "packed/two/output_validator", &args, "3\n"),
        Some(42)
    );
    assert_eq!(
        exit_code_of(&workspace, "packed/two/output_validator", &args, "4\n"),
        Some(43)
    );
    // Arguments are dropped, since testlib would use them as names of files.
    let more = [
        "in",
        "ans",
        "feedback/",
        "case_sensitive",
        "space_change_sensitive",
    ];
    assert_eq!(
        exit_code_of(&workspace, "packed/two/output_validator", &more, "3\n"),
        Some(42)
    );
    let message = fs::read_to_string(workspace.path("feedback/judgemessage.txt")).unwrap();
    assert_eq!(message, "wrong answer expected 3\n");
    // DOMjudge compiles one file without a script.
    let output = workspace.judge([
        "pack",
        "two",
        "--for",
        "domjudge",
        "--output",
        "dom.zip",
        "--report=json",
    ]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let files = document["files"].as_array().unwrap();
    assert!(
        files.contains(&Value::from("output_validators/validator/build")),
        "{files:?}"
    );
    // The library of the fixture is in C, to which nothing can be added.
    let Some(other) = with_package("testlibchecker") else {
        return;
    };
    other
        .judge(["pack", "testlibchecker", "--for", "icpc"])
        .exits(3);
}

#[test]
fn validators_next_to_testlib_h_get_a_directory_with_the_header() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp")) else {
        return;
    };
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/foreign/polygon/files");
    let header = fs::read_to_string(from.join("testlib.h")).unwrap();
    let functions = "// registerValidation registerGen registerTestlibCmd registerInteraction\n";
    workspace.write("testlib.h", format!("{header}{functions}"));
    let names = ["--title", "T", "--author", "N"];
    let new = [
        "new",
        "tla",
        "--type",
        "custom",
        "--language",
        "cpp-testlib",
    ];
    workspace.judge(new.iter().chain(&names)).exits(0);
    // The fixture has only some functions of the original header.
    let validator = fs::read(from.join("validator.cpp")).unwrap();
    workspace.write("problems/tla/input_validators/validate.cpp", validator);
    for target in ["icpc", "kattis", "domjudge"] {
        let archive = format!("{target}.zip");
        workspace
            .judge(["pack", "tla", "--for", target, "--output", &archive])
            .exits(0)
            .stdout_lacks(&["a language other than C++"]);
        let packed = fs::File::open(workspace.path(&archive)).unwrap();
        let mut packed = zip::ZipArchive::new(packed).unwrap();
        packed.extract(workspace.path(target)).unwrap();
        let directory = if target == "domjudge" {
            target.to_owned()
        } else {
            format!("{target}/tla")
        };
        let validators = format!("{directory}/input_validators");
        let names = ["testlib.h", "testlib_protocol.cpp", "validate.cpp"];
        let expected = names.map(|name| workspace.path(&format!("{validators}/validate/{name}")));
        assert!(
            workspace.files(&validators).into_keys().eq(expected),
            "{target}"
        );
        let validator = format!("{validators}/validate");
        assert_eq!(exit_code_of(&workspace, &validator, &[], "1 2\n"), Some(42));
        assert_eq!(exit_code_of(&workspace, &validator, &[], "1 2"), Some(43));
    }
}

#[test]
fn requirements_of_required_groups_are_packed() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    let group = |name: &str| format!("problems/scoringgroups/data/secret/{name}/test_group.yaml");
    workspace.write(
        &group("2parts"),
        "max_score: 30\nscore_aggregation: pass-fail\nrequire_pass: secret/1small\n",
    );
    workspace.write(
        &group("3least"),
        "max_score: 50\nscore_aggregation: pass-fail\nrequire_pass: secret/2parts\n",
    );
    let output = workspace.judge([
        "pack",
        "scoringgroups",
        "--for",
        "kattis",
        "--dry-run",
        "--report=json",
    ]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let files: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    for part in [
        "0required-sample-",
        "0required-secret-1small-",
        "0required-secret-2parts-",
    ] {
        assert!(
            files
                .iter()
                .any(|file| file.contains(&format!("3least/{part}"))),
            "{part}: {files:?}"
        );
    }
}

#[test]
fn unequally_shared_points_are_reported() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    for (points, is_reported) in [(30, false), (31, true)] {
        let group =
            |name: &str| format!("problems/scoringgroups/data/secret/{name}test_group.yaml");
        workspace.write(
            &group("2parts/"),
            format!("max_score: {points}\nscore_aggregation: sum\n"),
        );
        workspace.write(&group(""), format!("max_score: {}\n", 70 + points));
        for judge in ["hydro", "dmoj"] {
            let output = workspace
                .judge(["pack", "scoringgroups", "--for", judge, "--dry-run"])
                .exits(0);
            assert_eq!(
                output.stdout.contains("that are not a multiple of"),
                is_reported,
                "{judge}: {}",
                output.stdout
            );
        }
    }
}

#[test]
fn unusual_yaml_is_packed_correctly() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let file = "problems/adder/problem.yaml";
    let text = fs::read_to_string(workspace.path(file)).unwrap();
    let forms = [
        text.replace("limits:", "limits: # much"),
        text.replace("limits:", "\"limits\":"),
        text.replace("limits:", "limits: &limits"),
        format!("\u{feff}{text}"),
        format!("%YAML 1.2\n---\n{text}...\n"),
    ];
    for (number, form) in forms.iter().enumerate() {
        workspace.write(file, form);
        for judge in ["domjudge", "icpc"] {
            workspace
                .judge(["pack", "adder", "--for", judge, "--force"])
                .exits(0);
        }
        assert_eq!(
            fs::read_to_string(workspace.path(file)).unwrap(),
            *form,
            "{number}"
        );
    }
}

/// The format has one statement per language, and some readers accept only TeX.
#[test]
fn statements_in_markdown_are_packed_as_tex_on_request() {
    let Some(workspace) = with_adder() else {
        return;
    };
    fs::remove_file(workspace.path("problems/adder/statement/problem.en.tex")).unwrap();
    workspace.write(
        "problems/adder/statement/problem.en.md",
        "Add *two* numbers.\n",
    );
    let output = workspace
        .judge(["pack", "adder", "--for", "icpc", "--tex", "--report=json"])
        .exits(0);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let files: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    assert!(
        files.contains(&"adder/statement/problem.en.tex"),
        "{files:?}"
    );
    assert!(
        !files.contains(&"adder/statement/problem.en.md"),
        "{files:?}"
    );
    assert_eq!(document["remarks"][0]["code"], "JI202");
    workspace
        .judge(["check", "icpc/adder.zip", "--profile", "icpc"])
        .exits(0);
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--tex"])
        .exits(2)
        .stderr_has(&["`--tex` is for `icpc`"]);
}

/// Each judge compiles Rust with its own edition.
#[test]
fn the_rust_edition_is_reported() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let remarks = |judge| {
        workspace
            .judge(["pack", "adder", "--for", judge, "--report=json", "--force"])
            .exits(0)
    };
    remarks("kattis").stdout_lacks(&["edition"]);
    workspace.write(
        "problems/adder/submissions/accepted/adder.rs",
        "fn main() {}\n",
    );
    for (judge, edition) in [
        ("kattis", "2021"),
        ("domjudge", "2015"),
        ("icpc", "2018 by BAPCtools"),
    ] {
        remarks(judge).stdout_has(&[
            "JI211",
            &format!("in Rust are compiled with edition {edition}"),
        ]);
    }
    remarks("plain").stdout_lacks(&["edition"]);
}

#[test]
fn dmoj_compares_bytes_if_spaces_are_significant() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let checker = |arguments: &str| {
        workspace.write(
            "problems/adder/data/test_group.yaml",
            format!("output_validator_args: [{arguments}]\n"),
        );
        let output = workspace.judge(["pack", "adder", "--for", "dmoj"]).exits(0);
        let mut archive =
            zip::ZipArchive::new(fs::File::open(workspace.path("dmoj/adder.zip")).unwrap())
                .unwrap();
        let mut init = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("init.yml").unwrap(), &mut init)
            .unwrap();
        (
            init.contains("checker:\n  name: identical\n"),
            output.stdout.contains("byte by byte and case-sensitively"),
        )
    };
    assert_eq!(
        checker("case_sensitive, space_change_sensitive"),
        (true, false)
    );
    assert_eq!(checker("space_change_sensitive"), (true, true));
    assert_eq!(checker("case_sensitive"), (false, false));
}

#[test]
fn statements_in_tex_go_to_domjudge_as_pdf() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let files = |archive: &str| {
        let archive =
            zip::ZipArchive::new(fs::File::open(workspace.path(archive)).unwrap()).unwrap();
        archive
            .file_names()
            .flatten()
            .filter(|name| name.contains("problem.pdf"))
            .count()
    };
    fs::create_dir(workspace.path("empty")).unwrap();
    let args = [
        "pack",
        "adder",
        "--for",
        "domjudge",
        "--output",
        "without.zip",
    ];
    let output =
        CommandOutput::from_command(workspace.command(args).env("PATH", workspace.path("empty")))
            .exits(0);
    output.stdout_has(&[
        "DOMjudge does not support TeX",
        "add a `problem.pdf` next to",
        "install pdfLaTeX",
    ]);
    assert_eq!(files("without.zip"), 0);
    if has_latex() {
        let output = workspace
            .judge(["pack", "adder", "--for", "domjudge", "--output", "made.zip"])
            .exits(0);
        output.stdout_has(&["`problem.en.tex` is converted to a PDF [JI202]"]);
        assert_eq!(files("made.zip"), 1);
        // A statement that is not rendered as intended is left out.
        workspace.write(
            "problems/adder/statement/problem.en.tex",
            "\\problemname{Adder}\nAdd.\n\n\\foo{All} of it.\n",
        );
        let output = workspace
            .judge(["pack", "adder", "--for", "domjudge", "--output", "bad.zip"])
            .exits(0);
        output.stdout_has(&["is left out", "problem.en.tex:4: LaTeX:"]);
    }
    workspace.write("problems/adder/problem.pdf", "%PDF-1.5\n");
    let output = workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "domjudge",
            "--output",
            "beside.zip",
        ])
        .exits(0);
    output.stdout_lacks(&["problem.en.tex"]);
    assert_eq!(files("beside.zip"), 1);
}

#[test]
fn interactive_legacy_packages_need_an_output_validator() {
    let Some(workspace) = with_adder() else {
        return;
    };
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--output", "old.zip"])
        .exits(0);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("old.zip")).unwrap()).unwrap();
    archive.extract(workspace.path("problems/old")).unwrap();
    // Its submissions are in the workspace, and now in the package.
    ["problems/adder", "solutions"]
        .iter()
        .for_each(|path| fs::remove_dir_all(workspace.path(path)).unwrap());
    let file = "problems/old/adder/problem.yaml";
    let yaml: String = fs::read_to_string(workspace.path(file))
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("type") && !line.starts_with("validation"))
        .map(|line| format!("{line}\n"))
        .collect();
    for validation in ["", "validation: default\n"] {
        workspace.write(
            file,
            format!("{yaml}type: [pass-fail, interactive]\n{validation}"),
        );
        let output = workspace
            .judge(["pack", "problems/old/adder", "--for", "kattis"])
            .exits(3);
        output.stdout_has(&["is interactive, but has no output validator"]);
    }
    workspace.write(
        "problems/old/adder/output_validators/v/v.py",
        "import sys\nsys.exit(42)\n",
    );
    workspace.write(
        file,
        format!("{yaml}type: [pass-fail, interactive]\nvalidation: custom\n"),
    );
    workspace
        .judge([
            "pack",
            "problems/old/adder",
            "--for",
            "kattis",
            "--output",
            "own.zip",
        ])
        .exits(0);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("own.zip")).unwrap()).unwrap();
    let mut packed = String::new();
    std::io::Read::read_to_string(
        &mut archive.by_name("adder/problem.yaml").unwrap(),
        &mut packed,
    )
    .unwrap();
    assert!(
        packed.contains("type: pass-fail\n") && packed.contains("validation: custom interactive\n"),
        "{packed}"
    );
}
