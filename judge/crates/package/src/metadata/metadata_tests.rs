//! Tests of `problem.yaml`, in every format version.

use std::time::Duration;

use judge_model::Limits;

use super::types::Types;
use super::*;
use crate::fixture::error_lines;

pub(super) fn read_text(text: &str) -> (Option<Metadata>, Findings) {
    let document = Document::parse(Path::new("/x/problem.yaml"), text.as_bytes().to_vec()).unwrap();
    let mut findings = Findings::default();
    (interpret(&document, &mut findings), findings)
}

pub(super) fn good(text: &str) -> Metadata {
    let (metadata, findings) = read_text(text);
    assert_eq!(error_lines(findings), [""; 0], "{text}");
    metadata.unwrap()
}

pub(super) fn errors(text: &str) -> Vec<String> {
    let reported = error_lines(read_text(text).1);
    reported
        .into_iter()
        .map(|error| error.strip_prefix("/x/problem.yaml").unwrap().to_owned())
        .collect()
}

/// Returns the errors of a minimal package of format 2025-09 with these additional lines, which
/// begin at line 4.
fn errors_of(lines: &str) -> Vec<String> {
    errors(&format!(
        "problem_format_version: 2025-09\nname: A\nuuid: u\n{lines}"
    ))
}

pub(super) const EVERYTHING: &str = "\
problem_format_version: 2025-09
type: [pass-fail]
name: {sv: Hej, en: Hello, pt-BR: Oi}
uuid: 8f1b3c9e-0000-4000-8000-000000000000
version: 1.0.0
credits:
  authors: A B <a@b.example>
  contributors: [C, {name: D, email: d@b.example, orcid: 0000-0001, kattis: dd}]
  testers: T
  packagers: P
  acknowledgements: [Q]
  translators: {sv: E, da: [F, {name: G}]}
