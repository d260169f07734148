"""Problems of research datasets: lists of inputs and outputs, and calls of functions.

    problem = datasets.from_record({"fn_name": "add", "inputs": [[1, 2]], "outputs": [3]})
    judge.grade([datasets.function_request(problem, source, id=1)])

A record that cannot be converted raises ``ValueError``. So does a test case that expects nothing: any program would pass it.
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
    if not isinstance(values, Mapping):
        raise ValueError(f"expected an object with `inputs` and `outputs`, found `{type(values).__name__}`")
    for key in ("inputs", "outputs"):
        if not isinstance(values.get(key), (list, tuple)):
            raise ValueError(f"expected a list `{key}`")
    if values.get("fn_name") is not None:
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
    absolute or relative error. ``testlib_checker`` is the source of a checker in C++, ``testlib_h`` the text of ``testlib.h``; the
    checker gets the first text of each output, which may be empty.
    """
    _expect_pairs(inputs, outputs)
    if testlib_h is not None and testlib_checker is None:
        raise ValueError("`testlib_h` has no effect without `testlib_checker`")
    if testlib_checker is not None and tolerance:
        raise ValueError("`tolerance` has no effect together with `testlib_checker`")
    for number, output in enumerate(outputs, 1):
        if output is not None and not isinstance(output, (str, list, tuple)):
            raise ValueError(f"the output of test case {number} is not text; for a function, the record needs `fn_name`")
    accepted: List[List[str]] = [[output] if isinstance(output, str) else list(output or []) for output in outputs]
    for number, (given, texts) in enumerate(zip(inputs, accepted), 1):
        if not all(isinstance(text, str) for text in (given, *texts)):
            raise ValueError(f"test case {number} is not text; for a function, the record needs `fn_name`")
        if not texts or testlib_checker is None and not all(text.strip() for text in texts):
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
    inputs: Sequence[Union[str, Sequence[Any]]],
    outputs: Sequence[Any],
    *,
    tolerance: float = 0.0,
    limits: Optional[Mapping[str, float]] = None,
) -> Problem:
    """A problem of functions in Python: each input is the list of arguments, each output the value to return.

    Arguments and values are those of JSON; a tuple that is returned counts as a list. An input that is text has an argument on each
    line, as JSON; then the output is JSON as well. A request is ``function_request``.
    """
    if not isinstance(fn_name, str) or not fn_name.isidentifier():
        raise ValueError(f"expected the name of a function, found {fn_name!r}")
    _expect_pairs(inputs, outputs)
    calls, answers = [], []
    for number, (arguments, output) in enumerate(zip(inputs, outputs), 1):
        if isinstance(arguments, str):
            if not isinstance(output, str):
                raise ValueError(f"the input of test case {number} is text, so its output must be JSON text too")
            arguments, output = [json.loads(line) for line in arguments.splitlines() if line.strip()], json.loads(output)
        if not isinstance(arguments, (list, tuple)):
            raise ValueError(f"the input of test case {number} is not a list of arguments")
        if output is None or output == "":
            raise ValueError(f"test case {number} expects nothing: a function that does nothing would pass it")
        try:
            calls.append(json.dumps({"fn_name": fn_name, "args": list(arguments)}, allow_nan=False))
            answers.append(json.dumps({"value": output, "tolerance": tolerance}, allow_nan=False))
        except TypeError as error:
            raise ValueError(f"test case {number} has a value that JSON lacks: {error}") from error
    return {"limits": dict(limits or {}), "checker": _checker(), "tests": _tests(calls, answers)}


def calls_function(problem: Mapping[str, Any]) -> bool:
    """Returns true for a problem that ``function_calls`` made."""
    tests = problem.get("tests") or [{}]
    return str(tests[0].get("input", "")).startswith('{"fn_name": ')


def function_request(problem: Mapping[str, Any], source: str, **more: Any) -> Request:
    """A request for a program in Python whose function, or method of the class ``Solution``, is called by an added driver.

    ``more`` are further fields of the request: ``id``, ``tests``, ``stop``, ``limits``, ``details`` and ``priority``.
    """
    if not calls_function(problem):
        raise ValueError("expected a problem of `function_calls`")
    files = {"main.py": (PROGRAMS / "driver.py").read_text("utf-8"), "solution.py": source}
    return Request(problem=problem, files=files, language="python3", **more)


def _expect_pairs(inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    if not inputs or len(inputs) != len(outputs):
        raise ValueError(f"there are {len(inputs)} inputs and {len(outputs)} outputs; expected equal numbers, at least one")


def _tests(inputs: Sequence[str], answers: Sequence[str]) -> List[Dict[str, str]]:
    return [{"input": given, "output": answer} for given, answer in zip(inputs, answers)]


def _checker() -> Dict[str, str]:
    return {"language": "python3", "source": (PROGRAMS / "checker.py").read_text("utf-8")}
