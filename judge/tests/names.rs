//! Names that would be commands to a CI or to a terminal: they have no effect in any report.

use std::fs;

use crate::workspace::Workspace;

const NAMES: [&str; 4] = [
    "::error::owned",
    "a\n  ::error::owned",
    "##[error]owned",
    "x\u{202e}y\u{1b}[31m",
];

#[test]
fn names_are_not_interpreted_as_log_commands() {
    for name in NAMES {
        let workspace = Workspace::new();
        workspace.problem(name, "unknown_key: 1\n");
        workspace.case(name, "secret/1", "1\n", "1\n");
        workspace.write(&format!("problems/{name}/data/secret/{name}.in"), "1\n");
        workspace.write(
            &format!("problems/{name}/submissions/accepted/{name}.c"),
            "int main(void) {}\n",
        );
        workspace.write(
            &format!("problems/{name}/submissions/accepted/{name}/main.c"),
            "int main(void) {}\n",
        );
        fs::create_dir_all(workspace.path(&format!("problems/broken{name}"))).unwrap();
        workspace.write(&format!("problems/broken{name}/problem.yaml"), "[");
        let commands: [&[&str]; 9] = [
            &["list"],
            &["list", "--report=json"],
            &["check", "--static"],
            &["check", "--static", "--report", "junit=-"],
            &["check", "--static", "--report", "sarif=-"],
            &["check", "--static", "--report", "gitlab=-"],
            &["check", "--static", "--report", "markdown=-"],
            &["submit", name],
            &["run", name],
        ];
        for command in commands {
            let output = workspace.judge(command);
            for line in output.stdout.lines().chain(output.stderr.lines()) {
                let is_command = line.trim_start().starts_with("::") || line.contains("##[");
                // The parser of the command line repeats a mistyped option.
                assert!(!is_command, "{command:?}: {line:?}");
                assert!(
                    !line.contains(['\u{202e}', '\u{1b}']),
                    "{command:?}: {line:?}"
                );
            }
        }
    }
}
