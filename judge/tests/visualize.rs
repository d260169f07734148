//! `judge visualize`, and pictures in reports.

use std::fs;

use crate::workspace::{CommandOutput, SUM_PLUS_ONE, Workspace};

/// Draws the first line of the output, and whether the validator left something.
const DRAW: &str = "#include <stdio.h>\n\
    int main(int argc, char **argv) {\n\
    char path[4096], line[100] = \"\"; scanf(\"%99s\", line);\n\
    snprintf(path, sizeof path, \"%sjudgeimage.svg\", argv[3]);\n\
    FILE *out = fopen(path, \"w\");\n\
    fprintf(out, \"<svg xmlns='http://www.w3.org/2000/svg'><text>%s %s</text></svg>\", line, argc > 4 ? argv[4] : \"-\");\n\
    fclose(out);\n\
    snprintf(path, sizeof path, \"%steamimage.png\", argv[3]); out = fopen(path, \"w\"); fputs(\"no png\", out); fclose(out);\n\
    return 7; }\n";

fn with_visualizer() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("problems/sum/output_visualizer/draw.c", DRAW);
    workspace.write("mine.c", SUM_PLUS_ONE);
    Some(workspace)
}

#[test]
fn an_answer_and_an_output_are_drawn() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    let output = workspace
        .judge(["visualize", "sum", "secret/01", "-o", "pictures"])
        .exits(0);
    assert!(
        output.stdout.contains("secret-01.judgeimage.svg"),
        "{output:?}"
    );
    let output = workspace
        .judge([
            "visualize",
            "sum",
            "secret/01",
            "-s",
            "mine.c",
            "-o",
            "pictures",
        ])
        .exits(0);
    output.stderr_has(&["secret/01: the verdict is WA"]);
    let drawn = fs::read_to_string(workspace.path("pictures/secret-01.judgeimage.svg")).unwrap();
    assert!(
        drawn.contains("<text>") && !drawn.contains("<text> "),
        "{drawn}"
    );
    assert!(
        !workspace.path("pictures/secret-01.teamimage.png").exists(),
        "it is not a picture"
    );
}

#[test]
fn several_test_cases_are_drawn_at_once() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    let pictures = |directory: &str| {
        let names = fs::read_dir(workspace.path(directory))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    workspace
        .judge(["visualize", "sum", "secret", "-o", "answers"])
        .exits(0);
    assert_eq!(
        pictures("answers"),
        ["secret-01.judgeimage.svg", "secret-02-large.judgeimage.svg"]
    );
    let output = workspace
        .judge([
            "visualize",
            "sum",
            "secret/*",
            "-s",
            "mine.c",
            "-o",
            "outputs",
        ])
        .exits(0);
    output.stderr_has(&[
        "secret/01: the verdict is WA",
        "secret/02-large: the verdict is WA",
    ]);
    assert_eq!(pictures("outputs"), pictures("answers"));
    workspace
        .judge(["visualize", "sum", "secret/9"])
        .exits(5)
        .stderr_has(&["names no test case"]);
}

#[test]
fn missing_visualizers_are_reported() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace
        .judge(["visualize", "sum", "secret/01"])
        .exits(3)
        .stderr_has(&["no visualizer found", "output_visualizer/"]);
    workspace.write(
        "problems/sum/output_visualizer/draw.c",
        "int main(void) { return undeclared; }\n",
    );
    workspace
        .judge(["visualize", "sum", "secret/01"])
        .exits(3)
        .stderr_has(&["output visualizer", "undeclared"]);
    let output = workspace.judge(["check", "sum"]);
    assert!(output.stdout.contains("JP912"), "{output:?}");
}

#[test]
fn stored_runs_have_pictures_of_rejected_results() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    workspace
        .judge([
            "submit",
            "-p",
            "sum",
            "mine.c",
            "--report=json=run.jsonl",
            "--report",
            "html=page.html",
        ])
        .exits(1);
    let run = fs::read_to_string(workspace.path("run.jsonl")).unwrap();
    assert!(run.contains("\"judgeimage.svg\""), "{run}");
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(
        page.contains("data:image/svg+xml;base64,"),
        "the page shows it as an image"
    );
    workspace
        .judge(["report", "run.jsonl", "--report", "html=later.html"])
        .exits(1);
    assert_eq!(
        fs::read_to_string(workspace.path("later.html")).unwrap(),
        page
    );
}

