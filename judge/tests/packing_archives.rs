//! Archives for other judges: the files in them, their names, and where archives are written.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::packing::with_adder;
use crate::workspace::{Workspace, has};

/// Names of the files of an archive.
fn names_in(workspace: &Workspace, archive: &str) -> Vec<String> {
    let archive = zip::ZipArchive::new(fs::File::open(workspace.path(archive)).unwrap()).unwrap();
    archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect()
}

#[test]
fn statements_next_to_problem_yaml_are_packed_for_domjudge() {
    let Some(workspace) = with_adder() else {
        return;
    };
    workspace.write("problems/adder/problem.pdf", "%PDF-1.4\n");
    workspace
        .judge(["pack", "adder", "--for", "domjudge", "--output", "a.zip"])
        .exits(0);
    assert!(
        names_in(&workspace, "a.zip").contains(&"problem.pdf".to_owned()),
        "{:?}",
        names_in(&workspace, "a.zip")
    );
}

#[test]
fn scripts_among_the_data_do_not_prevent_packing_for_kattis() {
    let Some(workspace) = with_adder() else {
        return;
    };
    for script in ["generator.sh", "gen.py"] {
        workspace.write(&format!("problems/adder/data/{script}"), "print(1)\n");
    }
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--output", "a.zip"])
        .exits(0);
    // A directory that is not a group is an error for Kattis.
    workspace.write("problems/adder/data/secrets/1.in", "1 2\n");
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--output", "b.zip"])
        .exits(3)
        .stderr_has(&["JP319"]);
}

#[test]
fn new_scoring_problems_are_as_expected_after_packing_for_kattis() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let new = [
        "new",
        "points",
        "--type",
        "scoring",
        "--language",
        "python",
        "--title",
        "P",
        "--author",
        "A",
        "-q",
    ];
    workspace.judge(new).exits(0);
    workspace
        .judge([
            "pack",
            "points",
            "--for",
            "kattis",
            "--output",
            "points.zip",
        ])
        .exits(0);
    assert!(
        names_in(&workspace, "points.zip")
            .contains(&"points/submissions/partially_accepted/ten_at_most.py".to_owned())
    );
    workspace.judge(["run", "points.zip"]).exits(0);
}

#[test]
fn inputs_and_outputs_have_matching_names() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let args = [
        "pack",
        "adder",
        "--for",
        "plain",
        "--report=json",
        "--samples",
        "samples.zip",
    ];
    let document: Value = serde_json::from_str(&workspace.judge(args).exits(0).stdout).unwrap();
    assert_eq!(
        (&document["direction"], &document["written"]),
        (&Value::from("export"), &Value::from(true))
    );
    let files: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    assert!(
        files.contains(&"sample-1.in") && files.contains(&"sample-1.out"),
        "{files:?}"
    );
    // The archive is read back.
    workspace
        .judge([
            "import",
            "plain/adder.zip",
            "--name",
            "again",
            "--into",
            "other",
        ])
        .exits(0);
    assert_eq!(workspace.files("other/again/data/sample").len(), 4);
    let samples =
        zip::ZipArchive::new(fs::File::open(workspace.path("samples.zip")).unwrap()).unwrap();
    let names: Vec<String> = samples
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    assert_eq!(
        names,
        [
            "adder/",
            "adder/1.ans",
            "adder/1.in",
            "adder/2.ans",
            "adder/2.in"
        ]
    );
    workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "plain",
            "--output",
            "dry.zip",
            "--dry-run",
        ])
        .exits(0)
        .stdout_has(&["would write"]);
    assert!(!workspace.path("dry.zip").exists());
    workspace
        .judge(["pack", "adder", "--for", "codeforces"])
        .exits(2)
        .stderr_has(&["unknown judge `codeforces`"]);
}

