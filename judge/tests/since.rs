//! `--since`: only problems that changed according to Git.

use std::fs;
use std::process::Command;

use crate::workspace::{CommandOutput, SUM, Workspace};

/// Git in the workspace, without the configuration of this host.
pub(crate) fn git(workspace: &Workspace, args: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args(args)
        .current_dir(workspace.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// Three problems in a repository, all committed.
pub(crate) fn repository() -> Workspace {
    let workspace = Workspace::new();
    for name in ["one", "two", "three"] {
        workspace.sum(name);
        workspace.write(&format!("solutions/{name}/accepted/sum.c"), SUM);
    }
    git(&workspace, &["init", "-q"]);
    commit(&workspace);
    workspace
}

pub(crate) fn commit(workspace: &Workspace) {
    git(workspace, &["add", "-A"]);
    git(workspace, &["commit", "-q", "--allow-empty", "-m", "x"]);
}

/// The problems that are listed.
pub(crate) fn listed(workspace: &Workspace, args: &[&str]) -> Vec<String> {
    let output = workspace
        .judge([&["list", "--report=json"], args].concat())
        .exits(0);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let names = json["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["problem"].as_str().unwrap().to_owned());
    names.collect()
}

/// Changes the time of a file, so that Git has to read it.
pub(crate) fn touch(workspace: &Workspace, path: &str, seconds: u64) {
    let file = fs::File::options()
        .append(true)
        .open(workspace.path(path))
        .unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(seconds))
        .unwrap();
}

#[test]
fn only_changed_problems_are_selected() {
    let workspace = repository();
    assert_eq!(listed(&workspace, &["--since", "HEAD"]), [""; 0]);
    // A changed file, a new untracked solution, and an ignored file.
    workspace.case("one", "secret/01", "2 4\n", "6\n");
    assert_eq!(listed(&workspace, &["--since", "HEAD"]), ["one"]);
    workspace.write("solutions/two/accepted/a b\n\".c", SUM);
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["one", "two"]);
    workspace.write(".gitignore", "*.log\n");
    workspace.write("problems/three/x.log", "");
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["one", "two"]);
    assert_eq!(
        listed(&workspace, &["--since=HEAD", "two", "three"]),
        ["two"]
    );
    commit(&workspace);
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    assert_eq!(listed(&workspace, &["--since=HEAD~1"]), ["one", "two"]);
    // A change of `judge.yaml` affects all problems.
    workspace.write("judge.yaml", "problems: [problems]\njobs: 1\n");
    assert_eq!(
        listed(&workspace, &["--since=HEAD"]),
        ["one", "three", "two"]
    );
    workspace.write("judge.yaml", "problems: [problems]\n");
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    // A moved file affects both problems. Then a file and a problem are removed.
    fs::create_dir_all(workspace.path("problems/three/doc")).unwrap();
    fs::rename(
        workspace.path("problems/one/data/sample/1.in"),
        workspace.path("problems/three/doc/1.in"),
    )
    .unwrap();
    assert_eq!(listed(&workspace, &["--since=HEAD", "three"]), ["three"]);
    commit(&workspace);
    assert_eq!(
        listed(&workspace, &["--since=HEAD~1..HEAD", "three"]),
        ["three"]
    );
    workspace.case("one", "sample/1", "1 2\n", "3\n");
    assert_eq!(
        listed(&workspace, &["--since=HEAD~1..HEAD"]),
        ["one", "three"]
    );
    workspace.remove("problems/one/data/sample/1.in");
    fs::rename(
        workspace.path("problems/three/doc/1.in"),
        workspace.path("problems/one/data/sample/1.in"),
    )
    .unwrap();
    fs::remove_dir_all(workspace.path("problems/three")).unwrap();
    fs::remove_dir_all(workspace.path("solutions/two")).unwrap();
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["one", "two"]);
    fs::remove_dir_all(workspace.path("problems/one")).unwrap();
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["two"]);
}

#[test]
fn branches_are_compared_with_their_merge_base() {
    let workspace = repository();
    git(&workspace, &["checkout", "-q", "-b", "mine"]);
    workspace.case("one", "secret/01", "2 4\n", "6\n");
    commit(&workspace);
    git(&workspace, &["checkout", "-q", "main"]);
    workspace.case("two", "secret/01", "2 4\n", "6\n");
    commit(&workspace);
    git(&workspace, &["checkout", "-q", "mine"]);
    assert_eq!(listed(&workspace, &["--since=main"]), ["one", "two"]);
    assert_eq!(listed(&workspace, &["--since=main..."]), ["one"]);
    assert_eq!(listed(&workspace, &["--since=main...mine"]), ["one"]);
    assert_eq!(listed(&workspace, &["--since=mine...main"]), ["two"]);
}

