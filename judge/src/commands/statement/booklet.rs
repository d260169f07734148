//! Booklets: all problems of a contest as one page or one PDF.
//!
//! Responsible for their order and their cover. Must not know what a page looks like.

use std::path::PathBuf;

use judge_model::Problem;
use judge_package::SelectedPackage;
use judge_statement::{Cover, letter, render_booklet};

use crate::args::StatementArgs;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::page::image;
use crate::commands::statement::press::Press;
use crate::commands::statement::remarks::remark;
use crate::commands::statement::{Chosen, Remarks, pdf};
use crate::config::Config;
use crate::failure::Failure;

/// The name of a booklet, without the extension.
const NAME: &str = "contest";

/// The directories of the problems of the contest, in order.
pub(super) fn order(config: &Config, is_named: bool, packages: &[SelectedPackage]) -> Result<Vec<PathBuf>, Failure> {
    let wanted = &config.workspace.contest.problems;
    if wanted.is_empty() || is_named {
        return Ok(packages.iter().map(|package| package.directory.clone()).collect());
    }
    let of_name = |name: &String| {
        let found = packages.iter().find(|package| package.directory.file_name() == Some(name.as_ref()));
        found.map(|package| package.directory.clone()).ok_or_else(|| {
            let known = packages.iter().filter_map(|package| package.directory.file_name());
            let known: Vec<String> = known.map(|name| format!("`{}`", name.display())).collect();
            let text = format!("`contest.problems` in judge.yaml names `{name}`; there are {}", known.join(", "));
            Failure::Workspace(text)
        })
    };
    wanted.iter().map(of_name).collect()
}

/// The place of a problem in the contest.
pub(super) fn place(order: &[PathBuf], problem: &Problem) -> Option<usize> {
    order.iter().position(|directory| *directory == problem.directory)
}

/// Tells of the problems of the contest that are not in the booklet.
pub(super) fn missing(order: &[PathBuf], chosen: &[Chosen<'_>], remarks: &mut Remarks) {
    remarks.errors.append(&mut remarks.without);
    let is_there = |directory: &PathBuf| chosen.iter().any(|one| one.problem.directory == *directory);
    let gone = order.iter().enumerate().filter(|(_, directory)| !is_there(directory));
    let gone: Vec<String> = gone
        .map(|(place, directory)| {
            format!("{} (`{}`)", letter(place), directory.file_name().unwrap_or_default().display())
        })
        .collect();
    if !gone.is_empty() {
        let count = order.len();
        remarks.errors.push(format!("the booklet lacks {} of {count} problems: {}", gone.len(), gone.join(", ")));
    }
}

/// The booklet of some statements.
pub(super) fn booklet(
    config: &Config,
    args: &StatementArgs,
    order: &[PathBuf],
    chosen: &[Chosen<'_>],
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<NamedPage, Failure> {
    let places = chosen.iter().filter_map(|one| place(order, one.problem)).collect();
    let cover = Cover { places, ..cover(config, args, chosen) };
    if args.pdf {
        return pdf::pdf(config, args, chosen, Some(&cover), press, remarks);
    }
    let html = html(config, chosen, &cover, press, remarks);
    Ok(NamedPage::html(format!("{NAME}.{}.html", cover.language), html))
}

/// The booklet as a page.
pub(super) fn html(
    config: &Config,
    chosen: &[Chosen<'_>],
    cover: &Cover,
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> String {
    let pages: Vec<_> = chosen.iter().map(|one| one.page.clone()).collect();
    let mut about: Vec<Vec<_>> = chosen.iter().map(|_| Vec::new()).collect();
    let (html, rendered) = render_booklet(&pages, cover, &mut |index, address| {
        let one = &chosen[index];
        let mut convert = |pdf: &[u8]| press.drawing(pdf);
        image(config, one.problem, &one.file, address, &mut convert, &mut about[index])
    });
    for ((one, rendered), about) in chosen.iter().zip(&rendered).zip(about) {
        remark(config, &one.file, &one.page, rendered, about, remarks);
    }
    html
}

/// The name of a booklet in a directory.
pub(super) fn name_of(cover: &Cover) -> String {
    format!("{NAME}.{}.pdf", cover.language)
}

fn cover(config: &Config, args: &StatementArgs, chosen: &[Chosen<'_>]) -> Cover {
    let contest = &config.workspace.contest;
    let directory = config.workspace.root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut title = contest.title.clone().unwrap_or(directory);
    if args.solution {
        title.push_str(": solutions");
    }
    let lines = contest.subtitle.iter().chain(&contest.date).cloned().collect();
    let language = chosen.first().map_or("en", |one| &one.page.language).to_owned();
    Cover { language, title, lines, places: Vec::new() }
}
