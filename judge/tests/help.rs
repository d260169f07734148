//! Snapshots of the main help and of the help of each subcommand, so that changes are reviewed.
//!
//! `INSTA_UPDATE=always` updates the texts in `snapshots`.

use crate::manual::commands;
use crate::workspace::{CommandOutput, Workspace};

#[test]
fn command_help_matches_the_snapshots() {
    let workspace = Workspace::new();
    let subcommands: Vec<String> = commands(&workspace)
        .into_iter()
        .filter(|subcommand| subcommand != "help")
        .collect();
    let whole = [vec!["--help".to_owned()]].into_iter();
    for words in whole.chain(
        subcommands
            .into_iter()
            .map(|subcommand| vec![subcommand, "--help".to_owned()]),
    ) {
        let help = CommandOutput::from_command(workspace.command(&words).env("COLUMNS", "100"))
            .exits(0)
            .stdout;
        let name = words[0].trim_start_matches('-');
        insta::assert_snapshot!(format!("help_{name}"), help);
    }
}

#[test]
fn help_accepts_the_help_option() {
    let workspace = Workspace::new();
    let help = workspace.judge(["help"]).exits(0).stdout;
    for words in [["help", "--help"], ["help", "-h"]] {
        assert_eq!(workspace.judge(words).exits(0).stdout, help, "{words:?}");
    }
    let of_run = workspace.judge(["help", "run", "--help"]).exits(0);
    of_run.stdout_has(&["Usage: judge run"]);
}
