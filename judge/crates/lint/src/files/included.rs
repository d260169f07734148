//! Included files and constants: checks that they are usable, and that a submission tests them.
//!
//! Must not compile anything.

use std::collections::BTreeSet;

use judge_model::{FormatVersion, IncludedFiles, Problem};
use judge_package::{Finding, code, did_you_mean, file_name, read_text_within};

use super::entries::{Entry, Kind};
use super::findings::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(problem) = subject.problem() else {
        return;
    };
    for files in &problem.included {
        check_entry_points(subject, files, findings);
        check_use(problem, files, findings);
    }
    check_placeholders(subject, problem, findings);
}

/// Source: problemtools, languages.py, `mainfile_candidates`: one `main` for each language, and
/// none for all languages. Headers and files in directories count too.
fn check_entry_points(subject: &Subject<'_>, files: &IncludedFiles, findings: &mut Findings) {
    let folder = format!("include/{}", file_name(&files.directory));
    let is_main = |entry: &&Entry| {
        let stem = entry.name().split_once('.').map_or("", |(stem, _)| stem);
        entry.is_in(&folder) && entry.kind != Kind::Folder && stem.eq_ignore_ascii_case("main")
    };
    let mains: Vec<String> = subject
        .entries
        .iter()
        .filter(is_main)
        .map(|entry| format!("`{}`", entry.name()))
        .collect();
    let message = match (files.languages.is_empty(), mains.len()) {
        (true, 1..) => format!(
            "{} would be the entry point of every language",
            mains.join(" and ")
        ),
        (false, 2..) => format!("expected one entry point, found {}", mains.join(" and ")),
        _ => return,
    };
    findings.add(code::INCLUDED_ENTRY_TWICE, &files.directory, message);
}

fn check_use(problem: &Problem, files: &IncludedFiles, findings: &mut Findings) {
    let Some(language) = files.languages.first() else {
        return;
    };
    // Files for a language that is not permitted are reported when the package is loaded.
    let allowed = problem
        .languages
        .as_ref()
        .is_none_or(|allowed| allowed.contains(language));
    let tried = problem
        .submissions
        .iter()
        .any(|submission| submission.language.as_ref() == Some(language));
    if allowed && !tried && !problem.submissions.is_empty() {
        let message = format!("no submission uses `{language}`: these files are untested");
        findings.add(code::INCLUDED_UNTRIED, &files.directory, message);
    }
}

/// The maximum size of a text that is searched for placeholders, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// The placeholders of statements that are replaced by samples. Source: 2025-09, "Sample Data" in
/// statements.
const SAMPLE_PLACEHOLDERS: [&str; 2] = ["nextsample", "remainingsamples"];

/// Source: 2025-09, "Constants", lists the files in which constants are replaced. Without constants
/// only statements are searched, since braces of C++ and of templates look the same.
fn check_placeholders(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    if problem.format != FormatVersion::V2025_09 {
        return;
    }
    let known: BTreeSet<&str> = problem
        .constants
        .iter()
        .map(|constant| constant.name.as_str())
        .collect();
    let places: &[&str] = match known.is_empty() {
        true => &[],
        false => &[
            "input_validators",
            "output_validator",
            "include",
            "submissions",
        ],
    };
    for entry in subject.entries.iter().filter(|entry| entry.counts()) {
        let is_statement = entry.is_in("statement") && entry.extension() == "md";
        // 2025-09, "Constants": statements in Markdown, `test_group.yaml`, and the sources of
        // programs.
        let is_text = is_statement
            || (!known.is_empty() && entry.name() == "test_group.yaml")
            || places.iter().any(|place| entry.is_in(place));
        if !is_text || !matches!(entry.kind, Kind::File(size) if size <= MAX_TEXT) {
            continue;
        }
        let Ok(text) = read_text_within(&entry.path, MAX_TEXT) else {
            continue;
        };
        let mut reported = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            for (start, name) in placeholders(line).filter(|(_, name)| !known.contains(name)) {
                let is_sample = is_statement && SAMPLE_PLACEHOLDERS.contains(&name);
                // In formulas, `{{n}}` is a group in an argument. It is a mention only where
                // there are constants.
                let is_tex = known.is_empty() && is_argument_of_tex(&line[..start]);
                if !is_sample && !is_tex && reported.insert(name.to_owned()) {
                    let message = format!(
                        "`{{{{{name}}}}}` is not a constant of the package and is not replaced"
                    );
                    let hint = did_you_mean(name, known.iter().copied());
                    let finding = Finding::new(code::PLACEHOLDER_UNKNOWN, &entry.path, message);
                    findings.push(finding.at(Some(number)).hint(hint));
                }
            }
        }
    }
}

/// Returns true when braces after this text are an argument or a group of TeX, as in `x^{{n}}` and
/// `\sqrt{{n}}`.
fn is_argument_of_tex(before: &str) -> bool {
    before.ends_with(|last: char| {
        matches!(last, '^' | '_' | '{' | '}' | ']') || last.is_ascii_alphabetic()
    })
}

/// The names in double braces that could be constants, each with the offset of its braces.
fn placeholders(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices("{{").filter_map(|(start, _)| {
        let (name, _) = line[start + 2..].split_once("}}")?;
        let mut parts = name.split('.');
        let is_name = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        (parts.clone().count() <= 2 && parts.all(is_name)).then_some((start, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_double_braces_are_placeholders() {
        let names =
            |line: &'static str| placeholders(line).map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names("a {{n}} {{{m}}} {{n.tex}}"), ["n", "n.tex"]);
        assert!(names("int a[2] = {{1,2}}; {{}} {{ n }} {{a.b.c}} {{n").is_empty());
    }

    #[test]
    fn tex_arguments_are_not_placeholders() {
        for (before, expected) in [
            ("$x^", true),
            ("$x_", true),
            ("\\sqrt", true),
            ("\\frac{{a}}", true),
            ("n \\le ", false),
            ("", false),
            ("(", false),
        ] {
            assert_eq!(is_argument_of_tex(before), expected, "{before}");
        }
    }
}
