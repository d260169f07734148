//! Programs for other judges: checkers, interactors, validators, graders, solutions.
//!
//! Responsible for putting them into the package, with headers and with a script that uses the
//! protocol of their judge. Must not know how a judge names them.

use std::collections::BTreeMap;

use judge_event::{Fate, Part};
use judge_package::names::is_header;

use crate::Result;
use crate::import::adapter::{Adapter, Program, Protocol};
use crate::import::draft::Draft;
use crate::import::draft::naming::safe_name;
use crate::import::draft::parts::Expectation;
use crate::import::source::Source;

/// The directory of the output validator.
pub(crate) const PLACE: &str = "output_validator";
const LIBRARY: &str = "testlib.h";

/// Puts a checker or an interactor into the package.
pub(crate) fn put_judge(
    source: &Source,
    file: &str,
    protocol: Protocol,
    draft: &mut Draft,
) -> Result<()> {
    let part = if protocol.is_interactor() {
        Part::Interactor
    } else {
        Part::Checker
    };
    if !source.has(file) {
        draft.lost(part, format!("`{file}` is missing"));
        return Ok(());
    }
    draft.metadata.interactive |= protocol.is_interactor();
    put_adapted(source, file, PLACE, protocol, part, draft)
}

/// Puts an input validator into the package.
pub(crate) fn put_validator(source: &Source, file: &str, draft: &mut Draft) -> Result<()> {
    if !source.has(file) {
        draft.lost(Part::Validators, format!("`{file}` is missing"));
        return Ok(());
    }
    let (name, stem) = (base_name(file), stem_of(file));
    let numbered = |number: u32| match number {
        1 => format!("input_validators/{stem}"),
        number => format!("input_validators/{stem}-{number}"),
    };
    let place = (1..)
        .map(numbered)
        .find(|place| !draft.has(&format!("{place}/{name}")))
        .unwrap_or_default();
    put_adapted(
        source,
        file,
        &place,
        Protocol::Validator,
        Part::Validators,
        draft,
    )
}

/// Puts a program into a directory of the package, with a script if its protocol is not that of
/// packages or testlib.
pub(crate) fn put_adapted(
    source: &Source,
    file: &str,
    place: &str,
    protocol: Protocol,
    part: Part,
    draft: &mut Draft,
) -> Result<()> {
    let uses_library = put_program(source, file, place, part, draft)?;
    if protocol == Protocol::Package {
        // A validator with this protocol gives partial points by writing this file, without any
        // setting in the source.
        draft.gives_shares |= source.text_to_search(file)?.contains("score_multiplier");
        draft.carried_at(
            part,
            file,
            format!("`{file}`, with the protocol of packages"),
        );
        return Ok(());
    }
    let has_library_protocol = matches!(
        protocol,
        Protocol::TestlibChecker | Protocol::TestlibInteractor | Protocol::Validator
    );
    if uses_library && has_library_protocol {
        draft.carried_at(part, file, format!("`{file}`, with `{LIBRARY}`"));
        return Ok(());
    }
    let Some(program) = Program::from_file(&base_name(file)) else {
        draft.lost_at(
            part,
            file,
            format!("`{file}` is in a language that scripts of packages cannot compile"),
        );
        return Ok(());
    };
    draft.gives_shares |= protocol.gives_shares();
    Adapter::Single {
        program,
        protocol,
        is_scoring: draft.metadata.scoring,
    }
    .put(place, draft);
    draft.changed_at(
        part,
        file,
        format!("`{file}`: `{place}/run` runs it with the protocol of its judge"),
    );
    Ok(())
}

/// Returns a valid name for a file in a package.
pub(crate) fn base_name(file: &str) -> String {
    safe_name(file.rsplit('/').next().unwrap_or(file))
}

/// Returns the same without the extension.
pub(crate) fn stem_of(file: &str) -> String {
    let name = base_name(file);
    name.rsplit_once('.')
        .map_or(name.as_str(), |(stem, _)| stem)
        .to_owned()
}

