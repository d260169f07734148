//! Finding the places for mistakes in a file.
//!
//! Responsible for the walk: which parts of a program are looked at, in which function they lie, and what is chosen
//! only by compiling. Which mistakes an expression has room for is in `expressions`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proc_macro2::TokenStream;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, Local, Macro, Pat, Stmt, Token};

use crate::mutants::depth;
use crate::mutants::encoding::without_shebang;
use crate::mutants::expressions::head_of;
use crate::mutants::identity::{Names, Tokens, in_names};
use crate::mutants::mutant::{Differs, Edit, Mutant, Operation, Seat, SeatKind};
use crate::mutants::operator::Operator;
use crate::mutants::untyped::Untyped;
use crate::mutants::widths;

/// A text that is no program in its language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not {language} as far as can be read: {reason}")]
pub(crate) struct Unreadable {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The language.
    pub(crate) language: &'static str,
    /// The reason: what was expected there.
    pub(crate) reason: String,
}

impl From<syn::Error> for Unreadable {
    fn from(error: syn::Error) -> Self {
        Self { line: error.span().start().line, language: "Rust", reason: error.to_string() }
    }
}

/// Macros whose arguments are expressions that are evaluated in order.
const EVALUATING: [&str; 8] = ["print", "println", "write", "writeln", "format", "vec", "eprint", "eprintln"];

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// When it is no Rust program.
pub(crate) fn mutants(source: &str) -> Result<Vec<Mutant>, Unreadable> {
    let readable = without_shebang(source);
    let stream: TokenStream = readable.parse().map_err(|error: proc_macro2::LexError| Unreadable {
        line: error.span().start().line,
        language: "Rust",
        reason: error.to_string(),
    })?;
    depth::check_tokens(&stream)?;
    let tokens = Tokens::of(&stream);
    let file: syn::File = syn::parse2(stream)?;
    let mut finder = MutantFinder {
        source,
        found: Vec::new(),
        fixed: 0,
        functions: Vec::new(),
        owner: String::new(),
        untyped: Untyped::of(&file),
        heads: Vec::new(),
    };
    finder.visit_file(&file);
    let mut found = finder.found;
    for (wide, narrow, edits) in widths::everywhere(&tokens) {
        found.push(Found::of_no_function(Operator::IntegerWidth, edits, format!("{wide} {narrow}")));
    }
    Ok(named(source, &tokens, found))
}

/// The mutants that were found, each text once, with a name.
pub(crate) fn named(source: &str, tokens: &Tokens, mut found: Vec<Found>) -> Vec<Mutant> {
    found.sort_by_key(|found| found.edits[0].range.start);
    let mut seen = HashSet::new();
    found.retain(|found| {
        let edits: Vec<_> = found.edits.iter().map(|edit| (edit.range.clone(), edit.text.clone())).collect();
        seen.insert(edits)
    });
    let (mut names, mut around_all) = (Names::default(), HashMap::new());
    let mutant = |found: Found| {
        let first = &found.edits[0];
        let was = source[first.range.clone()].to_owned();
        let function = found.function.as_ref();
        let around = function.map(|function| {
            let text = || in_names(tokens.within(&function.range).collect::<Vec<_>>().join(" "));
            &*around_all.entry(function.range.clone()).or_insert_with(text)
        });
        let name = function.map(|function| function.name.clone()).unwrap_or_default();
        // The replaced text as its tokens, so that it may be laid out anew.
        let replaced = tokens.within(&first.range).collect::<Vec<_>>().join(" ");
        let parts = [found.operator.name(), &replaced, &first.text, &found.what, &name];
        let id = names.name(parts.into_iter().chain(around.map(String::as_str)));
        let line = 1 + source[..first.range.start].matches('\n').count();
        let Found { operator, edits, seat, operation, .. } = found;
        Mutant { id, operator, line, function: name, was, seat, edits, operation }
    };
    found.into_iter().map(mutant).collect()
}

/// A function of the file.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) range: Range<usize>,
}

/// A mistake without a name yet.
pub(crate) struct Found {
    pub(crate) operator: Operator,
    pub(crate) edits: Vec<Edit>,
    pub(crate) seat: Option<Seat>,
    pub(crate) function: Option<Function>,
    /// Another text that its name depends on.
    pub(crate) what: String,
    /// See [`Mutant::operation`].
    pub(crate) operation: Option<Operation>,
}

