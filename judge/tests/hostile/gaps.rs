//! The table of gaps in `judge/docs/reference/isolation.md`.
//!
//! Responsible for generating it from the declarations and for comparing or rewriting it. Must not
//! run anything.

use std::fs;
use std::path::{Path, PathBuf};

use judge_model::IsolationLevel;

use crate::case::Case;

const BEGIN: &str =
    "<!-- gaps begin: written by `UPDATE=1 cargo test -p judge --test hostile` -->\n";
const END: &str = "<!-- gaps end -->\n";

/// The levels with guarantees.
pub(crate) const LEVELS: [IsolationLevel; 4] = [
    IsolationLevel::Full,
    IsolationLevel::Namespaces,
    IsolationLevel::User,
    IsolationLevel::Landlock,
];

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/isolation.md")
}

fn table(cases: &[Case]) -> String {
    let mut gaps: Vec<(&str, Vec<(IsolationLevel, &str)>)> = Vec::new();
    for case in cases {
        for level in LEVELS {
            let Some(reason) = case.gap(level) else {
                continue;
            };
            match gaps.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, found)) => found.push((level, &case.name)),
                None => gaps.push((reason, vec![(level, &case.name)])),
            }
        }
    }
    let mut text =
        String::from("| what is not held | full | namespaces | user | landlock | shown by |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for (reason, found) in gaps {
        let cell = |level| {
            if found.iter().any(|(at, _)| *at == level) {
                "gap"
            } else {
                ""
            }
        };
        let mut names: Vec<String> = found.iter().map(|(_, name)| format!("`{name}`")).collect();
        names.dedup();
        let cells: Vec<&str> = LEVELS.into_iter().map(cell).collect();
        text.push_str(
            &format!(
                "| {reason} | {} | {} |\n",
                cells.join(" | "),
                names.join(", ")
            )
            .replace("|  |", "| |"),
        );
    }
    text.replace("|  |", "| |")
}

/// Compares the table with the page, or writes it there when `UPDATE=1` is set.
pub(crate) fn check(cases: &[Case]) -> Result<(), String> {
    let page = page();
    let text =
        fs::read_to_string(&page).map_err(|error| format!("`{}`: {error}", page.display()))?;
    let parts = text
        .split_once(BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(END)?)));
    let Some((head, (found, tail))) = parts else {
        return Err(format!(
            "`{}` has no place for the table: {BEGIN}…{END}",
            page.display()
        ));
    };
    let expected = table(cases);
    if found == expected {
        return Ok(());
    }
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        return fs::write(&page, format!("{head}{BEGIN}{expected}{END}{tail}"))
            .map_err(|error| error.to_string());
    }
    Err(format!(
        "the table of gaps in `{}` is not what the cases declare; `UPDATE=1 cargo test -p judge --test hostile` rewrites it\nexpected:\n{expected}\nfound:\n{found}",
        page.display()
    ))
}
