//! Short notations of mutants, shared by the tests of this crate.

use judge_model::LanguageFamily;

use crate::mutants::{Mutant, mutants};

/// The mutants of a program.
pub(crate) fn rust_mutants(source: &str) -> Vec<Mutant> {
    mutants(source, LanguageFamily::Rust).unwrap_or_else(|error| panic!("{error} in {source}"))
}

/// The mutants of `fn f() { BODY }`, each as `operator: mutated body`.
pub(crate) fn body_mutants(body: &str) -> Vec<String> {
    let source = format!("fn f() {{ {body} }}");
    let short = |mutant: &Mutant| {
        let text = mutant.apply(&source);
        let inner = text
            .strip_prefix("fn f() { ")
            .and_then(|rest| rest.strip_suffix(" }"));
        format!("{}: {}", mutant.operator.name(), inner.unwrap_or(&text))
    };
    rust_mutants(&source).iter().map(short).collect()
}
