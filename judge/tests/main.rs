//! End-to-end tests: the `judge` binary, run in temporary workspaces.
//!
//! Responsible for the behaviour that users see: exit codes, written files, and the event stream.
//! There is one test binary, because each links the whole product, with a module for each command
//! or concern, and the shared `workspace`. Must not test the internals of crates, which have their
//! own tests.

#![expect(
    clippy::unwrap_used,
    reason = "a test may end with any error, and its own functions are tests too"
)]

mod add;
mod archives;
mod cache_owner;
mod caching;
mod ceilings;
mod changing;
mod check;
mod check_data;
mod check_saving;
mod cli;
mod compare;
mod completing;
mod doctor;
mod documents;
mod editors;
mod event_page;
mod event_schema;
mod everywhere;
mod faults;
mod faulty_programs;
mod faulty_validators;
mod generate;
mod generate_faults;
mod grade;
mod grade_faults;
mod grade_files;
mod grade_warm;
mod help;
mod host_faults;
mod importing;
mod importing_formats;
mod importing_hostile;
mod importing_judges;
mod importing_losses;
mod importing_olympiads;
mod importing_polygon;
mod importing_remarks;
mod interactive;
mod interrupt;
mod interrupt_interchange;
mod interrupt_packages;
mod isolation;
mod judge_yaml;
mod languages;
mod levels;
mod links;
mod lint_docs;
mod list;
mod log;
mod loose;
mod loose_hints;
mod manual;
mod margins;
mod matrix;
mod mistakes;
mod mutate;
mod mutate_hard_to_read;
mod mutate_hunting;
mod mutate_hunting_languages;
mod mutate_languages;
mod named_files;
mod names;
mod new;
mod options;
mod packing;
mod packing_archives;
mod packing_kattis;
mod packing_online;
mod packing_statements;
mod packing_testlib;
mod places;
mod printing;
mod printing_mistakes;
mod printing_whole;
mod problems;
mod programs;
mod pypy;
mod report;
mod review;
mod run;
mod schemas;
mod scoring;
mod selection;
mod sharding;
mod since;
mod since_trust;
mod sizes;
mod statement;
mod stores;
mod stress;
mod submit;
mod syntax_checks;
mod terminal;
mod testlib;
mod time_factor;
mod time_limits;
mod tool_reach;
mod tour;
mod trust;
mod trying;
mod type_misfit;
mod upgrading;
mod validator;
mod verdicts;
mod visualize;
mod visualize_hostile;
mod warm;
mod watch;
mod workspace;

use std::fs;
use std::path::Path;

/// With `autotests` off, a file that is neither a module here nor a target of `Cargo.toml` would
/// never be compiled.
#[test]
fn every_test_file_is_compiled() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let main = fs::read_to_string(package.join("tests/main.rs")).unwrap();
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let is_known = |name: &str| {
        main.lines().any(|line| line == format!("mod {name};"))
            || [format!("{name}.rs"), format!("{name}/main.rs")]
                .iter()
                .any(|path| manifest.contains(&format!("path = \"tests/{path}\"")))
    };
    let files = fs::read_dir(package.join("tests"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let names: Vec<String> = files
        .filter(|path| {
            (path.is_dir() && !path.ends_with("snapshots"))
                || path.extension().is_some_and(|extension| extension == "rs")
        })
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let not_compiled: Vec<&String> = names.iter().filter(|name| !is_known(name)).collect();
    assert!(
        not_compiled.is_empty(),
        "neither a `mod` in tests/main.rs nor a target in Cargo.toml: {not_compiled:?}"
    );
    assert!(names.len() > 10, "looked in {}", package.display());
}
