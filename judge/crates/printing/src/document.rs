//! The document of one or more statements for LaTeX, and places in it.
//!
//! Responsible for the files of a LaTeX engine, and for mapping its complaints to the author's
//! files.

use std::io;
use std::path::Path;

use judge_package::{Finding, StatementKind, pictures_next_to};
use judge_statement::{Cover, TexDocument, TexPlace, tex_document};

use crate::complaint::{Complaint, FRAME};
use crate::run::Source;
use crate::statement::Statement;

/// An error in preparing the input of an engine.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// A file could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file of the package could not be read.
    #[error(transparent)]
    Package(#[from] Finding),
}

/// The statements of one PDF.
#[derive(Debug)]
pub struct Document<'d> {
    statements: &'d [Statement<'d>],
    tex: TexDocument,
}

impl<'d> Document<'d> {
    /// The document of statements, with a cover if it is a booklet.
    #[must_use]
    pub fn new(statements: &'d [Statement<'d>], cover: Option<&Cover>) -> Self {
        let pages: Vec<_> = statements
            .iter()
            .map(|statement| statement.page.clone())
            .collect();
        Self {
            statements,
            tex: tex_document(&pages, cover),
        }
    }

    /// The parts that LaTeX cannot express: the file, and the end of a sentence about it.
    pub fn left_out(&self) -> impl Iterator<Item = (&Path, &str)> {
        let parts = self.tex.left_out.iter();
        parts.map(|(index, what)| (self.statements[*index].file.path.as_path(), what.as_str()))
    }

    /// The files for LaTeX, and the pictures that could not be read.
    ///
    /// # Errors
    /// When a file cannot be written, or a statement in PDF cannot be read.
    pub fn tex_source(&self) -> Result<(Source, Vec<Finding>), DocumentError> {
        let source = Source::new()?;
        let mut unreadable = Vec::new();
        for (index, Statement { problem, file, .. }) in self.statements.iter().enumerate() {
            let directory = TexDocument::directory(index);
            let (pictures, errors) = pictures_next_to(problem, file);
            unreadable.extend(errors);
            for (name, bytes) in pictures {
                source.add(&format!("{directory}/{name}"), &bytes)?;
            }
            if file.kind == StatementKind::Pdf {
                source.add(&format!("{directory}/statement.pdf"), &file.pdf(problem)?)?;
            }
        }
        for (name, text) in &self.tex.files {
            source.add(name, text.as_bytes())?;
        }
        Ok((source, unreadable))
    }

    /// Describes a complaint of LaTeX with its position in the author's file. `shown` returns the
    /// path to show for it.
    pub fn describe(&self, complaint: &Complaint, shown: &dyn Fn(&Path) -> String) -> String {
        let message = &complaint.message;
        let Some((index, place)) = self.tex.place_of(&complaint.file, complaint.line) else {
            return format!("LaTeX error in the surrounding document: {message}");
        };
        let file = &self.statements[index].file;
        let path = shown(&file.path);
        match place {
            // Lines of Markdown do not correspond to lines of its LaTeX.
            TexPlace::Statement if file.kind == StatementKind::Tex && complaint.file != FRAME => {
                format!("{path}:{}: LaTeX: {message}", complaint.line)
            }
            TexPlace::Statement => format!("{path}: LaTeX: {message}"),
            TexPlace::Sample(number) => format!("{path}: LaTeX, sample {number}: {message}"),
        }
    }
}
