//! The target and the sources of inputs of a search, from the command line, for a package or for
//! loose files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_authoring::Project;
use judge_files::LockedDirectory;
use judge_model::{LanguageId, Problem, Submission, TestCase};
use judge_package::{input_validator_at, names_submission, program_at, program_named, shell_words};
use judge_report::noun;
use judge_runner::Plan;
use judge_stress::{InputSources, Target, TargetRequest, TestCaseCall, with_constants};

use crate::args::StressArgs;
use crate::commands::judging::submission_args::{named_submissions, paths_of};
use crate::commands::judging::submit::{guess, outside_program, package_named, resolve};
use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::commands::loose::{self, LooseProblem};
use crate::commands::selection::load_package;
use crate::config::Config;
use crate::failure::Failure;

/// The problem of a search with its target.
pub(super) struct SearchProblem {
    pub(super) target: Target,
    /// The arguments of each input validator, for each test case.
    pub(super) input_args: Vec<Vec<Vec<String>>>,
    /// The rules for its data, if it has any.
    pub(super) project: Option<Project>,
    pub(super) inputs: InputSources,
    /// The problem with all of its own submissions, from which a time limit is inferred.
    whole: Arc<Problem>,
    /// Owns the directory of a problem of loose files.
    _directory: Option<LockedDirectory>,
}

impl SearchProblem {
    pub(super) fn read(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        match loose_programs(config, args)? {
            Some(programs) => Self::of_loose_files(config, args, programs),
            None => Self::of_package(config, args),
        }
    }

    fn of_package(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        args.output_check.expect_no_package()?;
        if args.validator.is_some() {
            return Err(loose::not_in_a_package("--validator"));
        }
        let (mut loaded, entrants) = match (args.submissions.as_slice(), &args.problem.name) {
            ([], problem) => (
                load_package(
                    config,
                    &package_named(config, problem.as_deref().unwrap_or("."))?,
                )?,
                Vec::new(),
            ),
            (words, problem) => named_submissions(config, problem.as_deref(), words)
                .map_err(|failure| with_quoting_hint(args, failure))?,
        };
        let whole = Arc::new(loaded.problem.clone());
        let mut reference_id = args.reference.clone();
        if let Some(path) = args
            .reference
            .as_deref()
            .map(|word| config.directory.join(word))
            .filter(|path| path.is_file())
        {
            let reference = outside_program(config, &resolve(config, &path)?)?;
            // A file of the package or of the command line already has an id.
            if !loaded
                .problem
                .submissions
                .iter()
                .chain(&entrants)
                .any(|submission| submission.path == reference.path)
            {
                let id = format!("{} (reference)", reference.id);
                reference_id = Some(id.clone());
                loaded
                    .problem
                    .submissions
                    .push(Submission { id, ..reference });
            }
        }
        // Errors in the rules are reported after those of the command line. Choosing the target
        // only needs the solution that the rules name, if they can be read.
        let rules = Project::open(&whole.directory, &config.workspace);
        let request = TargetRequest {
            predicate: args.find.as_deref(),
            reference: reference_id.as_deref(),
            in_package: true,
            answers_by: rules
                .as_ref()
                .ok()
                .and_then(|rules| rules.as_ref()?.answers_by())
                .map(|submission| submission.id.as_str()),
        };
        let paths = |word: &str| {
            paths_of(config, &whole, &entrants, word).map_err(|failure| failure.to_string())
        };
        let target = Target::choose(loaded.problem.clone(), entrants.clone(), request, &paths)
            .map_err(Failure::Usage)?;
        loaded.problem = target.problem.clone();
        let input_args = loaded.input_args();
        let project = rules.map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs(config, args, project.as_ref(), &target.problem)?;
        Ok(Self {
            target,
            input_args,
            project,
            inputs,
            whole,
            _directory: None,
        })
    }

