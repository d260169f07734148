//! Property tests: every `problem.yaml` is read or refused.

use proptest::prelude::*;

use super::tests::EVERYTHING;
use super::*;

/// Nearly valid lines, in any order, so that every branch gets unusual values.
fn a_problem_yaml() -> impl Strategy<Value = String> {
    let keys = [
        &current::KEYS[..],
        &legacy::KEYS[..],
        &["limit", "\"\"", "? [a]\n", "7", "<<"],
    ];
    let keys = prop::sample::select(keys.concat());
    let values = prop::sample::select(vec![
        "2025-09",
        "legacy",
        "draft",
        "legacy-icpc",
        "pass-fail",
        "[scoring, interactive, pass-fail]",
        "{}",
        "[]",
        "~",
        "{en: x, 5: y}",
        "{authors: {name: 5}, translators: {sv: [~]}}",
        "[{url: 5}]",
        "-1",
        "1e999",
        ".nan",
        "yes",
        "true",
        "public domain",
        "custom score interactive",
        "{time_limit: -0.0, time_multipliers: [], memory: 1e9}",
        "{time_limit: 1e300, memory: 99999999999999999999, validation_passes: 1}",
        "{a: {value: 1}, \"{{\": {}}",
        "\"\"",
        "&a [*a]",
        "!x y",
        "{objective: [], on_reject: 5}",
        "|\n  é\n  x",
        "2025-01-0é",
        "\"2025-01-01T00:00:0\\u00e9\"",
        "9999999999999999999999999999999999999999999",
    ]);
    prop::collection::vec((keys, values), 0..8).prop_map(|lines| {
        lines
            .iter()
            .map(|(key, value)| format!("{key}: {value}\n"))
            .collect()
    })
}

proptest! {
    #[test]
    fn any_problem_yaml_is_read_or_refused(text in a_problem_yaml()) {
        if let Ok(document) = Document::parse(Path::new("/x/problem.yaml"), text.into_bytes()) {
            let mut findings = Findings::default();
            let metadata = interpret(&document, &mut findings);
            prop_assert!(metadata.is_some() || findings.into_result().is_err());
        }
    }

    #[test]
    fn a_valid_file_with_one_fault_is_read_or_refused(at in 0usize..EVERYTHING.len(), junk in "\\PC{0,3}", cut in 0usize..5) {
        let end = (at + cut).min(EVERYTHING.len());
        let text = format!("{}{junk}{}", &EVERYTHING[..at], &EVERYTHING[end..]);
        match Document::parse(Path::new("/x/problem.yaml"), text.into_bytes()) {
            Ok(document) => { interpret(&document, &mut Findings::default()); }
            Err(error) => prop_assert!(!error.message.is_empty()),
        }
    }
}
