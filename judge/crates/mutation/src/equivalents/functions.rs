//! Copies of functions in C and C++, with a mistake in each: one text, in which the compiler's work on them can be compared.
//!
//! Responsible for which mutants have their mistakes in a function that can be copied, and for the text. Pure. Must not know
//! how anything is compiled.
//!
//! Everything but the body of that function is the same in a mutant and in the solution, so that both do the same if the
//! function does. The compiler makes each copy as if it knew nothing of those who call it (`noipa`): equal instructions are
//! then equal whoever calls. A function is left to other ways if anything of it but its body may depend on the body, or if
//! it cannot be called otherwise: templates, constructors, what is virtual or evaluated by the compiler, an `auto`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use tree_sitter::{Node, Parser};

use crate::language::MutantLanguage;
use crate::mutants::{Mutant, MutantIndex, apply, grammar};

/// A function of which copies can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FunctionBody {
    range: Range<usize>,
    /// Its name, which is another one in a copy.
    name: Range<usize>,
    body: Range<usize>,
    /// True for the function that ends with a value although it gives none.
    is_main: bool,
}

/// The functions of a solution of which copies can be made.
#[derive(Debug)]
pub(crate) struct Functions<'s> {
    source: &'s str,
    functions: Vec<FunctionBody>,
}

/// A text with copies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Copies {
    pub(super) text: String,
    /// Of each mutant the words in the names of its copy, and of that of the solution.
    pub(super) pairs: Vec<(MutantIndex, String, String)>,
}

/// Words that make a function one that is not copied.
const SPECIAL: [&str; 14] = [
    "auto",
    "constexpr",
    "consteval",
    "virtual",
    "override",
    "final",
    "friend",
    "explicit",
    "template",
    "requires",
    "try",
    "decltype",
    "__attribute__",
    "concept",
];

/// What a copy begins with. A compiler that does not know the attribute would compare what says nothing.
const CHECK: &str = "\n#if !__has_attribute(noipa)\n#error no copies\n#endif\n";

impl<'s> Functions<'s> {
    /// Of a solution; none in languages other than C and C++.
    pub(super) fn of(source: &'s str, language: MutantLanguage) -> Self {
        let mut functions = Vec::new();
        let mut parser = Parser::new();
        let is_known = matches!(language, MutantLanguage::C | MutantLanguage::Cpp)
            && grammar(language).is_some_and(|grammar| parser.set_language(&grammar).is_ok());
        if let Some(tree) = is_known.then(|| parser.parse(source, None)).flatten() {
            find(tree.root_node(), source, &mut functions);
        }
        Self { source, functions }
    }

    /// The function that holds everything in which a mutant differs.
    fn around(&self, mutant: &Mutant) -> Option<usize> {
        let (first, last) = (mutant.edits.first()?, mutant.edits.last()?);
        let holds =
            |function: &FunctionBody| function.body.start < first.range.start && last.range.end < function.body.end;
        self.functions.iter().position(holds)
    }

    /// True when the function around a mutant's mistake can be copied.
    pub(super) fn can_copy(&self, mutant: &Mutant) -> bool {
        self.around(mutant).is_some()
    }

    /// The solution with a copy of each function behind it, and one for each of these mutants. Those that cannot be copied are
    /// left out.
    pub(super) fn copies(&self, mutants: &[Mutant], chosen: &[MutantIndex]) -> Copies {
        let mut by_function: BTreeMap<usize, Vec<MutantIndex>> = BTreeMap::new();
        for mutant in chosen {
            if let Some(function) = self.around(&mutants[*mutant]) {
                by_function.entry(function).or_default().push(*mutant);
            }
        }
        let word = |number: usize| format!("judge_copy_{number:05}");
        let (mut text, mut pairs, mut number, mut from) = (String::new(), Vec::new(), 0, 0);
        for (function, inside) in by_function {
            let function = &self.functions[function];
            text.push_str(&self.source[from..function.range.end]);
            from = function.range.end;
            text.push_str(CHECK);
            let of_solution = word(number);
            self.copy(function, &of_solution, None, &mut text);
            for mutant in inside {
                number += 1;
                self.copy(function, &word(number), Some(&mutants[mutant]), &mut text);
                pairs.push((mutant, word(number), of_solution.clone()));
            }
            number += 1;
            text.push('\n');
        }
        text.push_str(&self.source[from..]);
        Copies { text, pairs }
    }