/// As in a hook before a commit, the index counts, and not other changes.
#[test]
fn staged_changes_can_be_selected() {
    let workspace = repository();
    workspace.case("one", "secret/01", "2 4\n", "6\n");
    git(&workspace, &["add", "-A"]);
    workspace.write("problems/two/notes", "");
    workspace.remove("solutions/three/accepted/sum.c");
    let tree = Command::new("git")
        .arg("write-tree")
        .current_dir(workspace.root())
        .output()
        .unwrap();
    let range = format!(
        "--since=HEAD..{}",
        String::from_utf8(tree.stdout).unwrap().trim()
    );
    assert_eq!(listed(&workspace, &[&range]), ["one"]);
    assert_eq!(
        listed(&workspace, &["--since=HEAD"]),
        ["one", "three", "two"]
    );
    // Git passes its directory to hooks, which need not be that of the workspace.
    let mut command = workspace.command(["list", "--report=json", "--since=HEAD"]);
    let output = CommandOutput::from_command(
        command
            .current_dir(workspace.path("problems"))
            .env("GIT_DIR", "/nonexistent/.git"),
    )
    .exits(0);
    output.stdout_has(&["\"one\"", "\"three\"", "\"two\""]);
}

#[test]
fn missing_changes_are_reported_without_failing() {
    let workspace = repository();
    for subcommand in ["run", "check", "verify"] {
        let output = workspace.judge([subcommand, "--since", "HEAD"]).exits(0);
        output.stderr_has(&["note: nothing changed since HEAD: 3 problems are unchanged"]);
        assert_eq!(output.stdout, "");
    }
    workspace.write("problems/one/problem.yaml", "name: [\n");
    let output = workspace
        .judge(["check", "--static", "--since=HEAD"])
        .exits(3);
    output.stderr_has(&["note: 2 problems are unchanged since HEAD"]);
}

#[test]
fn an_unknown_revision_is_a_usage_error() {
    let workspace = repository();
    let output = workspace.judge(["list", "--since=nowhere"]).exits(2);
    output.stderr_has(&["`nowhere` names no tree here", "hint:"]);
    workspace
        .judge(["list", "--since=nowhere..."])
        .exits(2)
        .stderr_has(&["`nowhere` names no commit here"]);
    workspace
        .judge(["list", "--since=--output=x"])
        .exits(2)
        .stderr_has(&["is not a revision"]);
    assert!(!workspace.path("x").exists());
    let alone = Workspace::new();
    alone.sum("one");
    let output = alone.judge(["list", "--since=HEAD"]).exits(2);
    output.stderr_has(&[
        "is not in a Git repository",
        "hint: --since compares what Git knows",
    ]);
    let mut command = alone.command(["list", "--since=HEAD"]);
    CommandOutput::from_command(command.env("PATH", "/nonexistent"))
        .exits(2)
        .stderr_has(&["`git` is not in PATH"]);
}

