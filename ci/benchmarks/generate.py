"""`ci/bench generate`: making test data."""

import argparse
import datetime
import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.judging import INPUT_VALIDATOR, STATEMENT, SUBMISSION
from benchmarks.measuring import PROBLEM, build, machine, run_leniently

GENERATE = {
    "C++": {
        "generators/gen.cpp": """
#include <cstdlib>
#include <iostream>
int main(int, char **argv) {
  unsigned long long seed = std::strtoull(argv[1], nullptr, 10);
  std::cout << seed * 7919 % 1000003 << " " << seed * 104729 % 999983 << "\\n";
}
""",
        "input_validators/validate.cpp": INPUT_VALIDATOR,
    },
    "Python": {
        "generators/gen.py": """
import sys
seed = int(sys.argv[1])
print(seed * 7919 % 1000003, seed * 104729 % 999983)
""",
        "input_validators/validate.py": """
import sys
sys.exit(42 if len(sys.stdin.read().split()) == 2 else 43)
""",
    },
}


def make_rules(package, tests, language, salt):
    """Writes `generators.yaml`: one sample, and test cases that differ by their seeds."""
    generator = next(Path(name).name for name in GENERATE[language] if name.startswith("generators/"))
    lines = ["solution: /submissions/accepted/sum.cpp", f'random_salt: "{salt}"', "data:", "  sample:", "    data:"]
    lines += ['      - "": {in: 1 2}', "  secret:", "    data:"]
    lines += [f'      - "": {generator} {{seed:{number}}}' for number in range(1, tests)]
    (package / "generators/generators.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_generated_package(package, language):
    files = {"problem.yaml": PROBLEM, "statement/problem.en.tex": STATEMENT, "submissions/accepted/sum.cpp": SUBMISSION}
    for name, text in (files | GENERATE[language]).items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")


def data_of(package):
    return {str(path.relative_to(package)): path.read_bytes() for path in package.glob("data/*/*") if path.is_file()}


def generate(arguments):
    """Measures the making of test data."""
    parser = argparse.ArgumentParser(prog="ci/bench generate", description="What making test data costs.")
    parser.add_argument("--tests", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--rivals", metavar="DIR", type=Path)
    parser.add_argument("--judge", type=Path, help="the program, instead of building it")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = arguments.judge or build()
    commands = {"judge generate": [judge, "generate"]}
    if arguments.rivals and (arguments.rivals / "bt").exists():
        commands["bt generate"] = [str(arguments.rivals / "bt"), "generate", "--no-bar"]
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{arguments.tests} test cases, {arguments.repetitions} repetitions, medians.\n")
    print("| generator and validator | command | CPU s | CPU ms per test case | wall s |\n|---|---|---:|---:|---:|")
    for language in GENERATE:
        with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
            packages = {command: Path(name) / command.split()[0] / "tiny" for command in commands}
            environment = os.environ | {"JUDGE_CACHE_DIR": str(Path(name) / "cache"), "HOME": name}
            samples = {command: ([], []) for command in commands}
            for package in packages.values():
                make_generated_package(package, language)
            for repetition in range(arguments.repetitions + 1):
                for title, command in commands.items():
                    make_rules(packages[title], arguments.tests, language, f"salt {repetition}")
                    # `bt` ends with 1 after warnings too; whether it did its work is seen from the data.
                    wall, cpu = run_leniently(command, packages[title], environment)
                    if repetition > 0:
                        samples[title][0].append(wall)
                        samples[title][1].append(cpu)
                made = [data_of(package) for package in packages.values()]
                if any(other != made[0] for other in made) or len(made[0]) != 2 * arguments.tests:
                    sys.exit("ci/bench: the data is not the same, or not all there")
            for title, (wall, cpu) in samples.items():
                middle = statistics.median(cpu)
                per_test = middle / arguments.tests * 1e3
                print(f"| {language} | `{title}` | {middle:.2f} | {per_test:.1f} | {statistics.median(wall):.2f} |")
    return 0
