//! Commands that change packages: they are killed in the middle, and run on hostile packages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::workspace::{CommandOutput, Workspace, has};

/// The maximum time that a busy host may take until the first step.
const START: Duration = Duration::from_secs(60);

/// Every file below the problems: its relative path and its content.
fn files(workspace: &Workspace) -> Vec<(PathBuf, Vec<u8>)> {
    let root = workspace.path("problems");
    let files = workspace.files("problems").into_iter();
    files
        .map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_owned(), bytes))
        .collect()
}

/// The command, with a separate cache.
fn command(workspace: &Workspace, args: &[&str]) -> Command {
    let mut command = workspace.command(args);
    command.env("JUDGE_CACHE_DIR", workspace.path("cache"));
    command
}

/// Kills a command between its first and its last step; false when it completed.
fn is_killed(workspace: &Workspace, args: &[&str]) -> bool {
    let mut child = command(workspace, args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let user = rustix::process::geteuid().as_raw();
    let journals = workspace.path(&format!("cache/journals-{user}"));
    let has_begun = || {
        let journals = fs::read_dir(&journals).into_iter().flatten().flatten();
        journals
            .filter_map(|entry| fs::read(entry.path()).ok())
            .any(|text| text.iter().filter(|byte| **byte == b'\n').count() > 1)
    };
    let give_up = Instant::now() + START;
    while !has_begun() && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < give_up, "{args:?} does not begin");
    }
    let _ = child.kill();
    child.wait().unwrap();
    has_begun()
}

/// Kills a command repeatedly, until one kill hits the middle of its steps, and checks the files
/// after that.
fn kill_between_steps(make: impl Fn() -> Workspace, args: &[&str]) {
    let whole = make();
    CommandOutput::from_command(&mut command(&whole, args)).exits(0);
    let new = files(&whole);
    for _ in 0..20 {
        let workspace = make();
        let old = files(&workspace);
        if !is_killed(&workspace, args) {
            let now = files(&workspace);
            assert!(
                now == old || now == new,
                "killed before the first step, or after the last"
            );
            continue;
        }
        let between = files(&workspace);
        let words = [
            "a command is changing the package, or was killed while it did",
            "hint:",
        ];
        CommandOutput::from_command(&mut command(&workspace, &["run", "sum"]))
            .exits(3)
            .stdout_has(&words);
        assert!(
            files(&workspace) == between,
            "read-only commands revert nothing"
        );
        // In another directory, by another path.
        let package = workspace.path("problems/sum");
        let mut again = command(&workspace, &[&[args[0], "."], &args[2..]].concat());
        let ended = CommandOutput::from_command(again.current_dir(&package)).exits(0);
        ended.stderr_has(&["a command that was changing it was killed; its changes were reverted"]);
        assert!(files(&workspace) == new);
        CommandOutput::from_command(&mut command(&workspace, &["list", "sum"])).exits(0);
        return;
    }
    panic!("{args:?} was never killed in the middle");
}

#[test]
fn killed_upgrades_are_reverted_by_the_next_command() {
    let make = || {
        let workspace = Workspace::new();
        workspace.sum("sum");
        workspace.write(
            "problems/sum/problem.yaml",
            "name: Sum\nvalidation: default\n",
        );
        workspace.write("problems/sum/.timelimit", "2\n");
        workspace.write(
            "problems/sum/problem_statement/problem.tex",
            "\\problemname{Sum}\n",
        );
        for group in 0..80 {
            workspace.case("sum", &format!("secret/g{group:03}/1"), "1 1\n", "2\n");
            let flags = format!("problems/sum/data/secret/g{group:03}/testdata.yaml");
            workspace.write(&flags, "input_validator_flags: --one\n");
        }
        workspace
    };
    kill_between_steps(make, &["upgrade", "sum", "--write"]);
}

