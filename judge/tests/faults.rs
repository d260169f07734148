//! Faults of packages, of the configuration and of the host: each has an exit code, a place and a
//! hint, and none looks like a verdict.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_event::Event;
use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, Workspace, executable, has, skipped};

/// `sum`, which is valid, and a broken problem.
fn workspace(more: &str) -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.sum("broken");
    workspace.problem("broken", more);
    workspace.write("solutions/broken/accepted/sum.c", SUM);
    Some(workspace)
}

/// Judges everything: the fault is reported and counts, and the other problem is run.
#[track_caller]
fn assert_fault_is_reported(workspace: &Workspace, words: &[&str]) {
    let output = workspace.judge(["run"]).exits(3);
    output.stdout_has(words);
    output.stdout_has(&[
        "✓ accepted/sum.c",
        "1 submission as expected",
        "1 package fault",
    ]);
    let stream = workspace.events(["run"]).exits(3);
    assert_eq!(
        stream
            .test_cases()
            .filter(|case| case.problem == "sum")
            .count(),
        3
    );
    assert_eq!(
        stream
            .test_cases()
            .filter(|case| case.problem == "broken")
            .count(),
        0
    );
    assert!(
        stream
            .events
            .iter()
            .any(|event| matches!(event, Event::PackageFault(fault) if fault.problem == "broken"))
    );
    // A listing reports it too, and lists the rest.
    workspace
        .judge(["list"])
        .exits(3)
        .stdout_has(&["sum", "1 problem"])
        .stderr_has(&["error: problems/broken/"]);
}

#[test]
fn missing_interpreters_of_validators_are_package_faults() {
    let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
        return;
    };
    let (build, run) = (
        "problems/broken/input_validators/v/build",
        "problems/broken/input_validators/v/run",
    );
    let crlf = "`build` has Windows line endings (CRLF)";
    for (builder, first, fault) in [
        ("#!/bin/sh\n", "#!/nonexistent\n", "with code 12"),
        ("#!/bin/sh\r\n", "#!/bin/sh\n", crlf),
        // `build` could have converted it.
        ("#!/bin/sh\n", "#!/bin/sh\r\n", "with code 12"),
        ("#!/bin/sh\n", "", "with code 12"),
    ] {
        for (file, text) in [(build, builder), (run, &*format!("{first}exit 42\n"))] {
            workspace.write(file, text);
            fs::set_permissions(workspace.path(file), Permissions::from_mode(0o755)).unwrap();
        }
        let output = workspace.judge(["check"]).exits(3);
        output
            .stdout_has(&["input_validators/v", fault])
            .stdout_lacks(&["host"]);
    }
}

#[test]
fn impossible_arguments_are_errors_with_their_place() {
    let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
        return;
    };
    for (args, words) in [
        (
            format!("[{}]", "A".repeat(70_000)),
            "expected at most 64 KiB of text, found 68 KiB",
        ),
        (
            "[\"a\\0b\"]".to_owned(),
            "expected strings without NUL characters",
        ),
    ] {
        workspace.write(
            "problems/broken/data/secret/01.yaml",
            format!("args: {args}\n"),
        );
        assert_fault_is_reported(
            &workspace,
            &["problems/broken/data/secret/01.yaml:1", words],
        );
    }
}

#[test]
fn an_unknown_key_is_reported_with_its_line_and_the_nearest_key() {
    let Some(workspace) = workspace("limits:\n  time_limt: 2\n") else {
        return;
    };
    let place = "✗ problems/broken/problem.yaml:7: unknown key `limits.time_limt`; expected one of";
    assert_fault_is_reported(&workspace, &[place, "hint: did you mean `time_limit`?"]);
}

#[test]
fn values_of_a_wrong_type_are_reported_with_the_expected_one() {
    let Some(workspace) = workspace("limits:\n  time_limit: soon\n") else {
        return;
    };
    assert_fault_is_reported(
        &workspace,
        &[
            "✗ problems/broken/problem.yaml:7: ",
            "`limits.time_limit`",
            "expected",
            "soon",
        ],
    );
}

