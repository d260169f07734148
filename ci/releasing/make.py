"""Creates the files of a release. maturin builds the program once, and all files are created from it.

It is linked statically and contains no path of the host, and every file has the time of the commit: the same commit makes the same bytes
in every directory. Each function returns name -> bytes.
"""

import gzip
import io
import json
import os
import re
import shlex
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

import project
from project import ROOT, TARGET

PLATFORM = "x86_64-unknown-linux-gnu"
# The program needs no C library, so it runs on systems with musl too. maturin does not add this tag.
MUSL = "musllinux_1_1_x86_64"
TOOLS = ["maturin==1.16.0", "wheel==0.48.0"]
COMPLETIONS = {"bash": "judge.bash", "zsh": "_judge", "fish": "judge.fish", "elvish": "judge.elv", "powershell": "_judge.ps1"}
# Files besides Cargo.toml that must contain the version of the release.
MENTIONS = ("Cargo.lock", "action.yml", "templates/judge.yml", "ci/recipes/github/workflow.yml", "ci/recipes/pre-commit/pyproject.toml",
            "judge/docs/guides/ci.md", "judge/docs/guides/containers.md", "judge/docs/guides/installing.md")


def git(*words):
    return project.run("git", *words).stdout.strip()


def read(place):
    return (ROOT / place).read_text(encoding="utf-8")


def version():
    return re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', read("Cargo.toml"), re.MULTILINE)[1]


def reasons_against_release():
    if git("status", "--porcelain"):
        yield "there are changes that are not committed"
    if f"\n## [{version()}]" not in read("CHANGELOG.md"):
        yield f"CHANGELOG.md has no section `[{version()}]`"
    if f"v{version()}" not in git("tag", "--points-at", "HEAD").splitlines():
        yield f"this commit has no tag `v{version()}`"
    if "/OWNER/" in read("Cargo.toml"):
        yield "`repository` in Cargo.toml has no owner yet"
    for place in MENTIONS:
        if not re.search(rf"(?<![\d.]){re.escape(version())}(?!\.?\d)", read(place)):
            yield f"{place} does not mention version {version()}"


def seconds():
    """Returns the time of the commit, in seconds since 1970."""
    return int(git("log", "-1", "--format=%ct"))


def build_environment():
    sysroot = project.run("rustc", "--print", "sysroot").stdout.strip()
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    # Build scripts write below the target directory, which may be outside the sources.
    hidden = {cargo_home: "/cargo", sysroot: "/rust", str(ROOT): "/judge", str(TARGET): "/judge/target"}
    flags = ["-Ctarget-feature=+crt-static", *(f"--remap-path-prefix={path}={name}" for path, name in hidden.items())]
    return os.environ | {
        # Assertions of C libraries name their files.
        "CFLAGS": shlex.join(f"-ffile-prefix-map={path}={name}" for path, name in hidden.items()),
        "CC_SHELL_ESCAPED_FLAGS": "1",
        # maturin passes `--target`, so these flags do not apply to build scripts and macros.
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_TARGET_DIR": str(TARGET),
        "SOURCE_DATE_EPOCH": str(seconds()),
    }


def wheels(profile):
    """Builds the wheels and the sources for pip; the program and its bill of materials are in the wheels."""
    tools, environment = project.environment("release", TOOLS), build_environment()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)

        def run(tool, *words):
            subprocess.run([tools / tool, *words], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)

        run("maturin", "build", "--profile", profile, "--locked", "--target", PLATFORM, "--out", place)
        run("maturin", "sdist", "--out", place)
        # The bill of materials names the directory of the sources.
        (wheel,) = place.glob("*.whl")
        run("wheel", "unpack", "--dest", place / "unpacked", wheel)
        (unpacked,) = (place / "unpacked").iterdir()
        (bill,) = unpacked.glob("*.dist-info/sboms/*")
        bill.write_text(bill.read_text(encoding="utf-8").replace(ROOT.as_uri(), "file:///judge"), encoding="utf-8")
        wheel.unlink()
        run("wheel", "pack", "--dest-dir", place, unpacked)
        run("wheel", "tags", f"--platform-tag={MUSL}", wheel)
        return {file.name: file.read_bytes() for file in place.iterdir() if file.is_file()}


def contents(wheel, directory):
    """Returns path -> bytes of the files in the archive."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as opened:
        found = {"judge": next(opened.read(name) for name in opened.namelist() if name.endswith(".data/scripts/judge"))}
        found["judge.cdx.json"] = next(opened.read(name) for name in opened.namelist() if ".dist-info/sboms/" in name)
    program = directory / "judge"
    program.write_bytes(found["judge"])
    program.chmod(0o755)

    def written(*words):
        return subprocess.run([program, *words], stdout=subprocess.PIPE, check=True).stdout

    found["man/judge.1"] = written("print", "man")
    # The page lists a page for each command, as judge-COMMAND(1).
    for command in set(re.findall(r"^judge\\-(\S+)\(1\)$", found["man/judge.1"].decode(), re.MULTILINE)) - {"help"}:
        found[f"man/judge-{command}.1"] = written("print", "man", command)
    found |= {f"completions/{name}": written("print", "completions", shell) for shell, name in COMPLETIONS.items()}
    found |= {name: (ROOT / name).read_bytes() for name in ("README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE")}
    return found | {"THIRD-PARTY-LICENCES": licences(found["judge.cdx.json"])}


def licences(bill):
    """Returns the licence texts of all crates in a bill of materials, each text once with its crates."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={PLATFORM}"]
    packages = json.loads(project.run(*command).stdout)["packages"]
    linked = {(component["name"], component["version"]) for component in json.loads(bill)["components"]}
    crates = {}
    for package in packages:
        if package["source"] and (package["name"], package["version"]) in linked:
            names = [file for file in sorted(Path(package["manifest_path"]).parent.iterdir())
                     if file.is_file() and re.match(r"(un)?licen[cs]e|copying|copyright|notice", file.name, re.IGNORECASE)]
            for text in [file.read_text(encoding="utf-8", errors="replace").strip() for file in names] or ["It has no text of its licence."]:
                crates.setdefault(text, []).append(f"{package['name']} {package['version']} ({package['license'] or 'see below'})")
    parts = ["\n".join(["=" * 80, *sorted(names), "-" * 80, text]) for text, names in sorted(crates.items(), key=lambda entry: entry[1])]
    return "\n\n".join(["The crates that `judge` is linked from, with their licences.", *parts, ""]).encode()


def tar(files, owner=""):
    """Returns a tar archive of these files: path -> (content or None for a directory, mode)."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as opened:
        for path, (content, mode) in files.items():
            entry = tarfile.TarInfo(path)
            entry.mode, entry.size, entry.mtime, entry.uname, entry.gname = mode, len(content or b""), seconds(), owner, owner
            entry.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            opened.addfile(entry, io.BytesIO(content or b""))
    return buffer.getvalue()


def archive(files):
    """Returns a compressed tar archive of these files."""
    name = f"judge-{version()}-{PLATFORM}"
    entries = {f"{name}/{path}": (content, 0o755 if path == "judge" else 0o644) for path, content in sorted(files.items())}
    return {f"{name}.tar.gz": gzip.compress(tar(entries, "root"), mtime=0)}
