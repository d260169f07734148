//! `judge statement`: the statements of problems as pages, as PDFs, and as booklets.
//!
//! Responsible for which statements are meant, for what is told besides the pages, and for the exit code. Must not know what
//! is on a page, nor where pages go.

mod booklet;
mod job;
mod output;
mod own_files;
pub(crate) mod page;
mod pdf;
mod press;
mod reading;
mod remarks;

use judge_model::Problem;
use judge_package::{
    StatementFile, StatementKind, load_despite_data, preferred_statements, solution_files, statement_files,
};
use judge_statement::Page;

pub(crate) use remarks::Remarks;

use crate::args::StatementArgs;
use crate::commands::selection::{select_failure, select_packages};
use crate::commands::statement::output::{NamedPage, put};
use crate::commands::statement::page::typeset;
use crate::commands::statement::press::Press;
use crate::commands::statement::reading::{Role, read};
use crate::commands::statement::remarks::{shown, without};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

pub(crate) fn carry_out(config: &Config, args: &StatementArgs) -> Result<ExitCode, Failure> {
    if args.contest && args.language.as_deref() == Some("all") {
        return Err(Failure::Usage("a booklet is in one language\nhint: name it with `--language`".to_owned()));
    }
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
    let mut order = Vec::new();
    if args.contest {
        order = booklet::order(config, !args.selection.what.is_empty(), &selection.packages)?;
        problems.retain(|problem| booklet::place(&order, problem).is_some());
        problems.sort_by_key(|problem| booklet::place(&order, problem));
    }
    let role = if args.solution { Role::Solution } else { Role::Statement };
    let mut chosen = Vec::new();
    for problem in &problems {
        let files = match role {
            Role::Statement => statement_files(problem),
            Role::Solution => solution_files(problem),
        };
        let wanted = preferred_statements(&files, args.language.as_deref());
        if wanted.is_empty() {
            remarks.without.push(without(config, problem, &files, args.language.as_deref(), role));
        }
        chosen.extend(wanted.into_iter().filter_map(|file| choose(config, problem, file.clone(), role, &mut remarks)));
    }
    let mut press = Press::new(config, args);
    let pages = if args.contest && !chosen.is_empty() {
        booklet::missing(&order, &chosen, &mut remarks);
        vec![booklet::booklet(config, args, &order, &chosen, &mut press, &mut remarks)?]
    } else {
        pages(config, args, &chosen, &mut press, &mut remarks)?
    };
    if pages.is_empty() && remarks.errors.is_empty() {
        return Err(Failure::NothingSelected(remarks.without.join("\n")));
    }
    put(config, &args.output, &pages)?;
    remarks.print()
}

/// A statement that is wanted, with all that its page shows but for images.
struct Chosen<'p> {
    problem: &'p Problem,
    file: StatementFile,
    page: Page,
    /// The name of what is made of it, without the extension.
    name: String,
}

fn choose<'p>(
    config: &Config,
    problem: &'p Problem,
    file: StatementFile,
    role: Role,
    remarks: &mut Remarks,
) -> Option<Chosen<'p>> {
    let what = if role == Role::Solution { ".solution" } else { "" };
    let name = format!("{}{what}.{}", problem.name, file.language);
    match read(problem, &file, role) {
        Ok(page) => Some(Chosen { problem, file, page, name }),
        Err(errors) => {
            remarks.errors.extend(errors.iter().map(|error| shown(config, error)));
            None
        }
    }
}

fn pages(
    config: &Config,
    args: &StatementArgs,
    chosen: &[Chosen<'_>],
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<Vec<NamedPage>, Failure> {
    let mut pages = Vec::new();
    for one in chosen {
        let html = format!("{}.html", one.name);
        pages.push(if !args.pdf {
            let mut convert = |pdf: &[u8]| press.drawing(pdf);
            NamedPage::html(html, typeset(config, one.problem, &one.file, &one.page, &mut convert, remarks))
        } else if one.file.kind == StatementKind::Pdf {
            let pdf = one.file.pdf(one.problem).map_err(|error| Failure::Package(shown(config, &error)))?;
            NamedPage::pdf(format!("{}.pdf", one.name), pdf, None)
        } else {
            let one = std::slice::from_ref(one);
            pdf::pdf(config, args, one, None, press, remarks)?
        });
    }
    Ok(pages)
}