#[test]
fn killed_generations_are_reverted_by_the_next_command() {
    let make = || {
        let workspace = Workspace::new();
        workspace.problem("sum", "");
        let cases: String = (0..100)
            .map(|number| format!("      - c{number}: {{in: \"{number}\", ans: \"1\"}}\n"))
            .collect();
        let rules = format!("data:\n  secret:\n    data:\n{cases}");
        workspace.write("problems/sum/generators/generators.yaml", rules);
        workspace
    };
    kill_between_steps(make, &["generate", "sum", "--isolation", "none"]);
}

/// A package with a generator, and a directory outside of it that its commands must not touch.
fn package_with_rules(workspace: &Workspace) {
    workspace.sum("sum");
    workspace.write("problems/sum/generators/gen.py", "print(1, 2)\n");
    workspace.write(
        "problems/sum/submissions/accepted/sum.py",
        "print(sum(map(int, input().split())))\n",
    );
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(0,9) SPACE INT(0,9) NEWLINE EOF\n",
    );
    workspace.write(
        "problems/sum/generators/generators.yaml",
        "solution: /submissions/accepted/sum.py\ndata: {secret: {data: [new: gen.py]}}\n",
    );
    workspace.write("outside/precious", "precious\n");
}

const CHANGING: [&[&str]; 7] = [
    &["generate", "sum"],
    &["generate", "sum", "--check"],
    &["generate", "--review", "sum"],
    &["add", "-", "-p", "sum", "--name", "new"],
    &["upgrade", "sum", "--write"],
    &["check", "sum"],
    &["run", "sum"],
];

#[test]
fn journals_in_packages_are_ignored() {
    if !has("python3") {
        return;
    }
    for args in CHANGING {
        let workspace = Workspace::new();
        package_with_rules(&workspace);
        let package = workspace.path("problems/sum");
        if args[0] == "upgrade" {
            workspace.write("problems/sum/problem.yaml", "name: Sum\n");
        }
        // Journals with all names that were ever used, with links in their paths.
        symlink(workspace.path("outside"), package.join("data/out")).unwrap();
        workspace.write("problems/sum/data/secret/.judge-generate-1-0", "planted");
        workspace.write(
            "problems/sum/generators/.judge-generate-journal",
            r#"{"renames":[{"from":"data/secret/.judge-generate-1-0","to":"data/out/planted","over":null}],"removals":[]}"#,
        );
        fs::create_dir(package.join("attachments")).unwrap();
        symlink(workspace.path("outside"), package.join("attachments/x")).unwrap();
        workspace.write("problems/sum/.judge-upgrade/0", "planted");
        let steps = "{\"restore\":[\"d/planted\",0]}\n{\"move\":{\"from\":\"d\",\"to\":\"attachments/x\"}}\n";
        workspace.write("problems/sum/.judge-upgrade/journal", steps);
        workspace.write("problems/sum/.judge-changes/0.old", "planted");
        let before = (
            workspace.files("outside"),
            fs::read(package.join("generators/.judge-generate-journal")).unwrap(),
        );
        let mut command = command(&workspace, args);
        fs::write(workspace.path("input"), "3 4\n").unwrap();
        let ended = CommandOutput::from_command(
            command.stdin(fs::File::open(workspace.path("input")).unwrap()),
        );
        assert_eq!(workspace.files("outside"), before.0, "{args:?}: {ended:?}");
        for (path, content) in [
            ("generators/.judge-generate-journal", before.1.as_slice()),
            ("data/secret/.judge-generate-1-0", b"planted"),
            (".judge-upgrade/0", b"planted"),
            (".judge-upgrade/journal", steps.as_bytes()),
            (".judge-changes/0.old", b"planted"),
        ] {
            assert_eq!(
                fs::read(package.join(path)).unwrap(),
                content,
                "{args:?}: {path}"
            );
        }
        ended.stdout_lacks(&["reverted"]);
    }
}

