//! Remarks on statements: what is wrong with them, and what is shown otherwise than it was meant.
//!
//! Responsible for how they are told, and for the exit code. Must not know what a page looks like.

use std::io;

use judge_model::Problem;
use judge_package::{PackageError, StatementFile};
use judge_report::{Verbosity, printable_lines};
use judge_statement::{Body, Page, Rendered};

use crate::commands::statement::reading::Role;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;

/// More remarks about one statement than these are counted.
const MOST_REMARKS: usize = 5;

/// Remarks on the pages.
#[derive(Default)]
pub(crate) struct Remarks {
    /// Faults of packages.
    pub(crate) errors: Vec<String>,
    /// Parts that are shown otherwise than they were meant.
    pub(crate) notes: Vec<String>,
    /// Problems without the statement that was asked for.
    pub(super) without: Vec<String>,
}

impl Remarks {
    pub(super) fn print(&self) -> Result<ExitCode, Failure> {
        let notes = self.notes.iter().chain(&self.without).map(|note| format!("note: {note}\n"));
        let errors = self.errors.iter().map(|error| format!("error: {error}\n"));
        let text: String = notes.chain(errors).map(|text| printable_lines(&text).to_string()).collect();
        write(&mut io::stderr(), &text)?;
        Ok(if self.errors.is_empty() { ExitCode::AsExpected } else { ExitCode::PackageFault })
    }
}

/// A fault of a package, or a note.
pub(super) enum About {
    Error(String),
    Note(String),
}

/// Tells what there is to tell about a page.
pub(super) fn remark(
    config: &Config,
    file: &StatementFile,
    page: &Page,
    rendered: &Rendered,
    about: Vec<About>,
    remarks: &mut Remarks,
) {
    let place = config.shown(&file.path);
    if let Body::NotTypeset { why, .. } = &page.body {
        remarks.notes.push(format!("{place}: {why}"));
    }
    for about in about {
        match about {
            About::Error(text) => remarks.errors.push(text),
            About::Note(text) => remarks.notes.push(text),
        }
    }
    remarks.errors.extend(rendered.faults.iter().map(|fault| format!("{place}: {fault}")));
    let most = if config.terminal.verbosity >= Verbosity::Verbose { usize::MAX } else { MOST_REMARKS };
    let (first, more) = rendered.remarks.split_at(rendered.remarks.len().min(most));
    remarks.notes.extend(first.iter().map(|remark| format!("{place}: line {}: {remark}", remark.line)));
    if !more.is_empty() {
        let mut lines: Vec<String> = more.iter().map(|remark| remark.line.to_string()).collect();
        lines.dedup();
        let (count, lines) = (more.len(), lines.join(", "));
        remarks.notes.push(format!(
            "{place}: {count} more parts are shown otherwise than they were meant, in the lines {lines}; `-v` tells each"
        ));
    }
}

pub(super) fn shown(config: &Config, error: &PackageError) -> String {
    let mut error = error.clone();
    error.file = config.workspace.known_as(&error.file);
    error.display_relative_to(&config.workspace.root).to_string()
}

pub(super) fn without(
    config: &Config,
    problem: &Problem,
    files: &[StatementFile],
    language: Option<&str>,
    role: Role,
) -> String {
    let place = config.shown(&problem.directory);
    let (what, such_as) = match role {
        Role::Statement => ("statement", "statement/problem.en.md"),
        Role::Solution => ("description of a solution", "solution/solution.en.md"),
    };
    let mut languages: Vec<&str> = files.iter().map(|file| file.language.as_str()).collect();
    languages.dedup();
    match language {
        Some(language) if !languages.is_empty() => {
            let found = languages.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(", ");
            format!("{place}: the {what} is missing in `{language}`; found {found}")
        }
        _ => format!("{place}: the {what} is missing, such as `{such_as}`"),
    }
}
