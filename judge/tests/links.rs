//! Links out of a package or a submission, or to an answer: their targets are not read, run or
//! printed.

use std::fs;
use std::os::unix::fs::symlink;

use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, Workspace, has, levels};

/// The content of the file outside of the workspace. No report may contain it.
const PRIVATE: &str = "content-that-only-its-owner-may-read";
/// Prints a file in its working directory or next to it; `#include` is the other way to read a
/// file.
const PRINTS_ANSWER: &str =
    "#include <stdio.h>\nint main(void) { puts(\n#include \"answer.h\"\n); }\n";

struct Case {
    /// The place of the link.
    link: &'static str,
    /// The target; `OUTSIDE` is the file outside of the workspace.
    target: &'static str,
}

const fn case(link: &'static str, target: &'static str) -> Case {
    Case { link, target }
}

fn workspace() -> Option<(Workspace, tempfile::TempDir)> {
    let workspace = Workspace::isolated()?;
    workspace.sum("sum");
    workspace.write("problems/sum/submissions/accepted/sum.c", SUM);
    workspace.write("problems/sum/statement/problem.en.md", "Add.\n");
    workspace.write("problems/sum/generators/gen.py", "print(1, 2)\n");
    workspace.write("problems/sum/generators/generators.yaml", "data: {}\n");
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("private"), format!("{PRIVATE}: [\n")).unwrap();
    Some((workspace, outside))
}

fn put(workspace: &Workspace, outside: &tempfile::TempDir, case: &Case) {
    let link = workspace.path(case.link);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&link);
    let target = case.target.replace(
        "OUTSIDE",
        &outside.path().join("private").display().to_string(),
    );
    symlink(target, link).unwrap();
}

#[test]
fn no_command_reads_through_links_out_of_the_package() {
    let Some((_, outside)) = workspace() else {
        return;
    };
    for case in [
        case("problems/sum/problem.yaml", "OUTSIDE"),
        case("problems/sum/data/secret/01.in", "OUTSIDE"),
        case("problems/sum/data/secret/01.ans", "OUTSIDE"),
        case("problems/sum/data/secret/01.files/more", "OUTSIDE"),
        case("problems/sum/data/secret/test_group.yaml", "OUTSIDE"),
        case("problems/sum/submissions/wrong_answer/evil.c", "OUTSIDE"),
        case(
            "problems/sum/submissions/wrong_answer/several/answer.h",
            "OUTSIDE",
        ),
        case("problems/sum/input_validators/evil.h", "OUTSIDE"),
        case("problems/sum/output_validator/evil.py", "OUTSIDE"),
        case("problems/sum/include/c/evil.h", "OUTSIDE"),
        case("problems/sum/generators/generators.yaml", "OUTSIDE"),
        case("problems/sum/statement/problem.en.md", "OUTSIDE"),
        case("solutions/sum/wrong_answer/evil.c", "OUTSIDE"),
        // Reading it waits for the next message of the kernel.
        case("problems/sum/data/secret/01.in", "/proc/kmsg"),
        case("problems/sum/submissions/wrong_answer/evil.c", "/proc/kmsg"),
    ] {
        let (workspace, _) = workspace().unwrap();
        put(&workspace, &outside, &case);
        let commands: [&[&str]; 7] = [
            &["run", "sum"],
            &["check", "sum", "--static"],
            &["verify", "sum"],
            &["list", "sum"],
            &["generate", "sum"],
            &["statement", "sum", "-o", "out.html"],
            &[
                "submit",
                "problems/sum/submissions/accepted/sum.c",
                "-p",
                "sum",
            ],
        ];
        for command in commands {
            let output = workspace.judge(command);
            let message = format!("{}{}", output.stdout, output.stderr);
            assert!(
                !message.contains(PRIVATE),
                "{} {command:?}: {message}",
                case.link
            );
            assert_eq!(output.code, Some(3), "{} {command:?}: {message}", case.link);
            assert!(
                message.contains("the link leads out of"),
                "{} {command:?}: {message}",
                case.link
            );
            assert!(
                message.contains("/private`") || message.contains("/proc/kmsg`"),
                "{} {command:?}: {message}",
                case.link
            );
        }
    }
}

#[test]
fn links_do_not_give_submissions_answers() {
    let Some((_, outside)) = workspace() else {
        return;
    };
    for level in levels() {
        for case in [
            case(
                "problems/sum/submissions/accepted/evil/answer.h",
                "../../../data/secret/01.ans",
            ),
            case(
                "problems/sum/submissions/accepted/evil/odd name.h",
                "../../../data/secret/01.ans",
            ),
            case(
                "problems/sum/submissions/accepted/evil/all",
                "../../../data/secret",
            ),
            case(
                "problems/sum/submissions/accepted/evil.py",
                "../../data/secret/01.ans",
            ),
            case(
                "problems/sum/include/c/answer.h",
                "../../data/secret/01.ans",
            ),
            case("problems/sum/data/secret/01.files/answer", "../01.ans"),
            case(
                "solutions/sum/accepted/evil/answer.h",
                "../../../../problems/sum/data/secret/01.ans",
            ),
        ] {
            let (workspace, _) = workspace().unwrap();
            workspace.write(
                "problems/sum/submissions/accepted/evil/main.c",
                PRINTS_ANSWER,
            );
            put(&workspace, &outside, &case);
            let level = level.to_string();
            let output = workspace.judge(["run", "sum", "--isolation", &level]);
            output.exits(3).stdout_has(
                &["the link leads", "01.ans`"][..usize::from(!case.link.ends_with("/all")) + 1],
            );
        }
    }
}