/// The problems that a hook checks; `None` if it checks none.
fn hooked(workspace: &Workspace, files: &[&str]) -> Option<Vec<String>> {
    let output = workspace.judge(
        [
            &["check", "--static", "--staged", "--report=json=seen.jsonl"],
            files,
        ]
        .concat(),
    );
    let seen = fs::read_to_string(workspace.path("seen.jsonl")).ok()?;
    workspace.remove("seen.jsonl");
    assert!(output.code != Some(2), "{output:?}");
    let events = seen
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let checked = events.filter(|event| event["event"] == "package_checked");
    let mut names: Vec<String> = checked
        .map(|event| event["problem"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    Some(names)
}

#[test]
fn hooks_check_staged_problems() {
    let workspace = repository();
    assert_eq!(hooked(&workspace, &[]), None);
    // Unstaged changes and untracked files are ignored.
    workspace.case("one", "secret/01", "2 4\n", "6\n");
    workspace.write("README.md", "");
    workspace.write("judge.yaml", "problems: [problems]\njobs: 1\n");
    git(&workspace, &["add", "problems/one"]);
    let one = [
        "problems/one/data/secret/01.in",
        "problems/one/data/secret/01.ans",
    ];
    let two = "problems/two/problem.yaml";
    assert_eq!(hooked(&workspace, &[]), Some(vec!["one".to_owned()]));
    assert_eq!(hooked(&workspace, &one), Some(vec!["one".to_owned()]));
    // The named files are not those of the commit, and some belong to no package.
    assert_eq!(
        hooked(&workspace, &[two, "README.md"]),
        Some(vec!["two".to_owned()])
    );
    assert_eq!(
        hooked(&workspace, &[two, one[0]]),
        Some(vec!["one".to_owned(), "two".to_owned()])
    );
    assert_eq!(hooked(&workspace, &["README.md", "no/such/file"]), None);
    git(&workspace, &["checkout", "-q", "judge.yaml"]);
    // Git passes no removed files to hooks, so the files that exist are not everything that is
    // staged.
    git(
        &workspace,
        &[
            "rm",
            "-q",
            "problems/three/data/sample/1.ans",
            "solutions/two/accepted/sum.c",
        ],
    );
    let all = ["one", "three", "two"].map(str::to_owned).to_vec();
    assert_eq!(hooked(&workspace, &[]), Some(all));
    commit(&workspace);
    assert_eq!(hooked(&workspace, &[]), None);
}

#[test]
fn hooks_check_first_commits_and_pushes() {
    let workspace = Workspace::new();
    workspace.sum("one");
    // Outside of any repository, the named files are used.
    let named = "problems/one/problem.yaml";
    assert_eq!(hooked(&workspace, &[named]), Some(vec!["one".to_owned()]));
    git(&workspace, &["init", "-q"]);
    assert_eq!(hooked(&workspace, &[]), None);
    git(&workspace, &["add", "-A"]);
    assert_eq!(hooked(&workspace, &[]), Some(vec!["one".to_owned()]));
    commit(&workspace);
    workspace.sum("two");
    commit(&workspace);
    let mut command = workspace.command(["check", "--static", "--staged", named]);
    let output = CommandOutput::from_command(
        command
            .env("PRE_COMMIT_FROM_REF", "HEAD~1")
            .env("PRE_COMMIT_TO_REF", "HEAD"),
    );
    output.stderr_has(&["note: 1 problem is unchanged in the commits to be pushed"]);
    output.stdout_has(&["two"]);
    workspace
        .judge(["check", "--staged", "--since=HEAD"])
        .exits(2);
}

#[test]
fn files_are_compared_by_content_and_submodules_by_files() {
    let workspace = repository();
    touch(&workspace, "problems/one/data/sample/1.in", 9);
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    // The size is the same, so that only the content differs.
    let path = workspace.path("problems/one/data/sample/1.in");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace('1', "7")).unwrap();
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["one"]);
    fs::write(&path, text).unwrap();

    let other = Workspace::new();
    other.sum("four");
    git(&other, &["init", "-q"]);
    commit(&other);
    let url = other.root().display().to_string();
    git(
        &workspace,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            &url,
            "problems/sub",
        ],
    );
    commit(&workspace);
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    touch(&workspace, "problems/sub/problems/four/data/sample/1.in", 9);
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    other.case("four", "secret/09", "1 1\n", "2\n");
    for file in ["09.in", "09.ans"] {
        let from = other.path("problems/four/data/secret").join(file);
        fs::copy(
            from,
            workspace
                .path("problems/sub/problems/four/data/secret")
                .join(file),
        )
        .unwrap();
    }
    assert_eq!(listed(&workspace, &["--since=HEAD"]), ["four"]);
}

/// A repository can name itself as its submodule, by two links: 2^40 paths lead to it before the
/// kernel gives up.
#[test]
fn linked_submodules_are_not_entered() {
    let workspace = repository();
    let head = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .current_dir(workspace.root())
        .output()
        .unwrap()
        .stdout;
    for link in ["problems/again", "problems/once"] {
        let entry = format!("160000,{},{link}", String::from_utf8_lossy(&head).trim());
        git(
            &workspace,
            &["update-index", "--add", "--cacheinfo", &entry],
        );
        std::os::unix::fs::symlink("..", workspace.path(link)).unwrap();
    }
    git(&workspace, &["commit", "-q", "-m", "x"]);
    let begun = std::time::Instant::now();
    assert_eq!(listed(&workspace, &["--since=HEAD"]), [""; 0]);
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}
