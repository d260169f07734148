//! Tests of submissions and validators that this host cannot run.

use judge_model::{LanguageId, OutputValidator, Program};
use judge_runner::{Plan, Skipping};

use crate::run::{Package, judge, judge_plan};

#[test]
fn submissions_without_tools_are_skipped_with_an_event() {
    let mut package = Package::new("p")
        .with("accepted/a", "")
        .with("accepted/b", "");
    package.problem.submissions[0].language = Some(LanguageId("cobol".into()));
    let ran = judge(&package);
    assert_eq!(ran.state.languages_unavailable.len(), 1);
    assert_eq!(ran.state.languages_unavailable[0].submissions, 1);
    let counts = ran.state.counts();
    assert_eq!((counts.skipped, counts.as_expected), (1, 1));
}

/// A package has two submissions in COBOL and one in an unknown language, which cannot run.
#[test]
fn forbidden_skips_are_package_faults() {
    let mut package = Package::new("p")
        .with("accepted/a", "")
        .with("accepted/b", "")
        .with("accepted/c", "");
    package.problem.submissions[0].language = Some(LanguageId("cobol".into()));
    package.problem.submissions[1].language = None;
    for (skipping, faults) in [
        (Skipping::Allowed, &[][..]),
        (
            Skipping::AllowedFor(vec![LanguageId("cobol".into())]),
            &["accepted/b"],
        ),
        (
            Skipping::AllowedFor(Vec::new()),
            &["accepted/a", "accepted/b"],
        ),
    ] {
        let plan = Plan {
            skipping,
            fail_fast: true,
            ..package.plan()
        };
        let ran = judge_plan(plan, 2);
        let files: Vec<&str> = ran
            .state
            .package_faults
            .iter()
            .map(|fault| fault.file.as_str())
            .collect();
        assert!(
            files.len() == faults.len()
                && files
                    .iter()
                    .zip(faults)
                    .all(|(file, end)| file.ends_with(end)),
            "{files:?}"
        );
        assert_eq!(
            (ran.state.counts().skipped, ran.state.counts().as_expected),
            (2, 1)
        );
    }
}

#[test]
fn validators_without_tools_are_package_faults() {
    let mut package = Package::new("p").with("accepted/a", "");
    package.problem.output_validator = OutputValidator::Custom(vec![Program {
        name: "v".into(),
        path: "/nowhere".into(),
        sources: vec!["v".into()],
        language: LanguageId("cobol".into()),
        entry_class: None,
        scripts: None,
    }]);
    let ran = judge(&package);
    assert_eq!(ran.state.package_faults.len(), 1);
    assert_eq!(ran.state.counts().skipped, 1);
}
