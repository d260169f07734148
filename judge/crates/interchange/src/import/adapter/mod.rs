//! Scripts that speak to programs of other formats, in the place of validators of packages.
//!
//! Responsible for the protocols of checkers, interactors and validators, as scripts of a package
//! that every judge of the format can run. Must not know which format a program comes from.
//!
//! Source of the packages' own side: 2025-09, "Output Validator":
//! `validator INPUT ANSWER FEEDBACK_DIR/ < OUTPUT`, 42 accepts and 43 rejects, and anything else is
//! a judge error. Programs with scripts `build` and `run`: 2025-09, "Programs".

use crate::import::draft::Draft;
use crate::import::draft::parts::Content;

/// The arguments of a program, and the form of its answer. A share of the points is a number from 0
/// to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `checker INPUT OUTPUT ANSWER`: 0 accepts; 1, 2, 4, 5 and 8 reject (testlib.h, `TResult`).
    TestlibChecker,
    /// `interactor INPUT OUTPUT ANSWER`, on standard input and output.
    TestlibInteractor,
    /// `interactor INPUT ANSWER`, on standard input and output: 0 accepts, 1 rejects (DMOJ,
    /// `contrib/default.py`).
    Interactor,
    /// `interactor 1 READ WRITE < INPUT`, with the numbers of two open files by which it speaks
    /// with one submission; answers as [`Self::Sinol`] does (sinol-make,
    /// `task_type/interactive.py`).
    SinolInteractor,
    /// `validator < INPUT`: 0 accepts, anything else rejects.
    Validator,
    /// `validator FILE ARGUMENTS`, with the input in the file: 0 accepts, anything else rejects
    /// (task-maker).
    FileValidator,
    /// `generator ARGUMENTS`, which writes test cases into files where it is started; the name of
    /// one comes first, and its contents are the input (Polygon, `cmd` with `from-file`).
    FileGenerator,
    /// `generator ARGUMENTS`, whose input has the lines of `input.header` before it and those of
    /// `input.footer` behind it (TPS, `gen_util.sh`).
    SurroundedGenerator,
    /// That of packages themselves, which needs no script.
    Package,
    /// `checker INPUT ANSWER OUTPUT`: 0 always, and the share on standard output (CMS, "Task
    /// types"; TPS; task-maker).
    Comparator,
    /// `checker INPUT OUTPUT ANSWER`: 0 always; `OK` or another word, a remark, and per cent on
    /// standard output (sinol-make).
    Sinol,
    /// `checker INPUT OUTPUT ANSWER`: 0 accepts, 1 and 2 reject, 7 with `partial A/B` on standard
    /// error (DMOJ, `contrib/coci.py`).
    Coci,
    /// `checker ANSWER OUTPUT INPUT`: 0 accepts, 1 rejects. Two lines with numbers are points: the
    /// first divided by the second (DMOJ, `contrib/peg.py`).
    Peg,
    /// `checker INPUT ANSWER OUTPUT`: 0 accepts, anything else rejects (HUSTOJ).
    Hustoj,
    /// `checker INPUT OUTPUT`: 0 accepts, anything else rejects (QDUOJ).
    Qduoj,
    /// Files `input`, `user_out`, `answer` where it is started; per cent on standard output
    /// (SYZOJ).
    Syzoj,
    /// `checker INPUT OUTPUT ANSWER 1 SCORE MESSAGE`: the share in the file `SCORE` (Lemon).
    Lemon,
}

impl Protocol {
    /// True when the program speaks with the submission.
    pub(crate) fn is_interactor(self) -> bool {
        matches!(
            self,
            Self::TestlibInteractor | Self::Interactor | Self::SinolInteractor
        )
    }

    /// True when the program may give a part of the points.
    pub(crate) fn gives_shares(self) -> bool {
        matches!(
            self,
            Self::Comparator
                | Self::Sinol
                | Self::SinolInteractor
                | Self::Coci
                | Self::Peg
                | Self::Syzoj
                | Self::Lemon
        )
    }

    /// The lines of a script that starts the program as `START` and ends as a validator of packages
    /// does.
    fn lines(self) -> &'static str {
        match self {
            Self::Package => include_str!("scripts/package.sh"),
            Self::Validator => include_str!("scripts/validator.sh"),
            Self::FileValidator => include_str!("scripts/file_validator.sh"),
            Self::FileGenerator => include_str!("scripts/file_generator.sh"),
            Self::SurroundedGenerator => include_str!("scripts/surrounded_generator.sh"),
            Self::TestlibChecker => include_str!("scripts/testlib_checker.sh"),
            Self::TestlibInteractor => include_str!("scripts/testlib_interactor.sh"),
            Self::Interactor => include_str!("scripts/interactor.sh"),
            Self::Comparator => include_str!("scripts/comparator.sh"),
            Self::Sinol => concat!(
                "cat > \"$feedback/team_output\"\nsaid=$(START \"$1\" \"$feedback/team_output\" \"$2\") || exit 1\n",
                include_str!("scripts/sinol.sh")
            ),
            Self::SinolInteractor => {
                concat!(
                    include_str!("scripts/sinol_interactor.sh"),
                    include_str!("scripts/sinol.sh")
                )
            }
            Self::Coci => include_str!("scripts/coci.sh"),
            Self::Peg => include_str!("scripts/peg.sh"),
            Self::Hustoj => include_str!("scripts/hustoj.sh"),
            Self::Qduoj => include_str!("scripts/qduoj.sh"),
            Self::Syzoj => include_str!("scripts/syzoj.sh"),
            Self::Lemon => include_str!("scripts/lemon.sh"),
        }
    }
}

