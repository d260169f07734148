//! Places in messages of compilers and programs: the paths of their author, at every level, cached
//! or not.

use judge_event::Event;

use crate::workspace::{Workspace, has, levels};

const GENERATOR: &str = "import sys\ndef shape(n):\n    raise ValueError(n)\nshape(sys.argv[1])\n";

/// A problem in which no program is correct.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    workspace.problem("sum", "limits:\n  time_limit: 4\n");
    workspace.case("sum", "secret/1", "1 2\n", "3\n");
    workspace.write(
        "problems/sum/input_validators/v.c",
        "int main(void) {\n    return 42\n}\n",
    );
    workspace.write("problems/sum/generators/g.py", GENERATOR);
    workspace.write(
        "problems/sum/generators/generators.yaml",
        "data: {secret: {data: {'2': g.py 7}}}\n",
    );
    workspace.write(
        "solutions/sum/accepted/broken.c",
        "int main(void) { return nothing; }\n",
    );
    workspace.write(
        "solutions/sum/run_time_error/falls.py",
        "def fall():\n    return [][1]\nfall()\n",
    );
    Some(workspace)
}

#[test]
fn compilers_and_tracebacks_name_the_original_files() {
    let Some(workspace) = workspace() else { return };
    let check = workspace.judge(["check"]).exits(3);
    check.stdout_has(&["JP801", "problems/sum/input_validators/v.c:2:14: error"]);
    let generate = workspace.judge(["generate"]).exits(3);
    generate.stderr_has(&[
        "`g.py 7` exited with code 1:",
        "File \"problems/sum/generators/g.py\", line 4",
        "ValueError: 7",
    ]);
    let mut levels = levels().iter().map(ToString::to_string).collect::<Vec<_>>();
    levels.push("none".to_owned());
    for level in levels {
        for _ in ["judged", "cached"] {
            let output = workspace.events(["run", "--isolation", &level]).exits(1);
            let compiled = output.events.iter().find_map(|event| match event {
                Event::CompileFinished(compiled) if !compiled.success => {
                    Some(compiled.message.head.to_text())
                }
                _ => None,
            });
            let message = compiled.unwrap();
            assert!(
                message.starts_with("solutions/sum/accepted/broken.c: In function"),
                "{level}: {message}"
            );
            assert!(
                message.contains("\nsolutions/sum/accepted/broken.c:1:25: error"),
                "{level}: {message}"
            );
            let stderr = &output.last_case("run_time_error/falls.py").stderr;
            let message = stderr.head.to_text();
            assert!(
                message.contains("File \"solutions/sum/run_time_error/falls.py\", line 3"),
                "{level}: {message}"
            );
        }
    }
}

#[test]
fn cached_programs_are_reported_at_the_current_path() {
    let Some(workspace) = workspace() else { return };
    let place = |directory: &str| format!("solutions/sum/{directory}/warns.c");
    workspace.write(
        &place("accepted"),
        "#warning of something\nint main(void) { return 0; }\n",
    );
    let reported = |directory: &str| {
        let output = workspace.events(["run"]);
        let compiled = output.events.into_iter().find_map(|event| match event {
            Event::CompileFinished(compiled) if compiled.submission.ends_with("warns.c") => {
                Some(compiled)
            }
            _ => None,
        });
        let compiled = compiled.unwrap();
        let message = compiled.message.head.to_text().into_owned();
        assert!(
            message.starts_with(&format!("{}:1:2: warning", place(directory))),
            "{message}"
        );
        compiled.cached
    };
    reported("accepted");
    workspace.remove(&place("accepted"));
    workspace.write(
        &place("wrong_answer"),
        "#warning of something\nint main(void) { return 0; }\n",
    );
    assert!(reported("wrong_answer"));
}
