//! `judge check` and `judge verify`: findings, their severity, and exit codes.
//!
//! The expected findings of each package of `testdata/packages/broken` are next to it in
//! `NAME.findings`: a line for each, with code, severity and place. `UPDATE=1` updates these files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use judge_event::{Event, Finding};
use judge_model::Severity;

use crate::generate::{CONTESTANT, INTERACTOR, PREFIX_N, TWO_PASSES, talking};
use crate::workspace::{CommandOutput, SUM, Workspace, has};

fn broken() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/packages/broken")
}

/// Links are copied as links: some of the faults are links.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&from, &to),
            kind if kind.is_symlink() => symlink(fs::read_link(&from).unwrap(), to).unwrap(),
            _ => drop(fs::copy(&from, to).unwrap()),
        }
    }
}

fn findings(output: &CommandOutput) -> Vec<&Finding> {
    output
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Finding(finding) => Some(finding),
            _ => None,
        })
        .collect()
}

fn codes(output: &CommandOutput) -> Vec<&str> {
    findings(output)
        .into_iter()
        .map(|finding| finding.code.as_str())
        .collect()
}

/// A problem without findings, with a validator that is interpreted in process.
fn sound() -> Workspace {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/sum/statement/problem.en.md", "Add two numbers.\n");
    workspace.write(
        "problems/sum/input_validators/validate.ctd",
        "REGEX(\"0|[1-9][0-9]*\") SPACE REGEX(\"0|[1-9][0-9]*\") NEWLINE EOF\n",
    );
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    workspace
}

#[test]
fn broken_packages_have_the_expected_findings() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    copy(&broken(), &workspace.path("problems"));
    let output = workspace.events(["check"]).exits(3);
    let packages = fs::read_dir(broken())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let mut wrong = Vec::new();
    let mut seen = 0;
    for package in packages {
        let name = package.file_name().unwrap().to_str().unwrap().to_owned();
        let in_problem = |finding: &&&Finding| finding.problem.as_deref() == Some(&name);
        let line = |finding: &&Finding| {
            let line = finding
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            let below = finding
                .file
                .strip_prefix(&format!("problems/{name}/"))
                .unwrap_or(&finding.file);
            format!("{} {} {below}{line}\n", finding.code, finding.severity)
        };
        let found: String = findings(&output)
            .iter()
            .filter(in_problem)
            .map(line)
            .collect();
        let file = package.with_extension("findings");
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            fs::write(&file, &found).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            !expected.is_empty(),
            "{} has the expected findings",
            file.display()
        );
        if found != expected {
            wrong.push(format!("{name}: expected\n{expected}found\n{found}"));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
    assert!(seen >= 10, "looked in {}", broken().display());
}

#[test]
fn valid_packages_are_one_line() {
    if Workspace::isolated().is_none() {
        return;
    }
    let output = sound().judge(["check"]).exits(0);
    output.stdout_has(&[
        "1 package",
        "sum",
        "nothing found",
        "validator runs",
        "1 package checked: nothing found",
    ]);
    assert!(
        !output.stdout.contains('\u{1b}'),
        "colour in a file: {output:?}"
    );
    let output = sound().judge(["check", "--static"]).exits(0);
    output.stdout_has(&["sum", "nothing found"]).stdout_lacks(&[
        "validator runs",
        "isolation",
        "seed",
    ]);
}

#[test]
fn warnings_fail_only_on_request() {
    let workspace = sound();
    workspace.case("sum", "secret/03", "2 3\n", "5\n");
    let output = workspace.events(["check", "--static"]).exits(0);
    assert_eq!(codes(&output), ["JP302"]);
    for strict in [
        ["check", "--static", "--strict"].as_slice(),
        &["check", "--static", "--profile", "strict"],
    ] {
        let output = workspace.events(strict).exits(3);
        assert_eq!(findings(&output)[0].severity, Severity::Error);
    }
    let output = workspace
        .events(["check", "--static", "--profile=kattis"])
        .exits(0);
    assert_eq!(codes(&output), ["JP302"]);
    workspace
        .events(["check", "--static", "--profile=icpc"])
        .exits(3);
    workspace
        .judge(["check", "--profile=nowhere"])
        .exits(2)
        .stderr_has(&["unknown profile `nowhere`", "`kattis`"]);
}

