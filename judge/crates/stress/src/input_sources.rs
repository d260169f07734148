//! Sources of inputs: generators with their calls, and the test cases of the problem.
//!
//! Responsible for the names of generators, and for describing the origin of an input. Pure.

use std::collections::BTreeSet;

use judge_model::{LanguageId, Problem, Program, TestCaseIndex};

use crate::inputs::template::{Call, GeneratorIndex, SEED, Template, TemplateIndex, learn, read};

/// The origin of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A call of a generator.
    Call {
        /// The generator.
        generator: GeneratorIndex,
        /// The arguments, with the seed filled in.
        args: Vec<String>,
        /// The template of the call.
        template: TemplateIndex,
    },
    /// A mutated test case.
    Changed {
        /// The test case.
        test_case: TestCaseIndex,
    },
}

/// A call of a generator that created a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCaseCall<'c> {
    /// The id of the test case.
    pub test_case: &'c str,
    /// The generator's name.
    pub name: &'c str,
    /// The generator.
    pub program: &'c Program,
    /// The arguments, with `{seed}` in place of a seed.
    pub args: Vec<String>,
}

/// The sources of inputs.
#[derive(Clone, Debug, Default)]
pub struct InputSources {
    /// The generators.
    pub generators: Vec<Program>,
    /// The names of the generators in commands.
    pub names: Vec<String>,
    /// The kinds of calls.
    pub templates: Vec<Template>,
    /// The names of the generators outside any package.
    pub outside: BTreeSet<String>,
    /// True when test cases are mutated too.
    pub change_test_cases: bool,
}

impl InputSources {
    /// Learns templates from the calls that created the test cases of a problem.
    pub fn learn<'c>(
        &mut self,
        calls: impl IntoIterator<Item = TestCaseCall<'c>>,
        problem: &Problem,
    ) {
        let call = |call: TestCaseCall<'_>| Call {
            generator: self.generator(call.name, call.program),
            args: call.args,
            settings_case: TestCaseIndex::enumerate(&problem.test_cases)
                .find(|(_, case)| case.id == call.test_case)
                .map_or(TestCaseIndex(0), |(index, _)| index),
        };
        self.templates = learn(&calls.into_iter().map(call).collect::<Vec<_>>());
    }

    /// Adds the template that these words describe for calls of a generator. Without `{seed}` among
    /// them, the seed is the last argument.
    ///
    /// # Errors
    /// Returns a message that describes the mistake.
    pub fn add_template(
        &mut self,
        name: &str,
        program: &Program,
        words: &[String],
    ) -> Result<(), String> {
        let generator = self.generator(name, program);
        let seed = (!words.iter().any(|word| word.contains(SEED))).then(|| SEED.to_owned());
        let words: Vec<String> = words.iter().cloned().chain(seed).collect();
        self.templates
            .push(read(generator, &words, TestCaseIndex(0))?);
        Ok(())
    }

    /// Returns the index of a generator, and adds it if its name is new.
    fn generator(&mut self, name: &str, program: &Program) -> GeneratorIndex {
        let known = self.names.iter().position(|other| other == name);
        GeneratorIndex(known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.generators.push(program.clone());
            self.names.len() - 1
        }))
    }

    /// The languages of generators and input validators.
    #[must_use]
    pub fn languages(&self, problem: &Problem) -> BTreeSet<LanguageId> {
        self.generators
            .iter()
            .chain(&problem.input_validators)
            .flat_map(Program::languages)
            .collect()
    }

    /// Describes the origin of an input.
    #[must_use]
    pub fn describe(&self, origin: &Origin, problem: &Problem) -> String {
        match origin {
            Origin::Call {
                generator, args, ..
            } => self.command(*generator, args),
            Origin::Changed { test_case } => {
                let case = problem.test_cases.get(test_case.0);
                format!("test case {}, changed", case.map_or("?", |case| &case.id))
            }
        }
    }

    /// Returns a call in the notation of `generators.yaml`.
    #[must_use]
    pub fn command(&self, generator: GeneratorIndex, args: &[String]) -> String {
        let quote = |word: &String| {
            let plain = !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c));
            if plain {
                word.clone()
            } else {
                format!("'{word}'")
            }
        };
        let name = self.names.get(generator.0).cloned().unwrap_or_default();
        std::iter::once(name)
            .chain(args.iter().map(quote))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Replaces `<name>` and `{{name}}` by the package's constants.
