//! Programs of Polygon: checkers, interactors, validators, generators, solutions.
//!
//! Responsible for their places in the package, for the headers that they include, and for the
//! expectations of solutions. Must not know how programs are run.

use std::collections::BTreeMap;
use std::path::Path;

use judge_event::{Fate, Part};
use judge_model::Verdict;
use judge_package::names::is_header;

use crate::Result;
use crate::import::adapter::{Adapter, Program, Protocol};
use crate::import::draft::Draft;
use crate::import::draft::parts::Expectation;
use crate::import::formats::polygon::description::{Description, ProgramSource, Solution};
use crate::import::programs::{
    PLACE, base_name, headers, is_native, put_adapted, put_program, put_validator, stem_of,
};
use crate::import::rules::GeneratorFiles;
use crate::import::source::Source;

/// The tag of the solution that generates answers.
pub(crate) const MAIN: &str = "main";

/// Puts all programs except generators into the package.
pub(crate) fn convert(source: &Source, description: &Description, draft: &mut Draft) -> Result<()> {
    judges(source, description, draft)?;
    for validator in &description.validators {
        put_validator(source, &validator.path, draft)?;
    }
    for solution in &description.solutions {
        put_solution(source, solution, draft);
    }
    for resource in description
        .resources
        .iter()
        .filter(|resource| resource.is_of_solutions)
    {
        if source.has(&resource.path) {
            draft.copy(
                format!("include/cpp/{}", base_name(&resource.path)),
                &resource.path,
            );
            let text = format!(
                "`{}` is compiled with solutions in C++: Polygon does not state the languages",
                resource.path
            );
            draft.changed_at(Part::Graders, &resource.path, text);
        }
    }
    let attachments = description.attachments.iter();
    for attachment in attachments.filter(|file| source.has(file)) {
        draft.put_attachment(attachment);
    }
    // Headers have been copied next to each program that may include them.
    let resources = description.resources.iter().map(|resource| &resource.path);
    draft.mark_all_used(resources.filter(|path| is_header(path)));
    Ok(())
}

/// Puts the checker and the interactor, which become a single output validator.
fn judges(source: &Source, description: &Description, draft: &mut Draft) -> Result<()> {
    let exists = |program: &&ProgramSource| source.has(&program.path);
    let checker = description
        .checker
        .as_ref()
        .map(|checker| &checker.source)
        .filter(exists);
    let interactor = description.interactor.as_ref().filter(exists);
    if let Some(checker) = &description.checker {
        // The root contains a copy of the checker.
        draft.mark_used(base_name(&checker.source.path));
        draft.mark_used(format!(
            "check.{}",
            checker.source.path.rsplit('.').next().unwrap_or_default()
        ));
        if !source.has(&checker.source.path) {
            draft.lost(
                Part::Checker,
                format!("`{}` is not in the package", checker.source.path),
            );
        }
    }
    let (program, part, protocol) = match (interactor, checker) {
        (None, None) => return Ok(()),
        (Some(interactor), Some(checker)) => return put_both(source, interactor, checker, draft),
        (Some(interactor), None) => (interactor, Part::Interactor, Protocol::TestlibInteractor),
        (None, Some(checker)) => (checker, Part::Checker, Protocol::TestlibChecker),
    };
    put_adapted(source, &program.path, PLACE, protocol, part, draft)?;
    if description.points_as_percent {
        draft.lost(
            Part::Groups,
            "points of the checker are percentages in Polygon, but absolute points in the package",
        );
    }
    Ok(())
}

/// Puts an interactor and a checker. Polygon runs the checker on the output of the interactor. A
/// package has one output validator, which therefore runs both.
fn put_both(
    source: &Source,
    interactor: &ProgramSource,
    checker: &ProgramSource,
    draft: &mut Draft,
) -> Result<()> {
    put_program(source, &interactor.path, PLACE, Part::Interactor, draft)?;
    put_program(source, &checker.path, PLACE, Part::Checker, draft)?;
    let programs =
        [interactor, checker].map(|program| Program::from_file(&base_name(&program.path)));
    // The script that runs both must compile them, and knows only some languages.
    let [Some(interactor), Some(checker)] = programs else {
        let text = "the interactor or the checker is in a language that scripts of packages cannot compile";
        draft.lost(Part::Interactor, text);
        return Ok(());
    };
    Adapter::InteractorThenChecker {
        interactor,
        checker,
    }
    .put(PLACE, draft);
    let text =
        "the interactor, and then the checker on its output: `output_validator/run` runs both";
    draft.changed(Part::Interactor, text);
    if draft.metadata.scoring {
        draft.lost(Part::Groups, "points that the checker gives");
    }
    Ok(())
}

