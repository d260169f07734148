"""Mistakes in packages: what each is told as, with which exit code, and what it must not take along."""

import os

from journeys.stage import PACKAGE, PROBLEM, SUM

OTHER = {f"problems/other/{name}": text for name, text in PACKAGE.items()} | {
    "problems/other/problem.yaml": PROBLEM.replace("8a5b1c9e", "11111111")}
CPP_VALIDATOR = "#include <iostream>\nint main() { return 42 }\n"


def wrong(command, code, says, changes, never=()):
    """A journey of one command on a package with changes."""
    def journey(stage):
        stage.package(changes=changes)
        stage.run(command, code, says, never)
    return journey


def beside_another(command, code, says, changes, never=()):
    """As `wrong`, and another problem of the workspace must be judged nevertheless."""
    def journey(stage):
        stage.package(changes=changes)
        stage.write(OTHER)
        stage.run(command, code, [says, r"other .*\n(.*\n)*.*accepted/sum\.py +AC"], [*never, "this host"])
    return journey


def unreadable(stage):
    stage.package()
    stage.write(OTHER)
    (stage.directory / "problems/pairsum/data/secret/1.in").chmod(0)
    if os.geteuid() == 0:
        print("        skipped: an unreadable file: root reads every file")
        return
    stage.run("judge run", 3, ["cannot .*read|Permission denied", r"other"], "this host")


def lost_link(stage):
    place = stage.package()
    (stage.directory / place / "data/secret/loop").symlink_to("..")
    stage.run("judge check", 3, "above it")


def nowhere(stage):
    stage.run("judge run", 5, "a package is a directory with a `problem.yaml`")


def wrong_word(stage):
    stage.package()
    stage.run("judge run pairsun", 5, "did you mean.*pairsum")
    stage.run("judge run pairsum/secret/9", 5)
    stage.run("judge run nothing_like_it", 5)


def generator_fails(stage):
    stage.package(changes={"generators/generators.yaml": "data:\n  secret:\n    data:\n      '3': broken.py 3 4\n",
                           "generators/broken.py": "import sys\nraise ValueError('no such shape: ' + sys.argv[1])\n"})
    stage.run("judge generate", 3, [r"broken\.py 3 4", "ValueError: no such shape: 3"])


def generator_makes_invalid(stage):
    stage.package(changes={"generators/generators.yaml": "data:\n  secret:\n    data:\n      '3': {in: \"5 5000\\n\"}\n"})
    text = stage.run("judge generate", 3, ["validate.py", "expected two numbers from -1000 to 1000"])
    stage.package(changes={"generators/generators.yaml": "data:\n  secret:\n    data:\n      '3': big.py 1\n",
                           "generators/big.py": "print(5, 5000)\n"})
    text = stage.run("judge generate", 3, ["validate.py", "expected two numbers from -1000 to 1000", "5 5000"])
    kept = [word.strip("`,;:.") for word in text.split() if word.strip("`,;:.").startswith(("/", "~")) and ".in" in word]
    stage.run(f"cat {kept[0] if kept else '/the/file/that/nobody/named'}", 0, "^5 5000$")


def random_generator(stage):
    stage.package(changes={"generators/generators.yaml": "data:\n  secret:\n    data:\n      '3': dice.py 1\n",
                           "generators/dice.py": "import random\nprint(random.randint(-999, 999), random.randint(-999, 999))\n"})
    stage.run("judge generate", 3, [r"dice\.py 1", "second run"])


def validator_crashes(stage):
    stage.package(changes={"input_validators/validate.py": "import nothing_of_that_name\n"})
    text = stage.run("judge check", 3, ["ModuleNotFoundError", "42", "43"])
    if text.count("ModuleNotFoundError") != 1:
        stage.run("false", 0, "the validator's own words once")


def validator_says_nothing(stage):
    stage.package(changes={"input_validators/validate.py": "import sys\nsys.exit(0)\n"})
    stage.run("judge check", 3, ["42", "43"])
    stage.run("judge check --explain JP802", 0, ["42", "43"])


def two_of_one_name(stage):
    stage.package()
    stage.write({f"problems/deeper/pairsum/{name}": text for name, text in PACKAGE.items()})
    stage.run("judge check --static", 3, "JP505")
    stage.run("judge list", 0, "problems/deeper/pairsum|deeper/pairsum")


