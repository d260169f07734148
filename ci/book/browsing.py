"""The site in headless Chromium: it is quiet on the console, asks nothing of anybody, fits a phone, and finds.

Must not know how the pages were made.
"""

import base64
import json
import time
from pathlib import Path

# What is searched for, and a page that must be among the first results.
SEARCHES = {"JP808": "codes/jp808.html", "--shard": "scale-out.html", "group": "", "exit code": "exit-codes.html"}
VIEWS = {"desktop": None, "phone": 390}
# Pages that are looked at in each view.
LOOKED_AT = ["index.html", "getting-started.html", "paths/setter.html", "lint.html", "codes/jp808.html", "sandbox.html", "events.html"]
RESULTS = "return [...document.querySelectorAll('#mdbook-searchresults a')].map(of => of.getAttribute('href'))"
BROKEN = "return [...document.images].filter(of => of.complete && of.naturalWidth === 0).map(of => of.src)"
# The page itself does not scroll, but the part of it with the text.
WIDTHS = """return [...document.querySelectorAll('html, body, .page-wrapper, .content, main')]
    .map(of => [of.scrollWidth, of.clientWidth]).find(([scroll, client]) => scroll > client) ?? [0, 0]"""


def is_quiet(driver, page):
    messages = [entry["message"] for entry in driver.log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    yield from (f"{page}: on the console: {message}" for message in messages[:3])
    asked = [json.loads(entry["message"])["message"] for entry in driver.log("performance")]
    urls = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
    if not urls:
        yield f"{page}: no request was seen, not even that for the page"
    yield from (f"{page}: asks for {url}" for url in urls if not url.startswith(("file:", "data:", "blob:")))


def looked_at(driver, root, page):
    for view, width in VIEWS.items():
        driver.narrow(width) if width else driver.wide()
        driver.open(root / page)
        time.sleep(0.3)
        yield from is_quiet(driver, f"{page} ({view})")
        yield from (f"{page} ({view}): no picture comes from {source}" for source in driver.run(BROKEN))
        scroll, client = driver.run(WIDTHS)
        if scroll > client:
            yield f"{page} ({view}): {scroll} pixels wide in a window of {client}"
    driver.wide()


def searched(driver, root, term, expected):
    """What is typed into the search finds pages, the expected one among the first five."""
    driver.open(root / "index.html")
    driver.run("document.getElementById('mdbook-search-toggle').click()")
    box = "#mdbook-searchbar"
    found = []
    for _ in range(60):
        # The index is loaded when the search is opened.
        if driver.run(f"return document.querySelector('{box}')?.offsetParent !== null"):
            break
        time.sleep(0.1)
    driver.type(box, term)
    for _ in range(100):
        found = driver.run(RESULTS)
        if found:
            break
        time.sleep(0.1)
    if not found:
        yield f"search: `{term}` finds nothing"
    elif not any(expected in link for link in found[:5]):
        yield f"search: `{term}` does not find {expected} among the first: {found[:5]}"
    yield from is_quiet(driver, f"search for `{term}`")


def faults(driver, root):
    root = Path(root)
    for page in LOOKED_AT:
        yield from looked_at(driver, root, page)
    for term, expected in SEARCHES.items():
        yield from searched(driver, root, term, expected)


def pictures(driver, root, directory):
    """Leaves pictures of pages behind: each in light and dark, on a desktop and on a phone."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for page in LOOKED_AT:
        for view, width in VIEWS.items():
            driver.narrow(width) if width else driver.wide()
            for scheme in ("light", "dark"):
                driver.scheme(scheme)
                driver.open(Path(root) / page, 1280, 1000)
                time.sleep(0.3)
                png = driver.cdp("Page.captureScreenshot")["data"]
                name = f"{page.removesuffix('.html').replace('/', '-')}-{view}-{scheme}.png"
                (directory / name).write_bytes(base64.b64decode(png))
    driver.scheme("light")
    driver.wide()
