//! Tests of `problem.yaml` in the formats `legacy` and `legacy-icpc`.

use judge_model::Objective;

use super::ValidatorChoice;
use super::tests::{errors, good, read_text};

#[test]
fn all_legacy_keys_are_read() {
    let metadata = good(
        "problem_format_version: legacy\ntype: pass-fail\nname: {en: Hello}\nuuid: u\nauthor: [A, B]\nsource: S\n\
         source_url: https://s.example\nlicense: cc by\nrights_owner: R\nlimits:\n  time_multiplier: 3\n  \
         time_safety_margin: 1.5\n  memory: 512\n  output: 4\n  code: 64\n  compilation_time: 10\n  \
         compilation_memory: 1\n  validation_time: 2\n  validation_memory: 3\n  validation_output: 4\n\
         validation: custom\nvalidator_flags: a  b\ngrading: {objective: max, show_test_data_groups: yes}\n\
         keywords: graph trees\n",
    );
    assert_eq!(metadata.title.as_deref(), Some("Hello"));
    assert_eq!(metadata.output_validator, ValidatorChoice::Own);
    assert_eq!(metadata.output_validator_args, ["a", "b"]);
    assert!(metadata.allow_file_writing);
    assert_eq!(
        (
            metadata.limits.ac_to_time_limit,
            metadata.limits.time_limit_to_tle
        ),
        (3.0, 1.5)
    );
    assert_eq!(metadata.limits.memory_bytes, 512 << 20);
    assert_eq!(metadata.limits.time_limit, None);
}

#[test]
fn an_empty_legacy_file_has_the_defaults() {
    let metadata = good("");
    assert_eq!(
        (
            metadata.limits.ac_to_time_limit,
            metadata.limits.time_limit_to_tle
        ),
        (5.0, 2.0)
    );
    assert_eq!(metadata.output_validator, ValidatorChoice::Default);
    assert_eq!(metadata.title, None);
    assert_eq!(good("name: 2048\n").title.as_deref(), Some("2048"));
}

#[test]
fn legacy_values_are_checked() {
    for (text, expected) in [
        (
            "problem_format_version: legacy-icpc\ntype: scoring\n",
            ":2: `type`: format `legacy-icpc` has no scoring problems",
        ),
        (
            "validation: costum\n",
            ":1: `validation`: expected `default` or `custom`, found the string `costum`",
        ),
        (
            "validation: default x\n",
            ":1: `validation`: expected nothing after `default`, found `x`",
        ),
        (
            "validation: custom fast\n",
            ":1: `validation`: expected `score`, `interactive` or `multi-pass` after `custom`, found `fast`",
        ),
        (
            "grading: {objective: mid}\n",
            ":1: `grading.objective`: expected one of `max`, `min`, found the string `mid`\nhint: did you mean `min`?",
        ),
        ("allow_file_writing: true\n", ""),
    ] {
        let reported = errors(text);
        assert_eq!(reported.len(), 1, "{text} {reported:#?}");
        if !expected.is_empty() {
            assert_eq!(reported[0], expected);
        }
    }
}

#[test]
fn validation_words_may_be_in_any_order() {
    let metadata = good("type: scoring\nvalidation: custom interactive score\n");
    assert!(metadata.types.scoring && metadata.types.interactive && metadata.validator_scores);
    let metadata = good("validation: custom  multi-pass\nlimits: {validation_passes: 3}\n");
    assert_eq!((metadata.types.multi_pass, metadata.passes), (true, 3));
    assert_eq!(
        good("validation: custom interactive multi-pass\n").passes,
        2
    );
    assert_eq!(
        good("type: scoring\ngrading: {objective: min}\n").objective,
        Objective::Min
    );
    let (metadata, findings) = read_text("type: pass-fail interactive\nvalidation: custom\n");
    assert!(metadata.unwrap().types.interactive);
    assert_eq!(findings.into_result().unwrap().len(), 2);
    let (_, findings) = read_text("limits: {validation_passes: 3}\n");
    assert_eq!(findings.into_result().unwrap().len(), 1);
}
