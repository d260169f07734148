//! Printing: statements as PDF, by a LaTeX engine or a browser of this host, both of them in the sandbox.
//!
//! Responsible for finding the programs, for running them within limits and without network, and for a PDF that is the same
//! whenever the statement is. Must not know packages, nor what is in a document.
//!
//! Statements come with the archives of strangers, and LaTeX is a language in which programs are written: what an engine is
//! given is not trusted, and neither is what it leaves. It sees the files of the system and of its own installation, and
//! nothing else; where the isolation level cannot hide files, LaTeX itself is told to open none outside of its directory.

mod complaint;
mod dates;
mod picture;
mod run;
mod tool;

pub use complaint::Complaint;
pub use picture::svg_of_pdf;
pub use run::{PrintError, Printed, Source, print};
pub use tool::{Engine, Missing, Search, Tool};
