//! Booklets: all problems of a contest as one page or one PDF.
//!
//! Responsible for their order and their cover. Must not know what a page looks like.

use judge_model::Problem;
use judge_statement::{Cover, render_booklet};

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

/// Puts the problems in the order of the contest, and leaves out those that are not of it.
pub(super) fn put_in_order(config: &Config, problems: &mut Vec<Problem>) -> Result<(), Failure> {
    let wanted = &config.workspace.contest.problems;
    if wanted.is_empty() {
        return Ok(());
    }
    if let Some(missing) = wanted.iter().find(|name| !problems.iter().any(|problem| problem.name == **name)) {
        let known: Vec<String> = problems.iter().map(|problem| format!("`{}`", problem.name)).collect();
        let text = format!("`contest.problems` in judge.yaml names `{missing}`; there are {}", known.join(", "));
        return Err(Failure::Workspace(text));
    }
    let place = |problem: &Problem| wanted.iter().position(|name| *name == problem.name);
    problems.retain(|problem| place(problem).is_some());
    problems.sort_by_key(place);
    Ok(())
}

/// The booklet of some statements.
pub(super) fn booklet(
    config: &Config,
    args: &StatementArgs,
    chosen: &[Chosen<'_>],
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<NamedPage, Failure> {
    let cover = cover(config, args, chosen);
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
    Cover { language, title, lines }
}
