"""The programs of others that a release is made with, in versions that are written here. Must not know what is made.

They lie below the target directory, fetched from where cargo and pip fetch by themselves.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from releasing.program import TARGET

PLACE = TARGET / "release-tools"
# What makes a release. Another version makes other bytes.
MAKING = ["maturin==1.16.0", "wheel==0.48.0"]
AUDITABLE = "0.7.7"


class Missing(Exception):
    """What a tool's own installer says when it cannot be had."""


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        last = done.stdout.strip().splitlines()[-1:] or ["nothing"]
        raise Missing(f"`{' '.join(str(word) for word in command[:5])} …` says: {last[0]}")


def python(name, packages):
    """The directory of the programs of an environment of Python that has these packages."""
    place = PLACE / name
    wanted, have = "\n".join(packages), place / "packages"
    if not have.exists() or have.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(place, ignore_errors=True)
        run(sys.executable, "-m", "venv", place)
        run(place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
        have.write_text(wanted, encoding="utf-8")
    return place / "bin"


def cargo(crate, version):
    """The directory of the program of a crate."""
    place = PLACE / f"{crate}-{version}"
    if not (place / "bin" / crate).exists():
        # Built for this host only, and as it builds quickest: it works for seconds.
        quick = os.environ | {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1"}
        run("cargo", "install", "--quiet", "--locked", crate, "--version", version, "--root", place, env=quick)
    return place / "bin"


def auditable_cargo():
    """A cargo that writes into each program what it was linked from."""
    installed = cargo("cargo-auditable", AUDITABLE)
    place = PLACE / "auditable"
    place.mkdir(parents=True, exist_ok=True)
    real = subprocess.run(["rustup", "which", "cargo"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip() \
        if shutil.which("rustup") else ""
    # cargo makes the names of our crates from the name of this wrapper too, which must not be a path of this host.
    inner = place / "cargo-with-wrapper"
    inner.write_text(
        f'#!/bin/sh\nRUSTC_WORKSPACE_WRAPPER=cargo-auditable exec "{real or shutil.which("cargo")}" "$@"\n', encoding="utf-8")
    script = place / "cargo"
    script.write_text(
        f'#!/bin/sh\nexport PATH="{installed}:$PATH" CARGO="{inner}"\n'
        f'exec "{installed}/cargo-auditable" auditable "$@"\n', encoding="utf-8")
    for one in (inner, script):
        one.chmod(0o755)
    return script
