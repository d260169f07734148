//! One line for each notice, in the format of compilers: for editors and other programs that parse
//! places in files.
//!
//! Responsible for the form `path:line:column: severity: text [CODE]`. Must not know the readers.

use std::fmt::Write as _;

use judge_event::{LanguageUnavailable, RunState};

use super::notice::{Level, Notice, notice, open_notices};
use crate::text::escape::{printable, printable_lines};

/// Renders a line for each notice.
pub(crate) fn render(state: &RunState) -> String {
    let mut open: Vec<Notice> = open_notices(state).collect();
    sort_by_place(&mut open);
    let unavailable = state.languages_unavailable.iter().map(unavailable);
    open.into_iter()
        .chain(unavailable)
        .map(|notice| line(&notice))
        .collect()
}

/// Sorts notices by file and line, the order of fixing them. Notices without a file come last.
fn sort_by_place(notices: &mut [Notice]) {
    notices.sort_by_cached_key(|notice| {
        (
            notice.file.is_none(),
            notice.file.clone(),
            notice.line,
            notice.column,
        )
    });
}

/// Returns a notice about skipped submissions. Other reports do not annotate them, but this one has
/// no other place for them.
fn unavailable(missing: &LanguageUnavailable) -> Notice {
    let skipped = match missing.submissions {
        1 => "1 submission is skipped".to_owned(),
        more => format!("{more} submissions are skipped"),
    };
    let (language, reason) = (&missing.language, &missing.reason);
    let message = format!("`{language}` cannot be judged here: {reason}; {skipped}");
    notice("remark", Level::Warning, None, message)
}

fn line(notice: &Notice) -> String {
    let mut line = String::new();
    // A notice without a file is about this host.
    match &notice.file {
        // Readers require numbers, so an unknown position becomes 1.
        Some(file) => {
            let (line_number, column) = (notice.line.unwrap_or(1), notice.column.unwrap_or(1));
            let _ = write!(line, "{}:{line_number}:{column}: ", printable(file));
        }
        None => line.push_str("judge: "),
    }
    let _ = write!(
        line,
        "{}: {} [{}]",
        notice.level.name(),
        printable(&notice.message),
        printable(&notice.rule)
    );
    // A name at the beginning of the line must not be a command to a CI log either.
    printable_lines(&line) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_sorted_by_place_and_not_by_level() {
        let notice = |file: Option<&str>, line, level| Notice {
            rule: "JP201".into(),
            level,
            file: file.map(str::to_owned),
            line,
            column: None,
            message: "x".into(),
            details: String::new(),
            silenced: None,
        };
        let mut notices = vec![
            notice(None, None, Level::Error),
            notice(Some("b"), None, Level::Error),
            notice(Some("a"), Some(9), Level::Error),
            notice(Some("a"), Some(3), Level::Warning),
        ];
        sort_by_place(&mut notices);
        let places: Vec<_> = notices
            .iter()
            .map(|notice| (notice.file.as_deref(), notice.line))
            .collect();
        assert_eq!(
            places,
            [
                (Some("a"), Some(3)),
                (Some("a"), Some(9)),
                (Some("b"), None),
                (None, None)
            ]
        );
    }

    #[test]
    fn notices_are_always_one_line() {
        let notice = Notice {
            rule: "JP201".into(),
            level: Level::Warning,
            file: Some("a\nb.yaml".into()),
            line: Some(3),
            column: Some(7),
            message: "one\ntwo\u{1b}[1m".into(),
            details: "hint: more\n".into(),
            silenced: None,
        };
        assert_eq!(
            line(&notice),
            "a\\nb.yaml:3:7: warning: one\\ntwo\\x1b[1m [JP201]\n"
        );
        let whole = Notice {
            line: None,
            column: None,
            level: Level::Error,
            ..notice
        };
        assert_eq!(
            line(&whole),
            "a\\nb.yaml:1:1: error: one\\ntwo\\x1b[1m [JP201]\n"
        );
        let host = Notice {
            file: None,
            level: Level::Note,
            ..whole
        };
        assert_eq!(line(&host), "judge: note: one\\ntwo\\x1b[1m [JP201]\n");
    }
}
