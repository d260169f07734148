//! Languages: every language of this host compiles and runs, and each missing one is reported once.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use judge_model::Verdict;

use crate::workspace::{
    CommandOutput, SUM, Workspace, doctor_lines, has, levels, skipped, strongest_level,
};

const RUST: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!(\"{sum}\");
}
";
const CPP: &str = "#include <iostream>
#include <print>
int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }
";
pub(crate) const PYTHON: &str = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n";
const JAVA: &str = "import java.util.Scanner;
class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextLong() + in.nextLong());
    }
}
";
const JAVASCRIPT: &str = "const words = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/);
console.log(words.map(Number).reduce((a, b) => a + b));
";
const GO: &str = "package main
import \"fmt\"
func main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }
";

/// Judges these files as submissions of `sum`: all must be accepted.
pub(crate) fn assert_accepted(language: &str, files: &[(&str, &str)]) {
    let Some(workspace) = Workspace::isolated().filter(|_| has(language)) else {
        return;
    };
    workspace.sum("sum");
    for (path, text) in files {
        workspace.write(&format!("solutions/sum/accepted/{path}"), text);
    }
    let output = workspace.events(["run", "--time-limit", "20"]).exits(0);
    let verdicts = output.verdicts();
    assert!(
        !verdicts.is_empty()
            && verdicts
                .iter()
                .all(|(_, verdict)| *verdict == Some(Verdict::Accepted))
    );
    let languages: Vec<_> = output.state().problems[0]
        .submissions
        .iter()
        .map(|submission| submission.started.language.clone())
        .collect();
    assert!(
        languages
            .iter()
            .all(|found| found.as_ref().is_some_and(|found| found.0 == language)),
        "{languages:?}"
    );
}

/// `judge doctor` compiles and runs a small program in each language of the table.
#[test]
fn every_installed_language_works() {
    if strongest_level().is_none() {
        return skipped("everything", "this host gives no isolation");
    }
    for line in doctor_lines() {
        let (language, problem) = (line["language"].as_str().unwrap(), line["problem"].as_str());
        match problem {
            None => assert_eq!(line["works"], true, "{line}"),
            Some(problem) => {
                let is_broken = problem.starts_with("a small program");
                assert!(!is_broken, "{line}");
                skipped(language, problem);
            }
        }
    }
}

/// Mono and Erlang create files in memory, and work without them if that fails. No file is hidden
/// at `none`, but the size of files is limited.
#[test]
fn run_times_get_an_error_for_unwritable_files() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.sum("sum");
    let text = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <sys/mman.h>\n#include <unistd.h>\n\
        int main(void) { int a, b; scanf(\"%d %d\", &a, &b); if (write(memfd_create(\"x\", 0), \"x\", 1) < 0) \
        printf(\"%d\\n\", a + b); }\n";
    workspace.write("solutions/sum/accepted/sum.c", text);
    let result = workspace.events(["run", "--isolation", "none"]).exits(0);
    assert_eq!(result.verdict("accepted/sum.c"), Verdict::Accepted);
}

#[test]
fn rust() {
    assert_accepted(
        "rust",
        &[
            ("sum.rs", RUST),
            ("modules/main.rs", "mod one;\nfn main() { one::one() }\n"),
            ("modules/one.rs", &RUST.replace("fn main()", "pub fn one()")),
        ],
    );
}

#[test]
fn c_with_a_header_in_a_directory() {
    let main = "#include <stdio.h>\n#include \"parts/add.h\"\n\
        int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";
    let (header, part) = (
        "int add(int a, int b);\n",
        "#include \"add.h\"\nint add(int a, int b) { return a + b; }\n",
    );
    let files = [
        ("sum.c", SUM),
        ("many/main.c", main),
        ("many/parts/add.h", header),
        ("many/parts/add.c", part),
    ];
    assert_accepted("c", &files);
}

#[test]
fn cpp() {
    let cpp = CPP.replace("#include <print>\n", "");
    assert_accepted("cpp", &[("sum.cpp", &cpp), ("sum.cc", &cpp)]);
}

#[test]
fn python() {
    let main = "from parts.add import add\nprint(add(input().split()))\n";
    let part = "def add(words):\n    return sum(map(int, words))\n";
    assert_accepted(
        "python3",
        &[
            ("sum.py", PYTHON),
            ("many/__main__.py", main),
            ("many/parts/add.py", part),
        ],
    );
}

#[test]
fn virtual_environment_packages_are_available() {
    for level in levels() {
        let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
            return;
        };
        workspace.sum("sum");
        workspace.write(
            "solutions/sum/accepted/sum.py",
            "import own\nprint(own.add(input().split()))\n",
        );
        // Not below `/tmp`, where programs see only their own files.
        let Ok(directory) = tempfile::tempdir_in("/var/lib") else {
            return skipped("virtual environments", "only root can write to /var/lib");
        };
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let environment = directory.path().join("environment");
        let made = Command::new("python3")
            .args(["-m", "venv", "--without-pip"])
            .arg(&environment)
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return skipped("virtual environments", "`python3 -m venv` fails");
        }
        let library = environment
            .join("lib")
            .read_dir()
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let part = "def add(words):\n    return sum(map(int, words))\n";
        std::fs::write(library.join("site-packages/own.py"), part).unwrap();
        let path = format!(
            "{}:{}",
            environment.join("bin").display(),
            std::env::var("PATH").unwrap()
        );
        let mut command =
            workspace.command(["run", "--report=json", "--isolation", &level.to_string()]);
        let result = CommandOutput::from_command(command.env("PATH", path));
        assert_eq!(
            result.verdict("accepted/sum.py"),
            Verdict::Accepted,
            "{level}: {result:?}"
        );
    }
}

