"""Tests the module with a built program, whose path is in `JUDGE`."""

import asyncio
import dataclasses
import inspect
import itertools
import os
import pathlib
import re
import threading
import time
import unittest
import unittest.mock

import problem_judge
from problem_judge import datasets
from problem_judge import Judge, JudgeError, JudgeFailed, JudgeNotFound, Request, RequestFailed

JUDGE = os.environ["JUDGE"]
SUM = {"tests": [{"input": "1 2\n", "output": "3\n"}, {"input": b"5 6\n", "output": "11\n"}]}
RIGHT = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'
WRONG = RIGHT.replace("a + b", "3")


def request(source, **more):
    return Request(problem=SUM, source=source, language="c", **more)


class Grading(unittest.TestCase):
    def test_results_have_verdicts_and_the_first_failure(self):
        with Judge(JUDGE) as judge:
            results = {result.id: result for result in judge.grade([
                request(RIGHT, id="right", details=True),
                request(WRONG, id="wrong", stop="never"),
                {"id": "broken", "problem": SUM, "source": "int main(", "language": "c"},
            ])}
        self.assertEqual({id: result.verdict for id, result in results.items()}, {"right": "AC", "wrong": "WA", "broken": "CE"})
        self.assertTrue(results["right"].is_accepted)
        self.assertEqual([case.verdict for case in results["right"].test_cases], ["AC", "AC"])
        failure = results["wrong"].first_failure
        self.assertEqual((failure.test_case, failure.actual, failure.expected), ("2", "3", "11"))
        self.assertEqual((results["wrong"].passed, results["wrong"].judged), (1, 2))
        self.assertIn("error", results["broken"].compiler_message)

    def test_ordered_results_follow_the_order_of_requests(self):
        sources = [RIGHT, WRONG, "int main(void) { return 1; }\n"] * 4
        with Judge(JUDGE) as judge:
            found = [result.verdict for result in judge.grade(map(request, sources), ordered=True)]
        self.assertEqual(found, ["AC", "WA", "RTE"] * 4)

    def test_requests_that_cannot_be_judged_have_an_error(self):
        with Judge(JUDGE) as judge:
            (result,) = judge.grade([{"id": 7, "problem": "nowhere", "source": RIGHT, "language": "c"}])
            self.assertEqual((result.id, result.verdict, result.error.kind), (7, None, "request"))
            with self.assertRaises(RequestFailed):
                judge.verdict(SUM, RIGHT, "no-such-language")
            with self.assertRaises(TypeError):
                list(judge.grade([{"problem": object()}]))
            self.assertEqual(judge.verdict(SUM, RIGHT, "c"), "AC")

    def test_several_requests_are_awaited_concurrently(self):
        async def verdicts(judge):
            return await asyncio.gather(*(judge.submit(request(source)) for source in [RIGHT, WRONG, RIGHT]))

        with Judge(JUDGE) as judge:
            self.assertEqual([result.verdict for result in asyncio.run(verdicts(judge))], ["AC", "WA", "AC"])

    def test_results_come_while_requests_are_still_made(self):
        seen = []

        def requests():
            yield request(RIGHT, id=0)
            while not seen:
                time.sleep(0.01)
            yield request(WRONG, id=1)

        with Judge(JUDGE) as judge:
            for result in judge.grade(requests()):
                seen.append(result.id)
        self.assertEqual(seen, [0, 1])

    def test_a_reader_may_stop_in_the_middle(self):
        endless = (request(RIGHT, id=number) for number in itertools.count())
        with self.assertRaises(KeyError), Judge(JUDGE) as judge:
            next(judge.grade(endless))
            process = judge._process
            raise KeyError
        self.assertIsNotNone(process.returncode)


    def test_unread_results_do_not_hold_up_the_end(self):
        sleeps = request("#include <unistd.h>\nint main(void) { sleep(600); }\n", limits={"time_limit": 600})
        with Judge(JUDGE) as judge:
            next(judge.grade([request(RIGHT), sleeps]))
        self.assertEqual(judge._process.returncode, 130)
        with self.assertRaisesRegex(JudgeError, "closed"):
            judge.verdict(SUM, RIGHT, "c")


