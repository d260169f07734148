"""Makes the files say which version is to be released. Must not know how anything is built.

The version is written where nothing can ask for it: in the manifests of cargo, and in texts that people copy.
"""

import datetime
import re

from releasing.program import ROOT, read, version

# Where every mention of the version is that of the release.
TEXTS = (
    "action.yml",
    "templates/judge.yml",
    "ci/recipes/github/workflow.yml",
    "ci/recipes/pre-commit/pyproject.toml",
    "judge/docs/ci.md",
    "judge/docs/installing.md",
)
CHANGES = "CHANGELOG.md"


class Refused(Exception):
    """Why nothing is prepared, or released."""


def number(text):
    match = re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", text)
    if not match:
        raise Refused(f"expected a version such as 1.2.3, found `{text}`")
    return tuple(int(part) for part in match.groups())


def replaced(text, old, new):
    """The text with another version, and how often that was so."""
    pattern = rf"(?<![\d.]){re.escape(old)}(?!\.?\d)"
    return re.subn(pattern, new, text)


def manifest(text, old, new):
    text, own = re.subn(rf'(?<=\[workspace\.package\]\nversion = "){re.escape(old)}(?=")', new, text)
    text, parts = re.subn(rf'(?<=, version = "=){re.escape(old)}(?=")', new, text)
    return text, own and parts


def lock(text, old, new):
    """What cargo would write itself, were it not for the network that it then asks for. judge-testlib has a version of its own."""
    pattern = rf'(?<=\[\[package\]\]\nname = ")(judge|judge-(?!testlib)[a-z]+)"\nversion = "{re.escape(old)}"(?!\nsource)'
    return re.subn(pattern, lambda found: f'{found[1]}"\nversion = "{new}"', text)


def changes(text, new, day):
    """The change log with what was not released as this version's."""
    if f"\n## [{new}]" in text:
        raise Refused(f"{CHANGES} has a section `[{new}]` already")
    match = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not match:
        raise Refused(f"{CHANGES} has no section `[Unreleased]`")
    if not re.search(r"^[-*] \S", match[1], re.MULTILINE):
        raise Refused(f"nothing stands below `[Unreleased]` in {CHANGES}")
    return f"{text[:match.start()]}## [Unreleased]\n\n## [{new}] - {day}\n{text[match.start(1):]}"


def disagreements():
    """The texts that do not mention the version of the manifests."""
    own = version()
    return [place for place in TEXTS if not replaced((ROOT / place).read_text(encoding="utf-8"), own, own)[1]]


def prepare(new):
    """Writes the version everywhere, or nothing; gives the files that changed."""
    old = version()
    if number(new) < number(old):
        raise Refused(f"the version is {old} already, which is newer than {new}")
    if read("git", "status", "--porcelain"):
        raise Refused("there are changes that are not committed")
    if read("git", "tag", "--list", f"v{new}"):
        raise Refused(f"there is a tag `v{new}` already")
    texts = {place: (ROOT / place).read_text(encoding="utf-8") for place in (CHANGES, "Cargo.toml", "Cargo.lock", *TEXTS)}
    day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    written = {CHANGES: changes(texts[CHANGES], new, day)}
    ways = {"Cargo.toml": manifest, "Cargo.lock": lock}
    for place in texts.keys() - written.keys():
        written[place], count = ways.get(place, replaced)(texts[place], old, new)
        if not count:
            raise Refused(f"expected {place} to mention version {old}")
    changed = sorted(place for place, text in written.items() if text != texts[place])
    for place in changed:
        (ROOT / place).write_text(written[place], encoding="utf-8")
    return changed
