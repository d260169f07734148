//! `judge check` of interactors in problems that are not declared as interactive.

use crate::workspace::{Workspace, has};

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn interactors_are_detected_without_their_type() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let put = |problem: &str, program: &str| {
        workspace.problem(problem, "");
        workspace.case(problem, "secret/1", "37\n", "37\n");
        workspace.write(
            &format!("problems/{problem}/input_validators/validate.ctd"),
            "INT(0, 99) NEWLINE EOF\n",
        );
        workspace.write(
            &format!("problems/{problem}/output_validator/validate.py"),
            program,
        );
    };
    let begin = "import sys\nsecret = open(sys.argv[1]).read().strip()\n";
    let guess = "for line in sys.stdin.buffer:\n    if not line.strip().isdigit():\n        sys.exit(43)\n\
        \x20   if int(line) == int(secret):\n        sys.exit(42)\n    print('<' if int(line) < int(secret) else '>', flush=True)\n\
        sys.exit(43)\n";
    put("guess", &format!("{begin}{guess}"));
    // Correct validators that print by mistake: their decision, the input, and the words that they
    // read.
    let compare = "text = sys.stdin.buffer.read()\nwords = text.split()\nright = words == [secret.encode()] and text[:1] == b'3'\n";
    put(
        "verdict",
        &format!(
            "{begin}{compare}print('OK' if right else 'wrong')\nsys.exit(42 if right else 43)\n"
        ),
    );
    put(
        "greeting",
        &format!(
            "{begin}print('n =', secret, flush=True)\n{compare}sys.exit(42 if right else 43)\n"
        ),
    );
    let log = "for word in words:\n    print('read', word)\n";
    put(
        "log",
        &format!("{begin}{compare}{log}sys.exit(42 if right else 43)\n"),
    );
    let found = workspace.judge(["check", "guess"]);
    found.stdout_has(&["JP916"]);
    for sound in ["verdict", "greeting", "log"] {
        workspace.judge(["check", sound]).stdout_lacks(&["JP916"]);
    }
}
