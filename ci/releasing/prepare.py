"""Writes the version of the next release into every file that names it."""

import datetime
import re
import subprocess

from project import ROOT

# Files in which every mention of the version is that of the release.
TEXTS = ("action.yml", "templates/judge.yml", "ci/recipes/github/workflow.yml", "ci/recipes/pre-commit/pyproject.toml",
         "judge/docs/ci.md", "judge/docs/installing.md")
UNRELEASED = "## [Unreleased]\n"


class Refused(Exception):
    """Why nothing is prepared, or released."""


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def read(place):
    return (ROOT / place).read_text(encoding="utf-8")


def version():
    return re.search(r'^\[workspace\.package\]\nversion = "(.+)"$', read("Cargo.toml"), re.MULTILINE)[1]


def replaced(place, new):
    """The text of a file with the new version."""
    old = re.escape(version())
    pattern = {
        "Cargo.toml": rf'(\[workspace\.package\]\nversion = "|, version = "=){old}(?=")',
        # cargo would write the same, but ask the network first. judge-testlib has a version of its own.
        "Cargo.lock": rf'(name = "judge(?:-(?!testlib)[a-z]+)?"\nversion = "){old}(?="(?!\nsource))',
    }.get(place, rf"((?<![\d.])){old}(?!\.?\d)")
    text, count = re.subn(pattern, rf"\g<1>{new}", read(place))
    if not count:
        raise Refused(f"{place} does not mention version {version()}")
    return text


def reasons_against_release():
    if git("status", "--porcelain"):
        yield "there are changes that are not committed"
    if f"\n## [{version()}]" not in read("CHANGELOG.md"):
        yield f"CHANGELOG.md has no section `[{version()}]`; `ci/release prepare` writes it"
    if f"v{version()}" not in git("tag", "--points-at", "HEAD").splitlines():
        yield f"this commit has no tag `v{version()}`"
    if "/OWNER/" in read("Cargo.toml"):
        yield "`repository` in Cargo.toml has no owner yet"
    for place in TEXTS:
        try:
            replaced(place, version())
        except Refused as reason:
            yield str(reason)


def prepare(new):
    """Writes the version, and the heading of the change log, into all files or none; returns the changed files."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", new):
        raise Refused(f"expected a version such as 1.2.3, found `{new}`")
    if [int(part) for part in new.split(".")] < [int(part) for part in version().split(".")]:
        raise Refused(f"the version is {version()} already, which is newer than {new}")
    if git("status", "--porcelain"):
        raise Refused("there are changes that are not committed")
    if git("tag", "--list", f"v{new}"):
        raise Refused(f"there is a tag `v{new}` already")
    log = read("CHANGELOG.md")
    if f"\n## [{new}]" in log or not re.search(rf"^{re.escape(UNRELEASED)}(?:(?!^## ).*\n)*?[-*] \S", log, re.MULTILINE):
        raise Refused(f"CHANGELOG.md has a section `[{new}]` already, or nothing below `[Unreleased]`")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    texts = {"CHANGELOG.md": log.replace(UNRELEASED, f"{UNRELEASED}\n## [{new}] - {today}\n", 1)}
    texts |= {place: replaced(place, new) for place in ("Cargo.toml", "Cargo.lock", *TEXTS)}
    changed = sorted(place for place, text in texts.items() if text != read(place))
    for place in changed:
        (ROOT / place).write_text(texts[place], encoding="utf-8")
    return changed
