"""Memory in `ci/bench compare`: how often intervals contain the ratio of the memory that programs really use.

The kernel counts in steps of 64 pages, so one measurement does not show what a program uses. The input makes programs touch
up to 63 pages more: over all of these inputs the last step is half used on average.
"""

import json
import math
import statistics

import project
from benchmarks.measuring import PROBLEM, run

PAGE, STEP = 4096, 64
# Touches PAGES pages plus the number of pages in the input, then counts long enough to be timed.
TOUCH = """
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
  long long number, more;
  volatile long long kept = 0;
  if (scanf("%lld %lld", &number, &more) != 2) return 1;
  char *memory = mmap(0, (PAGES + more + 1) * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long long i = 0; i < PAGES + more; i++) memory[i * 4096] = 1;
  for (long long i = 0; i < 8000000; i++) kept = i;
  (void)kept;
  printf("%lld\\n", number);
}
"""


def make_package(package, sides, inputs):
    """Writes a package with programs (name -> pages that each touches) and test cases (the pages that each adds)."""
    files = {"problem.yaml": PROBLEM}
    for name, pages in sides.items():
        files[f"submissions/accepted/{name}.c"] = TOUCH.replace("PAGES", str(pages))
    for number, more in enumerate(inputs, start=1):
        files[f"data/secret/{number:02}.in"] = f"{number} {more}\n"
        files[f"data/secret/{number:02}.ans"] = f"{number}\n"
    project.write_files(package, files)


def used(bench, package, names):
    """Returns the bytes that each program uses when the input adds nothing."""
    found = {name: [] for name in names}
    for _ in range(3):
        _, _, output = run([bench.judge, "run", package, "--no-cache", "--report=json", "-j", "1"], package, bench.environment)
        for event in map(json.loads, filter(None, output.splitlines())):
            if event["event"] == "test_case_finished":
                more = (int(event["test_case"].rpartition("/")[2]) - 1) * PAGE
                found[event["submission"].rpartition("/")[2].partition(".")[0]].append(event["memory_bytes"] - more)
    return {name: statistics.mean(values) - (STEP - 1) / 2 * PAGE for name, values in found.items()}


def repeated_memory(bench, own, generator):
    """Compares two programs that touch the numbers of pages in `own`, and returns the row of the table."""
    sides = dict(zip(("reference", "candidate"), own))
    whole = bench.directory / f"whole-{own[0]}-{own[1]}"
    make_package(whole, sides, range(STEP))
    base = used(bench, whole, sides) if own[0] != own[1] else dict.fromkeys(sides, statistics.mean(used(bench, whole, sides).values()))
    estimates, covered, claims = [], 0, 0
    for repetition in range(bench.options.repetitions):
        inputs = [generator.randrange(STEP) for _ in range(4)]
        package, document = bench.directory / f"memory-{own[0]}-{own[1]}-{repetition}", bench.directory / "memory.json"
        make_package(package, sides, inputs)
        command = [bench.judge, "compare", *(f"submissions/accepted/{name}.c" for name in sides), "-p", package, f"--report=json={document}"]
        run([*command, f"--budget={bench.options.memory_budget}"], package, bench.environment)
        comparison = json.loads(document.read_text(encoding="utf-8"))
        estimate = comparison["candidates"][0].get("memory")
        if not estimate or not estimate.get("interval"):
            continue
        timed = [inputs[int(made["test_case"].rpartition("/")[2]) - 1] * PAGE for made in estimate["made_of"]]
        truth = math.exp(statistics.mean(math.log((base["candidate"] + more) / (base["reference"] + more)) for more in timed))
        low, high = estimate["interval"]
        covered += low <= truth <= high
        # Counts `less` and `more` although both use the same.
        claims += own[0] == own[1] and estimate["conclusion"] in ("less", "more")
        estimates.append((estimate["ratio"] / truth, high / low))
    width = statistics.median(high_to_low ** 0.5 - 1 for _, high_to_low in estimates) if estimates else float("nan")
    off = [ratio for ratio, _ in estimates] or [float("nan")]
    return [f"{base['reference'] / 2**20:.2f} MiB", f"{base['candidate'] / base['reference']:.3f}", f"{min(off):.3f} to {max(off):.3f}",
            f"{covered} of {len(estimates)}", f"{width * 100:.1f} %", str(claims) if own[0] == own[1] else "–"]
