"""Pages in headless Chromium, driven by Playwright; imported by the scripts that check pages."""

import contextlib
import os
import shutil

import project

PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8"]
# mdBook scrolls a part of the page instead of the page.
WIDE = """[...document.querySelectorAll('html, body, .page-wrapper, .content, main')]
    .filter(part => part.scrollWidth > part.clientWidth).map(part => `${part.scrollWidth} of ${part.clientWidth} pixels`)"""
BROKEN = "[...document.images].filter(image => image.complete && !image.naturalWidth).map(image => image.src)"


def program():
    """Returns Chromium's path. As root, installs it with apt-get if it is missing."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if not any(map(shutil.which, names)) and os.geteuid() == 0 and shutil.which("apt-get"):
        for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            project.run("apt-get", "-qq", *words, codes=None, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    return next(filter(None, map(shutil.which, names)), None)


class Tab:
    """A page, with its console messages and requests since the last call of `faults`."""

    def __init__(self, page):
        self.page, self.messages, self.requests = page, [], []
        page.on("console", lambda message: message.type in ("error", "warning") and self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.set_default_timeout(30_000)

    def open(self, file, width=1280, scheme="light", fragment=""):
        # With the same address and another fragment, the browser would not load the page again.
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        self.page.goto(file.as_uri() + fragment)

    def run(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def wait(self, script):
        """Waits until a script is true. The security policy of the reports blocks Playwright's own wait_for_function."""
        for _ in range(200):
            if self.run(script):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {script}")

    def faults(self):
        """Returns messages on the console, requests beyond files, pictures that did not load, and content wider than the window."""
        found = [f"on the console: {message}" for message in self.messages]
        found += [f"requests {url}" for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]
        found += [f"no picture at {source}" for source in self.run(BROKEN)] + [f"too wide: {part}" for part in self.run(WIDE)]
        self.messages.clear()
        self.requests.clear()
        return found

    def accessibility_faults(self):
        from axe_playwright_python.sync_playwright import Axe

        violations = Axe().run(self.page).response["violations"]
        return [f"axe-core: {one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}" for one in violations]


@contextlib.contextmanager
def tab():
    """Opens a tab of a new browser. Ends the script if there is no Chromium."""
    from playwright.sync_api import sync_playwright

    path = program()
    if not path:
        project.not_checked("no Chromium, and apt-get cannot install it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield Tab(browser.new_page())
        finally:
            browser.close()


def enter(name="chromium", *packages):
    """Continues the script in an environment with Playwright and these packages."""
    project.enter(name, [*PACKAGES, *packages])
