//! Samples as contestants see them.
//!
//! Responsible for choosing and reading the files. Must not know the layout of a page.
//!
//! Source: 2025-09, "Sample data": `.in` and `.ans`, unless `.in.statement`, `.ans.statement`,
//! `.out` or `.interaction` exist; legacy, "Interactive problems": `.interaction`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::Problem;

use crate::code;
use crate::disk::bounded::read_in_package;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings, PackageErrors};
use crate::test_data::split_name;

/// The maximum number of bytes of a file that are shown; a longer one is cut.
const MAX_SHOWN_BYTES: usize = 64 << 10;

/// The maximum size of a sample, in bytes.
const MAX_SAMPLE_BYTES: u64 = 64 << 20;

/// A sample, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSample {
    /// Its name below `data/`, such as `sample/1`.
    pub id: String,
    /// Command-line arguments of the submission.
    pub args: Vec<String>,
    /// Files next to the submission (`.files`), by name.
    pub files: Vec<(String, ShownText)>,
    /// The content that is shown of it.
    pub content: ShownContent,
}

/// The content that is shown of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownContent {
    /// An input and an output.
    Pair {
        /// The input.
        input: ShownText,
        /// The output.
        output: ShownText,
    },
    /// The log of an interaction.
    Interaction(ShownText),
}

/// A text, or its beginning. Bytes that are not UTF-8 are shown as U+FFFD.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownText {
    /// The text.
    pub text: String,
    /// The number of further bytes, which are left out.
    pub bytes_left_out: u64,
}

/// The samples of a problem, in order of their names.
///
/// # Errors
/// Every file that cannot be read or is outside of the package, and every sample with a missing
/// part.
pub fn shown_samples(problem: &Problem) -> Result<Vec<ShownSample>, PackageErrors> {
    let mut findings = Findings::default();
    let mut samples = Vec::new();
    if let Some(folder) = Folder::read(&problem.directory.join("data/sample"), &mut findings) {
        collect(problem, &folder, "sample", &mut samples, &mut findings);
    }
    samples.sort_by(|one, other| one.id.cmp(&other.id));
    findings.into_result()?;
    Ok(samples)
}

fn collect(
    problem: &Problem,
    folder: &Folder,
    id: &str,
    into: &mut Vec<ShownSample>,
    findings: &mut Findings,
) {
    let mut cases: BTreeMap<&str, BTreeMap<&str, &PathBuf>> = BTreeMap::new();
    for (name, path) in &folder.files {
        if let Some((case, extension)) = split_name(name) {
            cases.entry(case).or_default().insert(extension, path);
        }
    }
    for (case, files) in cases {
        let shared_files = folder.folders.get(&format!("{case}.files"));
        match sample(problem, &format!("{id}/{case}"), &files, shared_files) {
            Ok(sample) => into.extend(sample),
            Err(error) => findings.error(error),
        }
    }
    for (name, inner) in folder
        .folders
        .iter()
        .filter(|(name, _)| !name.ends_with(".files"))
    {
        collect(problem, inner, &format!("{id}/{name}"), into, findings);
    }
}

/// Returns the sample of these files; `None` for settings without a test case.
fn sample(
    problem: &Problem,
    id: &str,
    files: &BTreeMap<&str, &PathBuf>,
    shared_files: Option<&Folder>,
) -> Result<Option<ShownSample>, Finding> {
    let first = |extensions: &[&str]| {
        extensions
            .iter()
            .find_map(|extension| files.get(extension))
            .copied()
    };
    let read = |path: &Path| shown(&problem.directory, path);
    // The order is that of 2025-09, "Sample data": a log of an interaction, then files for the
    // statement, then the test case.
    let content = if let Some(log) = first(&[".interaction"]) {
        ShownContent::Interaction(read(log)?)
    } else if let Some(input) = first(&[".in.statement", ".in"]) {
        let Some(output) = first(&[".out", ".ans.statement", ".ans"]) else {
            let message = format!("sample `{id}` has no `.ans` file");
            return Err(Finding::new(code::CASE_INCOMPLETE, input, message));
        };
        ShownContent::Pair {
            input: read(input)?,
            output: read(output)?,
        }
    } else {
        return Ok(None);
    };
    let shared_files = shared_files
        .map(|folder| folder.files.iter())
        .into_iter()
        .flatten();
    let files = shared_files
        .map(|(name, path)| Ok((name.clone(), read(path)?)))
        .collect::<Result<_, Finding>>()?;
    // Files for the statement need not belong to a test case, and then have no arguments.
    let args = problem
        .test_case(id)
        .map(|case| case.args.clone())
        .unwrap_or_default();
    Ok(Some(ShownSample {
        id: id.to_owned(),
        args,
        files,
        content,
    }))
}

