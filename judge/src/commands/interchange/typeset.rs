//! Statements in the forms that other judges take.
//!
//! Responsible for what is read for them. Must not know which judge takes what.

use judge_interchange::pack::TypesetStatement;
use judge_model::Problem;
use judge_package::{Credits, StatementKind, preferred_statements, statement_files};
use judge_statement::{TexStatement, markdown_to_tex};

use crate::commands::statement::Remarks;
use crate::commands::statement::page::page;
use crate::config::Config;
use crate::failure::Failure;

/// The statements of a problem, one in each language.
///
/// # Errors
/// When one cannot be read, or shows what is not there.
pub(super) fn statements(config: &Config, problem: &Problem) -> Result<Vec<TypesetStatement>, Failure> {
    let files = statement_files(problem);
    let credits = Credits::read(&problem.directory).unwrap_or_default();
    let mut typeset = Vec::new();
    for file in preferred_statements(&files, Some("all")) {
        let mut statement = TypesetStatement {
            language: file.language.clone(),
            kind: file.kind,
            path: file.path.clone(),
            html: None,
            tex: None,
            not_in_tex: Vec::new(),
        };
        if file.kind == StatementKind::Markdown {
            let mut remarks = Remarks::default();
            statement.html = page(config, problem, file, &mut remarks);
            if !remarks.errors.is_empty() {
                return Err(Failure::Package(remarks.errors.join("\n")));
            }
            let text = file.text(problem).map_err(|error| Failure::Package(error.to_string()))?;
            let title = credits.name(&file.language).unwrap_or(&problem.title);
            let TexStatement { text, left_out } = markdown_to_tex(title, &text);
            (statement.tex, statement.not_in_tex) = (Some(text), left_out);
        }
        typeset.push(statement);
    }
    Ok(typeset)
}
