//! Booklets: all problems of a contest as one page or one PDF.
//!
//! Responsible for their order and their cover. Must not know the layout of a page.

use std::ffi::OsStr;
use std::path::PathBuf;

use judge_model::Problem;
use judge_package::{SelectedPackage, quoted};
use judge_printing::Statement;
use judge_statement::{Cover, letter};

use crate::args::StatementArgs;
use crate::commands::selection::directories;
use crate::commands::statement::Remarks;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::page::typeset_booklet;
use crate::commands::statement::pdf::{self, Press};
use crate::config::Config;
use crate::failure::Failure;

/// The name of a booklet, without the extension.
const NAME: &str = "contest";

/// The directories of the problems of the contest, in order.
pub(super) fn order(
    config: &Config,
    is_named: bool,
    packages: &[SelectedPackage],
) -> Result<Vec<PathBuf>, Failure> {
    let named = &config.workspace.contest.problems;
    if named.is_empty() || is_named {
        return Ok(directories(packages));
    }
    let of_name = |name: &String| {
        let found = packages
            .iter()
            .find(|package| package.directory.file_name() == Some(name.as_ref()));
        found
            .map(|package| package.directory.clone())
            .ok_or_else(|| {
                let known = packages
                    .iter()
                    .filter_map(|package| package.directory.file_name());
                let known = quoted(known.map(OsStr::display));
                Failure::Usage(format!(
                    "`contest.problems` in judge.yaml names the unknown problem `{name}`; expected some of {known}"
                ))
            })
    };
    named.iter().map(of_name).collect()
}

/// The place of a problem in the contest.
pub(super) fn place(order: &[PathBuf], problem: &Problem) -> Option<usize> {
    order
        .iter()
        .position(|directory| *directory == problem.directory)
}

/// Reports the problems of the contest that are missing in the booklet.
pub(super) fn missing(order: &[PathBuf], statements: &[Statement<'_>], remarks: &mut Remarks) {
    remarks.errors.append(&mut remarks.without);
    let is_present = |directory: &PathBuf| {
        statements
            .iter()
            .any(|one| one.problem.directory == *directory)
    };
    let missing = order
        .iter()
        .enumerate()
        .filter(|(_, directory)| !is_present(directory));
    let missing: Vec<String> = missing
        .map(|(place, directory)| {
            format!(
                "{} (`{}`)",
                letter(place),
                directory.file_name().unwrap_or_default().display()
            )
        })
        .collect();
    if !missing.is_empty() {
        let count = order.len();
        remarks.errors.push(format!(
            "the booklet lacks {} of {count} problems: {}",
            missing.len(),
            missing.join(", ")
        ));
    }
}

/// The booklet of statements.
pub(super) fn booklet(
    config: &Config,
    args: &StatementArgs,
    order: &[PathBuf],
    statements: &[Statement<'_>],
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<NamedPage, Failure> {
    let places = statements
        .iter()
        .filter_map(|statement| place(order, statement.problem))
        .collect();
    let cover = Cover {
        places,
        ..cover(config, args, statements)
    };
    if let Some(engine) = args.pdf {
        return pdf::pdf(
            config,
            name_of(&cover),
            engine,
            statements,
            Some(&cover),
            press,
            remarks,
        );
    }
    let html = typeset_booklet(
        config,
        statements,
        &cover,
        &mut |pdf| press.drawing(pdf),
        remarks,
    );
    Ok(NamedPage::html(
        format!("{NAME}.{}.html", cover.language),
        html,
    ))
}

/// The name of a booklet in a directory.
fn name_of(cover: &Cover) -> String {
    format!("{NAME}.{}.pdf", cover.language)
}

fn cover(config: &Config, args: &StatementArgs, statements: &[Statement<'_>]) -> Cover {
    let contest = &config.workspace.contest;
    let directory = config
        .workspace
        .root
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut title = contest.title.clone().unwrap_or(directory);
    if args.solution {
        title.push_str(": solutions");
    }
    let lines = contest
        .subtitle
        .iter()
        .chain(&contest.date)
        .cloned()
        .collect();
    let language = statements
        .first()
        .map_or("en", |one| &one.page.language)
        .to_owned();
    Cover {
        language,
        title,
        lines,
        places: Vec::new(),
    }
}
