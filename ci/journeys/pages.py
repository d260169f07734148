"""The commands that the pages for newcomers show, run as they stand there.

The tour and `judge/docs/solving.md` are followed from top to bottom; of `judge/docs/coming-from.md` every command that names
the problem `fiveup` or a file of the page is run. README.md and the paths are followed by the tests (judge/tests/tour.rs). What a command must end with stands here only if it is not 0.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from journeys.stage import ROOT, Fault

# Commands that end with something else than 0, since they judge what is wrong on purpose.
CODES = {
    "judge submit my/fiveup.rs": 1,
    "judge submit my/fiveup.rs --no-fail-fast": 1,
    "judge submit -p fiveup my/fiveup.rs -v": 1,
    "judge stress my/fiveup.rs": 1,
}
# Only these begin a command that means something in a copy of this workspace.
RUNNABLE = re.compile(r"\b(fiveup|my/fiveup\.rs)\b")


def workspace(stage):
    files = subprocess.run(["git", "ls-files", "judge.yaml", "problems", "solutions"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split("\n")
    for name in filter(None, files):
        target = stage.directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    stage.run("mkdir -p my && cp solutions/fiveup/wrong_answer/greedy_look_ahead.rs my/fiveup.rs")
    stage.write({"my/new.in": "0-6 6-6\n0-6\n"})
    stage.run("git init -q -b main && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm one")


def commands_of(page):
    """The commands of a page: lines of its blocks for the shell, and code that begins with `judge` and names what is there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.split(" #")[0].strip() for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`(judge [^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    found = [line for line in lines if line] + [span for span in spans if RUNNABLE.search(span)]
    return list(dict.fromkeys(found))


def page(name, least):
    def journey(stage):
        workspace(stage)
        commands = commands_of(name)
        if len(commands) < least:
            raise Fault(f"found {len(commands)} commands on {name}, expected at least {least}: is it still read rightly?")
        # Files for the user go into the copy, while tools are found where they are.
        tools = {f"{tool}_HOME": os.environ.get(f"{tool}_HOME", str(Path.home() / f".{tool.lower()}")) for tool in ("RUSTUP", "CARGO")}
        for command in commands:
            # Watching goes on until Ctrl-C, and ends then as what was judged last.
            line = f"timeout --preserve-status -s INT 20 {command}" if command.endswith("--watch") else command
            stage.run(line, CODES.get(command, 0), env=tools | {"HOME": str(stage.directory)})
    return journey


JOURNEYS = {
    "the tour": page("judge/docs/tour.md", 30),
    "solving problems": page("judge/docs/solving.md", 6),
    "coming from another tool": page("judge/docs/coming-from.md", 20),
}