/// True if the program that judges outputs may give points.
pub(crate) fn judge_gives_points(source: &Source, description: &Description) -> Result<bool> {
    let checker = description.checker.as_ref().map(|checker| &checker.source);
    let judges = [checker, description.interactor.as_ref()]
        .into_iter()
        .flatten();
    for program in judges.filter(|program| is_native(&program.path) && source.has(&program.path)) {
        if uses_points(&source.text_to_search(&program.path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True for a program that uses one of testlib's functions or constants for points outside of line
/// comments.
fn uses_points(program: &str) -> bool {
    const WORDS: [&str; 5] = ["quitp", "quitpi", "_points", "_pc", "_partially"];
    // Comments name the functions of testlib, and do not call them.
    let code = program
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let mut words =
        code.flat_map(|code| code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
    words.any(|word| WORDS.contains(&word))
}

/// True if a validator uses the group or the set of tests of an input.
pub(crate) fn mentions_groups(source: &Source, description: &Description) -> Result<bool> {
    let validators = description.validators.iter();
    for validator in validators.filter(|validator| source.has(&validator.path)) {
        let text = source.text_to_search(&validator.path)?;
        if text.contains(".group()") || text.contains(".testset()") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts the generators into the package, and returns the files of each by the name that commands
/// use.
pub(crate) fn generators(
    source: &Source,
    description: &Description,
    draft: &mut Draft,
) -> Result<GeneratorFiles> {
    let of_judges = [
        description.checker.as_ref().map(|checker| &checker.source),
        description.interactor.as_ref(),
    ];
    // Polygon lists every program among the executables. The remaining ones are generators.
    let others: Vec<&ProgramSource> = of_judges
        .into_iter()
        .flatten()
        .chain(&description.validators)
        .collect();
    let mut generators = BTreeMap::new();
    let used = description
        .executables
        .iter()
        .filter(|program| !others.contains(program) && source.has(&program.path));
    for program in used {
        put_program(source, &program.path, "generators", Part::Generators, draft)?;
        let mut files = vec![base_name(&program.path)];
        if is_native(&program.path) {
            // A generator in C++ is compiled from these files, so the list includes the headers.
            files.extend(headers(source, &program.path).into_keys());
        }
        generators.insert(stem_of(&program.path), files);
    }
    Ok(generators)
}

/// Puts a generator that writes several files into its own directory, with a script that prints one
/// of the files, and returns its name. Returns `None` if scripts cannot compile its language.
pub(crate) fn put_file_generator(
    source: &Source,
    description: &Description,
    name: &str,
    draft: &mut Draft,
) -> Result<Option<String>> {
    let is_it =
        |program: &&ProgramSource| stem_of(&program.path) == name && source.has(&program.path);
    let Some(program) = description.executables.iter().find(is_it) else {
        return Ok(None);
    };
    let Some(runnable) = Program::from_file(&base_name(&program.path)) else {
        return Ok(None);
    };
    let own = format!("{name}_files");
    let place = format!("generators/{own}");
    if !draft.has(&format!("{place}/run")) {
        put_program(source, &program.path, &place, Part::Generators, draft)?;
        Adapter::Single {
            program: runnable,
            protocol: Protocol::FileGenerator,
            is_scoring: false,
        }
        .put(&place, draft);
        let text = format!(
            "`{}`, which writes several tests into files: `{place}/run` prints one of them",
            program.path
        );
        draft.changed_at(Part::Generators, &program.path, text);
    }
    Ok(Some(own))
}

/// Returns the meaning of a Polygon tag in a package: a directory and further expectations, or
/// `None` for a tag without an equivalent.
///
/// Source: 2025-09, "Submissions Directory": running out of memory counts as RTE.
fn expectation(tag: &str) -> Option<(&'static str, Expectation)> {
    let plain = |directory| Some((directory, Expectation::default()));
    match tag {
        MAIN => Some(("accepted", Expectation::model_solution(true))),
        "accepted" => plain("accepted"),
        "wrong-answer" | "presentation-error" => plain("wrong_answer"),
        "time-limit-exceeded" => plain("time_limit_exceeded"),
        "memory-limit-exceeded" => plain("run_time_error"),
        "rejected" => plain("rejected"),
        "time-limit-exceeded-or-accepted" => {
            // The submission may be fast enough on some hosts. It must not influence the time
            // limit.
            let rule = Expectation {
                use_for_time_limit: Some(false),
                ..expectation_on_group(tag)?
            };
            Some(("mixed", rule))
        }
        "time-limit-exceeded-or-memory-limit-exceeded" => {
            Some(("mixed", expectation_on_group(tag)?))
        }
        _ => None,
    }
}

/// Returns the meaning of a tag on a group.
fn expectation_on_group(tag: &str) -> Option<Expectation> {
    use Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
    let rule = |permitted: &[Verdict], required: &[Verdict]| {
        Some(Expectation::verdicts(permitted, required))
    };
    match tag {
        MAIN | "accepted" => rule(&[Accepted], &[]),
        "wrong-answer" | "presentation-error" => rule(&[Accepted, WrongAnswer], &[WrongAnswer]),
        "time-limit-exceeded" => rule(&[Accepted, TimeLimitExceeded], &[TimeLimitExceeded]),
        "memory-limit-exceeded" => rule(&[Accepted, RunTimeError], &[RunTimeError]),
        // An empty list permits all verdicts: a rejected solution may solve some tests of the
        // group.
        "rejected" => rule(&[], &[WrongAnswer, TimeLimitExceeded, RunTimeError]),
        "time-limit-exceeded-or-accepted" => rule(&[Accepted, TimeLimitExceeded], &[]),
        "time-limit-exceeded-or-memory-limit-exceeded" => rule(
            &[Accepted, TimeLimitExceeded, RunTimeError],
            &[TimeLimitExceeded, RunTimeError],
        ),
        _ => None,
    }
}

fn put_solution(source: &Source, solution: &Solution, draft: &mut Draft) {
    let path = &solution.source.path;
    if !source.has(path) {
        draft.lost(Part::Solutions, format!("`{path}` is not in the package"));
        return;
    }
    let Some((directory, mut expected)) = expectation(&solution.tag) else {
        let text = format!(
            "`{path}` has the tag `{}`, which packages cannot express",
            solution.tag
        );
        draft.mark_used(path);
        draft.lost_at(Part::Solutions, path, text);
        return;
    };
    // The extension is `py` for both versions.
    if solution.source.compiler == "python.2" {
        expected.language = Some("python2");
    }
    for (group, tag) in &solution.of_groups {
        let Some(on_group) = expectation_on_group(tag) else {
            let text = format!(
                "`{path}` has the tag `{tag}` on group `{group}`, which packages cannot express"
            );
            draft.lost_at(Part::Solutions, path, text);
            continue;
        };
        expected.on_groups.insert(group.clone(), on_group);
    }
    for (testset, tag) in &solution.of_testsets {
        let text = format!(
            "`{path}` has the tag `{tag}` on the set of tests `{testset}`: packages have one set"
        );
        draft.lost_at(Part::Solutions, path, text);
    }
    let id = draft.put_submission(directory, Path::new(path), expected);
    // Packages have no expectation for running out of memory, so this one is weaker than in the
    // source.
    let fate = if directory == "run_time_error" {
        Fate::Changed
    } else {
        Fate::Carried
    };
    let text = format!("`{id}`, by its tag `{}`", solution.tag);
    draft.report_at(fate, Part::Solutions, path, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scoring_checkers_are_recognised() {
        assert!(
            uses_points("if (ok)\n  quitp(10, \"%d\", x);") && uses_points("quitf(_pc(50), \"\");")
        );
        assert!(uses_points("quit(_points, \"\")"));
        assert!(!uses_points(
            "int max_points = 3; // quitp(1)\nquitf(_ok, \"\");"
        ));
    }

    #[test]
    fn tags_become_directories_or_are_reported() {
        let directory = |tag: &str| expectation(tag).map(|(directory, _)| directory);
        assert_eq!(directory("main"), Some("accepted"));
        assert_eq!(directory("presentation-error"), Some("wrong_answer"));
        assert_eq!(directory("memory-limit-exceeded"), Some("run_time_error"));
        assert_eq!(directory("time-limit-exceeded-or-accepted"), Some("mixed"));
        assert_eq!((directory("failed"), directory("do-not-run")), (None, None));
        assert_eq!(
            expectation_on_group("accepted").unwrap().permitted,
            [Verdict::Accepted]
        );
    }
}
