//! The programs and the sandbox for PDFs, opened when they are first needed.
//!
//! Must not know the content of a document.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use judge_model::IsolationLevel;
use judge_printing::{
    Complaint, Engine, Missing, PrintError, PrintedDocument, Search, Source, Tool, pdf_to_svg,
    print,
};
use judge_runner::Interrupts;
use judge_sandbox::{CancelToken, Sandbox};

use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::session::HostTools;

/// The programs and the sandbox for PDFs.
pub(crate) struct Press<'c> {
    config: &'c Config,
    demand: Option<IsolationLevel>,
    path: OsString,
    private: Vec<PathBuf>,
    opened: Option<Opened>,
}

/// The failure of an engine.
pub(super) struct NothingPrinted {
    /// The reason, a sentence.
    pub(super) why: String,
    /// The errors that LaTeX reports.
    pub(super) complaints: Vec<Complaint>,
    /// True when the statement is at fault.
    pub(super) is_statement_error: bool,
}

/// A sandbox, and the token that cancels its runs when a signal arrives.
struct Opened {
    sandbox: Arc<dyn Sandbox>,
    cancel: CancelToken,
    _interrupts: Interrupts,
}

impl<'c> Press<'c> {
    /// Creates the press without opening anything. Without a demand, the isolation level of the
    /// workspace is used, or else the strongest one of the host.
    pub(crate) fn new(config: &'c Config, demand: Option<IsolationLevel>) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let private = host::private_directories(&config.workspace.root);
        Self {
            config,
            demand,
            path,
            private,
            opened: None,
        }
    }

    fn search(&self) -> Search<'_> {
        Search {
            path: &self.path,
            private: &self.private,
        }
    }

    /// The program of an engine.
    pub(super) fn tool(&self, engine: Engine) -> Result<Tool, Missing> {
        self.search().engine(engine)
    }

    fn open(&mut self) -> Result<&Opened, Failure> {
        // Opened late: a page without pictures in PDF needs no sandbox.
        if self.opened.is_none() {
            let tools = HostTools::open(self.config, self.demand, &BTreeSet::new(), None)?;
            let cancel = CancelToken::new()?;
            let interrupts = Interrupts::listen(cancel.clone())?;
            self.opened = Some(Opened {
                sandbox: tools.sandbox,
                cancel,
                _interrupts: interrupts,
            });
        }
        self.opened.as_ref().ok_or(Failure::Interrupted)
    }

    /// Prints a document; the inner error is the failure of the engine.
    pub(super) fn print(
        &mut self,
        engine: Engine,
        tool: &Tool,
        source: &Source,
    ) -> Result<Result<PrintedDocument, NothingPrinted>, Failure> {
        let opened = self.open()?;
        match print(&*opened.sandbox, engine, tool, source, &opened.cancel) {
            Ok(printed) => Ok(Ok(printed)),
            Err(PrintError::Sandbox(error)) => Err(error.into()),
            Err(PrintError::Interrupted) => Err(Failure::Interrupted),
            Err(PrintError::Files { source, .. }) => Err(Failure::write("a document", source)),
            Err(
                mut error @ PrintError::NoDocument {
                    is_statement_error, ..
                },
            ) => {
                let complaints = error.take_complaints();
                let level = opened.sandbox.isolation().level;
                // Processes of Chromium communicate through sockets, which are closed without a
                // network namespace.
                let cannot = engine == Engine::Chromium
                    && matches!(level, IsolationLevel::Landlock | IsolationLevel::User);
                let hint = if cannot {
                    format!(
                        "\nhint: Chromium does not run at the isolation level `{level}`; it does at `none`, `namespaces` and `full`"
                    )
                } else {
                    String::new()
                };
                Ok(Err(NothingPrinted {
                    why: format!("{error}{hint}"),
                    complaints,
                    is_statement_error,
                }))
            }
        }
    }

    /// A picture in PDF as a drawing, or the reason why it cannot be converted.
    pub(super) fn drawing(&mut self, pdf: &[u8]) -> Result<Vec<u8>, String> {
        let missing = |_| {
            "`pdftocairo` of poppler, which converts it to a drawing, is not in PATH".to_owned()
        };
        let tool = self.search().converter().map_err(missing)?;
        let opened = self.open().map_err(|failure| failure.to_string())?;
        pdf_to_svg(&*opened.sandbox, &tool, pdf, &opened.cancel).map_err(|error| error.to_string())
    }
}