#[test]
fn files_outside_of_the_package_are_not_packed() {
    let Some(workspace) = with_adder() else {
        return;
    };
    workspace.write("secret.txt", "not for others");
    fs::create_dir(workspace.path("problems/adder/attachments")).unwrap();
    std::os::unix::fs::symlink(
        workspace.path("secret.txt"),
        workspace.path("problems/adder/attachments/a.txt"),
    )
    .unwrap();
    for judge in ["kattis", "domjudge", "icpc"] {
        workspace.judge(["pack", "adder", "--for", judge]).exits(3);
        assert!(!workspace.path(judge).exists(), "{judge}");
    }
    // A link to a file of the package is packed as that file.
    fs::remove_file(workspace.path("problems/adder/attachments/a.txt")).unwrap();
    std::os::unix::fs::symlink(
        "../data/sample/1.in",
        workspace.path("problems/adder/attachments/a.txt"),
    )
    .unwrap();
    workspace
        .judge(["pack", "adder", "--for", "domjudge"])
        .exits(0);
    // An archive in the package is not packed into the next one.
    for _ in 0..2 {
        workspace
            .judge([
                "pack",
                "adder",
                "--for",
                "icpc",
                "--output",
                "problems/adder/adder.zip",
            ])
            .exits(0);
    }
    let archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("problems/adder/adder.zip")).unwrap())
            .unwrap();
    assert!(
        archive
            .file_names()
            .all(|name| !name.unwrap().contains("zip"))
    );
}

#[test]
fn special_files_are_neither_waited_for_nor_replaced() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let pipe = workspace.path("pipe.zip");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let pipe = pipe.to_str().unwrap();
    for target in [pipe, "/dev/full"] {
        for more in [&[][..], &["--force"]] {
            let args = [
                &["pack", "adder", "--for", "plain", "--output", target],
                more,
            ]
            .concat();
            workspace
                .judge(args)
                .exits(2)
                .stderr_has(&["is not a regular file; nothing was written"]);
        }
    }
}

#[test]
fn time_zone_and_umask_do_not_affect_archives() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let packed = |directory: &str, zone: &str, umask: &str| {
        fs::create_dir_all(workspace.path(directory)).unwrap();
        let judge = workspace.command(["pack", "adder", "--for", "icpc", "--output", "adder.zip"]);
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")])
            .arg(judge.get_program());
        command
            .args(judge.get_args())
            .current_dir(workspace.path(directory))
            .env("TZ", zone);
        command.envs(
            judge
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        assert!(command.status().unwrap().success());
        fs::read(workspace.path(directory).join("adder.zip")).unwrap()
    };
    let first = packed("solutions", "Asia/Tokyo", "077");
    assert_eq!(first, packed("problems/adder/data", "America/Lima", "000"));
}

/// Targets are checked before the first archive is written.
#[test]
fn archives_with_one_name_are_refused() {
    let Some(workspace) = with_adder() else {
        return;
    };
    for (from, to) in [("problems/adder", ""), ("solutions/adder", "submissions/")] {
        for (path, bytes) in workspace.files_below(&workspace.path(from)) {
            let below = path.strip_prefix(workspace.path(from)).unwrap();
            workspace.write(&format!("elsewhere/adder/{to}{}", below.display()), bytes);
        }
    }
    let yaml = fs::read_to_string(workspace.path("elsewhere/adder/problem.yaml")).unwrap();
    let other = yaml.lines().map(|line| {
        if line.starts_with("uuid:") {
            "uuid: 6f2bd54c-5f0f-4d8b-9c44-3d3b1f1d7a10"
        } else {
            line
        }
    });
    workspace.write(
        "elsewhere/adder/problem.yaml",
        other.collect::<Vec<_>>().join("\n") + "\n",
    );
    let twice = [
        "pack",
        "problems/adder",
        "elsewhere/adder",
        "--for",
        "plain",
        "--output",
        "out",
    ];
    workspace
        .judge(twice)
        .exits(2)
        .stderr_has(&["/out/adder.zip` is the target of two archives; nothing was written"]);
    let samples = [
        "pack",
        "adder",
        "--for",
        "plain",
        "--output",
        "out/a.zip",
        "--samples",
        "out/a.zip",
    ];
    workspace
        .judge(samples)
        .exits(2)
        .stderr_has(&["/out/a.zip` is the target of two archives"]);
    workspace.write("mine.zip", "mine");
    let mine = [
        "pack",
        "adder",
        "--for",
        "plain",
        "--output",
        "out/a.zip",
        "--samples",
        "mine.zip",
    ];
    workspace
        .judge(mine)
        .exits(2)
        .stderr_has(&["/mine.zip` exists, and was not written by this command"]);
    assert!(!workspace.path("out").exists());
    let below = [
        "pack",
        "adder",
        "--for",
        "plain",
        "--output",
        "mine.zip/a.zip",
    ];
    workspace
        .judge(below)
        .exits(4)
        .stderr_has(&["/mine.zip`: not a directory"]);
}