/// Every directory that a command could write into becomes a link out of the package.
#[test]
fn no_command_writes_through_a_link_out_of_a_package() {
    if !has("python3") {
        return;
    }
    let cases: [(&str, &[&[&str]]); 6] = [
        ("data", &[CHANGING[0], CHANGING[3], CHANGING[4]]),
        ("data/secret", &[CHANGING[0], CHANGING[2], CHANGING[3]]),
        ("generators", &[CHANGING[0], CHANGING[2], CHANGING[3]]),
        ("submissions", &[CHANGING[0], CHANGING[4]]),
        (
            "statement",
            &[
                CHANGING[4],
                &[
                    "statement",
                    "sum",
                    "--output",
                    "problems/sum/statement/page/",
                ],
            ],
        ),
        (
            "found",
            &[&[
                "stress",
                "sum/accepted/sum.py",
                "--inputs",
                "1",
                "--save",
                "problems/sum/found",
            ]],
        ),
    ];
    for (place, commands) in cases {
        for args in commands {
            let workspace = Workspace::new();
            package_with_rules(&workspace);
            let link = workspace.path("problems/sum").join(place);
            let outside = workspace.path("outside");
            if args[0] == "upgrade" {
                workspace.write("problems/sum/problem.yaml", "name: Sum\n");
                workspace.write(
                    "problems/sum/problem_statement/problem.tex",
                    "\\problemname{Sum}\n",
                );
            }
            if link.is_dir() {
                fs::rename(&link, outside.join("moved")).unwrap();
                symlink(outside.join("moved"), &link).unwrap();
            } else {
                symlink(&outside, &link).unwrap();
            }
            let before = workspace.files("outside");
            fs::write(workspace.path("input"), "3 4\n").unwrap();
            let mut command = command(&workspace, args);
            let ended = CommandOutput::from_command(
                command.stdin(fs::File::open(workspace.path("input")).unwrap()),
            );
            assert_eq!(
                workspace.files("outside"),
                before,
                "{args:?} with `{place}` as a link: {ended:?}"
            );
        }
    }
}

/// Runs every command with an output so that it would write below a link of a package, which is
/// named in two ways.
#[test]
fn no_command_writes_output_through_a_package_link() {
    if !has("python3") {
        return;
    }
    let commands: [&[&str]; 17] = [
        &["check", "sum", "--report", "sarif=FOUND/report"],
        &["run", "sum", "--report=json=FOUND/events"],
        &["run", "sum", "--report", "junit=FOUND/report"],
        &["verify", "sum", "--report", "html=FOUND/new/report"],
        &[
            "compare",
            "sum/accepted/sum.py",
            "sum/accepted/sum.py",
            "--report=json=FOUND/document",
        ],
        &[
            "compare",
            "sum/accepted/sum.py",
            "sum/accepted/sum.py",
            "--report",
            "html=FOUND/page",
        ],
        &["mutate", "sum", "--report=json=FOUND/document"],
        &[
            "stress",
            "sum/accepted/sum.py",
            "--reference",
            "sum/accepted/other.py",
            "--save",
            "FOUND/new",
        ],
        &[
            "stress",
            "sum/accepted/sum.py",
            "--reference",
            "sum/accepted/other.py",
            "--report=json=FOUND/document",
        ],
        &[
            "pack",
            "sum",
            "--for",
            "domjudge",
            "--output",
            "FOUND/sum.zip",
        ],
        &[
            "pack",
            "sum",
            "--for",
            "domjudge",
            "--samples",
            "FOUND/new/samples.zip",
        ],
        &["statement", "sum", "--output", "FOUND/new/"],
        &["statement", "sum", "--output", "FOUND/page.html"],
        &["visualize", "sum", "secret/01", "--output", "FOUND/new"],
        &["import", "bring", "--into", "FOUND"],
        &["new", "FOUND/product"],
        &["run", "sum", "--shard", "1/1", "--report=json=FOUND/shard"],
    ];
    for (number, command) in commands.into_iter().enumerate() {
        for found in ["problems/sum/found", "alias/found"] {
            let workspace = Workspace::new();
            package_with_rules(&workspace);
            workspace.write("problems/sum/statement/problem.en.md", "Add.\n");
            workspace.write(
                "problems/sum/submissions/accepted/other.py",
                "print(sum(map(int, input().split())) + 0)\n",
            );
            workspace.write("problems/sum/output_visualizer/draw.py", "print()\n");
            workspace.write("bring/1.in", "1 2\n");
            workspace.write("bring/1.out", "3\n");
            symlink("problems/sum", workspace.path("alias")).unwrap();
            symlink("../../outside", workspace.path("problems/sum/found")).unwrap();
            let before = workspace.files("outside");
            let args: Vec<String> = command
                .iter()
                .map(|word| word.replace("FOUND", found))
                .collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ended = CommandOutput::from_command(&mut self::command(&workspace, &args));
            assert_eq!(
                workspace.files("outside"),
                before,
                "{number}: {args:?}: {ended:?}"
            );
            let words = [
                "nothing is written through links in a package",
                "is a package; a package inside",
            ];
            assert!(
                words.iter().any(|words| ended.stderr.contains(words)),
                "{args:?}: {ended:?}"
            );
            assert_ne!(ended.code, Some(0), "{args:?}: {ended:?}");
        }
    }
}

