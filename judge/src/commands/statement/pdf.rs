//! PDFs of statements, and drawings of the pictures in PDF on a page.
//!
//! Responsible for the choice between LaTeX and Chromium and for its reason, for the sandbox in
//! which all of this runs, and for the failures that users see. `judge_printing` runs the engines.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use judge_model::IsolationLevel;
use judge_printing::{
    Complaint, Document, DocumentError, Engine, Missing, PrintError, PrintedDocument, Search,
    Source, Statement, Tool, pdf_to_svg, print,
};
use judge_runner::Interrupts;
use judge_sandbox::{CancelToken, Sandbox};
use judge_statement::Cover;

use crate::commands::statement::Remarks;
use crate::commands::statement::output::NamedPage;
use crate::commands::statement::page::{typeset, typeset_booklet};
use crate::commands::statement::remarks::shown;
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::session::HostTools;

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
        let printed = press.print(engine, &tool, &source, describe)?;
        let why = match &printed {
            Ok(printed) => printed.complaints.first().map(describe),
            Err(failure) => Some(failure.to_string()),
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
        let printed = printed?;
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
        return Err(Failure::Host(format!(
            "no PDF can be made\n{}\nhint: {hint}",
            missing.join("\n")
        )));
    }
    Ok(found)
}

/// The programs and the sandbox for PDFs.
pub(crate) struct Press<'c> {
    config: &'c Config,
    demand: Option<IsolationLevel>,
    path: OsString,
    private: Vec<PathBuf>,
    opened: Option<Opened>,
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
    fn tool(&self, engine: Engine) -> Result<Tool, Missing> {
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
    fn print(
        &mut self,
        engine: Engine,
        tool: &Tool,
        source: &Source,
        describe: impl Fn(&Complaint) -> String,
    ) -> Result<Result<PrintedDocument, Failure>, Failure> {
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
                let complaints = complaints.iter().take(MAX_COMPLAINTS).map(describe);
                let why = complaints
                    .chain([format!("{error}{hint}")])
                    .collect::<Vec<_>>()
                    .join("\n");
                Ok(Err(match is_statement_error {
                    true => Failure::Package(why),
                    false => Failure::Host(why),
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
