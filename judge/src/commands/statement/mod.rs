//! `judge statement`: the statements of problems as pages.
//!
//! Responsible for which statements are meant, for what is told besides the pages, and for the exit code. Must not know what
//! is on a page, nor where pages go.

mod output;
pub(crate) mod page;

use std::io;

use judge_model::Problem;
use judge_package::{StatementFile, load_despite_data, preferred_statements, statement_files};
use judge_report::printable_lines;

use crate::args::StatementArgs;
use crate::commands::judging::run::{select_failure, select_packages};
use crate::commands::statement::output::{NamedPage, put};
use crate::commands::statement::page::page;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;

pub(crate) fn carry_out(config: &Config, args: &StatementArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, &args.selection.what)?;
    let mut remarks = Remarks::default();
    let mut problems = Vec::new();
    for package in &selection.packages {
        // A statement is written before there is any test data.
        match load_despite_data(&package.directory, &config.workspace) {
            Ok(loaded) => problems.push(loaded.problem),
            Err(errors) => remarks.errors.push(Failure::package(&errors, &config.workspace.root).to_string()),
        }
    }
    selection.check(problems.iter()).map_err(|error| select_failure(&error))?;
    let mut pages = Vec::new();
    for problem in &problems {
        let files = statement_files(problem);
        let wanted = preferred_statements(&files, args.language.as_deref());
        if wanted.is_empty() {
            remarks.without.push(without(config, problem, &files, args.language.as_deref()));
        }
        for file in wanted {
            let html = page(config, problem, file, &mut remarks);
            let name = || format!("{}.{}.html", problem.name, file.language);
            pages.extend(html.map(|html| NamedPage { name: name(), html }));
        }
    }
    if pages.is_empty() && remarks.errors.is_empty() {
        return Err(Failure::NothingSelected(remarks.without.join("\n")));
    }
    put(config, &args.output, &pages)?;
    remarks.print()
}

/// Remarks on the pages.
#[derive(Default)]
pub(crate) struct Remarks {
    /// Faults of packages.
    pub(crate) errors: Vec<String>,
    /// Parts that are shown otherwise than they were meant.
    pub(crate) notes: Vec<String>,
    /// Problems without the statement that was asked for.
    without: Vec<String>,
}

impl Remarks {
    fn print(&self) -> Result<ExitCode, Failure> {
        let notes = self.notes.iter().chain(&self.without).map(|note| format!("note: {note}\n"));
        let errors = self.errors.iter().map(|error| format!("error: {error}\n"));
        let text: String = notes.chain(errors).map(|text| printable_lines(&text).to_string()).collect();
        write(&mut io::stderr(), &text)?;
        Ok(if self.errors.is_empty() { ExitCode::AsExpected } else { ExitCode::PackageFault })
    }
}

fn without(config: &Config, problem: &Problem, files: &[StatementFile], language: Option<&str>) -> String {
    let place = config.shown(&problem.directory);
    let mut languages: Vec<&str> = files.iter().map(|file| file.language.as_str()).collect();
    languages.dedup();
    match language {
        Some(language) if !languages.is_empty() => {
            let found = languages.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(", ");
            format!("{place}: there is no statement in `{language}`; found {found}")
        }
        _ => format!("{place}: there is no statement, such as `statement/problem.en.md`"),
    }
}
