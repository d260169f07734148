//! The severities of findings in a workspace, by its profile and its silencings.
//!
//! Responsible for the severity of a finding, for silencing it, and for unused silencings. Must not
//! know how anything is found.

use std::path::Path;

use judge_event::Finding as FindingEvent;
use judge_model::Severity;
use judge_package::{Code, Finding, Profile, Workspace, code};

use crate::severity::severity;

/// The profile and the silencings of a workspace, which determine the severities of findings.
pub(crate) struct Severities<'a> {
    workspace: &'a Workspace,
    profile: Profile,
    /// True when every finding is an error.
    strict: bool,
    /// For each silencing of the workspace, true if it silenced a finding.
    used: Vec<bool>,
}

impl<'a> Severities<'a> {
    /// Creates the severities of a workspace; `profile` replaces the profile that it states.
    pub(crate) fn new(workspace: &'a Workspace, profile: Option<Profile>, strict: bool) -> Self {
        let settings = &workspace.check;
        let profile = profile.or(settings.profile).unwrap_or_default();
        Self {
            workspace,
            profile,
            strict,
            used: vec![false; settings.silencings.len()],
        }
    }

    /// The name of the profile, as it appears in reports.
    pub(crate) fn profile_name(&self) -> String {
        if self.strict && self.profile != Profile::Strict {
            format!("{}, strict", self.profile)
        } else {
            self.profile.to_string()
        }
    }

    /// Returns the event of a finding about a package (its problem and directory) or about the
    /// workspace; `None` if the profile turns it off.
    pub(crate) fn event_for(
        &mut self,
        package: Option<(&str, &Path)>,
        finding: &Finding,
    ) -> Option<FindingEvent> {
        // A finding that prevents a package from being judged is always an error, regardless of its
        // code, and cannot be silenced.
        let fatal = finding.keeps_from_loading;
        let severity = if fatal {
            Severity::Error
        } else {
            severity(self.profile, finding.code)?
        };
        let silencings = &self.workspace.check.silencings;
        let silenced = package.filter(|_| !fatal).and_then(|(problem, directory)| {
            let file = finding
                .file
                .strip_prefix(directory)
                .unwrap_or(&finding.file);
            silencings
                .iter()
                .position(|silencing| silencing.covers(finding.code, problem, file))
        });
        if let Some(index) = silenced {
            self.used[index] = true;
        }
        Some(FindingEvent {
            problem: package.map(|(problem, _)| problem.to_owned()),
            code: finding.code.id().to_owned(),
            severity: if self.strict {
                Severity::Error
            } else {
                severity
            },
            file: self.workspace.shown(&finding.file),
            line: finding.line,
            column: finding.column,
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            silenced: silenced.map(|index| silencings[index].reason.clone()),
        })
    }

