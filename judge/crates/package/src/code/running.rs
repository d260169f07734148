//! The codes of findings that need runs of the package's validators.
//!
//! Responsible for the rows JP8xx (input validators) and JP9xx (output validators). Must not know
//! how anything is found.

use super::row::{Code, ERROR, Row, WARNING, rows};

rows! { ROWS_OF_RUNNING:
INPUT_VALIDATOR_BROKEN "JP801" ERROR "an input validator does not compile",
    "Without it, nothing checks the test data.",
    "Fix the errors of the compiler.",
    "input_validators/validate.cpp: expected `;`";
INPUT_REJECTED "JP802" ERROR "an input validator rejects a test case",
    "The test case violates the statement, or the validator is too strict. Correct programs may fail on it.",
    "Fix the wrong one. An input validator ends with exit code 42 for a valid input and 43 for an invalid one. Any other \
     exit code, such as 0, or 1 after a traceback, decides nothing. Use `sys.exit(42)` in Python, `return 42;` in C++.",
    "secret/12: `validate.py` rejects the input (exit code 43): line 1: n is 0";
INPUT_VALIDATOR_CRASHED "JP803" ERROR "an input validator failed",
    "A signal or a limit ended it, so its result is unknown.",
    "Run it by hand on the named input, and fix it.",
    "secret/12: `validate.cpp` was killed by SIGSEGV";
INVALID_INPUT_ACCEPTED "JP804" ERROR "every input validator accepts an invalid input",
    "The validators miss the fault that this input contains.",
    "Make one of the validators stricter, or delete the input if it is valid.",
    "invalid_input/negative: accepted by all";
JUNK_INPUT_ACCEPTED "JP805" WARNING "every input validator accepts junk",
    "Validators that accept an empty file or random bytes probably accept everything, so invalid inputs go unnoticed.",
    "Read the whole input, check each line up to the end of the file, and only then exit with 42.",
    "an empty file is accepted";
CHANGED_INPUT_ACCEPTED "JP806" WARNING "every input validator accepts an input with a damaged format",
    "Double spaces, leading zeros, a missing final newline, text after the end, or numbers that wrap around in the \
     validator make programs fail that rely on the stated format.",
    "Compare the lines byte by byte: one space between numbers, no leading zeros, a newline at the end, nothing after it. Reject \
     numbers that do not fit before comparing them with bounds.",
    "a copy of secret/01 with a space at the end of a line is accepted";
INPUT_VALIDATOR_NOT_RUN "JP807" WARNING "an input validator cannot be run here",
    "This host has no tools for its language, so its checks were skipped.",
    "Install the tools (see `judge doctor`), or check on another host.",
    "`validate.go`: no `go` in PATH";
BOUND_NOT_REACHED "JP808" WARNING "no test case reaches a bound of an input validator",
    "Submissions that fail on the largest or smallest allowed values are not detected, or the statement allows more than \
     intended. Reported for checktestdata programs (`.ctd`), for ranges that do not depend on the input, and for \
     programs that log bounds: those with testlib for Rust, and others that support BAPCtools' `--constraints_file`.",
    "Add a test case with the value, or fix the bound.",
    "input_validators/sum.ctd:2: the range is 1 to 100000, but the test cases together go from 1 to 99999";
STATEMENT_BOUND_DIFFERS "JP809" WARNING "the statement states a different bound from the input validator",
    "Either the statement promises too much, or data that violates it would pass the validator.",
    "Fix the wrong one. Bounds are matched by the names of numbers: `$n \\le 10^5$` and `int(\"n\", 1..=100_000)`.",
    "problem.en.md:7: `n` is at most 1000 here, but 10000 in the input validator";
INVALID_INPUT_NOT_REJECTED "JP810" WARNING "input validators fail on an invalid input instead of rejecting it",
    "Every exit code except 42 rejects, so the input counts as rejected. But a validator that does not start, or fails for \
     another reason, looks the same.",
    "End with 43 on an invalid input: `sys.exit(43)` in Python, `return 43;` in C++.",
    "invalid_input/negative: `validate.py` exited with code 1";
OUTPUT_VALIDATOR_BROKEN "JP901" ERROR "the output validator does not compile",
    "No submission can be judged.",
    "Fix the errors of the compiler.",
    "output_validator/validate.cc: expected `;`";
OUTPUT_VALIDATOR_CRASHES "JP902" ERROR "the output validator neither accepts nor rejects some output",
    "It must exit with 42 or 43 for every output. A submission that makes it fail needs a verdict by hand.",
    "Read every token defensively, and reject unreadable output (exit code 43).",
    "secret/01: output `-1`: exit code 1 instead of 42 or 43";
JUNK_OUTPUT_ACCEPTED "JP903" WARNING "the output validator accepts junk on every test case",
    "A validator that accepts an empty file or random bytes probably accepts everything.",
    "Read the whole output, and reject missing, malformed and surplus tokens.",
    "an empty output is accepted on all 14 test cases";
SAMPLE_ANSWER_REJECTED "JP904" ERROR "the output validator rejects the answer of a sample",
    "Contestants see this answer as correct.",
    "Fix the answer, or the validator.",
    "sample/1: `1.ans` is rejected: line 2: expected `yes` or `no`";
SECRET_ANSWER_REJECTED "JP905" WARNING "the output validator rejects a secret answer, and accepts others",
    "Answers of secret test cases need not be valid outputs, but if most are, the others are suspicious.",
    "Check the answer.",
    "secret/07: `07.ans` is rejected";
VALID_OUTPUT_REJECTED "JP906" ERROR "the output validator rejects a valid output",
    "The package declares this output correct, so correct submissions are rejected.",
    "Fix the output, or the validator.",
    "valid_output/other-order: rejected: line 1: expected 3, found 4";
INVALID_OUTPUT_ACCEPTED "JP907" ERROR "the output validator accepts an invalid output",
    "The package declares this output wrong, so wrong submissions are accepted.",
    "Make the validator stricter, or delete the output if it is correct.",
    "invalid_output/not-minimal: accepted";
VALIDATOR_ARGUMENTS_REFUSED "JP908" ERROR "the default output validator refuses its arguments",
    "Every submission would end in a judge error.",
    "Fix `output_validator_args` (legacy: `validator_flags`, `output_validator_flags`).",
    "data/secret/test_group.yaml:1: unknown argument `float_tolerence`";
ANSWER_CRASHES_VALIDATOR "JP909" ERROR "the output validator fails on the jury's own answer",
    "It must exit with 42 or 43 for every output.",
    "Run it by hand on the named test case, and fix it.",
    "secret/07: exit code 1 instead of 42 or 43";
OUTPUT_VALIDATOR_NOT_RUN "JP910" WARNING "the output validator cannot be run here",
    "This host has no tools for its language, so its checks were skipped.",
    "Install the tools (see `judge doctor`), or check on another host.",
    "`validate.go`: no `go` in PATH";
INTERACTION_DIFFERS "JP911" WARNING "an interaction sample differs from the output validator's behaviour",
    "Given the submission's lines of the sample, the output validator writes something else, does not accept, or uses \
     another number of passes, so contestants see a dialogue that never happens. A random validator should take its \
     seed from the input.",
    "Delete the file and let `judge generate` record it again, or correct it by hand.",
    "data/sample/1.interaction: differs from the actual interaction: line 2 of the submission's input: the file has `<`, \
     the validator sends `=`";
VISUALIZER_BROKEN "JP912" WARNING "a visualizer does not compile",
    "Its pictures are missing.",
    "Fix the errors of the compiler, or delete the visualizer.",
    "output_visualizer: the visualizer `output_visualizer` does not compile";
GRADER_BROKEN "JP913" ERROR "a grader or static validator does not compile",
    "Every submission would end in a judge error in the groups that it grades.",
    "Fix the errors of the compiler.",
    "graders/grader.py: SyntaxError: Missing parentheses in call to 'print'";
CHANGED_ANSWER_ACCEPTED "JP914" WARNING "the output validator accepts a correct answer with an error added",
    "It reads only a part of the output, or reads numbers carelessly, so wrong submissions may be accepted. The check \
     tries changes that almost no problem accepts on every test case: text before or after the answer, letters or bytes \
     after a number, `nan`, `inf`, a missing last token, a number that is correct only modulo 2^32 or 2^64, a token of two \
     equal ones missing, almost 1 added to a decimal, the answers of other test cases, a word such as `NO` from them, and white space or letter case if the arguments `space_change_sensitive` or `case_sensitive` are \
     set. It is a warning because a problem may accept them for a reason. Changes that may be correct, such as swapped \
     lines or another letter case, are only tried to make the validator fail.",
    "Read the output to its end, each token as a whole, and reject numbers out of range. `judge check --save` \
     keeps the shown output as a test in `data/invalid_output/`.",
    "output_validator/validate.cc: accepts, on every tested case, a correct answer with text after it (`5\\nhello world\\n`)";
WHITE_SPACE_REJECTED "JP915" WARNING "the output validator rejects a correct answer for its white space",
    "Statements rarely say that white space at the ends of lines and of the output matters, and the default output \
     validator ignores it. It is a warning because it does matter in some problems, such as ASCII art.",
    "Compare tokens, or lines without trailing white space. If white space matters, state it in the statement, and set the \
     argument `space_change_sensitive`.",
    "output_validator/validate.py: rejects, on every tested case, a correct answer with no newline at the end (`5`)";
TYPE_MISFIT "JP916" WARNING "the output validator does not match the type of the problem",
    "A validator that is interactive, or requests further passes, does not work in a problem of another type: correct \
     submissions are rejected, or wrong ones accepted.",
    "Add `interactive` or `multi-pass` to `type` in problem.yaml (legacy: to `validation`).",
    "output_validator/validate.py: wrote `nextpass.in`, but the problem has one pass";
NEXT_INPUT_REJECTED "JP917" WARNING "an input validator rejects the input of a further pass",
    "Submissions receive `nextpass.in` of the output validator like any other input, and nothing else checks it.",
    "Fix the output validator, or make the input validators accept inputs of further passes. If those are invalid inputs \
     on purpose, put one that begins with the same word into `data/invalid_input/`.",
    "output_validator/validate.py: writes a `nextpass.in` on `sample/1` that the input validator `validate.py` does not accept";
TESTING_TOOL_BROKEN "JP918" WARNING "a testing tool does not compile",
    "Contestants load the tool from `attachments/`, and cannot run it either.",
    "Fix the errors of the compiler, or delete the tool.",
    "attachments/testing_tool.py: the testing tool `testing_tool.py` does not compile";
TESTING_TOOL_REJECTS "JP919" WARNING "a testing tool does not accept an accepted submission",
    "The tool does not follow the protocol of the output validator, so contestants look for faults that their solutions do not have. It is called as `testing_tool.py -f INPUT COMMAND...` on the samples and on the inputs in `data/testing_tool_test/`, and has to end with 0.",
    "Run it by hand with the named submission and input: `python3 attachments/testing_tool.py -f data/sample/1.in python3 submissions/accepted/x.py`.",
    "attachments/testing_tool.py: exited with code 1 for `accepted/halves.py` on `sample/1`: no answer after 10 queries";
TESTING_TOOL_ACCEPTS "JP920" WARNING "a testing tool accepts a solution that fails",
    "The tool ended with 0 although the solution ended immediately with exit code 1 and wrote nothing, so it accepts everything.",
    "Exit with a nonzero code if the solution is wrong or its exit code is not 0.",
    "attachments/testing_tool.py: exits with code 0 for a solution that exits with code 1 and writes nothing";
}
