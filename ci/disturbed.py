"""A workspace that is judged while its host is disturbed, and what may be left of that; imported by the scripts that disturb.

Responsible for the workspace, for starting the judge in it, and for holding what it says against what an undisturbed run
says. Must not know what the disturbances are.
"""

import json
import os
import subprocess
import time
from pathlib import Path

LEVELS = ["full", "namespaces", "user", "landlock", "none"]
NOBODY = 65534
PATIENCE = 120

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
SOLUTION = HEAD + 'int main(void) { int a, b; if (scanf("%%d %%d", &a, &b) != 2) return 1; %s }\n'
FILES = {
    "judge.yaml": "problems: [problems]\n",
    "problems/sum/problem.yaml": "problem_format_version: 2025-09\ntype: pass-fail\nname: Sum\nlicense: public domain\n"
    "uuid: 5c7d4b55-3c57-4d0e-8d4b-000000000003\nlimits:\n  time_limit: 8\n  memory: 256\n",
    "problems/sum/output_validator/validate.c": HEAD + "int main(int argc, char **argv) { int a, b; "
    'FILE *f = fopen(argv[2], "r"); if (fscanf(f, "%d", &a) != 1 || scanf("%d", &b) != 1) return 43; '
    "return a == b ? 42 : 43; }\n",
    "problems/sum/generators/pair.c": HEAD + 'int main(int argc, char **argv) { printf("%s 7\\n", argv[1]); }\n',
    "problems/sum/generators/generators.yaml": "solution: /submissions/accepted/sum.c\ndata:\n  secret:\n    data:\n"
    "      - one: pair.c 1\n      - two: pair.c 2\n",
    "problems/sum/submissions/accepted/sum.c": SOLUTION % 'printf("%d\\n", a + b);',
    "problems/sum/submissions/wrong_answer/more.c": SOLUTION % 'printf("%d\\n", a + b + 1);',
    "problems/sum/submissions/run_time_error/aborts.c": SOLUTION % "abort();",
    "problems/sum/data/sample/1.in": "1 2\n",
    "problems/sum/data/sample/1.ans": "3\n",
}


class Fault(Exception):
    """Something that must not be."""


class Place:
    """A workspace, a cache and a directory for temporary files, at one isolation level."""

    def __init__(self, judge, root, level):
        self.level = level
        self.root = root / level
        self.user = NOBODY if level == "landlock" and os.geteuid() == 0 else None
        self.workspace, self.cache, self.tmp = (self.root / name for name in ("workspace", "cache", "tmp"))
        for directory in (self.root, self.workspace, self.cache, self.tmp):
            directory.mkdir(parents=True)
            directory.chmod(0o755)
        for name, text in FILES.items():
            (self.workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (self.workspace / name).write_text(text)
        self.judge = judge
        self.own()
        self.pids = set()
        self.expected = None

    def own(self, directory=None):
        """Gives everything to the user that the judge runs as."""
        if self.user is not None:
            subprocess.run(["chown", "-R", f"{self.user}:{self.user}", directory or self.root], check=True)

    def command(self, *arguments, wrap=()):
        user = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"] if self.user else []
        return [*wrap, *user, str(self.judge), *arguments]

    def environment(self, **more):
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {"HOME": str(self.root), "TMPDIR": str(self.tmp), "JUDGE_CACHE_DIR": str(self.cache)}
        return {**kept, **own, **more}

    def start(self, *arguments, wrap=(), **more):
        command = self.command(*arguments, f"--isolation={self.level}", wrap=wrap)
        child = subprocess.Popen(
            command, cwd=self.workspace, env=self.environment(**more), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        self.pids.add(child.pid)
        return child

    def run(self, *arguments, **how):
        child = self.start(*arguments, **how)
        try:
            stdout, stderr = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            raise Fault(f"no end within {PATIENCE} s: {' '.join(arguments)}") from None
        return child.returncode, stdout, stderr

    def judges(self, what, *, may_fail=False, arguments=("--no-cache",), **how):
        """Judges everything, which comes to what is expected, or (if it may fail) to an honest error."""
        code, stdout, stderr = self.run("run", "--json", "--no-fail-fast", *arguments, **how)
        told = verdicts(stdout)
        if self.expected is None:
            if code != 0 or not told:
                raise Fault(f"{what}: exit code {code}: {stderr}{stdout[-2000:]}")
            self.expected = told
        if code == 0 and told == self.expected:
            return True
        wrong = {key: verdict for key, verdict in told.items() if self.expected.get(key) != verdict}
        if wrong:
            raise Fault(f"{what}: wrong verdicts {wrong}")
        reason = stderr.strip() or any('"host_fault"' in line for line in stdout.splitlines())
        if may_fail and code == 4 and reason:
            return False
        if '"success":false' in stdout:
            raise Fault(f"{what}: a submission did not compile: {stdout[-2000:]}")
        raise Fault(f"{what}: exit code {code}, {len(told)} verdicts: {stderr}{stdout[-1500:]}")

    def left(self):
        """What is left of runs that are over."""
        found = [path for path in self.tmp.iterdir()]
        found += [path for path in (self.cache / "staging").glob("*")]
        found += [path for path in (self.cache / "programs/large").glob("*/*")]
        found += [path for part in ("files", "host") for path in (self.cache / "results" / part).glob("*.[0-9]*")]
        for directory in ("/tmp", "/var/tmp"):
            found += [path for path in Path(directory).glob("judge-*") if self.is_ours(path.name)]
        for path, directories, _ in os.walk("/sys/fs/cgroup"):
            found += [Path(path, name) for name in directories if self.is_ours(name)]
        return [str(path) for path in found] + processes(self.judge) + mounts(self.root)

    def is_ours(self, name):
        parts = name.split("-")
        return len(parts) == 5 and parts[0] == "judge" and parts[2].isdigit() and int(parts[2]) in self.pids

    def expect_nothing_left(self, what, known=frozenset()):
        """Nothing is left but what is known to be somebody's who is still there."""
        # The kernel takes a moment to end what it was told to.
        for _ in range(40):
            left = [one for one in self.left() if one not in known]
            if not left:
                return
            time.sleep(0.05)
        raise Fault(f"{what}: left behind: {left[:10]}")


def verdicts(stream):
    told = {}
    for line in stream.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue  # A stream may be cut off by what is tried.
        if event.get("event") == "test_case_finished":
            told[event["submission"], event["test_case"]] = event["verdict"]
    return told


def processes(executable):
    """Processes of this very program file."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.readlink(entry / "exe").startswith(str(executable)):
                    found.append(f"process {entry.name}: {(entry / 'cmdline').read_bytes()[:80]}")
            except OSError:
                continue
    return found


def mounts(root):
    return [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines() if f" {root}/" in line]


def full_disk(target, size):
    """A command in front of another, for which a directory is on a file system with so many KiB left; needs root.

    The mount is one of a namespace that ends with the command.
    """
    # A file takes what `size` KiB do not leave.
    script = (
        f"mount -t tmpfs -o size={size + 64}k,mode=1777 none {target} && "
        f"head -c 65536 /dev/zero > {target}/filling; exec \"$@\"")
    return ("unshare", "-m", "sh", "-c", script, "sh")