#[test]
fn java_files_may_have_any_name() {
    let public = JAVA.replace("class Main", "public class Main");
    let nested = JAVA.replace("class Main", "class Outer { private static class Main") + "}\n";
    let interface = JAVA
        .replace("class Main", "interface Main")
        .replace("public static", "static");
    assert_accepted(
        "java",
        &[
            ("Other.java", JAVA),
            ("nested.java", &nested),
            ("Interface.java", &interface),
            (
                "Beside.java",
                &(JAVA.to_owned() + "public class Beside {}\n"),
            ),
            ("many/Main.java", &public),
            ("many/Part.java", "class Part {}\n"),
        ],
    );
}

#[test]
fn javascript() {
    assert_accepted("javascript", &[("sum.js", JAVASCRIPT)]);
}

#[test]
fn go() {
    assert_accepted("go", &[("sum.go", GO)]);
}

#[test]
fn bash() {
    let main =
        "source \"$(dirname \"$0\")/add.sh\"\nread a b\n. ./say.sh\nsay \"$(add \"$a\" \"$b\")\"\n";
    let files = [
        ("sum.sh", "read a b\necho $((a + b))\n"),
        ("many/main.sh", main),
        ("many/say.sh", "say() { echo \"$1\"; }\n"),
    ];
    assert_accepted(
        "bash",
        &[
            &files[..],
            &[("many/add.sh", "add() { echo $(($1 + $2)); }\n")],
        ]
        .concat(),
    );
}

#[test]
fn perl() {
    assert_accepted(
        "perl",
        &[(
            "sum.pm",
            "my ($a, $b) = split ' ', <STDIN>;\nprint $a + $b, \"\\n\";\n",
        )],
    );
}

#[test]
fn ruby() {
    let part = "def add(words)\n  words.map(&:to_i).sum\nend\n";
    let main = "require_relative 'add'\nputs add(gets.split)\n";
    assert_accepted(
        "ruby",
        &[
            ("sum.rb", "puts gets.split.map(&:to_i).sum\n"),
            ("many/main.rb", main),
            ("many/add.rb", part),
        ],
    );
}

#[test]
fn php() {
    assert_accepted(
        "php",
        &[(
            "sum.php",
            "<?php echo array_sum(explode(' ', trim(fgets(STDIN)))), \"\\n\";\n",
        )],
    );
}

