"""The modes of `ci/bench` that measure single commands."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import project
from benchmarks.measuring import PROBLEM, bench, measure, run, spread, table

# Starts a program once for each input file, bare.
SPAWN = r"""
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
  char *args[] = {argv[1], 0}, *env[] = {0};
  for (int i = 2; i < argc; i++) {
    int in = open(argv[i], O_RDONLY | O_CLOEXEC), status = 0;
    pid_t pid = vfork();
    if (pid == 0) {
      dup2(in, 0);
      dup2(out, 1);
      execve(argv[1], args, env);
      _exit(127);
    }
    if (in < 0 || pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) return 1;
    close(in);
  }
  return 0;
}
"""
SUBMISSION = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << \"\\n\"; }\n"
VALIDATOR = "#include <iostream>\nint main() { long long a, b; return std::cin >> a >> b ? 42 : 43; }\n"
STATEMENT = "\\problemname{Many tiny tests}\nAdd two numbers.\n"
LEGACY = "problem_format_version: legacy\nname: Many tiny tests\nlicense: public domain\n"
GENERATORS = {
    "C++": {
        "generators/gen.cpp": """#include <cstdlib>
#include <iostream>
int main(int, char **argv) {
  unsigned long long seed = std::strtoull(argv[1], nullptr, 10);
  std::cout << seed * 7919 % 1000003 << " " << seed * 104729 % 999983 << "\\n";
}
""",
        "input_validators/validate.cpp": VALIDATOR,
    },
    "Python": {
        "generators/gen.py": "import sys\nseed = int(sys.argv[1])\nprint(seed * 7919 % 1000003, seed * 104729 % 999983)\n",
        "input_validators/validate.py": "import sys\nsys.exit(42 if len(sys.stdin.read().split()) == 2 else 43)\n",
    },
}
ADD = "#include <cstdio>\nint main() { long long a, b; if (scanf(\"%lld %lld\", &a, &b) != 2) return 1; printf(\"%lld\\n\", a + b); }\n"
DRAW = """#include <cstdio>
#include <cstdlib>
int main(int, char **v) {
  unsigned long long high = atoll(v[1]), s = atoll(v[2]);
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  unsigned long long a = (s >> 33) % (high + 1);
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  printf("%llu %llu\\n", a, (s >> 33) % (high + 1));
}
"""
VALIDATE = """#include <cstdio>
int main() {
  long long a, b;
  return scanf("%lld %lld", &a, &b) == 2 && a >= 0 && b >= 0 && getchar() == '\\n' && getchar() == EOF ? 42 : 43;
}
"""
GRAMMAR = "INT(0,1000000000) SPACE INT(0,1000000000) NEWLINE EOF\n"


def make_package(package, tests, legacy=False):
    """Writes a package of tiny tests; returns its input files."""
    files = {
        "problem.yaml": LEGACY if legacy else PROBLEM, ("problem_statement" if legacy else "statement") + "/problem.en.tex": STATEMENT,
        "input_validators/validate.cpp": VALIDATOR, "submissions/accepted/sum.cpp": SUBMISSION,
        "data/sample/1.in": "1 2\n", "data/sample/1.ans": "3\n",
    }
    for number in range(1, tests):
        one, two = number * 7919 % 1000003, number * 104729 % 999983
        files |= {f"data/secret/{number:04}.in": f"{one} {two}\n", f"data/secret/{number:04}.ans": f"{one + two}\n"}
    project.write_files(package, files)
    return sorted((package / "data").rglob("*.in"))


def judging(arguments):
    with bench(arguments, "judging", tests=200, repetitions=5, rivals=None) as (options, judge, directory, environment):
        package, legacy = directory / "tiny", directory / "tinylegacy"
        inputs = make_package(package, options.tests)
        make_package(legacy, options.tests, legacy=True)
        make_package(directory / "one", 1)
        (directory / "spawn.c").write_text(SPAWN)
        subprocess.run(["cc", "-O2", "-o", directory / "spawn", directory / "spawn.c"], check=True)
        run([judge, "run", package], package, environment)
        (program,) = (path for path in (directory / "cache").rglob("main") if path.is_file() and os.access(path, os.X_OK))
        spawn, alone = [directory / "spawn", program, *inputs], "verifyproblem, sample alone"
        commands = {"bare spawn": spawn, "judge run": [judge, "run", "--no-cache", package],
                    "judge run --jobs 1": [judge, "run", "--no-cache", "--jobs", "1", package], "bare spawn (again)": spawn,
                    "one test case": [judge, "run", "--no-cache", "--jobs", "1", directory / "one"]}
        bt, verify = (Path(options.rivals or "/nowhere") / name for name in ("bt", "verifyproblem"))
        if bt.exists():
            commands["bt run"] = [bt, "run", "--no-bar", "--no-generate"]
        if verify.exists():
            # verifyproblem reads only the legacy format, and compiles in every run: a run with only the sample is subtracted.
            commands[alone] = [verify, legacy, "-p", "submissions", "-d", "sample"]
            commands |= {"verifyproblem": [verify, legacy, "-p", "submissions"], "verifyproblem -j 2": [verify, legacy, "-p", "submissions", "-j", "2"]}
        samples = measure(commands, options.repetitions, package, environment)
        if compiling := samples.pop(alone, None):
            for name in ("verifyproblem", "verifyproblem -j 2"):
                samples[name] = tuple([value - other for value, other in zip(*pair)] for pair in zip(samples[name], compiling))
        events = project.events(run([judge, "run", "--no-cache", "--report=json", package], package, environment)[2])
        one = statistics.median(samples.pop("one test case")[1])
    own = sum(event["cpu_time_us"] for event in events if event["event"] == "test_case_finished")
    started = next(event for event in events if event["event"] == "run_started")
    print(f"{options.tests} test cases, times for each; {options.repetitions} repetitions; isolation `{started['isolation']['level']}`,"
          f" {started['jobs']} jobs.\n")
    spread(samples, options.tests, "bare spawn")
    many, bare = (statistics.median(samples[name][1]) for name in ("judge run --jobs 1", "bare spawn"))
    each = (many - one) / (options.tests - 1)
    print(f"A run of one test case takes {one * 1e3:.1f} ms of CPU time, every further one {each * 1e6:,.0f} µs, which is"
          f" {(each - bare / options.tests) * 1e6:,.0f} µs beyond the bare spawn (--jobs 1, medians).\n"
          f"CPU time of the submission itself, as judge reports it: {own / options.tests:,.0f} µs per test case.")


def sandbox(arguments):
    with bench(arguments, "sandbox", runs=500, level=None) as (options, *_):
        command = ["cargo", "run", "--quiet", "--release", "--locked", "--package=judge-sandbox", "--example=overhead", "--",
                   str(options.runs), *([options.level] if options.level else [])]
        print(f"{options.runs} runs hot, {options.runs // 4} with pauses.\n", flush=True)
        return subprocess.run(command, cwd=project.ROOT, check=False).returncode


def generate(arguments):
    with bench(arguments, "generate", tests=200, repetitions=3, rivals=None) as (options, judge, directory, environment):
        rows = []
        for language, files in GENERATORS.items():
            commands = {"judge": [judge, "generate"]}
            if options.rivals:
                commands["bt"] = [Path(options.rivals) / "bt", "generate", "--no-bar"]
            packages = {name: directory / language / name / "tiny" for name in commands}
            samples = {name: ([], []) for name in commands}
            for repetition in range(options.repetitions + 1):
                for name, command in commands.items():
                    # Another salt in each repetition: all data is new.
                    lines = ["solution: /submissions/accepted/sum.cpp", f'random_salt: "{repetition}"', "data:", "  sample:", "    data:",
                             '      - "": {in: 1 2}', "  secret:", "    data:"]
                    lines += [f'      - "": {Path(next(iter(files))).name} {{seed:{number}}}' for number in range(1, options.tests)]
                    project.write_files(packages[name], files | {
                        "problem.yaml": PROBLEM, "statement/problem.en.tex": STATEMENT, "submissions/accepted/sum.cpp": SUBMISSION,
                        "generators/generators.yaml": "\n".join(lines) + "\n"})
                    measured = run(command, packages[name], environment)
                    for values, value in zip(samples[name], measured[:2] if repetition else ()):
                        values.append(value)
                made = [{path.name: path.read_bytes() for path in package.glob("data/*/*") if path.is_file()} for package in packages.values()]
                if any(other != made[0] for other in made) or len(made[0]) != 2 * options.tests:
                    sys.exit("ci/bench: the data differs, or is not complete")
            for name, values in samples.items():
                wall, cpu = map(statistics.median, values)
                rows.append([language, f"`{name} generate`", f"{cpu:.2f}", f"{cpu / options.tests * 1e3:.1f}", f"{wall:.2f}"])
    print(f"{options.tests} test cases, {options.repetitions} repetitions, medians.\n")
    table(["generator and validator", "command", "CPU s", "CPU ms per test case", "wall s"], rows)


def make_stress_package(package, validator="validate.cpp", text=VALIDATE):
    project.write_files(package, {
        "problem.yaml": PROBLEM, f"input_validators/{validator}": text, "generators/draw.cpp": DRAW,
        "generators/generators.yaml": 'data: {secret: {data: {"1": "draw.cpp 1000000000 {seed}"}}}\n',
        "data/secret/1.in": "1 2\n", "data/secret/1.ans": "3\n",
        "submissions/accepted/one.cpp": ADD, "submissions/accepted/two.cpp": "// Another one.\n" + ADD})


def stress_command(judge, package, *options):
    return [judge, "stress", "accepted/one.cpp", "-p", package, "-j", "1", "--seed", "1", "--generator", "draw.cpp 1000000000",
            "--report=json", *options]


def stress(arguments):
    with bench(arguments, "stress", seconds=10.0, repetitions=3) as (options, judge, directory, environment):
        kinds = {"a validator in C++": ("validate.cpp", VALIDATE), "a validator in process": ("validate.ctd", GRAMMAR)}
        rates = {kind: ([], []) for kind in kinds}
        for repetition in range(options.repetitions + 1):
            for number, (kind, validator) in enumerate(kinds.items()):
                package = directory / f"package{number}"
                make_stress_package(package, *validator)
                seconds = options.seconds if repetition else 1
                _, cpu, output = run(stress_command(judge, package, "--time", f"{seconds:g}"), package, environment)
                document = json.loads(output)
                measured = document["inputs"] / document["elapsed_us"] * 1e6, document["inputs"] / cpu
                for values, value in zip(rates[kind], measured if repetition else ()):
                    values.append(value)
    rows = [[f"`judge stress`, {kind}", *(f"{statistics.median(values):,.0f}" for values in pair)] for kind, pair in rates.items()]
    print(f"One job, {options.repetitions} repetitions, medians.\n")
    table(["", "inputs each second", "inputs each second of CPU time"], rows)


def versions(arguments):
    with bench(arguments, "versions", "old", tests=200, repetitions=20, inputs=500) as (options, judge, directory, environment):
        package, searched, root = directory / "tiny", directory / "searched", project.ROOT
        make_package(package, options.tests)
        make_stress_package(searched)
        programs = [str(Path(options.old).resolve()), judge]
        environments = [environment | {"JUDGE_CACHE_DIR": str(directory / which)} for which in ("old", "new")]
        modes = {
            "CPU time of a tiny test case": lambda program, environment: run(
                [program, "run", "--no-cache", "--jobs", "1", package], package, environment)[1] / options.tests,
            "wall time of a run without changes": lambda program, environment: run([program, "run", "--quiet"], root, environment)[0],
            "wall time of `judge list`": lambda program, environment: run([program, "list"], root, environment)[0],
            "CPU time of an input of `judge stress`": lambda program, environment: run(
                stress_command(program, searched, "--inputs", options.inputs), searched, environment)[1] / options.inputs,
        }
        rows = []
        for title, mode in modes.items():
            pairs = []
            for repetition in range(options.repetitions + 1):
                # The order alternates, so that neither is always measured first.
                values = {which: mode(programs[which], environments[which]) for which in ((0, 1) if repetition % 2 else (1, 0))}
                pairs += [(values[0], values[1])] if repetition else []
            ratios, quarter = sorted(new / old for old, new in pairs), len(pairs) // 4
            old, new = (statistics.median(column) * 1e3 for column in zip(*pairs))
            rows.append([title, f"{old:.2f}", f"{new:.2f}", f"{statistics.median(ratios):.3f}",
                         f"{ratios[quarter]:.3f} to {ratios[-1 - quarter]:.3f}"])
    print(f"{options.repetitions} pairs.\n")
    table(["", "old, median ms", "new, median ms", "new over old, median of pairs", "middle half"], rows)
