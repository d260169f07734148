//! GitHub's workflow commands: annotations of files, which the runner reads from standard output.
//!
//! Responsible for their form ("Workflow commands for GitHub Actions", "Setting an error message"
//! and the escaping of `@actions/core`). Must not know that GitHub shows only the first ten of each
//! level of a step: the most important notices come first anyway.

use std::fmt::Write as _;

use judge_event::RunState;

use super::notice::{Level, Notice, open_notices};
use crate::settings::ReportSettings;
use crate::text::escape::{printable, printable_lines};

/// Renders a line for each notice.
pub(crate) fn render(state: &RunState, settings: &ReportSettings) -> String {
    open_notices(state)
        .map(|notice| line(&notice, settings))
        .collect()
}

fn line(notice: &Notice, settings: &ReportSettings) -> String {
    let command = match notice.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut line = format!("::{command} ");
    if let Some(file) = &notice.file {
        let _ = write!(
            line,
            "file={},",
            property(&format!("{}{file}", settings.prefix))
        );
        // Without a line the annotation is on the first line.
        let _ = write!(line, "line={},", notice.line.unwrap_or(1));
    }
    // Newlines are preserved: `data` encodes them, and GitHub decodes them.
    let text = format!(
        "{}\n{}",
        printable(&notice.message),
        printable_lines(&notice.details)
    );
    let _ = writeln!(
        line,
        "title={}::{}",
        property(&format!("judge: {}", notice.rule)),
        data(text.trim_end())
    );
    line
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&printable(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

/// Returns the command that stops commands: the runner treats everything that follows as plain
/// text, because it quotes the output of submissions. `word` must be one that submissions cannot
/// know.
#[must_use]
pub fn stop_commands(word: &str) -> String {
    format!("::stop-commands::{word}\n")
}

/// Returns the command that resumes commands.
#[must_use]
pub fn resume_commands(word: &str) -> String {
    format!("::{word}::\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_cannot_end_its_line_or_its_properties() {
        let notice = Notice {
            rule: "a:b".into(),
            level: Level::Warning,
            file: Some("x,line=9::y%".into()),
            line: Some(3),
            column: None,
            message: "100%\r\n::error::owned".into(),
            details: "one\n::set-output name=x::y\n".into(),
            silenced: None,
        };
        let line = line(
            &notice,
            &ReportSettings {
                prefix: "sub/".into(),
            },
        );
        assert_eq!(
            line,
            "::warning file=sub/x%2Cline=9%3A%3Ay%25,line=3,title=judge%3A a%3Ab::100%25\\r\\n::error::owned%0Aone%0A\
             \\x3a:set-output name=x::y\n"
        );
    }
}