    fn of_loose_files(
        config: &Config,
        args: &StressArgs,
        mut programs: Vec<Submission>,
    ) -> Result<Self, Failure> {
        if args.add.is_some() {
            let why = "`--add` needs a package\nhint: `--save DIR` writes findings to files";
            return Err(Failure::Usage(why.to_owned()));
        }
        let entrants = programs.len();
        let reference = args
            .reference
            .as_deref()
            .map(|word| loose::programs_from_files(config, &[word.to_owned()]))
            .transpose()?;
        programs.extend(reference.into_iter().flatten());
        // Files of the same name in different directories must have different ids.
        Submission::make_ids_distinct(&mut programs);
        let reference = programs.get(entrants).map(|reference| reference.id.clone());
        if programs[entrants..].iter().any(|reference| {
            programs[..entrants]
                .iter()
                .any(|submission| submission.path == reference.path)
        }) {
            let word = args.reference.as_deref().unwrap_or_default();
            return Err(Failure::Usage(format!(
                "`{word}` cannot be its own reference: it would always agree with itself"
            )));
        }
        let check = &args.output_check;
        let loose = LooseProblem::new(config, check, programs.clone())?;
        let (mut problem, directory) = (loose.problem, loose.directory);
        let validator = args
            .validator
            .as_deref()
            .map(|word| loose::program(config, "--validator", word, input_validator_at))
            .transpose()?;
        problem.input_validators.extend(validator);
        problem.test_cases = vec![LooseProblem::test_case("secret/none".to_owned(), check)];
        let request = TargetRequest {
            predicate: args.find.as_deref(),
            reference: reference.as_deref(),
            answers_by: None,
            in_package: false,
        };
        let whole = problem.clone();
        let paths = |word: &str| {
            let named = whole
                .submissions
                .iter()
                .filter(|submission| names_submission(word, &submission.id))
                .map(|submission| submission.path.clone());
            let named: Vec<PathBuf> = named.collect();
            if named.is_empty() {
                Err(format!("`{word}` names none of the programs"))
            } else {
                Ok(named)
            }
        };
        problem.submissions = programs.split_off(entrants);
        let target = Target::choose(problem, programs, request, &paths).map_err(Failure::Usage)?;
        let validators = target.problem.input_validators.len();
        let args_of = |case: &TestCase| vec![case.args.clone(); validators];
        let input_args = target.problem.test_cases.iter().map(args_of).collect();
        let inputs = inputs(config, args, None, &target.problem)?;
        Ok(Self {
            target,
            input_args,
            project: None,
            inputs,
            whole: Arc::new(whole),
            _directory: Some(directory),
        })
    }

    /// A plan of the problem with its submissions, without expectations.
    pub(super) fn plan(&self, config: &Config, settings: JudgingSettings) -> Plan {
        let mut problem = self.target.problem.clone();
        for submission in &mut problem.submissions {
            submission.expectations.clear();
        }
        PlanBuilder::plan_of_replaced(config, settings, problem, Arc::clone(&self.whole))
    }

    /// The languages of the submissions that take part, of generators and of input validators.
    pub(super) fn languages(&self, plan: &Plan) -> BTreeSet<LanguageId> {
        let needed = self.target.needed();
        let problems = plan
            .problems
            .iter()
            .map(|planned| planned.with_submissions(|index| needed.contains(&index)));
        let plan = Plan {
            problems: problems.collect(),
            ..Plan::default()
        };
        plan.languages()
            .into_iter()
            .chain(self.inputs.languages(&self.target.problem))
            .collect()
    }
}

