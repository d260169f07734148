//! Packed programs that use testlib, and packages for Polygon: they give the same verdicts.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::archives::pack;
use crate::importing::with_polygon;
use crate::packing::{results, with_package};
use crate::workspace::{Workspace, has};

/// A workspace with an archive of a problem of Polygon, whose programs are written for testlib.
fn with_polygon_archive() -> Option<Workspace> {
    let workspace = with_polygon()?;
    pack(&workspace, "polygon", "polygon.zip");
    Some(workspace)
}

#[test]
fn polygon_problems_get_the_same_verdicts() {
    let Some(workspace) = with_polygon_archive() else {
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
    let Some(workspace) = with_polygon_archive() else {
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
