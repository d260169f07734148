//! Scripts that run programs of other formats as validators of packages.
//!
//! Responsible for translating the protocols of checkers, interactors and validators, in scripts
//! that every judge of the package format can run. Must not know which format a program comes from.
//!
//! Source for the protocol of packages: 2025-09, "Output Validator": `validator INPUT ANSWER
//! FEEDBACK_DIR/ < OUTPUT`, 42 accepts and 43 rejects, and anything else is a judge error. Programs
//! with scripts `build` and `run`: 2025-09, "Programs".

use crate::import::draft::Draft;
use crate::import::draft::parts::Content;

/// The protocol of a program: its arguments and the form of its result. A share of the points is a
/// number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `checker INPUT OUTPUT ANSWER`: 0 accepts; 1, 2, 4, 5 and 8 reject (testlib.h, `TResult`).
    TestlibChecker,
    /// `interactor INPUT OUTPUT ANSWER`, on standard input and output.
    TestlibInteractor,
    /// `interactor INPUT ANSWER`, on standard input and output: 0 accepts, 1 rejects (DMOJ,
    /// `contrib/default.py`).
    Interactor,
    /// `interactor 1 READ WRITE < INPUT`, with two file descriptors for the communication with one
    /// submission. Its result is that of [`Self::Sinol`] (sinol-make, `task_type/interactive.py`).
    SinolInteractor,
    /// `validator < INPUT`: 0 accepts, anything else rejects.
    Validator,
    /// `validator FILE ARGUMENTS`, with the input in the file: 0 accepts, anything else rejects
    /// (task-maker).
    FileValidator,
    /// `generator FILE ARGUMENTS`: runs the generator, which writes files into its working
    /// directory, and prints this file (Polygon, `cmd` with `from-file`).
    FileGenerator,
    /// `generator ARGUMENTS`, with `input.header` before its output and `input.footer` after it
    /// (TPS, `gen_util.sh`).
    SurroundedGenerator,
    /// The protocol of packages, which needs no script.
    Package,
    /// `checker INPUT ANSWER OUTPUT`: always 0, and the share on standard output (CMS, "Task
    /// types"; TPS; task-maker).
    Comparator,
    /// `checker INPUT OUTPUT ANSWER`: always 0; `OK` or another word, a remark, and a percentage on
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
    /// Files `input`, `user_out`, `answer` in its working directory; a percentage on standard
    /// output (SYZOJ).
    Syzoj,
    /// `checker INPUT OUTPUT ANSWER 1 SCORE MESSAGE`: the share in the file `SCORE` (Lemon).
    Lemon,
}

impl Protocol {
    /// True if the program communicates with the submission.
    pub(crate) fn is_interactor(self) -> bool {
        matches!(
            self,
            Self::TestlibInteractor | Self::Interactor | Self::SinolInteractor
        )
    }

    /// True if the program may give partial points.
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

    /// The lines of a script that starts the program as `START` and exits with the code of a
    /// package's validator.
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
                "cat > \"$feedback/team_output\"\nreply=$(START \"$1\" \"$feedback/team_output\" \"$2\") || exit 1\n",
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

/// A shell function for programs that print a share. `PARTIAL` handles shares between 0 and 1.
const SHARES: &str = include_str!("scripts/shares.sh");
/// The lines of a script that runs an interactor as `START`, and then a checker as `NEXT`.
const INTERACTOR_THEN_CHECKER: &str = include_str!("scripts/interactor_then_checker.sh");

/// The lines of a script that compares like `diff -b`, which ignores the amount of white space
/// within lines.
const DIFF: &str = include_str!("scripts/diff.sh");

/// Puts a script into a directory of the package that compares outputs like `diff -b` (TPS,
/// `check_test.sh`).
pub(crate) fn put_diff(place: &str, draft: &mut Draft) {
    let text = format!("#!/bin/sh\n# Compares like TPS without a checker.\nfeedback=$3\n{DIFF}");
    draft.put(format!("{place}/run"), Content::Script(text));
}

/// A program that scripts can start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The file.
    file: String,
    /// The command that compiles it, if necessary.
    build: Option<String>,
    /// The command that starts it.
    start: String,
}

impl Program {
    /// Creates a program from the name of its file. Returns `None` for a language that scripts do
    /// not support.
    pub(crate) fn from_file(file: &str) -> Option<Self> {
        let (stem, extension) = file.rsplit_once('.')?;
        let binary = format!("{stem}.bin");
        let compiled = |compiler: &str| Some(format!("{compiler} -o {binary} {file}"));
        let build = match extension {
            "cpp" | "cc" | "cxx" => compiled("g++ -std=gnu++20 -O2"),
            "c" => compiled("gcc -std=gnu17 -O2"),
            _ => None,
        };
        // Names are valid in packages, so they contain no special characters of a shell.
        let start = match extension {
            "py" => format!("python3 \"$here/{file}\""),
            "sh" => format!("bash \"$here/{file}\""),
            _ if build.is_some() => format!("\"$here/{binary}\""),
            _ => return None,
        };
        let file = file.to_owned();
        Some(Self { file, build, start })
    }
}

/// One or two programs that become a validator of a package.
#[derive(Clone, Debug)]
pub(crate) enum Adapter {
    /// One program. Shares of points count only if `is_scoring` is true.
    Single {
        program: Program,
        protocol: Protocol,
        is_scoring: bool,
    },
    /// An interactor and, if it accepts, a checker for what it wrote.
    InteractorThenChecker {
        interactor: Program,
        checker: Program,
    },
}

impl Adapter {
    /// Puts its scripts into the directory of the package that already contains its programs.
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
        let commands = programs.iter().filter_map(|program| program.build.as_ref());
        let lines: String = commands.map(|command| format!("{command}\n")).collect();
        if !lines.is_empty() {
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
            "#!/bin/sh\n# Runs {} with the protocol of its own format.\n",
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
                    // 2025-09, "Output Validator": an accepted test case has the multiplier in this
                    // file. Without scores, partial points are a rejection.
                    let partial = "echo \"$1\" > \"$feedback/score_multiplier.txt\"\n  exit 42";
                    text.push_str(
                        &SHARES.replace("PARTIAL", if *is_scoring { partial } else { "exit 43" }),
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
    fn scripts_translate_arguments_and_exit_codes() {
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