/// The package has a pipe and a link at the paths of reports.
#[test]
fn output_in_a_package_replaces_links_and_pipes() {
    let workspace = Workspace::new();
    package_with_rules(&workspace);
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        workspace.path("problems/sum/pipe"),
        rustix::fs::Mode::RWXU,
    )
    .unwrap();
    symlink(
        workspace.path("outside/precious"),
        workspace.path("problems/sum/file"),
    )
    .unwrap();
    symlink("/dev/null", workspace.path("problems/sum/device")).unwrap();
    let before = workspace.files("outside");
    let run = |file: &str| {
        let report = format!("junit=problems/sum/{file}");
        CommandOutput::from_command(&mut command(
            &workspace,
            &["check", "sum", "--static", "--report", &report],
        ))
    };
    run("pipe")
        .exits(4)
        .stderr_has(&["`", "pipe`", "neither a regular file nor a stream"]);
    for file in ["file", "device"] {
        run(file);
        let path = workspace.path("problems/sum").join(file);
        assert!(path.symlink_metadata().unwrap().is_file(), "{file}");
    }
    assert_eq!(workspace.files("outside"), before);
}

/// If standard output is a file, text for `/dev/stdout` is appended to it.
#[test]
fn reports_on_standard_streams_are_added_to_them() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        fs::write(workspace.path("out"), "before\n").unwrap();
        let out = fs::OpenOptions::new()
            .append(true)
            .open(workspace.path("out"))
            .unwrap();
        let report = format!("junit={name}");
        let mut command = command(
            &workspace,
            &["check", "sum", "--static", "--report", &report],
        );
        command.stdout(out).status().unwrap();
        let text = fs::read_to_string(workspace.path("out")).unwrap();
        assert!(
            text.starts_with("before\n") && text.contains("<testsuites"),
            "{name}: {text}"
        );
        assert!(PathBuf::from(name).exists());
    }
}

/// By two links in each directory, 2^14 paths lead to the last one.
#[test]
fn directories_with_too_many_paths_are_errors() {
    for place in ["data/secret", "include", "submissions/accepted/program"] {
        let workspace = Workspace::new();
        workspace.sum("sum");
        for number in 0..14 {
            let directory = workspace.path(&format!("problems/sum/{place}/d{number}"));
            fs::create_dir_all(&directory).unwrap();
            for link in ["a", "b"] {
                symlink(format!("../d{}", number + 1), directory.join(link)).unwrap();
            }
        }
        fs::create_dir(workspace.path(&format!("problems/sum/{place}/d14"))).unwrap();
        let begun = Instant::now();
        let ended = CommandOutput::from_command(&mut command(&workspace, &["list", "sum"]));
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{place}: {:?}",
            begun.elapsed()
        );
        assert!(
            ended
                .stderr
                .contains("expected at most 1000 links to directories"),
            "{place}: {ended:?}"
        );
    }
}