#[test]
fn silenced_findings_need_a_reason_and_an_occurrence() {
    let workspace = sound();
    workspace.case("sum", "secret/03", "2 3\n", "5\n");
    let silenced = "problems: [problems]\ncheck:\n  ignore:\n    - {code: JP302, problem: sum, reason: on purpose}\n";
    workspace.write("judge.yaml", silenced);
    let output = workspace.events(["check", "--static", "--strict"]).exits(0);
    assert_eq!(findings(&output)[0].silenced.as_deref(), Some("on purpose"));
    assert_eq!(
        codes(&output),
        ["JP302"],
        "a silencing that is needed is not reported"
    );
    workspace
        .judge(["check", "--static"])
        .exits(0)
        .stdout_has(&["1 silenced"])
        .stdout_lacks(&["JP302  "]);
    workspace
        .judge(["check", "--static", "-v"])
        .exits(0)
        .stdout_has(&["JP302", "silenced: on purpose"]);

    // A silencing without effect is reported, unless its check was skipped or only a part was
    // checked.
    workspace.remove("problems/sum/data/secret/03.in");
    workspace.remove("problems/sum/data/secret/03.ans");
    let more = "    - {code: JP805, reason: it is never run here}\n";
    workspace.write("judge.yaml", format!("{silenced}{more}"));
    let output = workspace.events(["check", "--static"]).exits(0);
    let message = findings(&output);
    assert_eq!(
        (
            message.len(),
            message[0].code.as_str(),
            message[0].line,
            &message[0].problem
        ),
        (1, "JP003", Some(4), &None)
    );
    assert_eq!(
        codes(&workspace.events(["check", "--static", "sum"]).exits(0)),
        [] as [&str; 0]
    );

    workspace.write(
        "judge.yaml",
        "problems: [problems]\ncheck:\n  ignore:\n    - {code: JP302}\n",
    );
    workspace
        .judge(["check"])
        .exits(2)
        .stderr_has(&["judge.yaml:4", "missing key `reason`"]);
}

#[test]
fn loading_errors_cannot_be_silenced() {
    let workspace = sound();
    workspace.remove("problems/sum/data/secret/01.ans");
    workspace.write(
        "judge.yaml",
        "problems: [problems]\ncheck:\n  ignore:\n    - {code: JP315, reason: no}\n",
    );
    let output = workspace.events(["check", "--static"]).exits(3);
    assert_eq!(codes(&output), ["JP315", "JP003"]);
}

#[test]
fn two_packages_with_one_uuid_are_reported() {
    let workspace = sound();
    copy(
        &workspace.path("problems/sum"),
        &workspace.path("problems/tum"),
    );
    copy(
        &workspace.path("solutions/sum"),
        &workspace.path("solutions/tum"),
    );
    let output = workspace.events(["check", "--static"]).exits(3);
    assert_eq!(codes(&output), ["JP505"]);
    assert_eq!(findings(&output)[0].problem.as_deref(), Some("tum"));
}

#[test]
fn codes_are_explained() {
    let workspace = Workspace::new();
    workspace
        .judge(["check", "--explain", "jp302"])
        .exits(0)
        .stdout_has(&["JP302 warning", "why", "fix", "example"]);
    workspace
        .judge(["check", "--explain", "jp302", "-v"])
        .exits(0)
        .stdout_has(&["JP302 warning"]);
    workspace
        .judge(["check", "--explain", "jp302", "--strict"])
        .exits(2)
        .stderr_has(&["cannot be used with"]);
    let output = workspace.judge(["check", "--explain"]).exits(0);
    assert!(output.stdout.lines().count() >= 70, "{}", output.stdout);
    output.stdout_has(&["JP001", "JP302", "JP910"]);
    workspace
        .judge(["check", "--explain", "JP000"])
        .exits(2)
        .stderr_has(&["unknown code `JP000`"]);
}