#[test]
fn links_out_of_a_submitted_directory_are_refused() {
    let Some((workspace, outside)) = workspace() else {
        return;
    };
    workspace.write("mine/evil/main.c", PRINTS_ANSWER);
    put(
        &workspace,
        &outside,
        &case(
            "mine/evil/answer.h",
            "../../problems/sum/data/secret/01.ans",
        ),
    );
    let refused = |output: CommandOutput| {
        let output = output.exits(2);
        assert!(
            output
                .stderr
                .contains("mine/evil/answer.h: the link leads out of the submission"),
            "{output:?}"
        );
    };
    refused(workspace.judge(["submit", "mine/evil", "-p", "sum"]));
    refused(workspace.judge(["compare", "mine/evil", "sum/accepted/sum.c"]));
    // A link that the user names is followed, but not to an answer.
    workspace.write("elsewhere.c", SUM);
    put(&workspace, &outside, &case("mine/link.c", "../elsewhere.c"));
    workspace
        .judge(["submit", "mine/link.c", "-p", "sum"])
        .exits(0);
    put(
        &workspace,
        &outside,
        &case("mine/answer.c", "../problems/sum/data/secret/01.ans"),
    );
    let output = workspace
        .judge(["submit", "mine/answer.c", "-p", "sum"])
        .exits(2);
    let both = [
        "cannot read `mine/answer.c`",
        "problems/sum/data/secret/01.ans`",
    ];
    assert!(
        both.iter().all(|path| output.stderr.contains(path)),
        "{output:?}"
    );
    let pipe = workspace.path("mine/pipe.c");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    let output = workspace
        .judge(["submit", "mine/pipe.c", "-p", "sum"])
        .exits(2);
    assert!(
        output.stderr.contains("expected a file or a directory"),
        "{output:?}"
    );
}

#[test]
fn links_between_test_data_and_between_submissions_are_followed() {
    let Some((workspace, outside)) = workspace() else {
        return;
    };
    for (link, target) in [
        ("data/secret/group/01.in", "../01.in"),
        ("data/secret/group/01.ans", "../01.ans"),
        ("data/secret/again", "group"),
        ("submissions/accepted/again.c", "sum.c"),
        ("submissions/accepted/several/main.c", "../sum.c"),
    ] {
        put(
            &workspace,
            &outside,
            &Case {
                link: &*format!("problems/sum/{link}").leak(),
                target,
            },
        );
    }
    workspace
        .judge(["run", "sum"])
        .exits(0)
        .stdout_has(&["3 submissions as expected"]);
}

/// Without isolation, a submission can itself replace files, always at the same point of the run.
/// That is reported as a fault of the package: neither the submission nor the host is at fault.
#[test]
fn links_created_after_loading_are_not_followed_and_are_package_faults() {
    const VALIDATOR: &str = "import sys\nprint(open(sys.argv[2]).read(), file=open(sys.argv[3] + '/judgemessage.txt', 'w'))\n\
        sys.exit(42)\n";
    for (exchanged, validator) in [("02.in", false), ("02.ans", false), ("02.ans", true)] {
        let Some((workspace, outside)) = workspace() else {
            return;
        };
        if validator && !has("python3") {
            continue;
        }
        workspace.case("sum", "secret/02", "1 2\n", "3\n");
        if validator {
            workspace.write("problems/sum/output_validator/validate.py", VALIDATOR);
        }
        let file = workspace.path(&format!("problems/sum/data/secret/{exchanged}"));
        let private = outside.path().join("private");
        let source = format!(
            "#include <stdio.h>\n#include <unistd.h>\nint main(void) {{\n    char line[99]; int a, b;\n    \
             remove({file:?});\n    if (symlink({private:?}, {file:?})) return 1;\n    \
             if (scanf(\"%d %d\", &a, &b) == 2) printf(\"%d\\n\", a + b);\n    \
             else if (fgets(line, sizeof line, stdin)) puts(line);\n}}\n",
        );
        workspace.write("problems/sum/submissions/accepted/sum.c", &source);
        let arguments = [
            "run",
            "sum",
            "--isolation",
            "none",
            "-j",
            "1",
            "--report=json",
        ];
        let output = workspace.judge(arguments).exits(3);
        assert!(
            !output.stdout.contains(PRIVATE),
            "{exchanged}: {}",
            output.stdout
        );
        let case = output
            .test_cases()
            .find(|case| case.test_case == "secret/02")
            .expect("it is judged");
        assert_eq!(case.verdict, Verdict::JudgeError, "{exchanged}: {case:?}");
        let reason = case.reason.as_deref().unwrap_or_default();
        assert!(
            reason.contains("a link that was created after loading leads to `"),
            "{exchanged}: {reason}"
        );
        assert!(
            reason.contains(&format!("{}`", private.display())),
            "{exchanged}: {reason}"
        );
        assert!(
            output
                .test_cases()
                .all(|case| case.test_case == "secret/02" || case.verdict == Verdict::Accepted)
        );
        assert!(
            !output.stdout.contains("host_fault"),
            "{exchanged}: {}",
            output.stdout
        );
    }
}
