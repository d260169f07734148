"""Functions that the scripts in this directory share: the program, Python environments with packages, and event streams."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()


def main(document, check, self_test):
    """Runs a check without options, or with --self-test its self-test; `document` is the usage."""
    if sys.argv[1:] not in ([], ["--self-test"]):
        sys.exit(document)
    sys.exit(self_test() if sys.argv[1:] else check())


def executables(release=False, tests=()):
    """Builds the programs, and all test programs or those named in `tests`; returns (name, is a test) -> path.

    The debug build is that of `cargo test --workspace`: with fewer packages, dependencies have fewer features and are all built again.
    """
    command = ["cargo", "build", "--release", "--package=judge"] if release else ["cargo", "test", "--workspace", "--no-run"]
    command += [*(f"--test={name}" for name in tests), "--locked", "--message-format=json-render-diagnostics"]
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {(message["target"]["name"], message["profile"]["test"]): message["executable"]
            for message in messages if message["reason"] == "compiler-artifact" and message["executable"]}


def judge(given=None, release=False):
    """Returns the path of the program: the given one, or else the one that cargo builds."""
    return str(Path(given).resolve()) if given else executables(release)["judge", False]


class NotChecked(Exception):
    """The reason why a check is impossible on this host."""


def fails(name, check, *arguments):
    """Runs a check, and prints its name with its result, with the reason why it is impossible, or with its fault. True for a fault."""
    try:
        result = check(*arguments) or "ok"
    except NotChecked as reason:
        result = f"NOT CHECKED: {reason}"
    except Exception as error:  # any error is a fault of the checked program
        result = f"FAILED: {type(error).__name__}: {str(error)[:3000]}"
    print(f"{Path(sys.argv[0]).resolve().relative_to(ROOT)}: {name}: {result}", flush=True)
    return result.startswith("FAILED")


def environment(name, packages):
    """Returns the `bin` directory of a Python environment with these packages. Raises NotChecked if pip cannot install them."""
    place = TARGET / "ci" / name
    installed = place / "packages"
    if not installed.is_file() or installed.read_text() != "\n".join(packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], stdout=subprocess.DEVNULL, check=True)
        pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, *packages], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NotChecked(f"pip cannot install {', '.join(packages)}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        installed.write_text("\n".join(packages))
    return place / "bin"


def enter(name, packages):
    """Continues this script in a Python environment with these packages; ends it if pip cannot install them."""
    if Path(sys.prefix) == TARGET / "ci" / name:
        return
    try:
        python = environment(name, packages) / "python"
    except NotChecked as reason:
        sys.exit(print(f"{sys.argv[0]}: NOT CHECKED: {reason}"))
    os.execv(python, [python, *sys.argv])


def host_root(directory):
    """Returns a tar archive of an image for containers that mount this host's /usr: empty directories, and the links in Debian's root."""
    for name in ("dev", "etc", "opt", "proc", "root", "run", "sys", "tmp", "usr", "var/tmp"):
        (directory / name).mkdir(parents=True)
    for name, mode in (("", 0o755), ("root", 0o700), ("tmp", 0o1777), ("var/tmp", 0o1777)):
        (directory / name).chmod(mode)
    for name in ("bin", "lib", "lib64", "sbin"):
        (directory / name).symlink_to(f"usr/{name}")
    for name in ("passwd", "group"):
        (directory / "etc" / name).write_bytes(Path("/etc", name).read_bytes())
    (directory / "etc/shadow").touch(mode=0o600)
    return subprocess.run(["tar", "-C", directory, "-c", "."], stdout=subprocess.PIPE, check=True).stdout


def events(stream):
    return [json.loads(line) for line in stream.splitlines() if line.startswith("{")]
