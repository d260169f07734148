//! The source of inputs: the call or the mutated test case for input number N.
//!
//! The choice depends only on the seed, the costs and the number. Therefore the inputs do not
//! depend on the number of threads, or on whether a search is resumed. Pure.

use crate::inputs::changes::{Material, mutate};
use crate::inputs::costs::Costs;
use crate::inputs::random::Draw;
use crate::inputs::template::{Template, TemplateIndex};
use judge_exec::Random;
use judge_model::TestCaseIndex;

/// One in this many inputs is a mutated test case, if there are generators too.
const CHANGED: u64 = 4;

/// An existing input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    /// The index of the test case.
    pub(crate) test_case: TestCaseIndex,
    pub(crate) input: Vec<u8>,
}

/// The source of inputs: templates of calls, and existing inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) templates: Vec<Template>,
    /// The costs of the templates, in the same order.
    pub(crate) costs: Costs,
    /// The existing inputs, the smallest first.
    pub(crate) bases: Vec<Base>,
    /// Words and numbers of the sources of programs.
    pub(crate) literals: Vec<Vec<u8>>,
}

/// The recipe of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recipe {
    /// A call of a generator.
    Call {
        template: TemplateIndex,
        args: Vec<String>,
    },
    /// A mutated test case.
    Changed { base: usize, input: Vec<u8> },
}

impl Source {
    pub(crate) fn is_empty(&self) -> bool {
        self.templates.is_empty() && self.bases.is_empty()
    }

    /// Returns the recipe of an input. `None` only without any source.
    pub(crate) fn recipe(&self, seed: u64, number: u64) -> Option<Recipe> {
        let mut random = Random::for_number(seed, number);
        let generated =
            !self.templates.is_empty() && (self.bases.is_empty() || !random.once_in(CHANGED));
        if generated {
            let template = TemplateIndex(self.costs.draw(&mut random));
            return Some(Recipe::Call {
                template,
                args: self.templates[template.0].draw(&mut random, number),
            });
        }
        let base = usize::try_from(random.small(self.bases.len() as u64)).unwrap_or(0);
        let original = self.bases.get(base)?;
        let material = Material {
            literals: &self.literals,
            other: &self.bases[random.index(self.bases.len())].input,
        };
        let input = mutate(&original.input, material, &mut random);
        Some(Recipe::Changed { base, input })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::template::{GeneratorIndex, read};

    fn source() -> Source {
        let base = |test_case, input: &str| Base {
            test_case,
            input: input.into(),
        };
        let template = read(
            GeneratorIndex(0),
            &["[1..9]".to_owned(), "{seed}".to_owned()],
            TestCaseIndex(0),
        )
        .unwrap();
        Source {
            templates: vec![template],
            costs: Costs::equal(1),
            bases: vec![
                base(TestCaseIndex(0), "1\n"),
                base(TestCaseIndex(1), "3\n4 5 6\n"),
            ],
            literals: Vec::new(),
        }
    }

    #[test]
    fn inputs_depend_only_on_seed_and_number() {
        let source = source();
        let all: Vec<_> = (0..50).map(|number| source.recipe(7, number)).collect();
        let again: Vec<_> = (0..50)
            .rev()
            .map(|number| source.recipe(7, number))
            .collect();
        assert!(all.iter().eq(again.iter().rev()));
        assert_ne!(
            all,
            (0..50)
                .map(|number| source.recipe(8, number))
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn calls_and_mutated_test_cases_are_mixed() {
        let calls = |source: &Source| {
            (0..400)
                .filter(|number| matches!(source.recipe(1, *number), Some(Recipe::Call { .. })))
                .count()
        };
        let source = source();
        assert!((250..350).contains(&calls(&source)));
        assert_eq!(
            calls(&Source {
                bases: Vec::new(),
                ..source.clone()
            }),
            400
        );
        assert_eq!(
            calls(&Source {
                templates: Vec::new(),
                ..source
            }),
            0
        );
        assert!(Source::default().is_empty() && Source::default().recipe(1, 1).is_none());
    }
}
