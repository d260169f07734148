"""The program of a release: built so that it runs anywhere, with the texts that go with it. Must not know of any format.

It is linked statically, so it needs nothing of the system that it runs on. No path of the host that builds it is in it:
the same commit makes the same bytes wherever it lies.
"""

import os
import subprocess
import tomllib
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
    # Seconds since 1970 of the commit: the time of every file that is handed out.
    time: int
    program: bytes
    # One per command, `judge.1` and `judge-COMMAND.1`.
    pages: dict
    # Shell -> its completions.
    completions: dict
    texts: dict


def read(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]


def build(subcommand=("build",)):
    """Builds the program and gives the path of a copy without symbols."""
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    hidden = {cargo_home: "/cargo", read("rustc", "--print", "sysroot"): "/rust", str(ROOT): "/judge"}
    # What build scripts write lies there, also where that is not below the sources.
    hidden[str(TARGET)] = "/judge/target"
    flags = ["-Ctarget-feature=+crt-static", *(f"--remap-path-prefix={path}={name}" for path, name in hidden.items())]
    # With a platform named, the flags are not those of build scripts and macros, which must stay as they are.
    command = ["cargo", *subcommand, "--release", "--locked", "--package", "judge", "--bin", "judge", "--target", PLATFORM]
    environment = os.environ | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags), "CARGO_TARGET_DIR": str(TARGET)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    # Names of functions are a fifth of it; a panic tells file and line without them.
    program = DIST / "judge"
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "-o", str(program), str(TARGET / PLATFORM / "release/judge")], check=True)
    return program


def gathered(program):
    """Asks a program for the texts that go with it."""

    def written(*arguments):
        return subprocess.run([program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout

    page = written("man")
    # The page lists a page for each command, as judge-COMMAND(1).
    pages = {f"judge-{command}.1": written("man", command) for command in sorted(set(commands(page.decode())))}
    return Release(
        version=version(),
        time=int(read("git", "log", "-1", "--format=%ct")),
        program=Path(program).read_bytes(),
        pages={"judge.1": page} | pages,
        completions={shell: written("completions", shell) for shell in SHELLS},
        texts={text: (ROOT / text).read_bytes() for text in TEXTS},
    )


def commands(page):
    for line in page.splitlines():
        name = line.removeprefix("judge\\-").removesuffix("(1)")
        if line.startswith("judge\\-") and line.endswith("(1)") and name != "help":
            yield name.replace("\\-", "-")
