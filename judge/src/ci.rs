//! The CI system that a command runs in: the reports that it reads, and their places.
//!
//! Responsible for reading the variables that CI systems document. Must not write anything.

use std::path::PathBuf;

use judge_model::ReportKind;

/// A CI system that reads reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ci {
    /// GitHub Actions, with the file for the summary of the step, if there is one.
    GitHub { summary: Option<PathBuf> },
    /// GitLab CI.
    GitLab,
    /// Any other CI: nearly all of them read JUnit XML.
    Other,
}

/// The file for JUnit XML that `--report ci` writes.
pub(crate) const JUNIT_FILE: &str = "judge-junit.xml";
/// The file for GitLab's code quality report that `--report ci` writes: the name in GitLab's own
/// examples.
pub(crate) const CODE_QUALITY_FILE: &str = "gl-code-quality-report.json";

/// Detects the CI by environment variables. `variable` returns the value of a variable that is set
/// and not empty.
pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Option<Ci> {
    let is_true = |name: &str| variable(name).is_some_and(|value| value != "false" && value != "0");
    if is_true("GITHUB_ACTIONS") {
        Some(Ci::GitHub {
            summary: variable("GITHUB_STEP_SUMMARY").map(PathBuf::from),
        })
    } else if is_true("GITLAB_CI") {
        Some(Ci::GitLab)
    } else {
        ["CI", "JENKINS_URL", "TF_BUILD", "TEAMCITY_VERSION"]
            .into_iter()
            .any(is_true)
            .then_some(Ci::Other)
    }
}

/// The place where a CI looks for a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Standard output.
    Stdout,
    /// A file of this name in the directory of the command.
    File(&'static str),
    /// This file, after its previous content.
    Appended(PathBuf),
}

impl Ci {
    /// The reports that it reads.
    pub(crate) fn reports(self) -> Vec<(ReportKind, Place)> {
        match self {
            Self::GitHub { summary } => {
                let summary = summary.map(|file| (ReportKind::Markdown, Place::Appended(file)));
                [(ReportKind::Github, Place::Stdout)]
                    .into_iter()
                    .chain(summary)
                    .collect()
            }
            Self::GitLab => {
                vec![
                    (ReportKind::Junit, Place::File(JUNIT_FILE)),
                    (ReportKind::Gitlab, Place::File(CODE_QUALITY_FILE)),
                ]
            }
            Self::Other => vec![(ReportKind::Junit, Place::File(JUNIT_FILE))],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(variables: &[(&str, &str)]) -> Option<Ci> {
        let value = |name: &str| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        };
        detect(value)
    }

    #[test]
    fn specific_ci_variables_take_precedence() {
        let summary = Some(PathBuf::from("/s"));
        let github = [
            ("CI", "true"),
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_STEP_SUMMARY", "/s"),
        ];
        assert_eq!(detected(&github), Some(Ci::GitHub { summary }));
        assert_eq!(
            detected(&[("CI", "true"), ("GITLAB_CI", "true")]),
            Some(Ci::GitLab)
        );
        assert_eq!(detected(&[("JENKINS_URL", "http://x")]), Some(Ci::Other));
        assert_eq!(detected(&[("CI", "false")]), None);
        assert_eq!(detected(&[]), None);
    }

    #[test]
    fn github_without_a_summary_still_gets_annotations() {
        assert_eq!(
            Ci::GitHub { summary: None }.reports(),
            [(ReportKind::Github, Place::Stdout)]
        );
    }
}
