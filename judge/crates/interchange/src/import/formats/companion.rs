//! A file of Competitive Companion: a problem on a web page, with only its samples.
//!
//! Responsible for converting it. Must not know the structure of such a file.

use judge_event::Part;

use super::ImportFormat;
use crate::examples::companion::Companion;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, numbered};
use crate::import::settings::{get, read_json};
use crate::import::signs::{Sign, by_file, only_file};
use crate::import::source::Source;
use crate::{InterchangeError, Result};

pub(super) const FORMAT: ImportFormat = ImportFormat {
    is_one_file: true,
    ..ImportFormat::new(
        "companion",
        "one `.json` or `.prob` of Competitive Companion",
        sign,
        convert,
    )
};

fn sign(source: &Source) -> Option<Sign> {
    let file =
        only_file(source).filter(|file| file.ends_with(".json") || file.ends_with(".prob"))?;
    let found = read_json(source, file).ok();
    Some(by_file(
        file,
        found.is_some_and(|problem| {
            get(&problem, "tests").is_some() && get(&problem, "name").is_some()
        }),
    ))
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let file = source.files().next().unwrap_or("".as_ref()).to_owned();
    let companion = Companion::parse(&source.bytes(&file)?)
        .map_err(|why| InterchangeError::malformed(source.named().display().to_string(), why))?;
    draft.mark_used(&file);
    draft.name.clone_from(&companion.name);
    let files = companion.named_files();
    let patterns = [companion.input.pattern(), companion.output.pattern()];
    for (is_input, name) in [(true, files.input), (false, files.output)] {
        if let Some(name) = name {
            draft.name_file(is_input, name);
        }
    }
    for pattern in patterns.into_iter().flatten() {
        let text = format!("files whose names match `{pattern}`: programs read standard input");
        draft.lost(Part::Limits, text);
    }
    draft.set_title(Some(companion.name));
    draft.metadata.interactive = companion.interactive;
    if !companion.url.is_empty() {
        draft.metadata.source = Some(companion.url);
    } else if !companion.group.is_empty() {
        draft.metadata.source = Some(companion.group);
    }
    draft.metadata.time_limit = companion
        .time_limit
        .map(|milliseconds| milliseconds / 1e3)
        .filter(|limit| *limit > 0.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is positive and small"
    )]
    let memory = companion
        .memory_limit
        .filter(|limit| *limit >= 1.0 && *limit < 1e6)
        .map(|limit| limit as u64);
    draft.metadata.memory = memory;
    if draft.metadata.time_limit.is_none() || memory.is_none() {
        draft.lost(
            Part::Limits,
            "the limit on time or memory is missing or invalid",
        );
    }
    let count = companion.tests.len();
    for (index, test) in companion.tests.into_iter().enumerate() {
        let place = format!("sample/{}", numbered(index + 1, count));
        draft.put_test(&place, test.input.into(), Some(test.output.into()));
    }
    draft.carried(Part::Samples, counted(count, "sample"));
    draft.lost(
        Part::Tests,
        "a page shows only samples: the package has no secret test cases",
    );
    draft.lost(Part::Statement, "the statement is only on the page");
    if companion.interactive {
        draft.lost(
            Part::Interactor,
            "the problem is interactive, and its interactor is not on the page",
        );
    }
    Ok(())
}
