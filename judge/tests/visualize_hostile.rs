//! Hostile visualizers: the verdict is unchanged, no file of the host is shown, and the report
//! contains the reason for the missing picture.

use std::fs;

use crate::workspace::{SUM_PLUS_ONE, Workspace};

/// A run of a wrong submission with a visualizer: the verdict, the names of the pictures, the
/// remarks, and the page.
struct Drawn {
    verdict: String,
    pictures: Vec<String>,
    remarks: Vec<String>,
    page: String,
}

/// Runs a visualizer with this body of `main`, within short limits.
fn run_visualizer(workspace: &Workspace, body: &str) -> Drawn {
    let program = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <sys/stat.h>\n\
         static char path[4096];\n\
         static const char *in_feedback(char **argv, const char *name)\n\
         {{ snprintf(path, sizeof path, \"%s%s\", argv[3], name); return path; }}\n\
         int main(int argc, char **argv) {{\n{body}\nreturn 0; }}\n"
    );
    workspace.write("problems/sum/output_visualizer/draw.c", program);
    let run = [
        "submit",
        "-p",
        "sum",
        "mine.c",
        "--report=json=run.jsonl",
        "--report",
        "html=page.html",
    ];
    workspace.judge(run).exits(1);
    let stream = fs::read_to_string(workspace.path("run.jsonl")).unwrap();
    let events = stream
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let event = events
        .into_iter()
        .find(|event| event["event"] == "test_case_finished")
        .unwrap();
    let texts = |value: &serde_json::Value| -> Vec<String> {
        let texts = value.as_array().into_iter().flatten();
        texts
            .map(|one| one.as_str().or(one["name"].as_str()).unwrap().to_owned())
            .collect()
    };
    Drawn {
        verdict: event["verdict"].as_str().unwrap().to_owned(),
        pictures: texts(&event["pictures"]),
        remarks: texts(&event["picture_remarks"]),
        page: fs::read_to_string(workspace.path("page.html")).unwrap(),
    }
}

fn with_short_limits() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    let yaml = fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    assert!(yaml.contains("\nlimits:"), "{yaml}");
    let limits = "\nlimits:\n  validation_time: 1\n  validation_output: 4";
    workspace.write(
        "problems/sum/problem.yaml",
        yaml.replace("\nlimits:", limits),
    );
    workspace.write("mine.c", SUM_PLUS_ONE);
    Some(workspace)
}

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>";

/// The beginning of a visualizer that draws a picture before it misbehaves.
fn after_a_picture(misbehaves: &str) -> String {
    format!(
        "FILE *f = fopen(in_feedback(argv, \"judgeimage.svg\"), \"w\"); fputs(\"{SVG}\", f); fclose(f); {misbehaves}"
    )
}

#[test]
fn visualizers_that_compute_endlessly_are_stopped_and_reported() {
    has_faults(&[(
        "loops",
        &after_a_picture("for (;;) {}"),
        "`draw.c` drew nothing: it did not finish within 1 s of CPU time",
    )]);
}

#[test]
fn visualizers_that_fork_endlessly_are_stopped_and_reported() {
    has_faults(&[(
        "forks",
        &after_a_picture("while (fork() >= 0) {} for (;;) sleep(1);"),
        "`draw.c` drew nothing: it did not finish within",
    )]);
}

#[test]
fn visualizers_that_sleep_are_stopped_and_reported() {
    has_faults(&[(
        "sleeps",
        &after_a_picture("for (;;) sleep(1);"),
        "`draw.c` drew nothing: it did not finish within 3 s",
    )]);
}

#[test]
fn visualizers_cannot_change_verdicts_and_their_failures_are_reported() {
    has_faults(&[
        (
            "100 MB",
            "FILE *f = fopen(in_feedback(argv, \"judgeimage.svg\"), \"w\"); fputs(\"<svg>\", f);\n\
             static char mib[1 << 20]; memset(mib, 32, sizeof mib);\n\
             for (int i = 0; i < 100; i++) if (fwrite(mib, 1, sizeof mib, f) < sizeof mib) break;",
            "`judgeimage.svg` is not a file of at most 512 KiB",
        ),
        (
            "says too much",
            "static char kib[1024]; memset(kib, 97, sizeof kib - 1);\n\
             for (int i = 0; i < 100000; i++) fputs(kib, stderr);",
            "`draw.c` drew nothing: it wrote more than 4 MiB",
        ),
        (
            "says much",
            "static char kib[1024]; memset(kib, 97, sizeof kib - 1);\n\
             for (int i = 0; i < 2000; i++) fputs(kib, stderr);",
            "`draw.c` drew nothing: aaaa",
        ),
        (
            "links",
            "symlink(\"/etc/passwd\", in_feedback(argv, \"judgeimage.svg\"));",
            "is not a file of at most 512 KiB",
        ),
        (
            "links to its input",
            "symlink(argv[1], in_feedback(argv, \"judgeimage.png\"));",
            "is not a file of at most",
        ),
        (
            "a directory",
            "mkdir(in_feedback(argv, \"judgeimage.svg\"), 0777);",
            "is not a file of at most",
        ),
        (
            "a pipe",
            "mkfifo(in_feedback(argv, \"judgeimage.svg\"), 0666);",
            "is not a file of at most",
        ),
        (
            "no image",
            "FILE *f = fopen(in_feedback(argv, \"judgeimage.png\"), \"w\"); fputs(\"root:x:0:0\", f); fclose(f);",
            "`judgeimage.png` does not match its extension",
        ),
        (
            "fails",
            "fputs(\"out of ink\", stderr); return 3;",
            "drew nothing, and exited with code 3: out of ink",
        ),
    ]);
}

/// Each visualizer in C draws nothing and has one remark, and the submission keeps its verdict.
fn has_faults(visualizers: &[(&str, &str, &str)]) {
    let Some(workspace) = with_short_limits() else {
        return;
    };
    let mut faults = Vec::new();
    for &(what, body, remark) in visualizers {
        let drawn = run_visualizer(&workspace, body);
        let is_reported = drawn.remarks.len() == 1
            && drawn.remarks[0].contains(remark)
            && drawn.remarks[0].len() < 4096;
        let words = remark.replace('`', "");
        let is_shown = drawn
            .page
            .replace('`', "")
            .contains(words.trim_start_matches("draw.c "));
        let is_bounded = drawn.page.len() < 1 << 20 && !drawn.page.contains("root:x:");
        if drawn.verdict != "WA"
            || !drawn.pictures.is_empty()
            || !is_reported
            || !is_shown
            || !is_bounded
        {
            let remarks: Vec<String> = drawn
                .remarks
                .iter()
                .map(|remark| remark.chars().take(200).collect())
                .collect();
            faults.push(format!(
                "{what}: {} {:?} {remarks:?} {is_shown} {is_bounded}",
                drawn.verdict, drawn.pictures
            ));
        }
    }
    assert_eq!(faults, [""; 0]);
}

#[test]
fn surplus_pictures_are_skipped() {
    let Some(workspace) = with_short_limits() else {
        return;
    };
    let body = format!(
        "char name[100]; for (int i = 0; i < 10000; i++) {{ sprintf(name, \"judgeimage-%05d.svg\", i);\n\
         FILE *f = fopen(in_feedback(argv, name), \"w\"); if (!f) break; fputs(\"{SVG}\", f); fclose(f); }}"
    );
    let drawn = run_visualizer(&workspace, &body);
    assert_eq!(
        (drawn.verdict.as_str(), drawn.pictures.len()),
        ("WA", 8),
        "{:?}",
        drawn.remarks
    );
    assert!(
        drawn.remarks[0].ends_with("more pictures are left out"),
        "{:?}",
        drawn.remarks
    );
    assert!(drawn.page.len() < 1 << 20, "{}", drawn.page.len());
}

#[test]
fn drawings_with_scripts_are_only_images() {
    let Some(workspace) = with_short_limits() else {
        return;
    };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(2)</script>\
        <image href='http://192.0.2.1/x.png'/><foreignObject><iframe src='http://192.0.2.1/'/></foreignObject></svg>";
    let body = format!(
        "FILE *f = fopen(in_feedback(argv, \"judgeimage.svg\"), \"w\"); fputs(\"{svg}\", f); fclose(f); return 1;"
    );
    let drawn = run_visualizer(&workspace, &body);
    assert_eq!(
        (drawn.verdict.as_str(), drawn.pictures.as_slice()),
        ("WA", &["judgeimage.svg".to_owned()][..])
    );
    assert!(
        drawn.page.contains("data:image/svg+xml;base64,"),
        "it is shown"
    );
    for markup in [
        "onload='alert(1)'",
        "<script>alert(2)",
        "192.0.2.1",
        "<iframe",
    ] {
        assert!(!drawn.page.contains(markup), "{markup}");
    }
    let policy = drawn.page.split("Content-Security-Policy").nth(1).unwrap();
    assert!(
        policy
            .split('>')
            .next()
            .unwrap()
            .contains("default-src 'none'"),
        "the page may load nothing"
    );
}
