//! The codes of findings that need runs of the package's validators.
//!
//! Responsible for the rows JP8xx (input validators) and JP9xx (output validators). Must not know how anything is
//! found.

use super::row::{Code, ERROR, Row, WARNING, rows};

rows! { ROWS_OF_RUNNING:
INPUT_VALIDATOR_BROKEN "JP801" ERROR "an input validator does not compile",
    "Nothing checks the test data as long as it does not run.",
    "Fix what the compiler says.",
    "input_validators/validate.cpp: expected `;`";
INPUT_REJECTED "JP802" ERROR "an input validator rejects a test case",
    "The test case breaks what the statement promises, or the validator is too strict. Correct programs may fail on it.",
    "Fix the one that is wrong. An input validator ends with exit code 42 for a valid and with 43 for an invalid input; \
     one that ends with 0, or with 1 and a traceback, has not said anything about it: \
     `sys.exit(42)` at its end in Python, `return 42;` in C++.",
    "secret/12: `validate.py` rejects the input (exit code 43): line 1: n is 0";
INPUT_VALIDATOR_CRASHED "JP803" ERROR "an input validator failed",
    "A signal or a limit ended it: its result is unknown.",
    "Run it by hand on the input that is named, and fix it.",
    "secret/12: `validate.cpp` was ended by SIGSEGV";
INVALID_INPUT_ACCEPTED "JP804" ERROR "every input validator accepts an invalid input",
    "The validators overlook what this input was made to show.",
    "Make one of the validators stricter, or delete the input if it is valid after all.",
    "invalid_input/negative: accepted by all";
JUNK_INPUT_ACCEPTED "JP805" WARNING "every input validator accepts junk",
    "Validators that accept an empty file or random bytes probably accept everything: inputs that break the statement \
     go unnoticed.",
    "Read the whole input and check each line, up to the end of the file; exit with 42 only then.",
    "an empty file is accepted";
CHANGED_INPUT_ACCEPTED "JP806" WARNING "every input validator accepts an input with its format damaged",
    "Doubled blanks, leading zeros, a missing newline at the end, text after the end, or numbers that wrap around in the validator \
     make some programs fail that read the format as it is stated.",
    "Compare the lines byte by byte: one blank between numbers, no leading zeros, a newline at the end, nothing after it. Reject \
     numbers that do not fit before comparing them with bounds.",
    "a copy of secret/01 with a blank at the end of a line is accepted";
INPUT_VALIDATOR_NOT_RUN "JP807" WARNING "an input validator cannot be run here",
    "This host has no tools for its language, so its checks were left out.",
    "Install the tools (see `judge doctor`), or check on another host.",
    "`validate.go`: no `go` in PATH";
BOUND_NOT_REACHED "JP808" WARNING "no test case reaches a bound of an input validator",
    "Submissions that fail on the largest or smallest values that are allowed are not found out, or the statement allows \
     more than is meant. Known of checktestdata programs (`.ctd`), of ranges that do not depend on the input, and of \
     programs that log bounds: those with testlib for Rust, and others that know BAPCtools' `--constraints_file`.",
    "Add a test case with the value, or fix the bound.",
    "input_validators/sum.ctd:2: the range is 1 to 100000, and the test cases together go from 1 to 99999";
STATEMENT_BOUND_DIFFERS "JP809" WARNING "the statement states another bound than the input validator",
    "Either contestants are told more than what holds, or data that breaks the promise would pass the validator.",
    "Fix the one that is wrong. Bounds are matched by the names of numbers: `$n \\le 10^5$` and `int(\"n\", 1..=100_000)`.",
    "problem.en.md:7: `n` is at most 1000 here, but 10000 in the input validator";
INVALID_INPUT_NOT_REJECTED "JP810" WARNING "an invalid input makes the input validators fail, and none rejects it",
    "Whatever does not end with 42 rejects, so it passes; but a validator that does not start, or fails for another reason, \
     looks the same.",
    "End with 43 on an invalid input: `sys.exit(43)` in Python, `return 43;` in C++.",
    "invalid_input/negative: `validate.py` ended with exit code 1";
OUTPUT_VALIDATOR_BROKEN "JP901" ERROR "the output validator does not compile",
    "No submission can be judged.",
    "Fix what the compiler says.",
    "output_validator/validate.cc: expected `;`";
OUTPUT_VALIDATOR_CRASHES "JP902" ERROR "the output validator fails on a hostile output",
    "It must exit with 42 or 43 for every output. A contestant whose output makes it fail has to be judged by hand.",
    "Read every token defensively, and reject (43) what cannot be read.",
    "secret/01: output `-1`: exit code 1 instead of 42 or 43";
JUNK_OUTPUT_ACCEPTED "JP903" WARNING "the output validator accepts junk on every test case",
    "A validator that accepts an empty file or random bytes probably accepts everything.",
    "Read the whole output, and reject what is missing, malformed or too much.",
    "an empty output is accepted on all 14 test cases";
SAMPLE_ANSWER_REJECTED "JP904" ERROR "the output validator rejects the answer of a sample",
    "Contestants are shown this answer as right.",
    "Fix the answer, or the validator.",
    "sample/1: `1.ans` is rejected: line 2: expected `yes` or `no`";
SECRET_ANSWER_REJECTED "JP905" WARNING "the output validator rejects an answer that others of its kind pass",
    "Answers of secret test cases need not be valid outputs, but where most are, those that are not are suspect.",
    "See whether the answer is right.",
    "secret/07: `07.ans` is rejected";
VALID_OUTPUT_REJECTED "JP906" ERROR "the output validator rejects a valid output",
    "An output that the package says is right is rejected: so are the submissions that write it.",
    "Fix the output, or the validator.",
    "valid_output/other-order: rejected: line 1: expected 3, found 4";
INVALID_OUTPUT_ACCEPTED "JP907" ERROR "the output validator accepts an invalid output",
    "An output that the package says is wrong is accepted: so are the submissions that write it.",
    "Make the validator stricter, or delete the output if it is right after all.",
    "invalid_output/not-minimal: accepted";
VALIDATOR_ARGUMENTS_REFUSED "JP908" ERROR "the default output validator refuses its arguments",
    "Every submission would end in a judge error.",
    "Fix `output_validator_args` (legacy: `validator_flags`, `output_validator_flags`).",
    "data/secret/test_group.yaml:1: unknown argument `float_tolerence`";
ANSWER_CRASHES_VALIDATOR "JP909" ERROR "the output validator fails on the jury's own answer",
    "It must exit with 42 or 43 for every output.",
    "Run it by hand on the test case that is named, and fix it.",
    "secret/07: exit code 1 instead of 42 or 43";
OUTPUT_VALIDATOR_NOT_RUN "JP910" WARNING "the output validator cannot be run here",
    "This host has no tools for its language, so its checks were left out.",
    "Install the tools (see `judge doctor`), or check on another host.",
    "`validate.go`: no `go` in PATH";
INTERACTION_DIFFERS "JP911" WARNING "an interaction sample differs from what the output validator does",
    "Given what the sample says that a submission writes, the output validator writes something else, does not accept, or \
     wants another number of passes: contestants are shown what never happens. A validator that draws lots should take \
     its seed from the input.",
    "Delete the file and let `judge generate` record it again, or write what happens.",
    "data/sample/1.interaction: does not happen like this: line 2 of what the submission is given is `<` here, and `=` in \
     fact";
VISUALIZER_BROKEN "JP912" WARNING "a visualizer does not compile",
    "Only its pictures are missing.",
    "Fix what the compiler reports, or delete the visualizer.",
    "output_visualizer: the visualizer `output_visualizer` does not compile";
GRADER_BROKEN "JP913" ERROR "a grader or static validator does not compile",
    "Every submission of a group that it decides about would end in a judge error.",
    "Fix what the compiler says.",
    "graders/grader.py: SyntaxError: Missing parentheses in call to 'print'";
CHANGED_ANSWER_ACCEPTED "JP914" WARNING "the output validator accepts a right answer with something wrong in it",
    "It reads a part of the output only, or reads numbers carelessly, so wrong submissions may be accepted. Reported are \
     changes that no usual problem accepts on every test case: text before or behind the answer, letters or bytes behind a \
     number, `nan`, `inf`, a missing last token, a number that is right modulo 2^32 or 2^64 only, the answers of other test \
     cases, and white space or letter case where the arguments `space_change_sensitive` and `case_sensitive` are given. It is a warning because a problem may \
     accept them for a reason. Swapped lines, other letter case and the like may be right answers: they are tried for \
     failures only.",
    "Read the whole output to its end, each token as a whole, and reject numbers out of range. Put the output that is shown \
     into `data/invalid_output/` to keep it as a test.",
    "output_validator/validate.cc: accepts on every test case that was tried a right answer with text after it (`5\\nhello world\\n`)";
WHITE_SPACE_REJECTED "JP915" WARNING "the output validator rejects a right answer for its white space",
    "Statements rarely say that white space matters at the ends of lines and of the output, and the default output validator \
     ignores it. It is a warning because in some problems, such as pictures of characters, it does matter.",
    "Compare tokens, or lines without white space at their ends; where white space matters, say so in the statement, and with \
     the argument `space_change_sensitive`.",
    "output_validator/validate.py: rejects on every test case that was tried a right answer with no newline at the end (`5`)";
TYPE_MISFIT "JP916" WARNING "the type of the problem does not fit what its output validator does",
    "A validator that talks with submissions, or asks for further passes, is not heard in a problem of another type: right \
     submissions are rejected, or wrong ones accepted.",
    "Add `interactive` or `multi-pass` to `type` in problem.yaml (legacy: to `validation`).",
    "output_validator/validate.py: wrote `nextpass.in`, and the problem has one pass";
NEXT_INPUT_REJECTED "JP917" WARNING "an input validator rejects the input of a further pass",
    "What an output validator writes into `nextpass.in` is given to submissions like any other input, and nothing else checks \
     it.",
    "Fix what the output validator writes, or let the input validators accept inputs of further passes. If those are no test \
     data on purpose, put one that begins with the same word into `data/invalid_input/`.",
    "output_validator/validate.py: writes a `nextpass.in` on `sample/1` that the input validator `validate.py` does not accept";
}
