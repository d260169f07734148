//! Tests of whole checks, by the events that they emit.

use judge_model::Severity;

use super::*;
use crate::packages::check_files;
use crate::testing::Tree;

/// A workspace with two packages: `a`, which contains an input twice, and `b`, which does not
/// load.
fn workspace(tree: &Tree) -> Workspace {
    tree.write(
        "judge.yaml",
        "check: {ignore: [{code: JP302, reason: shared}, {code: JP308, reason: old}]}\n",
    );
    let yaml =
        "problem_format_version: 2025-09\nname: A\nuuid: 170d52ec-fa47-404f-8964-84061658bdca\n";
    tree.write("problems/a/problem.yaml", yaml);
    tree.cases("problems/a", &["sample/1", "secret/01"]);
    tree.write("problems/b/problem.yaml", "name: [\n");
    Workspace::find(tree.root()).unwrap()
}

fn check(workspace: &Workspace) -> Check<'_> {
    Check {
        workspace,
        profile: None,
        strict: false,
        extent: Extent::Files,
        whole_workspace: false,
        validators: None,
        jobs: 1,
        judge_version: "1.2.3".to_owned(),
        started_at: None,
        host: None,
        begun: Instant::now(),
    }
}

/// The events of a check of all packages, and how the check ended.
fn events(check: &Check<'_>) -> (Vec<Event>, End) {
    let packages = check_files(&check.workspace.packages().unwrap(), check.workspace, 2);
    let mut events = Vec::new();
    let end = check.run(&packages, &mut |notice| {
        if let Notice::Event(event) = notice {
            events.push(event.clone());
        }
        Ok(())
    });
    (events, end.unwrap())
}

/// Findings as code, severity and silencing, each followed by its package.
fn outline(events: &[Event]) -> Vec<String> {
    let outline = events.iter().filter_map(|event| match event {
        Event::Finding(finding) => {
            let silenced = finding
                .silenced
                .as_deref()
                .map(|reason| format!(" ({reason})"))
                .unwrap_or_default();
            Some(format!(
                "{} {}{silenced}",
                finding.severity.name(),
                finding.code
            ))
        }
        Event::PackageChecked(checked) => Some(format!("{} {}", checked.path, checked.loads)),
        _ => None,
    });
    outline.collect()
}

#[test]
fn findings_come_before_their_package_and_the_end_comes_last() {
    let tree = Tree::new();
    let workspace = workspace(&tree);
    let (events, end) = events(&check(&workspace));
    assert_eq!(end, End::Completed);
    let Some(Event::CheckStarted(started)) = events.first() else {
        panic!("{events:?}")
    };
    assert_eq!(
        (started.profile.as_str(), started.packages, started.seed),
        ("default", 2, None)
    );
    assert!(
        matches!(events.last(), Some(Event::CheckFinished(finished)) if finished.end == End::Completed)
    );
    let outline = outline(&events);
    let place = |text: &str| {
        outline
            .iter()
            .position(|line| line == text)
            .unwrap_or_else(|| panic!("{text}: {outline:?}"))
    };
    assert!(place("warning JP302 (shared)") < place("problems/a true"));
    assert!(place("problems/a true") < place("error JP012"));
    assert_eq!(place("problems/b false"), outline.len() - 1);
}

#[test]
fn unused_silencings_are_reported_only_for_the_whole_workspace() {
    let tree = Tree::new();
    let workspace = workspace(&tree);
    let unused = |whole_workspace| -> Vec<Option<u32>> {
        let (events, _) = events(&Check {
            whole_workspace,
            ..check(&workspace)
        });
        let findings = events.into_iter().filter_map(|event| match event {
            Event::Finding(finding) if finding.code == "JP003" => Some(finding.line),
            _ => None,
        });
        findings.collect()
    };
    assert_eq!(unused(false), []);
    assert_eq!(unused(true), [Some(1)]);
}

#[test]
fn strict_checks_are_labelled_and_have_no_warnings() {
    let tree = Tree::new();
    let workspace = workspace(&tree);
    let (events, _) = events(&Check {
        strict: true,
        ..check(&workspace)
    });
    assert!(
        matches!(&events[0], Event::CheckStarted(started) if started.profile == "default, strict")
    );
    let findings = events.iter().filter_map(|event| match event {
        Event::Finding(finding) => Some(finding.severity),
        _ => None,
    });
    let severities: Vec<Severity> = findings.collect();
    assert!(
        severities.len() > 2
            && severities
                .iter()
                .all(|severity| *severity == Severity::Error)
    );
}

#[test]
fn errors_of_emit_end_the_check() {
    let tree = Tree::new();
    let workspace = workspace(&tree);
    let packages = check_files(&workspace.packages().unwrap(), &workspace, 1);
    let mut events = 0;
    let ended = check(&workspace).run(&packages, &mut |_| {
        events += 1;
        if events == 2 {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            Ok(())
        }
    });
    assert_eq!(
        (ended.unwrap_err().kind(), events),
        (io::ErrorKind::BrokenPipe, 2)
    );
}
