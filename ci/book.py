"""Writes the pages of the site for mdBook, from judge/docs: adapts links that leave judge/docs, and adds a page for each finding."""

import os
import re
import shutil
from pathlib import Path

from project import ROOT

DOCS = ROOT / "judge/docs"
# Pages of the site from other places of the repository.
ELSEWHERE = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
    "testdata/packages/README.md": "project/test-packages.md",
    "testdata/hostile/README.md": "project/hostile-programs.md",
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^### (JP\d+)\n\n(.*?)(?=^### JP|\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| \[(JP\d+)\]\(#jp\d+\) \| (.*?) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", re.MULTILINE)
FINDING = """# {code}: {title}

{text}

## Severity

| default | kattis | domjudge | icpc |
|---|---|---|---|
| {severities} |

Each column is a [profile](../reference/lint.md#profiles); `off` is not reported.

## Silence it

In [`judge.yaml`](../reference/judge-yaml.md), with a reason ([silencing](../reference/lint.md#silencing)):

```yaml
check:
  ignore:
    - code: {code}
      reason: why this is intended
```

A finding that keeps the package from being judged cannot be silenced. [All findings](../reference/lint.md)
"""


class Book:
    """The source of the site below a directory. `faults` are pages that SUMMARY.md does not name. `ci/docs` checks the links."""

    def __init__(self, directory):
        self.source, self.faults = directory / "src", []
        self.places = {ROOT / path: place for path, place in ELSEWHERE.items()}
        # mdBook makes index.html from README.md, and does not change links to it.
        self.places |= {path: str(path.relative_to(DOCS)).replace("README.md", "index.md") for path in sorted(DOCS.rglob("*.md"))}
        # Linked files that are not pages -> their copies.
        self.files = {}

    def write_all(self):
        for origin, place in self.places.items():
            if place not in ("SUMMARY.md", "reference/lint.md"):
                self.write(place, self.text(origin, place))
        findings = self.write_findings()
        self.write_summary(findings)
        for file, place in self.files.items():
            self.write(place, file.read_text(encoding="utf-8"))
        for name in ("pictures", "schemas"):
            shutil.copytree(DOCS / name, self.source / name)
        for schema in DOCS.glob("*.json"):
            shutil.copy2(schema, self.source / schema.name)

    def write(self, place, text):
        target = self.source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def text(self, origin, place):
        """Returns the text of a document with the links of its page. Blocks of code are unchanged."""
        parts = re.split(r"(^ *```.*?^ *```$)", origin.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        parts[::2] = [LINK.sub(lambda link: f"]({self.target(origin, place, link[1])})", part) for part in parts[::2]]
        return "".join(parts)

    def target(self, origin, place, link):
        """Converts a link of a document to one of its page at `place`."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, _, anchor = link.partition("#")
        file = Path(os.path.normpath(origin.parent / path))
        page = self.places.get(file) or self.places.get(file / "README.md")
        if file == DOCS / "reference/lint.md" and re.fullmatch(r"jp\d+", anchor):
            page, anchor = f"codes/{anchor}.md", ""
        elif file in (ROOT / "README.md", DOCS / "SUMMARY.md"):
            page = "index.md"
        elif not page and file.is_file() and file.is_relative_to(DOCS):
            page = str(file.relative_to(DOCS))
        elif not page:
            # A browser shows the copy as text. mdBook would treat a link with `.md.txt` as one to a page.
            page = f"files/{file.relative_to(ROOT)}".removesuffix(".md") + ".txt"
            self.files[file] = page
        return os.path.relpath(page, os.path.dirname(place) or ".") + (f"#{anchor}" if anchor else "")

    def write_findings(self):
        """Writes reference/lint.md without its sections, and a page for each of them; returns their titles and paths."""
        text = self.text(DOCS / "reference/lint.md", "reference/lint.md")
        self.write("reference/lint.md", re.sub(r"\(#(jp\d+)\)", r"(../codes/\1.md)", text[:text.index("\n## Codes\n")]))
        rows = {match[1]: match.groups()[1:] for match in ROW.finditer((DOCS / "reference/lint.md").read_text(encoding="utf-8"))}
        sections = dict(CODE.findall((DOCS / "reference/lint.md").read_text(encoding="utf-8")))
        assert len(rows) > 100 and rows.keys() == sections.keys(), f"table and sections of lint.md differ: {rows.keys() ^ sections.keys()}"
        for code, (title, *severities) in rows.items():
            # The page already shows the title above the text.
            text = re.sub(r"^\*\*.*?\*\* \((\w+)\)\. ", "", sections[code].strip()).replace("\nFix: ", "\n**What to do.** ")
            severities = " | ".join(severities[0] if severity == "–" else severity for severity in severities)
            self.write(f"codes/{code.lower()}.md", FINDING.format(code=code, title=title, text=text, severities=severities))
        return [(f"{code}: {row[0]}", f"codes/{code.lower()}.md") for code, row in rows.items()]

    def write_summary(self, findings):
        listed = {Path(os.path.normpath(DOCS / link)) for link in LINK.findall((DOCS / "SUMMARY.md").read_text(encoding="utf-8"))}
        decisions = sorted((DOCS / "background/decisions").glob("0*.md"))
        for page in self.places.keys() - listed - {DOCS / "SUMMARY.md", *decisions}:
            self.faults.append(f"{page.relative_to(ROOT)}: judge/docs/SUMMARY.md does not name this page")
        decisions = [(page.read_text(encoding="utf-8").partition("\n")[0][len("# 0001: "):], f"background/decisions/{page.name}") for page in decisions]
        text = self.text(DOCS / "SUMMARY.md", "SUMMARY.md")
        for parent, children in (("reference/lint.md", findings), ("background/decisions/index.md", decisions)):
            entries = "".join(f"\n  - [{re.sub(r'[][]', '', title)}]({path})" for title, path in children)
            text = re.sub(rf"^.*\({parent}\).*$", lambda line: line[0] + entries, text, flags=re.MULTILINE)
        self.write("SUMMARY.md", text)
