//! Hostile sources of imports, which try to write elsewhere or to keep the import running forever.
//! Each ends soon with an error that states the reason, and leaves nothing in the directories of
//! packages and of temporary files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::workspace::{CommandOutput, Workspace};

/// A text next to a source that must never get into a package.
const SECRET: &str = "geheim\n";
/// The maximum time of a refusal on a busy host. Each takes less than a second on an idle one.
const MAX_TIME: Duration = Duration::from_secs(60);

/// A workspace with a secret next to the imported files.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("secret.txt", SECRET);
    workspace.write("secret.py", SECRET);
    fs::create_dir(workspace.path("temporary")).unwrap();
    workspace
}

/// Imports a source, and asserts that no temporary file is left and no package contains the secret.
#[track_caller]
fn import(workspace: &Workspace, source: &str) -> CommandOutput {
    let begun = Instant::now();
    let args = ["import", source, "--name", "x"];
    let output = CommandOutput::from_command(
        workspace
            .command(args)
            .env("TMPDIR", workspace.path("temporary")),
    );
    assert!(
        begun.elapsed() < MAX_TIME,
        "{source}: {:?}",
        begun.elapsed()
    );
    assert!(workspace.files("temporary").is_empty(), "{source}");
    let packages = workspace.files("problems");
    let is_secret = |bytes: &[u8]| {
        bytes
            .windows(SECRET.len())
            .any(|part| part == SECRET.as_bytes())
    };
    assert!(!packages.values().any(|bytes| is_secret(bytes)), "{source}");
    assert!(
        !output.stderr.contains("geheim") && !output.stdout.contains("geheim"),
        "{source}"
    );
    output
}

/// The same for a refused source: there is no package, and the error names the source and these
/// words.
#[track_caller]
fn refused(workspace: &Workspace, source: &str, words: &[&str]) {
    let output = import(workspace, source).exits(3);
    assert!(
        !output.stderr.contains('\u{1b}'),
        "{}",
        output.stderr.escape_debug()
    );
    output.stderr_has(words);
    assert_eq!(
        fs::read_dir(workspace.path("problems")).unwrap().count(),
        0,
        "{source}"
    );
}

