"""Comparing two programs: the same question whatever the budget."""

import json

from journeys.stage import MINUS, SUM, Fault

WORK = "a, b = map(int, input().split())\nkept = 0\nfor step in range({} * 10 ** 5):\n    kept += step & 1\nprint(a + b)\n"


def other_answers(stage):
    stage.package()
    stage.write({"one.py": SUM, "other.py": MINUS})
    stage.run("judge compare one.py other.py -p pairsum", 1, [r"other\.py", "sample/1"])


def same_test_cases(stage):
    stage.package()
    stage.write({"one.py": WORK.format(2), "other.py": WORK.format(6)})
    seen = []
    for budget in (3, 12):
        stage.run(f"judge compare one.py other.py -p pairsum --budget {budget} --seed 1 --json=found.json", 0, "slower|undecided")
        document = json.loads(stage.read("found.json"))
        estimate = document["candidates"][0].get("cpu_time")
        if estimate:
            seen.append(estimate["test_cases"])
            low, high = estimate["interval"]
            # Three times the loop, and the start of an interpreter with both.
            if not 1.2 < low <= high < 3.2:
                raise Fault(f"three times the work was measured as {low} to {high}")
    if not seen or any(of != seen[0] for of in seen):
        raise Fault(f"the ratios are made of different test cases: {seen}")


def gate(stage):
    stage.package()
    stage.write({"one.py": WORK.format(2), "other.py": WORK.format(8)})
    stage.run("judge compare one.py other.py -p pairsum --budget 10 --seed 1 --gate 'time<=1.2'", 6, "not held")


JOURNEYS = {
    "other answers": other_answers,
    "a ratio of the same test cases": same_test_cases,
    "a gate": gate,
}
