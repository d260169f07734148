"""Starts ``judge grade`` and exchanges requests and results with it."""

from __future__ import annotations

import asyncio
import collections
import json
import os
import queue
import shutil
import subprocess
import sys
import sysconfig
import threading
from types import TracebackType
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Type, Union

from problem_judge import datasets
from problem_judge._types import GradeError, Request, Result, encode_text

AnyRequest = Union[Request, Mapping[str, Any]]

MAX_IN_FLIGHT = 512
"""The maximum number of requests of one call of ``grade`` that are written but have no result yet."""
MAX_MESSAGE_LINES = 40
"""The maximum number of lines of standard error that an exception quotes."""
EXIT_SECONDS = 10.0
"""The time that the process has to end after a signal."""
MAX_LINE_BYTES = (64 << 20) - 100
"""The maximum length of a request, which the process bounds together with the number that it gets."""
FILES_OF_RESULTS = ("--output", "--resume")
"""The options that write results to a file instead of standard output."""
SIGNAL_SECONDS = 0.5
"""The time between signals. The program counts signals within 0.2 seconds as one."""


class JudgeError(Exception):
    """Any error of this module."""


class JudgeNotFound(JudgeError):
    """The program ``judge`` was not found."""


class JudgeFailed(JudgeError):
    """The process ended before every request was answered."""

    def __init__(self, exit_code: Optional[int], message: str) -> None:
        super().__init__(f"`judge grade` exited with code {exit_code}: {message or 'no message'}")
        self.exit_code = exit_code
        self.message = message