/// A directory for `PATH` that has `gcc` (or `cc`) and nothing else.
fn path_with_gcc_alone(workspace: &Workspace) -> PathBuf {
    workspace.write("bin/empty", "");
    let path = std::env::var_os("PATH").unwrap();
    let candidates = ["gcc", "cc"].into_iter().flat_map(|name| {
        std::env::split_paths(&path)
            .map(move |directory| directory.join(name))
            .collect::<Vec<_>>()
    });
    let compiler = candidates
        .into_iter()
        .find(|candidate| candidate.is_file())
        .unwrap();
    symlink(
        &compiler,
        workspace.path("bin").join(compiler.file_name().unwrap()),
    )
    .unwrap();
    workspace.path("bin")
}

#[test]
fn missing_languages_are_reported_once_and_counted() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/accepted/one.py", PYTHON);
    workspace.write("solutions/sum/accepted/two.py", PYTHON);
    let path = path_with_gcc_alone(&workspace);
    let run = |args: &[&str]| {
        CommandOutput::from_command(
            workspace
                .command([&["run"], args].concat())
                .env("PATH", &path),
        )
    };
    let output = run(&[]).exits(0);
    output.stdout_has(&[
        "! python3 cannot be judged here: none of `python3` is in PATH; 2 submissions are skipped",
    ]);
    output.stdout_has(&["✓ accepted/sum.c", "1 submission as expected, 2 skipped"]);
    assert_eq!(
        output.stdout.matches("python3").count(),
        2,
        "once, with the tool's name:\n{}",
        output.stdout
    );
    run(&["-q"])
        .exits(0)
        .stdout_has(&["! python3 cannot be judged here"]);
    let skipped = |verdicts: Vec<(String, Option<Verdict>)>| {
        verdicts
            .iter()
            .filter(|(_, verdict)| verdict.is_none())
            .count()
    };
    assert_eq!(skipped(run(&["--report=json"]).exits(0).verdicts()), 2);
    // Nothing was judged although something was selected: never a success.
    run(&["sum/accepted/*.py"])
        .exits(4)
        .stdout_has(&["0 submissions as expected, 2 skipped"]);
}

#[test]
fn files_in_unknown_languages_are_skipped_with_a_report() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/accepted/sum.cobol", "DISPLAY 3.\n");
    let output = workspace.judge(["run"]).exits(0);
    output.stdout_has(&[
        "submission `accepted/sum.cobol` cannot be judged: no file of a known language",
    ]);
    output.stdout_has(&[
        "accepted/sum.cobol",
        "skipped",
        "1 submission as expected, 1 skipped",
    ]);
}

#[test]
fn languages_without_tools_are_skipped_by_name() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/accepted/sum.vb", "Module M\n");
    let output = workspace.judge(["run"]).exits(0);
    output.stdout_has(&[
        "! visualbasic cannot be judged here: the language is not in the table of languages; 1 submission is",
    ]);
    output.stdout_has(&["1 submission as expected, 1 skipped"]);
}

#[test]
fn programs_without_static_libraries_are_linked_dynamically() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("c") && has("rust")) else {
        return;
    };
    workspace.sum("sum");
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    workspace.write("solutions/sum/accepted/sum.rs", RUST);
    workspace.write(
        "solutions/sum/rejected/broken.c",
        "int main(void) { return undeclared; }\n",
    );
    let flags = "languages:\n  c: {static_flags: [-lno_such_library]}\n  \
                 rust: {static_flags: [-C, link-arg=-lno_such_library]}\n";
    workspace.write("judge.yaml", flags);
    // A submission that does not compile is unexpected in every directory.
    let output = workspace.events(["run", "--time-limit", "20"]).exits(1);
    for (name, verdict) in [
        ("accepted/sum.c", Verdict::Accepted),
        ("accepted/sum.rs", Verdict::Accepted),
        ("rejected/broken.c", Verdict::CompileError),
    ] {
        assert_eq!(output.verdict(name), verdict, "{name}");
    }
    assert!(
        output.stdout.contains("undeclared") && !output.stdout.contains("no_such_library"),
        "{output:?}"
    );
}