class Failures(unittest.TestCase):
    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(JudgeNotFound, "no-such-judge"):
            Judge("no-such-judge")

    def test_requests_that_cannot_be_written_have_an_error(self):
        requests = [
            {}, {"id": "only"}, request(RIGHT, id="nan", limits={"time_limit": float("nan")}),
            Request(problem=SUM, id="bytes", language="c", source=b"// \xe9"),
            request("//" + "x" * (65 << 20), id="long"), request(RIGHT, id="right")]
        with Judge(JUDGE) as judge:
            results = list(judge.grade(requests, ordered=True))
        self.assertEqual([result.id for result in results], [None, "only", "nan", "bytes", "long", "right"])
        self.assertEqual([result.error.kind if result.error else result.verdict for result in results], ["request"] * 5 + ["AC"])

    def test_unexpected_output_fails_pending_requests(self):
        with self.assertRaisesRegex(JudgeFailed, "unexpected output: grade"), Judge("/bin/echo") as judge:
            judge.verdict(SUM, RIGHT, "c")

    def test_options_that_take_the_results_away_are_refused(self):
        for options in (["--output", "results.jsonl"], ["--resume=results.jsonl"]):
            with self.assertRaisesRegex(ValueError, "writes results to a file"):
                Judge(JUDGE, options=options)

    def test_a_relative_program_is_not_relative_to_the_directory(self):
        with Judge(os.path.relpath(JUDGE), directory="/") as judge:
            self.assertEqual(judge.verdict(SUM, RIGHT, "c"), "AC")

    def test_a_missing_directory_is_not_a_missing_program(self):
        with self.assertRaises(FileNotFoundError):
            Judge(JUDGE, directory="/no-such-directory")

    def test_the_end_of_the_process_fails_pending_requests(self):
        with self.assertRaises(JudgeFailed) as caught, Judge(JUDGE, options=["--no-such-option"]) as judge:
            list(judge.grade([request(RIGHT)]))
        self.assertEqual(caught.exception.exit_code, 2)
        self.assertIn("--no-such-option", str(caught.exception))

    def test_a_process_may_end_before_all_threads_have_started(self):
        start = threading.Thread.start

        def start_slowly(thread):
            start(thread)
            time.sleep(0.5)

        with unittest.mock.patch.object(threading.Thread, "start", start_slowly):
            judge = Judge(JUDGE, options=["--no-such-option"])
        give_up = time.monotonic() + 10
        while judge._failure is None and time.monotonic() < give_up:
            time.sleep(0.01)
        judge.kill()
        self.assertEqual(judge._failure and judge._failure.exit_code, 2)


class Documentation(unittest.TestCase):
    def test_the_reference_lists_everything_that_is_public(self):
        page = pathlib.Path(__file__).parents[2] / "docs/reference/python.md"
        listed = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", page.read_text("utf-8")))))
        public = {name: getattr(problem_judge, name) for name in problem_judge.__all__}
        own = [value for name, value in vars(datasets).items() if inspect.isfunction(value) and value.__module__ == datasets.__name__]
        functions = [value for value in own if not value.__name__.startswith("_")]
        functions += [value for name, value in vars(Judge).items() if inspect.isfunction(value) and not name.startswith("_")]
        names = {*public, *(value.__name__ for value in functions), "is_accepted"}
        for value in [*functions, Judge]:
            names.update(inspect.signature(value).parameters)
        for value in filter(dataclasses.is_dataclass, public.values()):
            names.update(each.name for each in dataclasses.fields(value))
        self.assertGreater(len(names), 50)
        self.assertEqual(names - {"self"} - listed, set())


if __name__ == "__main__":
    unittest.main()
