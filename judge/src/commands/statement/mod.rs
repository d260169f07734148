//! `judge statement`: the statements of problems as pages, as PDFs, and as booklets.
//!
//! Responsible for the selection of statements. Must not know the content of a page, nor where
//! pages go.

mod booklet;
pub(crate) mod output;
pub(crate) mod page;
pub(crate) mod pdf;
mod remarks;

use judge_package::{
    StatementKind, load_despite_data, preferred_statements, solution_files, statement_files,
};
use judge_printing::{Role, Statement};
pub(crate) use output::is_own_page;
pub(crate) use remarks::Remarks;

use crate::args::StatementArgs;
use crate::commands::selection::select_packages;
use crate::commands::statement::output::{NamedPage, put};
use crate::commands::statement::page::typeset;
use crate::commands::statement::pdf::Press;
use crate::commands::statement::remarks::{shown, without};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

pub(crate) fn run(config: &Config, args: &StatementArgs) -> Result<ExitCode, Failure> {
    if args.contest && args.language.as_deref() == Some("all") {
        return Err(Failure::Usage(
            "a booklet is in one language\nhint: name it with `--language`".to_owned(),
        ));
    }
    let selection = select_packages(config, &args.selection.what)?;
    let mut remarks = Remarks::default();
    let mut problems = Vec::new();
    for package in &selection.packages {
        // A statement is written before there is any test data.
        match load_despite_data(&package.directory, &config.workspace) {
            Ok(loaded) => problems.push(loaded.problem),
            Err(errors) => remarks
                .errors
                .push(Failure::package(&errors, &config.workspace.root).to_string()),
        }
    }
    selection.check(problems.iter())?;
    let mut order = Vec::new();
    if args.contest {
        order = booklet::order(config, !args.selection.what.is_empty(), &selection.packages)?;
        problems.retain(|problem| booklet::place(&order, problem).is_some());
        problems.sort_by_key(|problem| booklet::place(&order, problem));
    }
    let role = if args.solution {
        Role::Solution
    } else {
        Role::Statement
    };
    let mut statements = Vec::new();
    for problem in &problems {
        let files = match role {
            Role::Statement => statement_files(problem),
            Role::Solution => solution_files(problem),
        };
        let preferred = preferred_statements(&files, args.language.as_deref());
        // A problem without a statement does not keep the others from being rendered. It is
        // reported at the end.
        if preferred.is_empty() {
            remarks.without.push(without(
                config,
                problem,
                &files,
                args.language.as_deref(),
                role,
            ));
        }
        for file in preferred {
            match Statement::read(problem, file, role) {
                Ok(statement) => statements.push(statement),
                Err(errors) => remarks
                    .errors
                    .extend(errors.iter().map(|error| shown(config, error))),
            }
        }
    }
    let mut press = Press::new(config, args.isolation.level);
    let pages = if args.contest && !statements.is_empty() {
        booklet::missing(&order, &statements, &mut remarks);
        vec![booklet::booklet(
            config,
            args,
            &order,
            &statements,
            &mut press,
            &mut remarks,
        )?]
    } else {
        pages(config, args, &statements, &mut press, &mut remarks)?
    };
    if pages.is_empty() && remarks.errors.is_empty() {
        return Err(Failure::NothingSelected(remarks.without.join("\n")));
    }
    put(config, &args.output, &pages)?;
    remarks.print()
}

fn pages(
    config: &Config,
    args: &StatementArgs,
    statements: &[Statement<'_>],
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<Vec<NamedPage>, Failure> {
    let mut pages = Vec::new();
    for statement in statements {
        let name = |ending| format!("{}.{ending}", statement.name);
        pages.push(match args.pdf {
            None => {
                let html = typeset(config, statement, &mut |pdf| press.drawing(pdf), remarks);
                NamedPage::html(name("html"), html)
            }
            Some(_) if statement.file.kind == StatementKind::Pdf => {
                let pdf = statement.file.pdf(statement.problem);
                NamedPage::pdf(
                    name("pdf"),
                    pdf.map_err(|error| Failure::Package(shown(config, &error)))?,
                    None,
                )
            }
            Some(engine) => pdf::pdf(
                config,
                name("pdf"),
                engine,
                std::slice::from_ref(statement),
                None,
                press,
                remarks,
            )?,
        });
    }
    Ok(pages)
}