#[test]
fn programs_are_linked_statically() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    // A program without an interpreter in its headers asks for no loader (elf(5), PT_INTERP).
    let text = "fn main() {
        let own = std::fs::read(\"/program/main\").unwrap();
        println!(\"{}\", own.windows(3).take(4096).any(|part| part == b\"ld-\"));
    }
    ";
    workspace.write("mine.rs", text);
    let result = workspace.judge(["try", "mine.rs"]).exits(0);
    let can = Command::new("cc").arg("-print-file-name=libc.a").output();
    match can.is_ok_and(|output| output.stdout.starts_with(b"/")) {
        true => assert_eq!(result.stdout, "false\n"),
        false => skipped("static linking", "there is no static C library"),
    }
}

#[test]
fn a_workspace_adds_languages_and_changes_them() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let shell = "  shell:\n    name: Shell\n    extensions: [shell]\n    tools:\n      \
        interpreter: {names: [sh], version_args: [-c, echo a shell]}\n    run: [\"{interpreter}\", \"{main}\"]\n";
    let c = "  c:\n    compile: [\"{compiler}\", -DCHANGED, -static, -o, \"{output}/main\", \"{sources}\"]\n";
    workspace.write("judge.yaml", format!("languages:\n{shell}{c}"));
    workspace.write(
        "solutions/sum/accepted/sum.shell",
        "read a b\necho $((a + b))\n",
    );
    workspace.write(
        "solutions/sum/accepted/sum.c",
        format!("#ifndef CHANGED\n#error not changed\n#endif\n{SUM}"),
    );
    let output = workspace.events(["run"]).exits(0);
    assert_eq!(output.verdict("accepted/sum.shell"), Verdict::Accepted);
}

/// A language whose compiler no host has, and a submission in it in addition to one in C.
const MISSING_LANGUAGE: &str = "languages: {lost: {name: Lost, extensions: [lost], tools: {compiler: {names: [no-such-compiler], \
                    version_args: [--version]}}, run: [\"{compiler}\", \"{main}\"]}}\n";

#[test]
fn missing_compilers_are_errors_in_strict_runs() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/accepted/sum.lost", "?");
    workspace.write("problems/sum/statement/problem.en.md", "Add.\n");
    let judge = |settings: &str, command: &[&str], code: i32| {
        workspace.write(
            "judge.yaml",
            format!("problems: [problems]\n{MISSING_LANGUAGE}{settings}"),
        );
        workspace.judge(command).exits(code)
    };
    for command in [&["run"][..], &["verify"]] {
        judge("", command, 0).stdout_has(&["1 skipped"]);
    }
    let strict = [
        &["run", "--strict"][..],
        &["run", "--report=ci"],
        &["verify", "--report=ci"],
        &["run", "--strict", "--shard=1/1", "--report=json=out.jsonl"],
    ];
    for command in strict {
        let output = judge("", command, 3);
        let message = format!("{}{}", output.stdout, output.stderr);
        assert!(
            message.contains(
                "solutions/sum/accepted/sum.lost: is skipped, which is not allowed: no tools for `lost`"
            ),
            "{message}"
        );
        assert!(message.contains("`allow_skipped: [lost]`"), "{message}");
    }
    judge("", &["report", "out.jsonl"], 3).stdout_has(&["is skipped, which is not allowed"]);
    // Other faults of the package do not matter here.
    let ignored = "check: {profile: default}\n";
    judge(
        &format!("allow_skipped: [lost]\n{ignored}"),
        &["run", "--strict"],
        0,
    )
    .stdout_has(&["1 skipped"]);
    judge("allow_skipped: [lots]\n", &["run"], 2)
        .stderr_has(&["judge.yaml:3: `allow_skipped", "did you mean `lost`?"]);
    // A file in an unknown language fails a CI as well.
    workspace.write("solutions/sum/accepted/sum.strange", "?");
    judge("allow_skipped: [lost]\n", &["run", "--strict"], 3)
        .stdout_has(&["sum.strange: is skipped, which is not allowed"]);
    judge("allow_skipped: [lost]\n", &["verify", "--strict"], 3).stdout_has(&["sum.strange"]);
}