/// The programs of a search without a package; `None` for one in a package.
///
/// No package is looked for if options only make sense without one, or if the reference and the
/// generators are files.
fn loose_programs(config: &Config, args: &StressArgs) -> Result<Option<Vec<Submission>>, Failure> {
    if args.problem.name.is_some() {
        return Ok(None);
    }
    let Some(programs) = loose::programs(config, &args.submissions)? else {
        return Ok(None);
    };
    let is_file = |call: &String| {
        shell_words(call).is_some_and(|words| {
            words
                .first()
                .is_some_and(|name| loose::exists(config, name))
        })
    };
    let are_files = !args.calls.is_empty() && args.calls.iter().all(is_file);
    let has_reference = args
        .reference
        .as_deref()
        .is_some_and(|word| loose::exists(config, word));
    let is_loose =
        args.validator.is_some() || !args.output_check.is_default() || (are_files && has_reference);
    // The options allow both. A program that belongs to a problem of the workspace is then a
    // submission to it.
    if !is_loose && guess(config, &programs[0].path).is_ok() {
        return Ok(None);
    }
    let needs_reference = args.reference.is_none() && programs.len() == 1;
    let missing = [
        (needs_reference, "--reference"),
        (args.calls.is_empty(), "--generator"),
    ];
    let names: Vec<String> = missing
        .iter()
        .filter(|(is_missing, _)| *is_missing)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if names.is_empty() {
        return Ok(Some(programs));
    }
    let (options, moved) = missing_options(
        &args.submissions,
        args.reference.is_some(),
        !args.calls.is_empty(),
    );
    Err(Failure::Usage(format!(
        "`{}` belongs to no problem, so {} {} required\nhint: `{}`, with a slow but correct program and a program that \
         prints an input; or name the problem with -p PROBLEM",
        config.shown(&programs[0].path),
        names.join(" and "),
        noun(names.len() as u64, "is", "are"),
        loose::command_changed(&moved, &options)
    )))
}

/// Returns the options, with their arguments, that the search of these programs without a package
/// lacks, and the programs among these arguments: their names suggest that they were intended for
/// the options.
fn missing_options(
    programs: &[String],
    has_reference: bool,
    has_generator: bool,
) -> (Vec<&str>, Vec<&str>) {
    let mut programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let mut moved = Vec::new();
    let mut generator = None;
    if !has_generator {
        let named = take_named(&mut programs, &["gen"]);
        moved.extend(named);
        generator = Some(named.unwrap_or("gen.py"));
    }
    let mut reference = None;
    if !has_reference {
        let named = take_named(&mut programs, &["brute", "naive", "slow"]);
        moved.extend(named);
        // Several programs are compared with each other.
        reference = named.or((programs.len() == 1).then_some("brute.py"));
    }
    let options = [("--reference", reference), ("--generator", generator)]
        .into_iter()
        .filter_map(|(option, file)| Some([option, file?]));
    (options.flatten().collect(), moved)
}

/// Removes the first program whose file name begins in one of these ways. One program always
/// stays.
fn take_named<'a>(programs: &mut Vec<&'a str>, beginnings: &[&str]) -> Option<&'a str> {
    if programs.len() == 1 {
        return None;
    }
    let is_named = |program: &&str| {
        let name = Path::new(program).file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        beginnings
            .iter()
            .any(|beginning| name.starts_with(beginning))
    };
    let index = programs.iter().position(is_named)?;
    Some(programs.remove(index))
}

/// Replaces the failure of a submission that is probably an argument of a generator.
fn with_quoting_hint(args: &StressArgs, failure: Failure) -> Failure {
    match (failure, unquoted_call(&args.calls, &args.submissions)) {
        (Failure::NothingSelected(_), Some((call, first))) => Failure::NothingSelected(format!(
            "`{first}` names no submission\nhint: quote a generator with its arguments: `--generator '{call}'`"
        )),
        (failure, _) => failure,
    }
}

/// Returns the only call of a generator with the submissions that are probably its arguments, and
/// the first of these: a number, which hardly any program has as its name.
fn unquoted_call<'a>(calls: &[String], submissions: &'a [String]) -> Option<(String, &'a str)> {
    let [call] = calls else {
        return None;
    };
    let index = submissions
        .iter()
        .position(|word| word.parse::<u64>().is_ok())?;
    let call = format!("{call} {}", submissions[index..].join(" "));
    (!call.contains('\'')).then_some((call, &submissions[index]))
}

