"""Differences between the verdicts that public archives expect and those of `judge`. Some are known, with their reasons."""

import fnmatch

from project import ROOT


class Differences:
    """Prints each new difference, and each known one once. testdata/known-differences/NAME.txt has known ones as `PATTERN # REASON`.

    A pattern has `*` and `?` and matches `SUBJECT WHAT`; a subject is a package.
    """

    def __init__(self, name):
        lines = (ROOT / f"testdata/known-differences/{name}.txt").read_text(encoding="utf-8").splitlines()
        self.known = dict(line.split(" # ", 1) for line in lines if line and not line.startswith("#"))
        self.found, self.occurred, self.new = [], set(), 0

    def add(self, subject, what, text):
        difference = f"{subject} {what}"
        known = next((known for known in self.known if fnmatch.fnmatchcase(difference, known)), None)
        self.found.append(difference)
        self.new += known is None
        if known not in self.occurred:
            print(f"    {'known' if known else 'NEW'}: {difference}: {self.known.get(known, text)}", flush=True)
        if known:
            self.occurred.add(known)

    def finish(self, subjects=()):
        """Prints the known differences of these subjects that did not occur, and returns the exit code.

        Those whose reason begins with `at times` depend on the speed of the host.
        """
        stale = [known for known, reason in self.known.items()
                 if not reason.startswith("at times") and known not in self.occurred
                 and fnmatch.filter(map(str, subjects), known.split(" ")[0])]
        for known in stale:
            print(f"known difference that does not occur: {known}")
        print(f"{len(self.found)} differences, {self.new} of them new; {len(stale)} known ones that do not occur")
        return 1 if self.new or stale else 0