impl Found {
    /// A mistake in the whole file, which cannot be chosen when the program runs. Its name depends on no function, so
    /// `what` has to tell it from others.
    pub(crate) fn of_no_function(operator: Operator, edits: Vec<Edit>, what: String) -> Self {
        Self { operator, edits, seat: None, function: None, what, operation: None }
    }
}

pub(crate) struct MutantFinder<'s> {
    source: &'s str,
    found: Vec<Found>,
    /// The number of fixed parts around, which the compiler evaluates: nothing can be chosen there when the program
    /// runs.
    fixed: usize,
    functions: Vec<Function>,
    /// The type that an `impl` is for.
    owner: String,
    /// The variables whose types are not told where they begin.
    untyped: Untyped,
    /// The ranges that loops go through.
    pub(crate) heads: Vec<Range<usize>>,
}

/// The range of a part of a program.
pub(crate) fn range_of(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

impl MutantFinder<'_> {
    pub(crate) fn text(&self, range: Range<usize>) -> &str {
        &self.source[range]
    }

    /// Takes a mistake in place of a whole expression or a part of it.
    pub(crate) fn add(&mut self, operator: Operator, edit: (Range<usize>, &str), seat: Range<usize>) {
        self.add_with(operator, edit, (seat, SeatKind::Expression), None, Differs::Always);
    }

    pub(crate) fn add_with(
        &mut self,
        operator: Operator,
        (range, text): (Range<usize>, &str),
        (seat, kind): (Range<usize>, SeatKind),
        instead: Option<String>,
        differs: Differs,
    ) {
        let seat = (self.fixed == 0).then_some(Seat { range: seat, kind, instead, differs });
        let edits = vec![Edit { range, text: text.to_owned() }];
        let (function, what) = (self.functions.last().cloned(), String::new());
        self.found.push(Found { operator, edits, seat, function, what, operation: None });
    }

    /// Notes of the mistake that was taken last what operation it is in.
    pub(crate) fn in_operation(&mut self, (left, op, right): (&str, &str, &str), other: &str) {
        if let Some(last) = self.found.last_mut() {
            last.operation = Some(Operation::new((left, op, right), other));
        }
    }

    /// Takes a mistake that cannot be chosen when the program runs.
    pub(crate) fn add_fixed(&mut self, operator: Operator, edit: (Range<usize>, &str)) {
        self.fixed += 1;
        self.add(operator, edit, 0..0);
        self.fixed -= 1;
    }

    /// Takes mistakes that leave something out. Where that may be what tells the type of a variable, the compiler must see what
    /// becomes of the rest.
    pub(crate) fn unless_typed_by(&mut self, left_out: &Expr, walk: impl FnOnce(&mut Self)) {
        if self.untyped.may_be_typed_by(left_out) {
            self.fixed(walk);
        } else {
            walk(self);
        }
    }

    fn fixed(&mut self, walk: impl FnOnce(&mut Self)) {
        self.fixed += 1;
        walk(self);
        self.fixed -= 1;
    }

    fn function(&mut self, name: String, range: Range<usize>, constant: bool, block: &Block) {
        self.functions.push(Function { name, range });
        let walk = |finder: &mut Self| finder.visit_block(block);
        if constant {
            self.fixed(walk);
        } else {
            walk(self);
        }
        self.functions.pop();
    }

    /// A statement that can be left out, or an `else` of one.
    fn statement(&mut self, statement: &Stmt) {
        let seat = (range_of(statement), SeatKind::Statement);
        match statement {
            Stmt::Expr(expression, Some(_)) => {
                if let Some(operator) = left_out(expression) {
                    self.unless_typed_by(expression, |finder| {
                        finder.add_with(operator, (seat.0.clone(), ""), seat, None, Differs::Always);
                    });
                }
            }
            Stmt::Expr(Expr::If(branch), None) => {
                // An `if` with a value needs its `else`.
                let has_value =
                    matches!(branch.then_branch.stmts.last(), Some(Stmt::Expr(last, None)) if !is_block(last));
                if let (Some((_, alternative)), false) = (&branch.else_branch, has_value) {
                    let range = range_of(&branch.then_branch).end..range_of(alternative).end;
                    self.add_with(Operator::Branch, (range, ""), seat, None, Differs::Always);
                }
            }
            _ => {}
        }
    }
}