#[test]
fn verify_returns_the_worse_exit_code() {
    if Workspace::isolated().is_none() {
        return;
    }
    let workspace = sound();
    let output = workspace.events(["verify"]).exits(0);
    let names: Vec<_> = output.events.iter().map(std::mem::discriminant).collect();
    assert_eq!(output.verdicts().len(), 1);
    assert!(
        matches!(output.events[0], Event::CheckStarted(_))
            && matches!(output.events.last(), Some(Event::RunFinished(_)))
    );
    assert!(names.len() > 6);
    // A violated expectation alone is 1, with a fault of the package it is 3.
    workspace.write(
        "solutions/sum/wrong_answer/right.c",
        format!("// the same\n{SUM}"),
    );
    workspace.judge(["verify"]).exits(1).stdout_has(&[
        "1 package checked: nothing found",
        "right.c",
        "1 not",
    ]);
    workspace.write("problems/sum/data/invalid_input/valid.in", "1 1\n");
    let output = workspace.judge(["verify"]).exits(3);
    output.stdout_has(&["JP804", "1 package checked: 1 error", "right.c", "1 not"]);
}

#[test]
fn static_verification_runs_no_program() {
    let workspace = sound();
    workspace.write(
        "problems/sum/input_validators/broken.c",
        "int main(void) { return undeclared; }\n",
    );
    let output = workspace.events(["verify", "--static"]).exits(0);
    assert!(
        output
            .events
            .iter()
            .all(|event| !matches!(event, Event::RunStarted(_))),
        "{output:?}"
    );
    workspace.write("problems/sum/problem.yaml", "name: [\n");
    workspace
        .judge(["verify", "--static"])
        .exits(3)
        .stdout_has(&["problem.yaml:"]);
}

#[test]
fn unknown_names_are_an_error() {
    let workspace = sound();
    workspace
        .judge(["check", "summ"])
        .exits(5)
        .stderr_has(&["did you mean `sum`?"]);
}

#[test]
fn unreached_bounds_are_reported() {
    if Workspace::isolated().is_none() {
        return;
    }
    let workspace = sound();
    let validator =
        "SET(most = 1000)\nINT(-most, most, a) SPACE\nINT(a, most + 2000) NEWLINE\nEOF\n";
    workspace.write("problems/sum/input_validators/validate.ctd", validator);
    let output = workspace.events(["check"]).exits(0);
    let reported = findings(&output);
    let bounds: Vec<_> = reported
        .iter()
        .filter(|finding| finding.code == "JP808")
        .collect();
    // The range of the second number begins with the first one, so its bounds are unknown.
    assert_eq!(bounds.len(), 1, "{output:?}");
    assert_eq!(bounds[0].line, Some(2));
    let message = "the range is -1000 to 1000, but the test cases together go from 1 to ";
    assert!(
        bounds[0].message.starts_with(message),
        "{}",
        bounds[0].message
    );

    workspace.case("sum", "secret/08", "-1000 0\n", "-1000\n");
    workspace.case("sum", "secret/09", "1000 1000\n", "2000\n");
    assert!(!codes(&workspace.events(["check"]).exits(0)).contains(&"JP808"));
}

#[test]
fn loading_errors_are_reported_in_every_profile() {
    let workspace = sound();
    // DOMjudge does not require an owner of a problem, but the format does.
    let yaml = "problem_format_version: 2025-09\nname: Sum\nuuid: 170d52ec-fa47-404f-8964-84061658bdca\nlicense: cc by\n";
    workspace.write("problems/sum/problem.yaml", yaml);
    for profile in ["--profile=default", "--profile=domjudge"] {
        let output = workspace.events(["check", "--static", profile]).exits(3);
        let of_owner = findings(&output)
            .into_iter()
            .find(|finding| finding.code == "JP502")
            .cloned();
        assert_eq!(
            of_owner.map(|finding| finding.severity),
            Some(Severity::Error),
            "{profile}"
        );
    }
}

#[test]
fn samples_of_interactions_are_compared_with_the_validator() {
    let Some(workspace) = talking("interactive", INTERACTOR, CONTESTANT) else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    workspace.judge(["check"]).stdout_lacks(&["JP911"]);
    let sample = "problems/talk/data/sample/1.interaction";
    for (text, why) in [
        (
            "<3\n>n3\n<!\n",
            "line 2 of the submission's input: the file has `!`, the validator sends `?`",
        ),
        (
            "<3\n>n3\n",
            "line 2 of the submission's input: the file has nothing, the validator sends `?`",
        ),
        ("<3\n<?\n>n4\n", "the output validator rejects it"),
        (
            "<3\n<?\n>n3\n---\n<3\n",
            "pass 1: the output validator requests no further pass",
        ),
    ] {
        workspace.write(sample, text);
        workspace
            .judge(["check"])
            .stdout_has(&["JP911", "sample/1.interaction", why]);
    }
    // The side that speaks first does not matter.
    workspace.write(sample, ">n3\n<3\n<?\n");
    workspace.judge(["check"]).stdout_lacks(&["JP911"]);
}

