//! Printing: statements as PDF, by a LaTeX engine or a browser of this host, in the sandbox.
//!
//! Responsible for finding the programs, for running them within limits and without network, and
//! for a reproducible PDF. Must not know commands or the layout of a page.
//!
//! Statements are untrusted, and LaTeX is a programming language. An engine sees only the files of
//! the system and of its own installation. If the isolation level cannot hide files, settings of
//! LaTeX forbid it to open files outside of its directory. The files that an engine writes are
//! untrusted as well.

mod complaint;
mod dates;
mod document;
mod picture;
mod run;
mod statement;
mod tool;

pub use complaint::Complaint;
pub use document::{Document, DocumentError};
pub use picture::pdf_to_svg;
pub use run::{PrintError, PrintedDocument, Source, print};
pub use statement::{Role, Statement};
pub use tool::{Engine, Missing, Search, Tool};
