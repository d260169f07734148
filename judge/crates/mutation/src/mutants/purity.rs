//! The purity of expressions: a pure one can be evaluated once more without a trace.
//!
//! Must not know what it is evaluated for.

use syn::{Expr, UnOp};

/// Methods that only look.
const LOOKING: [&str; 8] = ["len", "is_empty", "abs", "is_some", "is_none", "count_ones", "unsigned_abs", "as_str"];

/// True for a pure expression: evaluating it again gives the same, changes nothing and moves nothing when it is
/// compared by reference.
pub(crate) fn is_pure(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_pure(&field.base),
        Expr::Paren(inner) => is_pure(&inner.expr),
        Expr::Reference(inner) => inner.mutability.is_none() && is_pure(&inner.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_) | UnOp::Not(_) | UnOp::Neg(_)) && is_pure(&unary.expr),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Index(index) => is_pure(&index.expr) && is_pure(&index.index),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_pure),
        Expr::Binary(binary) => !is_assignment(&binary.op) && is_pure(&binary.left) && is_pure(&binary.right),
        Expr::MethodCall(call) => {
            call.args.is_empty() && LOOKING.iter().any(|name| call.method == name) && is_pure(&call.receiver)
        }
        _ => false,
    }
}

/// True for an assignment: the operator changes its left side.
pub(crate) fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp as Op;
    matches!(
        op,
        Op::AddAssign(_)
            | Op::SubAssign(_)
            | Op::MulAssign(_)
            | Op::DivAssign(_)
            | Op::RemAssign(_)
            | Op::BitXorAssign(_)
            | Op::BitAndAssign(_)
            | Op::BitOrAssign(_)
            | Op::ShlAssign(_)
            | Op::ShrAssign(_)
    )
}
