//! Options of all commands that tell of a run: reports beside the one on the terminal.
//!
//! Responsible for their names, help and syntax. Must not know who may write where: that is in `reporters`.

use std::path::{Path, PathBuf};

use clap::Args;
use judge_model::{ReportKind, UnknownReportKind};

/// Reports beside the one on the terminal.
#[derive(Debug, Default, Args)]
pub(crate) struct ReportingArgs {
    /// Also write a report to a file, such as `junit=judge.xml`, or without `=FILE` to standard output; can be repeated.
    /// Kinds: `junit`, `markdown`, `github`, `gitlab`, `sarif`, `html`, and `short`, with one line per finding, for editors
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report)]
    pub(crate) reports: Vec<ReportTarget>,

    /// Also write the reports that the CI reads (GitHub, GitLab, others), where it expects them
    #[arg(long)]
    pub(crate) ci: bool,
}

impl ReportingArgs {
    /// True if a report of this kind goes to standard output.
    pub(crate) fn prints(&self, kind: ReportKind) -> bool {
        self.reports.iter().any(|target| target.kind == kind && target.is_stdout())
    }
}

/// Everything that a command can tell of a run that it carries out.
#[derive(Debug, Default, Args)]
pub(crate) struct RunReportArgs {
    /// Write the event stream (JSON Lines) to this file, or to standard output instead of the report
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", require_equals = true)]
    pub(crate) json: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reporting: ReportingArgs,
}

/// A report that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportTarget {
    pub(crate) kind: ReportKind,
    /// `-` for standard output.
    pub(crate) file: PathBuf,
}

impl ReportTarget {
    /// True if the report goes to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.file == Path::new("-")
    }
}

pub(super) fn parse_report(text: &str) -> Result<ReportTarget, String> {
    let (kind, file) = text.split_once('=').unwrap_or((text, "-"));
    if file.is_empty() {
        return Err("expected a file after `=`, such as `junit=judge.xml`".to_owned());
    }
    let kind = kind.parse().map_err(|error: UnknownReportKind| error.to_string())?;
    Ok(ReportTarget { kind, file: PathBuf::from(file) })
}

/// The file of a page: what commands have that judge nothing, beside the report on standard output.
pub(super) fn parse_page(text: &str) -> Result<PathBuf, String> {
    let target = parse_report(text)?;
    match target.kind {
        ReportKind::Html if target.is_stdout() => Err("expected a file, such as `html=report.html`".to_owned()),
        ReportKind::Html => Ok(target.file),
        other => Err(format!("unsupported report `{other}`; expected `html`")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn a_report_is_a_kind_and_a_file() {
        let line = "judge run --report junit=a=b.xml --report github --report short=- fiveup";
        let Command::Run(run) = Cli::try_parse_from(line.split(' ')).unwrap().command else { panic!("{line}") };
        let target = |kind, file| ReportTarget { kind, file: PathBuf::from(file) };
        let expected =
            [target(ReportKind::Junit, "a=b.xml"), target(ReportKind::Github, "-"), target(ReportKind::Short, "-")];
        assert_eq!(run.judging.reports.reporting.reports, expected);
        for wrong in ["junit=", "=x", "xml=x"] {
            assert!(Cli::try_parse_from(["judge", "report", "run.jsonl", "--report", wrong]).is_err(), "{wrong}");
        }
    }
}
