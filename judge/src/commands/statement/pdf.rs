//! PDFs of statements: which engine makes one.
//!
//! Responsible for the choice between LaTeX and Chromium, and for saying why it fell. Must not know how an engine is run.

use judge_printing::{Engine, Tool};
use judge_statement::{Cover, tex_document};

use crate::args::StatementArgs;
use crate::commands::statement::job::Job;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::press::Press;
use crate::commands::statement::{Chosen, Remarks, booklet};
use crate::config::Config;
use crate::failure::Failure;

/// Makes a PDF of one statement, or of several with a cover.
pub(super) fn pdf(
    config: &Config,
    args: &StatementArgs,
    chosen: &[Chosen<'_>],
    cover: Option<&Cover>,
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<NamedPage, Failure> {
    let name = cover.map_or_else(|| format!("{}.pdf", chosen[0].name), booklet::name_of);
    let pages: Vec<_> = chosen.iter().map(|one| one.page.clone()).collect();
    let job = Job { config, chosen, cover, document: tex_document(&pages, cover) };
    let mut rest = engines(args, &job, press)?;
    let (mut engine, mut tool) = rest.remove(0);
    loop {
        let mut told = Remarks::default();
        let printed = job.print(engine, &tool, press, &mut told)?;
        // The other engine has its turn where this one did not understand the statement.
        let why = match &printed {
            Ok(printed) => printed.complaints.first().map(|complaint| job.place_of(complaint)),
            Err(nothing) => Some(nothing.why.clone()),
        };
        if let Some(why) = why.filter(|_| !rest.is_empty()) {
            let next = rest.remove(0);
            remarks.notes.push(format!("{why}\nnote: so {} takes the place of {engine}", next.0));
            (engine, tool) = next;
            continue;
        }
        let printed = printed.map_err(|nothing| match nothing.is_of_statement {
            true => Failure::Package(nothing.why),
            false => Failure::Printing(nothing.why),
        })?;
        let complaints = &printed.complaints;
        remarks.errors.extend(complaints.iter().map(|complaint| job.place_of(complaint)));
        remarks.errors.append(&mut told.errors);
        remarks.notes.append(&mut told.notes);
        return Ok(NamedPage::pdf(name, printed.pdf, Some(engine)));
    }
}

/// The engines that may be used and are there, the one to try first at the front.
fn engines(args: &StatementArgs, job: &Job<'_>, press: &Press<'_>) -> Result<Vec<(Engine, Tool)>, Failure> {
    let is_whole = job.document.left_out.is_empty();
    let order = match args.engine {
        Some(engine) => vec![engine],
        None if is_whole => vec![Engine::Latex, Engine::Chromium],
        None => vec![Engine::Chromium, Engine::Latex],
    };
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for engine in order {
        match press.tool(engine) {
            Ok(tool) => found.push((engine, tool)),
            Err(why) => missing.push(format!("there is no {engine}: {why}")),
        }
    }
    if found.is_empty() {
        let hint = "install pdfLaTeX (Debian: `texlive-latex-recommended`) or Chromium; a browser prints the page that \
            `judge statement` makes without `--pdf`";
        return Err(Failure::Printing(format!("no PDF can be made\n{}\nhint: {hint}", missing.join("\n"))));
    }
    Ok(found)
}
