//! Sources of imports with parts that a package cannot have: a text in another encoding, a pipe, an
//! invalid limit. Each part is reported or refused with its place. Nothing is lost silently, and no
//! import waits for a pipe.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::workspace::{CommandOutput, Workspace};

/// `é` in Latin-1.
const E: &[u8] = b"\xe9";
/// The maximum time of an import on a busy host. An import that waits for a pipe would wait
/// forever.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Imports a source as the package `x`.
#[track_caller]
fn import(workspace: &Workspace, source: &str) -> CommandOutput {
    let begun = Instant::now();
    let report = workspace.judge(["import", source, "--name", "x", "--report=json"]);
    assert!(
        begun.elapsed() < MAX_TIME,
        "{source}: {:?}",
        begun.elapsed()
    );
    report
}

/// The texts of all remarks of a successful import, each with its outcome.
#[track_caller]
fn remarks(workspace: &Workspace, source: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(&import(workspace, source).exits(0).stdout).unwrap();
    let remark = |remark: &Value| {
        format!(
            "{}: {}",
            remark["fate"].as_str().unwrap(),
            remark["text"].as_str().unwrap()
        )
    };
    document["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(remark)
        .collect()
}

#[track_caller]
fn says(remarks: &[String], words: &str) {
    assert!(
        remarks.iter().any(|remark| remark.contains(words)),
        "`{words}` is not in {remarks:#?}"
    );
}

/// Returns the bytes of a file of the package, and removes the package.
fn package_file(workspace: &Workspace, file: &str) -> Vec<u8> {
    fs::read(workspace.path("problems/x").join(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn remove_package(workspace: &Workspace) {
    fs::remove_dir_all(workspace.path("problems/x")).unwrap();
}

#[test]
fn programs_in_other_encodings_are_copied_and_called_as_before() {
    let workspace = Workspace::new();
    let program = |text: &str| [text.as_bytes(), b"// caf", E, b"\n"].concat();
    let checker = program("#include \"testlib.h\"\nint main() {}\n");
    // Polygon: programs with testlib are recognized by their text.
    workspace.write(
        "polygon/problem.xml",
        "<problem><assets><checker type=\"testlib\"><source path=\"files/check.cpp\"/></checker>\
         <validators><validator><source path=\"files/val.cpp\"/></validator></validators>\
         <solutions><solution tag=\"main\"><source path=\"solutions/a.cpp\"/></solution></solutions></assets></problem>",
    );
    workspace.write("polygon/files/testlib.h", "");
    workspace.write("polygon/files/check.cpp", &checker);
    workspace.write("polygon/files/val.cpp", &checker);
    workspace.write("polygon/solutions/a.cpp", program("int main() {}\n"));
    let report = remarks(&workspace, "polygon");
    says(&report, "carried: `files/check.cpp`, with `testlib.h`");
    says(&report, "carried: `files/val.cpp`, with `testlib.h`");
    assert_eq!(
        package_file(&workspace, "output_validator/check.cpp"),
        checker
    );
    assert_eq!(
        package_file(&workspace, "input_validators/val/val.cpp"),
        checker
    );
    assert_eq!(
        package_file(&workspace, "submissions/accepted/a.cpp"),
        program("int main() {}\n")
    );
    remove_package(&workspace);
    // Library Checker: lines of programs are changed.
    workspace.write(
        "library/info.toml",
        "title = 'X'\ntimelimit = 1\ntests = []\n[[solutions]]\nname = 'b.cpp'\n",
    );
    workspace.write(
        "library/checker.cpp",
        program("#include \"testlib.h\"\n#include \"../params.h\"\n"),
    );
    workspace.write("library/testlib.h", program(""));
    workspace.write(
        "library/sol/correct.cpp",
        program("#include \"../params.h\"\r\n"),
    );
    workspace.write("library/sol/b.cpp", program("int main() {}\n"));
    workspace.write("library/task.md", program("text\n"));
    let report = remarks(&workspace, "library");
    says(&report, "carried: `checker.cpp`, with `testlib.h`");
    says(&report, "lost: `task.md` is not in UTF-8");
    let beside = program("#include \"testlib.h\"\n#include \"params.h\"\n");
    assert_eq!(
        package_file(&workspace, "output_validator/checker.cpp"),
        beside
    );
    assert_eq!(
        package_file(&workspace, "output_validator/testlib.h"),
        program("")
    );
    assert_eq!(
        package_file(&workspace, "submissions/accepted/correct.cpp"),
        program("#include \"params.h\"\r\n")
    );
    assert_eq!(
        package_file(&workspace, "submissions/accepted/b.cpp"),
        program("int main() {}\n")
    );
    remove_package(&workspace);
    // CMS: expectations are in comments.
    workspace.write(
        "cms/task.yaml",
        "name: x\ntime_limit: 1\nmemory_limit: 64\ninfile: ''\noutfile: ''\n",
    );
    workspace.write("cms/gen/GEN", "#ST: 100\n#STNAME: all\n#COPY: gen/1.txt\n");
    workspace.write("cms/gen/1.txt", "1\n");
    workspace.write(
        "cms/sol/wrong.py",
        [b"# caf", E, b"\n# @check-wrong-answer: all\n"].concat(),
    );
    says(
        &remarks(&workspace, "cms"),
        "carried: `mixed/wrong.py`, by its `@check` comments",
    );
    remove_package(&workspace);
    // Hydro: statements are copied.
    workspace.write("hydro/problem.yaml", "pid: P1\ntitle: X\n");
    workspace.write("hydro/problem.md", program(""));
    workspace.write("hydro/testdata/config.yaml", "time: 1s\nmemory: 64m\n");
    says(
        &remarks(&workspace, "hydro"),
        "lost: `problem.md` is not in UTF-8, which packages require",
    );
    assert_eq!(
        package_file(&workspace, "statement/problem.en.md"),
        program("")
    );
}

#[test]
fn descriptions_in_other_encodings_are_refused_with_their_line() {
    let workspace = Workspace::new();
    let text = |before: &str, after: &str| [before.as_bytes(), E, after.as_bytes()].concat();
    workspace.write(
        "tps/problem.json",
        r#"{"name": "x", "type": "Batch", "time_limit": 1}"#,
    );
    workspace.write(
        "tps/subtasks.json",
        r#"{"subtasks": {"a": {"index": 0, "score": 100}}}"#,
    );
    workspace.write("tps/gen/data", text("@subtask a\ngen ", "\n"));
    workspace.write("cms/task.yaml", "name: x\ntime_limit: 1\n");
    workspace.write("cms/gen/GEN", text("#ST: 100\n# caf", "\n1 2\n"));
    workspace.write(
        "uoj/problem.conf",
        text("n_tests 1\nuse_builtin_checker ", "\n"),
    );
    workspace.write("library/info.toml", text("[[tests]]\nname = '", "'\n"));
    workspace.write(
        "polygon/problem.xml",
        text("<problem>\n<x y='", "'/></problem>"),
    );
    workspace.write(
        "fps/a.xml",
        text("<fps><item>\n<title>", "</title></item></fps>"),
    );
    workspace.write("json/problem.json", text("{\n\"name\": \"", "\"}"));
    workspace.write("json/subtasks.json", "{}");
    for (source, file) in [
        ("tps", "tps/gen/data"),
        ("cms", "cms/gen/GEN"),
        ("uoj", "uoj/problem.conf"),
        ("library", "library/info.toml"),
        ("polygon", "polygon/problem.xml"),
        ("fps/a.xml", "fps/a.xml"),
        ("json", "json/problem.json"),
    ] {
        let place = format!("/{file}:2: expected UTF-8, found the byte 0xe9");
        import(&workspace, source)
            .exits(3)
            .stderr_has(&[place.as_str(), "hint: save the file as UTF-8"]);
        assert!(workspace.files("problems").is_empty(), "{source}");
    }
}

#[test]
fn pipes_sockets_and_directory_links_are_reported_without_waiting() {
    let workspace = Workspace::new();
    workspace.write("tests/1.in", "1\n");
    workspace.write("tests/1.out", "1\n");
    workspace.write("tests/more/2.in", "1\n");
    let within = |name: &str| workspace.path("tests").join(name);
    mkfifoat(CWD, within("3.in"), Mode::RWXU).unwrap();
    mkfifoat(CWD, within("problem.xml"), Mode::RWXU).unwrap();
    let _socket = UnixListener::bind(within("4.in")).unwrap();
    for (link, to) in [
        ("5.in", "more"),
        ("6.in", "nowhere"),
        ("7.in", "7.in"),
        ("8.in", "3.in"),
    ] {
        std::os::unix::fs::symlink(to, within(link)).unwrap();
    }
    let report = remarks(&workspace, "tests");
    says(
        &report,
        "lost: `3.in`, `8.in`, `problem.xml` not imported, since each is a named pipe and not a file",
    );
    says(
        &report,
        "lost: `4.in` not imported, since it is a socket and not a file",
    );
    says(
        &report,
        "lost: `5.in` not imported, since it is a link to a directory and not a file",
    );
    says(
        &report,
        "lost: `6.in`, `7.in` not imported, since each is a dangling link and not a file",
    );
    // A pipe as the source is refused.
    for name in ["pipe", "pipe.zip", "pipe.json"] {
        mkfifoat(CWD, workspace.path(name), Mode::RWXU).unwrap();
        let words = [
            name,
            "expected a directory, an archive or a file, found a named pipe",
        ];
        import(&workspace, name).exits(3).stderr_has(&words);
    }
}

#[test]
fn impossible_limits_and_points_are_reported() {
    let workspace = Workspace::new();
    let hydro = |limits: &str| {
        format!(
            "{limits}\nsubtasks:\n- {{score: .nan, cases: []}}\n- {{score: -5, cases: [{{input: 1.in, output: 1.out}}]}}\n- {{score: 1e300, cases: [{{input: 1.in, output: 1.out}}]}}\n"
        )
    };
    workspace.write("hydro/testdata/1.in", "1\n");
    workspace.write("hydro/testdata/1.out", "1\n");
    for (written, time, memory) in [
        (
            "time: -1s\nmemory: 0m",
            "lost: `time` is `-1s`, which is not a valid limit",
            "lost: `memory` is `0m`, which is not a valid limit",
        ),
        (
            "time: NaN\nmemory: .nan",
            "lost: `time` is `NaN`, which is not a valid limit",
            "lost: `memory` is `NaN`, which is not a valid limit",
        ),
        (
            "time: 1e300s\nmemory: 1e300g",
            "lost: the time limit of 1e300 s, which is more than an hour",
            "which is not a valid limit",
        ),
    ] {
        workspace.write("hydro/testdata/config.yaml", hydro(written));
        let report = remarks(&workspace, "hydro");
        says(&report, time);
        says(&report, memory);
        says(
            &report,
            "lost: the points of `subtask 1`, `subtask 2`, `subtask 3`: expected a number from 0 to 1e9; replaced by 0",
        );
        workspace.judge(["list", "x"]).exits(0);
        remove_package(&workspace);
    }
}

/// Sources in many formats with invalid limits and points.
fn absurd_sources(workspace: &Workspace) {
    let words = "n_tests 1\ntime_limit -2\nmemory_limit 1e9\noutput_limit 99999999999\nmemory_limit_1 x\npoint_score_1 inf\n";
    workspace.write("uoj/problem.conf", words);
    workspace.write("uoj/input1.txt", "1\n");
    workspace.write("uoj/output1.txt", "1\n");
    workspace.write(
        "sinol/config.yml",
        "time_limit: -1000\nmemory_limit: 1e300\nscores: {1: many}\nsinol_task_id: abc\n",
    );
    workspace.write("sinol/prog/abc.cpp", "int main() {}\n");
    workspace.write("sinol/in/abc1a.in", "1\n");
    workspace.write("sinol/out/abc1a.out", "1\n");
    workspace.write(
        "tps/problem.json",
        r#"{"name": "x", "type": "Batch", "time_limit": -1, "memory_limit": 0.5}"#,
    );
    workspace.write(
        "tps/subtasks.json",
        r#"{"subtasks": {"a": {"index": 0, "score": -100}}}"#,
    );
    workspace.write("tps/gen/data", "@subtask a\nmanual 1.in\n");
    workspace.write("tps/gen/manual/1.in", "1\n");
    workspace.write(
        "cms/task.yaml",
        "name: x\ntime_limit: 0\nmemory_limit: -1\n",
    );
    workspace.write("cms/gen/GEN", "#ST: -3\n#COPY: 1.in\n");
    workspace.write("cms/1.in", "1\n");
    workspace.write("library/info.toml", "timelimit = -inf\ntests = []\n");
    workspace.write("library/sol/correct.cpp", "int main() {}\n");
    workspace.write(
        "fps/a.xml",
        "<fps><item><time_limit unit='s'>-1</time_limit><memory_limit unit='mb'>1e300</memory_limit>\
         <test_input>1</test_input></item></fps>",
    );
}

#[test]
fn impossible_limits_and_points_are_reported_in_every_format() {
    let workspace = Workspace::new();
    absurd_sources(&workspace);
    for (source, all) in [
        (
            "uoj",
            &[
                "`time_limit` is `-2`, which is not a valid limit",
                "`memory_limit` is `1e9`, which is not a valid limit",
                "the output limit of 99999999999 MiB",
                "limits of single test cases: 1 of them are invalid",
                "the points of `subtask 1`",
            ][..],
        ),
        (
            "sinol",
            &[
                "`time_limit` is `-1000`",
                "`memory_limit` is `1000000000",
                "the points of `1`",
            ],
        ),
        (
            "tps",
            &[
                "`time_limit` is `-1`",
                "`memory_limit` is `0.5`",
                "the points of `a`",
            ],
        ),
        (
            "cms",
            &[
                "`time_limit` is `0`",
                "`memory_limit` is `-1`",
                "the points of `subtask 1`",
            ],
        ),
        ("library", &["`timelimit` is `-inf`"]),
        (
            "fps",
            &[
                "`time_limit` is `-1`",
                "the memory limit of 1000000000000000 MiB, which is more than 1 TiB",
            ],
        ),
    ] {
        let report = remarks(&workspace, source);
        all.iter().for_each(|words| says(&report, words));
        remove_package(&workspace);
    }
    workspace.write(
        "polygon/problem.xml",
        "<problem><judging><testset><tests>\n<test points='-1'/></tests></testset></judging></problem>",
    );
    import(&workspace, "polygon")
        .exits(3)
        .stderr_has(&["problem.xml:2: expected `points` to be a number from 0 to 1e9, found `-1`"]);
}

#[test]
fn names_differing_in_case_are_reported_and_long_ones_keep_extensions() {
    let workspace = Workspace::new();
    let long = "a".repeat(240);
    for name in ["A", "a", &long] {
        workspace.write(&format!("tests/{name}.in"), name);
        workspace.write(&format!("tests/{name}.out"), name);
    }
    let report = remarks(&workspace, "tests");
    says(
        &report,
        "changed: the names of `data/secret/A.ans`, `data/secret/a.ans`, `data/secret/A.in`, `data/secret/a.in` differ",
    );
    assert_eq!(package_file(&workspace, "data/secret/A.in"), b"A");
    assert_eq!(
        package_file(&workspace, &format!("data/secret/{}.in", &long[..100])),
        long.as_bytes()
    );
    workspace.judge(["list", "x"]).exits(0);
    remove_package(&workspace);
    workspace.write("dmoj/init.yml", format!("test_cases: [{{in: 1.in, out: 1.out, points: 1}}]\nchecker: {{name: bridged, args: {{files: {long}.cpp}}}}\n"));
    workspace.write("dmoj/1.in", "");
    workspace.write("dmoj/1.out", "");
    workspace.write(&format!("dmoj/{long}.cpp"), "int main() {}\n");
    import(&workspace, "dmoj").exits(0);
    assert_eq!(
        package_file(&workspace, &format!("output_validator/{}.cpp", &long[..96])),
        b"int main() {}\n"
    );
}

/// Runs a command on a full disk: no file may have more than 8 KiB.
fn on_full_disk(workspace: &Workspace, args: &[&str]) -> CommandOutput {
    let judge = workspace.command(args);
    let mut limited = Command::new("bash");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "bash"]);
    limited
        .arg(judge.get_program())
        .args(judge.get_args())
        .current_dir(judge.get_current_dir().unwrap());
    let set = judge
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    limited.envs(set).env("TMPDIR", workspace.path("temporary"));
    CommandOutput::from_command(&mut limited)
}

fn archive(workspace: &Workspace, name: &str, files: &[(&str, &str)]) {
    let mut writer = ZipWriter::new(fs::File::create(workspace.path(name)).unwrap());
    for (name, text) in files {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn full_disks_are_host_faults_and_leave_nothing_behind() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("temporary")).unwrap();
    let large = "x".repeat(100_000);
    workspace.write("tests/1.in", &large);
    workspace.write("tests/1.out", "1\n");
    archive(
        &workspace,
        "tests.zip",
        &[("1.in", &large), ("1.out", "1\n")],
    );
    let cases = "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n";
    archive(
        &workspace,
        "dmoj.zip",
        &[("1.in", &large), ("1.out", "1\n"), ("init.yml", cases)],
    );
    let metadata = "problem_format_version: 2025-09\nname: X\n";
    archive(
        &workspace,
        "x.kpp",
        &[("problem.yaml", metadata), ("data/secret/1.in", &large)],
    );
    // The archive is small enough for the disk, but its unpacked content is not.
    let files = [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: L\nuuid: 0b7c0ef0-6b0c-4a52-8a40-6c1d9c4b5a11\nlicense: cc0\nsource: here\nlimits: {time_limit: 2}\n",
        ),
        ("statement/problem.en.md", "Print.\n"),
        ("data/secret/1.in", &large),
        ("data/secret/1.ans", "1\n"),
        ("submissions/accepted/one.py", "print(1)\n"),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
    ];
    files
        .iter()
        .for_each(|(file, text)| workspace.write(&format!("large/{file}"), text));
    for (args, words) in [
        (
            &["pack", "large", "--for", "domjudge"][..],
            &["cannot write `", "data/secret/1.in`: "][..],
        ),
        (
            &["import", "tests", "--name", "x"],
            &["cannot write `", "1.in`: "],
        ),
        (
            &["import", "tests.zip", "--name", "x"],
            &["cannot write `", "1.in`: "],
        ),
        (&["run", "dmoj.zip"], &["error: cannot write `", "1.in`: "]),
        (
            &["run", "x.kpp"],
            &["x.kpp` cannot be unpacked: ", "data/secret/1.in`: "],
        ),
        (
            &["check", "x.kpp"],
            &["x.kpp` cannot be unpacked: ", "data/secret/1.in`: "],
        ),
        (
            &["pack", "x.kpp", "--for", "plain"],
            &["x.kpp` cannot be unpacked: ", "data/secret/1.in`: "],
        ),
    ] {
        on_full_disk(&workspace, args).exits(4).stderr_has(words);
        assert_eq!(
            fs::read_dir(workspace.path("problems")).unwrap().count(),
            0,
            "{args:?}"
        );
        assert_eq!(
            fs::read_dir(workspace.path("temporary")).unwrap().count(),
            0,
            "{args:?}"
        );
    }
}
