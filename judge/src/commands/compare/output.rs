//! The output of `judge compare`: the report, pages, and the document.
//!
//! Responsible for where each of them goes. Must not know what they say.

use std::path::Path;

use judge_compare::Comparison;
use judge_report::{ComparisonReport, Verbosity};

use crate::args::CompareArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::reporters::write_stdout;
use crate::whole_file::WholeFile;

/// The places that a comparison is written to.
pub(super) struct Output<'a> {
    args: &'a CompareArgs,
    pages: Vec<WholeFile>,
}

impl<'a> Output<'a> {
    /// Begins the pages, so that one that cannot be written is an error before anything takes time.
    pub(super) fn open(config: &Config, args: &'a CompareArgs) -> Result<Self, Failure> {
        let pages = args.pages.iter().map(|page| WholeFile::create(&config.directory.join(page)));
        Ok(Self { args, pages: pages.collect::<Result<_, _>>()? })
    }

    /// Writes the document and the report to the files and to standard output.
    pub(super) fn write(
        self,
        config: &Config,
        comparison: &Comparison,
        report: &ComparisonReport,
    ) -> Result<(), Failure> {
        let Self { args, pages } = self;
        let document = || format!("{}\n", comparison.to_json());
        let to_stdout = args.json.as_deref() == Some(Path::new("-"));
        if let Some(path) = args.json.as_deref().filter(|_| !to_stdout) {
            WholeFile::create(&config.directory.join(path))?.keep_with(&document())?;
        }
        for page in pages {
            page.keep_with(&report.to_html())?;
        }
        let terminal = &config.terminal;
        write_stdout(&match (to_stdout, args.markdown) {
            (true, _) => document(),
            (false, true) => report.to_markdown(),
            (false, false) => report.to_text(terminal.look, terminal.verbosity == Verbosity::Quiet),
        })
    }
}
