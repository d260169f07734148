//! Checkers and interactors of online judges.
//!
//! Responsible for putting them into the package with a script that speaks to them as their judge does. Must not know how a
//! judge names them.

use judge_event::{Fate, Part};

use crate::InterchangeError;
use crate::import::adapter::{Adapter, Program, Protocol};
use crate::import::draft::{Content, Draft, Expectation, safe_name};
use crate::import::source::Source;

const PLACE: &str = "output_validator";
const LIBRARY: &str = "testlib.h";

/// Puts a checker or an interactor into the package.
pub(super) fn put_judge(
    source: &Source,
    file: &str,
    protocol: Protocol,
    draft: &mut Draft,
) -> Result<(), InterchangeError> {
    let is_interactor = protocol == Protocol::TestlibInteractor;
    let part = if is_interactor { Part::Interactor } else { Part::Checker };
    if !source.has(file) {
        draft.say(Fate::Lost, part, format!("`{file}` is not there"));
        return Ok(());
    }
    let name = safe_name(file.rsplit('/').next().unwrap_or(file));
    draft.put(format!("{PLACE}/{name}"), Content::Copy(file.into()));
    draft.metadata.interactive |= is_interactor;
    let text = source.text(file)?.unwrap_or_default();
    let mut has_library = false;
    for header in source.files().filter_map(|file| file.to_str()).filter(|file| file.ends_with(".h")) {
        let of = header.rsplit('/').next().unwrap_or(header);
        has_library |= of == LIBRARY;
        draft.put(format!("{PLACE}/{}", safe_name(of)), Content::Copy(header.into()));
    }
    if protocol == Protocol::Package {
        draft.say_at(Fate::Carried, part, format!("`{file}`, which speaks as validators of packages do"), file);
        return Ok(());
    }
    if text.contains(LIBRARY) {
        if has_library {
            draft.say_at(Fate::Carried, part, format!("`{file}`, with `{LIBRARY}`"), file);
        } else {
            let text = format!("`{file}` includes `{LIBRARY}`, which is not there: put it into `{PLACE}/`");
            draft.say_at(Fate::Lost, part, text, file);
        }
        return Ok(());
    }
    let Some(program) = Program::of(&name) else {
        draft.say_at(Fate::Lost, part, format!("`{file}` is in a language that no script here compiles"), file);
        return Ok(());
    };
    Adapter::Single { program, protocol }.put(PLACE, draft);
    draft.say_at(Fate::Changed, part, format!("`{file}`: `{PLACE}/run` speaks to it as its judge does"), file);
    Ok(())
}

/// Says which arguments the default output validator has.
pub(super) fn compare(name: &str, arguments: &[&str], fate: Fate, draft: &mut Draft) {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let told =
        if arguments.is_empty() { "without arguments".to_owned() } else { format!("with `{}`", arguments.join(" ")) };
    draft.say(fate, Part::Checker, format!("`{name}`: the default output validator {told}"));
    draft.output_validator_args = arguments;
}

/// Puts solutions that nothing is known of but that they are right.
pub(super) fn put_solutions<'f>(files: impl IntoIterator<Item = &'f std::path::Path>, draft: &mut Draft) {
    for file in files {
        let expected = Expectation { model_solution: draft.main_solution().is_none(), ..Expectation::default() };
        let id = draft.put_submission("accepted", file, expected);
        let text = format!("`{id}`: taken for right, since nothing says what is expected of it");
        draft.say_at(Fate::Changed, Part::Solutions, text, &file.to_string_lossy());
    }
}
