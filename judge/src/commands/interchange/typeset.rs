//! Statements in the forms that other judges accept.
//!
//! Responsible for reading and typesetting them. Must not know which judge accepts which form.

use judge_interchange::pack::{Package, Target, TypesetPdf, TypesetStatement};
use judge_package::{
    Credits, LoadedPackage, StatementFile, StatementKind, preferred_statements, statement_files,
};
use judge_printing::{Role, Statement};
use judge_statement::{TexStatement, markdown_to_tex};

use crate::commands::statement::Remarks;
use crate::commands::statement::page::page;
use crate::commands::statement::pdf::pdf;
use crate::commands::statement::press::Press;
use crate::config::Config;
use crate::failure::Failure;

/// The statements of a problem, one per language; as a PDF if the target accepts no other form.
///
/// # Errors
/// When a statement cannot be read, or shows a missing file.
pub(super) fn statements(
    config: &Config,
    loaded: &LoadedPackage,
    target: Target,
) -> Result<Vec<TypesetStatement>, Failure> {
    let problem = &loaded.problem;
    let files = statement_files(problem);
    let files = preferred_statements(&files, Some("all"));
    let credits = Credits::read(&problem.directory).unwrap_or_default();
    let mut typeset = Vec::new();
    for file in &files {
        let mut statement = TypesetStatement {
            language: file.language.clone(),
            kind: file.kind,
            path: file.path.clone(),
            html: None,
            tex: None,
            not_in_tex: Vec::new(),
            pdf: None,
        };
        if file.kind == StatementKind::Markdown
            && !target.leaves_out(&problem.directory, &file.path)
        {
            let mut remarks = Remarks::default();
            statement.html = page(config, problem, file, &mut remarks);
            if !remarks.errors.is_empty() {
                return Err(Failure::Package(remarks.errors.join("\n")));
            }
            let text = file
                .text(problem)
                .map_err(|error| Failure::Package(error.to_string()))?;
            let title = credits.name(&file.language).unwrap_or(&problem.title);
            let TexStatement { text, left_out } = markdown_to_tex(title, &text);
            (statement.tex, statement.not_in_tex) = (Some(text), left_out);
        }
        typeset.push(statement);
    }
    // Typesetting takes seconds, so only the statement that the target prints is typeset.
    if let Some(index) = target.statement_to_print(&Package {
        loaded,
        statements: &typeset,
        wants_tex: false,
    }) {
        typeset[index].pdf = Some(print_statement(config, loaded, files[index])?);
    }
    Ok(typeset)
}

/// A statement as a PDF, or the reason why it is missing, which does not keep the package from
/// being packed.
fn print_statement(
    config: &Config,
    loaded: &LoadedPackage,
    file: &StatementFile,
) -> Result<TypesetPdf, Failure> {
    let statement = match Statement::read(&loaded.problem, file, Role::Statement) {
        Ok(statement) => statement,
        Err(errors) => {
            return Ok(Err(errors
                .first()
                .map(ToString::to_string)
                .unwrap_or_default()));
        }
    };
    let mut remarks = Remarks::default();
    match pdf(
        config,
        String::new(),
        None,
        &[statement],
        None,
        &mut Press::new(config, None),
        &mut remarks,
    ) {
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(failure) => Ok(Err(one_line(&failure.to_string()))),
        // A PDF that lacks a part of the statement is worse than none: the gap may be noticed only
        // during the contest.
        Ok(page) => Ok(match remarks.errors.first() {
            None => Ok(page.content),
            Some(error) => Err(one_line(error)),
        }),
    }
}

/// Several lines as one.
fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("; ")
}
