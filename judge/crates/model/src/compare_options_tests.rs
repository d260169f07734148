//! The arguments of the default output validator, by format version.

use FormatVersion::{Legacy, LegacyIcpc, V2025_09};

use super::*;

const ALL: [FormatVersion; 3] = [Legacy, LegacyIcpc, V2025_09];

fn parse(args: &str, version: FormatVersion) -> Result<CompareOptions, InvalidArgument> {
    let args: Vec<String> = args
        .split(' ')
        .filter(|arg| !arg.is_empty())
        .map(str::to_owned)
        .collect();
    CompareOptions::parse(&args, version)
}

fn tolerances(args: &str, version: FormatVersion) -> (Option<f64>, Option<f64>) {
    let options = parse(args, version).unwrap();
    (options.float_relative, options.float_absolute)
}

#[test]
fn every_argument_is_understood_by_every_version() {
    for version in ALL {
        assert_eq!(parse("", version), Ok(CompareOptions::default()));
        let options = parse("space_change_sensitive case_sensitive", version).unwrap();
        assert!(
            options.case_sensitive && options.space_change_sensitive && !options.reads_floats()
        );
        assert_eq!(
            tolerances("float_relative_tolerance 1e-6", version),
            (Some(1e-6), None)
        );
        assert_eq!(
            tolerances("float_absolute_tolerance .5", version),
            (None, Some(0.5))
        );
        assert_eq!(
            tolerances("float_tolerance 0", version),
            (Some(0.0), Some(0.0))
        );
        let both = "float_absolute_tolerance 1 float_relative_tolerance 2";
        assert_eq!(tolerances(both, version), (Some(2.0), Some(1.0)));
        assert!(parse("case_sensitive case_sensitive", version).is_ok());
    }
}

#[test]
fn invalid_arguments_are_named() {
    let cases = [
        ("case_insensitive", "unknown argument `case_insensitive` of"),
        ("1e-6", "unknown argument `1e-6` of"),
        (
            "--float_tolerance 1",
            "unknown argument `--float_tolerance`",
        ),
        ("Case_Sensitive", "unknown argument `Case_Sensitive`"),
        (
            "case_sensitive float_tolerance",
            "argument `float_tolerance` of the default output validator needs",
        ),
        (
            "float_tolerance case_sensitive",
            "invalid tolerance `case_sensitive` for argument `float_tolerance`",
        ),
        (
            "float_absolute_tolerance -1e-6",
            "invalid tolerance `-1e-6` for argument `float_absolute_tolerance`",
        ),
        ("float_relative_tolerance nan", "invalid tolerance `nan`"),
        ("float_relative_tolerance inf", "invalid tolerance `inf`"),
        ("float_relative_tolerance 0x1", "invalid tolerance `0x1`"),
        ("float_relative_tolerance 1e", "invalid tolerance `1e`"),
        // Infinite or 0 in binary64.
        (
            "float_absolute_tolerance 1e400",
            "invalid tolerance `1e400`",
        ),
        (
            "float_relative_tolerance 1e-400",
            "invalid tolerance `1e-400`",
        ),
    ];
    for version in ALL {
        for (args, text) in cases {
            let error = parse(args, version).unwrap_err().to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }
}

#[test]
fn tolerances_may_not_overlap_in_2025_09() {
    let cases = [
        (
            "float_tolerance 1 float_tolerance 2",
            "float_tolerance",
            "float_tolerance",
        ),
        (
            "float_tolerance 1 float_absolute_tolerance 2",
            "float_absolute_tolerance",
            "float_tolerance",
        ),
        (
            "float_tolerance 1 float_relative_tolerance 2",
            "float_relative_tolerance",
            "float_tolerance",
        ),
        (
            "float_absolute_tolerance 1 float_tolerance 2",
            "float_tolerance",
            "float_absolute_tolerance",
        ),
        (
            "float_relative_tolerance 1 float_absolute_tolerance 1 float_relative_tolerance 1",
            "float_relative_tolerance",
            "float_relative_tolerance",
        ),
    ];
    for (args, argument, earlier) in cases {
        assert_eq!(
            parse(args, V2025_09),
            Err(InvalidArgument::ToleranceSetTwice { argument, earlier }),
            "{args}"
        );
    }
}

#[test]
fn the_last_tolerance_counts_in_legacy() {
    for version in [Legacy, LegacyIcpc] {
        assert_eq!(
            tolerances("float_tolerance 1 float_tolerance 2", version),
            (Some(2.0), Some(2.0))
        );
        assert_eq!(
            tolerances("float_tolerance 1 float_absolute_tolerance 2", version),
            (Some(1.0), Some(2.0))
        );
        assert_eq!(
            tolerances("float_absolute_tolerance 2 float_tolerance 1", version),
            (Some(1.0), Some(1.0))
        );
    }
}
