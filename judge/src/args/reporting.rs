//! Options of all commands that tell of a run: reports beside the one on the terminal.
//!
//! Responsible for their names, help and syntax. Must not know who may write where: that is in `reporters`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use judge_model::{ReportKind, UnknownReportKind};

/// Reports beside the one on the terminal.
#[derive(Debug, Default, Args)]
pub(crate) struct ReportingArgs {
    /// Also write a report to a file, or to standard output with `-`, such as `junit=judge.xml`; can be repeated. Kinds:
    /// `junit`, `markdown`, `github`, `gitlab`, `sarif`, `html`, `short`
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = parse_report)]
    pub(crate) reports: Vec<ReportTarget>,

    /// Also write the reports that the CI reads (GitHub, GitLab, others), where it expects them
    #[arg(long)]
    pub(crate) ci: bool,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) message_format: MessageFormat,
}

/// The form of what is printed on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// The report for people.
    #[default]
    Human,
    /// `path:line:column: severity: text [CODE]` on one line per finding, for editors.
    Short,
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

pub(super) fn parse_report(text: &str) -> Result<ReportTarget, String> {
    let Some((kind, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
        return Err("expected a kind and a file, such as `junit=judge.xml`".to_owned());
    };
    let kind = kind.parse().map_err(|error: UnknownReportKind| error.to_string())?;
    Ok(ReportTarget { kind, file: PathBuf::from(file) })
}

/// The file of a page: what commands have that judge nothing, beside the report on standard output.
pub(super) fn parse_page(text: &str) -> Result<PathBuf, String> {
    let target = parse_report(text)?;
    match target.kind {
        ReportKind::Html if target.file == Path::new("-") => Err("expected a file for `html`, found `-`".to_owned()),
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
        let line = "judge run --report junit=a=b.xml --report github=- fiveup";
        let Command::Run(run) = Cli::try_parse_from(line.split(' ')).unwrap().command else { panic!("{line}") };
        let target = |kind, file| ReportTarget { kind, file: PathBuf::from(file) };
        let expected = [target(ReportKind::Junit, "a=b.xml"), target(ReportKind::Github, "-")];
        assert_eq!(run.judging.reports.reporting.reports, expected);
        for wrong in ["junit", "junit=", "=x", "xml=x"] {
            assert!(Cli::try_parse_from(["judge", "report", "run.jsonl", "--report", wrong]).is_err(), "{wrong}");
        }
    }
}
