"""Judges programs with ``judge grade``, one process for any number of requests.

    from problem_judge import Judge, Request

    with Judge() as judge:
        for result in judge.grade([Request(problem="fiveup", path="bob.cpp")]):
            print(result.id, result.verdict)

Keys, units and bounds of requests and results are those of ``judge grade``.
"""

from problem_judge._judge import Judge, JudgeError, JudgeFailed, JudgeNotFound, RequestFailed, find_judge
from problem_judge._types import Excerpt, FirstFailure, GradeError, Request, Result, TestCase

__all__ = [
    "Excerpt",
    "FirstFailure",
    "GradeError",
    "Judge",
    "JudgeError",
    "JudgeFailed",
    "JudgeNotFound",
    "Request",
    "RequestFailed",
    "Result",
    "TestCase",
    "find_judge",
]
