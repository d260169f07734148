"""`ci/bench cluster`: simulates many submissions on many machines, with measured service times and with failures.

A dispatcher hands batches to machines. Each machine judges a batch with all its cores. Now and then a machine is lost, and its batch waits
again. A new machine first reads the packages from a store that all machines share.
"""

import argparse
import heapq
import random

from benchmarks.measuring import table

# (machines, cores of each).
CLUSTERS = ((1, 2), (1, 32), (32, 32), (1000, 1), (1000, 32))


def simulate(options, machines, cores, draw):
    """Returns the seconds, the repeated batches, and the busy seconds of the dispatcher and of the store."""
    total = pending = -(-options.submissions // options.batch)
    # Some programs run into their limits: times follow a log-normal distribution with this mean.
    mean, spread = options.batch * options.seconds / cores, options.batch ** -0.5
    events, idle = [(0.0, machine, "ready", False) for machine in range(machines)], []
    dispatcher = store = reading = now = 0.0
    done = handed = lost = 0
    while done < total:
        now, machine, kind, has_packages = heapq.heappop(events)
        if kind == "lost":
            pending, lost = pending + 1, lost + 1
            heapq.heappush(events, (now + options.restart, machine, "ready", False))
            if idle:
                heapq.heappush(events, (now, *idle.pop()))
            continue
        done += kind == "done"
        if not pending:
            idle.append((machine, "ready", has_packages))
            continue
        start = now
        if not has_packages:
            start = store = max(now, store) + options.packages / options.bandwidth
            reading += options.packages / options.bandwidth
        pending, handed = pending - 1, handed + 1
        dispatcher = max(start, dispatcher) + options.dispatch
        work, fails = mean * draw.lognormvariate(-spread ** 2 / 2, spread), draw.expovariate(1 / (options.failure * 3600))
        end = (dispatcher + work, machine, "done", True) if work <= fails else (dispatcher + fails + options.notice, machine, "lost", False)
        heapq.heappush(events, end)
    return now, lost, handed * options.dispatch, reading


def cluster(arguments):
    parser = argparse.ArgumentParser(prog="ci/bench cluster")
    for name, default, what in (
            ("submissions", 1_000_000, "number of submissions"), ("seconds", 0.28, "CPU seconds of one, including all test cases and the harness"),
            ("batch", 200, "submissions that a machine gets at a time"), ("dispatch", 0.001, "seconds of the dispatcher for a batch"),
            ("packages", 1e9, "bytes that a machine reads first"), ("bandwidth", 125e6, "bytes per second of the store of packages"),
            ("failure", 200.0, "hours between two failures of a machine"), ("notice", 30.0, "seconds until a failure is noticed"),
            ("restart", 120.0, "seconds until a machine is back"), ("seed", 1, "seed of the random numbers")):
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{what}; default: {default}")
    options = parser.parse_args(arguments)
    rows = []
    for machines, cores in CLUSTERS:
        seconds, lost, dispatching, reading = simulate(options, machines, cores, random.Random(options.seed))
        ideal = options.submissions * options.seconds / machines / cores
        rows.append([f"{machines:,} × {cores}", f"{seconds / 3600:,.2f}", f"{ideal / seconds:.0%}", f"{lost:,}", f"{dispatching / seconds:.1%}",
                     f"{reading / seconds:.0%}"])
    print(f"{options.submissions:,} submissions of {options.seconds} s in batches of {options.batch}:\n")
    table(["machines × cores", "hours", "use of all cores", "batches lost and repeated", "dispatcher busy", "store of packages busy"], rows)
