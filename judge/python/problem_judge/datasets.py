"""Problems of research datasets: lists of inputs and outputs, and calls of functions.

    problem = datasets.from_record({"fn_name": "add", "inputs": [[1, 2]], "outputs": [3]})
    judge.grade([datasets.function_request(problem, source, id=1)])

A test case that expects nothing is an error: any program would pass it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from problem_judge._types import Request

PROGRAMS = Path(__file__).with_name("programs")

Problem = Dict[str, Any]


def from_record(record: Union[str, Mapping[str, Any]], *, tolerance: float = 0.0) -> Problem:
    """Creates a problem from a record with ``inputs``, ``outputs`` and, for calls of a function, ``fn_name``; also from a JSON string."""
    values: Mapping[str, Any] = json.loads(record) if isinstance(record, str) else record
    if values.get("fn_name"):
        return function_calls(values["fn_name"], values["inputs"], values["outputs"], tolerance=tolerance)
    return standard_io(values["inputs"], values["outputs"], tolerance=tolerance)


def standard_io(
    inputs: Sequence[str],
    outputs: Sequence[Union[str, Sequence[str]]],
    *,
    tolerance: float = 0.0,
    testlib_checker: Optional[str] = None,
    testlib_h: Optional[str] = None,
    limits: Optional[Mapping[str, float]] = None,
) -> Problem:
    """A problem of programs that read standard input and write standard output.

    An output is a text, or a list of texts each of which is accepted. Tokens are compared; with ``tolerance``, numbers may have this
    absolute or relative error. ``testlib_checker`` is the source of a checker in C++, ``testlib_h`` the text of ``testlib.h``.
    """
    _expect_pairs(inputs, outputs)
    accepted = [[output] if isinstance(output, str) else list(output) for output in outputs]
    for number, texts in enumerate(accepted, 1):
        if not texts or not all(text.strip() for text in texts):
            raise ValueError(f"test case {number} expects nothing: any program would pass it")
    problem: Problem = {"limits": dict(limits or {})}
    if testlib_checker is None and any(len(texts) > 1 for texts in accepted):
        answers = [json.dumps({"any": texts, "tolerance": tolerance}) for texts in accepted]
        problem["checker"] = _checker()
    else:
        answers = [texts[0] for texts in accepted]
        if testlib_checker is not None:
            header = {} if testlib_h is None else {"testlib.h": testlib_h}
            problem["checker"] = {"language": "cpp", "files": {"checker.cpp": testlib_checker, **header}}
        elif tolerance:
            problem["comparison"] = {"case_sensitive": True, "float_tolerance": tolerance}
        else:
            problem["comparison"] = {"case_sensitive": True}
    return {**problem, "tests": _tests(inputs, answers)}


def function_calls(
    fn_name: str,
    inputs: Sequence[Sequence[Any]],
    outputs: Sequence[Any],
    *,
    tolerance: float = 0.0,
    limits: Optional[Mapping[str, float]] = None,
) -> Problem:
    """A problem of functions in Python: each input is the list of arguments, each output the value to return.

    Arguments and values are those of JSON; a tuple that is returned counts as a list. A request is ``function_request``.
    """
    _expect_pairs(inputs, outputs)
    for number, output in enumerate(outputs, 1):
        if output is None or output == "":
            raise ValueError(f"test case {number} expects nothing: a function that does nothing would pass it")
    calls = [json.dumps({"fn_name": fn_name, "args": list(arguments)}) for arguments in inputs]
    answers = [json.dumps({"value": output, "tolerance": tolerance}) for output in outputs]
    return {"limits": dict(limits or {}), "checker": _checker(), "tests": _tests(calls, answers)}


def function_request(problem: Problem, source: str, **more: Any) -> Request:
    """A request for a program in Python whose function, or method of the class ``Solution``, is called by an added driver."""
    files = {"main.py": (PROGRAMS / "driver.py").read_text("utf-8"), "solution.py": source}
    return Request(problem=problem, files=files, language="python3", **more)


def _expect_pairs(inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    if not inputs or len(inputs) != len(outputs):
        raise ValueError(f"there are {len(inputs)} inputs and {len(outputs)} outputs; expected equal numbers, at least one")


def _tests(inputs: Sequence[str], answers: Sequence[str]) -> List[Dict[str, str]]:
    return [{"input": given, "output": answer} for given, answer in zip(inputs, answers)]


def _checker() -> Dict[str, str]:
    return {"language": "python3", "source": (PROGRAMS / "checker.py").read_text("utf-8")}
