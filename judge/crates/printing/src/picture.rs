//! Conversion of pictures from PDF, which browsers do not show, to SVG.

use judge_sandbox::{CancelToken, Sandbox};

use crate::run::{PrintError, Source, limits, run};
use crate::tool::Tool;

/// The maximum size of a drawing, in bytes.
const MAX_SVG: u64 = 16 << 20;

/// Converts the first page of a PDF to a drawing with poppler's converter.
///
/// # Errors
/// When the converter writes no drawing, or when the sandbox fails.
pub fn pdf_to_svg(
    sandbox: &dyn Sandbox,
    tool: &Tool,
    pdf: &[u8],
    cancel: &CancelToken,
) -> Result<Vec<u8>, PrintError> {
    const PROGRAM: &str = "pdftocairo";
    let files = |source| PrintError::Files {
        program: PROGRAM.to_owned(),
        source,
    };
    let source = Source::new().map_err(files)?;
    source.add("picture.pdf", pdf).map_err(files)?;
    let args = |_: &judge_sandbox::Layout| {
        let mut args = vec![tool.executable.clone().into_os_string()];
        args.extend(["-svg", "-f", "1", "-l", "1", "picture.pdf", "picture.svg"].map(Into::into));
        args
    };
    let ran = run(
        sandbox,
        tool,
        &source,
        limits(16),
        ("picture.svg", MAX_SVG),
        cancel,
        args,
    )?;
    ran.file
        .filter(|svg| svg.starts_with(b"<?xml") || svg.starts_with(b"<svg"))
        .ok_or_else(|| {
            let message = String::from_utf8_lossy(&ran.capture.stderr);
            let first = message.trim().lines().next();
            PrintError::NoDocument {
                program: PROGRAM.to_owned(),
                why: first.unwrap_or("it is not a PDF").to_owned(),
                complaints: Vec::new(),
                is_statement_error: true,
            }
        })
}
