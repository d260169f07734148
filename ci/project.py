"""What the scripts in this directory share: the program, Python environments with packages of others, and event streams."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()


def executables(release=False):
    """(name, whether it is a test) -> path of what cargo builds.

    The debug build is that of `cargo test --workspace`: built alone, dependencies have fewer features and are all built again.
    """
    command = ["cargo", "build", "--release", "--package=judge"] if release else ["cargo", "test", "--workspace", "--no-run"]
    command += ["--locked", "--message-format=json-render-diagnostics"]
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {(message["target"]["name"], message["profile"]["test"]): message["executable"]
            for message in messages if message["reason"] == "compiler-artifact" and message["executable"]}


def judge(given=None, release=False):
    """The path of the program: the given one, or else the one that cargo builds."""
    return str(Path(given).resolve()) if given else executables(release)["judge", False]


def environment(name, packages):
    """The `bin` directory of a Python environment with these packages. Raises CalledProcessError where pip cannot install them."""
    place = TARGET / "ci" / name
    installed = place / "packages"
    if not installed.is_file() or installed.read_text() != "\n".join(packages):
        quiet = {"check": True, "capture_output": True, "text": True}
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], **quiet)
        pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *packages], **quiet)
        installed.write_text("\n".join(packages))
    return place / "bin"


def enter(name, packages):
    """Continues this script in a Python environment with these packages; ends it where pip cannot install them."""
    if Path(sys.prefix) == TARGET / "ci" / name:
        return
    try:
        python = environment(name, packages) / "python"
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["?"])[-1]
        sys.exit(print(f"{sys.argv[0]}: NOT CHECKED: pip cannot install {', '.join(packages)}: {reason}"))
    os.execv(python, [python, *sys.argv])


def host_root(directory):
    """A tar archive for an image of containers that mount this host's /usr: empty directories, and the links that Debian has in its root."""
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
