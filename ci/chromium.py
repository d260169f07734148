"""Headless Chromium, driven by chromedriver over WebDriver; imported by the scripts that look at pages.

Responsible for finding or installing the programs, and for a session of them. Must not know which page is looked at.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

AXE = "axe-core@4"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


class Skipped(Exception):
    """What is missing on this host, so that nothing can be checked."""


def browser():
    """The programs `chromium` and `chromedriver`, installed if need and privileges be."""
    names = [("chromium", "chromium-browser", "google-chrome"), ("chromedriver",)]

    def found():
        return [next(filter(None, map(shutil.which, of)), None) for of in names]

    if not all(found()):
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            raise Skipped("chromium and chromedriver are not installed, and this is not root with apt-get")
        quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "check": False}
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium", "chromium-driver"]
        result = subprocess.run(install, env=environment, **quiet)
        if result.returncode != 0:
            subprocess.run(["apt-get", "update"], env=environment, **quiet)
            result = subprocess.run(install, env=environment, **quiet)
        if not all(found()):
            raise Skipped(f"apt-get cannot install chromium: {(result.stderr.strip().splitlines() or ['?'])[-1]}")
    return found()


def axe(directory):
    """The source of axe-core; None, and why on standard error, where npm cannot fetch it."""
    if not shutil.which("npm"):
        print("accessibility NOT CHECKED: no npm to fetch axe-core with", file=sys.stderr)
        return None
    command = ["npm", "pack", "--silent", AXE]
    result = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    packed = sorted(Path(directory).glob("axe-core-*.tgz"))
    if result.returncode != 0 or not packed:
        why = (result.stderr.strip().splitlines() or ["?"])[-1]
        print(f"accessibility NOT CHECKED: `{' '.join(command)}` failed: {why}", file=sys.stderr)
        return None
    with tarfile.open(packed[0]) as archive:
        return archive.extractfile("package/axe.min.js").read().decode("utf-8")


class Driver:
    """chromedriver, and one session of it."""

    ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

    def __init__(self, chromium, chromedriver, directory):
        self.process = subprocess.Popen(
            [chromedriver, "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.base = None
        for line in self.process.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                self.base = f"http://127.0.0.1:{port.group(1)}"
                break
        assert self.base, "chromedriver did not start"
        options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={directory}/profile"]}
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += "/session/" + answer["sessionId"]
        # What the browser begins with is not the report's.
        self.call("POST", "/url", {"url": "about:blank"})
        self.log("performance")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise AssertionError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def open(self, page, width=1280, height=900):
        self.call("POST", "/window/rect", {"width": width, "height": height})
        self.call("POST", "/url", {"url": page.as_uri()})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script):
        return self.call("POST", "/execute/async", {"script": script, "args": []})

    def one(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[self.ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.one(selector)}/click", {})

    def type(self, selector, text):
        self.call("POST", f"/element/{self.one(selector)}/value", {"text": text})

    def keys(self, *keys):
        """Presses keys, one after the other, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def cdp(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def scheme(self, scheme, motion="no-preference"):
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.cdp("Emulation.setEmulatedMedia", features=features)

    def narrow(self, width):
        """A window as narrow as that of a phone; real windows cannot be."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=2, mobile=True)

    def wide(self):
        self.cdp("Emulation.clearDeviceMetricsOverride")

    def quit(self):
        try:
            self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(10)
