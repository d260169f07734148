//! The statements that one PDF is made of, as an engine is given them.
//!
//! Responsible for the files of each engine, and for places in the author's own files. Must not know which engine goes first.

use judge_package::{StatementKind, pictures_beside};
use judge_printing::{Complaint, Engine, Printed, Source, Tool};
use judge_statement::{Cover, TexDocument, TexPlace};

use crate::commands::statement::page::typeset;
use crate::commands::statement::press::{NothingPrinted, Press};
use crate::commands::statement::remarks::shown;
use crate::commands::statement::{Chosen, Remarks, booklet};
use crate::config::Config;
use crate::failure::Failure;

/// The file that takes in the statements.
const FRAME: &str = "main.tex";
/// As many complaints of LaTeX are shown where it made nothing.
const MOST_COMPLAINTS: usize = 3;

/// The statements that one PDF is made of.
pub(super) struct Job<'j> {
    pub(super) config: &'j Config,
    pub(super) chosen: &'j [Chosen<'j>],
    pub(super) cover: Option<&'j Cover>,
    pub(super) document: TexDocument,
}

impl Job<'_> {
    pub(super) fn print(
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
            let (pictures, errors) = pictures_beside(one.problem, &one.file);
            remarks.errors.extend(errors.iter().map(|error| shown(self.config, error)));
            for (name, bytes) in pictures {
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
    pub(super) fn place_of(&self, complaint: &Complaint) -> String {
        let message = &complaint.message;
        let Some((index, place)) = self.document.place_of(&complaint.file, complaint.line) else {
            return format!("LaTeX says of the document around the statements: {message}");
        };
        let one = &self.chosen[index];
        let file = self.config.shown(&one.file.path);
        match place {
            TexPlace::Statement if one.file.kind == StatementKind::Tex && complaint.file != FRAME => {
                format!("{file}:{}: LaTeX says: {message}", complaint.line)
            }
            TexPlace::Statement => format!("{file}: LaTeX says: {message}"),
            TexPlace::Sample(number) => format!("{file}: LaTeX says of sample {number}: {message}"),
        }
    }
}
