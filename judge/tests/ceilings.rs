//! Limits of the shell that calls the judge (`ulimit`) do not affect verdicts.
//!
//! If the judge may raise them for programs, it does; otherwise it reports the limit that is too
//! low before anything runs.

use std::path::Path;

use judge_model::{IsolationLevel, Verdict};

use crate::workspace::{CommandOutput, Workspace, skipped, strongest_level};

/// A correct program that uses each of the limited resources. It needs more of the first three than
/// the limits below permit.
const DEMANDING: &str = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    #include <sys/mman.h>\n#include <time.h>\n#include <unistd.h>\n\
    static char page[4096];\n\
    static int deep(int n) { volatile char block[4096]; memset((void *)block, n, sizeof block); \
    return n ? deep(n - 1) + block[0] - block[1] : 0; }\n\
    int main(void) { int a, b; scanf(\"%d %d\", &a, &b);\n\
    if (mmap(0, 6ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) \
    return 1;\n\
    for (int i = 0; i < 600; i++) if (dup(1) < 0) return 2;\n\
    if (mlock(page, sizeof page)) return 3;\n\
    while (a == 1000 && clock() < 23 * (CLOCKS_PER_SEC / 10)) {}\n\
    printf(\"%d\\n\", a + b + deep(8000)); }\n";

/// Limits that are too low for this program: the option of `ulimit`, whether the judge raises the
/// limit for programs, and the value.
const LIMITS: [(&str, bool, &str); 8] = [
    ("u", false, "10"),
    ("n", false, "500"),
    ("s", true, "8192"),
    ("f", true, "20000"),
    ("t", true, "2"),
    ("v", true, "4000000"),
    ("d", true, "4000000"),
    ("l", true, "0"),
];

/// The user of the tests, with all rights or without the right to raise limits.
#[derive(Clone, Copy, PartialEq)]
enum Caller {
    AsItIs,
    WithoutRaising,
}

/// True if limits may be raised (capabilities(7)): not every root user may.
fn may_raise() -> bool {
    const CAP_SYS_RESOURCE: u32 = 24;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let effective = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .unwrap();
    u64::from_str_radix(effective.trim(), 16).unwrap() & (1 << CAP_SYS_RESOURCE) != 0
}

/// Judges everything after a command of the shell, without cached results; `cache` names the
/// directory of programs.
fn run_all(
    workspace: &Workspace,
    caller: Caller,
    limits: &str,
    level: IsolationLevel,
    cache: &str,
) -> CommandOutput {
    let script = format!("{limits} exec \"$0\" run --report=json --no-cache --isolation={level}");
    let command = [
        "/bin/bash",
        "-c",
        script.as_str(),
        env!("CARGO_BIN_EXE_judge"),
    ];
    let setpriv = [
        "setpriv",
        "--bounding-set=-sys_resource",
        "--inh-caps=-sys_resource",
        "--",
    ];
    let words: Vec<_> = match caller {
        Caller::WithoutRaising if may_raise() => setpriv.into_iter().chain(command).collect(),
        _ => command.to_vec(),
    };
    let mut command = workspace.command_of(Path::new(words[0]), &words[1..]);
    command.env("JUDGE_CACHE_DIR", workspace.path(cache));
    CommandOutput::from_command(&mut command)
}

/// The levels of a list that this host offers. Without limits, each of them accepts the program.
fn offered(workspace: &Workspace, levels: Vec<IsolationLevel>) -> Vec<IsolationLevel> {
    let is_offered = |level: &IsolationLevel| {
        let args = [
            "run",
            "--report=json",
            "--samples",
            "--isolation",
            level.name(),
        ];
        let output = CommandOutput::from_command(
            workspace
                .command(args)
                .env("JUDGE_CACHE_DIR", workspace.path("cache")),
        );
        if output.code == Some(4) && output.stderr.contains("is unavailable on this host") {
            skipped(level.name(), &output.stderr);
            return false;
        }
        assert_accepted(&output, 1, *level);
        true
    };
    levels.into_iter().filter(is_offered).collect()
}

#[track_caller]
fn assert_accepted(output: &CommandOutput, test_cases: usize, level: IsolationLevel) {
    assert_eq!(output.code, Some(0), "{level}: {output:?}");
    let verdicts: Vec<_> = output.test_cases().map(|case| case.verdict).collect();
    assert_eq!(
        verdicts,
        vec![Verdict::Accepted; test_cases],
        "{level}: {output:?}"
    );
}

/// The limit is named, and nothing has run, not even a compiler.
#[track_caller]
fn assert_refused(output: &CommandOutput, option: &str, level: IsolationLevel) {
    assert_eq!(output.code, Some(4), "{level}: -{option}: {output:?}");
    let message = format!("{}{}", output.stdout, output.stderr);
    assert!(
        message.contains("; programs need ") && message.contains(&format!("ulimit -{option}")),
        "{level}: {message}"
    );
    assert!(
        output.test_cases().next().is_none() && !output.stdout.contains("compile_finished"),
        "{level}: {message}"
    );
}

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("solutions/sum/accepted/sum.c", DEMANDING);
    Some(workspace)
}

fn is_refused(levels: Vec<IsolationLevel>) {
    let Some(workspace) = workspace() else { return };
    for level in offered(&workspace, levels) {
        for (option, _, value) in LIMITS {
            // Nothing is compiled yet.
            let limit = format!("ulimit -{option} {value};");
            assert_refused(
                &run_all(&workspace, Caller::WithoutRaising, &limit, level, "empty"),
                option,
                level,
            );
        }
    }
}

fn decides_no_verdict(levels: Vec<IsolationLevel>) {
    let Some(workspace) = workspace() else { return };
    let may_raise = may_raise();
    if !may_raise {
        skipped("hard limits", "this user may not raise them");
    }
    for level in offered(&workspace, levels) {
        let all = |kind: &str, is_included: &dyn Fn(bool) -> bool| -> String {
            // A limit of processes would apply to the shell and to all other processes of its user
            // too.
            let limits = LIMITS
                .iter()
                .filter(|(option, raised, _)| *option != "u" && is_included(*raised));
            limits
                .map(|(option, _, value)| format!("ulimit -{kind}{option} {value};"))
                .collect()
        };
        // A limit below the permitted one is used.
        assert_accepted(
            &run_all(
                &workspace,
                Caller::AsItIs,
                &all("S", &|_| true),
                level,
                "cache",
            ),
            3,
            level,
        );
        if may_raise {
            assert_accepted(
                &run_all(
                    &workspace,
                    Caller::AsItIs,
                    &all("", &|raised| raised),
                    level,
                    "cache",
                ),
                3,
                level,
            );
        }
    }
}

#[test]
fn fixed_limits_of_the_caller_are_host_errors_with_a_hint() {
    is_refused(strongest_level().into_iter().collect());
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn fixed_limits_of_the_caller_are_host_errors_at_every_level() {
    is_refused(IsolationLevel::ALL.to_vec());
}

#[test]
fn raisable_limits_of_the_caller_do_not_affect_verdicts() {
    decides_no_verdict(strongest_level().into_iter().collect());
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn raisable_limits_of_the_caller_do_not_affect_verdicts_at_any_level() {
    decides_no_verdict(IsolationLevel::ALL.to_vec());
}