/// The sources of inputs that the command line names.
fn inputs(
    config: &Config,
    args: &StressArgs,
    project: Option<&Project>,
    problem: &Problem,
) -> Result<InputSources, Failure> {
    if args.calls.is_empty() {
        return Ok(inputs_of_package(project, problem));
    }
    let mut inputs = InputSources::default();
    for text in &args.calls {
        let usage = |why: String| Failure::Usage(format!("`--generator {text}`: {why}"));
        add_call(&mut inputs, text, project, problem, config).map_err(usage)?;
    }
    Ok(inputs)
}

/// All sources of inputs of a package. Shared with the hunt of `judge mutate`.
pub(crate) fn inputs_of_package(project: Option<&Project>, problem: &Problem) -> InputSources {
    let mut inputs = InputSources {
        change_test_cases: true,
        ..InputSources::default()
    };
    let calls = project.map(Project::calls).into_iter().flatten();
    let known = calls.map(|call| TestCaseCall {
        test_case: call.test_case,
        name: call.name,
        program: call.program,
        args: call.args,
    });
    inputs.learn(known, problem);
    inputs
}

/// Adds a call of `--generator`: a generator of the package, or a file.
fn add_call(
    inputs: &mut InputSources,
    text: &str,
    project: Option<&Project>,
    problem: &Problem,
    config: &Config,
) -> Result<(), String> {
    let filled = with_constants(text, problem)?;
    let words = shell_words(&filled).unwrap_or_default();
    let Some((name, words)) = words.split_first() else {
        return Err("expected a generator and its arguments".to_owned());
    };
    if let Some(program) = project.and_then(|project| project.generator(name)) {
        return inputs.add_template(name, program, words);
    }
    let directory = problem.directory.join("generators");
    let program = match program_named(&directory, name, &config.workspace.languages) {
        Some(program) => program.map_err(|errors| errors.to_string())?,
        None if loose::exists(config, name) => {
            inputs.outside.insert(name.clone());
            loose::program(config, "--generator", name, program_at)
                .map_err(|failure| failure.to_string())?
        }
        None => {
            return Err(format!("no such file or generator: `{name}`"));
        }
    };
    inputs.add_template(name, &program, words)
}

/// The directories that programs of a package may see.
pub(crate) fn directories(package: &Path, project: Option<&Project>) -> Vec<PathBuf> {
    std::iter::once(package.to_owned())
        .chain(project.iter().flat_map(|project| project.directories()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn files_with_the_name_of_a_role_become_arguments_of_options() {
        for (typed, has_reference, options, moved) in [
            (
                "bad.py",
                false,
                "--reference brute.py --generator gen.py",
                "",
            ),
            ("bad.py", true, "--generator gen.py", ""),
            ("bad.py good.py", false, "--generator gen.py", ""),
            ("bad.py gen.c", true, "--generator gen.c", "gen.c"),
            (
                "bad.py x/slow.py generate.py",
                false,
                "--reference x/slow.py --generator generate.py",
                "generate.py x/slow.py",
            ),
            (
                "gen.py bad.py brute.c",
                false,
                "--reference brute.c --generator gen.py",
                "gen.py brute.c",
            ),
        ] {
            let typed = words(typed);
            let found = missing_options(&typed, has_reference, false);
            assert_eq!(found.0.join(" "), options, "{typed:?}");
            assert_eq!(found.1.join(" "), moved, "{typed:?}");
        }
    }

    #[test]
    fn numbers_after_a_call_are_part_of_it() {
        let call = |calls: &[&str], typed: &str| {
            let calls: Vec<String> = calls.iter().map(|call| (*call).to_owned()).collect();
            unquoted_call(&calls, &words(typed)).map(|(call, first)| (call, first.to_owned()))
        };
        assert_eq!(
            call(&["gen.py"], "bad.py 9 x"),
            Some(("gen.py 9 x".to_owned(), "9".to_owned()))
        );
        assert_eq!(call(&["gen.py"], "bad.py other"), None);
        assert_eq!(call(&["gen.py", "other.py"], "bad.py 9"), None);
        assert_eq!(call(&["gen.py 'a b'"], "bad.py 9"), None);
    }
}
