//! Checks that the committed JSON Schemas of the event stream and of `judge grade` match the types.
//!
//! A separate test behind the feature `schema`: as a development dependency of the program, the
//! feature would make every crate compile once for `cargo build` and once more for `cargo test`.
//! `ci/check schema` runs it. With `UPDATE_SCHEMA=1` in the environment it writes the files
//! instead.

#![expect(clippy::unwrap_used, reason = "a test may end with any error")]

use std::fs;
use std::path::Path;

#[test]
fn committed_schema_is_current() {
    let generated = [
        ("events.schema.json", judge_event::json_schema()),
        ("grade.schema.json", judge_event::grade_json_schema()),
    ];
    for (name, generated) in generated {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../docs")
            .join(name);
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&file, &generated).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == generated,
            "{} is not current; UPDATE_SCHEMA=1 writes it",
            file.display()
        );
    }
}