/// An archive of files and links, with an input and its output among them.
fn archive(path: &Path, files: &[(&str, &[u8])], links: &[(&str, &str)]) {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    let pair: [(&str, &[u8]); 2] = [("p/1.in", b"1\n"), ("p/1.out", b"1\n")];
    for (name, content) in pair.iter().chain(files) {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    for (name, target) in links {
        writer
            .add_symlink(*name, *target, SimpleFileOptions::default())
            .unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn archives_write_only_inside() {
    let workspace = workspace();
    for (name, entry, why) in [
        ("slip.zip", "../../slipped", "found one with `..`"),
        ("within.zip", "p/../../slipped", "found one with `..`"),
        ("absolute.zip", "/tmp/slipped", "found an absolute one"),
        ("windows.zip", "p\\..\\slipped", "without backslashes"),
    ] {
        archive(&workspace.path(name), &[(entry, b"x")], &[]);
        refused(&workspace, name, &[name, why]);
    }
    assert!(!workspace.path("slipped").exists() && !Path::new("/tmp/slipped").exists());
}

#[test]
fn links_out_of_the_source_are_not_read() {
    let workspace = workspace();
    let secret = workspace.path("secret.txt").display().to_string();
    let up = "../".repeat(30) + &secret[1..];
    for (name, links, why) in [
        (
            "absolute.zip",
            &[("p/2.in", secret.as_str())][..],
            "expected a link to a relative path",
        ),
        (
            "up.zip",
            &[("p/2.in", up.as_str())],
            "the link leads out of the package",
        ),
        (
            "chain.zip",
            &[
                ("p/here", "."),
                ("p/2.in", up.as_str()),
                ("p/3.in", "here/2.in"),
            ],
            "leads out of the package",
        ),
        (
            "loop.zip",
            &[("p/a", "b"), ("p/b", "a")],
            "the link leads nowhere",
        ),
    ] {
        archive(&workspace.path(name), &[], links);
        refused(&workspace, name, &[name, why]);
    }
    // In a directory they are reported and not followed: one that leads out, one that leads
    // back, and one file.
    for (number, (name, target)) in [
        ("all", "/".to_owned()),
        ("again", "..".to_owned()),
        ("2.in", secret),
    ]
    .into_iter()
    .enumerate()
    {
        let directory = format!("tests{number}");
        workspace.write(&format!("{directory}/1.in"), "1\n");
        workspace.write(&format!("{directory}/1.out"), "1\n");
        std::os::unix::fs::symlink(target, workspace.path(&directory).join(name)).unwrap();
        let report = import(&workspace, &directory).exits(0).stdout;
        assert!(
            report.contains(&format!("`{name}` not imported"))
                && report.contains("a link that leads"),
            "{report}"
        );
        fs::remove_dir_all(workspace.path("problems/x")).unwrap();
    }
}

/// Names in the files of a format: files outside of the source count as missing.
#[test]
fn names_outside_of_the_source_are_not_read() {
    let workspace = workspace();
    let absolute = workspace.path("secret.txt").display().to_string();
    workspace.write("t/problem.json", r#"{"name": "../../t", "type": "Batch"}"#);
    workspace.write(
        "t/subtasks.json",
        r#"{"global_validators": ["../../secret.py"],
            "subtasks": {"../../s": {"index": 1, "score": 100, "validators": ["../../secret.py"]}}}"#,
    );
    workspace.write(
        "t/solutions.json",
        r#"{"../../secret.py": {"verdict": "model_solution"}, "sum.py": {"verdict": "correct"}}"#,
    );
    workspace.write(
        "t/gen/data",
        "@subtask ../../s\nmanual ../../../secret.txt\n",
    );
    workspace.write("t/solution/sum.py", "print(1)\n");
    let output = import(&workspace, "t").exits(0);
    output.stdout_has(&[
        "secret.txt` is missing",
        "secret.py` is missing",
        "secret.py` is missing",
    ]);
    workspace.remove("problems/x/problem.yaml");
    fs::remove_dir_all(workspace.path("problems/x")).unwrap();

    let cases = format!("test_cases:\n- {{in: ../secret.txt, out: {absolute}, points: 1}}\n");
    let uses =
        format!("{cases}checker: {{name: bridged, args: {{files: ../secret.py, lang: PY3}}}}\n");
    for (file, text) in [
        ("dmoj/init.yml", uses.as_str()),
        (
            "syzoj/data.yml",
            "inputFile: ../secret#.txt\nspecialJudge: {language: python, fileName: ../secret.py}\n",
        ),
        (
            "hydro/testdata/config.yaml",
            "checker_type: testlib\nchecker: ../../secret.py\ncases: [{input: ../../secret.txt}]\n",
        ),
    ] {
        workspace.write(file, text);
        let output = import(&workspace, file.split('/').next().unwrap());
        assert!(
            matches!(output.code, Some(0 | 2 | 3)),
            "{file}: {}",
            output.stderr
        );
        let _ = fs::remove_dir_all(workspace.path("problems/x"));
    }
    workspace.write(
        "inner/init.yml",
        "archive: ../secret.zip\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
    );
    archive(&workspace.path("secret.zip"), &[], &[]);
    refused(
        &workspace,
        "inner",
        &[
            "inner",
            "expected `../secret.zip` in the source, found none",
        ],
    );
    // The same rules apply to a nested archive.
    workspace.write(
        "inner/init.yml",
        "archive: a.zip\ntest_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
    );
    archive(
        &workspace.path("inner/a.zip"),
        &[("../../slipped", b"x")],
        &[],
    );
    refused(&workspace, "inner", &["inner/a.zip", "found one with `..`"]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of archives")]
fn endlessly_growing_archives_are_refused() {
    let workspace = workspace();
    // A gigabyte, which the archive declares.
    archive(
        &workspace.path("bomb.zip"),
        &[("p/large.in", &[b'0'; 12_345])],
        &[],
    );
    let mut bytes = fs::read(workspace.path("bomb.zip")).unwrap();
    let claimed = 12_345_u32.to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|four| four == claimed) {
        bytes[at..at + 4].copy_from_slice(&(1_u32 << 30).to_le_bytes());
    }
    fs::write(workspace.path("bomb.zip"), bytes).unwrap();
    refused(
        &workspace,
        "bomb.zip",
        &["bomb.zip", "the archive grows too large"],
    );
    // Too many files.
    let mut writer = ZipWriter::new(fs::File::create(workspace.path("many.zip")).unwrap());
    for number in 0..=60_000 {
        writer
            .start_file(format!("{number}.in"), SimpleFileOptions::default())
            .unwrap();
    }
    writer.finish().unwrap();
    refused(
        &workspace,
        "many.zip",
        &[
            "many.zip",
            "expected at most 60000 files and directories, found more",
        ],
    );
    // Short texts that expand to large ones.
    let aliases: String = ('b'..'m')
        .zip('a'..)
        .map(|(name, previous)| {
            format!(
                "{name}: &{name} [{}]\n",
                vec![format!("*{previous}"); 9].join(", ")
            )
        })
        .collect();
    let entities: String = (1..12)
        .map(|number| format!("<!ENTITY e{number} \"&e{0};&e{0};\">", number - 1))
        .collect();
    let attributes: String = (0..100_000)
        .map(|number| format!(" a{number}=''"))
        .collect();
    for (file, text, why) in [
        (
            "a/init.yml",
            format!("a: &a [x, x]\n{aliases}test_cases: *l\n"),
            "make it too large",
        ),
        (
            "b/init.yml",
            "test_cases: ".to_owned() + &"[".repeat(100_000),
            "nested",
        ),
        ("c/subtasks.json", "[".repeat(100_000), "recursion limit"),
        (
            "d/problem.xml",
            format!("<!DOCTYPE x [{entities}]><problem>&e11;</problem>"),
            "declares nothing",
        ),
        (
            "g/a.xml",
            format!("<!DOCTYPE fps [{entities}]>\n<fps><item><title>&e11;</title></item></fps>"),
            "declares nothing",
        ),
        (
            "h/problem.xml",
            format!("<problem>\n<names{attributes}/></problem>"),
            ":2: expected at most 100 attributes",
        ),
        (
            "i/a.xml",
            format!("<fps><item{attributes}/></fps>"),
            ":1: expected at most 100 attributes",
        ),
        (
            "j/problem.xml",
            format!("<problem>{}</problem>", "<x/>".repeat(1_100_000)),
            "invalid XML: nodes limit reached",
        ),
        (
            "e/info.toml",
            "tests = ".to_owned() + &"[".repeat(100_000),
            "recurse",
        ),
        (
            "f/problem.conf",
            "n_tests 4000000000\nn_subtasks 99999999\n".to_owned(),
            "expected `n_tests` to be at most",
        ),
    ] {
        workspace.write(file, text);
        if file.ends_with(".json") {
            workspace.write("c/problem.json", "{}");
        }
        refused(
            &workspace,
            file.split('/').next().unwrap(),
            &[file.split('/').nth(1).unwrap(), why],
        );
    }
}

#[test]
fn absurd_names_are_refused_or_reported_as_text() {
    let workspace = workspace();
    for (name, entry, why) in [
        ("long.zip", "x".repeat(300), "at most 255 bytes"),
        (
            "deep.zip",
            "d/".repeat(40) + "x",
            "at most 32 nested directories",
        ),
    ] {
        archive(&workspace.path(name), &[(&entry, b"x")], &[]);
        refused(&workspace, name, &[name, why]);
    }
    archive(&workspace.path("twice.zip"), &[("p/./1.in", b"2\n")], &[]);
    refused(&workspace, "twice.zip", &["exists twice"]);
    // Names with control characters of terminals are escaped, and never become names of files.
    archive(
        &workspace.path("signs.zip"),
        &[
            ("p/\u{1b}[31mred", b""),
            ("p/a\nb.in", b""),
            ("p/-rf.in", b""),
        ],
        &[],
    );
    let output = import(&workspace, "signs.zip").exits(0);
    assert!(
        !output.stdout.contains('\u{1b}'),
        "{}",
        output.stdout.escape_debug()
    );
    output.stdout_has(&["`\\x1b[31mred`"]);
    let is_plain = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.-/".contains(c))
    };
    for file in workspace.files("problems").into_keys() {
        assert!(
            is_plain(
                file.strip_prefix(workspace.root())
                    .unwrap_or(&file)
                    .to_str()
                    .unwrap()
            ),
            "{}",
            file.display()
        );
    }
}

#[test]
fn texts_in_other_encodings_are_reported() {
    let workspace = workspace();
    let of_16_bits = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    workspace.write("latin/init.yml", b"name: caf\xe9\ntest_cases: []\n");
    workspace.write(
        "wide/init.yml",
        [b"\xff\xfe".to_vec(), of_16_bits("test_cases: []\n")].concat(),
    );
    workspace.write(
        "json/subtasks.json",
        [b"\xff\xfe".to_vec(), of_16_bits("{}")].concat(),
    );
    workspace.write("json/problem.json", "{}");
    workspace.write(
        "xml/problem.xml",
        b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><problem short-name=\"\xcf\xf0\"/>",
    );
    for (source, file) in [
        ("latin", "init.yml"),
        ("wide", "init.yml"),
        ("json", "subtasks.json"),
        ("xml", "problem.xml"),
    ] {
        refused(&workspace, source, &[file, "UTF-8"]);
    }
    // A truncated archive and a text are not archives.
    archive(&workspace.path("whole.zip"), &[], &[]);
    let whole = fs::read(workspace.path("whole.zip")).unwrap();
    workspace.write("cut.zip", &whole[..whole.len() - 30]);
    workspace.write("text.zip", "no archive");
    for name in ["cut.zip", "text.zip"] {
        refused(&workspace, name, &[name, "cannot be read as a zip archive"]);
    }
}
