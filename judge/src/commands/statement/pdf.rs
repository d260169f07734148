//! PDFs of statements.
//!
//! Responsible for the choice between LaTeX and Chromium, and for its reason. Must not know how an
//! engine is run.

use std::io;

use judge_printing::{Complaint, Document, DocumentError, Engine, Source, Statement, Tool};
use judge_statement::Cover;

use crate::commands::statement::Remarks;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::page::{typeset, typeset_booklet};
use crate::commands::statement::press::Press;
use crate::commands::statement::remarks::shown;
use crate::config::Config;
use crate::failure::Failure;

/// The maximum number of LaTeX errors that are shown if it made no document.
const MAX_COMPLAINTS: usize = 3;

/// Makes a PDF of one statement, or of several with a cover; by this engine, or else by one that is
/// available.
pub(crate) fn pdf(
    config: &Config,
    name: String,
    engine: Option<Engine>,
    statements: &[Statement<'_>],
    cover: Option<&Cover>,
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<NamedPage, Failure> {
    let document = Document::new(statements, cover);
    let describe = |complaint: &Complaint| document.describe(complaint, &|path| config.shown(path));
    let mut rest = engines(engine, document.left_out().next().is_none(), press)?;
    let (mut engine, mut tool) = rest.remove(0);
    loop {
        // Remarks of an engine that failed are not reported: its document is discarded.
        let mut found = Remarks::default();
        let source = match engine {
            Engine::Latex => tex_source(config, &document, &mut found)?,
            Engine::Chromium => page_source(config, statements, cover, press, &mut found)?,
        };
        let printed = press.print(engine, &tool, &source)?.map_err(|nothing| {
            let complaints = nothing.complaints.iter().take(MAX_COMPLAINTS).map(describe);
            (
                complaints
                    .chain([nothing.why])
                    .collect::<Vec<_>>()
                    .join("\n"),
                nothing.is_statement_error,
            )
        });
        let why = match &printed {
            Ok(printed) => printed.complaints.first().map(describe),
            Err((why, _)) => Some(why.clone()),
        };
        // The other engine is tried if this one does not understand the statement.
        if let Some(why) = why.filter(|_| !rest.is_empty()) {
            let next = rest.remove(0);
            remarks.notes.push(format!(
                "{why}\nnote: so {} is used instead of {engine}",
                next.0
            ));
            (engine, tool) = next;
            continue;
        }
        let printed = printed.map_err(|(why, is_statement_error)| match is_statement_error {
            true => Failure::Package(why),
            false => Failure::Printing(why),
        })?;
        remarks
            .errors
            .extend(printed.complaints.iter().map(describe));
        remarks.append(found);
        return Ok(NamedPage::pdf(name, printed.pdf, Some(engine)));
    }
}

/// The files for LaTeX.
fn tex_source(
    config: &Config,
    document: &Document<'_>,
    remarks: &mut Remarks,
) -> Result<Source, Failure> {
    let (source, unreadable) = document.tex_source().map_err(|error| match error {
        DocumentError::Io(error) => unwritten(error),
        DocumentError::Package(error) => Failure::Package(shown(config, &error)),
    })?;
    remarks
        .errors
        .extend(unreadable.iter().map(|error| shown(config, error)));
    for (path, what) in document.left_out() {
        remarks
            .notes
            .push(format!("{}: in LaTeX it {what}", config.shown(path)));
    }
    Ok(source)
}

/// The page for a browser.
fn page_source(
    config: &Config,
    statements: &[Statement<'_>],
    cover: Option<&Cover>,
    press: &mut Press<'_>,
    remarks: &mut Remarks,
) -> Result<Source, Failure> {
    let convert = &mut |pdf: &[u8]| press.drawing(pdf);
    let html = match cover {
        Some(cover) => typeset_booklet(config, statements, cover, convert, remarks),
        None => typeset(config, &statements[0], convert, remarks),
    };
    let source = Source::new().map_err(unwritten)?;
    source
        .add("main.html", html.as_bytes())
        .map_err(unwritten)?;
    Ok(source)
}

fn unwritten(source: io::Error) -> Failure {
    Failure::write("a document", source)
}

/// The available engines, in the order of trying. LaTeX comes first unless it cannot express the
/// whole statement.
fn engines(
    engine: Option<Engine>,
    is_whole: bool,
    press: &Press<'_>,
) -> Result<Vec<(Engine, Tool)>, Failure> {
    let order = match engine {
        Some(engine) => vec![engine],
        None if is_whole => vec![Engine::Latex, Engine::Chromium],
        None => vec![Engine::Chromium, Engine::Latex],
    };
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for engine in order {
        match press.tool(engine) {
            Ok(tool) => found.push((engine, tool)),
            Err(why) => missing.push(format!("no {engine}: {why}")),
        }
    }
    if found.is_empty() {
        let hint = "install pdfLaTeX (Debian: `texlive-latex-recommended`) or Chromium; a browser prints the page that \
            `judge statement` makes without `--pdf`";
        return Err(Failure::Printing(format!(
            "no PDF can be made\n{}\nhint: {hint}",
            missing.join("\n")
        )));
    }
    Ok(found)
}
