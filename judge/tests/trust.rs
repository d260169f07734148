//! `judge.yaml`: the file that applies, and the notes about ignored ones.

use std::os::unix::fs::chown;

use crate::workspace::{CommandOutput, Workspace, skipped};

#[test]
fn the_applied_file_is_named_on_request() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    let path = workspace.path("judge.yaml").display().to_string();
    workspace
        .judge(["list", "-v"])
        .exits(0)
        .stderr_has(&["note: the workspace is defined by `", &path]);
    assert_eq!(workspace.judge(["list"]).exits(0).stderr, "");
    // A file in a package is ignored, and the one above applies.
    workspace.write("problems/sum/judge.yaml", "isolation: none\n");
    let inner = CommandOutput::from_command(
        workspace
            .command(["list", "-v"])
            .current_dir(workspace.path("problems/sum")),
    )
    .exits(0);
    inner.stderr_has(&[
        "problems/sum/judge.yaml` is ignored: it is in a package",
        "the workspace is defined by `",
        &path,
    ]);
    workspace.remove("judge.yaml");
    workspace
        .judge(["list", "-v"])
        .exits(0)
        .stderr_has(&["no `judge.yaml`: the workspace is `"]);
}

#[test]
fn untrusted_judge_yaml_is_ignored_with_a_report() {
    if !rustix::process::geteuid().is_root() {
        skipped(
            "a judge.yaml of another user",
            "only root can give a file away",
        );
        return;
    }
    let workspace = Workspace::new();
    workspace.write("inner/x", "");
    // If the file were trusted, its unknown level would be an error.
    workspace.write("judge.yaml", "isolation: {level: such}\n");
    chown(workspace.path("judge.yaml"), Some(12345), None).unwrap();
    let message = [
        "judge.yaml` is ignored: it belongs to the user 12345",
        "hint: if you trust it",
        "JUDGE_SAFE_DIRECTORY",
    ];
    let list = |more: &[&str]| {
        let args = ["list"].iter().chain(more);
        CommandOutput::from_command(workspace.command(args).current_dir(workspace.path("inner")))
    };
    assert_eq!(list(&[]).exits(5).stderr_has(&message).code, Some(5));
    assert!(!list(&["-q"]).stderr.contains("ignored"));
    let mut command = workspace.command(["list"]);
    let output = CommandOutput::from_command(
        command
            .current_dir(workspace.path("inner"))
            .env("JUDGE_SAFE_DIRECTORY", workspace.root()),
    );
    output
        .exits(2)
        .stderr_has(&["judge.yaml:1: ", "unknown isolation level `such`"]);
    // A file of another owner may set paths, but nothing that acts outside of the sandbox.
    chown(workspace.path("inner"), Some(12345), None).unwrap();
    list(&[]).exits(2).stderr_has(&[
        "judge.yaml:1: ",
        "`isolation` has effects outside the sandbox",
        "12345",
    ]);
    workspace.write("judge.yaml", "jobs: 1\n");
    assert!(!list(&[]).exits(5).stderr.contains("ignored"));
}
