//! Options that select the problems of a command.
//!
//! Responsible for their names and help. The meaning of words is decided in `judge_package::select`
//! and in `crate::since`.

use clap::Args;

use super::values::parse_tolerance;

const WHAT_HELP: &str = "Problems, submissions or test cases: the name of a problem (`fiveup`), a path, a glob \
    (`five*`), or one of these with a part of the problem (`fiveup/wrong_answer/*`, `fiveup/secret/03-*`); inside a \
    package, the problem can be left out (`wrong_answer/*`) [default: everything in the current directory]";

/// The problems that a command works on, or parts of them.
#[derive(Debug, Default, Args)]
pub(crate) struct SelectionArgs {
    #[arg(value_name = "WHAT", help = WHAT_HELP)]
    pub(crate) what: Vec<String>,
}

/// The same, with an option that leaves out unchanged problems.
#[derive(Debug, Default, Args)]
pub(crate) struct ChangesArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Select only problems whose files, solutions or judge.yaml changed since this Git revision
    /// (`HEAD~1`), between two (`A..B`), or since the branch left another (`main...`)
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
}

impl ChangesArgs {
    /// True without any word or revision: the command works on the whole workspace, or on the
    /// package around the current directory.
    pub(crate) fn is_everything(&self) -> bool {
        self.selection.what.is_empty() && self.since.is_none()
    }
}

/// The one problem of the submissions that a command works on.
#[derive(Debug, Default, Args)]
pub(crate) struct ProblemArgs {
    /// The problem's name or path [default: the problem that the submissions belong to]
    #[arg(short = 'p', long = "problem", id = "problem", value_name = "PROBLEM")]
    pub(crate) name: Option<String>,
}

/// The output check of programs without a package.
#[derive(Debug, Default, Args)]
pub(crate) struct OutputCheckArgs {
    /// A program that judges outputs: a testlib checker or an output validator (without a package)
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub(crate) checker: Option<String>,

    /// Accept numbers with this absolute or relative error, such as `1e-6` (without a package)
    #[arg(long, value_name = "ERROR", conflicts_with_all = ["problem", "checker"], value_parser = parse_tolerance)]
    pub(crate) float_tolerance: Option<String>,
}
