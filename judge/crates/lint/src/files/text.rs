//! Encodings: checks that text files have the form that the format demands.
//!
//! Source: 2025-09 and legacy, "General Requirements": UTF-8 without a byte order mark, lines that
//! end in a line feed alone, and a line feed at the end. Must not know the meaning of the texts.

use judge_package::{Finding, code};

use super::entries::Entry;
use super::subject::Subject;

/// Parts of the test data whose files may be wrong or unusual on purpose.
const UNUSUAL_PARTS: [&str; 3] = [
    "data/invalid_input",
    "data/invalid_output",
    "data/valid_output",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for entry in &subject.entries {
        if subject
            .contents(entry)
            .is_some_and(|contents| contents.lfs_pointer)
        {
            let text = "is a Git LFS pointer instead of the data";
            findings.push(
                Finding::new(code::LFS_POINTER, &entry.path, text)
                    .hint(Some("`git lfs pull` fetches it".to_owned())),
            );
        }
    }
    for entry in subject.entries.iter().filter(|entry| is_text(entry)) {
        let Some(contents) = subject.contents(entry).filter(|contents| contents.size > 0) else {
            continue;
        };
        let mut add = |code, message: String, line| {
            findings.push(Finding::new(code, &entry.path, message).at(line));
        };
        if let Some(place) = contents.not_utf8 {
            add(
                code::NOT_UTF8,
                format!("byte {} is not UTF-8; save the file as UTF-8", place + 1),
                contents.not_utf8_line,
            );
        }
        if contents.mark {
            add(
                code::BYTE_ORDER_MARK,
                "begins with a byte order mark".to_owned(),
                Some(1),
            );
        }
        if let Some(line) = contents.carriage_return {
            add(
                code::CARRIAGE_RETURN,
                "has a carriage return".to_owned(),
                Some(line),
            );
        }
        if let Some(line) = contents.nul {
            add(code::NUL_BYTE, "has a NUL byte".to_owned(), Some(line));
        }
        if !contents.ends_in_newline {
            add(
                code::FINAL_NEWLINE_MISSING,
                "does not end in a newline".to_owned(),
                None,
            );
        }
    }
}

fn is_text(entry: &Entry) -> bool {
    const TEST_CASE_EXTENSIONS: [&str; 6] =
        ["in", "ans", "out", "statement", "download", "interaction"];
    let of_data = entry.is_in("data")
        && TEST_CASE_EXTENSIONS.contains(&entry.extension())
        && !UNUSUAL_PARTS.iter().any(|part| entry.is_in(part));
    of_data || (matches!(entry.extension(), "yaml" | "md" | "tex") && !entry.is_in("submissions"))
}
