//! The codes of findings when a package is loaded.
//!
//! Responsible for the rows; the codes of whole areas, for what has none of its own, stand in `files`. Must not know
//! how anything is found.
//!
//! A rule that is an error in one format and a warning in another has one code, which weighs as a warning: what keeps a
//! package from being judged is reported as an error whatever its code weighs.

use super::row::{Code, ERROR, Row, WARNING, rows};

rows! { ROWS_OF_LOADING:
NOT_A_PACKAGE "JP004" ERROR "problem.yaml is missing",
    "A directory is a problem package by its problem.yaml.",
    "Name the directory that has it, or write one.",
    "problems/sum: expected a problem package, found no `problem.yaml` in it";
TREE_UNSOUND "JP005" ERROR "a directory holds what cannot be read to its end",
    "Links to a directory above them, hundreds of thousands of files, and pipes or devices are in no package on purpose.",
    "Remove the link or the file that is named.",
    "data/secret: the link leads to a directory above it";
ARCHIVE_UNSOUND "JP006" ERROR "an archive cannot be unpacked safely",
    "Archives with paths that lead out of them, or with implausibly large contents, are not unpacked.",
    "Pack the package again.",
    "sum.kpp: the path `../x` leads out of the archive";
YAML_MALFORMED "JP012" ERROR "a YAML file cannot be read",
    "It is not YAML, not UTF-8, or larger or more deeply nested than any file that somebody wrote.",
    "Fix the line that is named; texts with `:`, `#` or a leading `*`, `{`, `[` need quotes.",
    "problem.yaml:3: not valid YAML: mapping values are not allowed in this context";
KEY_UNKNOWN "JP013" WARNING "a key is not known",
    "It is mistyped, of another version of the format, or of another tool. The format allows no other keys than its own: \
     an error, save where real packages of the older formats have them.",
    "Fix its name, or delete it.",
    "problem.yaml:7: unknown key `limit`; did you mean `limits`?";
KEY_TWICE "JP014" WARNING "a key is given twice",
    "YAML forbids it, and readers differ in which one holds. An error, save where real packages of the older formats \
     have it: there the last one holds.",
    "Delete one of them.",
    "problem.yaml:9: key `limits` is given twice (first on line 4)";
KEY_MISSING "JP015" ERROR "a required key is missing",
    "The format asks for it.",
    "Add the key; the message names it.",
    "problem.yaml:1: missing key `uuid`";
VALUE_UNEXPECTED "JP016" ERROR "a value is not of the kind that its key wants",
    "A value that cannot be read is not guessed.",
    "Write what the message says is expected; texts that look like numbers need quotes.",
    "problem.yaml:5: `limits.memory`: expected an integer of at least 4, in MiB, found the text `lots`";
FORMAT_UNKNOWN "JP017" ERROR "the format version is not known",
    "Each version has rules of its own.",
    "Write `2025-09`, `legacy` or `legacy-icpc`, or leave the key out for `legacy`.",
    "problem.yaml:1: `problem_format_version`: expected one of `2025-09`, …, found the text `2026`";

PACKAGE_NAME "JP111" WARNING "a package's name has other characters than a-z and 0-9",
    "The format allows no others, and systems make addresses and identifiers of the name.",
    "Rename the directory.",
    "problems/Sum-Of-Two";
INCLUDED_FOR_NOBODY "JP113" WARNING "included files reach no submission",
    "The directory is empty, of an unknown language, of one in which the problem may not be answered, or the file lies \
     beside the directories of languages.",
    "Move the files to `include/LANGUAGE`, or delete them.",
    "include/pyton3: ignored: there is no language `pyton3`";
INCLUDED_DEFAULT_IN_LEGACY "JP114" WARNING "`include/default` in a legacy package",
    "The legacy format does not know it. Here its files are included; other systems refuse the package.",
    "Move the files to a directory for each language.",
    "include/default";
INCLUDED_REPLACES_DEFAULT "JP115" WARNING "a language has included files beside the default ones",
    "The format says that they replace all of the default ones; some systems include both.",
    "Put everything that the language needs into its own directory.",
    "include/cpp beside include/default";

CASE_INCOMPLETE "JP315" ERROR "a test case lacks its answer or output",
    "Nothing states the correct output. Only cases of `invalid_input` do without an answer.",
    "Make the missing file, or delete the input.",
    "data/secret/01.in: test case `secret/01` has no `.ans` file";
FILE_WITHOUT_INPUT "JP316" ERROR "a file of a test case has no input",
    "A test case is there by its `.in` file. Files other than answers are ignored in older packages.",
    "Add the input, or delete the file.",
    "data/secret/01.ans: there is no input `01.in` for it";
NO_TEST_CASES "JP317" ERROR "there is no test case",
    "Nothing can be judged.",
    "Add inputs with answers to data/secret, or run the package's generators first.",
    "data/secret: expected at least one complete test case, found none";
NO_SECRET_DATA "JP318" WARNING "there is no secret test case",
    "Only the samples are judged, which everybody knows. Archives often leave out what can be generated.",
    "Add test cases to data/secret, or run the package's generators first.",
    "data: no complete test case in `secret`: only the samples are judged";
DATA_MISPLACED "JP319" WARNING "a file in data/ is in an unused place",
    "Test data lie in `sample` and `secret`; in 2025-09 also in `invalid_input`, `invalid_output` and `valid_output`.",
    "Move it to the intended directory.",
    "data/secrets: ignored: expected one of `sample`, `secret`, …";
FILE_OF_NO_CASE "JP320" WARNING "a file belongs to no test case",
    "Its extension has no meaning, so nothing reads it.",
    "Rename it, or delete it.",
    "data/secret/03.in.bak: ignored: it belongs to no test case";
CASE_NAME_CLASHES "JP321" ERROR "a test case's name is taken",
    "A directory of the same name, or the file `test_group.yaml`, would be mistaken for it.",
    "Rename one of them.",
    "data/secret/01: a directory must not have the name of a test case beside it, `01`";
GROUP_EMPTY "JP322" WARNING "a test data group has no test cases",
    "It decides nothing. In scoring problems of 2025-09, where it would decide a score, an error.",
    "Add test cases, or delete the directory.",
    "data/secret/group3: the group `secret/group3` has no test cases";
GROUPS_MISPLACED "JP323" WARNING "test data groups do not stand as the format wants",
    "In 2025-09 groups are the directories directly in `secret`, all of them or none, with no test case beside them. An \
     error in scoring problems; elsewhere groups decide nothing.",
    "Give each directory in `secret` a test_group.yaml, and move loose test cases into one.",
    "data/secret/b: expected a `test_group.yaml`, because its neighbour `a` has one";
GRADER_FLAG_UNKNOWN "JP324" WARNING "a flag is unknown to the default grader",
    "It is ignored: the group is graded as if it were not there.",
    "Fix its name.",
    "data/testdata.yaml:2: unknown grader flag `ignore_samples` is ignored";
GRADER_MISSING "JP325" ERROR "custom grading without a grader",
    "Nothing says how the group's results become one.",
    "Put the program into `graders/`, or say `grading: default`.",
    "data/secret/testdata.yaml:1: expected the package's grader in `graders/`, found none";
GRADER_WITHOUT_SCORES "JP326" WARNING "custom grading in a pass-fail problem",
    "The format gives graders to scoring problems alone. It is asked all the same; other systems refuse the package.",
    "Set `type: scoring`, or say `grading: default`.",
    "data/testdata.yaml:1: only scoring problems may have a grader of their own";
SCORE_KEY_WITHOUT_SCORES "JP327" WARNING "a key about scores in a problem without scores",
    "It has no effect. An error in 2025-09.",
    "Set `type: scoring`, or delete the key.",
    "data/secret/testdata.yaml:3: `accept_score` is ignored: the problem is not of type `scoring`";
RANGE_MALFORMED "JP328" ERROR "a range of scores is invalid",
    "It is two numbers, the smaller one first; `-inf` and `inf` are some.",
    "Write for example `range: 0 100`.",
    "data/secret/testdata.yaml:4: `range`: expected two scores such as `0 100`, found the text `5 1`";
SCORES_CONTRADICT "JP329" WARNING "maximum scores do not fit together",
    "Where a group, or all of them together, can exceed what they are worth, a right submission would end in a judge \
     error: an error. Where the maximum cannot be reached, a warning.",
    "Make `max_score` of `secret` what its groups add up to.",
    "data/secret/test_group.yaml:1: the maximum scores of the groups add up to 90, and that of `secret` is 100";
REQUIREMENT_IMPOSSIBLE "JP330" ERROR "a group requires what it cannot",
    "`require_pass` names `sample`, or a group `secret/NAME` that comes earlier and is `pass-fail`.",
    "Fix the name, or the order of the groups.",
    "data/secret/a/test_group.yaml:2: `require_pass`: there is no group `b`";
STATIC_VALIDATION_UNSOUND "JP331" ERROR "a static validation cannot be scored",
    "It needs the static validator, an integer where scores are added and `pass-fail` elsewhere, and no more than the \
     group is worth.",
    "Fix `static_validation_score`.",
    "data/secret/a/test_group.yaml:1: `static_validation_score`: the package has no static validator";
OUTPUT_ARGUMENTS_UNUSED "JP332" WARNING "arguments are given to an output validator that does not exist",
    "They reach no program: submissions are judged without them.",
    "Fix the name in `output_validator_flags`.",
    "data/testdata.yaml:2: `output_validator_flags` names no output validator of this package";

NAME_EMPTY "JP409" ERROR "the problem's name is empty",
    "Nobody can be told which problem it is.",
    "Write the name.",
    "problem.yaml:2: `name`: expected a name, found the text ``";
NAME_LANGUAGE_MALFORMED "JP410" ERROR "a name stands under no language code",
    "Languages are two or three letters, with a region in capitals where needed.",
    "Write for example `en` or `pt-BR`.",
    "problem.yaml:3: `name.english`: expected a language code such as `en` or `pt-BR`";

TYPES_CLASH "JP510" ERROR "types of problem cannot be combined",
    "`pass-fail` and `scoring`, or `submit-answer` and `interactive` or `multi-pass`, exclude one another; \
     legacy-icpc has no scoring problems; and none is given twice.",
    "Keep those that are meant.",
    "problem.yaml:2: `type[1]`: `pass-fail` cannot be combined with `scoring`";
PUBLIC_DOMAIN_OWNED "JP511" ERROR "somebody owns what is in the public domain",
    "The public domain has no owner.",
    "Delete `rights_owner`, or choose another licence.",
    "problem.yaml:5: `rights_owner`: must not be given for the license `public domain`";
VALIDATION_MALFORMED "JP512" ERROR "`validation` cannot be understood",
    "It is `default`, or `custom` followed by `score`, `interactive` or `multi-pass` (the last is DOMjudge's).",
    "Fix the word that is named.",
    "problem.yaml:4: `validation`: expected nothing after `default`, found `custom`";
WRITTEN_AS_ELSEWHERE "JP513" WARNING "something is written as another version of the format has it",
    "It is understood; other systems may refuse it.",
    "Write it as the package's own version wants it, or change `problem_format_version`.",
    "problem.yaml:2: `name`: names by language belong to format 2025-09";
GRADING_KEY_OLD "JP514" WARNING "a key or word about grading is older than the format",
    "It is understood, and holds for every group; other systems may pass it over.",
    "Write it into data/testdata.yaml, with the words of today.",
    "problem.yaml:6: `grading.on_reject` is old: it belongs into `testdata.yaml`";
SETTING_IDLE "JP515" WARNING "a setting belongs to problems of another kind",
    "It has no effect here. An error in 2025-09.",
    "Delete it, or fix the type of the problem.",
    "problem.yaml:5: `limits.validation_passes` is ignored: the problem is not multi-pass";
LANGUAGE_UNKNOWN "JP519" WARNING "a language that the problem allows is not known",
    "Nobody can answer in it here; probably its code is mistyped.",
    "Use the codes of the format, such as `cpp`, `python3` or `java`.",
    "problem.yaml: the language `c++` is not known here";
TIME_LIMIT_OFF_GRID "JP520" WARNING "the time limit is no multiple of the time resolution",
    "The format asks for it, and other systems refuse or round the limit. It holds here as it is.",
    "Set `limits.time_resolution` as well, such as 0.1.",
    "problem.yaml:4: `limits.time_limit`: expected a multiple of the time resolution, 1 s, found the number `1.5`";
TIME_LIMITS_DIFFER "JP521" WARNING "two files state different time limits",
    "Each tool reads its own, so verdicts differ between systems. Here `.timelimit` goes first.",
    "Delete one of them.",
    "domjudge-problem.ini: its time limit, 3s, is not that of `.timelimit`, 2s";
VALIDATOR_ELSEWHERE "JP522" WARNING "another tool's settings name a validator that is not here",
    "DOMjudge would use it; here, and elsewhere, the default output validator is used.",
    "Put the program into `output_validators/`, and set `validation: custom`.",
    "domjudge-problem.ini: `special_compare` names the program `cmp`, which the package does not have";
SOURCE_URL_ALONE "JP523" WARNING "`source_url` without `source`",
    "The address is shown with the name of the source, which is not there.",
    "Add `source`.",
    "problem.yaml:6: `source_url` without `source`";
CONSTANT_MALFORMED "JP524" ERROR "a constant has an invalid name or value",
    "Names are letters, digits and `_`, and do not start with a digit; values are numbers or texts.",
    "Rename it, or put the value into quotes.",
    "problem.yaml:9: `constants.max-n`: expected a name of letters, digits and `_`";
LICENSE_OF_NO_FORMAT "JP525" WARNING "the format does not know the licence",
    "It decides nothing about verdicts; other systems may refuse the package. An error in 2025-09, as a value that is not \
     expected.",
    "Choose one of the licences of the format, such as `permission`, and name the owner of the rights.",
    "problem.yaml:4: `license`: expected one of `unknown`, …, found the text `mit`";

NO_INPUT_VALIDATOR "JP603" WARNING "there is no input validator",
    "Nothing checks that the test data keep the promises of the statement. The format requires one.",
    "Write one into `input_validators/`.",
    "input_validators: no input validators: nothing checks the test data";
VALIDATOR_DIRECTORY_OLD "JP604" WARNING "`input_format_validators` is an old name",
    "Newer systems look into `input_validators` alone.",
    "Rename it.",
    "input_format_validators";
VIVA_NOT_RUN "JP605" WARNING "an input validator is written in VIVA",
    "There is no interpreter of VIVA here, so its checks were left out.",
    "Write it as a `.ctd` file or as a program; or check with problemtools, which has an interpreter.",
    "input_validators/sum.viva: this input validator is not run";
INPUT_VALIDATOR_UNRECOGNISED "JP606" WARNING "an input validator is in no known language",
    "It is not run, so its checks were left out.",
    "Put the sources of one program, in one language, into one file or directory.",
    "input_validators/notes.txt: this is no input validator that can be run: no file of a known language";
PROGRAM_UNRECOGNISED "JP607" ERROR "a program of the package is in no known language",
    "Without its output validator, grader or static validator a problem cannot be judged.",
    "Put the sources of one program, in one language, where the format expects them; or add `build` or `run`.",
    "output_validator: no file of a known language";
OUTPUT_VALIDATOR_UNUSED "JP608" WARNING "an output validator that is not used",
    "The package brings one, but its problem.yaml asks for the default one.",
    "Set `validation: custom`, or delete the program.",
    "output_validators: not used: problem.yaml does not say `validation: custom`";
OUTPUT_VALIDATOR_MISSING "JP609" ERROR "the output validator that the problem needs is missing",
    "Custom validation, and interactive and multi-pass problems, are judged by the package's own program.",
    "Put it into `output_validator/` (legacy: `output_validators/`).",
    "output_validator: expected an output validator, which interactive problems need, found none";
SEVERAL_PROGRAMS "JP610" ERROR "several programs where the format allows one",
    "Which of them is meant cannot be told.",
    "Keep one of them.",
    "graders: expected one grader, found `a.py` and `b.py`";
PROGRAM_DIRECTORY_EMPTY "JP611" WARNING "a directory for a program is empty",
    "It is as if it were not there.",
    "Delete it, or put the program into it.",
    "output_validator: an empty directory, without any output validator";
STATIC_VALIDATOR_IDLE "JP612" ERROR "a static validator in a submit-answer problem",
    "Answers have no source that it could look at.",
    "Delete it, or fix the type of the problem.",
    "static_validator: problems of type `submit-answer` have no static validator";

DIRECTORY_UNKNOWN "JP706" WARNING "a directory of submissions has no known meaning",
    "Nothing is expected of the submissions in it: they are judged, and whatever comes is right.",
    "Move them to a directory whose meaning is known, or say in submissions.yaml what is expected.",
    "submissions/old: nothing is expected of the submissions in it";
SUBMISSION_UNRECOGNISED "JP707" WARNING "a submission is in no single known language",
    "It is not judged. An error in 2025-09 where its files are of several languages.",
    "Name its `language` in submissions.yaml, or split it.",
    "submissions/accepted/x: submission `accepted/x` cannot be judged: no file of a known language";
GLOB_COVERS_NOTHING "JP708" WARNING "a glob in submissions.yaml covers nothing",
    "What it expects is expected of nobody.",
    "Fix it: globs start at the directory of submissions, or at data/ for test cases, without `.in`.",
    "submissions.yaml:3: the glob `acepted/*` covers no submission";
EXPECTATIONS_CONTRADICT "JP709" WARNING "expectations contradict one another",
    "No verdict meets all of them.",
    "Fix one of the rules that are named.",
    "submissions.yaml:4: `accepted/*`: WA is in `required`, but not in `permitted`";
TAG_DOUBTFUL "JP710" WARNING "a tag in a submission is not what its directory says",
    "An unknown result is ignored; of two tags the first counts; against its directory the tag counts.",
    "Fix the tag, or move the submission.",
    "submissions/accepted/x.py: the tag `@EXPECTED_RESULTS@: WA` contradicts its directory: the tag counts";
SCORE_NOT_EXPECTED "JP711" WARNING "an expected score is not checked",
    "The problem has no scores, or the score is that of a tag for DOMjudge, which adds scores up in its own way.",
    "Expect it with the key `score` in submissions.yaml.",
    "submissions/partial/x.py: `@EXPECTED_SCORE@: 60` is not checked";
GLOB_DOUBTFUL "JP712" WARNING "a glob in submissions.yaml may not mean what it seems to",
    "The format knows `*` and `{a,b}` alone: `?`, `[…]` and `**` stand for themselves.",
    "Write it with `*` and `{a,b}`.",
    "submissions.yaml:2: the glob `accepted/**` may not mean what it seems to";
SUBMISSION_THERE_TWICE "JP713" ERROR "two places have a submission of one name",
    "Their results would be ambiguous.",
    "Rename one of them.",
    "solutions/sum/accepted/a.py: submission `accepted/a.py` is there twice";
ANSWERS_NOTHING "JP714" WARNING "an answer file answers no test case",
    "In submit-answer problems a submission is a file for each test case, named like it.",
    "Rename the file, for example to `secret/01.out`.",
    "submissions/accepted/a/1.out: answers no test case";
ENTRY_POINT_MISSING "JP715" ERROR "the entry point that is named does not exist",
    "The submission cannot be started.",
    "Fix `entrypoint` in submissions.yaml.",
    "submissions.yaml:3: submission `accepted/a`: expected the entry point `main.py`, found no such file";
DIRECTORY_MISSPELT "JP716" ERROR "a directory of submissions has almost the name of one with a meaning",
    "Nothing is expected of the submissions in it, although something is meant to be. Other judges ignore them.",
    "Rename the directory, or say in submissions.yaml what is expected.",
    "submissions/wrong-answer: unknown directory `wrong-answer`: nothing is expected of the submissions in it";
}