/// A function for programs that print a share; `PARTIAL` handles one between 0 and 1.
const SHARES: &str = include_str!("scripts/shares.sh");
/// An interactor as `START`, and then a checker as `NEXT`.
const INTERACTOR_THEN_CHECKER: &str = include_str!("scripts/interactor_then_checker.sh");

/// The lines of a script that compares as `diff -b` does: lines count, the amount of blanks in them
/// does not.
const DIFF: &str = include_str!("scripts/diff.sh");

/// Puts a script into a directory of the package that compares outputs as `diff -b` does (TPS,
/// `check_test.sh`).
pub(crate) fn put_diff(place: &str, draft: &mut Draft) {
    let text = format!("#!/bin/sh\n# Compares as TPS does without a checker.\nfeedback=$3\n{DIFF}");
    draft.put(format!("{place}/run"), Content::Script(text));
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
    pub(crate) fn from_file(file: &str) -> Option<Self> {
        let (stem, extension) = file.rsplit_once('.')?;
        let binary = format!("{stem}.bin");
        let compiled = |compiler: &str| Some(format!("{compiler} -o {binary} {file}"));
        let (build, start) = match extension {
            "cpp" | "cc" | "cxx" => (
                compiled("g++ -std=gnu++20 -O2"),
                format!("\"$here/{binary}\""),
            ),
            "c" => (
                compiled("gcc -std=gnu17 -O2"),
                format!("\"$here/{binary}\""),
            ),
            "py" => (None, format!("python3 \"$here/{file}\"")),
            "sh" => (None, format!("bash \"$here/{file}\"")),
            _ => return None,
        };
        // Names are those of packages, so that nothing in them means anything to a shell.
        Some(Self {
            file: file.to_owned(),
            build,
            start,
        })
    }
}

/// A program, or two of them, as a validator of a package.
#[derive(Clone, Debug)]
pub(crate) enum Adapter {
    /// One program. Shares of points count where there are points.
    Single {
        program: Program,
        protocol: Protocol,
        is_scoring: bool,
    },
    /// An interactor, and if it accepts, a checker on what it wrote.
    InteractorThenChecker {
        interactor: Program,
        checker: Program,
    },
}

impl Adapter {
    /// Puts its scripts into a directory of the package, where its programs are already.
    pub(crate) fn put(&self, place: &str, draft: &mut Draft) {
        let programs = match self {
            Self::Single { program, .. } => vec![program],
            Self::InteractorThenChecker {
                interactor,
                checker,
            } => vec![interactor, checker],
        };
        // 2025-09, "Programs": `build` is run once, where there is one, and `run` for each
        // test case.
        let commands: Vec<&String> = programs
            .iter()
            .filter_map(|program| program.build.as_ref())
            .collect();
        if !commands.is_empty() {
            let lines: String = commands
                .iter()
                .map(|command| format!("{command}\n"))
                .collect();
            let text = format!(
                "#!/bin/sh\n# Compiles {}.\nset -e\ncd \"$(dirname \"$0\")\"\n{lines}",
                names(&programs)
            );
            draft.put(format!("{place}/build"), Content::Script(text));
        }
        draft.put(
            format!("{place}/run"),
            Content::Script(self.script(&programs)),
        );
    }

    fn script(&self, programs: &[&Program]) -> String {
        let mut text = format!(
            "#!/bin/sh\n# Speaks to {} as its own format does.\n",
            names(programs)
        );
        text.push_str("here=$(cd \"$(dirname \"$0\")\" && pwd)\n");
        let lines = match self {
            Self::Single {
                program,
                protocol,
                is_scoring,
            } => {
                let gets_feedback = !matches!(
                    protocol,
                    Protocol::Validator
                        | Protocol::FileValidator
                        | Protocol::FileGenerator
                        | Protocol::SurroundedGenerator
                        | Protocol::Package
                );
                if gets_feedback {
                    text.push_str("feedback=$3\n");
                }
                if protocol.gives_shares() {
                    // 2025-09, "Output Validator": an accepted test case has the multiplier in
                    // this file. Without scores, a part of the points is a rejection.
                    let keeps = "echo \"$1\" > \"$feedback/score_multiplier.txt\"\n  exit 42";
                    text.push_str(
                        &SHARES.replace("PARTIAL", if *is_scoring { keeps } else { "exit 43" }),
                    );
                }
                protocol.lines().replace("START", &program.start)
            }
            Self::InteractorThenChecker {
                interactor,
                checker,
            } => {
                text.push_str("feedback=$3\n");
                INTERACTOR_THEN_CHECKER
                    .replace("START", &interactor.start)
                    .replace("NEXT", &checker.start)
            }
        };
        text + &lines
    }
}

fn names(programs: &[&Program]) -> String {
    programs
        .iter()
        .map(|program| program.file.as_str())
        .collect::<Vec<_>>()
        .join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_ask_and_answer_in_the_words_of_both_sides() {
        let program = Program::from_file("check.cpp").unwrap();
        let protocol = Protocol::TestlibChecker;
        let adapter = Adapter::Single {
            program: program.clone(),
            protocol,
            is_scoring: false,
        };
        let script = adapter.script(&[&program]);
        assert!(
            script.contains("\"$here/check.bin\" \"$1\" \"$feedback/team_output\" \"$2\""),
            "{script}"
        );
        assert!(
            script.contains("  0) exit 42 ;;\n  1|2|4|5|8) exit 43 ;;\n  *) exit 1 ;;"),
            "{script}"
        );
        assert_eq!(Program::from_file("check.pas"), None);
    }
}
