//! Tests of the plan: names, numbers, copies and includes.

use super::*;

fn planned(data: &str) -> Result<DataPlan, String> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("generators")).unwrap();
    std::fs::write(directory.path().join(judge_package::GENERATORS_FILE), data).unwrap();
    let read = judge_package::read_generators(directory.path())
        .map_err(|errors| errors.to_string())?
        .unwrap();
    plan(&read, &[]).map_err(|errors| errors.to_string())
}

fn ids(plan: &DataPlan) -> Vec<&str> {
    plan.cases.iter().map(|case| case.id.as_str()).collect()
}

#[test]
fn test_case_numbers_continue_through_the_file() {
    let text = "data:\n  sample:\n    data: [{'': g 1}]\n  secret:\n    data:\n      - group:\n          data: [{a: g 2}, \
                {'': g 3}]\n      - group:\n          data:\n            b: g 4\n      - many: {generate: 'g {count}', \
                count: 8..=10}\n      - c: g 5\n";
    let expected = [
        "sample/1",
        "secret/1-group/2-a",
        "secret/1-group/3",
        "secret/2-group/b",
        "secret/4-many-08",
    ];
    assert_eq!(ids(&planned(text).unwrap())[..5], expected);
    assert_eq!(
        ids(&planned(text).unwrap())[5..],
        ["secret/5-many-09", "secret/6-many-10", "secret/7-c"]
    );
}

#[test]
fn copies_without_a_number_or_a_seed_are_links() {
    let text = "data:\n  secret:\n    data:\n      a: {generate: g, count: 2}\n      b: {generate: 'g {seed}', count: 2}\n";
    let plan = planned(text).unwrap();
    let same: Vec<_> = plan
        .cases
        .iter()
        .map(|case| case.same_as.as_deref())
        .collect();
    assert_eq!(same, [None, Some("secret/a-1"), None, None]);
    assert_ne!(
        plan.cases[2].command.as_ref().unwrap().seed,
        plan.cases[3].command.as_ref().unwrap().seed
    );
}

#[test]
fn only_earlier_test_cases_can_be_included() {
    let sample = "data:\n  sample:\n    data: {'1': {in: x}}\n  secret:\n    ";
    let plan = planned(&format!("{sample}include: [sample]\n")).unwrap();
    assert_eq!(
        plan.included,
        [("secret/1".to_owned(), "sample/1".to_owned())]
    );
    let error = planned(&format!("{sample}include: [nowhere]\n")).unwrap_err();
    assert!(
        error
            .contains(":5: expected the key of an earlier test case or directory, found `nowhere`"),
        "{error}"
    );
    let error = planned(&format!(
        "{sample}include: [sample]\n    data: {{'1': {{in: y}}}}\n"
    ))
    .unwrap_err();
    assert!(error.contains("`secret/1` already exists"), "{error}");
}