source: [One, {name: Two, url: https://two.example}]
license: cc by-sa
rights_owner: Somebody
embargo_until: 2027-01-01T00:00:00Z
limits:
  time_limit: 1.5
  time_resolution: 0.1
  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 1.25}
  memory: 256
  output: 9
  code: 10
  compilation_time: 11
  compilation_memory: 12
  validation_time: 13
  validation_memory: 14
  validation_output: 15
keywords: [graph, trees]
languages: [cpp, rust]
allow_file_writing: true
constants:
";

#[test]
fn all_keys_of_2025_09_are_read() {
    let metadata = good(EVERYTHING);
    assert_eq!(metadata.dialect, Dialect::V2025_09);
    assert_eq!(metadata.title.as_deref(), Some("Hello"));
    assert_eq!(
        metadata.languages,
        Some(vec![
            LanguageId("cpp".to_owned()),
            LanguageId("rust".to_owned())
        ])
    );
    assert!(metadata.allow_file_writing);
    assert_eq!((metadata.types, metadata.passes), (Types::default(), 1));
    let expected = Limits {
        time_limit: Some(Duration::from_millis(1500)),
        ac_to_time_limit: 3.0,
        time_limit_to_tle: 1.25,
        time_resolution: Duration::from_millis(100),
        memory_bytes: 256 << 20,
        output_bytes: 9 << 20,
        code_bytes: 10 << 10,
        compilation_time: Duration::from_secs(11),
        compilation_memory_bytes: 12 << 20,
        validation_time: Duration::from_secs(13),
        validation_memory_bytes: 14 << 20,
        validation_output_bytes: 15 << 20,
    };
    assert_eq!(metadata.limits, expected);
}

#[test]
fn minimal_metadata_of_2025_09_has_the_defaults() {
    let metadata = good("problem_format_version: 2025-09\nname: Hallo\nuuid: u\n");
    assert_eq!(metadata.title.as_deref(), Some("Hallo"));
    assert_eq!(metadata.limits, Limits::default());
    assert!(!metadata.allow_file_writing && metadata.languages.is_none());
    assert_eq!(metadata.output_validator, ValidatorChoice::OwnIfPresent);
}

#[test]
fn known_versions_are_read() {
    for (version, dialect) in VERSIONS {
        let metadata = good(&format!(
            "problem_format_version: {version}\nname: A\nuuid: u\n"
        ));
        assert_eq!(metadata.dialect, dialect, "{version}");
    }
    assert_eq!(good("").dialect, Dialect::Legacy);
    assert_eq!(
        errors("name: A\nproblem_format_version: 2025-9\n"),
        [
            ":2: `problem_format_version`: expected one of `2025-09`, `2025-09-draft`, `2023-07`, `2023-07-draft`, \
          `draft`, `legacy`, `legacy-icpc`, found the string `2025-9`\nhint: did you mean `2025-09`?"
        ]
    );
}

#[test]
fn unknown_and_missing_keys_are_reported() {
    let reported = errors(
        "problem_format_version: 2025-09\nname: A\nlimit:\n  memory: 1\nlimits:\n  memroy: 1\n",
    );
    assert!(
        reported[0].starts_with(
            ":3: unknown key `limit`; expected one of `problem_format_version`, `type`,"
        )
    );
    assert!(reported[0].ends_with("\nhint: did you mean `limits`?"));
    assert_eq!(
        reported[1],
        ":1: missing key `uuid`\nhint: any new UUID of version 4 is valid, for example one from `uuidgen`"
    );
    assert!(
        reported[2].starts_with(":6: unknown key `limits.memroy`; expected one of `time_limit`,"),
        "{}",
        reported[2]
    );
    assert!(reported[2].ends_with("\nhint: did you mean `memory`?"));
    assert_eq!(reported.len(), 3);
    assert_eq!(
        errors("problem_format_version: draft\n"),
        [":1: missing key `name`"]
    );
}

#[test]
fn limits_that_are_not_indented_are_reported_with_their_place() {
    let hints = |lines: &str| -> Vec<String> {
        let text = format!("problem_format_version: 2025-09\nname: A\nuuid: u\n{lines}");
        let hint = |error: String| {
            error
                .split_once("\nhint: ")
                .map(|(_, hint)| hint.to_owned())
        };
        errors(&text).into_iter().filter_map(hint).collect()
    };
    assert_eq!(
        hints("limits:\ntime_limit: 1\nmemory: 64\n"),
        [
            "it is a key of the legacy format; 2025-09 has `limits.time_limit`; indent it below `limits:` in line 4",
            "indent it below `limits:` in line 4",
        ]
    );
    let elsewhere = ["it is a key of the legacy format; 2025-09 has `limits.time_limit`"];
    assert_eq!(hints("limits: {memory: 64}\ntime_limit: 1\n"), elsewhere);
    assert_eq!(hints("limits:\nkeywords: [a]\ntime_limit: 1\n"), elsewhere);
    assert_eq!(hints("time_limit: 1\nlimits:\n"), elsewhere);
}

#[test]
fn a_missing_version_is_named_as_the_cause_of_unknown_keys() {
    assert_eq!(
        errors("name: A\nuuid: u\nversion: 1\ncredits: A\n"),
        [
            ":3: `problem_format_version` is missing, so the package is read as one of the legacy format; only format 2025-09 has `version`, `credits`\nhint: add `problem_format_version: 2025-09`"
        ]
    );
    // A key of the legacy format shows which one is meant.
    let reported = errors("name: A\nauthor: B\nversion: 1\n");
    assert!(
        reported[0].starts_with(":3: unknown key `version`"),
        "{reported:?}"
    );
}

#[test]
fn legacy_keys_get_a_hint_in_2025_09() {
    let head =
        "problem_format_version: 2025-09\nname: A\nuuid: 5c7d4b55-3c57-4d0e-8d4b-20fd5f5f6c11\n";
    for (key, instead) in [
        (
            "validator_flags: x\n",
            "2025-09 has `output_validator_args` in `test_group.yaml` of",
        ),
        (
            "grading: {on_reject: break}\n",
            "2025-09 has `data/secret/test_group.yaml`",
        ),
        (
            "limits: {time_multiplier: 5}\n",
            "2025-09 has `time_multipliers.ac_to_time_limit`",
        ),
    ] {
        let reported = errors(&format!("{head}{key}"));
        assert!(
            reported[0].contains("hint: it is a key of the legacy format")
                && reported[0].contains(instead),
            "{reported:?}"
        );
    }
}

#[test]
fn syntax_errors_name_the_likely_mistake() {
    let malformed = |text: &str| {
        Document::parse(Path::new("/p.yaml"), text.as_bytes().to_vec())
            .unwrap_err()
            .to_string()
    };
    let expected = "/p.yaml:3: not valid YAML: the line is indented with a tab\nhint: indent with spaces: YAML has no tabs there";
    assert_eq!(malformed("name: A\nlimits:\n  \tmemory: 5\n"), expected);
    let expected = "/p.yaml:2: not valid YAML: the quote that opens here is not closed\nhint: close it; within single \
                    quotes an apostrophe is written twice";
    assert_eq!(malformed("uuid: x\nname: 'Bob''s\nlimits: {}\n"), expected);
    assert_eq!(malformed("uuid: x\nname: \"A\nlimits: {}\n"), expected);
    let indent = "indent the keys of a mapping equally";
    let double =
        "put the whole value in double quotes; within single quotes an apostrophe is written twice";
    for (text, message, hint) in [
        (
            "name: Sum: the problem\n",
            "1: not valid YAML: mapping values are not allowed in this context: `name: Sum: the problem`",
            "put the value in double quotes: a colon and a space in it look like another key",
        ),
        (
            "name: A\n uuid: x\n",
            "2: not valid YAML: mapping values are not allowed in this context: `uuid: x`",
            &format!("{indent}: line 1 begins with 0 spaces, this line with 1"),
        ),
        (
            "name: Sum\n limits: {time_limit: 1, memory: 2}\n",
            "2: not valid YAML: mapping values are not allowed in this context: \
             `limits: {time_limit: 1, memory: 2}`",
            &format!("{indent}: line 1 begins with 0 spaces, this line with 1"),
        ),
        (
            "- name: A\n  source: B: C\n",
            "2: not valid YAML: mapping values are not allowed in this context: `source: B: C`",
            "put the value in double quotes: a colon and a space in it look like another key",
        ),
        (
            "limits:\n  memory: 5\n output: 1\n",
            "3: not valid YAML: did not find expected key, while parsing a block mapping: `output: 1`",
            &format!("{indent}: line 2 begins with 2 spaces, this line with 1"),
        ),
        (
            "name: 'Bob's sum'\n",
            "1: not valid YAML: did not find expected key, while parsing a block mapping: `name: 'Bob's sum'`",
            double,
        ),
        (
            "uuid: x\nlimits:memory\nname: A\n",
            "2: not valid YAML: expected `key: value`, found `limits:memory`",
            "a key ends with a colon, and a space comes before its value",
        ),
        (
            "name: A\n- B\n",
            "2: not valid YAML: did not find expected key, while parsing a block mapping: `- B`",
            "a list item (`- …`) cannot be next to a key: put items below the key to which they belong",
        ),
        (
            "name: @A\n",
            "1: not valid YAML: found character that cannot start any token, while scanning for the next token: \
             `name: @A`",
            "put the value in double quotes: it cannot begin with `@`",
        ),
    ] {
        assert_eq!(malformed(text), format!("/p.yaml:{message}\nhint: {hint}"));
    }
    // The cause is unclear.
    let shared = malformed("name: A\n  B\n  uuid: 'x: y' # z: z\n");
    assert!(!shared.contains("hint"), "{shared}");
    // A tab between words is not the mistake.
    let list = malformed("name: [A\tB\n");
    assert!(
        list.contains("not valid YAML: ") && !list.contains("tab"),
        "{list}"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"name: A\nauthor: Ren\xe9\n").unwrap();
    let error = Document::read(file.path()).unwrap_err().to_string();
    assert!(
        error.contains(":2: expected UTF-8, found the byte 0xe9, which is `é` in Latin-1"),
        "{error}"
    );
    assert!(error.ends_with("hint: save the file as UTF-8"), "{error}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn values_of_2025_09_are_checked() {
    for (lines, expected) in [
        (
            "version: 1.0\n",
            ":4: `version`: expected a string, found the number `1.0`\nhint: write it in quotes to make it a string",
        ),
        (
            "limits: {time_limit: 0}\n",
            ":4: `limits.time_limit`: expected a number of seconds above 0 and below a year, found the number `0`",
        ),
        (
            "limits: {time_limit: 1e-30}\n",
            ":4: `limits.time_limit`: expected a number of seconds above 0 and below a year, found the number `1e-30`",
        ),
        (
            "limits: {time_limit: .nan}\n",
            ":4: `limits.time_limit`: expected a number of seconds above 0 and below a year, found the number `NaN`",
        ),
        (
            "limits:\n  memory: 3\n",
            ":5: `limits.memory`: expected an integer of at least 4, in MiB, found the number `3`",
        ),
        (
            "limits:\n  memory: 256MB\n",
            ":5: `limits.memory`: expected an integer of at least 4, in MiB, found the string `256MB`\nhint: write only a number: the unit is MiB",
        ),
        (
            "limits: {time_limit: 1s}\n",
            ":4: `limits.time_limit`: expected a number of seconds above 0 and below a year, found the string `1s`\nhint: write only a number: the unit is seconds",
        ),
        (
            "limits:\n  memory: 2.5\n",
            ":5: `limits.memory`: expected an integer of at least 4, in MiB, found the number `2.5`",
        ),
        (
            "limits:\n  memory: 18446744073709551615\n",
            ":5: `limits.memory`: expected a smaller number, found the number `18446744073709551615`",
        ),
        (
            "limits:\n  output: 513\n",
            ":5: `limits.output`: expected at most 512 MiB, since output is held in memory, found the number `513`",
        ),
        (
            "limits:\n  validation_output: 100000\n",
            ":5: `limits.validation_output`: expected at most 512 MiB, since output is held in memory, found the number `100000`",
        ),
        (
            "limits:\n  time_multipliers:\n    ac_to_time_limit: 0.5\n",
            ":6: `limits.time_multipliers.ac_to_time_limit`: expected a number from 1 to 1000, found the number `0.5`",
        ),
        (
            "limits:\n  time_multipliers: {ac_to_time_limit: 1e308}\n",
            ":5: `limits.time_multipliers.ac_to_time_limit`: expected a number from 1 to 1000, found the number `1e308`",
        ),
        (
            "limits:\n  time_multipliers:\n    time_limit_to_tle: 1001\n",
            ":6: `limits.time_multipliers.time_limit_to_tle`: expected a number from 1 to 1000, found the number `1001`",
        ),
        (
            "limits: {validation_passes: 3}\n",
            ":4: `limits.validation_passes`: only problems of type `multi-pass` have it",
        ),
        (
            "limits: [1]\n",
            ":4: `limits`: expected a mapping, found a list of 1",
        ),
        (
            "license: cc-by\n",
            ":4: `license`: expected one of `unknown`, `public domain`, `cc0`, `cc by`, `cc by-sa`, `educational`, `permission`, found the string `cc-by`\nhint: did you mean `cc by`?",
        ),
        (
            "license: cc0\n",
            ":4: `license`: needs a `rights_owner`, `credits.authors` or a `source`",
        ),
        (
            "license: public domain\nrights_owner: me\n",
            ":5: `rights_owner`: must not be given for the license `public domain`, which has no owner",
        ),
        (
            "embargo_until: 2027-13-01\n",
            ":4: `embargo_until`: expected a date `YYYY-MM-DD` or a time `YYYY-MM-DDThh:mm:ssZ`, found the string `2027-13-01`",
        ),
        (
            "keywords: a b\n",
            ":4: `keywords`: expected a list of strings, found the string `a b`",
        ),
        (
            "languages: cpp\n",
            ":4: `languages`: expected `all` or a list of language codes, found the string `cpp`",
        ),
        (
            "allow_file_writing: yes\n",
            ":4: `allow_file_writing`: expected `true` or `false`, found the string `yes`\nhint: YAML 1.2 knows only `true` and `false`",
        ),
        ("source: {url: u}\n", ":4: `source`: missing key `name`"),
        (
            "credits:\n  authors: []\n",
            ":5: `credits.authors`: expected at least one entry, found a list of 0",
        ),
        (
            "credits:\n  author: A\n",
            ":5: unknown key `credits.author`; expected one of `authors`, `contributors`, `testers`, `translators`, `packagers`, `acknowledgements`\nhint: did you mean `authors`?",
        ),
        (
            "type: [pass-fail, pass-fail]\n",
            ":4: `type[1]`: `pass-fail` is given twice",
        ),
        ("validator_flags: x\n", ""),
    ] {
        let reported = errors_of(lines);
        assert_eq!(reported.len(), 1, "{lines} {reported:#?}");
        if !expected.is_empty() {
            assert_eq!(reported[0], expected);
        }
    }
}

#[test]
fn only_valid_type_combinations_are_accepted() {
    let metadata_of = |lines: &str| {
        good(&format!(
            "problem_format_version: 2025-09\nname: A\nuuid: u\n{lines}"
        ))
    };
    assert!(metadata_of("type: scoring\n").types.scoring);
    let metadata = metadata_of("type:\n- scoring\n- interactive\n");
    assert!(metadata.types.scoring && metadata.types.interactive && !metadata.types.multi_pass);
    assert_eq!(metadata.passes, 1);
    assert_eq!(metadata_of("type: multi-pass\n").passes, 2);
    assert_eq!(
        metadata_of("type: [multi-pass, interactive]\nlimits: {validation_passes: 4}\n").passes,
        4
    );
    assert!(
        metadata_of("type: [pass-fail, submit-answer]\n")
            .types
            .submit_answer
    );
    for (lines, expected) in [
        (
            "type: [pass-fail, scoring]\n",
            ":4: `type[1]`: `scoring` cannot be combined with `pass-fail`",
        ),
        (
            "type: [interactive, submit-answer]\n",
            ":4: `type[1]`: `submit-answer` cannot be combined with `interactive`",
        ),
        (
            "type: [submit-answer, multi-pass]\n",
            ":4: `type[1]`: `multi-pass` cannot be combined with `submit-answer`",
        ),
        (
            "type: []\n",
            ":4: `type`: expected at least one type, found a list of 0",
        ),
        (
            "type: multi-pass\nlimits: {validation_passes: 1}\n",
            ":5: `limits.validation_passes`: expected an integer of at least 2, found the number `1`",
        ),
        (
            "type: multi-pass\nlimits: {validation_passes: 99999999999}\n",
            ":5: `limits.validation_passes`: expected a smaller number, found the number `99999999999`",
        ),
        (
            "type: pass-fail scoring\n",
            ":4: `type`: `scoring` cannot be combined with `pass-fail`",
        ),
        (
            "type: pass-fail pasta\n",
            ":4: `type`: expected one of `pass-fail`, `scoring`, `multi-pass`, `interactive`, `submit-answer`, found `pasta`",
        ),
    ] {
        assert_eq!(errors_of(lines), [expected], "{lines}");
    }
}

#[test]
fn several_types_in_one_string_are_a_warning() {
    let (metadata, findings) = read_text(
        "problem_format_version: 2025-09\nname: A\nuuid: u\ntype: pass-fail interactive\n",
    );
    assert!(metadata.unwrap().types.interactive);
    let warnings = findings.into_result().unwrap();
    let expected = "`type`: expected a list, found the string `pass-fail interactive`; read as a list of its words";
    assert_eq!(
        (
            warnings.len(),
            warnings[0].line,
            warnings[0].message.as_str()
        ),
        (1, Some(4), expected)
    );
}

#[test]
fn constants_are_kept_as_written() {
    let metadata = good(
        "problem_format_version: 2025-09\nname: A\nuuid: u\nconstants:\n  n: 1e9\n  half: 0.50\n  s: \"a b\"\n  \
         k: {value: 5000000, tex: \"5,000,000\", hex: 0x10}\n  _x: -7\n",
    );
    let constants: Vec<(&str, &str)> = metadata
        .constants
        .iter()
        .map(|c| (c.name.as_str(), c.value.as_str()))
        .collect();
    let expected = [
        ("_x", "-7"),
        ("_x.value", "-7"),
        ("half", "0.50"),
        ("half.value", "0.50"),
        ("k.hex", "16"),
        ("k.tex", "5,000,000"),
        ("k", "5000000"),
        ("k.value", "5000000"),
        ("n", "1e9"),
        ("n.value", "1e9"),
        ("s", "a b"),
        ("s.value", "a b"),
    ];
    assert_eq!(constants, expected);
    assert_eq!(
        errors_of("constants: {1x: 5, y: {variant: 1}, z: [1], w: {value: 1, \"a b\": 2}}\n").len(),
        4
    );
}

#[test]
fn a_time_limit_off_the_grid_is_a_warning() {
    let warnings = |limits: &str| {
        let (_, findings) = read_text(&format!(
            "problem_format_version: draft\nname: A\nlimits: {{{limits}}}\n"
        ));
        findings
            .into_result()
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("time_limit: 1.5"),
        [
            "/x/problem.yaml:3: `limits.time_limit`: expected a multiple of the time resolution, 1 s, found the number \
          `1.5`\nhint: give `limits.time_resolution` as well, such as 0.1"
        ]
    );
    for good in [
        "time_limit: 0.3, time_resolution: 0.1",
        "time_limit: 7.1, time_resolution: 0.01",
        "time_limit: 20",
    ] {
        assert_eq!(warnings(good), [""; 0], "{good}");
    }
    assert_eq!(warnings("time_limit: 0.3, time_resolution: 1").len(), 1);
}
