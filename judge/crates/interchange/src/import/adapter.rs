//! Scripts that speak to programs of other formats, in the place of validators of packages.
//!
//! Responsible for the protocols of checkers, interactors and validators, as scripts of a package that every judge of the
//! format can run. Must not know which format a program comes from.
//!
//! Source of the packages' own side: 2025-09, "Output Validator": `validator INPUT ANSWER FEEDBACK_DIR/ < OUTPUT`, 42 accepts
//! and 43 rejects, and anything else is a judge error. Programs with scripts `build` and `run`: 2025-09, "Programs".

use std::fmt::Write as _;

use crate::import::draft::{Content, Draft};

/// What a program is given, and how it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `checker INPUT OUTPUT ANSWER`: 0 accepts; 1, 2, 4, 5 and 8 reject (testlib.h, `TResult`).
    TestlibChecker,
    /// `interactor INPUT OUTPUT ANSWER`, on standard input and output.
    TestlibInteractor,
    /// `validator < INPUT`: 0 accepts, anything else rejects.
    Validator,
    /// That of packages themselves, which needs no script.
    Package,
}

/// A program that scripts can start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The file.
    file: String,
    /// The command that makes it, if it has to be compiled.
    build: Option<String>,
    /// The command that starts it, from its directory.
    start: String,
}

impl Program {
    /// A program by the name of its file; `None` for a language that no script here can deal with.
    pub(crate) fn of(file: &str) -> Option<Self> {
        let (stem, extension) = file.rsplit_once('.')?;
        let binary = format!("{stem}.bin");
        let compiled = |compiler: &str| Some(format!("{compiler} -o {binary} {file}"));
        let (build, start) = match extension {
            "cpp" | "cc" | "cxx" => (compiled("g++ -std=gnu++20 -O2"), format!("\"$here/{binary}\"")),
            "c" => (compiled("gcc -std=gnu17 -O2"), format!("\"$here/{binary}\"")),
            "py" => (None, format!("python3 \"$here/{file}\"")),
            _ => return None,
        };
        // Names are those of packages, so that nothing in them means anything to a shell.
        Some(Self { file: file.to_owned(), build, start })
    }
}

/// A program, or two of them, as a validator of a package.
#[derive(Clone, Debug)]
pub(crate) enum Adapter {
    /// One program.
    Single { program: Program, protocol: Protocol },
    /// An interactor, and if it accepts, a checker on what it wrote.
    InteractorThenChecker { interactor: Program, checker: Program },
}

/// Turns the exit code of a program with testlib's codes into one of packages. 3 is a fault of the program itself.
const TESTLIB_CODES: &str = "  0) accepts ;;\n  1|2|4|5|8) exit 43 ;;\n  *) exit 1 ;;\n";

impl Adapter {
    /// Puts its scripts into a directory of the package, where its programs are already.
    pub(crate) fn put(&self, place: &str, draft: &mut Draft) {
        let programs = match self {
            Self::Single { program, .. } => vec![program],
            Self::InteractorThenChecker { interactor, checker } => vec![interactor, checker],
        };
        let commands: Vec<&String> = programs.iter().filter_map(|program| program.build.as_ref()).collect();
        if !commands.is_empty() {
            let lines: String = commands.iter().map(|command| format!("{command}\n")).collect();
            let text =
                format!("#!/bin/sh\n# Compiles {}.\nset -e\ncd \"$(dirname \"$0\")\"\n{lines}", names(&programs));
            draft.put(format!("{place}/build"), Content::Script(text));
        }
        draft.put(format!("{place}/run"), Content::Script(self.script(&programs)));
    }

    fn script(&self, programs: &[&Program]) -> String {
        let mut text = format!("#!/bin/sh\n# Speaks to {} as its own format does.\n", names(programs));
        text.push_str("here=$(cd \"$(dirname \"$0\")\" && pwd)\n");
        let mut step = |command: &str, accepts: &str| {
            let codes = TESTLIB_CODES.replace("accepts", accepts);
            let _ = write!(text, "{command}\ncase $? in\n{codes}esac\n");
        };
        match self {
            Self::Single { program, protocol: Protocol::TestlibChecker } => {
                let said = "2> \"$3/judgemessage.txt\"";
                step(
                    &format!("cat > \"$3/team_output\"\n{} \"$1\" \"$3/team_output\" \"$2\" {said}", program.start),
                    "exit 42",
                );
            }
            Self::Single { program, protocol: Protocol::TestlibInteractor } => {
                let said = "2> \"$3/judgemessage.txt\"";
                step(&format!("{} \"$1\" \"$3/interactor_output\" \"$2\" {said}", program.start), "exit 42");
            }
            Self::Single { program, protocol: Protocol::Validator } => {
                let _ = write!(text, "{} \"$@\"\ncase $? in\n  0) exit 42 ;;\n  *) exit 43 ;;\nesac\n", program.start);
            }
            Self::Single { program, protocol: Protocol::Package } => {
                let _ = writeln!(text, "exec {} \"$@\"", program.start);
            }
            Self::InteractorThenChecker { interactor, checker } => {
                let files = "\"$1\" \"$3/interactor_output\" \"$2\"";
                step(&format!("{} {files} 2> \"$3/judgemessage.txt\"", interactor.start), "");
                step(&format!("{} {files} > \"$3/judgemessage.txt\" 2>&1", checker.start), "exit 42");
            }
        }
        text
    }
}

fn names(programs: &[&Program]) -> String {
    programs.iter().map(|program| program.file.as_str()).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_ask_and_answer_in_the_words_of_both_sides() {
        let program = Program::of("check.cpp").unwrap();
        let adapter = Adapter::Single { program: program.clone(), protocol: Protocol::TestlibChecker };
        let script = adapter.script(&[&program]);
        assert!(script.contains("\"$here/check.bin\" \"$1\" \"$3/team_output\" \"$2\""), "{script}");
        assert!(script.contains("  0) exit 42 ;;\n  1|2|4|5|8) exit 43 ;;\n  *) exit 1 ;;"), "{script}");
        assert_eq!(Program::of("check.pas"), None);
    }
}
