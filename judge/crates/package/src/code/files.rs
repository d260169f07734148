//! The codes of findings in a package's files.
//!
//! Responsible for the rows: JP0xx of packages and YAML as such, JP1xx of names and layout, JP2xx of the bytes of text,
//! JP3xx of test data, JP4xx of statements, JP5xx of `problem.yaml`, JP6xx of programs, JP7xx of submissions. Must not
//! know how anything is found.

use super::row::{Code, ERROR, OFF, Row, WARNING, rows};

rows! { ROWS_OF_FILES:
UNREADABLE "JP001" ERROR "a file or directory cannot be read",
    "What cannot be read cannot be judged, and nothing can be said about it.",
    "Give whoever runs the judge permission to read it, or fix the disk.",
    "problem.yaml: cannot be read: Permission denied";
SILENCING_UNUSED "JP003" WARNING "a silencing in judge.yaml silences nothing",
    "A silencing that outlives what it was for will hide the next finding of its kind.",
    "Delete the entry from `check.ignore` in judge.yaml, or fix its code or problem.",
    "check: {ignore: [{code: JP302, problem: gone, reason: old}]}";
METADATA_BROKEN "JP010" ERROR "problem.yaml breaks the package format",
    "Keys that are unknown, missing or of the wrong type are read differently, or refused, by each judging system.",
    "Fix the key that is named. The keys are described in the package format under \"Problem Metadata\".",
    "problem.yaml:7: unknown key `limit`; did you mean `limits`?";
METADATA_ODD "JP011" WARNING "something in problem.yaml is odd",
    "It can be read, but perhaps not as it is meant, or not by other systems.",
    "See what the finding says is done with it.",
    "the language `fortran` is not known here";
DATA_BROKEN "JP020" ERROR "the test data break the package format",
    "A test case without its answer, or with settings that contradict each other, cannot be judged.",
    "Fix what is named: add the missing file, or correct the settings. See \"Test Data\" in the package format.",
    "test case `secret/01` has no `.ans` file";
DATA_ODD "JP021" WARNING "something in the test data is odd",
    "What is ignored is not judged, though somebody put it there.",
    "Rename, move or delete the file, or correct the setting that is named.",
    "data/secret/03.in.bak: ignored: it belongs to no test case";
PROGRAM_BROKEN "JP030" ERROR "a program of the package cannot be used",
    "Without its output validator, grader or static validator a problem cannot be judged.",
    "Put the sources of one program in one language where the package format expects them.",
    "output_validator: no file of a known language";
PROGRAM_ODD "JP031" WARNING "something about the package's programs is odd",
    "A validator that is not run checks nothing.",
    "Put the sources of one program in one language where the package format expects them.",
    "no input validators: nothing checks the test data";
SUBMISSION_BROKEN "JP040" ERROR "a submission or submissions.yaml breaks the package format",
    "What is expected of a submission cannot be checked when it cannot be read.",
    "Fix what is named. See \"Example Submissions\" in the package format.",
    "submissions.yaml:3: unknown key `permited`";
SUBMISSION_ODD "JP041" WARNING "something about a submission is odd",
    "A submission that is not judged, or of which nothing is expected, shows nothing about the problem.",
    "Move it to a directory whose meaning is known, or say in submissions.yaml what is expected.",
    "unknown directory `old`: nothing is expected of the submissions in it";
LAYOUT_BROKEN "JP050" ERROR "the layout of the package breaks the package format",
    "Parts that cannot be found or told apart cannot be judged.",
    "Fix what is named. See \"Problem Package Layout\" in the package format.",
    "include: the link leads nowhere";
LAYOUT_ODD "JP051" WARNING "something about the layout of the package is odd",
    "Other systems may refuse the package.",
    "Rename or move what is named.",
    "its name is not made of lower case letters and digits alone";

NAME_IGNORED "JP102" WARNING "a file is ignored because of its name",
    "The package format tells judges to behave as if files were not there whose names have other characters than \
     letters, digits, `_`, `.` and `-`, or start with `.` or `-`. A test case or a submission is easily lost that way.",
    "Rename the file, or delete it.",
    "submissions/accepted/my solution.py";
ENTRY_UNKNOWN "JP103" WARNING "an entry of the package has no meaning in its format version",
    "A directory with a mistyped name, or with the name that another version of the format uses, is not looked into.",
    "Rename it to what is suggested, or move it out of the package.",
    "output_validators/ in a package of format 2025-09";
LINK_DANGLING "JP104" ERROR "a symbolic link leads nowhere",
    "The file is missing, here or on every other machine.",
    "Point the link at a file of the package, or put the file in its place.",
    "data/secret/07.in -> ../shared/07.in";
LINK_OUTSIDE "JP105" WARNING "a symbolic link leaves the package",
    "The package breaks as soon as it is copied or uploaded, and what the link leads to is shown to programs and in \
     reports. The format allows links only within the package; one in a part of it that is read keeps it from being \
     loaded.",
    "Copy the file into the package, or link to one in it by a relative path.",
    "input_validators/validation.h -> ../../../headers/validation.h";
NAMES_DIFFER_IN_CASE "JP106" WARNING "two names differ in letter case alone",
    "On file systems that ignore letter case (macOS, Windows) only one of the files can exist.",
    "Rename one of them.",
    "data/secret/A.in beside data/secret/a.in";
FILE_LARGE "JP107" WARNING "a file is larger than 100 MiB",
    "Repositories and judging systems refuse large files, and each test case is read for every submission.",
    "Make the test case smaller; the limits it tests are rarely reached by size alone.",
    "data/secret/99-max.in: 140 MiB";
LEFTOVER "JP108" WARNING "a file looks like a leftover of a tool",
    "Compiled files, core dumps and editors' copies have no meaning in a package, and grow old beside the source.",
    "Delete the file, and name it in .gitignore.",
    "submissions/accepted/__pycache__";
SCRIPT_NOT_EXECUTABLE "JP109" WARNING "a `build` or `run` script is not executable",
    "The package format knows such a program by its executable scripts; without the permission it is taken for a \
     directory of sources.",
    "chmod +x the script, and commit that (git update-index --chmod=+x).",
    "input_validators/check/run";
NAME_NOT_ICPC "JP110" WARNING "a name breaks the stricter rule of legacy-icpc",
    "ICPC systems want names of at least two characters that begin and end with a letter or a digit.",
    "Rename the file or directory.",
    "data/secret/a_ in a package of format legacy-icpc";
FILE_HUGE "JP112" ERROR "a file, or what lies beside programs, is too large",
    "No judging system takes it, nor does a repository. A file has at most 1000 MiB; included files and `.files`, which are \
     copied for programs, 256 MiB.",
    "Make the test case smaller; the limits it tests are rarely reached by size alone.",
    "data/secret/99-max.in: 1400 MiB";
ATTACHMENT_DIRECTORY "JP116" WARNING "a directory in attachments/",
    "Attachments are files. 2025-09 knows the directory `templates` alone, legacy none; others are not shown.",
    "Move its files into `attachments` itself, or pack them into one.",
    "attachments/tools";
INCLUDED_ENTRY_TWICE "JP117" WARNING "included files have several entry points",
    "Of several files called `main` in one language only one starts; and one for every language in `include/default`      starts in none.",
    "Keep one `main` in each directory of a language, and none in `include/default`.",
    "include/cpp: `main.cpp` and `main.cc`";
INCLUDED_UNTRIED "JP118" WARNING "no submission tries the files included for a language",
    "Whether submissions in it compile together with these files is found out in the contest.",
    "Add an accepted submission in the language.",
    "include/java: no submission is in `java`";
PLACEHOLDER_UNKNOWN "JP119" WARNING "a placeholder stands for no constant",
    "It is left as it is: contestants, or the compiler, see the braces.",
    "Add the constant to `constants` in problem.yaml, or fix its name.",
    "statement/problem.en.md:4: `{{max_n}}` is not a constant; did you mean `{{maxn}}`?";
LINK_TO_SECRET "JP120" ERROR "a symbolic link leads to what it must not show",
    "Submissions are made of submissions and of included files, and are never given an answer; statements show no secret \
     test data. A link would carry them there.",
    "Delete the link, or put a file in its place.",
    "submissions/accepted/sol.py -> ../../data/secret/01.ans";

NOT_UTF8 "JP201" WARNING "a text is not UTF-8",
    "The package format asks for UTF-8. Other encodings are shown wrongly, and compared as bytes.",
    "Convert the file, for example with `iconv -f latin1 -t utf-8`.",
    "data/secret/04.in:2: byte 17 is not UTF-8; save the file as UTF-8";
BYTE_ORDER_MARK "JP202" WARNING "a text begins with a byte order mark",
    "Programs read the mark as a part of the first token, and fail on it.",
    "Save the file as UTF-8 without a byte order mark.",
    "data/sample/1.in begins with EF BB BF";
CARRIAGE_RETURN "JP203" WARNING "a text has carriage returns",
    "Line ends of Windows reach the submission as they are: one that reads lines gets a character too many.",
    "Convert the file, for example with `dos2unix`, and set `* -text` or `eol=lf` in .gitattributes.",
    "data/secret/02.in:1 ends in CR LF";
FINAL_NEWLINE_MISSING "JP204" WARNING "a text does not end in a newline",
    "The package format asks for it, and programs that read whole lines may lose the last one.",
    "Add the line feed.",
    "data/secret/02.ans";
NUL_BYTE "JP205" WARNING "a text has NUL bytes",
    "Many programs read a text only up to its first NUL byte.",
    "Write the data as text, or save the file again as UTF-8 (UTF-16 has NUL bytes).",
    "data/secret/02.in: byte 2";
LFS_POINTER "JP206" ERROR "a file is a pointer of Git LFS and not what it points to",
    "Its few lines of text are judged in the place of the data, and nothing that is right passes.",
    "Fetch the data with `git lfs pull`; in CI ask for it where the repository is checked out.",
    "data/secret/07-large.in: 132 bytes that begin with `version https://git-lfs.github.com/spec/v1`";

NO_SAMPLES "JP301" WARNING "the problem has no sample",
    "Contestants have nothing to try their program on.",
    "Add a test case to data/sample.",
    "data/sample is empty or missing";
INPUT_TWICE "JP302" WARNING "two test cases have the same input",
    "The second one tests nothing new; often a generator was called twice with the same seed. When the answers \
     differ too, one of them may be wrong.",
    "Delete one, or make it a symbolic link where groups are meant to share it.",
    "secret/04.in has the same bytes as secret/02.in";
ANSWER_OVER_OUTPUT_LIMIT "JP303" ERROR "an answer is larger than the output limit",
    "A submission that writes just this answer is rejected for writing too much.",
    "Raise `limits.output` in problem.yaml (at most 512 MiB), or make the test case smaller.",
    "secret/99.ans: 9 MiB, output limit 8 MiB";
ANSWER_NEAR_OUTPUT_LIMIT "JP304" WARNING "an answer takes more than half of the output limit",
    "A right answer may be longer than the jury's: other spacing, more digits, another solution.",
    "Raise `limits.output` in problem.yaml to at least twice the longest answer.",
    "secret/99.ans: 5 MiB, output limit 8 MiB";
ORDER_NOT_NATURAL "JP305" WARNING "test cases are not in the order that their names suggest",
    "Names are ordered byte by byte, so `10` comes before `2`: the first failure that is told is not the one meant to \
     come first, and groups that require others may come too early.",
    "Pad the numbers with zeros: `02`, `10`.",
    "secret/10 comes before secret/2";
INPUT_EMPTY "JP306" WARNING "an input is empty",
    "A problem whose input may be nothing is rare; a generator that failed is not.",
    "Generate the input again; if nothing is meant, silence this finding.",
    "data/secret/03.in: 0 bytes";
ANSWER_EMPTY "JP307" WARNING "an answer is empty",
    "With the default output validator only a program that prints nothing is accepted.",
    "Make the answer again with a solution that is known to be right.",
    "data/secret/03.ans: 0 bytes";
INVALID_INPUT_IS_VALID "JP308" ERROR "an invalid input has the same bytes as a test case",
    "It is said to be valid and invalid at once: one of the two is wrong.",
    "Delete the one that is wrong.",
    "invalid_input/zero.in has the same bytes as secret/01.in";
INTERACTION_UNEXPECTED "JP311" ERROR "an interaction sample in a problem that is not interactive",
    "It is shown to contestants as if programs talked with the judge.",
    "Add `interactive` to `type` in problem.yaml, or delete the file.",
    "data/sample/1.interaction";
INTERACTION_MALFORMED "JP312" ERROR "a line of an interaction sample has no direction",
    "Each line begins with `<` (read by the submission) or `>` (written by it); in multi-pass problems `---` parts the \
     passes. Other lines cannot be shown.",
    "Begin every line with `<`, `>` or, between passes, write `---`.",
    "data/sample/1.interaction:3: guess 500";
SEVERAL_IMAGES "JP313" WARNING "a test case has several images",
    "The package format allows one illustration for each test case.",
    "Keep one of them.",
    "data/sample/1.png beside data/sample/1.svg";
ARGUMENTS_UNUSED "JP314" WARNING "arguments are given to an input validator that does not exist",
    "They reach no program, so what they were to check is not checked.",
    "Fix the name in `input_validator_args` (or `input_validator_flags`), or add the validator.",
    "input_validator_args: {cheker: [--max, 10]}";
IGNORE_SAMPLE_MISPLACED "JP333" WARNING "`ignore_sample` where it cannot be followed",
    "The flag belongs to data/testdata.yaml, beside `on_reject: continue`: elsewhere it is ignored, and with `break`      a rejected sample ends everything before the secret data.",
    "Move it there, and add `on_reject: continue`.",
    "data/secret/testdata.yaml: `ignore_sample` belongs into `data/testdata.yaml`";
REJECT_SCORE_NOT_ZERO "JP334" WARNING "rejected test cases have a score",
    "The score of a submission that is not accepted is ignored, so this one rarely counts.",
    "Delete `reject_score`, or check that it does what is meant.",
    "data/secret/testdata.yaml: `reject_score` is 5";
RANGE_DOUBTFUL "JP335" WARNING "a range of scores is not what the group can come to",
    "The range is what contestants are told, and what a score is held against.",
    "Fix `range`, or the scores of what lies in the group.",
    "data/secret/group1: `range` is 0 to 30, and the scores in it come to 0 to 20";
TOLERANCE_OF_INTEGERS "JP336" OFF "a float tolerance where answers have integers too",
    "The default output validator compares every token that is a number with the tolerance: `7.0000001` is right where      `7` is.",
    "If the integers must be exact, print them apart from the floats and write an output validator.",
    "secret/01.ans: `7` beside `0.25`, with `float_tolerance 1e-6`";
SEED_UNUSED "JP337" WARNING "a generator does not depend on its seed",
    "Test cases that should differ in their seeds would be the same. `judge generate` tells it when it runs the generator, \
     and no other command does.",
    "Have the generator use its seed, or take `{seed}` out of the call.",
    "secret/3-random: `random.py {seed:3}` does not seem to depend on its seed: 11 seeds make the same";
GENERATORS_BROKEN "JP338" WARNING "generators.yaml cannot be followed",
    "Nobody can make the test data again. Submissions are judged on what lies in `data/`.",
    "Fix the line that is named, and run `judge generate --check`.",
    "generators/generators.yaml:4: key `data.secret.data.1` is given twice (first on line 3)";

NO_STATEMENT "JP401" ERROR "the statement is missing",
    "Nobody can solve a problem without a statement.",
    "Add statement/problem.en.md (or .tex, .pdf); in legacy packages problem_statement/problem.en.tex.",
    "statement/ is empty or missing";
STATEMENT_TWICE "JP402" ERROR "there are several statements in one language",
    "Which of them is shown depends on the system.",
    "Keep one of them.",
    "statement/problem.en.md beside statement/problem.en.tex";
STATEMENT_EMPTY "JP403" ERROR "a statement is empty",
    "Nobody can solve a problem without a statement.",
    "Write it, or delete the file.",
    "statement/problem.sv.md: 0 bytes";
STATEMENT_FILE_MISNAMED "JP404" WARNING "a file looks like a statement, but its name is not one of a statement",
    "It is not shown. A statement is called `problem.LANGUAGE.md`, `.tex` or `.pdf`, with a language code of two \
     or three letters such as `en` or `pt-BR`; legacy packages allow `problem.tex` for English.",
    "Rename it.",
    "statement/problem.md";
IMAGE_MISSING "JP405" WARNING "a statement shows an image that is not there",
    "The statement cannot be typeset, or is shown with a hole.",
    "Add the image to the directory of the statement, or fix its name.",
    "statement/problem.en.md:12: ![](graph.png)";
NAME_LOOKS_LIKE_TEX "JP406" WARNING "a name looks like TeX",
    "Names are plain text: `$` and `\\` are shown as they are.",
    "Write the name in plain text, with Unicode characters where needed.",
    "name: The $n$ Queens";
NAME_MISSING_IN_TEX "JP407" WARNING "a legacy statement does not state the problem's name",
    "Legacy systems take the name from `\\problemname{…}` in the statement.",
    "Begin the statement with `\\problemname{The Name}`.",
    "problem_statement/problem.en.tex";
NAME_LANGUAGES "JP408" ERROR "names and statements are in different languages",
    "Format 2025-09 wants a name for each language of the statements and no others: what is missing cannot be shown.",
    "Add the name under `name` in problem.yaml, or the statement.",
    "name: {en: Sum} beside statement/problem.sv.md";
TEX_UNKNOWN "JP411" WARNING "a command of a LaTeX statement is not known",
    "Judges that make pages of LaTeX know a part of it: `judge statement` shows what it does not know marked, as it is \
     written, and others may lose it. LaTeX itself may know it, in a document with other packages.",
    "Write it with commands that the format names, or define it in the statement; silence this finding for statements that \
     are only printed by LaTeX.",
    "statement/problem.en.tex:12: `\\foo` is not known, and is shown as it is written (3 times)";

LICENSE_UNKNOWN "JP501" WARNING "the licence is not known",
    "Nobody may use the problem until its owner says how.",
    "Set `license` in problem.yaml.",
    "license: unknown";
NO_RIGHTS_OWNER "JP502" ERROR "the rights owner is missing",
    "Every licence but `public domain` and `unknown` needs an owner: `rights_owner`, else the authors, else the source.",
    "Name the owner in `rights_owner`, or the authors in `credits` (legacy: `author`).",
    "license: cc by-sa, without rights_owner, credits and source";
UUID_MALFORMED "JP503" WARNING "the uuid is invalid",
    "Judging systems identify problems by it.",
    "Make one, for example with `uuidgen`.",
    "uuid: my-problem";
AUTHORS_IN_ONE_TEXT "JP504" WARNING "several authors are written as one",
    "They are shown, sorted and linked as one person.",
    "In 2025-09 write `credits: {authors: [Ada, Alan]}`; in legacy packages systems split `author` differently.",
    "credits: Ada & Alan";
UUID_TWICE "JP505" ERROR "two packages have the same uuid",
    "Systems take one of them for a newer version of the other.",
    "Make a new one for the copy, for example with `uuidgen`.",
    "problems/sum2/problem.yaml has the uuid of problems/sum";
TIME_LIMIT_NOT_WHOLE "JP506" OFF "the time limit is not a whole number of seconds",
    "Some systems round it, or refuse it.",
    "Choose a whole number of seconds.",
    "limits: {time_limit: 1.5}";
LIMIT_ODD "JP507" WARNING "a limit is unusually small or large",
    "Often the unit is wrong: memory and output are MiB, code is KiB, times are seconds.",
    "See whether the unit is right; if the limit is meant, silence this finding.",
    "limits: {memory: 268435456}";
RATIO_USELESS "JP508" WARNING "time multipliers leave no room",
    "With a multiplier of 1 the slowest accepted submission may just miss the limit on a slower machine.",
    "Use at least 2 for accepted and 1.5 for too slow ones, the format's defaults.",
    "limits: {time_multipliers: {ac_to_time_limit: 1}}";
UUID_MISSING "JP509" OFF "there is no uuid",
    "Judging systems identify problems by it; without it, each upload is a new problem.",
    "Make one, for example with `uuidgen`, and put it under `uuid` in problem.yaml.",
    "problem.yaml of a legacy package without `uuid`";
PLACEHOLDER_LEFT "JP516" WARNING "a placeholder stands where a name should",
    "`judge new` and other tools begin packages with a title and an author that nobody has: contestants would see them.",
    "Write the title into `name` and the authors into `credits` and `rights_owner`.",
    "problem.yaml: rights_owner: the author of adder";
GROUPS_SHOWN_UNSAID "JP517" OFF "it is not said whether groups are shown",
    "Kattis wants `grading.show_test_data_groups` in scoring problems with groups; by default they are not shown.",
    "Set it to true or false.",
    "problem.yaml: `grading.show_test_data_groups` is not given";
GROUPS_WITHOUT_SCORES "JP518" WARNING "grading of groups in a problem without scores",
    "Pass-fail problems have one result; other systems refuse the key.",
    "Delete it, or set `type: scoring`.",
    "problem.yaml:3: `grading.show_test_data_groups` belongs to scoring problems";

VALIDATOR_LANGUAGE "JP601" OFF "a validator is written in a language that judging systems need not have",
    "The format guarantees Python 3, C and C++ for validators, and whatever a `build` script makes with those.",
    "Translate it, or keep to systems that have its language.",
    "output_validator/validate.rs";
SEVERAL_OUTPUT_VALIDATORS "JP602" OFF "there are several output validators",
    "Some systems run the first one only.",
    "Merge them into one.",
    "output_validators/format.py and output_validators/value.py";

NO_ACCEPTED "JP701" ERROR "no submission is accepted",
    "Nothing shows that the problem can be solved within its limits, nor that the answers are right.",
    "Add a solution to submissions/accepted (or, in a workspace, to solutions/NAME/accepted).",
    "submissions/accepted is empty or missing";
CODE_OVER_LIMIT "JP702" ERROR "a submission is larger than the code limit",
    "It is refused before it is compiled, so it shows nothing.",
    "Raise `limits.code` in problem.yaml, or make the submission smaller.",
    "submissions/accepted/table.cpp: 180 KiB, limit 128 KiB";
SUBMISSION_TWICE "JP703" WARNING "two submissions have the same source",
    "Both get the same verdicts, so one of them shows nothing.",
    "Delete one of them.",
    "wrong_answer/b.py has the same bytes as wrong_answer/a.py";
SUBMISSION_LOOSE "JP704" WARNING "a file in submissions/ is not a submission",
    "Only what lies in a directory of submissions is one.",
    "Move it to the directory of its verdict, such as submissions/accepted.",
    "submissions/solution.py";
NOTHING_REJECTED "JP705" OFF "no submission is expected to be rejected",
    "Nothing shows that the test data distinguish correct from wrong submissions.",
    "Add wrong or slow submissions to submissions/wrong_answer or submissions/time_limit_exceeded.",
    "submissions/ has accepted/ only";
}
