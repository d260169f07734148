#!/usr/bin/env python3
"""Judges a file of requests on the workers of a Dask cluster: `grade-dask.py SCHEDULER REQUESTS RESULTS`.

Every request needs a unique `id`. Start one worker with one thread on each machine (`dask worker SCHEDULER --nthreads 1`), with the
package `problem-judge`, in the directory to which the names and paths of requests are relative. A lost worker's batches run on the others.
Run it again to judge the requests that RESULTS lacks.
"""

import dataclasses
import json
import sys
from pathlib import Path

from distributed import Client, as_completed, get_worker
from problem_judge import Judge, JudgeFailed

BATCH = 200


def grade(requests):
    worker = get_worker()
    # One process for all batches of this worker: problems and programs stay loaded.
    judge = worker.__dict__.get("judge") or worker.__dict__.setdefault("judge", Judge())
    try:
        return [dataclasses.asdict(result) for result in judge.grade(requests)]
    except JudgeFailed:
        del worker.judge
        raise


def main():
    scheduler, requests, results = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)["id"] for line in lines}
    left = [request for request in map(json.loads, requests.open(encoding="utf-8")) if request["id"] not in done]
    with Client(scheduler) as client, results.open("a", encoding="utf-8") as file:
        batches = client.map(grade, [left[at:at + BATCH] for at in range(0, len(left), BATCH)], retries=3, pure=False)
        for batch in as_completed(batches):
            file.write("".join(json.dumps(result, default=bytes.hex) + "\n" for result in batch.result()))
            file.flush()


if __name__ == "__main__":
    main()
