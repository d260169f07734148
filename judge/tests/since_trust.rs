//! `--since` in an untrusted repository: no program that it names is run.

use std::fs;
use std::process::Command;

use crate::since::{commit, git, listed, repository, touch};
use crate::workspace::{CommandOutput, Workspace};

/// Writes a program that leaves a mark when it is run, and then works as a content filter.
fn spy(workspace: &Workspace, name: &str) -> String {
    let path = workspace.path(&format!("spies/{name}"));
    workspace.write(
        &format!("spies/{name}"),
        format!("#!/bin/sh\ntouch {}.ran\nexec cat\n", path.display()),
    );
    crate::workspace::executable(&path);
    path.display().to_string()
}

/// The spies that were run.
fn run_spies(workspace: &Workspace) -> Vec<String> {
    let entries = fs::read_dir(workspace.path("spies")).unwrap();
    let mut ran: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".ran"))
        .collect();
    ran.sort();
    ran
}

/// Configures every key of Git by which a program could be run, in the repository of a directory.
fn plant(workspace: &Workspace, directory: &str, prefix: &str) {
    let at = |args: &[&str]| git(workspace, &[&["-C", directory], args].concat());
    for key in [
        "filter.x.clean",
        "filter.x.smudge",
        "filter.p.process",
        "core.fsmonitor",
        "core.virtualFilesystem",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "core.pager",
        "core.editor",
        "pager.diff-index",
        "pager.ls-files",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "merge.x.driver",
        "credential.helper",
        "gpg.program",
        "alias.diff-index",
        "alias.rev-parse",
        "remote.origin.uploadpack",
        "hook.x.command",
    ] {
        let program = spy(workspace, &format!("{prefix}{}", key.replace('.', "-")));
        at(&[
            "config",
            key,
            &if key.starts_with("alias.") {
                format!("!{program}")
            } else {
                program
            },
        ]);
    }
    // Hooks of the configuration, of its directory, and of the usual one.
    at(&["config", "hook.x.event", "post-index-change"]);
    let hooks = workspace.path(directory).join("hooks");
    for hook in [
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
    ] {
        let program = spy(workspace, &format!("{prefix}hook-{hook}"));
        fs::create_dir_all(&hooks).unwrap();
        fs::copy(&program, hooks.join(hook)).unwrap();
    }
    at(&["config", "core.hooksPath", &hooks.display().to_string()]);
    // A filter in a file that the configuration includes, and a name with a dot.
    let program = spy(workspace, &format!("{prefix}included"));
    workspace.write(
        "included",
        format!("[filter \"a.b\"]\n\tclean = {program}\n\trequired = true\n"),
    );
    at(&[
        "config",
        "include.path",
        &workspace.path("included").display().to_string(),
    ]);
    // Missing objects would be fetched.
    at(&["config", "core.repositoryFormatVersion", "1"]);
    at(&["config", "extensions.partialClone", "origin"]);
    at(&["config", "remote.origin.promisor", "true"]);
    at(&["config", "remote.origin.url", "ssh://localhost/nowhere"]);
    at(&["config", "protocol.ssh.allow", "always"]);
}

#[test]
fn programs_named_by_a_repository_are_not_run() {
    let workspace = repository();
    workspace.write(".gitignore", "/spies/\n/included\n/hooks/\n/other/\n");
    // A repository in the repository, with its own configuration.
    workspace.write("other/file", "1\n");
    git(&workspace, &["-C", "other", "init", "-q"]);
    git(&workspace, &["-C", "other", "add", "-A"]);
    git(&workspace, &["-C", "other", "commit", "-q", "-m", "x"]);
    let url = workspace.path("other").display().to_string();
    let from_file = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        &url,
        "problems/four",
    ];
    git(&workspace, &from_file);
    // Files are committed before the attributes, or they would go through filters.
    commit(&workspace);
    touch(&workspace, "problems/one/data/sample/1.in", 7200);
    git(&workspace, &["update-index", "--refresh"]);
    git(
        &workspace,
        &["-C", "problems/four", "update-index", "--refresh"],
    );
    for directory in [".", "problems/four"] {
        plant(&workspace, directory, &directory.replace(['.', '/'], "_"));
    }
    let attributes =
        "*.in filter=x diff=x merge=x\n*.ans filter=p\n*.yaml filter=a.b\nfile filter=x\n";
    fs::write(workspace.path(".git/info/attributes"), attributes).unwrap();
    workspace.write(".gitattributes", attributes);
    workspace.write("problems/four/.gitattributes", attributes);
    let test_cases = ["sample/1.in", "secret/01.ans", "secret/01.in"];
    for (file, seconds) in test_cases.iter().zip([7200, 0, 9]) {
        touch(&workspace, &format!("problems/one/data/{file}"), seconds);
    }
    touch(&workspace, "problems/one/problem.yaml", 9);
    touch(&workspace, "problems/four/file", 9);
    let missing = "1".repeat(40);
    for range in [
        "HEAD",
        "HEAD...",
        "HEAD..HEAD",
        &missing,
        &format!("{missing}..."),
        &format!("HEAD..{missing}"),
    ] {
        let ended = workspace.judge(["list", &format!("--since={range}")]);
        assert!(
            [Some(0), Some(2)].contains(&ended.code),
            "{range}: {ended:?}"
        );
        assert_eq!(run_spies(&workspace), [""; 0], "{range}: {ended:?}");
    }
    // Only the submodule was changed by hand.
    assert_eq!(listed(&workspace, &["--since=HEAD", "one"]), [""; 0]);
    workspace.judge([
        "check",
        "--static",
        "--staged",
        "problems/one/data/sample/1.in",
    ]);
    assert_eq!(run_spies(&workspace), [""; 0]);
    // In the middle of a commit, after its index was written.
    let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    git(
        &workspace,
        &[
            "-c",
            "core.hooksPath=/dev/null",
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("100644,{blob},x"),
        ],
    );
    for mark in run_spies(&workspace) {
        workspace.remove(&format!("spies/{mark}"));
    }
    workspace.judge(["check", "--static", "--staged"]);
    assert_eq!(run_spies(&workspace), [""; 0]);
}

#[test]
fn filters_with_unusable_names_are_errors() {
    let workspace = repository();
    let program = spy(&workspace, "filter");
    git(&workspace, &["config", "filter.a=b.clean", &program]);
    let ended = workspace.judge(["list", "--since=HEAD"]).exits(2);
    ended.stderr_has(&["`filter.a=b.clean`", "cannot be switched off"]);
    assert_eq!(run_spies(&workspace), [""; 0]);
}

#[test]
fn repositories_of_other_users_must_be_marked_safe() {
    let workspace = repository();
    let home = tempfile::tempdir().unwrap();
    let own = Command::new("chown")
        .args(["-R", "12345:12345"])
        .arg(workspace.root())
        .output()
        .unwrap();
    if !own.status.success() {
        return crate::workspace::skipped(
            "the repository of another user",
            "only root can give files away",
        );
    }
    let listed = || {
        CommandOutput::from_command(
            workspace
                .command(["list", "--since=HEAD"])
                .env("HOME", home.path()),
        )
    };
    listed().exits(2).stderr_has(&[
        "the repository is another user's",
        "hint:",
        "safe.directory",
    ]);
    // CI runners configure this.
    let root = workspace.root().display().to_string();
    let added = Command::new("git")
        .args(["config", "--global", "--add", "safe.directory", &root])
        .env("HOME", home.path())
        .env_remove("XDG_CONFIG_HOME")
        .status();
    assert!(added.unwrap().success());
    listed().exits(0);
}
