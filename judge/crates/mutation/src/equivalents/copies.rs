//! The assembly text of copies of functions: a form in which functions can be compared.
//!
//! Responsible for a language that compiles a source in C or C++ to assembly. Must not know mutants.

use judge_exec::Toolchain;
use judge_model::LanguageId;

/// The file of a text.
pub(crate) const FILE: &str = "assembly";
/// The size of a text that is read.
pub(crate) const MOST_BYTES: u64 = 256 << 20;

/// The language whose programs are assembly texts.
pub(crate) fn language() -> LanguageId {
    LanguageId("assembly-of-copies".to_owned())
}

/// The toolchain that compiles to that with the flags of this one. `None` for another compiler than GCC, whose attributes
/// and texts it must be.
pub(crate) fn toolchain(compiler: &Toolchain) -> Option<Toolchain> {
    if !compiler.is_gcc() {
        return None;
    }
    let mut toolchain = compiler.clone();
    let row = &mut toolchain.language;
    row.id = language();
    let at = row.compile.iter().position(|argument| argument == "-o")?;
    *row.compile.get_mut(at + 1)? = format!("{{output}}/{FILE}");
    // Equal functions would become one: a copy would be nothing but a jump to another one.
    row.compile.splice(1..1, ["-S", "-fno-ipa-icf"].map(str::to_owned));
    // Nobody runs it.
    row.run = row.compile.first().cloned().into_iter().collect();
    Some(toolchain)
}
