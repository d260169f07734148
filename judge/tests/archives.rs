//! Packages that are archives, and packages whose submissions are described in `submissions.yaml`.

use std::fs;
use std::io::Write;
use std::path::Path;

use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace};

/// Packs a directory into an archive like common tools, and removes it.
pub(crate) fn pack(workspace: &Workspace, directory: &str, archive: &str) {
    fn add(writer: &mut zip::ZipWriter<fs::File>, path: &Path, name: &str) {
        if path.is_dir() {
            let mut names: Vec<_> = fs::read_dir(path)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            names.sort();
            for inner in names {
                add(
                    writer,
                    &path.join(&inner),
                    &format!("{name}/{}", inner.to_string_lossy()),
                );
            }
        } else {
            writer
                .start_file(name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(&fs::read(path).unwrap()).unwrap();
        }
    }
    let path = workspace.path(directory);
    let mut writer = zip::ZipWriter::new(fs::File::create(workspace.path(archive)).unwrap());
    add(
        &mut writer,
        &path,
        &path.file_name().unwrap().to_string_lossy(),
    );
    writer.finish().unwrap();
    fs::remove_dir_all(path).unwrap();
}

/// Runs with a separate directory for temporary files, and asserts that nothing of the package is
/// left there.
fn run_cleanly(workspace: &Workspace, args: &[&str]) -> CommandOutput {
    let temporary = tempfile::tempdir().unwrap();
    let output =
        CommandOutput::from_command(workspace.command(args).env("TMPDIR", temporary.path()));
    let left = fs::read_dir(temporary.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left
        .filter(|name| name.to_string_lossy().starts_with("judge-package-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    output
}

#[test]
fn an_archive_is_judged_like_the_directory_in_it() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.sum("sum");
    workspace.write("problems/sum/submissions/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    pack(&workspace, "problems/sum", "problems/sum.kpp");
    let output = run_cleanly(&workspace, &["run", "--report=json"]).exits(0);
    assert_eq!(output.verdict("accepted/sum.c"), Verdict::Accepted);
    assert_eq!(output.verdict("wrong_answer/more.c"), Verdict::WrongAnswer);
    assert!(
        !output.stdout.contains("judge-package-"),
        "reported under its own name:\n{}",
        output.stdout
    );
    assert!(
        output
            .stdout
            .contains("problems/sum.kpp/submissions/wrong_answer/more.c"),
        "{}",
        output.stdout
    );
    // A part of the archive, and a submission outside of it.
    run_cleanly(&workspace, &["run", "sum/wrong_answer/*"])
        .exits(0)
        .stdout_has(&["1 submission as expected"]);
    workspace.write("sum.c", SUM);
    run_cleanly(&workspace, &["submit", "sum.c"])
        .exits(0)
        .stdout_has(&["accepted"]);
}

#[test]
fn zip_files_are_packages_only_when_named() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.sum("other");
    pack(&workspace, "problems/sum", "problems/sum.ZIP");
    let listed = run_cleanly(&workspace, &["list"]).exits(0);
    listed.stdout_has(&["other"]).stdout_lacks(&["sum "]);
    let listed = run_cleanly(&workspace, &["list", "--report=json", "problems/sum.ZIP"]).exits(0);
    assert!(
        listed.stdout.contains("\"path\":\"problems/sum.ZIP\""),
        "{}",
        listed.stdout
    );
    workspace.write("problems/bad.kpp", "no archive");
    let listed = run_cleanly(&workspace, &["list"]).exits(3);
    listed.stdout_has(&["other"]);
    assert!(
        listed
            .stderr
            .contains("problems/bad.kpp: cannot be read as a zip archive"),
        "{}",
        listed.stderr
    );
}

#[test]
fn submissions_are_judged_by_their_description() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.sum("sum");
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    workspace.write("solutions/sum/mine/more.c", SUM_PLUS_ONE);
    workspace.write(
        "solutions/sum/submissions.yaml",
        "mine:\n  permitted: [WA]\n",
    );
    workspace
        .judge(["run"])
        .exits(0)
        .stdout_has(&["2 submissions as expected"]);
    workspace.write(
        "solutions/sum/submissions.yaml",
        "mine/*.{c,cpp}:\n  permitted: [AC]\n",
    );
    workspace
        .judge(["run"])
        .exits(1)
        .stdout_has(&["`mine/*.{c,cpp}` in submissions.yaml permits AC"]);
    workspace.write(
        "solutions/sum/submissions.yaml",
        "mine:\n  permited: [AC]\n",
    );
    workspace.judge(["run"]).exits(3).stdout_has(&[
        "submissions.yaml:2",
        "unknown key `mine.permited`",
        "did you mean",
    ]);
}