class RequestFailed(JudgeError):
    """A request has no verdict; ``result.error`` has the reason."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.error.message if result.error else "no verdict")
        self.result = result


def find_judge() -> str:
    """Returns the path of the program of this package, or otherwise of the one on the search path."""
    installed = os.path.join(sysconfig.get_path("scripts"), "judge")
    found = installed if os.access(installed, os.X_OK) else shutil.which("judge")
    if not found:
        raise JudgeNotFound("no program `judge`, neither next to Python nor on PATH")
    return os.path.abspath(found)


Receiver = Callable[[Union[Result, JudgeFailed]], None]


class Judge:
    """A running ``judge grade``. Usable from several threads.

    The end of the ``with`` block ends the process. Requests whose results nobody has read are not judged any more.

    ``directory`` is the directory in which names and paths of requests are looked up, ``jobs`` the number of concurrent
    programs, ``isolation`` the required isolation level. With ``warm_python``, Python is started once for many programs.
    ``options`` are further arguments of the command line.
    """

    def __init__(
        self,
        program: Optional[str] = None,
        *,
        directory: Optional[str] = None,
        jobs: Optional[int] = None,
        isolation: Optional[str] = None,
        warm_python: bool = False,
        options: Sequence[str] = (),
    ) -> None:
        for option in options:
            if option.partition("=")[0] in FILES_OF_RESULTS:
                raise ValueError(f"the option `{option}` writes results to a file, so this module would not get them")
        # With a slash, it is not looked up on the search path, and it is not relative to `directory`.
        program = os.path.abspath(program) if program and os.sep in program else program
        command = [program or find_judge(), "grade", "-"]
        command += [] if jobs is None else [f"--jobs={jobs}"]
        command += [f"--isolation={isolation}"] if isolation else []
        command += ["--warm-python"] if warm_python else []
        command += options
        try:
            self._process = subprocess.Popen(
                command, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            # The same error means that the directory is missing.
            if directory is not None and not os.path.isdir(directory):
                raise
            raise JudgeNotFound(f"cannot start `{command[0]}`: {error}") from error
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._pending: Dict[int, Tuple[Any, Receiver]] = {}
        self._next_id = 0
        self._failure: Optional[JudgeFailed] = None
        self._is_closed = False
        self._messages: Deque[str] = collections.deque(maxlen=MAX_MESSAGE_LINES)
        # The reader of results waits for that of messages, so it must start last.
        self._messages_reader = threading.Thread(target=self._read_messages, daemon=True)
        self._threads = [self._messages_reader, threading.Thread(target=self._read_results, daemon=True)]
        for thread in self._threads:
            thread.start()

    def grade(self, requests: Iterable[AnyRequest], *, ordered: bool = False) -> Iterator[Result]:
        """Judges all requests. Results come as they are ready, or with ``ordered`` in the order of the requests.

        A request that cannot be judged has a result with ``error``. Requests are taken from the iterable by another thread, at
        most 512 ahead of the results.
        """
        results: queue.Queue[Any] = queue.Queue()
        room = threading.Semaphore(MAX_IN_FLIGHT)
        is_stopped = threading.Event()

        def write() -> None:
            number = 0
            try:
                for number, request in enumerate(requests, 1):
                    room.acquire()
                    if is_stopped.is_set():
                        return
                    self._send(request, lambda result, number=number: results.put((number, result)))  # type: ignore[misc]
                results.put((None, number))
            except BaseException as error:  # noqa: B902  (raised in the thread that waits for results)
                results.put((None, error))

        threading.Thread(target=write, daemon=True).start()
        total: Optional[int] = None
        done = 0
        waiting: Dict[int, Result] = {}
        try:
            while total is None or done < total:
                number, result = results.get()
                if isinstance(result, BaseException):
                    raise result
                if number is None:
                    total = result
                    continue
                waiting[number] = result
                while waiting and (not ordered or done + 1 in waiting):
                    done += 1
                    room.release()
                    yield waiting.pop(done if ordered else number)
        finally:
            is_stopped.set()
            room.release()

    async def submit(self, request: AnyRequest) -> Result:
        """Judges one request; several may be awaited at the same time."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()

        def settle(result: Union[Result, JudgeFailed]) -> None:
            if future.done():
                return
            if isinstance(result, JudgeFailed):
                future.set_exception(result)
            else:
                future.set_result(result)

        def receive(result: Union[Result, JudgeFailed]) -> None:
            try:
                loop.call_soon_threadsafe(settle, result)
            except RuntimeError:
                pass  # the loop is closed, so no task waits for the result

        # Writing blocks while too many requests are unanswered.
        await loop.run_in_executor(None, self._send, request, receive)
        return await future

    def verdict(self, problem: Union[str, Mapping[str, Any]], source: str, language: str) -> str:
        """Returns the verdict of one program, such as ``AC`` or ``WA``. Raises ``RequestFailed`` without a verdict.

        If the problem calls a function (``datasets.function_calls``), the driver is added, and the language must be ``python3``.
        """
        request = Request(problem=problem, source=source, language=language)
        if not isinstance(problem, str) and datasets.calls_function(problem):
            if language != "python3":
                raise ValueError(f"a problem of `function_calls` needs the language `python3`, found `{language}`")
            request = datasets.function_request(problem, source)
        (result,) = self.grade([request])
        if result.error is not None or result.verdict is None:
            raise RequestFailed(result)
        return result.verdict

    def close(self) -> None:
        """Waits until every request is answered, and ends the process."""
        with self._write_lock:
            try:
                if self._process.stdin is not None:
                    self._process.stdin.close()
            except BrokenPipeError:
                pass
        self._process.wait()
        self._join()
        self._is_closed = True

    def kill(self) -> None:
        """Ends the process and the programs that it runs, without waiting for results."""
        # The first signal lets programs finish, the second one ends them.
        for _ in range(int(EXIT_SECONDS / SIGNAL_SECONDS)):
            self._process.terminate()
            try:
                self._process.wait(SIGNAL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                pass
        else:
            self._process.kill()
            self._process.wait()
        self._join()
        self._is_closed = True

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        with self._lock:
            is_waiting = bool(self._pending)
        if kind is None and not is_waiting:
            self.close()
        else:
            self.kill()

    def _join(self) -> None:
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass

    def _send(self, request: AnyRequest, receive: Receiver) -> None:
        if self._is_closed:
            raise JudgeError("this `Judge` is closed")
        if not isinstance(request, (Request, Mapping)):
            raise TypeError(f"expected a `Request` or a mapping, found `{type(request).__name__}`")
        own = request.id if isinstance(request, Request) else request.get("id")
        try:
            values = request.to_json() if isinstance(request, Request) else dict(request)
            values.pop("id", None)
            rest = json.dumps(values, default=_encode, allow_nan=False)
            if len(rest) > MAX_LINE_BYTES:
                raise ValueError(f"the request is longer than {MAX_LINE_BYTES >> 20} MiB")
        except ValueError as error:
            # The process could not read it, and its result would not name it.
            receive(Result(own, None, 0, 0, error=GradeError("request", str(error))))
            return
        with self._lock:
            if self._failure is not None:
                raise self._failure
            number, self._next_id = self._next_id, self._next_id + 1
            self._pending[number] = (own, receive)
        # Ids of requests need not differ, so the process gets numbers instead. They come first on their lines, so that the
        # error of an unreadable request has its number.
        line = f'{{"id": {number}{", " if values else ""}{rest[1:]}\n'.encode()
        try:
            with self._write_lock:
                assert self._process.stdin is not None
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # the reader of results notices the end of the process, and fails all pending requests

    def _read_results(self) -> None:
        assert self._process.stdout is not None
        unexpected: Optional[bytes] = None
        for line in self._process.stdout:
            try:
                value = json.loads(line)
                with self._lock:
                    own, receive = self._pending.pop(value["id"])
                result = Result.from_json(value, own)
            except (ValueError, LookupError, TypeError, AttributeError):
                # Without this, the requests that these results belong to would wait forever.
                unexpected = line
                self._process.kill()
                break
            receive(result)
        code = self._process.wait()
        self._messages_reader.join()
        if unexpected is not None:
            self._messages.append(f"unexpected output: {unexpected[:200].decode(errors='replace')}")
        with self._lock:
            self._failure = JudgeFailed(code, "\n".join(self._messages).strip())
            pending, self._pending = list(self._pending.values()), {}
        for _, receive in pending:
            receive(self._failure)

    def _read_messages(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._messages.append(line.decode(errors="replace").rstrip("\n"))


def _encode(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray)):
        return encode_text(bytes(value))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a request cannot hold a value of type `{type(value).__name__}`")


if sys.version_info < (3, 9):  # the oldest version with the syntax of this module
    raise ImportError("problem_judge needs Python 3.9")
