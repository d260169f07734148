"""Solving problems: one's own program, judged and tried."""

import json

from journeys.stage import MINUS, PROBLEM, SUM


def wrong_in_the_third(stage):
    stage.package(changes={f"data/secret/{number:02}.in": f"{number} 0\n" for number in range(3, 12)}
                  | {f"data/secret/{number:02}.ans": f"{number}\n" for number in range(3, 12)})
    stage.write({"pairsum.py": MINUS})
    stage.run("judge submit pairsum.py", 1, ["wrong answer on sample/1", "found +-1", r"data/sample/1\.in", "1 2"])
    # a - 0 is a + 0.
    stage.run("judge submit pairsum.py --no-fail-fast", 1, "9 of 12")
    stage.write({"pairsum.py": SUM})
    stage.run("judge submit pairsum.py", 0, "accepted on 12")


def syntax(stage):
    stage.package()
    stage.write({"pairsum.py": "print(\n"})
    stage.run("judge submit pairsum.py", 1, ["compile error", "SyntaxError"], "run time error")
    stage.write({"pairsum.js": "console.log(\n"})
    stage.run("command -v node >/dev/null || exit 7; judge submit pairsum.js; [ $? = 1 ] || exit 8", 0, "compile error")


def own_input(stage):
    stage.package()
    stage.write({"pairsum.py": SUM})
    stage.run("judge try pairsum.py --input - 2>/dev/null", 0, "^30$", given=b"10 20\n")
    stage.run("judge try pairsum.py -p pairsum --input -", 0, ["^30$", "MiB"], given=b"10 20\n")
    stage.run("judge try pairsum.py -p pairsum --input secret/1", 0, "12")
    stage.write({"crash.py": "print(1 // 0)\n"})
    stage.run("judge try crash.py --input -", 1, "ZeroDivisionError", given=b"\n")


def folder_of_examples(stage):
    stage.write({"sum.py": SUM, "examples/1.in": "1 2\n", "examples/1.out": "3\n", "examples/2.in": "2 2\n",
                 "examples/2.out": "5\n"})
    stage.run("judge try sum.py --input examples", 1, ["WA", "AC"])


def competitive_companion(stage):
    stage.write({"sum.py": SUM, "problem.json": json.dumps({
        "name": "A. Sum", "group": "Example", "url": "https://example.org/a", "interactive": False, "memoryLimit": 256,
        "timeLimit": 1000, "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "4 4\n", "output": "8\n"}],
        "testType": "single", "input": {"type": "stdin"}, "output": {"type": "stdout"}})})
    stage.run("judge try sum.py --input problem.json", 0, "AC|2 of 2")


def slower_machine(stage):
    slow = "import time\nend = time.process_time() + 1.3\nwhile time.process_time() < end: pass\n"
    stage.package(changes={"problem.yaml": PROBLEM})
    stage.write({"pairsum.py": slow + SUM})
    stage.run("judge submit pairsum.py --samples", 1, "time limit exceeded")
    stage.run("judge submit pairsum.py --samples --time-factor 2", 0, ["accepted", "of 2 s"])


JOURNEYS = {
    "a wrong answer": wrong_in_the_third,
    "a script that is none": syntax,
    "a program on one's own input": own_input,
    "a folder of examples": folder_of_examples,
    "examples of another judge": competitive_companion,
    "a slower machine": slower_machine,
}
