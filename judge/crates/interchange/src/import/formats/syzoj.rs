//! SYZOJ's and LibreOJ's `data.yml`.
//!
//! Responsible for its keys. Must not know how they become groups.
//!
//! Source: syzoj/syzoj, views/help.ejs and utility.js.

use judge_event::{Fate, Part};

use super::ImportFormat;
use crate::Result;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::programs::{compare, put_judge};
use crate::import::settings::{get, items, list_unknown, points, read, text, texts};
use crate::import::signs::by_keys;
use crate::import::source::Source;
use crate::import::subtasks::{Kind, Subtask, Test, Tests, put};

const FILE: &str = "data.yml";

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "syzoj",
    "`data.yml`",
    |source| {
        by_keys(
            source,
            FILE,
            read,
            &["subtasks", "inputFile", "outputFile", "specialJudge"],
        )
    },
    convert,
);

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let settings = read(source, FILE)?;
    draft.mark_used(FILE);
    let known = "subtasks inputFile outputFile specialJudge interactor extraSourceFiles userOutput";
    list_unknown(&settings, known, FILE, draft);
    draft.name = source.stem();
    let pattern = |key: &str| text(get(&settings, key)).unwrap_or_else(|| "#".to_owned());
    let (input, output) = (pattern("inputFile"), pattern("outputFile"));
    let mut tests = Tests {
        is_scoring: true,
        ..Tests::default()
    };
    for (index, subtask) in items(get(&settings, "subtasks")).iter().enumerate() {
        let kind = match text(get(subtask, "type")).as_deref() {
            Some("sum") => Kind::Sum,
            Some("mul") => {
                let text = format!(
                    "subtask {} multiplies the results of its test cases: it becomes all or nothing",
                    index + 1
                );
                draft.changed(Part::Groups, text);
                Kind::Whole
            }
            _ => Kind::Whole,
        };
        // SYZOJ, `data.yml`: `#` stands for the name of the test case.
        let test = |case: String| {
            Test::from_files(input.replace('#', &case), Some(output.replace('#', &case)))
        };
        tests.subtasks.push(Subtask {
            points: points(get(subtask, "score")).unwrap_or(100.0),
            kind,
            tests: texts(get(subtask, "cases")).into_iter().map(test).collect(),
            ..Subtask::default()
        });
    }
    put(source, tests, draft)?;
    let special = get(&settings, "specialJudge").and_then(|checker| text(get(checker, "fileName")));
    match special.or_else(|| source.has("spj_cpp.cpp").then(|| "spj_cpp.cpp".to_owned())) {
        Some(checker) => put_judge(source, &checker, Protocol::Syzoj, draft)?,
        None => compare("standard", &["case_sensitive"], Fate::Changed, draft),
    }
    for (key, part) in [
        ("interactor", Part::Interactor),
        ("extraSourceFiles", Part::Graders),
        ("userOutput", Part::Metadata),
    ] {
        if get(&settings, key).is_some() {
            draft.lost_at(part, FILE, format!("`{key}`: not supported"));
        }
    }
    draft.lost(
        Part::Limits,
        "limits are not in the files of SYZOJ: add `limits.time_limit` to problem.yaml",
    );
    draft.lost(
        Part::Statement,
        "the statement is not in the files of SYZOJ",
    );
    Ok(())
}