    /// A copy with another name, with the lines of the original: a program can ask for their numbers.
    fn copy(&self, function: &FunctionBody, word: &str, mutant: Option<&Mutant>, text: &mut String) {
        let line = 1 + self.source[..function.range.start].matches('\n').count();
        let _ = writeln!(text, "\n#line {line}");
        text.push_str("__attribute__((noipa, used)) ");
        text.push_str(&self.source[function.range.start..function.name.start]);
        text.push_str(word);
        text.push_str(&self.source[function.name.end..function.body.start]);
        let edits = mutant.map(|mutant| &mutant.edits[..]).unwrap_or_default();
        let body = apply(self.source, function.body.clone(), edits);
        let end = body.rfind('}').unwrap_or(body.len());
        text.push_str(&body[..end]);
        text.push_str(if function.is_main { "\nreturn 0;\n" } else { "" });
        text.push_str(&body[end..]);
    }
}

/// The functions that are seen by everybody or are in a class: not those in templates, in functions or between `#if` and
/// `#endif`.
fn find(node: Node<'_>, source: &str, functions: &mut Vec<FunctionBody>) {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "function_definition" => functions.extend(function(child, source)),
            "translation_unit"
            | "namespace_definition"
            | "linkage_specification"
            | "declaration_list"
            | "class_specifier"
            | "struct_specifier"
            | "field_declaration_list" => find(child, source, functions),
            // `struct A { … } a;`
            "declaration" | "type_definition" => find(child, source, functions),
            _ => {}
        }
    }
}

fn function(node: Node<'_>, source: &str) -> Option<FunctionBody> {
    let parent = node.parent()?.kind();
    let is_in_reach = matches!(parent, "translation_unit" | "declaration_list" | "field_declaration_list");
    let body = node.child_by_field_name("body")?;
    if !is_in_reach || !has_paired_braces(node, source) || body.kind() != "compound_statement" {
        return None;
    }
    let before = &source[node.start_byte()..body.start_byte()];
    let mut words = before.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let returned = node.child_by_field_name("type")?;
    if words.any(|word| SPECIAL.contains(&word)) || before.contains("[[") || before.contains('#') {
        return None;
    }
    let mut name = node.child_by_field_name("declarator")?;
    while let Some(inner) = inner_declarator(name) {
        name = inner;
    }
    matches!(name.kind(), "identifier" | "field_identifier" | "operator_name").then_some(())?;
    let is_main = &source[name.byte_range()] == "main";
    if is_main
        && (!matches!(&source[returned.byte_range()], "int" | "signed" | "int32_t") || parent != "translation_unit")
    {
        return None;
    }
    Some(FunctionBody { range: node.byte_range(), name: name.byte_range(), body: body.byte_range(), is_main })
}

/// True where the braces of a function are in pairs, whatever else was not understood: loops that are macros
/// (`rep(i, 0, n) {`) look like calls without an end.
fn has_paired_braces(node: Node<'_>, source: &str) -> bool {
    if !node.has_error() {
        return true;
    }
    if node.is_missing() {
        return node.kind() == ";";
    }
    if node.is_error() {
        return !source[node.byte_range()].contains(['{', '}', '#']);
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).all(|child| has_paired_braces(child, source))
}

/// What a declarator is wrapped around: `*f(int)` around `f(int)`, and that around `f`.
fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "pointer_declarator" | "function_declarator" => node.child_by_field_name("declarator"),
        "reference_declarator" => node.named_child(0),
        _ => None,
    }
}

#[cfg(test)]
#[path = "functions_tests.rs"]
mod tests;
