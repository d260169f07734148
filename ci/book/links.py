"""Links of pages of HTML: each must lead to a file, and to an anchor in it; and nothing may be loaded from elsewhere."""

import os
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that a browser loads by itself, with the attribute that says from where.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src", "object": "data"}


class Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(value for name, value in attributes.items() if name in ("id", "name") and value)
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        # What `rel` says is of no use to a browser that shows the page, such as `canonical`, is not loaded.
        elif attributes.get(LOADED.get(tag, "")) and attributes.get("rel") != "canonical":
            self.loaded.append(attributes[LOADED[tag]])


def faults(root):
    """What is wrong with the links of the pages below a directory, and how many links were looked at."""
    root = Path(root)
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in root.rglob("*.html")}
    found, seen = [], 0
    for path, page in sorted(pages.items()):
        # What is said of a page that can stand at any address leads from the root.
        base = root if path.name == "404.html" else path.parent
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{path.relative_to(root)}: loads `{link}` from elsewhere")
                continue
            seen += 1
            target = Path(os.path.normpath(base / unquote(parts.path).lstrip("/"))) if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file() or not target.is_relative_to(root):
                found.append(f"{path.relative_to(root)}: link to `{link}`: no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{path.relative_to(root)}: link to `{link}`: no such anchor")
    return found, seen


def self_test(directory):
    """Checks the check: sound links pass, and each kind of fault is found."""
    root = Path(directory)
    (root / "a.html").write_text('<h1 id="x">A</h1><a href="#x">x</a><a href="b/">b</a><a href="https://example.org">e</a>', "utf-8")
    (root / "b").mkdir()
    (root / "b/index.html").write_text('<a href="../a.html#x">x</a><img src="data:,">', "utf-8")
    assert faults(root) == ([], 3), faults(root)
    (root / "b/index.html").write_text('<a href="../a.html#y">x</a><a href="c.html">c</a><img src="https://example.org/i.png">', "utf-8")
    found, _ = faults(root)
    assert len(found) == 3 and all(
        any(word in fault for fault in found) for word in ("no such anchor", "no such file", "from elsewhere")), found
