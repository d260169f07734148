"""Pages of `judge statement` in a browser; imported by ci/nightly/browser.

Responsible for statements that have all that a page may have, and for what must hold of their pages. Must not know how a
browser is driven.
"""

import base64
import json
import shutil
import struct
import subprocess
import zlib

LATEX = r"""\problemname{Paths in a \emph{grid}}
\illustration{0.3}{dot.png}{A dot, by nobody}
A robot walks from $(1, 1)$ to $(n, m)$, with $1 \le n, m \le \num{100000}$; it goes at \qty{3}{\metre\per\second}, see
Figure~\ref{fig:dot} and the table\footnote{Which is wide.}. What it costs is
\[ \sum_{i=1}^{n} \sum_{j=1}^{m} \frac{c_{i,j}}{\sqrt{i^2 + j^2}} + \prod_{k=1}^{\lfloor \log_2 n \rfloor} \left( 1 + \frac{1}{k} \right)
   + \int_0^1 f(x) \, dx + a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} + a_{14} \]
and for small ones
\begin{align*}
  f(1) &= \begin{cases} 1 & \text{if } n = 1 \\ 2 & \text{otherwise} \end{cases} \\
  f(n) &\leq f(n-1) + \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}
\end{align*}

\begin{figure}\centering\includegraphics[width=0.4\textwidth]{dot.png}\caption{A dot.}\label{fig:dot}\end{figure}

\begin{center}\begin{tabular}{|l|r|r|r|r|r|r|r|r|r|}\hline
subtask & $n$ & $m$ & points & time & memory & grids & robots & walls & charges \\ \hline
first & 10 & 10 & 20 & 1 & 256 & 1 & 1 & 0 & 1234567890 \\
second & 100000 & 100000 & 80 & 2 & 1024 & 1000 & 1000 & 1000000 & 1234567890 \\ \hline
\end{tabular}\end{center}

\section*{Input}
\begin{itemize}\item One line with $n$. \item See \href{https://example.org/}{there}, or \texttt{a-very-long-word-of-a-program-which-cannot-be-broken-anywhere-and-goes-on}. \end{itemize}
\begin{verbatim}
for (int i = 0; i < n; i++) { if (grid[i] == '#') { std::cout << "a long line of a program" << std::endl; } }
\end{verbatim}
\nosuchcommand{This} is not known.
"""

MARKDOWN = """A robot walks from $(1, 1)$ to $(n, m)$, **quickly**. It is `told` to[^1]:

$$\\sum_{i=1}^{n} \\frac{c_i}{\\sqrt{i^2 + 1}} + a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} + a_{14} + a_{15}$$

![a dot](dot.png) ![a drawing](line.svg)

| group | a | b | c | d | e | f | g | points |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
| first | 1000000 | 1000000 | 1000000 | 1000000 | 1000000 | 1000000 | 1000000 | 20 |

> A quotation, with a [link](https://example.org/).

## Input

1. One line with $n$.
2. `a-very-long-word-of-a-program-which-cannot-be-broken-anywhere-and-goes-on-and-on`

```
for (int i = 0; i < n; i++) { if (grid[i] == '#') { std::cout << "a long line of a program" << std::endl; } }
```

{{nextsample}}

[^1]: By whom is not known.
"""

SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 40'><line x1='5' y1='20' x2='195' y2='20' stroke='black'/></svg>"
YAML = """problem_format_version: 2025-09
name: Paths in a grid
uuid: 8ee7605a-dab3-8226-3940-9624f9ae5d8f
license: cc by-sa
credits: {authors: [A. Uthor, Somebody Else]}
source: {name: A contest with a long name, url: "https://example.org/"}
limits: {time_limit: 1}
"""
# Formulas of each statement: those of the texts above.
FORMULAS = {"latex": 8, "markdown": 4}
PICTURES = {"latex": 2, "markdown": 2}

# The contrast of every text with what is behind it, by the rules of WCAG; the least, and where it is.
CONTRAST = """
const channel = (value) => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const parts = (color) => color.match(/[\\d.]+/g).map(Number);
const luminance = (color) => { const [r, g, b] = parts(color).map(channel); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor, [, , , alpha] = parts(color);
    if (alpha === undefined || alpha === 1) return color;
  }
  return 'rgb(255, 255, 255)';
};
let least = [21, ''];
for (const element of document.querySelectorAll('body *')) {
  const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!isText || !element.getClientRects().length) continue;
  const [one, other] = [getComputedStyle(element).color, behind(element)].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (contrast < least[0]) least = [contrast, element.tagName + ': ' + element.textContent.slice(0, 40)];
}
return least;
"""