#[test]
fn findings_have_pictures() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    workspace.write("solutions/sum/wrong_answer/plus_one.c", SUM_PLUS_ONE);
    workspace.write(
        "problems/sum/input_validators/two.ctd",
        "INT(0,100) SPACE INT(0,100) NEWLINE EOF\n",
    );
    let search = [
        "stress",
        "plus_one",
        "-p",
        "sum",
        "--seed",
        "1",
        "--inputs",
        "20",
        "--save",
        "found",
        "--report=json=found.json",
    ];
    let output = workspace.judge(search).exits(1);
    assert!(
        output.stdout.contains("  picture   found/sum-1-"),
        "{output:?}"
    );
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(workspace.path("found.json")).unwrap()).unwrap();
    let picture = document["findings"][0]["pictures"][0].as_str().unwrap();
    assert!(
        fs::read_to_string(workspace.path(picture))
            .unwrap()
            .contains("<svg"),
        "{picture}"
    );
}

#[test]
fn failing_visualizers_are_reported_and_leave_no_old_picture() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    // Files next to its sources that a visualizer reads are part of it.
    workspace.write("problems/sum/output_visualizer/style.txt", "red\n");
    let submit = [
        "submit",
        "-p",
        "sum",
        "mine.c",
        "--report",
        "html=page.html",
    ];
    workspace
        .judge(submit)
        .exits(1)
        .stdout_lacks(&["pictures are missing: output visualizer: `draw.c` drew nothing"]);
    workspace
        .judge([
            "visualize",
            "sum",
            "secret/01",
            "-s",
            "mine.c",
            "-o",
            "drawn",
        ])
        .exits(0);
    workspace.write(
        "problems/sum/output_visualizer/draw.c",
        "int main(void) { return 3; }\n",
    );
    let output = workspace.judge(submit).exits(1);
    output.stdout_has(&[
        "sum: pictures are missing: output visualizer: `draw.c` drew nothing, and exited with code 3",
    ]);
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(!page.contains("data:image/svg+xml"), "an old picture");
    let output = workspace
        .judge([
            "visualize",
            "sum",
            "secret/01",
            "-s",
            "mine.c",
            "-o",
            "drawn",
        ])
        .exits(3);
    output.stderr_has(&[
        "drew nothing",
        "`drawn/secret-01.judgeimage.svg` is from an earlier run",
    ]);
}

#[test]
fn invalid_names_of_pictures_are_reported_with_valid_ones() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    let renamed = DRAW
        .replace("judgeimage.svg", "plot.svg")
        .replace("teamimage.png", "notes.txt")
        .replace("return 7", "return 0");
    workspace.write("problems/sum/output_visualizer/draw.c", renamed);
    let output = workspace.judge(["visualize", "sum", "secret/01"]).exits(3);
    output.stderr_has(&[
        "`draw.c` drew nothing (it left \"plot.svg\", but pictures of outputs are named `judgeimage.EXT`",
    ]);
    workspace.remove("problems/sum/output_visualizer/draw.c");
    let draw = "#include <stdio.h>\nint main(void) { fputs(\"x\", fopen(\"plot.gif\", \"w\")); return 0; }\n";
    workspace.write("problems/sum/input_visualizer/draw.c", draw);
    let output = workspace.judge(["visualize", "sum", "secret/01"]).exits(3);
    output.stderr_has(&["drew nothing (it left \"plot.gif\", but pictures end with `.png`"]);
}

#[test]
fn files_next_to_the_sources_belong_to_a_visualizer() {
    let Some(workspace) = with_visualizer() else {
        return;
    };
    workspace.write("solutions/sum/wrong_answer/plus_one.c", SUM_PLUS_ONE);
    // A file that is not a picture is reported, and drawn again.
    let whole = DRAW
        .replace("teamimage.png", "teamimage.svg")
        .replace("no png", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        .replace("return 7;", "return 0;");
    workspace.write("problems/sum/output_visualizer/draw.c", whole);
    let run =
        || CommandOutput::from_command(&mut workspace.command_keeping(["run", "sum"])).exits(0);
    run().stdout_lacks(&["pictures are missing", "cached from an earlier run"]);
    run().stdout_has(&["cached from an earlier run"]);
    workspace.write("problems/sum/output_visualizer/style.txt", "blue\n");
    run().stdout_lacks(&["cached from an earlier run"]);
    // Missing pictures are not cached.
    workspace.write(
        "problems/sum/output_visualizer/draw.c",
        "int main(void) { return 3; }\n",
    );
    run().stdout_has(&["pictures are missing"]);
    let again = run();
    again.stdout_has(&["pictures are missing"]);
    assert!(again.stdout.contains("plus_one.c  WA"), "{}", again.stdout);
}
