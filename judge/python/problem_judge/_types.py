"""Requests and results as ``judge grade`` reads and writes them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Mapping, Optional, Union

Text = Union[str, bytes]
"""Text, or bytes if a program wrote something that is not UTF-8."""


def encode_text(text: Text) -> Union[str, Dict[str, str]]:
    """Returns text or bytes in the form that a line of JSON has."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": text.hex()}


def decode_text(value: Any) -> Optional[Text]:
    """Returns the text or the bytes of a line of JSON."""
    if isinstance(value, Mapping):
        return bytes.fromhex(value["hex"])
    return None if value is None else str(value)


@dataclass(frozen=True)
class Request:
    """A program to judge: ``source``, ``files`` or ``path``.

    ``problem`` is the name or path of a package, or a mapping with ``tests`` (each with ``input`` and ``output``) and
    optionally ``limits``, ``comparison`` and ``checker``. Inputs and outputs may be bytes; a source that is bytes must be UTF-8.
    """

    problem: Union[str, Mapping[str, Any]]
    id: Any = None
    source: Optional[Text] = None
    language: Optional[str] = None
    filename: Optional[str] = None
    files: Optional[Mapping[str, Text]] = None
    path: Optional[str] = None
    tests: Optional[List[str]] = None
    stop: Optional[str] = None
    limits: Optional[Mapping[str, float]] = None
    details: bool = False
    priority: Optional[int] = None

    def to_json(self) -> Dict[str, Any]:
        """The request without the keys that have no value."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        # Unlike inputs, sources have no form for other bytes.
        if isinstance(self.source, bytes):
            values["source"] = self.source.decode("utf-8")
        if self.files is not None:
            values["files"] = {name: text.decode("utf-8") if isinstance(text, bytes) else text for name, text in self.files.items()}
        return {key: value for key, value in values.items() if value is not None and value is not False}


@dataclass(frozen=True)
class Excerpt:
    """The beginning and the end of a text, and the number of bytes left out between them."""

    head: Text
    left_out: int
    tail: Text

    @classmethod
    def from_json(cls, value: Optional[Mapping[str, Any]]) -> Optional[Excerpt]:
        if value is None:
            return None
        return cls(decode_text(value["head"]) or "", value["left_out"], decode_text(value["tail"]) or "")


@dataclass(frozen=True)
class FirstFailure:
    """The first test case that is not accepted."""

    test_case: str
    verdict: str
    reason: str = ""
    input: Optional[Excerpt] = None
    expected: Optional[Text] = None
    actual: Optional[Text] = None
    line: Optional[int] = None
    message: Optional[Text] = None
    stderr: Optional[Excerpt] = None

    @classmethod
    def from_json(cls, value: Optional[Mapping[str, Any]]) -> Optional[FirstFailure]:
        if value is None:
            return None
        return cls(
            value["test_case"], value["verdict"], value.get("reason", ""), Excerpt.from_json(value.get("input")), decode_text(value.get("expected")),
            decode_text(value.get("actual")), value.get("line"), decode_text(value.get("message")),
            Excerpt.from_json(value.get("stderr")))


@dataclass(frozen=True)
class TestCase:
    """The result on one test case: CPU time in seconds, peak memory in bytes."""

    __test__ = False  # pytest would collect the class because of its name

    test_case: str
    verdict: str
    time: float
    memory: int
    score: Optional[float] = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TestCase:
        return cls(value["test_case"], value["verdict"], value["time"], value["memory"], value.get("score"))


@dataclass(frozen=True)
class GradeError:
    """The reason for a missing verdict. ``kind`` is the side that has to act: ``request``, ``package`` or ``host``."""

    kind: str
    message: str


@dataclass(frozen=True)
class Result:
    """The result of a request: CPU time in seconds, peak memory in bytes."""

    id: Any
    verdict: Optional[str]
    passed: int
    judged: int
    cached: bool = False
    score: Optional[float] = None
    time: Optional[float] = None
    memory: Optional[int] = None
    first_failure: Optional[FirstFailure] = None
    compiler_message: Optional[Text] = None
    error: Optional[GradeError] = None
    test_cases: List[TestCase] = field(default_factory=list)

    @property
    def is_accepted(self) -> bool:
        """True if the verdict is AC."""
        return self.verdict == "AC"

    @classmethod
    def from_json(cls, value: Mapping[str, Any], id: Any) -> Result:
        error = value.get("error")
        return cls(
            id, value.get("verdict"), value["passed"], value["judged"], bool(value.get("cached")), value.get("score"),
            value.get("time"), value.get("memory"), FirstFailure.from_json(value.get("first_failure")),
            decode_text(value.get("compiler_message")),
            None if error is None else GradeError(error["kind"], error["message"]),
            [TestCase.from_json(case) for case in value.get("test_cases") or []])