/// True when an expression is a block: it can be a statement without a semicolon.
fn is_block(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::If(_) | Expr::Match(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::Block(_)
    )
}

/// The operator of leaving out this statement, where that is worth a try: reading input is not, since then nothing
/// works.
fn left_out(expression: &Expr) -> Option<Operator> {
    const READING: [&str; 7] = ["unwrap", "expect", "read_line", "read_to_string", "read_to_end", "flush", "next"];
    match expression {
        Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => Some(Operator::Jump),
        Expr::Assign(_) | Expr::Call(_) => Some(Operator::Statement),
        Expr::Binary(binary) => crate::mutants::purity::is_assignment(&binary.op).then_some(Operator::Statement),
        Expr::MethodCall(call) => (!READING.iter().any(|name| call.method == name)).then_some(Operator::Statement),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for MutantFinder<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.expression(expression);
        match expression {
            Expr::Repeat(repeat) => {
                self.visit_expr(&repeat.expr);
                self.fixed(|finder| finder.visit_expr(&repeat.len));
            }
            Expr::Const(block) => self.fixed(|finder| visit::visit_expr_const(finder, block)),
            Expr::ForLoop(repeated) => {
                self.heads.extend(head_of(&repeated.expr).map(range_of));
                visit::visit_expr(self, expression);
            }
            Expr::While(repeated) => {
                self.repeated_condition(&repeated.cond);
                self.visit_block(&repeated.body);
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for statement in &block.stmts {
            self.statement(statement);
        }
        visit::visit_block(self, block);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let Some(init) = &local.init else { return };
        let pattern = if let Pat::Type(typed) = &local.pat { &*typed.pat } else { &local.pat };
        let is_variable = matches!(pattern, Pat::Ident(name) if name.mutability.is_some());
        if let (Expr::Lit(literal), true) = (&*init.expr, is_variable) {
            self.literal(literal, Operator::InitialValue);
            return;
        }
        self.visit_expr(&init.expr);
        if let Some((_, otherwise)) = &init.diverge {
            self.visit_expr(otherwise);
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Pat::Guard(guarded) = &arm.pat {
            self.condition(&guarded.guard);
            self.visit_expr(&guarded.guard);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        if !EVALUATING.iter().any(|name| invocation.path.is_ident(name)) {
            return;
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(arguments) = list.parse2(invocation.tokens.clone()) {
            for argument in &arguments {
                // `name = value` names an argument of a format.
                let value = if let Expr::Assign(named) = argument { &named.right } else { argument };
                self.visit_expr(value);
            }
        } else if let Ok(repeated) = repeated.parse2(invocation.tokens.clone()) {
            self.visit_expr(&repeated.0);
            self.visit_expr(&repeated.1);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            let constant = item.sig.constness.is_some();
            self.function(item.sig.ident.to_string(), range_of(item), constant, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let name = format!("{}::{}", self.owner, item.sig.ident);
        self.function(name, range_of(item), item.sig.constness.is_some(), &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(format!("{}::{}", self.owner, item.sig.ident), range_of(item), false, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let owner = self.text(range_of(&item.self_ty)).to_owned();
        let before = std::mem::replace(&mut self.owner, owner);
        visit::visit_item_impl(self, item);
        self.owner = before;
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let before = std::mem::replace(&mut self.owner, item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.owner = before;
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.fixed(|finder| finder.visit_expr(&item.expr));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.fixed(|finder| finder.visit_expr(&item.expr));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.fixed(|finder| finder.visit_expr(&item.expr));
    }

    // Nothing in these is computed when the program runs.
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_item_struct(&mut self, _: &'ast syn::ItemStruct) {}
    fn visit_item_macro(&mut self, _: &'ast syn::ItemMacro) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}
}

/// The arguments of `vec![value; count]`.
fn repeated(input: syn::parse::ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is = |name: &str| attribute.path().is_ident(name);
        let list = attribute.meta.require_list();
        is("test") || is("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