def no_compiler(stage):
    stage.package(changes={"submissions/accepted/sum.hs": "main = getLine >>= print . sum . map read . words\n"})
    stage.run("judge run", 0, "skipped", env={"PATH": stage.environment["PATH"]})
    stage.run("judge verify --strict", 3, ["skipped", "[Hh]askell"])


def foreign_verbs(stage):
    stage.package()
    for verb, ours in (("test", "submit"), ("fuzz", "stress"), ("zip", "verb|pack"), ("pdf", "statement"), ("stats", "list")):
        stage.run(f"judge {verb}", 2, ours, "testlib")


def bad_workspace(stage):
    stage.package()
    for text, says in (("jbos: 2\n", "did you mean.*jobs"), ("problems: nowhere\n", "expected a directory"),
                       ("check: {ignore: [{code: JP999, reason: x}]}\n", "JP999"),
                       ("check: {ignore: [{code: JP302}]}\n", "reason")):
        stage.write({"judge.yaml": text})
        stage.run("judge run", 2, [says, r"judge\.yaml:\d"])


def no_answer(stage):
    place = stage.package(changes={"data/secret/2.ans": None})
    stage.run("judge run", 3, [r"secret/2", r"judge (accept|generate)"])
    stage.run("judge accept pairsum --all", 0)
    if stage.read(f"{place}/data/secret/2.ans") != "1\n":
        stage.run("false", 0, "an answer that the accepted solution gives")
    stage.run("judge run", 0)


def two_keys(stage):
    stage.package(changes={"generators/generators.yaml":
                           "data:\n  secret:\n    data:\n      - a: random_pair.py 1\n        b: random_pair.py 2\n"})
    stage.run("judge generate", 3, [r"generators\.yaml:4", "one key"], "one level deeper")


def compiler_places(stage):
    stage.package(changes={"input_validators/validate.py": None, "input_validators/v.cpp": CPP_VALIDATOR,
                           "submissions/accepted/broken.cpp": "int main() { return nothing; }\n"})
    stage.run("judge check", 3, r"problems/pairsum/input_validators/v\.cpp:2:", "/program/")
    stage.run("judge run", 1, r"problems/pairsum/submissions/accepted/broken\.cpp:1:", "/program/")


def rejected_answer(stage):
    stage.package(changes={"data/secret/2.ans": "2\n"})
    stage.run("judge verify", 1, ["accepted/sum.py", "expected +2", "found +1"])


