"""What every format of a release is made of: the program and the texts that go with it. Must not know of any format."""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
DIST = TARGET / "dist"
PLATFORM = "x86_64-unknown-linux-gnu"
TEXTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]
SHELLS = ("bash", "zsh", "fish", "elvish", "powershell")


class File(NamedTuple):
    """A file that is handed out: its name, whether it is a program, and its bytes."""

    path: str
    executable: bool
    content: bytes


class Release(NamedTuple):
    """What every format is made of."""

    version: str
    time: int
    program: bytes
    # One per command, `judge.1` and `judge-COMMAND.1`.
    pages: dict
    # Shell -> its completions.
    completions: dict
    texts: dict
    # The crates that the program is linked from, as CycloneDX.
    bill_of_materials: bytes


def read(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def version():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', manifest, re.MULTILINE)[1]


def time():
    """Seconds since 1970 of the commit: the time of every file that is handed out."""
    return int(read("git", "log", "-1", "--format=%ct"))


def gathered(program, bill_of_materials, licences):
    """Asks a program for the texts that go with it."""

    def written(*arguments):
        return subprocess.run([program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout

    page = written("man")
    # The page lists a page for each command, as judge-COMMAND(1).
    pages = {f"judge-{command}.1": written("man", command) for command in sorted(set(commands(page.decode())))}
    return Release(
        version=version(),
        time=time(),
        program=Path(program).read_bytes(),
        pages={"judge.1": page} | pages,
        completions={shell: written("completions", shell) for shell in SHELLS},
        texts={text: (ROOT / text).read_bytes() for text in TEXTS} | {"THIRD-PARTY-LICENCES": licences},
        bill_of_materials=bill_of_materials,
    )


def commands(page):
    for line in page.splitlines():
        name = line.removeprefix("judge\\-").removesuffix("(1)")
        if line.startswith("judge\\-") and line.endswith("(1)") and name != "help":
            yield name.replace("\\-", "-")
