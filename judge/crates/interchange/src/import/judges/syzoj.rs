//! SYZOJ's and LibreOJ's `data.yml`.
//!
//! Responsible for its keys. Must not know how groups are made of them.
//!
//! Source: syzoj/syzoj, views/help.ejs and utility.js.

use judge_event::{Fate, Part};

use super::programs::compare;
use super::settings::{get, items, number, read, text};
use super::{Kind, Subtask, Test, Tests, put};
use crate::InterchangeError;
use crate::import::draft::Draft;
use crate::import::source::Source;

pub(in crate::import) const FILE: &str = "data.yml";

pub(in crate::import) fn convert(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let settings = read(source, FILE)?;
    draft.see(FILE);
    draft.name = source.stem();
    let pattern = |key: &str| text(get(&settings, key)).unwrap_or_else(|| "#".to_owned());
    let (input, output) = (pattern("inputFile"), pattern("outputFile"));
    let mut tests = Tests { is_scoring: true, ..Tests::default() };
    for (index, subtask) in items(get(&settings, "subtasks")).iter().enumerate() {
        let kind = match text(get(subtask, "type")).as_deref() {
            Some("sum") => Kind::Sum,
            Some("mul") => {
                let text =
                    format!("subtask {} multiplies the results of its test cases: all or nothing here", index + 1);
                draft.say(Fate::Changed, Part::Groups, text);
                Kind::Whole
            }
            _ => Kind::Whole,
        };
        let of = |case: String| Test {
            input: input.replace('#', &case),
            answer: Some(output.replace('#', &case)),
            points: None,
        };
        let inner = items(get(subtask, "cases")).iter().filter_map(|case| text(Some(case))).map(of).collect();
        let points = number(get(subtask, "score")).unwrap_or(100.0);
        tests.subtasks.push(Subtask { points, kind, requires: Vec::new(), tests: inner });
    }
    put(source, tests, draft)?;
    compare("standard", &["case_sensitive"], Fate::Changed, draft);
    for (key, part) in [
        ("specialJudge", Part::Checker),
        ("interactor", Part::Interactor),
        ("extraSourceFiles", Part::Graders),
        ("userOutput", Part::Metadata),
    ] {
        if get(&settings, key).is_some() {
            draft.say_at(Fate::Lost, part, format!("`{key}`: no script here speaks as SYZOJ does"), FILE);
        }
    }
    draft.say(
        Fate::Lost,
        Part::Limits,
        "limits are not in the files of SYZOJ: add `limits.time_limit` to problem.yaml",
    );
    draft.say(Fate::Lost, Part::Statement, "the statement is not in the files of SYZOJ");
    Ok(())
}
