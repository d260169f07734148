//! `--report`: reports in addition to the one on the terminal, or in its place.
//!
//! Responsible for the name, help and syntax of the option. Must not decide where files may be
//! written: `reporters` and `commands::document` do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use judge_model::{ReportKind, UnknownName};

/// Reports of a run.
#[derive(Debug, Default, Args)]
pub(crate) struct ReportingArgs {
    /// Write a report: `KIND=FILE` to a file, `KIND` to standard output; can be repeated. Kinds:
    /// `json` (the event stream), `junit`, `markdown`, `github`, `gitlab`, `sarif`, `html`, `short`
    /// (a line per finding, for editors), and `ci`: those that the current CI reads (GitHub,
    /// GitLab, others), where it expects them
    #[arg(long = "report", id = "reports", value_name = "KIND[=FILE]", value_parser = parse_run_report)]
    reports: Vec<RunReport>,
}

/// A requested report of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RunReport {
    Target(ReportTarget),
    /// The reports that the CI reads.
    Ci,
}

impl ReportingArgs {
    /// The reports that are requested by kind.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &ReportTarget> {
        self.reports.iter().filter_map(|report| match report {
            RunReport::Target(target) => Some(target),
            RunReport::Ci => None,
        })
    }

    /// True for `--report ci`.
    pub(crate) fn has_ci(&self) -> bool {
        self.reports.contains(&RunReport::Ci)
    }

    /// True if a report of this kind goes to standard output.
    pub(crate) fn prints(&self, kind: ReportKind) -> bool {
        self.targets()
            .any(|target| target.kind == kind && target.is_stdout())
    }
}

/// Reports of a command that writes its own document, as JSON.
#[derive(Debug, Default, Args)]
pub(crate) struct JsonReportArgs {
    /// Write the report as JSON to a file (`json=FILE`), or to standard output (`json`)
    #[arg(long = "report", id = "reports", value_name = "json[=FILE]", value_parser = parse_report_of(&[ReportKind::Json]))]
    pub(crate) targets: Vec<ReportTarget>,
}

/// A requested report.
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

fn parse_run_report(text: &str) -> Result<RunReport, String> {
    match text {
        "ci" => Ok(RunReport::Ci),
        text => parse_report(text, ", or `ci`").map(RunReport::Target),
    }
}

/// `others` completes the list of kinds in the message about an unknown one.
fn parse_report(text: &str, others: &str) -> Result<ReportTarget, String> {
    let (kind, file) = text.split_once('=').unwrap_or((text, "-"));
    if file.is_empty() {
        return Err("expected a file after `=`, such as `junit=judge.xml`".to_owned());
    }
    let kind = kind
        .parse()
        .map_err(|error: UnknownName| format!("{error}{others}"))?;
    Ok(ReportTarget {
        kind,
        file: PathBuf::from(file),
    })
}

/// A parser of reports of these kinds.
pub(super) fn parse_report_of(
    kinds: &'static [ReportKind],
) -> impl Fn(&str) -> Result<ReportTarget, String> + Clone + Send + Sync + 'static {
    move |text| {
        let target = parse_report(text, "")?;
        if kinds.contains(&target.kind) {
            return Ok(target);
        }
        let names: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
        Err(format!(
            "unsupported report `{}`; expected {}",
            target.kind,
            names.join(" or ")
        ))
    }
}

/// Replaces `--json[=FILE]`, which scripts pass to many tools, by `--report=json[=FILE]`. Words
/// after `--` are left unchanged.
pub(crate) fn expand_json(words: &mut [OsString]) {
    for word in words.iter_mut().take_while(|word| *word != "--") {
        let file = word.to_str().and_then(|text| text.strip_prefix("--json"));
        if let Some(file) = file.filter(|file| file.is_empty() || file.starts_with('=')) {
            *word = format!("--report=json{file}").into();
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn json_is_short_for_a_report() {
        let mut words = [
            "judge",
            "run",
            "--json",
            "--json=a=b",
            "--jsonl",
            "--",
            "--json",
        ]
        .map(OsString::from);
        expand_json(&mut words);
        assert_eq!(
            words,
            [
                "judge",
                "run",
                "--report=json",
                "--report=json=a=b",
                "--jsonl",
                "--",
                "--json"
            ]
        );
    }

    #[test]
    fn a_report_is_a_kind_and_a_file() {
        let line =
            "judge run --report junit=a=b.xml --report github --report short=- --report ci fiveup";
        let Command::Run(run) = Cli::try_parse_from(line.split(' ')).unwrap().command else {
            panic!("{line}")
        };
        let target = |kind, file| ReportTarget {
            kind,
            file: PathBuf::from(file),
        };
        let expected = [
            target(ReportKind::Junit, "a=b.xml"),
            target(ReportKind::Github, "-"),
            target(ReportKind::Short, "-"),
        ];
        let reports = &run.judging.reports;
        assert_eq!(reports.targets().cloned().collect::<Vec<_>>(), expected);
        assert!(
            reports.has_ci()
                && reports.prints(ReportKind::Short)
                && !reports.prints(ReportKind::Junit)
        );
        for wrong in ["junit=", "=x", "xml=x", "ci=x"] {
            assert!(
                Cli::try_parse_from(["judge", "report", "run.jsonl", "--report", wrong]).is_err(),
                "{wrong}"
            );
        }
        let error = Cli::try_parse_from(["judge", "compare", "a", "b", "--report", "junit=x"])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("unsupported report `junit`; expected `json` or `markdown` or `html`"),
            "{error}"
        );
    }
}
