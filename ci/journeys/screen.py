"""What stands on the screen: help, completions, 80 columns, pipes."""

import os
import pty
import re
import subprocess
import termios
import time
import unicodedata

from journeys.stage import PROBLEM, SUM, Fault

WIDTHS = (60, 80, 120)


def columns(line):
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in plain)


def fits(stage):
    stage.package(changes={"submissions/wrong_answer/" + "looks_past_the_end_of_a_row_and_further" + ".py": "print(1)\n"})
    for width in WIDTHS:
        for command in ("judge run", "judge run -v", "judge list -v", "judge check", "judge verify", "judge matrix", "judge doctor",
                        "judge validate"):
            text = stage.run(f"COLUMNS={width} {command}", 0)
            wide = [line for line in text.splitlines() if columns(line) > width and str(stage.top) not in line]
            if wide:
                raise Fault(f"`{command}` is wider than {width} columns:\n" + "\n".join(wide))


def cached_once(stage):
    stage.package(changes={f"submissions/accepted/sum{number}.py": SUM + "\n" * number for number in range(1, 9)})
    stage.run("judge run", 0)
    text = stage.run("judge run", 0, "cached")
    if text.count("cached") > 2:
        raise Fault(f"`cached` stands {text.count('cached')} times in\n{text}")


def grouped_help(stage):
    text = stage.run("judge --help", 0)
    verbs = re.findall(r"^  +([a-z]+)  +\S", text, re.MULTILINE)
    if len(verbs) < 22:
        raise Fault(f"found {len(verbs)} verbs in\n{text}")
    for verb in verbs:
        if verb != "help":
            stage.run(f"judge {verb} --help", 0, [rf"judge {verb}.*\n(.*\n)*.*judge {verb}"])


def completions(stage):
    stage.package()
    stage.run("judge completions bash > done.bash && bash -n done.bash", 0)
    stage.run("COMPLETE=bash _CLAP_COMPLETE_INDEX=2 _CLAP_COMPLETE_COMP_TYPE=9 _CLAP_COMPLETE_SPACE=true _CLAP_IFS=$'\\n' "
              "judge -- judge run pair", 0, "pairsum")


def quiet_pipes(stage):
    stage.package()
    stage.run("judge run | head -1", 0)
    stage.run("judge run > /dev/full", 4)
    text = stage.run("judge run", 0)
    if "\x1b" in text or "\r" in text:
        raise Fault("control characters in a pipe")
    colours = {"CLICOLOR_FORCE": "1"}
    if "\x1b[" not in stage.run("judge run", 0, env=colours):
        raise Fault("CLICOLOR_FORCE is not honoured")
    if "\x1b[" in stage.run("NO_COLOR=1 judge run", 0):
        raise Fault("NO_COLOR is not honoured")


def interrupted(stage):
    """Ctrl-C in a terminal of 80 columns: the echo of it must not wrap, or the bar is never taken away."""
    wait = "import time\ntime.sleep(9)\n"
    stage.package(changes={"submissions/accepted/sum.py": wait + SUM, "problem.yaml": PROBLEM.replace("time_limit: 1", "time_limit: 30"),
                           "generators/generators.yaml": "data:\n  secret:\n    data:\n      new: slow.py 1\n",
                           "generators/slow.py": wait + "print(1, 1)\n"})
    for command in ("judge run", "judge verify", "judge matrix", "judge generate", "judge stress pairsum/wrong_answer/minus.py",
                    "judge compare pairsum/accepted/sum.py pairsum/wrong_answer/minus.py", "judge submit -p pairsum problems/pairsum/submissions/accepted/sum.py"):
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(ours, (24, 80)) if hasattr(termios, "tcsetwinsize") else subprocess.run(
            ["stty", "rows", "24", "cols", "80"], stdin=theirs, check=True)
        child = subprocess.Popen(["setsid", "--ctty", "--wait", "bash", "-c", f"exec {command}"], cwd=stage.directory, stdin=theirs,
                                 env=stage.environment | {"TERM": "xterm", "COLUMNS": "80"}, stdout=theirs, stderr=theirs)
        os.close(theirs)
        os.set_blocking(ours, False)
        raw, end, sent = b"", time.monotonic() + 60, False
        begun = time.monotonic()
        while time.monotonic() < end and child.poll() is None:
            try:
                raw += os.read(ours, 65536)
            except OSError:
                time.sleep(0.05)
            if not sent and time.monotonic() - begun > 2:
                sent = os.write(ours, b"\x03") == 1
        stage.steps += 1
        time.sleep(0.1)
        try:
            while more := os.read(ours, 65536):
                raw += more
        except OSError:
            pass
        os.close(ours)
        text = raw.decode(errors="replace")
        if child.poll() is None:
            child.kill()
            raise Fault(f"`{command}` was not ended by Ctrl-C:\n{text}")
        if not sent or "^C" not in text or child.returncode != 130 or not re.search("interrupted|partial", text):
            raise Fault(f"`{command}` ended with {child.returncode}:\n{text}")
        for before in text.split("^C")[:-1]:
            row = before.rsplit("\r", 1)[-1].rsplit("\n", 1)[-1]
            if columns(row) > 78:
                raise Fault(f"`{command}`: no room for `^C` behind\n{row!r}")


def for_an_editor(stage):
    stage.package(changes={"data/secret/1.in": "5 7\r\n"})
    stage.run("judge check --message-format short", 3, r"^problems/pairsum/data/secret/1\.in:1:\d+: \w+: .* \[JP203\]$")


def schemas(stage):
    for name in ("problem.yaml", "submissions.yaml", "generators.yaml", "test_group.yaml", "judge.yaml"):
        stage.run(f"judge schema {name} | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"$schema\"])'", 0, "json-schema")


JOURNEYS = {
    "nothing wider than the screen": fits,
    "cached, once": cached_once,
    "help": grouped_help,
    "completions": completions,
    "pipes and colours": quiet_pipes,
    "Ctrl-C": interrupted,
    "messages for an editor": for_an_editor,
    "schemas": schemas,
}
