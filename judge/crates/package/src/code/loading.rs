//! The codes of findings when a package is loaded.
//!
//! Responsible for the rows. The codes of whole areas, for findings without a code of their own,
//! are in `files`. Must not know how anything is found.
//!
//! A rule that is an error in one format and a warning in another has one code, with the severity
//! of a warning: a finding that keeps a package from being judged is always reported as an error.

use super::row::{Code, ERROR, Row, WARNING, rows};

rows! { ROWS_OF_LOADING:
NOT_A_PACKAGE "JP004" ERROR "problem.yaml is missing",
    "A directory is a problem package if it contains problem.yaml.",
    "Name the directory that contains it, or create the file.",
    "problems/sum: expected a problem package, found no `problem.yaml` in it";
TREE_UNSOUND "JP005" ERROR "a directory cannot be read completely",
    "It contains a link to a directory above it, hundreds of thousands of files, or pipes and devices.",
    "Remove the named link or file.",
    "data/secret: the link leads to a directory above it";
ARCHIVE_UNSOUND "JP006" ERROR "an archive cannot be unpacked safely",
    "Archives with paths out of them, or with implausibly large contents, are not unpacked.",
    "Pack the package again.",
    "sum.kpp: the path `../x` leads out of the archive";
YAML_MALFORMED "JP012" ERROR "a YAML file cannot be read",
    "It is not valid YAML or UTF-8, or it is implausibly large or deeply nested.",
    "Fix the named line. Texts with `:`, `#` or a leading `*`, `{` or `[` need quotes.",
    "problem.yaml:3: not valid YAML: mapping values are not allowed in this context: `name: Sum: the problem`";
KEY_UNKNOWN "JP013" WARNING "unknown key",
    "The key is misspelt, or belongs to another version of the format or to another tool. The format allows only its own \
     keys. This is an error, except where real packages of older formats have such keys.",
    "Fix its name, or delete it.",
    "problem.yaml:7: unknown key `limit`; did you mean `limits`?";
KEY_TWICE "JP014" WARNING "duplicate key",
    "YAML forbids it, and readers differ in which one they use. This is an error, except where real packages of older \
     formats have duplicates: there, the last one is used.",
    "Delete one of them.",
    "problem.yaml:9: key `limits` is given twice (first on line 4)";
KEY_MISSING "JP015" ERROR "missing key",
    "The format requires it.",
    "Add the key that the message names.",
    "problem.yaml:1: missing key `uuid`";
VALUE_UNEXPECTED "JP016" ERROR "invalid value",
    "The value does not have the type or range that its key requires, and is not guessed.",
    "Write a value as the message describes. Texts that look like numbers need quotes.",
    "problem.yaml:5: `limits.memory`: expected an integer of at least 4, in MiB, found the string `lots`";
FORMAT_UNKNOWN "JP017" ERROR "unknown format version",
    "Each version has its own rules.",
    "Write `2025-09`, `legacy` or `legacy-icpc`, or omit the key for `legacy`.",
    "problem.yaml:1: `problem_format_version`: expected one of `2025-09`, …, found the string `2026`";

PACKAGE_NAME "JP111" WARNING "a package's name has characters other than a-z and 0-9",
    "The format allows no others, and systems use the name in addresses and identifiers.",
    "Rename the directory.",
    "problems/Sum-Of-Two";
INCLUDED_FOR_NO_SUBMISSION "JP113" WARNING "included files reach no submission",
    "The directory is empty, or its language is unknown or not allowed in this problem, or the file is next to the \
     directories of languages.",
    "Move the files to `include/LANGUAGE`, or delete them.",
    "include/pyton3: ignored: unknown language `pyton3`";
INCLUDED_DEFAULT_IN_LEGACY "JP114" WARNING "`include/default` in a legacy package",
    "The legacy format does not have it. Here, its files are included; other systems refuse the package.",
    "Move the files to a directory for each language.",
    "include/default";
INCLUDED_REPLACES_DEFAULT "JP115" WARNING "a language has included files besides the default ones",
    "By the format, they replace all default files, but some systems include both.",
    "Put all files that the language needs into its own directory.",
    "include/cpp and include/default";

CASE_INCOMPLETE "JP315" ERROR "a test case has no answer or output",
    "The correct output is unknown. Only cases of `invalid_input` need no answer.",
    "Create the missing file, or delete the input.",
    "data/secret/01.in: test case `secret/01` has no `.ans` file";
FILE_WITHOUT_INPUT "JP316" ERROR "a file of a test case has no input",
    "A test case is defined by its `.in` file. In older packages, files other than answers are ignored.",
    "Add the input, or delete the file.",
    "data/secret/01.ans: its input `01.in` is missing";
NO_TEST_CASES "JP317" ERROR "the package has no test case",
    "Submissions cannot be judged.",
    "Add inputs with answers to data/secret, or run the package's generators first.",
    "data/secret: expected at least one complete test case, found none";
NO_SECRET_DATA "JP318" WARNING "the package has no secret test case",
    "Submissions are judged only on the samples, which are public. Archives often omit data that can be generated.",
    "Add test cases to data/secret, or run the package's generators first.",
    "data: no complete test case in `secret`: only the samples are judged";
DATA_MISPLACED "JP319" WARNING "a file in data/ is in an unused directory",
    "Test data belong in `sample` and `secret`, and in 2025-09 also in `invalid_input`, `invalid_output` and \
     `valid_output`.",
    "Move it to the intended directory.",
    "data/secrets: ignored: expected one of `sample`, `secret`, …";
FILE_OF_NO_CASE "JP320" WARNING "a file belongs to no test case",
    "Its extension has no meaning, so the file is not read.",
    "Rename it, or delete it.",
    "data/secret/03.in.bak: ignored: it belongs to no test case";
CASE_NAME_CLASHES "JP321" ERROR "a test case's name clashes with another entry",
    "It has the name of a directory, or of the file `test_group.yaml`, or one of its files is a directory.",
    "Rename one of them.",
    "data/secret/01: a directory must not have the name of a test case next to it, `01`";
GROUP_EMPTY "JP322" WARNING "a test data group has no test cases",
    "It has no effect. In scoring problems of 2025-09, where it would need a score, this is an error.",
    "Add test cases, or delete the directory.",
    "data/secret/group3: the group `secret/group3` has no test cases";
GROUPS_MISPLACED "JP323" WARNING "test data groups are not where the format requires them",
    "In 2025-09, either all or none of the directories directly in `secret` are groups, with no test case next to them. \
     This is an error in scoring problems; in others, groups have no effect.",
    "Give each directory in `secret` a test_group.yaml, and move loose test cases into one.",
    "data/secret/b: expected a `test_group.yaml`, because its neighbour `a` has one";
GRADER_FLAG_UNKNOWN "JP324" WARNING "unknown flag of the default grader",
    "The flag is ignored.",
    "Fix its name.",
    "data/testdata.yaml:2: unknown grader flag `ignore_samples` is ignored";
GRADER_MISSING "JP325" ERROR "custom grading needs a grader, but the package has none",
    "The result of the group cannot be computed.",
    "Put the program into `graders/`, or set `grading: default`.",
    "data/secret/testdata.yaml:1: expected the package's grader in `graders/`, found none";
GRADER_WITHOUT_SCORES "JP326" WARNING "custom grading in a pass-fail problem",
    "Only scoring problems may have graders. The grader is run anyway, but other systems refuse the package.",
    "Set `type: scoring`, or `grading: default`.",
    "data/testdata.yaml:1: only scoring problems may have a grader";
SCORE_KEY_WITHOUT_SCORES "JP327" WARNING "a score key in a problem without scores",
    "The key has no effect. In 2025-09, this is an error.",
    "Set `type: scoring`, or delete the key.",
    "data/secret/testdata.yaml:3: `accept_score` is ignored: the problem is not of type `scoring`";
RANGE_MALFORMED "JP328" ERROR "a range of scores is invalid",
    "A range is two numbers, the smaller one first. `-inf` and `inf` are allowed.",
    "Write for example `range: 0 100`.",
    "data/secret/testdata.yaml:4: `range`: expected two scores such as `0 100`, found the string `5 1`";
SCORES_CONTRADICT "JP329" WARNING "maximum scores are inconsistent",
    "If the groups can exceed the maximum, a correct submission would end in a judge error: this is an error. If they \
     cannot reach the maximum, it is a warning.",
    "Set `max_score` of `secret` to the sum of its groups.",
    "data/secret/test_group.yaml:1: the maximum scores of the groups add up to 90, but that of `secret` is 100";
REQUIREMENT_IMPOSSIBLE "JP330" ERROR "a group requires a group that it cannot require",
    "`require_pass` must name `sample`, or an earlier group `secret/NAME` that is `pass-fail`.",
    "Fix the name, or the order of the groups.",
    "data/secret/a/test_group.yaml:2: `require_pass`: unknown group `b`";
STATIC_VALIDATION_UNSOUND "JP331" ERROR "a static validation cannot be scored",
    "It needs a static validator and a score that is at most the group's: an integer where scores are added, `pass-fail` \
     elsewhere.",
    "Fix `static_validation_score`.",
    "data/secret/a/test_group.yaml:1: `static_validation_score`: the package has no static validator";
OUTPUT_ARGUMENTS_UNUSED "JP332" WARNING "arguments are set for an output validator that does not exist",
    "No program receives them: submissions are judged without them.",
    "Fix the name in `output_validator_flags`.",
    "data/testdata.yaml:2: `output_validator_flags` names no output validator of this package";

NAME_EMPTY "JP409" ERROR "the problem's name is empty",
    "The problem cannot be shown by its name.",
    "Write the name.",
    "problem.yaml:2: `name`: expected a name, found the string ``";
NAME_LANGUAGE_MALFORMED "JP410" ERROR "a name has an invalid language code",
    "A language code has two or three letters, optionally followed by a region in capitals.",
    "Write for example `en` or `pt-BR`.",
    "problem.yaml:3: `name.english`: expected a language code such as `en` or `pt-BR`";

TYPES_CLASH "JP510" ERROR "types of problem cannot be combined",
    "`pass-fail` excludes `scoring`, and `submit-answer` excludes `interactive` and `multi-pass`. `legacy-icpc` has no \
     scoring problems. No type may be repeated.",
    "Keep the intended types.",
    "problem.yaml:2: `type[1]`: `pass-fail` cannot be combined with `scoring`";
PUBLIC_DOMAIN_OWNED "JP511" ERROR "a public domain problem has an owner",
    "The public domain has no owner.",
    "Delete `rights_owner`, or choose another licence.",
    "problem.yaml:5: `rights_owner`: must not be given for the license `public domain`";
VALIDATION_MALFORMED "JP512" ERROR "invalid `validation`",
    "The value must be `default`, or `custom` followed by `score`, `interactive` or `multi-pass` (an extension of DOMjudge).",
    "Fix the named word.",
    "problem.yaml:4: `validation`: expected nothing after `default`, found `custom`";
WRITTEN_AS_ELSEWHERE "JP513" WARNING "a key or value is written as in another version of the format",
    "It is accepted here, but other systems may refuse it.",
    "Write it as the package's own version requires, or change `problem_format_version`.",
    "problem.yaml:2: `name`: names by language belong to format 2025-09";
GRADING_KEY_OLD "JP514" WARNING "a key or word about grading is older than the format",
    "It is accepted here and applies to every group, but other systems may ignore it.",
    "Move it to data/testdata.yaml, with its current name.",
    "problem.yaml:6: `grading.on_reject` is obsolete: it belongs in `testdata.yaml`";
SETTING_IDLE "JP515" WARNING "a setting belongs to problems of another kind",
    "It has no effect here. In 2025-09, this is an error.",
    "Delete it, or fix the type of the problem.",
    "problem.yaml:5: `limits.validation_passes` is ignored: the problem is not multi-pass";
LANGUAGE_UNKNOWN "JP519" WARNING "a language that the problem allows is unknown",
    "No submission can use it here. Its code is probably misspelt.",
    "Use a code of the format, such as `cpp`, `python3` or `java`.",
    "problem.yaml: unknown language `c++`";
TIME_LIMIT_OFF_GRID "JP520" WARNING "the time limit is not a multiple of the time resolution",
    "The format requires it, and other systems refuse or round the limit. Here, it is used unchanged.",
    "Set `limits.time_resolution` as well, such as 0.1.",
    "problem.yaml:4: `limits.time_limit`: expected a multiple of the time resolution, 1 s, found the number `1.5`";
TIME_LIMITS_DIFFER "JP521" WARNING "two files state different time limits",
    "Each tool reads its own file, so verdicts differ between systems. Here, `domjudge-problem.ini` comes first, as in DOMjudge, which refuses such a package.",
    "Delete one of them.",
    ".timelimit: its time limit, 3s, differs from that of `domjudge-problem.ini`, 2s";
VALIDATOR_ELSEWHERE "JP522" WARNING "another tool's settings name a missing validator",
    "DOMjudge would use it. Here and in other systems, the default output validator is used.",
    "Put the program into `output_validators/`, and set `validation: custom`.",
    "domjudge-problem.ini: `special_compare` names the program `cmp`, which the package does not have";
SOURCE_URL_ALONE "JP523" WARNING "`source_url` without `source`",
    "The address is shown with the name of the source, which is missing.",
    "Add `source`.",
    "problem.yaml:6: `source_url` without `source`";
CONSTANT_MALFORMED "JP524" ERROR "invalid constant",
    "A name consists of letters, digits and `_` and does not start with a digit. A value is a number or a string.",
    "Rename it, or put the value into quotes.",
    "problem.yaml:9: `constants.max-n`: expected a name of letters, digits and `_`";
LICENSE_OF_NO_FORMAT "JP525" WARNING "`license` is not a licence of the format",
    "It has no effect on verdicts, but other systems may refuse the package. In 2025-09, this is an error.",
    "Choose a licence of the format, such as `permission`, and name the owner of the rights.",
    "problem.yaml:4: `license`: expected one of `unknown`, …, found the string `mit`";

NO_INPUT_VALIDATOR "JP603" WARNING "the package has no input validator",
    "Nothing checks that the test data follow the statement. The format requires an input validator.",
    "Add one to `input_validators/`.",
    "input_validators: no input validators: nothing checks the test data";
VALIDATOR_DIRECTORY_OLD "JP604" WARNING "`input_format_validators` is an old name",
    "Newer systems only read `input_validators`.",
    "Rename it.",
    "input_format_validators";
VIVA_NOT_RUN "JP605" WARNING "an input validator is written in VIVA",
    "No VIVA interpreter is available here, so its checks were skipped.",
    "Rewrite it as a `.ctd` file or as a program, or check with problemtools, which has an interpreter.",
    "input_validators/sum.viva: this input validator is not run";
INPUT_VALIDATOR_UNRECOGNISED "JP606" WARNING "an input validator's language is unknown",
    "It is not run, so its checks were skipped.",
    "Put the sources of one program, in one language, into one file or directory.",
    "input_validators/notes.txt: this input validator cannot be run: no file of a known language";
PROGRAM_UNRECOGNISED "JP607" ERROR "the language of a program of the package is unknown",
    "Without its output validator, grader or static validator a problem cannot be judged.",
    "Put the sources of one program, in one language, where the format expects them, or add `build` or `run`.",
    "output_validator: no file of a known language";
OUTPUT_VALIDATOR_UNUSED "JP608" WARNING "an output validator is not used",
    "The package contains one, but problem.yaml selects the default one.",
    "Set `validation: custom`, or delete the program.",
    "output_validators: not used: problem.yaml does not set `validation: custom`";
OUTPUT_VALIDATOR_MISSING "JP609" ERROR "the output validator that the problem needs is missing",
    "Custom validation, interactive problems and multi-pass problems need the package's own program.",
    "Put it into `output_validator/` (legacy: `output_validators/`).",
    "output_validator: expected an output validator, which interactive problems need, found none";
SEVERAL_PROGRAMS "JP610" ERROR "several programs where the format allows one",
    "Which one is intended is ambiguous.",
    "Keep one of them.",
    "graders: expected one grader, found `a.py` and `b.py`";
PROGRAM_DIRECTORY_EMPTY "JP611" WARNING "a directory for a program is empty",
    "The directory has no effect.",
    "Delete it, or put the program into it.",
    "output_validator: an empty directory, without any output validator";
STATIC_VALIDATOR_IDLE "JP612" ERROR "a submit-answer problem has a static validator",
    "Answers have no source code to check.",
    "Delete it, or fix the type of the problem.",
    "static_validator: problems of type `submit-answer` have no static validator";
MAIN_FILE_UNNAMED "JP613" WARNING "a program has several files, and no name decides which is run",
    "The first file by name is run, and it does not load another one. The others may be programs that are ignored.",
    "Keep one program, or give the file that is to be run the name of an entry point, such as `__main__.py`.",
    "output_validator: `a.py` is run, the first of the 2 source files in `output_validator`";

DIRECTORY_UNKNOWN "JP706" WARNING "a directory of submissions has no known meaning",
    "The submissions in it have no expectation: they run, and any result is right.",
    "Move them to a directory with a known meaning, or add their expectation to submissions.yaml.",
    "submissions/old: nothing is expected of the submissions in it";
SUBMISSION_UNRECOGNISED "JP707" WARNING "a submission's language is unknown or ambiguous",
    "It does not run. In 2025-09, files in several languages are an error.",
    "Name its `language` in submissions.yaml, or split it.",
    "submissions/accepted/x: submission `accepted/x` cannot be judged: no file of a known language";
GLOB_COVERS_NOTHING "JP708" WARNING "a glob in submissions.yaml matches nothing",
    "Its expectation applies to no submission.",
    "Fix the glob: it starts at the directory of submissions, or at data/ for test cases, without `.in`.",
    "submissions.yaml:3: the glob `acepted/*` covers no submission";
EXPECTATIONS_CONTRADICT "JP709" WARNING "expectations contradict one another",
    "No verdict meets all of them.",
    "Fix one of the named rules.",
    "submissions.yaml:4: `accepted/*`: WA is in `required`, but not in `permitted`";
TAG_IMPLAUSIBLE "JP710" WARNING "a tag in a submission contradicts its directory or is invalid",
    "An unknown result is ignored. The first of two tags is used. A tag takes precedence over the directory.",
    "Fix the tag, or move the submission.",
    "submissions/accepted/x.py: the tag `@EXPECTED_RESULTS@: WA` contradicts its directory: the tag counts";
SCORE_NOT_EXPECTED "JP711" WARNING "an expected score is not checked",
    "The problem has no scores, or the score comes from a tag for DOMjudge, which computes scores differently.",
    "Use the key `score` in submissions.yaml.",
    "submissions/partial/x.py: `@EXPECTED_SCORE@: 60` is not checked";
GLOB_UNSUPPORTED "JP712" WARNING "a glob in submissions.yaml contains an unsupported pattern",
    "The format supports only `*` and `{a,b}`. `?`, `[…]` and `**` are literal.",
    "Write it with `*` and `{a,b}`.",
    "submissions.yaml:2: the glob `accepted/**` may not mean what it seems to";
DUPLICATE_SUBMISSION "JP713" ERROR "two submissions have the same name",
    "Their results would be ambiguous.",
    "Rename one of them.",
    "solutions/sum/accepted/a.py: submission `accepted/a.py` exists twice";
ANSWERS_NOTHING "JP714" WARNING "an answer file belongs to no test case",
    "In submit-answer problems, a submission has one file per test case, with the name of the test case.",
    "Rename the file, for example to `secret/01.out`.",
    "submissions/accepted/a/1.out: answers no test case";
ENTRY_POINT_MISSING "JP715" ERROR "the entry point does not exist",
    "The submission cannot be started.",
    "Fix `entrypoint` in submissions.yaml.",
    "submissions.yaml:3: submission `accepted/a`: expected the entry point `main.py`, found no such file";
DIRECTORY_MISSPELT "JP716" ERROR "a directory of submissions has a misspelt name",
    "The submissions in it have no expectation, although one is intended. Other judges ignore them.",
    "Rename the directory, or add the expectation to submissions.yaml.",
    "submissions/wrong-answer: unknown directory `wrong-answer`: nothing is expected of the submissions in it";
}
