//! The codes of findings in a package's files.
//!
//! Responsible for the rows: JP0xx of packages and YAML as such, JP1xx of names and layout, JP2xx
//! of the bytes of text, JP3xx of test data, JP4xx of statements, JP5xx of `problem.yaml`, JP6xx of
//! programs, JP7xx of submissions. Must not know how anything is found.

use super::row::{Code, ERROR, OFF, Row, WARNING, rows};

rows! { ROWS_OF_FILES:
UNREADABLE "JP001" ERROR "a file or directory cannot be read",
    "An unreadable file can be neither judged nor checked.",
    "Give the user who runs the judge permission to read it, or fix the disk.",
    "problem.yaml: cannot be read: Permission denied";
SILENCING_UNUSED "JP003" WARNING "an entry of `check.ignore` in judge.yaml silences nothing",
    "An obsolete entry hides the next finding of its kind.",
    "Delete the entry from `check.ignore` in judge.yaml, or fix its code or problem.",
    "check: {ignore: [{code: JP302, problem: gone, reason: old}]}";
METADATA_BROKEN "JP010" ERROR "problem.yaml violates the package format",
    "Judging systems differ in how they treat unknown keys, missing keys and values of the wrong type.",
    "Fix the named key. The package format describes the keys under \"Problem Metadata\".",
    "problem.yaml:7: unknown key `limit`; did you mean `limits`?";
METADATA_ODD "JP011" WARNING "problem.yaml contains something suspicious",
    "It can be read, but perhaps not as intended, or not by other systems.",
    "Check the interpretation that the finding states.",
    "unknown language `fortran`";
DATA_BROKEN "JP020" ERROR "the test data violate the package format",
    "A test case without an answer, or with contradictory settings, cannot be judged.",
    "Add the missing file, or correct the named setting. See \"Test Data\" in the package format.",
    "test case `secret/01` has no `.ans` file";
DATA_ODD "JP021" WARNING "the test data contain something suspicious",
    "An ignored file has no effect, which is rarely intended.",
    "Rename, move or delete the file, or correct the named setting.",
    "data/secret/03.in.bak: ignored: it belongs to no test case";
PROGRAM_BROKEN "JP030" ERROR "a program of the package cannot be used",
    "Without its output validator, grader or static validator a problem cannot be judged.",
    "Put the sources of one program, in one language, where the package format expects them.",
    "output_validator: no file of a known language";
PROGRAM_ODD "JP031" WARNING "the package's programs contain something suspicious",
    "A validator that is not run checks nothing.",
    "Put the sources of one program, in one language, where the package format expects them.",
    "no input validators: nothing checks the test data";
SUBMISSION_BROKEN "JP040" ERROR "a submission or submissions.yaml violates the package format",
    "The expectations of a submission cannot be checked.",
    "Fix the named key or file. See \"Example Submissions\" in the package format.",
    "submissions.yaml:3: unknown key `permited`";
SUBMISSION_ODD "JP041" WARNING "a submission is suspicious",
    "A submission that does not run, or has no expectation, shows nothing about the problem.",
    "Move it to a directory with a known meaning, or add its expectation to submissions.yaml.",
    "unknown directory `old`: nothing is expected of the submissions in it";
LAYOUT_BROKEN "JP050" ERROR "the layout of the package violates the package format",
    "Missing or ambiguous parts cannot be judged.",
    "Fix the named file or directory. See \"Problem Package Layout\" in the package format.",
    "include: the link leads nowhere";
LAYOUT_ODD "JP051" WARNING "the layout of the package is suspicious",
    "Other systems may refuse the package.",
    "Rename or move the named file or directory.",
    "invalid name: expected only lower-case letters and digits";

NAME_IGNORED "JP102" WARNING "a file is ignored because of its name",
    "The package format hides files whose names contain other characters than letters, digits, `_`, `.` and `-`, or \
     start with `.` or `-`. A test case or a submission is easily lost that way.",
    "Rename the file, or delete it.",
    "submissions/accepted/my solution.py";
ENTRY_UNKNOWN "JP103" WARNING "an entry of the package has no meaning in its format version",
    "Directories with a misspelt name, or with the name of another version of the format, are not read.",
    "Use the suggested name, or move the entry out of the package.",
    "output_validators/ in a package of format 2025-09";
LINK_DANGLING "JP104" ERROR "a symbolic link leads nowhere",
    "The target does not exist, or exists only on the author's machine.",
    "Point the link at a file of the package, or put the file in its place.",
    "data/secret/07.in -> ../shared/07.in";
LINK_OUTSIDE "JP105" WARNING "a symbolic link leaves the package",
    "The package breaks as soon as it is copied or uploaded, and programs and reports would show the target of the link. \
     The format allows links only within the package. A link out of a part that is read keeps the package from being \
     loaded.",
    "Copy the file into the package, or link to one in it by a relative path.",
    "input_validators/validation.h -> ../../../headers/validation.h";
NAMES_DIFFER_IN_CASE "JP106" WARNING "two names differ only in letter case",
    "On file systems that ignore letter case (macOS, Windows) only one of the files can exist.",
    "Rename one of them.",
    "data/secret/A.in and data/secret/a.in";
FILE_LARGE "JP107" WARNING "a file is larger than 100 MiB",
    "Repositories and judging systems refuse large files, and each test case is read for every submission.",
    "Make the test case smaller: size alone rarely makes a test strong.",
    "data/secret/99-max.in: 140 MiB";
LEFTOVER "JP108" WARNING "a file looks like a leftover of a tool",
    "Compiled files, core dumps and backups of editors have no meaning in a package and become outdated.",
    "Delete the file, and name it in .gitignore.",
    "submissions/accepted/__pycache__";
SCRIPT_NOT_EXECUTABLE "JP109" WARNING "a `build` or `run` script is not executable",
    "Executable scripts mark such a program. Without the permission, the directory is read as one of sources.",
    "chmod +x the script, and commit that (git update-index --chmod=+x).",
    "input_validators/check/run";
NAME_NOT_ICPC "JP110" WARNING "a name breaks the stricter rule of legacy-icpc",
    "ICPC systems require names of at least two characters that begin and end with a letter or a digit.",
    "Rename the file or directory.",
    "data/secret/a_ in a package of format legacy-icpc";
FILE_HUGE "JP112" ERROR "a file, or a directory that is copied for programs, is too large",
    "Judging systems and repositories refuse it. The limit is 1000 MiB for a file, and 256 MiB for included files and for \
     `.files`, which are copied for programs.",
    "Make the test case smaller: size alone rarely makes a test strong.",
    "data/secret/99-max.in: 1400 MiB";
ATTACHMENT_DIRECTORY "JP116" WARNING "a directory in attachments/",
    "Contestants see files only. Format 2025-09 allows one directory, `templates`; other directories are not shown.",
    "Move its files into `attachments` itself, or pack them into one.",
    "attachments/tools";
INCLUDED_ENTRY_TWICE "JP117" WARNING "included files have several entry points",
    "If several files of a language are named `main`, only one is started. A `main` in `include/default` is never started.",
    "Keep one `main` in each directory of a language, and none in `include/default`.",
    "include/cpp: `main.cpp` and `main.cc`";
INCLUDED_UNTRIED "JP118" WARNING "no submission tests the files included for a language",
    "Errors in these files would appear only during the contest.",
    "Add an accepted submission in the language.",
    "include/java: no submission is in `java`";
PLACEHOLDER_UNKNOWN "JP119" WARNING "a placeholder names no constant",
    "It is not replaced, so contestants or the compiler see the braces.",
    "Add the constant to `constants` in problem.yaml, or fix its name.",
    "statement/problem.en.md:4: `{{max_n}}` is not a constant; did you mean `{{maxn}}`?";
LINK_TO_SECRET "JP120" ERROR "a symbolic link leads to data that must stay hidden",
    "Submissions must not see answers, and statements must not show secret test data. The link would expose them.",
    "Delete the link, or replace it with a file.",
    "submissions/accepted/sol.py -> ../../data/secret/01.ans";

NOT_UTF8 "JP201" WARNING "a text file is not UTF-8",
    "The package format requires UTF-8. Other encodings are displayed incorrectly and compared as bytes.",
    "Convert the file, for example with `iconv -f latin1 -t utf-8`.",
    "data/secret/04.in:2: byte 17 is not UTF-8; save the file as UTF-8";
BYTE_ORDER_MARK "JP202" WARNING "a text file begins with a byte order mark",
    "Programs read the mark as part of the first token, and fail on it.",
    "Save the file as UTF-8 without a byte order mark.",
    "data/sample/1.in begins with EF BB BF";
CARRIAGE_RETURN "JP203" WARNING "a text file has carriage returns",
    "Windows line endings reach the submission unchanged. A submission that reads lines gets an extra character.",
    "Convert the file, for example with `dos2unix`, and set `* -text` or `eol=lf` in .gitattributes.",
    "data/secret/02.in:1 ends in CR LF";
FINAL_NEWLINE_MISSING "JP204" WARNING "a text file does not end in a newline",
    "The package format requires it, and programs that read whole lines may lose the last one.",
    "Add a newline at the end.",
    "data/secret/02.ans";
NUL_BYTE "JP205" WARNING "a text file has NUL bytes",
    "Many programs read a text only up to its first NUL byte.",
    "Write the data as text, or save the file as UTF-8 (UTF-16 has NUL bytes).",
    "data/secret/02.in: byte 2";
LFS_POINTER "JP206" ERROR "a file is a Git LFS pointer instead of its content",
    "The few lines of the pointer are judged instead of the data, so correct submissions fail.",
    "Fetch the data with `git lfs pull`; in CI, enable LFS in the checkout step.",
    "data/secret/07-large.in: 132 bytes that begin with `version https://git-lfs.github.com/spec/v1`";

NO_SAMPLES "JP301" WARNING "the problem has no sample",
    "Contestants have nothing to test their program with.",
    "Add a test case to data/sample.",
    "data/sample is empty or missing";
INPUT_TWICE "JP302" WARNING "two test cases have the same input",
    "The second one tests nothing new; often a generator was called twice with the same seed. When the answers \
     differ too, one of them may be wrong.",
    "Delete one, or make it a symbolic link if groups share it on purpose.",
    "secret/04.in has the same bytes as secret/02.in";
ANSWER_OVER_OUTPUT_LIMIT "JP303" ERROR "an answer is larger than the output limit",
    "A submission that writes exactly this answer is rejected for writing too much.",
    "Raise `limits.output` in problem.yaml (at most 512 MiB), or make the test case smaller.",
    "secret/99.ans: 9 MiB, output limit 8 MiB";
ANSWER_NEAR_OUTPUT_LIMIT "JP304" WARNING "an answer takes more than half of the output limit",
    "A correct answer may be longer than the jury's: other spacing, more digits, another solution.",
    "Raise `limits.output` in problem.yaml to at least twice the longest answer.",
    "secret/99.ans: 5 MiB, output limit 8 MiB";
ORDER_NOT_NATURAL "JP305" WARNING "test cases are not in the order that their names suggest",
    "Names are ordered byte by byte, so `10` comes before `2`. The first reported failure is not the intended one, and \
     groups that require others may come too early.",
    "Pad the numbers with zeros: `02`, `10`.",
    "secret/10 comes before secret/2";
INPUT_EMPTY "JP306" WARNING "an input is empty",
    "Few problems allow an empty input. More often, a generator failed.",
    "Generate the input again. If it is empty on purpose, silence this finding.",
    "data/secret/03.in: 0 bytes";
ANSWER_EMPTY "JP307" WARNING "an answer is empty",
    "With the default output validator only a program that prints nothing is accepted.",
    "Generate the answer again with a correct solution.",
    "data/secret/03.ans: 0 bytes";
INVALID_INPUT_IS_VALID "JP308" ERROR "an invalid input has the same bytes as a test case",
    "It is declared both valid and invalid. One of the two is wrong.",
    "Delete the wrong one.",
    "invalid_input/zero.in has the same bytes as secret/01.in";
INTERACTION_UNEXPECTED "JP311" ERROR "an interaction sample in a problem that is not interactive",
    "Contestants are shown a dialogue with the judge that does not take place.",
    "Add `interactive` to `type` in problem.yaml, or delete the file.",
    "data/sample/1.interaction";
INTERACTION_MALFORMED "JP312" ERROR "a line of an interaction sample has no direction",
    "Each line begins with `<` (read by the submission) or `>` (written by it). In multi-pass problems, `---` separates \
     the passes. Other lines cannot be shown.",
    "Begin every line with `<` or `>`; between passes, write `---`.",
    "data/sample/1.interaction:3: guess 500";
INTERACTOR_INPUT_SHOWN "JP340" WARNING "a sample shows the input of the interactor",
    "Without a log of an interaction, the statement shows the test case. Only the output validator reads its input, \
     which often is what contestants have to find.",
    "Add a file `.interaction`: `judge generate` records one. If contestants may see the input, write it as \
     `.in.statement`.",
    "data/sample/1.in";
SEVERAL_IMAGES "JP313" WARNING "a test case has several images",
    "The package format allows one illustration for each test case.",
    "Keep one of them.",
    "data/sample/1.png and data/sample/1.svg";
ARGUMENTS_UNUSED "JP314" WARNING "arguments are set for an input validator that does not exist",
    "No program receives them, so their checks do not take place.",
    "Fix the name in `input_validator_args` (or `input_validator_flags`), or add the validator.",
    "input_validator_args: {cheker: [--max, 10]}";
IGNORE_SAMPLE_MISPLACED "JP333" WARNING "`ignore_sample` has no effect where it is set",
    "The flag belongs in data/testdata.yaml, together with `on_reject: continue`. It is ignored elsewhere, and with `break` a \
     rejected sample ends the run before the secret data.",
    "Move it there, and add `on_reject: continue`.",
    "data/secret/testdata.yaml: `ignore_sample` belongs in `data/testdata.yaml`";
REJECT_SCORE_NOT_ZERO "JP334" WARNING "rejected test cases have a score",
    "The score of a submission that is not accepted is ignored, so this one rarely counts.",
    "Delete `reject_score`, or check that it has the intended effect.",
    "data/secret/testdata.yaml: `reject_score` is 5";
RANGE_IMPLAUSIBLE "JP335" WARNING "a score range does not match the scores that the group can reach",
    "Contestants see the range, and scores are checked against it.",
    "Fix `range`, or the scores in the group.",
    "data/secret/group1: `range` is 0 to 30, but the scores in it reach 0 to 20";
TOLERANCE_OF_INTEGERS "JP336" OFF "a float tolerance applies to integers in answers",
    "The default output validator applies the tolerance to every number: `7.0000001` is accepted for `7`.",
    "If the integers must be exact, write an output validator.",
    "secret/01.ans: `7` and `0.25`, with `float_tolerance 1e-6`";
SEED_UNUSED "JP337" WARNING "a generator does not depend on its seed",
    "Test cases that should differ by their seeds are the same. Only `judge generate` reports this, when it runs the \
     generator.",
    "Make the generator use its seed, or remove `{seed}` from the call.",
    "secret/3-random: `random.py {seed:3}` does not seem to depend on its seed: 11 seeds give the same output";
GENERATORS_BROKEN "JP338" WARNING "generators.yaml cannot be read",
    "The test data cannot be generated again. Submissions are judged on the files in `data/`.",
    "Fix the named line, and run `judge generate --check`.",
    "generators/generators.yaml:4: key `data.secret.data.1` is given twice (first on line 3)";
RANGE_EXCEEDED "JP339" WARNING "submissions can score more or less than their group's range allows",
    "Systems may refuse a score that is outside of the range.",
    "Fix `range`, or the scores in the group.",
    "data/secret/group1: `range` is 0 to 40, and the scores in it reach 0 to 50";
GROUPS_UNDECLARED "JP341" WARNING "directories of a scoring problem's secret data are not groups",
    "In 2025-09, a directory in `secret` is a group only if it has a test_group.yaml. Otherwise it only sorts files.",
    "Give each directory in `secret` a test_group.yaml. If the scores are intended as they are, silence the finding.",
    "data/secret: directories of `data/secret` have no `test_group.yaml`, so they are no groups: each test case counts on \
     its own";

NO_STATEMENT "JP401" ERROR "the statement is missing",
    "Without a statement, the problem cannot be solved.",
    "Add statement/problem.en.md (or .tex, .pdf); in legacy packages problem_statement/problem.en.tex.",
    "statement/ is empty or missing";
STATEMENT_TWICE "JP402" ERROR "there are several statements in one language",
    "Which one is shown depends on the system.",
    "Keep one of them.",
    "statement/problem.en.md and statement/problem.en.tex";
STATEMENT_EMPTY "JP403" ERROR "a statement is empty",
    "Without a statement, the problem cannot be solved.",
    "Write it, or delete the file.",
    "statement/problem.sv.md: 0 bytes";
STATEMENT_FILE_MISNAMED "JP404" WARNING "a file looks like a statement but is not named like one",
    "It is not shown. A statement is named `problem.LANGUAGE.md`, `.tex` or `.pdf`, with a language code of two or \
     three letters such as `en` or `pt-BR`. Legacy packages allow `problem.tex` for English.",
    "Rename it.",
    "statement/problem.md";
IMAGE_MISSING "JP405" WARNING "an image of a statement is missing",
    "The statement cannot be typeset, or is shown without the image.",
    "Add the image to the directory of the statement, or fix its name.",
    "statement/problem.en.md:12: ![](graph.png)";
NAME_LOOKS_LIKE_TEX "JP406" WARNING "a name looks like TeX",
    "Names are plain text: `$` and `\\` are shown literally.",
    "Write the name in plain text, with Unicode characters where needed.",
    "name: The $n$ Queens";
NAME_MISSING_IN_TEX "JP407" WARNING "a legacy statement does not state the problem's name",
    "Legacy systems take the name from `\\problemname{…}` in the statement.",
    "Begin the statement with `\\problemname{The Name}`.",
    "problem_statement/problem.en.tex";
NAME_LANGUAGES "JP408" ERROR "names and statements are in different languages",
    "Format 2025-09 requires a name for each language of the statements, and no others.",
    "Add the name under `name` in problem.yaml, or the statement.",
    "name: {en: Sum} and statement/problem.sv.md";
TEX_UNKNOWN "JP411" WARNING "a LaTeX statement uses an unknown command",
    "Judges that render LaTeX as HTML know a part of it. `judge statement` shows an unknown command as source text, marked; \
     others may drop it. LaTeX itself may know it, with other packages.",
    "Use commands that the format lists, or define this one in the statement. Silence this finding for statements that \
     only LaTeX typesets.",
    "statement/problem.en.tex:12: `\\foo` is unknown, and is shown as written (3 times)";

LICENSE_UNKNOWN "JP501" WARNING "the problem has no licence",
    "Without a licence, using the problem needs its owner's permission.",
    "Set `license` in problem.yaml.",
    "license: unknown";
NO_RIGHTS_OWNER "JP502" ERROR "the rights owner is missing",
    "Every licence except `public domain` and `unknown` needs an owner: `rights_owner`, or else the authors, or else the \
     source.",
    "Name the owner in `rights_owner`, or the authors in `credits` (legacy: `author`).",
    "license: cc by-sa, without rights_owner, credits and source";
UUID_MALFORMED "JP503" WARNING "the uuid is invalid",
    "Judging systems identify problems by it.",
    "Generate one, for example with `uuidgen`.",
    "uuid: my-problem";
AUTHORS_IN_ONE_TEXT "JP504" WARNING "several authors are written as one text",
    "They are shown, sorted and linked as one person.",
    "In 2025-09 write `credits: {authors: [Ada, Alan]}`; in legacy packages systems split `author` differently.",
    "credits: Ada & Alan";
UUID_TWICE "JP505" ERROR "two packages have the same uuid",
    "Systems treat one of them as a newer version of the other.",
    "Generate a new one for the copy, for example with `uuidgen`.",
    "problems/sum2/problem.yaml has the uuid of problems/sum";
TIME_LIMIT_NOT_WHOLE "JP506" OFF "the time limit is not a whole number of seconds",
    "Some systems round it, or refuse it.",
    "Choose a whole number of seconds.",
    "limits: {time_limit: 1.5}";
LIMIT_ODD "JP507" WARNING "a limit is unusually small or large",
    "Often the unit is wrong: memory and output are in MiB, code is in KiB, times are in seconds.",
    "Check the unit. If the limit is intended, silence this finding.",
    "limits: {memory: 268435456}";
RATIO_USELESS "JP508" WARNING "time multipliers leave no room",
    "With a multiplier of 1, the slowest accepted submission may exceed the limit on a slower machine.",
    "Use at least the format's defaults: 2 for accepted submissions, 1.5 for slow ones.",
    "limits: {time_multipliers: {ac_to_time_limit: 1}}";
UUID_MISSING "JP509" OFF "the uuid is missing",
    "Judging systems identify problems by it. Without it, each upload is a new problem.",
    "Generate one, for example with `uuidgen`, and set `uuid` in problem.yaml.",
    "problem.yaml of a legacy package without `uuid`";
PLACEHOLDER_LEFT "JP516" WARNING "a placeholder was not replaced with a name",
    "`judge new` and other tools create packages with a placeholder as title and author. Contestants would see it.",
    "Set `name` to the title, and `credits` and `rights_owner` to the authors.",
    "problem.yaml: rights_owner: the author of adder";
GROUP_VISIBILITY_UNSET "JP517" OFF "the visibility of groups is not set",
    "Kattis requires `grading.show_test_data_groups` in scoring problems with groups. By default, groups are hidden.",
    "Set it to true or false.",
    "problem.yaml: `grading.show_test_data_groups` is not given";
UNREAD_BY_KATTIS "JP526" OFF "problemtools does not read a value of problem.yaml",
    "Kattis' tools check the type of each value, and refuse a package with a list, a number or nothing where they expect a \
     text. `judge pack --for kattis` writes the value as they read it.",
    "Write a string, or leave the key out.",
    "problem.yaml:4: `author`: problemtools reads a string, not a list";
GROUPS_WITHOUT_SCORES "JP518" WARNING "grading of groups in a problem without scores",
    "Pass-fail problems have a single result, and other systems refuse the key.",
    "Delete the key, or set `type: scoring`.",
    "problem.yaml:3: `grading.show_test_data_groups` belongs to scoring problems";

VALIDATOR_LANGUAGE "JP601" OFF "a validator's language may be missing on judging systems",
    "For validators, the format guarantees only Python 3, C and C++, and `build` scripts that use them.",
    "Translate it, or use only systems that have its language.",
    "output_validator/validate.rs";
SEVERAL_OUTPUT_VALIDATORS "JP602" OFF "there are several output validators",
    "Some systems run only the first one.",
    "Merge them into one.",
    "output_validators/format.py and output_validators/value.py";

NO_ACCEPTED "JP701" ERROR "no submission is expected to be accepted",
    "Nothing shows that the problem can be solved within its limits or that the answers are correct.",
    "Add a solution to submissions/accepted (or, in a workspace, to solutions/NAME/accepted).",
    "submissions/accepted is empty or missing";
CODE_OVER_LIMIT "JP702" ERROR "a submission is larger than the code limit",
    "It is refused before it is compiled.",
    "Raise `limits.code` in problem.yaml, or make the submission smaller.",
    "submissions/accepted/table.cpp: 180 KiB, limit 128 KiB";
SUBMISSION_TWICE "JP703" WARNING "two submissions have the same source",
    "Both have the same verdicts, so one of them is redundant.",
    "Delete one of them.",
    "wrong_answer/b.py has the same bytes as wrong_answer/a.py";
SUBMISSION_LOOSE "JP704" WARNING "a file in submissions/ is not a submission",
    "The directory of a submission states its expectation.",
    "Move it to the directory of its verdict, such as submissions/accepted.",
    "submissions/solution.py";
NOTHING_REJECTED "JP705" OFF "no submission is expected to be rejected",
    "Nothing shows that the test data distinguish correct from wrong submissions.",
    "Add wrong or slow submissions to submissions/wrong_answer or submissions/time_limit_exceeded.",
    "submissions/ has accepted/ only";
}
