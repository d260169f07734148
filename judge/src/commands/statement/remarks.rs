//! Remarks on statements: their faults, and parts that are not rendered as intended.
//!
//! Responsible for printing them, and for the exit code. Must not know the layout of a page.

use std::io;

use judge_model::Problem;
use judge_package::{Finding, StatementFile, quoted};
use judge_printing::{Role, Statement};
use judge_report::{Verbosity, printable_lines};
use judge_statement::{Body, PDF_NOTE, Rendered};

use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::write;

/// The maximum number of remarks that are printed about one statement; the others are counted.
const MAX_REMARKS: usize = 5;

/// Remarks on the pages.
#[derive(Default)]
pub(crate) struct Remarks {
    /// Faults of packages.
    pub(crate) errors: Vec<String>,
    /// Parts that are not rendered as intended.
    pub(crate) notes: Vec<String>,
    /// Problems without the requested statement.
    pub(super) without: Vec<String>,
}

impl Remarks {
    pub(super) fn print(&self) -> Result<ExitCode, Failure> {
        let notes = self
            .notes
            .iter()
            .chain(&self.without)
            .map(|note| format!("note: {note}\n"));
        let errors = self.errors.iter().map(|error| format!("error: {error}\n"));
        let text: String = notes
            .chain(errors)
            .map(|text| printable_lines(&text).to_string())
            .collect();
        write(&mut io::stderr(), &text)?;
        Ok(ExitCode::PackageFault.unless(self.errors.is_empty()))
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.errors.append(&mut other.errors);
        self.notes.append(&mut other.notes);
    }

    /// Adds the findings about a page, and those about its images.
    pub(super) fn add_page(
        &mut self,
        config: &Config,
        statement: &Statement<'_>,
        rendered: &Rendered,
        about_images: Self,
    ) {
        let place = config.shown(&statement.file.path);
        if matches!(statement.page.body, Body::Pdf) {
            self.notes.push(format!("{place}: {PDF_NOTE}"));
        }
        self.append(about_images);
        self.errors.extend(
            rendered
                .faults
                .iter()
                .map(|fault| format!("{place}: {fault}")),
        );
        let is_verbose = config.terminal.verbosity >= Verbosity::Verbose;
        let max = if is_verbose { usize::MAX } else { MAX_REMARKS };
        let (first, more) = rendered.remarks.split_at(rendered.remarks.len().min(max));
        self.notes.extend(
            first
                .iter()
                .map(|remark| format!("{place}: line {}: {remark}", remark.line)),
        );
        if !more.is_empty() {
            let mut lines: Vec<String> =
                more.iter().map(|remark| remark.line.to_string()).collect();
            lines.dedup();
            let (count, lines) = (more.len(), lines.join(", "));
            self.notes.push(format!(
                "{place}: {count} more parts are not rendered as intended, in lines {lines}; `-v` lists all of them"
            ));
        }
    }
}

/// The text of an error, with a path relative to the workspace.
pub(super) fn shown(config: &Config, error: &Finding) -> String {
    let mut error = error.clone();
    error.file = config.workspace.known_as(&error.file);
    error
        .display_relative_to(&config.workspace.root)
        .to_string()
}

/// The sentence about a problem without the requested statement.
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
            let found = quoted(languages);
            format!("{place}: the {what} is missing in `{language}`; found {found}")
        }
        _ => format!("{place}: the {what} is missing, such as `{such_as}`"),
    }
}
