//! The problems of this repository: their validators agree with their data, and their answers end
//! with a line break.
//!
//! The validators are run directly, outside the sandbox, because they are trusted. `judge run`
//! tests the expectations of the solutions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use crate::workspace::skipped;

const ACCEPT: i32 = 42;
const REJECT: i32 = 43;

fn problems() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../problems");
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.retain(|path| path.join("problem.yaml").is_file());
    found.sort();
    assert!(found.len() >= 5, "{found:?}");
    found
}

/// Files with this extension in these directories of a package.
fn files(package: &Path, directories: &[&str], extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for directory in directories {
        let entries = fs::read_dir(package.join("data").join(directory))
            .into_iter()
            .flatten();
        found.extend(entries.map(|entry| entry.unwrap().path()));
    }
    found.retain(|path| path.extension().is_some_and(|of_file| of_file == extension));
    found.sort();
    found
}

/// True when there is a Rust compiler to compile validators with; if not, the skipped test is
/// reported.
fn has_rustc() -> bool {
    let requested = Command::new("rustc").arg("--version").output();
    if let Err(error) = &requested {
        skipped(
            "validators of our problems",
            &format!("no `rustc` in PATH: {error}"),
        );
    }
    requested.is_ok()
}

/// Compiles the library for programs of packages.
fn compile_library(into: &Path) -> PathBuf {
    let library = into.join("libtestlib.rlib");
    let testlib = Path::new(env!("CARGO_MANIFEST_DIR")).join("testlib/src/lib.rs");
    rustc(
        &testlib,
        &library,
        &["--crate-name", "testlib", "--crate-type", "rlib"],
    );
    library
}

fn compile(source: &Path, library: &Path, into: &Path) -> PathBuf {
    let program = into.join("program");
    let named = format!("testlib={}", library.display());
    rustc(
        source,
        &program,
        &[
            "--crate-name",
            "program",
            "-D",
            "warnings",
            "--extern",
            &named,
        ],
    );
    program
}

fn rustc(source: &Path, output: &Path, options: &[&str]) {
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition", "2024", "-C", "opt-level=1"])
        .args(options);
    let result = rustc.arg("-o").arg(output).arg(source).output().unwrap();
    assert!(
        result.status.success(),
        "{}:\n{}",
        source.display(),
        String::from_utf8_lossy(&result.stderr)
    );
}

fn exit_code(program: &Path, args: &[&Path], stdin: &Path) -> Option<i32> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(File::open(stdin).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().unwrap().code()
}

/// The files on which a program does not end with this code.
fn not_ending_with(code: i32, program: &Path, files: &[PathBuf]) -> Vec<String> {
    let wrong = files
        .iter()
        .filter(|file| exit_code(program, &[], file) != Some(code));
    wrong.map(|file| file.display().to_string()).collect()
}

#[test]
fn input_validators_accept_only_valid_inputs() {
    if !has_rustc() {
        return;
    }
    let shared = TempDir::new().unwrap();
    let library = compile_library(shared.path());
    thread::scope(|scope| {
        for package in problems() {
            let library = &library;
            scope.spawn(move || check_input_validator(&package, library));
        }
    });
}

fn check_input_validator(package: &Path, library: &Path) {
    let directory = TempDir::new().unwrap();
    let source = package.join("input_validators/validate.rs");
    let program = compile(&source, library, directory.path());
    let valid = files(package, &["sample", "secret"], "in");
    let invalid = files(package, &["invalid_input"], "in");
    assert!(
        valid.len() > 5 && invalid.len() > 5,
        "{}",
        package.display()
    );
    assert_eq!(
        not_ending_with(ACCEPT, &program, &valid),
        Vec::<String>::new(),
        "expected to be valid"
    );
    assert_eq!(
        not_ending_with(REJECT, &program, &invalid),
        Vec::<String>::new(),
        "expected to be invalid"
    );
}

#[test]
fn output_validators_accept_only_correct_outputs() {
    if !has_rustc() {
        return;
    }
    let own: Vec<PathBuf> = problems()
        .into_iter()
        .filter(|package| package.join("output_validator").is_dir())
        .collect();
    assert!(!own.is_empty());
    for package in own {
        let directory = TempDir::new().unwrap();
        let library = compile_library(directory.path());
        let program = compile(
            &package.join("output_validator/validate.rs"),
            &library,
            directory.path(),
        );
        let exit_code_for = |input: &PathBuf, output: &Path| {
            exit_code(
                &program,
                &[input, &input.with_extension("ans"), directory.path()],
                output,
            )
        };
        for (part, code) in [("valid_output", ACCEPT), ("invalid_output", REJECT)] {
            let inputs = files(&package, &[part], "in");
            assert!(inputs.len() > 3, "{}: {part}", package.display());
            for input in &inputs {
                assert_eq!(
                    exit_code_for(input, &input.with_extension("out")),
                    Some(code),
                    "{}",
                    input.display()
                );
            }
        }
        for input in files(&package, &["sample", "secret"], "in") {
            assert_eq!(
                exit_code_for(&input, &input.with_extension("ans")),
                Some(ACCEPT),
                "{}",
                input.display()
            );
        }
    }
}

#[test]
fn every_input_has_an_answer_ending_in_a_newline() {
    for package in problems() {
        for input in files(&package, &["sample", "secret"], "in") {
            let answer = fs::read(input.with_extension("ans")).unwrap();
            assert!(answer.ends_with(b"\n"), "the answer of {}", input.display());
        }
        let answers = files(&package, &["sample", "secret"], "ans").len();
        assert_eq!(
            answers,
            files(&package, &["sample", "secret"], "in").len(),
            "{}",
            package.display()
        );
    }
}
