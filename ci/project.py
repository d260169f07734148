"""Functions that the scripts share: options, commands, checks, the program, and Python environments with packages."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()
# The exit code of a script that can check nothing on this host; Automake uses the same one.
NOT_CHECKED = 77


def say(text):
    """Prints a line with the name of the script."""
    print(f"{os.path.relpath(os.path.realpath(sys.argv[0]), ROOT)}: {text}", flush=True)


def not_checked(reason):
    """Ends the script, which can check nothing on this host. `ci/check` shows the reason and does not count the step as passed."""
    say(f"NOT CHECKED: {reason}")
    sys.exit(NOT_CHECKED)


def usage_error(text):
    """Ends the script like a parser of options does."""
    print(f"{os.path.basename(sys.argv[0])}: error: {text}", file=sys.stderr)
    sys.exit(2)


def main(document, check, self_test):
    """Runs a check without options, or with --self-test its self-test; `document` is the usage."""
    if sys.argv[1:] not in ([], ["--self-test"]):
        sys.exit(document)
    if not sys.argv[1:]:
        sys.exit(check())
    self_test()
    say("self-test passed")


def options(document, rest=None, choices=(), **defaults):
    """Parses an option for each default, and words: some of `choices`, by default all of them.

    False is the default of a flag, and a type that of a required option.
    """
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    if rest:
        # Not `choices`: before Python 3.12, argparse refuses that there are no words.
        parser.add_argument(rest, nargs="*", metavar=f"{{{','.join(choices)}}}" if choices else None)
    for name, default in defaults.items():
        if isinstance(default, type):
            kind = {"type": default, "required": True}
        else:
            kind = {"action": "store_true"} if default is False else {"type": str if default is None else type(default)}
            kind |= {"default": default, "help": "default: %(default)s"}
        parser.add_argument(f"--{name.replace('_', '-')}", **kind)
    found = parser.parse_intermixed_args()
    for word in getattr(found, rest) if rest and choices else ():
        if word not in choices:
            parser.error(f"expected {rest} out of {', '.join(choices)}, found `{word}`")
    if rest and not getattr(found, rest):
        setattr(found, rest, [*choices])
    return found


def run(*command, codes=(0,), **options):
    """Runs a command, whose exit code must be one of `codes` (any if `None`); returns it with its output as text."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT} | options
    done = subprocess.run([*map(str, command)], text=True, errors="replace", check=False, **options)
    assert not codes or done.returncode in codes, (
        f"exit code {done.returncode}: {' '.join(map(str, command))[:500]}\n{(done.stdout or '')[-2000:]}{(done.stderr or '')[-2000:]}")
    return done


def listed_files():
    """Returns the names of the files of the repository, without those that git ignores."""
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout.split("\0")
    return sorted({name for name in names if name and (ROOT / name).is_file()})


def write_files(directory, files):
    """Writes texts below a directory: path -> text."""
    for place, text in files.items():
        (directory / place).parent.mkdir(parents=True, exist_ok=True)
        (directory / place).write_bytes(text.encode())


def problem_yaml(name, limits="time_limit: 10"):
    """Returns the problem.yaml of a made-up problem."""
    return (f"problem_format_version: 2025-09\nname: {name}\nuuid: {uuid.uuid5(uuid.NAMESPACE_URL, name)}\n"
            f"license: public domain\nlimits: {{{limits}}}\n")


def built(release=False, tests=()):
    """Builds the programs, and all test programs or those named in `tests`; returns cargo's messages about them.

    The debug build is that of `cargo test --workspace`: with fewer packages, dependencies have fewer features and are all built again.
    """
    command = ["cargo", "build", "--release", "--package=judge"] if release else ["cargo", "test", "--workspace", "--no-run"]
    command += [*(f"--test={name}" for name in tests), "--locked", "--message-format=json-render-diagnostics"]
    return [message for message in events(run(*command, stderr=None).stdout) if message.get("executable")]


def executables(release=False, tests=()):
    """Returns (name, is a test) -> path of the programs that are built."""
    return {(message["target"]["name"], message["profile"]["test"]): message["executable"] for message in built(release, tests)}


def judge(given=None, release=False):
    """Returns the path of the program: the given one, or else the one that cargo builds."""
    return str(Path(given).resolve()) if given else executables(release)["judge", False]


class NotChecked(Exception):
    """The reason why a check is impossible on this host."""


def report(faults):
    """Prints the faults and their number; returns the exit code."""
    for fault in [*faults, f"{len(faults)} faults"]:
        say(fault)
    return 1 if faults else 0


def in_directory(check, *arguments):
    """Returns a check for `run_checks` from a function of these arguments and an empty directory."""
    def run_check():
        with tempfile.TemporaryDirectory(prefix="judge-") as directory:
            return check(*arguments, Path(directory).resolve())

    return run_check


def run_checks(checks):
    """Runs checks, which are functions without arguments: name -> check. Returns the exit code: NOT_CHECKED if none is possible.

    Prints each name with the result of its check, with the reason why it is impossible, or with its fault.
    """
    codes = []
    for name, check in checks.items():
        try:
            code, result = 0, check() or "ok"
        except NotChecked as reason:
            code, result = NOT_CHECKED, f"NOT CHECKED: {reason}"
        except Exception as error:  # any error is a fault of the checked program
            code, result = 1, f"FAILED: {type(error).__name__}: {str(error)[:5000]}"
        codes.append(code)
        say(f"{name}: {result}")
    return combined(codes)


def combined(codes):
    """Returns the exit code of several checks: 1 if one failed, and NOT_CHECKED if none was possible."""
    return 1 if 1 in codes else min(codes, default=NOT_CHECKED)


def environment(name, packages):
    """Returns the `bin` directory of a Python environment with these packages. Raises NotChecked if pip cannot install them."""
    place = TARGET / "ci" / name
    installed = place / "packages"
    if not installed.is_file() or installed.read_text() != "\n".join(packages):
        run(sys.executable, "-m", "venv", "--clear", place)
        done = run(place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages, codes=None)
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
        not_checked(reason)
    os.execv(python, [python, *sys.argv])


def has_docker():
    return shutil.which("docker") is not None and run("docker", "version", codes=None).returncode == 0


def host_root():
    """Returns a tar archive of an image for containers that mount this host's /usr: empty directories, and the links in Debian's root."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for name in ("dev", "etc", "opt", "proc", "root", "run", "sys", "tmp", "usr", "var/tmp"):
            (directory / name).mkdir(parents=True)
        for name, mode in (("", 0o755), ("root", 0o700), ("tmp", 0o1777), ("var/tmp", 0o1777)):
            (directory / name).chmod(mode)
        for name in ("bin", "lib", "lib64", "sbin"):
            (directory / name).symlink_to(f"usr/{name}")
        for name in ("passwd", "group"):
            shutil.copy(f"/etc/{name}", directory / "etc")
        (directory / "etc/shadow").touch(mode=0o600)
        return subprocess.run(["tar", "-C", directory, "-c", "."], stdout=subprocess.PIPE, check=True).stdout


def events(stream):
    return [json.loads(line) for line in stream.splitlines() if line.startswith("{")]
