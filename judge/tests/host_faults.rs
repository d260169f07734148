//! Faults of the host: a missing isolation level, an unusable cache, or a full disk. None gives a
//! verdict.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_model::IsolationLevel;

use crate::workspace::{CommandOutput, Workspace, executable, has, levels, skipped};

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

/// A file system without execution refuses every program alike, so a verdict would be the host's.
#[test]
fn a_disk_without_execution_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    // At the level `user`, programs are copied into the slot's directory.
    for (level, variable) in [
        ("full", "JUDGE_CACHE_DIR"),
        ("user", "TMPDIR"),
        ("none", "JUDGE_CACHE_DIR"),
    ] {
        let script = format!("mount -t tmpfs -o noexec,mode=755 none \"${variable}\"");
        let isolation = format!("--isolation={level}");
        let args = ["run", "sum/accepted", &isolation];
        let Some(output) = with_disk(&workspace, variable, &script, &args) else {
            return;
        };
        output.exits(4).stdout_has(&[
            "cannot execute programs below `",
            "`noexec`",
            "hint: mount it with `exec`",
            "JUDGE_CACHE_DIR",
        ]);
    }
}

/// A control group whose limit this test sets, as a container has one.
struct LimitedGroup(PathBuf);

impl LimitedGroup {
    /// Creates a group with one of these limits: the hierarchy (v1 or v2), the file and its value.
    fn new(purpose: &str, limits: [(&str, &str, &str); 2]) -> Option<Self> {
        let name = format!("judge-test-{purpose}-{}", std::process::id());
        let found = limits.into_iter().find_map(|(hierarchy, file, value)| {
            let group = Path::new("/sys/fs/cgroup").join(hierarchy).join(&name);
            fs::create_dir(&group).ok()?;
            let group = Self(group);
            fs::write(group.0.join(file), value).ok()?;
            Some(group)
        });
        if found.is_none() {
            skipped(purpose, "no control group can be made");
        }
        found
    }

    /// Runs `judge` in the group.
    fn judge(&self, workspace: &Workspace, words: &[&str]) -> CommandOutput {
        let script = "echo $$ >\"$GROUP/cgroup.procs\" && exec \"$0\" \"$@\"";
        let start = ["-c", script, env!("CARGO_BIN_EXE_judge")];
        let mut command = workspace.command_of(Path::new("sh"), [&start, words].concat());
        CommandOutput::from_command(command.env("GROUP", &self.0))
    }
}

impl Drop for LimitedGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// A compiler that cannot start its second stage would look like a submission that does not compile.
#[test]
fn a_control_group_with_too_few_processes_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let limits = [("pids", "pids.max", "30"), ("", "pids.max", "30")];
    let Some(group) = LimitedGroup::new("processes", limits) else {
        return;
    };
    for word in ["run", "doctor"] {
        group.judge(&workspace, &[word]).exits(4).stdout_has(&[
            "the control group of this process permits 2",
            "programs need 80",
            "`--pids-limit`",
        ]);
    }
}

/// The level `user`, if this host can give it.
fn user_level() -> Option<IsolationLevel> {
    rustix::process::geteuid()
        .is_root()
        .then_some(IsolationLevel::User)
}