///
/// # Errors
/// Returns a message when the constant of a name in `<…>` does not exist.
pub fn with_constants(text: &str, problem: &Problem) -> Result<String, String> {
    let mut filled = text.to_owned();
    for constant in &problem.constants {
        for form in [
            format!("<{}>", constant.name),
            format!("{{{{{}}}}}", constant.name),
        ] {
            filled = filled.replace(&form, &constant.value);
        }
    }
    match filled
        .split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
    {
        Some((name, _)) => Err(format!("no constant `{name}` in problem.yaml")),
        None => Ok(filled),
    }
}

#[cfg(test)]
mod tests {
    use judge_model::{Constant, FormatVersion, TestCase};

    use super::*;

    fn problem() -> Problem {
        let case = TestCase {
            id: "secret/1".to_owned(),
            ..TestCase::default()
        };
        let constant = Constant {
            name: "n".to_owned(),
            value: "100".to_owned(),
        };
        Problem {
            test_cases: vec![case],
            constants: vec![constant],
            ..Problem::new("sum", "".into(), FormatVersion::V2025_09)
        }
    }

    #[test]
    fn constants_are_filled_in() {
        assert_eq!(
            with_constants("random <n> {{n}} {seed}", &problem()).unwrap(),
            "random 100 100 {seed}"
        );
        assert_eq!(
            with_constants("random <m>", &problem()).unwrap_err(),
            "no constant `m` in problem.yaml"
        );
    }

    #[test]
    fn templates_are_learnt_with_generator_and_test_case() {
        let program = Program {
            name: "gen.c".to_owned(),
            path: "gen.c".into(),
            sources: Vec::new(),
            language: LanguageId("c".to_owned()),
            entry_class: None,
            scripts: None,
        };
        let mut problem = problem();
        problem.test_cases.insert(
            0,
            TestCase {
                id: "sample/1".to_owned(),
                ..TestCase::default()
            },
        );
        let call = |test_case, args: [&str; 2]| TestCaseCall {
            test_case,
            name: "gen",
            program: &program,
            args: args.map(str::to_owned).to_vec(),
        };
        let mut sources = InputSources::default();
        sources.learn(
            [
                call("secret/1", ["5", "{seed}"]),
                call("secret/gone", ["walk", "9"]),
            ],
            &problem,
        );
        assert_eq!(
            (sources.names.as_slice(), sources.generators.len()),
            (&["gen".to_owned()][..], 1)
        );
        let mut settings_case: Vec<TestCaseIndex> = sources
            .templates
            .iter()
            .map(|template| template.settings_case)
            .collect();
        settings_case.sort_unstable();
        assert_eq!(
            settings_case,
            [0, 1].map(TestCaseIndex),
            "calls without a test case use the settings of the first one"
        );
        assert!(
            sources
                .add_template("gen", &program, &["[1..5]".to_owned()])
                .is_ok()
        );
        assert_eq!((sources.names.len(), sources.templates.len()), (1, 3));
        assert_eq!(
            sources.templates[2].seeds(),
            [1],
            "the seed is the last argument"
        );
        assert_eq!(
            sources.languages(&problem),
            BTreeSet::from([LanguageId("c".to_owned())])
        );
    }

    #[test]
    fn origins_are_described() {
        let sources = InputSources {
            names: vec!["random".to_owned()],
            ..InputSources::default()
        };
        assert_eq!(
            sources.command(
                GeneratorIndex(0),
                &["--n=5".to_owned(), "a b".to_owned(), String::new()]
            ),
            "random --n=5 'a b' ''"
        );
        assert_eq!(
            sources.describe(
                &Origin::Changed {
                    test_case: TestCaseIndex(0)
                },
                &problem()
            ),
            "test case secret/1, changed"
        );
        assert_eq!(
            sources.describe(
                &Origin::Changed {
                    test_case: TestCaseIndex(9)
                },
                &problem()
            ),
            "test case ?, changed"
        );
    }
}