    /// Returns the findings about unused silencings. With `files_only`, silencings for findings of
    /// validators are skipped, since a full check may use them.
    pub(crate) fn unused_silencings(&self, files_only: bool) -> Vec<Finding> {
        let Some(file) = &self.workspace.file else {
            return Vec::new();
        };
        let silencings = self.workspace.check.silencings.iter().zip(&self.used);
        let is_known =
            |code: Code| !code.needs_generating() && (!files_only || !code.needs_running());
        let unused = silencings.filter(|(silencing, used)| !**used && is_known(silencing.code));
        let findings = unused.map(|(silencing, _)| {
            let scope = silencing
                .problem
                .as_ref()
                .map(|problem| format!(" of `{problem}`"))
                .unwrap_or_default();
            let message = format!(
                "this entry for {} silences no finding{scope}",
                silencing.code
            );
            Finding::new(code::SILENCING_UNUSED, file, message).at(silencing.line)
        });
        findings.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tree;

    const SILENCINGS: &str = "check:
  profile: kattis
  ignore:
    - {code: JP302, problem: p, file: data/secret/*, reason: shared}
    - {code: JP805, reason: meant}
";

    fn workspace(tree: &Tree) -> Workspace {
        tree.write("judge.yaml", SILENCINGS);
        std::fs::create_dir_all(tree.path("problems")).unwrap();
        Workspace::find(tree.root()).unwrap()
    }

    #[test]
    fn command_line_profile_takes_precedence() {
        let tree = Tree::new();
        let workspace = workspace(&tree);
        let name = |profile, strict| Severities::new(&workspace, profile, strict).profile_name();
        assert_eq!(name(None, false), "kattis");
        assert_eq!(name(Some(Profile::Icpc), false), "icpc");
        assert_eq!(name(None, true), "kattis, strict");
        assert_eq!(name(Some(Profile::Strict), true), "strict");
    }

    #[test]
    fn severities_follow_the_profile_and_strictness() {
        let tree = Tree::new();
        let workspace = workspace(&tree);
        let finding = |code| Finding::new(code, &tree.path("problems/p/problem.yaml"), "m");
        let severity = |profile, strict, finding: &Finding| {
            Severities::new(&workspace, profile, strict)
                .event_for(None, finding)
                .map(|finding| finding.severity)
        };
        assert_eq!(
            severity(Some(Profile::Default), false, &finding(code::UUID_MISSING)),
            None
        );
        assert_eq!(
            severity(None, false, &finding(code::UUID_MISSING)),
            Some(Severity::Warning)
        );
        assert_eq!(
            severity(None, true, &finding(code::UUID_MISSING)),
            Some(Severity::Error)
        );
        // A finding that the profile turns off is not an error in strict checks either; one that
        // prevents a package from loading always is.
        assert_eq!(
            severity(Some(Profile::Default), true, &finding(code::UUID_MISSING)),
            None
        );
        let fatal = Finding {
            keeps_from_loading: true,
            ..finding(code::UUID_MISSING)
        };
        assert_eq!(
            severity(Some(Profile::Default), false, &fatal),
            Some(Severity::Error)
        );
    }

    #[test]
    fn silencings_cover_files_but_not_loading_errors() {
        let tree = Tree::new();
        let workspace = workspace(&tree);
        let mut severities = Severities::new(&workspace, None, false);
        let package = tree.path("problems/p");
        let mut silenced = |problem: &str, file: &str, fatal: bool| {
            let finding = Finding::new(code::INPUT_TWICE, &package.join(file), "m");
            let finding = Finding {
                keeps_from_loading: fatal,
                ..finding
            };
            let event = severities
                .event_for(Some((problem, &package)), &finding)
                .unwrap();
            assert_eq!(event.file, format!("problems/p/{file}"));
            event.silenced
        };
        assert_eq!(silenced("q", "data/secret/1.in", false), None);
        assert_eq!(silenced("p", "data/sample/1.in", false), None);
        assert_eq!(silenced("p", "data/secret/1.in", true), None);
        assert_eq!(
            silenced("p", "data/secret/1.in", false).as_deref(),
            Some("shared")
        );
    }

    #[test]
    fn unused_silencings_are_reported_unless_they_need_validators() {
        let tree = Tree::new();
        let workspace = workspace(&tree);
        let mut severities = Severities::new(&workspace, None, false);
        let found = |severities: &Severities<'_>, files_only| -> Vec<(Option<u32>, String)> {
            let unused = severities.unused_silencings(files_only).into_iter();
            unused
                .map(|finding| (finding.line, finding.message))
                .collect()
        };
        let input_entry = (
            Some(4),
            "this entry for JP302 silences no finding of `p`".to_owned(),
        );
        let junk_entry = (
            Some(5),
            "this entry for JP805 silences no finding".to_owned(),
        );
        assert_eq!(
            found(&severities, false),
            [input_entry.clone(), junk_entry.clone()]
        );
        assert_eq!(found(&severities, true), [input_entry]);
        let package = tree.path("problems/p");
        let twice = Finding::new(code::INPUT_TWICE, &package.join("data/secret/1.in"), "m");
        assert!(
            severities
                .event_for(Some(("p", &package)), &twice)
                .is_some()
        );
        assert_eq!(found(&severities, false), [junk_entry]);
    }
}