def png(size=64):
    """A disc on nothing."""
    middle = size / 2
    rows = b"".join(
        b"\0" + b"".join(b"\xc0\x20\x20\xff" if (x - middle) ** 2 + (y - middle) ** 2 < middle**2 else b"\0\0\0\0" for x in range(size))
        for y in range(size)
    )

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make(judge, directory, root):
    """The pages by name, those of a booklet of this repository's problems too."""
    workspace = directory / "statements"
    shutil.rmtree(workspace, ignore_errors=True)
    for name, file, text in (("latex", "problem.en.tex", LATEX), ("markdown", "problem.en.md", MARKDOWN)):
        package = workspace / "problems" / name
        for place in ("statement", "data/sample", "data/secret"):
            (package / place).mkdir(parents=True)
        (package / "problem.yaml").write_text(YAML.replace("9624f9ae5d8f", f"9624f9ae5d{len(name):02}"))
        (package / "statement" / file).write_text(text)
        (package / "statement/dot.png").write_bytes(png())
        (package / "statement/line.svg").write_text(SVG)
        for case in ("sample/1", "sample/2", "secret/1"):
            (package / f"data/{case}.in").write_text("3 4\n" + "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25\n" * 3)
            (package / f"data/{case}.ans").write_text("42\n")
    (workspace / "judge.yaml").write_text("problems: problems\n")
    commands = [
        ["-C", workspace, "statement", "latex", "-o", directory / "latex.html"],
        ["-C", workspace, "statement", "markdown", "-o", directory / "markdown.html"],
        ["-C", root, "statement", "--contest", "-o", directory / "booklet.html"],
    ]
    for command in commands:
        result = subprocess.run([judge, *command], capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"{command}: exit code {result.returncode}: {result.stderr}"
    return {name: directory / f"{name}.html" for name in ("latex", "markdown", "booklet")}


def pictures_are_there(driver, count):
    found = driver.run("return [...document.images].map((image) => image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().width)")
    assert all(found) and (len(found) == count if count else len(found) > 2), f"widths of pictures: {found}"
    return f"{len(found)} pictures"


def formulas_are_typeset(driver, count):
    found = driver.run(
        "return [...document.querySelectorAll('math')].map((math) => [math.namespaceURI, getComputedStyle(math).display,"
        " math.getBoundingClientRect().width > 3, math.getBoundingClientRect().height > 3])"
    )
    wrong = [one for one in found if one[0] != "http://www.w3.org/1998/Math/MathML" or not one[1].endswith("math") or not all(one[2:])]
    assert not wrong, f"formulas that are none: {wrong}"
    assert len(found) == count if count else len(found) > 20, f"{len(found)} formulas"
    stacked = driver.run(
        "const of = document.querySelector('mfrac'); return of && of.children[0].getBoundingClientRect().bottom"
        " <= of.children[1].getBoundingClientRect().top + 1"
    )
    assert stacked is not False, "the parts of a fraction are not above one another"
    source = driver.run("return document.querySelectorAll('.formula').length")
    assert source == 0, f"{source} formulas are shown as they are written"
    return f"{len(found)} formulas"


def is_readable(driver):
    least, where = driver.run(CONTRAST)
    assert least >= 4.5, f"contrast {least:.2f} of {where!r}"
    return f"contrast at least {least:.1f}"


def scheme_is(driver, scheme):
    paper = driver.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(paper) < 60) == (scheme == "dark"), f"the paper is {paper}"


def is_light_on_paper(driver):
    """Also where the screen is dark; and nothing is wider than a page, or can be scrolled."""
    driver.cdp("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    # The width of A4 without its margins, in CSS pixels.
    driver.cdp("Emulation.setDeviceMetricsOverride", width=657, height=900, deviceScaleFactor=1, mobile=False)
    try:
        paper, ink = driver.run("return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
        assert (paper, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)"), (paper, ink)
        hidden = driver.run(
            "return [...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth + 1).map((pre) => pre.textContent.slice(0, 30))"
        )
        assert not hidden, f"cut on paper: {hidden}"
        over = driver.run(
            "const boxes = (all) => [...document.querySelectorAll(all)].map((one) => one.getBoundingClientRect());"
            "return boxes('math[display=block] *, .table table').filter((one) => boxes('img').some((picture) => one.left < picture.right"
            " && picture.left < one.right && one.top < picture.bottom && picture.top < one.bottom)).length"
        )
        assert over == 0, f"{over} formulas and tables run over pictures"
        is_readable(driver)
        pdf = base64.b64decode(driver.cdp("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])
        assert pdf.startswith(b"%PDF-") and b"/Type /Page" in pdf, pdf[:20]
        return f"{pdf.count(b'/Type /Page') - pdf.count(b'/Type /Pages')} pages"
    finally:
        driver.cdp("Emulation.setEmulatedMedia", media="", features=[])
        driver.wide()


def check(checks, driver, pages):
    """Holds all of it against the pages."""
    for name, page in pages.items():
        title = f"statement, {name}"
        for scheme in ("light", "dark"):
            driver.scheme(scheme)
            driver.open(page)
            checks.check(f"{title}: is {scheme}", lambda scheme=scheme: scheme_is(driver, scheme))
            checks.check(f"{title}: is readable, {scheme}", lambda: is_readable(driver))
            checks.check(f"{title}: is accessible, {scheme}", checks.is_accessible)
        checks.check(f"{title}: is quiet", checks.is_quiet)
        checks.check(f"{title}: runs nothing", lambda: no_scripts(driver))
        checks.check(f"{title}: formulas", lambda name=name: formulas_are_typeset(driver, FORMULAS.get(name)))
        checks.check(f"{title}: pictures", lambda name=name: pictures_are_there(driver, PICTURES.get(name)))
        for width in (360, 320):
            driver.narrow(width)
            driver.open(page)
            checks.check(f"{title}: {width} px", checks.is_as_wide_as_its_window)
        driver.wide()
        driver.open(page)
        checks.check(f"{title}: on paper", lambda: is_light_on_paper(driver))
    driver.scheme("light")


def no_scripts(driver):
    found = driver.run("return document.querySelectorAll('script, link, iframe, object, embed, form').length")
    assert found == 0, f"{found} elements that load or run something"
    driver.run(
        "const bad = document.createElement('div'); bad.innerHTML = '<img src=\"https://example.invalid/x\" onerror=\"window.pwned=1\">';"
        "document.body.append(bad); const script = document.createElement('script'); script.textContent = 'window.pwned = 2';"
        "document.body.append(script); bad.remove(); script.remove()"
    )
    assert driver.run("return window.pwned ?? null") is None, "a script ran"
    answered = [entry for entry in driver.log("performance") if "Network.responseReceived" in entry["message"]
                and "example.invalid" in json.loads(entry["message"])["message"]["params"]["response"]["url"]]
    assert not answered, answered
    driver.log("browser")
