//! Encodings: checks that text files have the form that the format demands.
//!
//! Source: 2025-09 and legacy, "General Requirements": UTF-8 without a byte order mark, lines that
//! end in a line feed alone, and a line feed at the end. Must not know the meaning of the texts.

use judge_package::{Finding, code};

use super::entries::Entry;
use super::findings::Findings;
use super::subject::Subject;

/// Parts of the test data whose files may be wrong or unusual on purpose.
const UNUSUAL_PARTS: [&str; 3] = [
    "data/invalid_input",
    "data/invalid_output",
    "data/valid_output",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for entry in &subject.entries {
        if subject
            .contents(entry)
            .is_some_and(|contents| contents.lfs_pointer)
        {
            let finding = Finding::new(
                code::LFS_POINTER,
                &entry.path,
                "is a Git LFS pointer instead of the data",
            );
            findings.push(finding.hint(Some("`git lfs pull` fetches it".to_owned())));
        }
    }
    for entry in subject.entries.iter().filter(|entry| is_text(entry)) {
        let Some(contents) = subject.contents(entry).filter(|contents| contents.size > 0) else {
            continue;
        };
        let mut add = |code, line, message: &str| findings.add_at(line, code, &entry.path, message);
        if let Some(place) = contents.not_utf8 {
            let message = format!("byte {} is not UTF-8; save the file as UTF-8", place + 1);
            add(code::NOT_UTF8, contents.not_utf8_line, &message);
        }
        if contents.mark {
            add(
                code::BYTE_ORDER_MARK,
                Some(1),
                "begins with a byte order mark",
            );
        }
        if contents.carriage_return.is_some() {
            add(
                code::CARRIAGE_RETURN,
                contents.carriage_return,
                "has a carriage return",
            );
        }
        if contents.nul.is_some() {
            add(code::NUL_BYTE, contents.nul, "has a NUL byte");
        }
        if !contents.ends_in_newline {
            add(
                code::FINAL_NEWLINE_MISSING,
                None,
                "does not end in a newline",
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