#[test]
fn passes_of_samples_are_compared_with_the_validator() {
    let Some(workspace) = talking("multi-pass", TWO_PASSES, PREFIX_N) else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    workspace.judge(["check"]).stdout_lacks(&["JP911"]);
    for (text, why) in [
        (
            "<3\n>x\n---\n<8\n>n8\n",
            "pass 2: line 1 of the submission's input: the file has `8`, the validator sends `7`",
        ),
        (
            "<3\n>x\n---\n<7\n>n8\n",
            "pass 2: the output validator rejects it",
        ),
        ("<3\n>x\n", "the output validator requests a further pass"),
    ] {
        workspace.write("problems/talk/data/sample/1.interaction", text);
        workspace
            .judge(["check"])
            .stdout_has(&["JP911", "sample/1.interaction", why]);
    }
}

#[test]
fn samples_reveal_a_missing_type() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("plain", "");
    workspace.case("plain", "sample/1", "3\n", "3\n");
    for (text, missing) in [
        ("<3\n>3\n", "add `interactive`"),
        ("<3\n>x\n---\n<7\n>3\n", "add `multi-pass`"),
    ] {
        workspace.write("problems/plain/data/sample/1.interaction", text);
        workspace
            .judge(["check", "--static"])
            .stdout_has(&["JP311", missing]);
    }
}

#[test]
fn unchanged_packages_are_not_checked_again() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/input_validators/v.py",
        "import sys\nwords = sys.stdin.read().split()\nsys.exit(42 if len(words) == 2 and all(w.isdigit() for w in words) else 43)\n",
    );
    let judge = |args: &[&str], code| {
        CommandOutput::from_command(&mut workspace.command_keeping(args)).exits(code)
    };
    let runs = |output: &CommandOutput| {
        let checked = output.events.iter().find_map(|event| match event {
            Event::PackageChecked(checked) => Some((checked.validator_runs, checked.cached)),
            _ => None,
        });
        checked.expect("the package was checked")
    };
    for (extent, code) in [(None, 3), (Some("--data"), 0)] {
        let with = |options: &[&'static str]| -> Vec<&str> {
            ["check", "sum"]
                .into_iter()
                .chain(extent)
                .chain(options.iter().copied())
                .collect()
        };
        let first = judge(&with(&["--report=json"]), code);
        let again = judge(&with(&["--report=json"]), code);
        assert!(runs(&first).0 > 0 && !runs(&first).1, "{first:?}");
        assert_eq!(runs(&again), (runs(&first).0, true), "{extent:?}");
        assert_eq!(codes(&again), codes(&first));
        judge(&with(&[]), code).stdout_has(&["validator runs (cached)"]);
        assert!(!runs(&judge(&with(&["--report=json", "--no-cache"]), code)).1);
    }
    // The content of a file that a validator reads changes, and with it the findings.
    workspace.write("problems/sum/data/sample/1.in", "one two\n");
    for (extent, code) in [(None, 3), (Some("--data"), 3)] {
        let with = |options: &[&'static str]| -> Vec<&str> {
            ["check", "sum"]
                .into_iter()
                .chain(extent)
                .chain(options.iter().copied())
                .collect()
        };
        let broken = judge(&with(&["--report=json"]), code);
        assert!(
            !runs(&broken).1 && codes(&broken).contains(&"JP802"),
            "{broken:?}"
        );
        let again = judge(&with(&["--report=json"]), code);
        assert!(runs(&again).1, "{again:?}");
        assert_eq!(findings(&again), findings(&broken));
    }
}

#[test]
fn validators_without_a_decision_are_run_again() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/input_validators/v.c",
        "int main(void) { return }\n",
    );
    for _ in 0..2 {
        let output =
            CommandOutput::from_command(&mut workspace.command_keeping(["check", "sum"])).exits(3);
        output
            .stdout_lacks(&["(cached)"])
            .stdout_has(&["does not compile"]);
    }
}