/// True for sources in C and C++.
pub(crate) fn is_native(file: &str) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(_, extension)| matches!(extension, "c" | "cpp" | "cc" | "cxx"))
}

/// Returns the headers that a program may include: those in its directory, and one of each other
/// name from elsewhere.
pub(crate) fn headers<'s>(source: &'s Source, file: &str) -> BTreeMap<String, &'s str> {
    let directory = file.rsplit_once('/').map_or("", |(directory, _)| directory);
    let is_adjacent =
        |header: &str| header.rsplit_once('/').map_or("", |(parent, _)| parent) == directory;
    let mut found = BTreeMap::new();
    for header in source
        .files()
        .filter_map(|file| file.to_str())
        .filter(|file| is_header(file))
    {
        // Like for the compiler, the directory of the program comes first.
        if is_adjacent(header) || !found.contains_key(&base_name(header)) {
            found.insert(base_name(header), header);
        }
    }
    found
}

/// Puts a program into a directory of the package, with the headers that it may include. Returns
/// true if it is written with testlib.
pub(crate) fn put_program(
    source: &Source,
    file: &str,
    place: &str,
    part: Part,
    draft: &mut Draft,
) -> Result<bool> {
    draft.copy(format!("{place}/{}", base_name(file)), file);
    if !is_native(file) {
        return Ok(false);
    }
    let headers = headers(source, file);
    for (name, header) in &headers {
        draft.copy(format!("{place}/{name}"), *header);
    }
    let uses_library = source.text_to_search(file)?.contains(LIBRARY);
    if uses_library && !headers.contains_key(LIBRARY) {
        let text =
            format!("`{file}` includes `{LIBRARY}`, which is missing: put it into `{place}/`");
        draft.lost_at(part, file, text);
    }
    Ok(uses_library)
}

/// Sets the arguments of the default output validator, and reports them.
pub(crate) fn compare(name: &str, arguments: &[&str], fate: Fate, draft: &mut Draft) {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| (*argument).to_owned())
        .collect();
    let how = if arguments.is_empty() {
        "without arguments".to_owned()
    } else {
        format!("with `{}`", arguments.join(" "))
    };
    draft.report(
        fate,
        Part::Checker,
        format!("`{name}`: the default output validator {how}"),
    );
    draft.output_validator_args = arguments;
}

/// Puts solutions that are assumed to be correct.
pub(crate) fn put_solutions<'f>(
    files: impl IntoIterator<Item = &'f std::path::Path>,
    draft: &mut Draft,
) {
    for file in files {
        let expected = Expectation::model_solution(draft.main_solution().is_none());
        let id = draft.put_submission("accepted", file, expected);
        let text = format!("`{id}`: assumed to be accepted since its expectation is unknown");
        draft.changed_at(Part::Solutions, &file.to_string_lossy(), text);
    }
}

/// Languages with their file extensions.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "cxx", "h", "hpp", "hh", "hxx"]),
    ("java", &["java"]),
    ("pascal", &["pas"]),
    ("python3", &["py"]),
    ("rust", &["rs"]),
    ("kotlin", &["kt"]),
    ("csharp", &["cs"]),
];

/// Puts graders and libraries into `include/`, so that they are compiled with the submissions of
/// their languages.
pub(crate) fn put_graders(files: &[String], draft: &mut Draft) {
    for file in files {
        let ending = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let of_languages: Vec<&str> = LANGUAGES
            .iter()
            .filter(|(_, endings)| endings.contains(&ending))
            .map(|(language, _)| *language)
            .collect();
        if of_languages.is_empty() {
            draft.mark_used(file);
            draft.lost_at(
                Part::Graders,
                file,
                format!("`{file}` is in no known language"),
            );
            continue;
        }
        for language in &of_languages {
            draft.copy(format!("include/{language}/{}", base_name(file)), file);
        }
        let text = format!(
            "`{file}` is compiled with solutions in {}",
            of_languages.join(" and ")
        );
        draft.carried_at(Part::Graders, file, text);
    }
}
