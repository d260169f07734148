"""`ci/bench cold`: commands with an empty cache, so that everything is compiled and started for the first time.

Each of three parts measures its commands alternately, each time with a new cache and a new directory for temporary files.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import project
from benchmarks.commands import LEGACY
from benchmarks.grade import LANGUAGES, Setting, timed
from benchmarks.measuring import bench, run, table

TESTS, PACKAGES = 10, 10
# Variables with places that programs write to.
CACHES = ("JUDGE_CACHE_DIR", "XDG_CACHE_HOME", "TMPDIR")
# The programs of this repository that `judge run` compiles.
SOURCES = ("solutions/**/*.*", "problems/*/output_validator/*.*", "problems/*/output_visualizer/*.*")
# The task of package NUMBER: the sum of some numbers, plus NUMBER.
BEGINNING = "#include <bits/stdc++.h>\nusing namespace std;\n// Of package NUMBER.\n"
READ = "int main() {\n  int n;\n  cin >> n;\n  vector<long long> v(n);\n  for (auto &x : v) cin >> x;\n  long long sum = NUMBER;\n"
SUBMISSIONS = {
    "accepted/loop": "for (auto x : v) sum += x;",
    "accepted/sorted": "sort(v.begin(), v.end());\n  sum = accumulate(v.begin(), v.end(), sum);",
    "accepted/map": "map<long long, int> count;\n  for (auto x : v) count[x]++;\n  for (auto [x, c] : count) sum += x * c;",
    "accepted/queue": "priority_queue<long long> q(v.begin(), v.end());\n  for (; !q.empty(); q.pop()) sum += q.top();",
    "wrong_answer/set": "set<long long> s(v.begin(), v.end());\n  sum = accumulate(s.begin(), s.end(), sum);",
    "wrong_answer/first": "sum = stoll(to_string(v[0]));",
}
INPUT_VALIDATOR = "int main() {\n  string s(istreambuf_iterator<char>(cin), {});\n" \
                  "  return regex_match(s, regex(\"5\\n[0-9]+( [0-9]+){4}\\n\")) ? 42 : 43;\n}\n"
OUTPUT_VALIDATOR = "int main(int, char **argv) {\n  long long expected, found;\n" \
                   "  return ifstream(argv[2]) >> expected && cin >> found && found == expected ? 42 : 43;\n}\n"


def make_archive(root, legacy):
    """Writes packages in C++. Every second one has an output validator."""
    for number in range(PACKAGES):
        name = "Sum" if legacy else f"Sum {number}"
        settings = LEGACY.replace("Many tiny tests", name) if legacy else project.problem_yaml(name, "time_limit: 1, memory: 256")
        files = {("problem_statement" if legacy else "statement") + "/problem.en.tex": f"\\problemname{{{name}}}\nAdd the numbers.\n",
                 "input_validators/validate.cpp": BEGINNING + INPUT_VALIDATOR}
        files |= {f"submissions/{place}.cpp": f"{BEGINNING}{READ}  {text}\n  cout << sum << endl;\n}}\n"
                  for place, text in SUBMISSIONS.items()}
        if number % 2:
            settings += "validation: custom\n" if legacy else ""
            files[f"output_validator{'s' * legacy}/validate.cpp"] = BEGINNING + OUTPUT_VALIDATOR
        for test in range(TESTS):
            numbers = [number + test, 7, 7, test * 10 ** 12, 10 ** 15]
            place = f"data/{'sample' if test < 2 else 'secret'}/{test}"
            files |= {f"{place}.in": f"5\n{' '.join(map(str, numbers))}\n", f"{place}.ans": f"{sum(numbers) + number}\n"}
        files = {place: text.replace("NUMBER", str(number)) for place, text in files.items()}
        project.write_files(root / f"problems/sum{number}", files | {"problem.yaml": settings})
    project.write_files(root, {"judge.yaml": "problems: [problems]\n"})


def in_turns(title, actions, options, directory):
    """Measures actions, which are functions of an environment with an empty cache; prints medians."""
    samples = {name: [] for name in actions}
    for _ in range(options.repetitions):
        for name, action in actions.items():
            with tempfile.TemporaryDirectory(dir=directory) as new:
                samples[name].append(timed(partial(action, os.environ | dict.fromkeys(CACHES, new)))[:2])
    medians = {name: [statistics.median(column) for column in zip(*values)] for name, values in samples.items()}
    walls, cpus = medians["judge run"]
    print(f"{title}; {options.repetitions} repetitions, medians.\n")
    table(["", "CPU s", "wall s", "CPU time / judge run", "wall time / judge run"],
          [[name, f"{cpu:.2f}", f"{wall:.2f}", f"{cpu / cpus:.2f}", f"{wall / walls:.2f}"] for name, (wall, cpu) in medians.items()])


def rival(command, directory, pattern, expected, environment):
    """Runs another tool. Its exit code counts warnings as well, so the results that it prints are counted instead."""
    output = project.run(*command, codes=None, cwd=directory, env=environment, stderr=subprocess.STDOUT).stdout
    if (found := len(re.findall(pattern, output, re.MULTILINE))) != expected:
        sys.exit(f"ci/bench: {command[0].name}: {found} results as expected, not {expected}\n{output[-2000:]}")


def compilers(judge, directory):
    """Judges the problems of this repository; returns the commands of its compilers, and the CPU seconds of the submissions."""
    environment = os.environ | {"JUDGE_CACHE_DIR": str(directory / "first"), "JUDGE_LOG": "compile"}
    done = project.run(judge, "run", "--report=json", env=environment)
    own = sum(event["cpu_time_us"] for event in project.events(done.stdout) if event["event"] == "test_case_finished") / 1e6
    commands = {}
    for found in re.findall(r"compiler starts command=(\[.*?\]) work_files=", done.stderr):
        words = json.loads(found)
        words = words[:words.index("-include")] if "-include" in words else words
        commands[Path(words[-1]).name] = words[:-1]
    files = [path for place in SOURCES for path in sorted(project.ROOT.glob(place)) if path.name in commands]
    if missing := commands.keys() - {path.name for path in files} - {"headers.h"}:
        sys.exit(f"ci/bench: no sources found of {missing}")
    for number in range(len(files)):
        (directory / f"made/{number}").mkdir(parents=True)
    return [[word.replace("/box/work", f"{directory}/made/{number}") for word in commands[path.name]] + [path]
            for number, path in enumerate(files)], own


def each(action, things):
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        list(workers.map(action, things))


def archive(options, builds, directory):
    for name in ("legacy", "archive"):
        make_archive(directory / name, name == "legacy")
    number, packages = PACKAGES * len(SUBMISSIONS), sorted((directory / "legacy/problems").iterdir())
    actions = builds(directory / "archive")
    if options.rivals:
        verify, bt = (Path(options.rivals).resolve() / name for name in ("verifyproblem", "bt"))
        # `verifyproblem` reads only the legacy format, and `bt` only the current one.
        actions["verifyproblem -p submissions"] = partial(
            rival, [verify, *packages, "-p", "submissions"], directory, r" OK: (?:AC|WA) | tested: 0 errors", number + PACKAGES)
        actions["bt run"] = partial(rival, [bt, "run", "--no-bar", "--no-generate"], directory / "archive/problems",
                                    r"^(?:accepted/\S+: +AC|wrong_answer/\S+: +WA) ", number)
    in_turns(f"{PACKAGES} packages in C++ with {number} submissions and {TESTS} test cases each", actions, options, directory)


def problems(options, builds, directory):
    commands, own = compilers(options.judge, directory)
    actions = builds(project.ROOT) | {f"{len(commands)} compilers alone": lambda new: each(
        lambda command: subprocess.run(command, env=new, check=True, capture_output=True), commands)}
    in_turns("The problems of this repository", actions, options, directory)
    print(f"The submissions themselves take {own:.2f} s of CPU time, as judge reports it.\n")


def python(options, builds, directory):
    setting, package = Setting(options.judge, directory / "python", None, options), directory / "python/problems/tiny"
    numbers, (language, extension, text) = range(options.programs), LANGUAGES["Python"]
    (package / "submissions/accepted/sum.cpp").unlink()
    project.write_files(package / "submissions/accepted", {f"{number}.{extension}": text.format(number) for number in numbers})
    paths = setting.files(extension, text, numbers)
    requests = [{"id": number, "problem": "tiny", "language": language, "source": text.format(number)} for number in numbers]

    def grade(new):
        setting.environment = new
        setting.grade(requests, "--warm-python")

    actions = builds(directory / "python") | {"judge grade --warm-python": grade}
    actions["subprocess, no isolation"] = lambda _: each(setting.plain, paths)
    in_turns(f"{options.programs} submissions in Python with {options.tests} test cases each", actions, options, directory)


def cold(arguments):
    with bench(arguments, "cold", "what", old=None, rivals=None, repetitions=5, programs=50, tests=20, jobs=os.cpu_count()) as given:
        options, judge, directory, _ = given
        options.judge, programs = judge, {"judge run": judge} | ({"judge run, old": Path(options.old).resolve()} if options.old else {})
        parts = {part.__name__: part for part in (archive, problems, python)}

        def builds(root):
            """Returns the action of each build, which must judge everything below `root` as expected."""
            return {name: lambda new, program=program: run([program, "run", "--quiet"], root, new) for name, program in programs.items()}

        for name in [options.what] if options.what else parts:
            parts[name](options, builds, directory)