#[test]
fn invalid_yaml_is_reported_with_its_line() {
    let Some(workspace) = workspace("limits: {time_limit: 2\n") else {
        return;
    };
    assert_fault_is_reported(&workspace, &["✗ problems/broken/problem.yaml:"]);
}

#[test]
fn an_input_without_an_answer_is_a_fault() {
    let Some(workspace) = workspace("limits: {time_limit: 2}\n") else {
        return;
    };
    workspace.remove("problems/broken/data/secret/01.ans");
    assert_fault_is_reported(&workspace, &["✗ problems/broken/data/secret/01", "ans"]);
}

#[test]
fn missing_time_limits_are_reported_with_a_hint() {
    let Some(workspace) = workspace("") else {
        return;
    };
    // With an accepted submission, the limit would be inferred.
    workspace.remove("solutions/broken/accepted/sum.c");
    workspace.write("solutions/broken/brute_force/sum.c", SUM);
    let output = workspace.judge(["run"]).exits(3);
    output.stdout_has(&[
        "✗ problems/broken/problem.yaml: no time limit is stated, and no submission allows inferring one",
        "hint: set `limits.time_limit`",
    ]);
    workspace
        .judge(["run", "--time-limit", "4"])
        .exits(1)
        .stdout_has(&["brute_force/sum.c", "AC"]);
}

#[test]
fn interactive_problems_without_an_interactor_are_refused() {
    let Some(workspace) = workspace("limits: {time_limit: 2}\n") else {
        return;
    };
    let yaml = fs::read_to_string(workspace.path("problems/broken/problem.yaml")).unwrap();
    workspace.write(
        "problems/broken/problem.yaml",
        yaml.replace("pass-fail", "interactive"),
    );
    assert_fault_is_reported(
        &workspace,
        &[
            "✗ problems/broken/output_validator: expected an output validator, which interactive problems need",
        ],
    );
}

#[test]
fn directories_without_problem_yaml_are_not_packages() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/empty/data/secret/01.in", "");
    workspace
        .judge(["run", "problems/empty"])
        .exits(5)
        .stderr_has(&["`problems/empty` names no problem"]);
    workspace.judge(["run"]).exits(0);
}

#[test]
fn isolation_beyond_the_host_is_an_error_without_verdicts() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for level in ["user", "landlock"] {
        let output = workspace.judge(["run", "--report=json", "--isolation", level]);
        if output.code == Some(0) {
            skipped(level, "this host gives it");
            continue;
        }
        let output = output.exits(4);
        output.stderr_has(&["error: ", level]);
        assert!(
            !output.stdout.contains("test_case_finished"),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn an_unavailable_isolation_level_is_a_host_error_without_verdicts() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "judge.yaml",
        "isolation: {level: none, require: [total_memory, no_network]}\n",
    );
    let output = workspace.judge(["run", "--report=json"]).exits(4);
    output.stderr_has(&[
        "the isolation level `none`",
        "`total_memory` (memory limit over",
        "`no_network`",
        "judge doctor",
    ]);
    assert_eq!(output.stdout, "");
    // A guarantee that the level gives can be required: at the strongest level, all except its
    // gaps.
    workspace.write(
        "judge.yaml",
        "isolation: {require: [no_network, nothing_survives]}\n",
    );
    workspace.judge(["run"]).exits(0);
}

