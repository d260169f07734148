//! PDFs of statements: which engine makes one, and what it is given.
//!
//! Responsible for the choice between LaTeX and Chromium, and for saying why it fell. Must not know how an engine is run.

use judge_package::{StatementKind, pictures_beside};
use judge_printing::{Complaint, Engine, Printed, Source, Tool};
use judge_statement::{Cover, TexDocument, tex_document};

use crate::args::StatementArgs;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::page::{shown, typeset};
use crate::commands::statement::press::{NothingPrinted, Press};
use crate::commands::statement::{Chosen, Remarks, booklet};
use crate::config::Config;
use crate::failure::Failure;

/// As many complaints of LaTeX are shown where it made nothing.
const MOST_COMPLAINTS: usize = 3;

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

/// The statements that one PDF is made of.
struct Job<'j> {
    config: &'j Config,
    chosen: &'j [Chosen<'j>],
    cover: Option<&'j Cover>,
    document: TexDocument,
}

impl Job<'_> {
    fn print(
        &self,
        engine: Engine,
        tool: &Tool,
        press: &mut Press<'_>,
        remarks: &mut Remarks,
    ) -> Result<Result<Printed, NothingPrinted>, Failure> {
        let failed = |source| Failure::Write { what: "a document".to_owned(), source };
        let source = Source::new().map_err(failed)?;
        match engine {
            Engine::Latex => self.give_tex(&source, remarks)?,
            Engine::Chromium => {
                let html = match (self.cover, self.chosen) {
                    (Some(cover), chosen) => booklet::html(self.config, chosen, cover, press, remarks),
                    (None, chosen) => {
                        let one = &chosen[0];
                        let mut convert = |pdf: &[u8]| press.drawing(pdf);
                        typeset(self.config, one.problem, &one.file, &one.page, &mut convert, remarks)
                    }
                };
                source.add("main.html", html.as_bytes()).map_err(failed)?;
            }
        }
        let printed = press.print(engine, tool, &source)?;
        Ok(printed.map_err(|nothing| {
            let complaints = nothing.complaints.iter().take(MOST_COMPLAINTS).map(|complaint| self.place_of(complaint));
            NothingPrinted { why: complaints.chain([nothing.why]).collect::<Vec<_>>().join("\n"), ..nothing }
        }))
    }

    fn give_tex(&self, source: &Source, remarks: &mut Remarks) -> Result<(), Failure> {
        let failed = |source| Failure::Write { what: "a document".to_owned(), source };
        for (index, one) in self.chosen.iter().enumerate() {
            let directory = TexDocument::directory(index);
            for (name, bytes) in pictures_beside(one.problem, &one.file) {
                source.add(&format!("{directory}/{name}"), &bytes).map_err(failed)?;
            }
            if one.file.kind == StatementKind::Pdf {
                let pdf = one.file.pdf(one.problem).map_err(|error| Failure::Package(shown(self.config, &error)))?;
                source.add(&format!("{directory}/statement.pdf"), &pdf).map_err(failed)?;
            }
        }
        for (name, text) in &self.document.files {
            source.add(name, text.as_bytes()).map_err(failed)?;
        }
        for (index, what) in &self.document.left_out {
            let place = self.config.shown(&self.chosen[*index].file.path);
            remarks.notes.push(format!("{place}: in LaTeX it {what}"));
        }
        Ok(())
    }

    /// A complaint of LaTeX about what the author wrote, in the author's file where that is the one that LaTeX read.
    fn place_of(&self, complaint: &Complaint) -> String {
        let message = &complaint.message;
        let statement = |(index, _): &(usize, &Chosen<'_>)| {
            complaint.file == format!("{}/statement.tex", TexDocument::directory(*index))
        };
        match self.chosen.iter().enumerate().find(statement) {
            Some((_, one)) if one.file.kind == StatementKind::Tex => {
                format!("{}:{}: LaTeX says: {message}", self.config.shown(&one.file.path), complaint.line)
            }
            Some((_, one)) => format!("{}: LaTeX says: {message}", self.config.shown(&one.file.path)),
            None => format!("LaTeX says of `{}`, line {}: {message}", complaint.file, complaint.line),
        }
    }
}
