//! The bytecode of Python, used to compare two programs.
//!
//! Responsible for a toolchain that writes the bytecode of a source as text.

use judge_exec::Toolchain;
use judge_model::LanguageId;

/// A script that writes the bytecode without positions in the source. `marshal` would write equal
/// code in several ways, depending on other references to a constant.
const WRITE: &str = r#"import sys

def text(value):
    if isinstance(value, tuple):
        return "(" + ",".join(map(text, value)) + ")"
    if isinstance(value, frozenset):
        return "set(" + ",".join(sorted(map(text, value))) + ")"
    if not hasattr(value, "co_code"):
        return type(value).__name__ + " " + repr(value)
    place = ("co_filename", "co_firstlineno", "co_linetable", "co_lnotab")
    names = sorted(name for name in dir(value) if name.startswith("co_") and name not in place)
    parts = ((name, getattr(value, name)) for name in names)
    return "<" + ";".join(name + "=" + text(part) for name, part in parts if not callable(part)) + ">"

with open(sys.argv[2], "rb") as source:
    code = compile(source.read(), "program", "exec")
with open(sys.argv[1] + "/bytecode", "w", errors="surrogatepass") as to:
    to.write(text(code))
"#;

/// The language of compiled programs that consist of bytecode as text.
pub(crate) fn language() -> LanguageId {
    LanguageId("python-bytecode".to_owned())
}

/// The toolchain that compiles to bytecode as text. It uses the interpreter of `python`, the first
/// of its tools.
pub(crate) fn toolchain(python: &Toolchain) -> Toolchain {
    let mut toolchain = python.clone();
    let interpreter = python
        .tools
        .first()
        .map(|tool| format!("{{{}}}", tool.role))
        .unwrap_or_default();
    let row = &mut toolchain.language;
    row.id = language();
    let words = [&interpreter, "-BS", "-c", WRITE, "{output}", "{main}"];
    row.compile = words.map(str::to_owned).to_vec();
    // The text of the bytecode is never run.
    row.run = vec![interpreter];
    row.check = Vec::new();
    toolchain
}