JOURNEYS = {
    "a key with a typing error": wrong("judge run", 3, [r"problem\.yaml:7", "did you mean.*limits"], {
        "problem.yaml": PROBLEM + "limit: {time_limit: 2}\n"}),
    "a tab": wrong("judge run", 3, [r"problem\.yaml:8", "tab"], {"problem.yaml": PROBLEM + "keywords:\n\t- sum\n"}),
    "an answer is missing": no_answer,
    "ends of lines of Windows": wrong("judge check", 3, ["JP203"], {"data/secret/1.in": "5 7\r\n"}),
    "a byte order mark": wrong("judge check", 3, ["JP202"], {"data/secret/1.in": b"\xef\xbb\xbf5 7\n"}),
    "a statement in Latin-1": wrong("judge check", 0, [r"problem\.en\.md:1", "UTF-8"], {
        "statement/problem.en.md": "Gr\u00f6\u00dfe\n".encode("latin-1")}),
    "a problem.yaml in Latin-1": wrong("judge check", 3, [r"problem\.yaml", "UTF-8"], {
        "problem.yaml": PROBLEM.encode() + b"source: K\xf6ln\n"}),
    "nothing there": nowhere,
    "a word that selects nothing": wrong_word,
    "two problems of one name": two_of_one_name,
    "a directory with a typing error": wrong("judge check", 0, ["JP706", "wrong_answer"], {
        "submissions/wrong_anwser/minus.py": "print(1)\n"}),
    "a link in a circle": lost_link,
    "a file that cannot be read": unreadable,
    "a generator that fails": generator_fails,
    "a generator that makes invalid input": generator_makes_invalid,
    "a generator that throws dice": random_generator,
    "a list item with two keys": two_keys,
    "places in compilers' messages": compiler_places,
    "a time limit that is a text": wrong("judge run", 3, [r"problem\.yaml:6", "seconds"], {
        "problem.yaml": PROBLEM.replace("time_limit: 1", "time_limit: 1s")}),
    "a memory limit of nothing": wrong("judge run", 3, [r"problem\.yaml:6"], {
        "problem.yaml": PROBLEM.replace("time_limit: 1", "memory: 0")}),
    "a memory limit that no program starts in": beside_another("judge run", 3, "memory", {
        "problem.yaml": PROBLEM.replace("time_limit: 1", "time_limit: 1, memory: 1")}, never=["serve_if_zygote"]),
    "a compiler that is not there": no_compiler,
    "an extension that nobody knows": wrong("judge check", 0, ["JP707"], {"submissions/accepted/sum.xyz": SUM}),
    "an empty problem.yaml": wrong("judge check", 3, [r"problem\.yaml", "empty"], {"problem.yaml": ""}, never=["rename"]),
    "no problem.yaml": wrong("judge run", 5, [], {"problem.yaml": None}),
    "an empty solution": wrong("judge run", 1, ["accepted/empty.py"], {"submissions/accepted/empty.py": ""}),
    "no data": wrong("judge run", 3, [], {name: None for name in PACKAGE if name.startswith("data/")}),
    "endless output": wrong("judge run", 1, ["OLE"], {"submissions/accepted/loud.py": "while True: print('x' * 9999)\n"}),
    "endless errors": wrong("judge run", 1, ["OLE"], {
        "submissions/accepted/loud.py": "import sys\nwhile True: print('x' * 9999, file=sys.stderr)\n"}),
    "output of control characters": wrong("judge run", 1, [r"\\u\{1b\}|\\x1b|\\e"], {
        "submissions/accepted/red.py": "print('\\x1b[31m3')\n"}, never=["\x1b\\[31m3"]),
    "verbs of other tools": foreign_verbs,
    "an accepted solution that is wrong": wrong("judge run", 1, ["accepted/minus.py", "expected +3", "found +-1"], {
        "submissions/accepted/minus.py": "a, b = map(int, input().split())\nprint(a - b)\n"}),
    "a wrong solution that is accepted": wrong("judge run", 1, ["wrong_answer/sum.py"], {
        "submissions/wrong_answer/sum.py": SUM}),
    "a workspace with mistakes": bad_workspace,
    "an answer that is wrong": rejected_answer,
    "an input twice": wrong("judge check", 0, ["JP302"], {"data/secret/2.in": "5 7\n", "data/secret/2.ans": "12\n"}),
    "no input validator": wrong("judge check", 0, ["validator"], {"input_validators/validate.py": None}),
    "an input validator that takes everything": wrong("judge check", 3, ["JP80[456]"], {
        "input_validators/validate.py": "import sys\nsys.exit(42)\n"}),
    "an input validator that crashes": validator_crashes,
    "an input validator that ends with 0": validator_says_nothing,
    "an output validator that takes everything": wrong("judge check", 0, ["JP903"], {
        "output_validator/yes.py": "import sys\nsys.exit(42)\n"}),
    "an output validator that crashes": wrong("judge run", 3, ["JE", "42", "43"], {
        "output_validator/no.py": "import nothing_of_that_name\n"}),
    "a generators.yaml with a typing error": wrong("judge generate", 3, [r"generators\.yaml:1", "did you mean"], {
        "generators/generators.yaml": "dta:\n  secret: {}\n"}),
    "a generator that is not there": wrong("judge generate", 3, [r"generators\.yaml:4"], {
        "generators/generators.yaml": "data:\n  secret:\n    data:\n      '3': ramdom_pair.py 1\n"}),
    "no newline at the end": wrong("judge check", 3, ["JP802|rejects"], {"data/secret/1.in": "5 7"}),
    "a file whose problem nobody can guess": wrong("cp problems/pairsum/submissions/accepted/sum.py x.py; judge submit x.py", 2, [
        "pairsum"], {}),
    "keys of another format": wrong("judge check", 3, ["legacy"], {
        "problem.yaml": PROBLEM + "validation: custom\n"}),
    "both sides wait": wrong("judge run", 1, ["waited for each other", "flush"], {
        "problem.yaml": PROBLEM.replace("pass-fail", "interactive"),
        "output_validator/i.py": "import sys\nsys.exit(42 if sys.stdin.readline() else 43)\n",
        "submissions/wrong_answer/minus.py": None,
        "submissions/accepted/sum.py": "input()\nprint(1)\n"}),
}