#[test]
fn archives_record_their_target_and_are_kept_for_others() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let pack = |judge: &str, options: &[&str]| {
        workspace.judge([&["pack", "adder", "--for", judge][..], options].concat())
    };
    pack("domjudge", &[]).exits(0);
    let comment = |name: &str| {
        let archive = zip::ZipArchive::new(fs::File::open(workspace.path(name)).unwrap()).unwrap();
        String::from_utf8(archive.comment().to_vec()).unwrap()
    };
    assert_eq!(
        comment("domjudge/adder.zip"),
        "written by `judge pack --for domjudge`"
    );
    fs::rename(
        workspace.path("domjudge/adder.zip"),
        workspace.path("adder.zip"),
    )
    .unwrap();
    let before = fs::read(workspace.path("adder.zip")).unwrap();
    let words = [
        "/adder.zip` exists, and was packed with `--for domjudge`; nothing was written",
        "--output",
        "--force",
    ];
    pack("kattis", &["-o", "adder.zip"])
        .exits(2)
        .stderr_has(&words);
    pack("plain", &["--output", "new.zip", "--samples", "adder.zip"])
        .exits(2)
        .stderr_has(&words[..1]);
    assert_eq!(fs::read(workspace.path("adder.zip")).unwrap(), before);
    assert!(!workspace.path("new.zip").exists());
    pack("domjudge", &["-o", "adder.zip"]).exits(0);
    pack(
        "kattis",
        &["-o", "adder.zip", "--force", "--samples", "samples.zip"],
    )
    .exits(0);
    assert_eq!(comment("adder.zip"), "written by `judge pack --for kattis`");
    assert_eq!(comment("samples.zip"), "written by `judge pack --samples`");
    // By default, archives for different judges have different paths: each format requires the name
    // of the problem.
    pack("kattis", &[]).exits(0);
    pack("plain", &[]).exits(0);
    assert_eq!(
        comment("kattis/adder.zip"),
        "written by `judge pack --for kattis`"
    );
    assert_eq!(
        comment("plain/adder.zip"),
        "written by `judge pack --for plain`"
    );
}

#[test]
fn missing_samples_are_reported() {
    let Some(workspace) = with_adder() else {
        return;
    };
    fs::remove_dir_all(workspace.path("problems/adder/data/sample")).unwrap();
    for judge in ["kattis", "domjudge"] {
        let output = workspace
            .judge(["pack", "adder", "--for", judge, "--dry-run"])
            .exits(0);
        output.stdout_has(&[
            "samples: `data/sample` has no sample",
            "`problem.yaml` has no `allow_file_writing`, so submissions may not write files",
        ]);
    }
    let metadata = fs::read_to_string(workspace.path("problems/adder/problem.yaml")).unwrap();
    workspace.write(
        "problems/adder/problem.yaml",
        format!("{metadata}allow_file_writing: false\n"),
    );
    workspace
        .judge(["pack", "adder", "--for", "domjudge", "--samples", "s.zip"])
        .exits(3)
        .stdout_has(&["`problem.yaml` forbids submissions to write files"])
        .stderr_has(&["there is no sample in `data/sample`, so `s.zip` is not written"]);
    assert!(!workspace.path("s.zip").exists());
}
