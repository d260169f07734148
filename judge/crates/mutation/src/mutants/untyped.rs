//! Variables of Rust programs whose types are not told where they begin (`let mut found = Vec::new();`).
//!
//! Responsible for which parts of a program may tell these types. Left out of a program, such a part may be what the compiler
//! misses, which nobody sees in a program that holds it as well. By name, for the whole file. Must not know mutants.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{Expr, Local, Pat};

/// Types of the standard library that hold values of some type or other.
const GENERIC: [&str; 15] = [
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "Mutex",
    "Default",
];
/// Methods that make a value of whatever type is wanted.
const WANTED: [&str; 6] = ["collect", "into", "parse", "sum", "product", "try_into"];

/// The names of such variables.
#[derive(Debug, Default)]
pub(crate) struct Untyped {
    names: HashSet<String>,
    /// The program's own types that hold values of some type or other.
    generic: HashSet<String>,
}

impl Untyped {
    pub(crate) fn of(file: &syn::File) -> Self {
        let mut untyped = Self::default();
        for item in &file.items {
            let (name, generics) = match item {
                syn::Item::Struct(item) => (&item.ident, &item.generics),
                syn::Item::Enum(item) => (&item.ident, &item.generics),
                _ => continue,
            };
            if generics.type_params().next().is_some() {
                untyped.generic.insert(name.to_string());
            }
        }
        untyped.visit_file(file);
        untyped
    }

    /// True when something in it puts a value into one of the variables, or gives one to a method of it.
    pub(crate) fn may_be_typed_by(&self, part: &Expr) -> bool {
        let mut search = Search { names: &self.names, found: false };
        search.visit_expr(part);
        search.found
    }
}

impl<'ast> Visit<'ast> for Untyped {
    fn visit_local(&mut self, local: &'ast Local) {
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && self.is_open(&init.expr)
        {
            self.names.insert(name.ident.to_string());
        }
        if let (Pat::Ident(name), None) = (&local.pat, &local.init) {
            self.names.insert(name.ident.to_string());
        }
        visit::visit_local(self, local);
    }
}

impl Untyped {
    /// True for a value whose type is told elsewhere.
    fn is_open(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(path) => path.path.is_ident("None"),
            Expr::Call(call) => self.is_made_of_any(&call.func) || call.args.iter().any(|of| self.is_open(of)),
            Expr::MethodCall(call) => {
                WANTED.iter().any(|name| call.method == name) && call.turbofish.is_none()
                    || self.is_open(&call.receiver)
            }
            Expr::Macro(call) => call.mac.path.is_ident("vec") && self.has_open(&call.mac.tokens),
            Expr::Array(array) => array.elems.is_empty() || array.elems.iter().any(|of| self.is_open(of)),
            Expr::Repeat(repeat) => self.is_open(&repeat.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|of| self.is_open(of)),
            Expr::Try(inner) => self.is_open(&inner.expr),
            Expr::Paren(inner) => self.is_open(&inner.expr),
            Expr::Reference(inner) => self.is_open(&inner.expr),
            _ => false,
        }
    }

    /// True for `Vec::new`, without the type of what it holds.
    fn is_made_of_any(&self, function: &Expr) -> bool {
        let Expr::Path(path) = function else { return false };
        let segments = &path.path.segments;
        let is_generic = |name: String| GENERIC.contains(&&*name) || self.generic.contains(&name);
        segments.len() > 1
            && is_generic(segments[segments.len() - 2].ident.to_string())
            && segments.iter().all(|segment| segment.arguments.is_none())
    }

    /// True for the arguments of `vec!` when there are none, or the first is such a value.
    fn has_open(&self, tokens: &proc_macro2::TokenStream) -> bool {
        let text = tokens.to_string();
        let first = text.split([';', ',']).next().unwrap_or_default();
        tokens.is_empty() || syn::parse_str::<Expr>(first).is_ok_and(|first| self.is_open(&first))
    }
}

struct Search<'n> {
    names: &'n HashSet<String>,
    found: bool,
}

impl Search<'_> {
    /// True when a place begins with one of the names: `a`, `a[i]`, `a.b`, `*a`.
    fn is_of_name(&self, place: &Expr) -> bool {
        match place {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.names.contains(&name.to_string())),
            Expr::Index(index) => self.is_of_name(&index.expr),
            Expr::Field(field) => self.is_of_name(&field.base),
            Expr::Unary(unary) => self.is_of_name(&unary.expr),
            Expr::Paren(inner) => self.is_of_name(&inner.expr),
            Expr::Reference(inner) => self.is_of_name(&inner.expr),
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.found |= match expression {
            Expr::MethodCall(call) => {
                !call.args.is_empty() && self.is_of_name(&call.receiver)
                    || call.args.iter().any(|argument| self.is_of_name(argument))
            }
            Expr::Call(call) => call.args.iter().any(|argument| self.is_of_name(argument)),
            Expr::Assign(assign) => self.is_of_name(&assign.left) || self.is_of_name(&assign.right),
            Expr::Binary(binary) => self.is_of_name(&binary.left) || self.is_of_name(&binary.right),
            _ => false,
        };
        visit::visit_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_be_typed(program: &str, part: &str) -> bool {
        Untyped::of(&syn::parse_file(program).unwrap()).may_be_typed_by(&syn::parse_str(part).unwrap())
    }

    #[test]
    fn what_may_tell_the_type_of_a_variable() {
        let program = "fn main() { let mut v = Vec::new(); let mut best = None; let n = line.parse().unwrap(); let mut grid = \
                       vec![Vec::new(); 3]; let mut typed: Vec<u8> = Vec::new(); let told = Vec::<u8>::new(); let w = vec![0; 3]; \
                       let later; let mut line = String::new(); let own = Own::new(); let any = Any::new(); } struct Own(u8); \
                       struct Any<T>(T);";
        for part in [
            "v.push(line)",
            "best = Some(3)",
            "f(n)",
            "n < 3",
            "grid[1].push(3)",
            "v.entry(a).or_insert(3)",
            "later = 3",
            "any.add(3)",
        ] {
            assert!(may_be_typed(program, part), "{part}");
        }
        for part in [
            "typed.push(3)",
            "told.push(3)",
            "w.push(3)",
            "v.is_empty()",
            "other = 3",
            "v.len() > 0",
            "read(&mut line)",
            "own.add(3)",
        ] {
            assert!(!may_be_typed(program, part), "{part}");
        }
    }
}
