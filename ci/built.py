"""Where the program is that the other scripts in this directory put to the test; imported by them.

It is the one that `cargo test --workspace` builds. Built by itself, the dependencies would have fewer features, and all of
them would be built once more.
"""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def judge():
    """Builds the program and gives its path, as cargo says it."""
    command = ["cargo", "test", "--workspace", "--locked", "--no-run", "--message-format=json-render-diagnostics"]
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    messages = (json.loads(line) for line in output.splitlines() if line.startswith("{"))
    return next(message["executable"] for message in messages if is_judge(message))


def is_judge(message):
    if message.get("reason") != "compiler-artifact":
        return False
    target = message["target"]
    return target["name"] == "judge" and "bin" in target["kind"] and not message["profile"]["test"]