fn shown(package: &Path, path: &Path) -> Result<ShownText, Finding> {
    let bytes = read_in_package(package, path, MAX_SAMPLE_BYTES).map_err(|error| {
        Finding::new(
            code::CASE_INCOMPLETE,
            path,
            format!("cannot be read: {error}"),
        )
    })?;
    let shown = &bytes[..bytes.len().min(MAX_SHOWN_BYTES)];
    // A text with several lines is cut at the end of a line.
    let end = if shown.len() < bytes.len() {
        shown
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map(|at| at + 1)
    } else {
        None
    };
    let shown = &shown[..end.unwrap_or(shown.len())];
    let text = String::from_utf8_lossy(shown).into_owned();
    Ok(ShownText {
        text,
        bytes_left_out: (bytes.len() - shown.len()) as u64,
    })
}

#[cfg(test)]
mod tests {
    use judge_model::FormatVersion;

    use super::*;
    use crate::fixture::Tree;

    fn samples(files: &[(&str, &str)]) -> Result<Vec<ShownSample>, PackageErrors> {
        let tree = Tree::with(files);
        shown_samples(&Problem::new(
            "p",
            tree.root().to_owned(),
            FormatVersion::V2025_09,
        ))
    }

    fn pair(input: &str, output: &str) -> ShownContent {
        let text = |text: &str| ShownText {
            text: text.into(),
            bytes_left_out: 0,
        };
        ShownContent::Pair {
            input: text(input),
            output: text(output),
        }
    }

    #[test]
    fn statement_files_replace_judged_files() {
        let shown = samples(&[
            ("data/sample/1.in", "i"),
            ("data/sample/1.ans", "a"),
            ("data/sample/2.in", "i"),
            ("data/sample/2.in.statement", "I"),
            ("data/sample/2.ans", "a"),
            ("data/sample/2.ans.statement", "A"),
            ("data/sample/3.in", "i"),
            ("data/sample/3.ans", "a"),
            ("data/sample/3.out", "o"),
            ("data/sample/3.files/table.txt", "t"),
            ("data/sample/4.interaction", "<1\n"),
            ("data/sample/test_group.yaml", "full_feedback: true\n"),
            ("data/secret/5.in", "never"),
        ])
        .unwrap();
        let ids: Vec<_> = shown.iter().map(|sample| sample.id.as_str()).collect();
        assert_eq!(ids, ["sample/1", "sample/2", "sample/3", "sample/4"]);
        assert_eq!(shown[0].content, pair("i", "a"));
        assert_eq!(shown[1].content, pair("I", "A"));
        assert_eq!(shown[2].content, pair("i", "o"));
        assert_eq!(shown[2].files[0].0, "table.txt");
        assert!(matches!(&shown[3].content, ShownContent::Interaction(log) if log.text == "<1\n"));
    }

    #[test]
    fn long_files_are_cut_at_a_line_and_missing_answers_are_faults() {
        let long = "line\n".repeat(20_000);
        let shown = samples(&[("data/sample/1.in", &long), ("data/sample/1.ans", "x")]).unwrap();
        let ShownContent::Pair { input, .. } = &shown[0].content else {
            panic!("{shown:?}")
        };
        assert!(input.text.ends_with("line\n") && input.text.len() <= MAX_SHOWN_BYTES);
        assert_eq!(
            input.text.len() as u64 + input.bytes_left_out,
            long.len() as u64
        );
        let error = samples(&[("data/sample/1.in", "x")])
            .unwrap_err()
            .to_string();
        assert!(error.contains("`sample/1` has no `.ans`"), "{error}");
        assert_eq!(samples(&[]).unwrap(), []);
    }
}
