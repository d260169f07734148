"""`ci/bench grade`: many programs by one process, compared with a loop over `judge submit` and `subprocess` without isolation.

With `--service URL` also with a loop over HTTP requests to a running SandboxFusion, such as `http://127.0.0.1:8080`. Only its rate is
measured, because its CPU time is that of other processes. With `--rivals DIR` also with `bt run` of a package with these submissions, where
DIR, such as the `bin` of a virtual environment, has `bt`.
"""

import json
import os
import re
import resource
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.measuring import bench, table
from benchmarks.commands import make_package

CPP = "#include <iostream>\n#include <vector>\nint main() {{ long long a, b; std::cin >> a >> b; std::vector<long long> v{{a, b, {0}}};\n" \
      "  std::cout << v[0] + v[1] + v[2] - {0} << \"\\n\"; }}\n"
PYTHON = "a, b = map(int, input().split())\nprint(a + b + {0} - {0})\n"
LANGUAGES = {"C++": ("cpp", "cpp", CPP), "Python": ("python3", "py", PYTHON)}
COMPILE = ["g++", "-O2", "-std=gnu++23"]


def timed(action):
    """Returns the wall seconds of an action, the CPU seconds of all processes that it has waited for, and its result."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    result = action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


class Setting:
    def __init__(self, judge, directory, environment, options):
        self.judge, self.directory, self.environment, self.options = judge, directory, environment, options
        inputs = make_package(directory / "problems/tiny", options.tests)
        self.tests = [(path.read_bytes(), path.with_suffix(".ans").read_bytes()) for path in inputs]
        (directory / "judge.yaml").write_text("problems: [problems]\n")

    def files(self, extension, text, numbers):
        """Writes a program for each number."""
        paths = [self.directory / f"programs/{number}.{extension}" for number in numbers]
        paths[0].parent.mkdir(exist_ok=True)
        for path, number in zip(paths, numbers):
            path.write_text(text.format(number))
        return paths

    def grade(self, requests, *words):
        """Judges requests; returns their results, and the memory of the process in MB after each quarter of them."""
        command = [self.judge, "grade", f"--jobs={self.options.jobs}", "--quiet", *words]
        (self.directory / "requests.jsonl").write_text("".join(json.dumps(request) + "\n" for request in requests))
        with open(self.directory / "requests.jsonl", "rb") as file, subprocess.Popen(
                command, cwd=self.directory, env=self.environment, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            results, memory = [], []
            for number, line in enumerate(process.stdout, 1):
                results.append(json.loads(line))
                if number % max(1, len(requests) // 4) == 0:
                    with open(f"/proc/{process.pid}/statm", "rb") as statm:
                        memory.append(int(statm.read().split()[1]) * 4096 / 1e6)
        wrong = [result for result in results if result.get("verdict") != "AC"]
        if process.returncode != 0 or wrong or len(results) != len(requests):
            sys.exit(f"ci/bench: exit code {process.returncode}, {len(results)} results, {wrong[:1]}")
        return results, memory

    def submit(self, path):
        command = [self.judge, "submit", "--quiet", "--jobs=1", "-p", "tiny", path]
        subprocess.run(command, cwd=self.directory, env=self.environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def plain(self, path):
        """Compiles and runs a program like a script without isolation."""
        command = [sys.executable, path]
        if path.suffix == ".cpp":
            command = [path.with_suffix(".exe")]
            subprocess.run([*COMPILE, "-o", command[0], path], check=True)
        for given, expected in self.tests:
            done = subprocess.run(command, input=given, capture_output=True, timeout=10, check=True)
            assert done.stdout.split() == expected.split()

    def bt(self, paths):
        """Judges programs as submissions of a package by `bt`."""
        package = self.directory / f"bt{paths[0].suffix}/tiny"
        make_package(package, self.options.tests)
        (package / "submissions/accepted/sum.cpp").unlink()
        for path in paths:
            (package / "submissions/accepted" / path.name).write_bytes(path.read_bytes())
        command = [Path(self.options.rivals).resolve() / "bt", "run", "--no-bar", "--no-generate"]
        done = subprocess.run(command, cwd=package, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if (found := len(re.findall(r"^accepted/\S+: +AC", done.stdout, re.MULTILINE))) != len(paths):
            sys.exit(f"ci/bench: bt: {found} accepted, not {len(paths)}\n{done.stdout[-2000:]}")

    def serve(self, path):
        """Runs a Python program on each test by the service."""
        for given, expected in self.tests:
            body = {"code": path.read_text(), "language": "python", "stdin": given.decode(), "run_timeout": 10}
            request = urllib.request.Request(f"{self.options.service}/run_code", json.dumps(body).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=100) as reply:
                answer = json.load(reply)
            assert answer["run_result"]["stdout"].split() == expected.decode().split(), answer

    def each(self, action, paths):
        with ThreadPoolExecutor(self.options.jobs) as workers:
            list(workers.map(action, paths))


def row(name, number, measured, jobs):
    wall, cpu = measured[:2]
    return [name, f"{number / wall:.1f}", f"{number / wall / jobs:.1f}", f"{cpu / number * 1e3:.1f}", f"{cpu / wall / jobs:.0%}"]


def grade(arguments):
    with bench(arguments, "grade", programs=1000, tests=20, jobs=os.cpu_count(), compare=50, service=None,
               rivals=None) as (options, judge, directory, environment):
        setting, jobs = Setting(judge, directory, environment, options), options.jobs
        head = ["", "programs per second", "per worker", "CPU ms each", "CPU time of wall time × workers"]
        for title, (language, extension, text) in LANGUAGES.items():
            requests = [{"id": number, "problem": "tiny", "language": language, "source": text.format(number)} for number in range(options.programs)]
            setting.grade([{**requests[0], "source": text.format(-1)}])
            measured = timed(lambda requests=requests: setting.grade(requests))
            rows = [row("judge grade", options.programs, measured, jobs)]
            if extension == "py":
                measured = timed(lambda requests=requests: setting.grade(requests, "--warm-python", "--no-cache"))
                rows.append(row("judge grade --warm-python", options.programs, measured, jobs))
            paths = setting.files(extension, text, range(options.programs, options.programs + options.compare))
            actions = {"loop over judge submit": setting.submit, "subprocess, no isolation": setting.plain}
            if extension == "py" and options.service:
                actions["loop over HTTP requests"] = setting.serve
            for name, action in actions.items():
                rows.append(row(name, len(paths), timed(lambda action=action, paths=paths: setting.each(action, paths)), jobs))
            if options.rivals:
                rows.append(row("bt run", len(paths), timed(lambda paths=paths: setting.bt(paths)), jobs))
            print(f"{options.programs} different {title} programs, {options.tests} test cases each, {jobs} workers"
                  f" ({options.compare} programs for the others):\n")
            # The service does the work of its row, not the process that was measured.
            rows = [[*each[:3], "", ""] if each[0] == "loop over HTTP requests" else each for each in rows]
            table(head, rows)
            own = sum(case["time"] for result in setting.grade([{**request, "details": True} for request in requests[:options.compare]],
                                                                "--no-cache")[0] for case in result["test_cases"])
            print(f"The programs themselves take {own / options.compare * 1e3:.1f} ms of CPU time each, without the compiler.\n", flush=True)
        numbers = [*range(5 * options.programs)] * 2
        requests = [{"id": index, "problem": "tiny", "language": "python3", "tests": ["sample"], "source": PYTHON.format(10**6 + number)}
                    for index, number in enumerate(numbers)]
        rows, notes = [], []
        for name in ("cold", "warm"):
            measured = timed(lambda: setting.grade(requests))
            results, memory = measured[2]
            rows.append(row(name, len(requests), measured, jobs))
            notes.append(f"{name}: {sum(result['cached'] for result in results):,} cached results; memory of the process after each quarter"
                         f" {', '.join(f'{each:.0f}' for each in memory)} MB")
        print(f"{len(requests):,} requests in Python with one test case, each program twice:\n")
        table(head, rows)
        print("\n".join(notes))
