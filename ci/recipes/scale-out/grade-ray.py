#!/usr/bin/env python3
"""Judges a file of requests on the nodes of a Ray cluster: `grade-ray.py ADDRESS REQUESTS RESULTS [ACTORS]`.

Every request needs a unique `id`. ACTORS is the number of actors, by default one for each node; each takes all processors of a node, which
needs the package `problem-judge`. Names and paths of requests are relative to the current directory of this script. A lost actor starts again
and repeats its batch. Run it again to judge the requests that RESULTS lacks.
"""

import dataclasses
import json
import os
import sys
from pathlib import Path

import ray
from problem_judge import Judge
from ray.util import ActorPool

BATCH = 200


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Grader:
    def __init__(self, directory):
        self.judge = Judge(directory=directory)

    def grade(self, requests):
        return [dataclasses.asdict(result) for result in self.judge.grade(requests)]


def main():
    address, requests, results = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)["id"] for line in lines}
    left = [request for request in map(json.loads, requests.open(encoding="utf-8")) if request["id"] not in done]
    ray.init(address=address, log_to_driver=False)
    nodes = [node for node in ray.nodes() if node["Alive"]]
    actors = int(sys.argv[4]) if len(sys.argv) > 4 else len(nodes)
    processors = min(node["Resources"]["CPU"] for node in nodes) * len(nodes) // actors
    pool = ActorPool([Grader.options(num_cpus=processors).remote(os.getcwd()) for _ in range(actors)])
    with results.open("a", encoding="utf-8") as file:
        batches = [left[at:at + BATCH] for at in range(0, len(left), BATCH)]
        for batch in pool.map_unordered(lambda actor, batch: actor.grade.remote(batch), batches):
            file.write("".join(json.dumps(result, default=bytes.hex) + "\n" for result in batch))
            file.flush()


if __name__ == "__main__":
    main()
