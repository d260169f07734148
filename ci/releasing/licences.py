"""The licences of what the program is linked from: each crate with the texts that came with it, as they demand."""

import json
import subprocess
from pathlib import Path

from releasing.program import PLATFORM, ROOT

NAMES = ("license", "licence", "copying", "copyright", "notice", "unlicense")


def linked(packages, bill_of_materials):
    """The packages of cargo's metadata that the bill names, without our own."""
    components = json.loads(bill_of_materials)["components"]
    named = {(component["name"], component["version"]) for component in components}
    return [package for package in packages if package["source"] and (package["name"], package["version"]) in named]


def texts(bill_of_materials):
    command = ["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={PLATFORM}"]
    found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    # The same text stands in many crates: it is written once, with all of them.
    by_text = {}
    for package in linked(json.loads(found)["packages"], bill_of_materials):
        name = f"{package['name']} {package['version']} ({package['license'] or 'see below'})"
        place = Path(package["manifest_path"]).parent
        files = sorted(file for file in place.iterdir() if file.is_file() and file.name.lower().startswith(NAMES))
        contents = [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]
        for text in contents or ["It brings no text with it."]:
            by_text.setdefault(text, []).append(name)
    parts = ["What `judge` is linked from, with the licences of each as they came with it."]
    for text, crates in sorted(by_text.items(), key=lambda entry: entry[1]):
        parts.append("\n".join(["=" * 80, *sorted(crates), "-" * 80, text]))
    return ("\n\n".join(parts) + "\n").encode()