/// Programs may have enough processes alone, but not at the same time. At `full`, each has a group of
/// its own, in which the kernel counts refusals of either group.
#[test]
fn a_control_group_that_refuses_processes_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "judge.yaml",
        "problems: [problems]\nlanguages: {c: {processes: 60}}\n",
    );
    let program = |number: u32| {
        format!(
            "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
             static void *rest(void *p) {{ usleep(250000); return p; }}\n\
             int main(void) {{ int a, b; scanf(\"%d %d\", &a, &b); pthread_t t[50];\n\
             for (int i = 0; i < 50; i++) if (pthread_create(t + i, 0, rest, 0)) abort();\n\
             for (int i = 0; i < 50; i++) pthread_join(t[i], 0);\n\
             printf(\"%d\\n\", a + b); }}    // {number}\n"
        )
    };
    for number in [1, 2] {
        let path = format!("problems/sum/submissions/accepted/threads{number}.c");
        workspace.write(&path, program(number));
    }
    let limits = [("pids", "pids.max", "95"), ("", "pids.max", "95")];
    let Some(group) = LimitedGroup::new("refused", limits) else {
        return;
    };
    for level in [IsolationLevel::Namespaces].into_iter().chain(user_level()) {
        let isolation = format!("--isolation={level}");
        let args = ["run", "sum/accepted/threads*", &isolation, "--no-cache"];
        let alone = [&args[..], &["--jobs=1"]].concat();
        group.judge(&workspace, &alone).exits(0);
        let output = group.judge(&workspace, &[&args[..], &["--jobs=2"]].concat());
        output
            .exits(4)
            .stdout_has(&["too few processes are permitted", "`--pids-limit`"]);
    }
}

/// A container with less memory than a program may use ends a correct program.
#[test]
fn a_control_group_with_too_little_memory_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let program = "#include <stdio.h>\n#include <stdlib.h>\n\
                   int main(void) { int a, b; scanf(\"%d %d\", &a, &b); volatile char *p = malloc(180 << 20);\n\
                   for (int i = 0; i < 180 << 20; i += 4096) p[i] = 1;\n\
                   printf(\"%d\\n\", a + b); }\n";
    workspace.write("problems/sum/submissions/accepted/large.c", program);
    let limit = "100M";
    let limits = [
        ("memory", "memory.limit_in_bytes", limit),
        ("", "memory.max", limit),
    ];
    let Some(group) = LimitedGroup::new("memory", limits) else {
        return;
    };
    for level in levels().into_iter().chain(user_level()) {
        let isolation = format!("--isolation={level}");
        // Compiled outside, where there is enough memory.
        let args = ["run", "sum/large.c", &isolation];
        workspace.judge(args).exits(0);
        let output = group.judge(&workspace, &[&args[..], &["--no-cache"]].concat());
        output.exits(4).stdout_has(&[
            "too little memory on this host",
            "of its 256 MiB",
            "`--memory`",
        ]);
    }
}

/// Only slots without a disk of their own write to a disk of the host.
#[test]
fn a_program_without_room_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let program = "#include <stdio.h>\n#include <stdlib.h>\n\
                   int main(void) { int a, b; scanf(\"%d %d\", &a, &b); FILE *f = fopen(\"f\", \"w\");\n\
                   for (int i = 0; i < 7 << 20; i++) if (putc('x', f) == EOF) abort();\n\
                   fclose(f); printf(\"%d\\n\", a + b); }\n";
    workspace.write("problems/sum/submissions/accepted/writes.c", program);
    let path = workspace.path("problems/sum/problem.yaml");
    let metadata = fs::read_to_string(&path).unwrap() + "allow_file_writing: true\n";
    fs::write(path, metadata).unwrap();
    let program = program.replace("fclose(f);", "fclose(f); unlink(\"f\");");
    let removes = format!("#include <unistd.h>\n{program}");
    workspace.write("problems/sum/submissions/accepted/removes.c", removes);
    for (level, name) in [("user", "writes"), ("user", "removes"), ("none", "writes")] {
        let isolation = format!("--isolation={level}");
        let submission = format!("sum/{name}.c");
        let args = ["run", &submission, &isolation];
        workspace.judge(args).exits(0);
        let script = "mount -t tmpfs -o size=4m,mode=1777 none \"$TMPDIR\"";
        let args = [&args[..], &["--no-cache"]].concat();
        if let Some(output) = with_disk(&workspace, "TMPDIR", script, &args) {
            output
                .exits(4)
                .stdout_has(&["too little space is left in `", "`TMPDIR`"]);
        }
    }
}

/// Only slots without a disk of their own compile on a disk of the host.
#[test]
fn a_compiler_without_room_is_a_fault_of_the_host() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    // The object file is larger than the disk.
    let program = "char large[80 << 20] = {1};\nint main(void) { return large[0] - 1; }\n";
    workspace.write("problems/sum/submissions/accepted/large.c", program);
    let mount = |size: &str| format!("mount -t tmpfs -o size={size},mode=1777 none \"$TMPDIR\"");
    let args = ["run", "sum/large.c", "--isolation=user"];
    if let Some(output) = with_disk(&workspace, "TMPDIR", &mount("70m"), &args) {
        output
            .exits(4)
            .stdout_has(&["cannot compile in", "No space left on device", "TMPDIR"]);
    }
    // While the disk has space, the same message proves nothing: a program can make its compiler
    // print it.
    workspace.write(
        "problems/sum/submissions/accepted/large.c",
        "#error No space left on device\n",
    );
    if let Some(output) = with_disk(&workspace, "TMPDIR", &mount("400m"), &args) {
        output.exits(1).stdout_has(&["CE"]);
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
