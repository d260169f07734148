//! Typical mistakes of newcomers: the message names the likely cause and the next step.

use crate::workspace::{Workspace, has};

#[test]
fn calls_of_generators_without_arguments_are_named() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    let program = "import sys\nprint(sys.argv[1], 1)\n";
    workspace.write("problems/sum/generators/gen.py", program);
    let rules = "data:\n  secret:\n    data:\n      '03': gen.py\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    workspace.judge(["generate"]).exits(3).stderr_has(&[
        "generators.yaml:4: `secret/03`: `gen.py` exited with code 1",
        "hint: the call has no arguments; write those that the generator expects",
    ]);
}