#[test]
fn unreadable_files_do_not_affect_other_packages() {
    let unreadable = [
        "problems/broken/data/secret/01.in",
        "problems/broken/output_validator/validate.c",
        "solutions/broken/accepted/sum.c",
        "problems/broken/problem.yaml",
    ];
    if rustix::process::geteuid().is_root() {
        return skipped(
            "unreadable files",
            "root reads everything; ci/nightly/unprivileged runs this as another user",
        );
    }
    for file in unreadable {
        let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
            return;
        };
        workspace.write(
            "problems/broken/output_validator/validate.c",
            "int main(void) { return 42; }\n",
        );
        fs::set_permissions(workspace.path(file), Permissions::from_mode(0o000)).unwrap();
        for command in ["run", "check", "check --data"] {
            let output = workspace
                .judge(command.split(' ').chain(["--report=json"]))
                .exits(3);
            assert!(
                output.stdout.contains(file) && !output.stdout.contains("host_fault"),
                "{command}: {}",
                output.stdout
            );
            let count = output
                .stdout
                .lines()
                .filter(|line| line.contains("Permission denied"))
                .count();
            assert!(
                count == 1 || command == "check --data",
                "{command} reports {file} {count} times: {}",
                output.stdout
            );
        }
        let output = workspace.events(["run"]).exits(3);
        assert_eq!(
            output.verdict("accepted/sum.c"),
            Verdict::Accepted,
            "the other one is judged"
        );
    }
}

/// A workspace in which every command has a program to run, and the path of a file that each of
/// these programs creates.
fn with_everything_to_run() -> Option<(Workspace, PathBuf)> {
    let workspace = Workspace::with_sum().filter(|_| has("rust"))?;
    let mark = workspace.path("was-run");
    let marking = |rest: &str| {
        let file = mark.display();
        format!(
            "#include <stdio.h>\nint main(void) {{ fclose(fopen(\"{file}\", \"w\")); {rest} }}\n"
        )
    };
    workspace.write(
        "problems/sum/input_validators/validate.c",
        marking("return 42;"),
    );
    workspace.write("problems/sum/generators/one.c", marking("puts(\"1 2\");"));
    let plan = "solution: /submissions/accepted/other.rs\ndata:\n  secret:\n    data:\n      - made: one.c 1\n";
    workspace.write("problems/sum/generators/generators.yaml", plan);
    workspace.write("solutions/sum/accepted/other.c", marking("puts(\"3\");"));
    let rust = "fn main() { let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
                println!(\"{}\", text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>()); }\n";
    workspace.write("solutions/sum/accepted/rust.rs", rust);
    workspace.write("problems/sum/submissions/accepted/other.rs", rust);
    workspace.write("1.in", "1 2\n");
    Some((workspace, mark))
}

#[test]
fn a_required_isolation_level_applies_to_every_command() {
    let Some((workspace, mark)) = with_everything_to_run() else {
        return;
    };
    let commands: [&[&str]; 15] = [
        &["run"],
        &["run", "--no-cache"],
        &["run", "--shard=1/1", "--report=json=shard.jsonl"],
        &["submit", "--problem=sum", "solutions/sum/accepted/other.c"],
        &["verify"],
        &["check"],
        &["check", "--data"],
        &["run", "--matrix", "sum"],
        &["generate", "sum"],
        &["generate", "--review", "sum", "--accept-answers"],
        &["add", "--problem=sum", "1.in"],
        &["compare", "sum/accepted/sum.c", "sum/accepted/other.c"],
        &["stress", "sum/accepted/sum.c"],
        &["mutate", "sum"],
        &["doctor"],
    ];
    for required in ["no_network", "files_hidden"] {
        workspace.write(
            "judge.yaml",
            format!("problems: [problems]\nisolation: {{level: none, require: [{required}]}}\n"),
        );
        for command in commands {
            let output = workspace.judge(command.iter().copied());
            assert_eq!(output.code, Some(4), "{command:?}: {output:?}");
            output.stderr_has(&["the isolation level `none`", required]);
            assert!(!mark.exists(), "{command:?} has run something");
        }
    }
    // Without a requirement, the same commands run programs.
    workspace.write(
        "judge.yaml",
        "problems: [problems]\nisolation: {level: none}\n",
    );
    for command in [
        &["run"][..],
        &["check"],
        &["check", "--data"],
        &["run", "--matrix", "sum"],
    ] {
        workspace.judge(command.iter().copied());
        assert!(mark.exists(), "{command:?} has run nothing");
        fs::remove_file(&mark).unwrap();
    }
}

#[test]
fn unusable_cache_paths_are_usage_errors() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let odd = workspace.path("a/../b");
    for (name, value) in [
        ("JUDGE_CACHE_DIR", odd.to_str().unwrap()),
        ("JUDGE_CACHE_DIR", "relative"),
    ] {
        let output =
            CommandOutput::from_command(workspace.command(["run"]).env(name, value)).exits(2);
        output.stderr_has(&[
            name,
            "expected an absolute path without `..`, found",
            value,
            "hint: ",
        ]);
    }
    let mut command = workspace.command(["run"]);
    let output = CommandOutput::from_command(
        command
            .env_remove("JUDGE_CACHE_DIR")
            .env("XDG_CACHE_HOME", &odd),
    )
    .exits(2);
    output.stderr_has(&["XDG_CACHE_HOME", "without `..`"]);
    assert!(!workspace.path("b").exists());
    // A link is equivalent to its directory, and an empty variable to a missing one.
    fs::create_dir(workspace.path("real")).unwrap();
    std::os::unix::fs::symlink("real", workspace.path("link")).unwrap();
    CommandOutput::from_command(
        workspace
            .command(["run"])
            .env("JUDGE_CACHE_DIR", workspace.path("link/c")),
    )
    .exits(0);
    let mut command = workspace.command(["run"]);
    CommandOutput::from_command(
        command
            .env("JUDGE_CACHE_DIR", "")
            .env("XDG_CACHE_HOME", workspace.path("real")),
    )
    .exits(0);
}

