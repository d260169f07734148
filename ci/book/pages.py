"""The pages of the site, prepared for mdBook from judge/docs.

Responsible for links that lead out of judge/docs, for a page for each code of a finding, and for llms.txt. Must not know
how mdBook makes a page of them.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "judge/docs"
# Pages of the site that lie elsewhere in the repository.
ELSEWHERE = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
    "testdata/packages/README.md": "project/test-packages.md",
    "testdata/hostile/README.md": "project/hostile-programs.md",
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^### (JP\d+)\n\n(.*?)(?=^### JP|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| \[(JP\d+)\]\(#jp\d+\) \| (.*?) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", re.MULTILINE)
PROFILES = ["default", "kattis", "domjudge", "icpc"]


class Finding(NamedTuple):
    """A code, with its title, its weight in each profile, and the text about it."""

    code: str
    title: str
    weights: tuple
    text: str

    @property
    def path(self):
        return f"codes/{self.code.lower()}.md"


class Faults(list):
    """What stands against the pages, one text each."""


def findings():
    """The findings of judge/docs/lint.md, which a test holds against the catalogue."""
    text = (DOCS / "lint.md").read_text(encoding="utf-8")
    rows = {match[1]: match for match in ROW.finditer(text)}
    sections = dict(CODE.findall(text))
    assert len(rows) > 100 and rows.keys() == sections.keys(), f"table and sections of lint.md: {rows.keys() ^ sections.keys()}"
    return [Finding(code, row[2], row.groups()[2:], sections[code].strip()) for code, row in rows.items()]


def outside_of_code(text, change):
    """The text with a change made to everything but blocks of code."""
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


class Pages:
    """The prepared pages below a directory."""

    def __init__(self, directory):
        self.source = directory / "src"
        self.faults = Faults()
        self.places = {ROOT / path: place for path, place in ELSEWHERE.items()}
        for path in sorted(DOCS.rglob("*.md")):
            # mdBook makes index.html of README.md, but leaves links to it as they are.
            self.places[path] = str(path.relative_to(DOCS)).replace("README.md", "index.md")
        self.findings = findings()
        # What links lead to that is no page: files and directories of the repository.
        self.files = {}

    def write(self, place, text):
        target = self.source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def target(self, origin, place, link):
        """A link of a file of the repository as one of its page at `place`."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, _, anchor = link.partition("#")
        file = Path(os.path.normpath(origin.parent / path))
        readme = file / "README.md"
        if file == DOCS / "lint.md" and re.fullmatch(r"jp\d+", anchor):
            to, anchor = f"codes/{anchor}.md", ""
        elif file in (ROOT / "README.md", DOCS / "SUMMARY.md"):
            # The site has its own first page, and the table of contents beside every page.
            to = "index.md"
        elif file in self.places or readme in self.places:
            to = self.places.get(file) or self.places[readme]
        elif file.is_file() and file.is_relative_to(DOCS):
            to = str(file.relative_to(DOCS))
        elif file.exists() and file.is_relative_to(ROOT):
            to = self.copied(file)
        else:
            self.faults.append(f"{origin.relative_to(ROOT)}: link to `{link}`: no such file")
            return link
        relative = os.path.relpath(to, os.path.dirname(place) or ".")
        return relative + (f"#{anchor}" if anchor else "")

    def copied(self, file):
        """The place of a copy of a file, or of a list of the files in a directory. Browsers show it as text."""
        name = str(file.relative_to(ROOT))
        self.files[file] = f"files/{name}/index.html" if file.is_dir() else f"files/{name}.txt"
        return self.files[file]

    def text(self, origin, place):
        text = origin.read_text(encoding="utf-8")
        change = lambda part: LINK.sub(lambda link: f"]({self.target(origin, place, link[1])})", part)  # noqa: E731
        return outside_of_code(text, change)

    def write_all(self):
        for origin, place in self.places.items():
            if place not in ("SUMMARY.md", "lint.md"):
                self.write(place, self.text(origin, place))
        self.write_findings()
        self.write_summary()
        self.write_files()
        for name in ("pictures", "schemas"):
            shutil.copytree(DOCS / name, self.source / name)
        for schema in DOCS.glob("*.json"):
            shutil.copy2(schema, self.source / schema.name)

    def write_findings(self):
        text = self.text(DOCS / "lint.md", "lint.md")
        text = text[:text.index("\n## Codes\n")]
        self.write("lint.md", re.sub(r"\(#(jp\d+)\)", r"(codes/\1.md)", text))
        for finding in self.findings:
            head = f"# {finding.code}: {finding.title}\n\n"
            weights = [finding.weights[0] if weight == "–" else weight for weight in finding.weights]
            table = "\n".join(f"| {' | '.join(row)} |" for row in (PROFILES, ["---"] * 4, weights))
            tail = (f"## How much it weighs\n\n{table}\n\nEach column is a [profile](../lint.md#profiles); `off` is not reported.\n\n"
                    f"## Silence it\n\nIn [`judge.yaml`](../judge-yaml.md), with a reason ([silencing](../lint.md#silencing)):\n\n"
                    f"```yaml\ncheck:\n  ignore:\n    - code: {finding.code}\n      reason: why this is meant\n```\n\n"
                    "What keeps a package from being judged cannot be silenced.\n\n"
                    f"[All findings](../lint.md)\n")
            # The title stands above it already.
            body = re.sub(r"^\*\*.*?\*\* \((\w+)\)\. ", "", finding.text).replace("\nFix: ", "\n**What to do.** ")
            self.write(finding.path, f"{head}{body}\n\n{tail}")

    def write_summary(self):
        text = (DOCS / "SUMMARY.md").read_text(encoding="utf-8")
        listed = {Path(os.path.normpath(DOCS / link)) for link in LINK.findall(text)}
        decisions = sorted((DOCS / "decisions").glob("0*.md"))
        for missing in self.places.keys() - listed - {DOCS / "SUMMARY.md", *decisions}:
            self.faults.append(f"{missing.relative_to(ROOT)}: judge/docs/SUMMARY.md does not name this page")
        text = self.text(DOCS / "SUMMARY.md", "SUMMARY.md")
        text = self.nested(text, "lint.md", [(f"{one.code}: {one.title}", one.path) for one in self.findings])
        titles = [(page.read_text(encoding="utf-8").partition("\n")[0][len("# 0001: "):], f"decisions/{page.name}") for page in decisions]
        self.write("SUMMARY.md", self.nested(text, "decisions/index.md", titles))

    @staticmethod
    def nested(summary, page, below):
        line = next(line for line in summary.splitlines() if f"({page})" in line)
        entries = "".join(f"\n  - [{title.replace('[', '').replace(']', '')}]({path})" for title, path in below)
        return summary.replace(line, line + entries)

    def write_files(self):
        for file, place in self.files.items():
            if file.is_file():
                self.write(place, file.read_text(encoding="utf-8"))
                continue
            listed = subprocess.run(["git", "ls-files", "-z", str(file)], cwd=ROOT, capture_output=True, text=True, check=True).stdout
            names = [name for name in listed.split("\0") if name]
            directory = file.relative_to(ROOT)
            items = "".join(
                f'<li><a href="{os.path.relpath(f"files/{name}.txt", os.path.dirname(place))}">{name}</a></li>\n' for name in names)
            for name in names:
                self.write(f"files/{name}.txt", (ROOT / name).read_text(encoding="utf-8", errors="replace"))
            self.write(place, f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
                       f'<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
                       f"<title>{directory}</title>\n<h1>{directory}</h1>\n<ul>\n{items}</ul>\n</html>\n")


def index_for_models(pages, output):
    """llms.txt: every page with its address and its first sentence; and the pages as Markdown beside those of HTML."""
    summary = (pages.source / "SUMMARY.md").read_text(encoding="utf-8")
    lines = ["# judge", "", "> Grades programming-contest submissions and tests problem packages (Kattis/ICPC problem package format).", ""]
    for line in summary.splitlines()[1:]:
        if part := re.match(r"# (.*)", line):
            lines += ["", f"## {part[1]}", ""]
        elif page := re.match(r" *(?:- )?\[(.*)\]\((.*)\)", line):
            text = (pages.source / page[2]).read_text(encoding="utf-8")
            (output / page[2]).parent.mkdir(parents=True, exist_ok=True)
            (output / page[2]).write_text(text, encoding="utf-8")
            lines.append(f"- [{page[1]}]({page[2]}): {first_sentence(text)}")
    (output / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def first_sentence(text):
    paragraphs = re.split(r"\n\n+", outside_of_code(text, lambda part: part))
    plain = next((part for part in paragraphs if not re.match(r"```|[#|!\-\[>]", part)), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(plain.split())).replace("**", "")
    return re.split(r"(?<=[.?!])\s", plain + " ")[0].strip()
