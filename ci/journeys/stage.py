"""The workspace that a journey is made in, and the commands of it.

Knows no journey. A journey is a function that is given a `Stage` and calls `write` and `run` on it.
"""

import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PROBLEM = """\
problem_format_version: 2025-09
type: pass-fail
name: {en: Pair sum}
uuid: 8a5b1c9e-0d55-4a8f-9d0a-3f8ab1a06b8f
license: public domain
limits: {time_limit: 1}
"""
VALIDATOR = """\
import re, sys
text = sys.stdin.read()
match = re.fullmatch(r"(-?[0-9]+) (-?[0-9]+)\\n", text)
if not match or any(abs(int(number)) > 1000 for number in match.groups()):
    print("expected two numbers from -1000 to 1000", file=sys.stderr)
    sys.exit(43)
sys.exit(42)
"""
SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
MINUS = "a, b = map(int, input().split())\nprint(a - b)\n"
GENERATOR = "import random, sys\nrandom.seed(int(sys.argv[-1]))\nprint(random.randint(-9, 9), random.randint(1, 9))\n"
PACKAGE = {
    "problem.yaml": PROBLEM,
    "statement/problem.en.md": "Read two numbers of at most 1000, print their sum.\n",
    "input_validators/validate.py": VALIDATOR,
    "generators/random_pair.py": GENERATOR,
    "submissions/accepted/sum.py": SUM,
    "submissions/wrong_answer/minus.py": MINUS,
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "5 7\n",
    "data/secret/1.ans": "12\n",
    "data/secret/2.in": "-3 4\n",
    "data/secret/2.ans": "1\n",
    "data/invalid_input/words.in": "one two\n",
}


class Fault(Exception):
    """A step that did not come out as it must."""


class Stage:
    """A directory for each journey; what programs were compiled to is kept between them."""

    def __init__(self, judge, shows):
        self.judge, self.shows, self.steps = judge, shows, 0

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="judge-walkthrough-")
        self.top = Path(self.temporary.name).resolve()
        commands = self.top / "commands"
        commands.mkdir()
        (commands / "judge").symlink_to(self.judge)
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("GITHUB_ACTIONS", "GITLAB_CI", "CI", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR")}
        self.environment |= {"PATH": f"{commands}:{os.environ['PATH']}", "JUDGE_CACHE_DIR": str(self.top / "cache"),
                             "TMPDIR": str(self.top), "COLUMNS": "100"}
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def play(self, name, journey):
        """Makes a journey in a new directory; gives what was wrong."""
        self.directory = self.top / "workspace"
        self.directory.mkdir()
        try:
            journey(self)
            return []
        except Fault as fault:
            return [textwrap.indent(str(fault), "        ")]
        finally:
            subprocess.run(["chmod", "-R", "u+rwX", self.directory], check=False)
            shutil.rmtree(self.directory)

    def package(self, name="pairsum", changes=(), workspace=True):
        """A sound package, but for changes: a text for a file, bytes, or None for one that is not there."""
        if workspace:
            self.write({"judge.yaml": "problems: problems\n"})
        place = f"problems/{name}" if workspace else name
        self.write({f"{place}/{file}": content for file, content in (PACKAGE | dict(changes)).items()})
        return place

    def write(self, files):
        for name, content in files.items():
            path = self.directory / name
            if content is None:
                path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def read(self, name):
        return (self.directory / name).read_text(encoding="utf-8", errors="replace")

    def run(self, command, code=0, says=(), never=(), at=".", given=None, env=()):
        """Runs a command of the shell; holds it against its exit code and against regular expressions on what it writes."""
        self.steps += 1
        done = subprocess.run(["bash", "-c", command], cwd=self.directory / at, env=self.environment | dict(env),
                              input=given, stdin=None if given else subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=600)
        text = done.stdout.decode(errors="replace")
        if self.shows:
            print(textwrap.indent(f"$ {command}\n{text}[exit code {done.returncode}]\n", "        "))
        wrong = [f"exit code {done.returncode}, expected {code}"] if done.returncode != code else []
        wrong += [f"nothing like `{pattern}`" for pattern in self.patterns(says) if not re.search(pattern, text, re.MULTILINE)]
        wrong += [f"something like `{pattern}`" for pattern in self.patterns(never) if re.search(pattern, text, re.MULTILINE)]
        if wrong:
            raise Fault(f"{'; '.join(wrong)}, in\n$ {command}\n{text}")
        return text

    @staticmethod
    def patterns(of):
        return (of,) if isinstance(of, str) else of