#[test]
fn a_cache_in_an_unusable_place_is_a_host_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("a file", "");
    // A file in its place stops even root; permissions stop other users.
    let mut places = vec![workspace.path("a file"), workspace.path("a file/below")];
    if !rustix::process::geteuid().is_root() {
        let closed = workspace.path("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        places.push(closed);
    }
    for place in places {
        let mut command = workspace.command(["run", "--report=json"]);
        let output = CommandOutput::from_command(command.env("JUDGE_CACHE_DIR", &place)).exits(4);
        output.stderr_has(&["error: cannot", &place.display().to_string()]);
        if place.starts_with(workspace.path("a file")) {
            output.stderr_has(&["hint: ", "`JUDGE_CACHE_DIR`"]);
        }
        assert!(
            !output.stdout.contains("test_case_finished"),
            "{}",
            output.stdout
        );
    }
}

/// Runs a script and then `judge` in a mount namespace of their own, where this variable names a
/// directory. Returns `None` where that is impossible.
fn with_disk(
    workspace: &Workspace,
    variable: &str,
    script: &str,
    args: &[&str],
) -> Option<CommandOutput> {
    let place = workspace.path("full");
    fs::create_dir_all(&place).unwrap();
    let script = format!("{script} && exec \"$@\"");
    let within = |words: &[&str]| {
        let start = ["-m", "sh", "-c", &script, "sh"];
        let mut command = workspace.command_of(Path::new("unshare"), [&start, words].concat());
        command.env(variable, &place);
        command
    };
    if !rustix::process::geteuid().is_root()
        || !within(&["true"])
            .status()
            .is_ok_and(|status| status.success())
    {
        skipped("a full disk", "it needs root, unshare(1) and mount(8)");
        return None;
    }
    let words = [&[env!("CARGO_BIN_EXE_judge")], args].concat();
    Some(CommandOutput::from_command(&mut within(&words)))
}

