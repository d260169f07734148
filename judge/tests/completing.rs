//! Completions: the words that shells get while a command is typed, by their protocol.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::workspace::{CommandOutput, SUM, Workspace, skipped};

/// A workspace with two problems, one of them with submissions.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.sum("pairsum");
    workspace.sum("other");
    workspace.write("solutions/pairsum/wrong_answer/one.c", SUM);
    workspace.write("problems/pairsum/submissions/accepted/own.c", SUM);
    workspace
}

/// The words that are offered for the last one of a command, as a shell gets them.
fn offered(workspace: &Workspace, shell: &str, directory: &str, words: &[&str]) -> Vec<String> {
    let mut command = workspace.command(["--", "judge"].iter().chain(words));
    command
        .env("COMPLETE", shell)
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n");
    command
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true");
    let output =
        CommandOutput::from_command(command.current_dir(workspace.path(directory))).exits(0);
    assert_eq!(output.stderr, "", "{words:?}");
    // In zsh, the meaning of a word follows a colon.
    let word = |line: &str| {
        if shell == "zsh" {
            line.split(':').next().unwrap().to_owned()
        } else {
            line.to_owned()
        }
    };
    output.stdout.lines().map(word).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of words")]
fn words_of_the_workspace_and_of_options_are_offered() {
    let workspace = workspace();
    for shell in ["bash", "zsh", "fish"] {
        for (directory, words, expected) in [
            (".", &["run", "pair"][..], &["pairsum"][..]),
            (".", &["run", "pairsum/w"], &["pairsum/wrong_answer/"]),
            (
                ".",
                &["stress", "pairsum/wrong_answer/"],
                &["pairsum/wrong_answer/one.c"],
            ),
            (
                ".",
                &["check", "--data", "pairsum/secret/"],
                &["pairsum/secret/01", "pairsum/secret/02-large"],
            ),
            (".", &["submit", "-p", "o"], &["other"]),
            (".", &["add", "--problem", "pa"], &["pairsum"]),
            (
                ".",
                &["print", "schema", "te"],
                &["test_group.yaml", "testdata.yaml"],
            ),
            ("problems/pairsum", &["run", "acc"], &["accepted/"]),
            (
                "problems/pairsum",
                &["run", "secret/02"],
                &["secret/02-large"],
            ),
            (
                "problems/pairsum",
                &["add", "--require-kill", "wrong_answer/"],
                &["wrong_answer/one.c"],
            ),
            (
                ".",
                &["run", "-C", "problems/pairsum", "acc"],
                &["accepted/"],
            ),
            (
                ".",
                &["visualize", "pairsum", "secret/"],
                &["secret/01", "secret/02-large"],
            ),
            (
                ".",
                &["visualize", "pairsum", "secret/01", "-s", "acc"],
                &["accepted/"],
            ),
            (
                ".",
                &["try", "-p", "pairsum", "-i", "secret/0"],
                &["secret/01", "secret/02-large"],
            ),
            (
                ".",
                &["try", "--problem=pairsum", "--input", "sa"],
                &["sample/"],
            ),
            (".", &["add", "-p", "pairsum", "--to", "se"], &["secret"]),
            ("problems/pairsum", &["add", "--to", "sa"], &["sample"]),
            (
                ".",
                &["compare", "-p", "pairsum", "wrong_answer/"],
                &["wrong_answer/one.c"],
            ),
            (
                ".",
                &["stress", "-p", "problems/pairsum", "acc"],
                &["accepted/"],
            ),
            (".", &["report", "--report", "ju"], &["junit="]),
            (".", &["check", "--explain", "JP302"], &["JP302"]),
            (".", &["check", "--profile", "k"], &["kattis"]),
            (".", &["run", "--isolation", "na"], &["namespaces"]),
            (".", &["pack", "--for", "ka"], &["kattis"]),
            (".", &["print", "man", "st"], &["statement", "stress"]),
            (".", &["new", "adder", "--language", "p"], &["python"]),
            (".", &["rep"], &["report"]),
        ] {
            let mut found = offered(&workspace, shell, directory, words);
            // In fish, the meaning of a word follows a tab.
            found
                .iter_mut()
                .for_each(|word| *word = word.split('\t').next().unwrap().to_owned());
            assert_eq!(found, expected, "{words:?} in {directory}, {shell}");
        }
    }
    // Scripts separate the words as they like.
    let mut command = workspace.command(["--", "judge", "pack", "--for", ""]);
    command
        .env("COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", "3")
        .env("_CLAP_IFS", " ");
    let targets = CommandOutput::from_command(command.current_dir(workspace.root()))
        .exits(0)
        .stdout;
    assert!(
        targets.split(' ').any(|target| target == "kattis"),
        "{targets:?}"
    );
    // A shell that inserts words unchanged would run this one.
    workspace.write("a$(touch ran).c", SUM);
    workspace.write("apart.c", SUM);
    assert_eq!(
        offered(&workspace, "bash", ".", &["submit", "a"]),
        ["apart.c"]
    );
    assert_eq!(offered(&workspace, "fish", ".", &["submit", "a"]).len(), 2);
    // Paths are words too.
    assert_eq!(
        offered(
            &workspace,
            "bash",
            ".",
            &["stress", "x.c", "--generator", "ap"]
        ),
        ["apart.c"]
    );
    assert_eq!(
        offered(&workspace, "bash", ".", &["run", "solutions/pa"]),
        ["solutions/pairsum/"]
    );
}

/// The shells themselves, with the output of `judge print completions`. Zsh needs a terminal, which
/// its zpty(1) creates.
#[test]
fn shells_offer_the_printed_completions() {
    let workspace = workspace();
    let fish =
        r#"judge print completions fish | source; complete -C "judge visualize pairsum secret/0""#;
    let zsh = r#"zmodload zsh/zpty; zpty shell zsh -f -i; wait() { local got; zpty -r -m shell got "*$1*"; }
        zpty -w shell "PS1=; autoload -U compinit; compinit -u -D; eval \"\$(judge print completions zsh)\"; echo a'd'y"; wait ady
        zpty -n -w shell $'judge visualize pairsum secret/02\t'; wait secret/02-large; print secret/02-large"#;
    for (shell, script, expected) in [
        (
            "fish",
            ["--no-config", "-c", fish],
            &["secret/01", "secret/02-large"][..],
        ),
        ("zsh", ["-f", "-c", zsh], &["secret/02-large"]),
    ] {
        if !Command::new(shell)
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
        {
            skipped(shell, "it is not installed here");
            continue;
        }
        let program = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
        let path = std::env::join_paths([
            program,
            Path::new("/usr/local/bin"),
            Path::new("/usr/bin"),
            Path::new("/bin"),
        ]);
        let mut command = workspace.command_of(Path::new(shell), script);
        let output = CommandOutput::from_command(
            command
                .env("PATH", path.unwrap())
                .env("TERM", "xterm")
                .env("HOME", workspace.root()),
        )
        .exits(0);
        assert_eq!(
            output.stdout.lines().collect::<Vec<_>>(),
            expected,
            "{shell}: {output:?}"
        );
    }
}

#[test]
fn errors_do_not_reach_completions() {
    let workspace = workspace();
    workspace.write("judge.yaml", "nonsense: true\n");
    for words in [
        &["run", "pair"][..],
        &["run", "--no-such-option", ""],
        &["no-such-command", "x"],
        &["run", "\u{1b}[31m"],
    ] {
        offered(&workspace, "bash", ".", words);
    }
    assert_eq!(offered(&workspace, "bash", ".", &["run", "pair"]), [""; 0]);
    // The same variable with a value for another program is ignored.
    let output = CommandOutput::from_command(
        workspace
            .command(["--version"])
            .env("COMPLETE", "everything"),
    )
    .exits(0);
    output.stdout_has(&["judge "]);
}

/// A completion must be fast, because a user waits for it. The test compares it with reading all
/// problems of this repository, so that a busy host slows both.
#[test]
fn completions_are_as_fast_as_listings() {
    let workspace = workspace();
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let fastest = |run: &dyn Fn()| {
        let time = || {
            let begun = Instant::now();
            run();
            begun.elapsed()
        };
        (0..5).map(|_| time()).min().unwrap()
    };
    let completion = fastest(&|| {
        let found = offered(&workspace, "bash", repository, &["run", "fiveup/secret/"]);
        assert!(found.len() > 20, "{found:?}");
    });
    let list = fastest(&|| {
        workspace.judge(["list", "-C", repository]).exits(0);
    });
    assert!(completion < list * 2, "{completion:?} {list:?}");
}
