//! Packages of Codeforces Polygon, full and standard.
//!
//! Responsible for the order in which their parts are converted. Must not know any other format.

mod bounds;
mod description;
mod elements;
mod groups;
mod nodes;
mod olymp;
mod programs;
mod statement;
mod tests;

use judge_event::{Fate, Part};

use super::ImportFormat;
use crate::import::draft::Draft;
use crate::import::draft::naming::plural;
use crate::import::formats::polygon::description::Description;
use crate::import::signs::{Sign, by_file, contains};
use crate::import::source::Source;
use crate::{InterchangeError, Result};

/// The files that describe a problem.
const DESCRIPTIONS: [&str; 2] = ["problem.xml", "problem.xml.polygon"];

pub(super) const FORMAT: ImportFormat = ImportFormat {
    has_problem_yaml: true,
    ..ImportFormat::new("polygon", "`problem.xml`", sign, convert)
};

fn sign(source: &Source) -> Option<Sign> {
    let file = DESCRIPTIONS.into_iter().find(|file| source.has(file))?;
    Some(by_file(file, contains(source, file, &["<problem"])))
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let file = DESCRIPTIONS.into_iter().find(|file| source.has(file));
    let file = file.ok_or_else(|| {
        let place = source.named().display().to_string();
        InterchangeError::malformed(place, "expected a `problem.xml`, found none")
    })?;
    draft.mark_used(file);
    let description = Description::read(&source.text(file)?, file)?;
    // The names of archives contain revisions, as in `sum-12$linux`, so the description takes
    // precedence.
    draft.name = if description.short_name.is_empty() {
        source.stem()
    } else {
        description.short_name.clone()
    };
    metadata(&description, draft);
    limits(&description, draft);
    // Decided before programs are converted, because the script of a checker depends on it. A
    // script that runs an interactor and then a checker does not pass points on, which is reported
    // separately.
    let is_one_program = description.checker.is_none() || description.interactor.is_none();
    let gives_points = is_one_program && programs::judge_gives_points(source, &description)?;
    draft.metadata.scoring = tests::main_testset(&description).is_some_and(|testset| {
        groups::is_scoring(testset) || gives_points && groups::has_points(testset)
    });
    report_points(&description, gives_points, draft);
    programs::convert(source, &description, draft)?;
    tests::convert(source, &description, draft)?;
    statement::convert(source, &description, draft)?;
    mark_irrelevant(source, draft);
    Ok(())
}

/// Reports the conversion of points that the checker gives.
fn report_points(description: &Description, gives_points: bool, draft: &mut Draft) {
    let Some(testset) = tests::main_testset(description).filter(|_| gives_points) else {
        return;
    };
    let (fate, text) = if groups::is_scoring(testset) {
        draft.gives_shares = true;
        let text = "the checker gives points: all-or-nothing groups take the minimum of them, up to their own points";
        (Fate::Changed, text)
    } else if draft.metadata.scoring {
        (
            Fate::Changed,
            "the checker gives the points: test cases are added up, and have no maximum",
        )
    } else {
        (
            Fate::Lost,
            "the points that the checker gives: the problem has no points, so giving some is a judge error",
        )
    };
    draft.report(fate, Part::Groups, text);
}

fn metadata(description: &Description, draft: &mut Draft) {
    for (language, name) in &description.names {
        let Some(code) = statement::language_code(language) else {
            let text = format!("the name in `{language}`, `{name}`: unknown language");
            draft.lost(Part::Metadata, text);
            continue;
        };
        draft.metadata.names.insert(code.to_owned(), name.clone());
    }
    if !description.url.is_empty() {
        draft.metadata.source = Some(description.url.clone());
    }
    draft.metadata.keywords.clone_from(&description.tags);
    draft.metadata.interactive = description.interactor.is_some();
    let text = "packages of Polygon do not contain authors, licence and rights owner: `license: unknown` was written";
    draft.lost(Part::Metadata, text);
    if description.run_count > 1 {
        draft.metadata.passes = Some(description.run_count);
        let text = format!(
            "each test is run {} times: the problem is `multi-pass`",
            description.run_count
        );
        draft.changed(Part::Metadata, text);
    }
    if description.has_scorer {
        draft.lost(
            Part::Groups,
            "the scorer: packages combine scores only by `test_group.yaml`",
        );
    }
    if description.stresses > 0 {
        let text = format!(
            "{} {}: `judge stress` searches for such inputs",
            description.stresses,
            plural(description.stresses, "stress", "stresses")
        );
        draft.lost(Part::Generators, text);
    }
    for (what, file) in [
        ("input", &description.input_file),
        ("output", &description.output_file),
    ] {
        if !matches!(file.as_str(), "" | "stdin" | "stdout") {
            draft.name_file(what == "input", file.clone());
        }
    }
}

/// Takes the limits of the main set of tests.
fn limits(description: &Description, draft: &mut Draft) {
    let Some(testset) = tests::main_testset(description) else {
        return;
    };
    draft.metadata.time_limit = testset
        .time_limit
        .filter(|limit| *limit > 0.0)
        .map(|limit| limit / 1e3);
    // Packages count in MiB, so the limit is rounded up.
    draft.metadata.memory = testset
        .memory_limit
        .map(|bytes| bytes.div_ceil(1 << 20))
        .filter(|memory| *memory > 0);
    let none = || "none".to_owned();
    let (time, memory) = (draft.metadata.time_limit, draft.metadata.memory);
    let time = time.map_or_else(none, |limit| format!("{limit} s"));
    let memory = memory.map_or_else(none, |limit| format!("{limit} MiB"));
    draft.carried(Part::Limits, format!("time {time}, memory {memory}"));
}

/// Marks files as irrelevant that only Polygon needs.
fn mark_irrelevant(source: &Source, draft: &mut Draft) {
    let is_tool = |name: &str| {
        let has = |extension: &str| name.ends_with(extension);
        name.starts_with("scripts/")
            || matches!(
                name,
                "doall.sh" | "doall.bat" | "wipe.sh" | "wipe.bat" | "check.exe"
            )
            || name.starts_with("statements/")
            || has(".exe")
            || has(".ftl")
            || has("olymp.sty")
            || name == "files/problem.tex"
            || name.starts_with("solutions/") && has(".desc")
    };
    let tools = source
        .files()
        .filter(|file| file.to_str().is_some_and(is_tool));
    draft.mark_all_used(tools);
}
