"""Writing problems: beginning one, adding to it, and what the tool says on the way."""

from journeys.stage import PACKAGE, SUM

GENERATED = {
    "generators/generators.yaml": "data:\n  secret:\n    data:\n      '1': {in: \"5 7\\n\"}\n      '2': random_pair.py 2\n"
                                  "  sample:\n    data:\n      '1': {in: \"1 2\\n\"}\n",
    "data/secret/1.in": None, "data/secret/1.ans": None, "data/secret/2.in": None, "data/secret/2.ans": None,
    "data/sample/1.in": None, "data/sample/1.ans": None,
    "data/invalid_input/words.in": None,
}


def new_in(language, kind):
    def journey(stage):
        stage.write({"judge.yaml": "problems: .\n"})
        stage.run(f"judge new mine --type {kind} --language {language} --title 'My Problem' --author 'Ada Author' --license cc0",
                  0, "mine")
        stage.run("judge verify --strict mine", 0)
        if language != "rust":
            stage.run("judge check --profile kattis --strict mine", 0)
            stage.run("judge check --profile domjudge --strict mine", 0)
    return journey


def placeholders(stage):
    stage.run("judge new mine", 0)
    stage.run("judge check mine", 0, "placeholder|the author of mine")


def add_and_repeat(stage):
    stage.package(changes=GENERATED)
    stage.run("judge generate", 0)
    stage.run("judge add -p pairsum --name big - --dry-run", 0, "WA|reject", given=b"999 -999\n")
    stage.run("judge add -p pairsum --name big -", 0, "data/secret/big", given=b"999 -999\n")
    stage.run("judge add -p pairsum --name again -", 3, "secret/big", "added", given=b"999 -999\n")
    stage.run("judge add -p pairsum --generate 'random_pair.py 2'", 3, "secret/2")
    stage.run("judge verify", 0)


def add_what_is_invalid(stage):
    stage.package()
    stage.run("judge add -p pairsum --name big -", 3, "expected two numbers from -1000 to 1000", "Traceback", given=b"9999 1\n")


def add_a_wrong_answer(stage):
    stage.package()
    stage.write({"mine.in": "8 9\n", "mine.ans": "18\n"})
    stage.run("judge add mine.in -p pairsum --answer mine.ans", 1, ["18", "17"], "the accepted solutions do not agree")


def accept_nothing(stage):
    stage.package(changes=GENERATED)
    stage.run("judge generate", 0)
    stage.run("judge accept pairsum", 0, "nothing|unchanged|no answer")
    stage.run("judge accept pairsum --dry-run", 0)


def require_kill_and_stress_agree(stage):
    place = stage.package(workspace=False)
    for word in ("wrong_answer/minus.py", "submissions/wrong_answer/minus.py"):
        stage.run(f"judge stress {word} --time 5 --seed 1", 1, "minus.py", at=place)
        stage.run(f"judge add - --name x --require-kill {word} --dry-run", 0, at=place, given=b"9 9\n")


def one_word_everywhere(stage):
    words = ("wrong_answer/minus.py", "wrong_answer", "'wrong_answer/*'", "secret/1", "submissions/wrong_answer/minus.py")
    bare = stage.package(workspace=False)
    for word in words:
        stage.run(f"judge run {word}", 0, "pairsum", at=bare)
    stage.run("judge run pairsum", 0, "2 submissions as expected")
    place = stage.package()
    for word in words:
        stage.run(f"judge run {word}", 0, "pairsum", at=place)
    stage.run(f"judge run {stage.directory}/{place}", 0, "2 submissions as expected", at="/")


def workspace_of_a_path(stage):
    place = stage.package(changes={"submissions/accepted/sum.py": None, "submissions/wrong_answer/minus.py": None})
    stage.write({"solutions/pairsum/accepted/sum.py": SUM})
    stage.run(f"judge run {stage.directory}/{place}", 0, "1 submission as expected", at="/")


def workspace_without_problems(stage):
    stage.write({f"sum/{file}": content for file, content in PACKAGE.items()} | {"judge.yaml": "check: {ignore: []}\n"})
    stage.run("judge list", 0, "^sum")
    stage.run("judge run", 0, "2 submissions as expected")


def strict_compilers(stage):
    stage.package(changes={"submissions/accepted/sum.hs": "main = getLine >>= print . sum . map read . words\n"})
    stage.run("which ghc", 1)
    stage.run("judge verify", 0, "skipped")
    stage.run("judge verify --strict", 3, "ghc|[Hh]askell")


def one_way_to_count(stage):
    stage.package(changes=GENERATED)
    stage.run("judge generate", 0, "3 test cases")
    stage.run("judge list", 0, "3 test cases")


def renamed(stage):
    numbered = "".join(f"      - case: {{in: \"{number} 1\\n\"}}\n" for number in range(9))
    stage.package(changes=GENERATED | {"generators/generators.yaml": f"data:\n  secret:\n    data:\n{numbered}"})
    stage.run("judge generate", 0)
    stage.write({"problems/pairsum/generators/generators.yaml":
                 f"data:\n  secret:\n    data:\n{numbered}      - case: {{in: \"9 1\\n\"}}\n"})
    stage.run("judge generate", 0, "renamed")


def matrix_and_validate(stage):
    stage.package()
    stage.run("judge matrix", 0, ["A", "W"])
    stage.run("judge validate", 0, "accepted")
    stage.run("judge validate", 0, [], "profile default, strict")


def testlib_makes_its_directory(stage):
    stage.run("judge testlib deep/er", 0)
    stage.run("ls deep/er", 0, "testlib")


JOURNEYS = {f"a new {kind} problem in {language}": new_in(language, kind)
            for language in ("rust", "cpp", "python") for kind in ("pass-fail", "interactive", "scoring", "float", "multi-pass")} | {
    "placeholders are found": placeholders,
    "a case, and the same once more": add_and_repeat,
    "a case that is invalid": add_what_is_invalid,
    "a case with a wrong answer": add_a_wrong_answer,
    "nothing to accept": accept_nothing,
    "one word for stress and add": require_kill_and_stress_agree,
    "one word everywhere": one_word_everywhere,
    "a path finds its workspace": workspace_of_a_path,
    "a workspace without `problems`": workspace_without_problems,
    "a compiler that CI lost": strict_compilers,
    "one way to count": one_way_to_count,
    "numbers that grow": renamed,
    "matrix and validate": matrix_and_validate,
    "the library in a new directory": testlib_makes_its_directory,
}