#[test]
fn a_cache_without_room_is_reported_with_a_hint() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let script = "mount -t tmpfs -o size=64k,mode=700 none \"$JUDGE_CACHE_DIR\" \
                  && head -c 65536 /dev/zero >\"$JUDGE_CACHE_DIR/filling\"";
    if let Some(output) = with_disk(&workspace, "JUDGE_CACHE_DIR", script, &["run"]) {
        output.exits(4).stdout_has(&[
            "No space left on device",
            "hint: the cache may be on a full disk",
            "JUDGE_CACHE_DIR",
        ]);
    }
}

/// Only slots without a disk of their own compile on a disk of the host.
#[test]
fn a_compiler_without_room_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    // The object file is larger than the disk.
    let program = "char large[1 << 22] = {1};\nint main(void) { return large[0] - 1; }\n";
    workspace.write("problems/sum/submissions/accepted/large.c", program);
    let mount = |filled: u32| {
        format!(
            "mount -t tmpfs -o size=4m,mode=1777 none \"$TMPDIR\" \
             && head -c {filled}k /dev/zero >\"$TMPDIR/filling\""
        )
    };
    let args = ["run", "sum/large.c", "--isolation=user"];
    if let Some(output) = with_disk(&workspace, "TMPDIR", &mount(3700), &args) {
        output
            .exits(4)
            .stdout_has(&["cannot compile in", "No space left on device", "TMPDIR"]);
    }
    // What a program makes its compiler print proves nothing while the disk has space.
    workspace.write(
        "problems/sum/submissions/accepted/large.c",
        "#error No space left on device\n",
    );
    if let Some(output) = with_disk(&workspace, "TMPDIR", &mount(0), &args) {
        output.exits(1).stdout_has(&["CE"]);
    }
}

#[test]
fn empty_descriptions_are_reported_by_every_judging_command() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/problem.yaml", "");
    for subcommand in ["run", "verify", "check"] {
        let output = workspace.judge([subcommand, "sum"]);
        let times = output
            .stdout
            .matches("the file is empty, so the package is read as")
            .count();
        assert_eq!(times, 1, "{subcommand}: {output:?}");
    }
}

#[test]
fn a_mistake_in_judge_yaml_is_a_usage_error() {
    for (text, words) in [
        (
            "problem: [problems]\n",
            &[
                "judge.yaml:1: unknown key `problem`",
                "hint: did you mean `problems`?",
            ][..],
        ),
        (
            "problems: [nowhere]\n",
            &[
                "judge.yaml:1: ",
                "expected a directory, found none at `nowhere`",
            ],
        ),
        (
            "isolation: strong\n",
            &["judge.yaml:1: ", "unknown isolation level `strong`"],
        ),
        ("jobs: 0\n", &["judge.yaml:1: ", "jobs"]),
        (
            "languages:\n  c:\n    compil: [x]\n",
            &["judge.yaml:3: unknown key `languages.c.compil`"],
        ),
    ] {
        let workspace = Workspace::new();
        workspace.sum("sum");
        workspace.write("judge.yaml", text);
        for command in ["run", "list", "doctor"] {
            let output = workspace.judge([command]).exits(2);
            output.stderr_has(&["error: "]).stderr_has(words);
            assert_eq!(output.stdout, "");
        }
    }
}

/// A broken compiler is not a compile error of every submission in its language.
#[test]
fn broken_compilers_are_not_compile_errors() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "bin/broken-gcc",
        "#!/bin/sh\necho 'no such toolchain' >&2\nexit 1\n",
    );
    executable(&workspace.path("bin/broken-gcc"));
    let row = "languages:\n  c:\n    tools:\n      compiler: {names: [broken-gcc], version_args: [--version]}\n";
    workspace.write("judge.yaml", row);
    let mut command = workspace.command(["run"]);
    let output = CommandOutput::from_command(command.env("PATH", workspace.path("bin"))).exits(4);
    output.stdout_has(&[
        "c cannot be judged here",
        "does not work",
        "no such toolchain",
        "1 submission is skipped",
    ]);
    output.stdout_lacks(&["CE"]);
}
